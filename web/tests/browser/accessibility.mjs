// What a checker of accessibility, axe-core, finds on the page: nothing.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { test } from "../support/test.mjs";
import { PHONE, isFirefox, visit } from "../support/visitor.mjs";

const source = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

async function check(visitor, where) {
  const found = await visitor.evaluate(async () => {
    const { violations } = await axe.run();
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
  });
  assert.deepEqual(found, [], where);
}

/** Firefox shows one of the two themes, the dark one. */
const THEMES = isFirefox ? ["dark"] : ["dark", "light"];

test("the page and its dialogues are accessible in both themes", () => visit(async (visitor) => {
  await visitor.evaluate(source);
  await visitor.unfold("choices");
  await visitor.unfold("workshop");
  for (const theme of THEMES) {
    if (!isFirefox) await visitor.page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }, { name: "prefers-reduced-motion", value: "reduce" }]);
    await check(visitor, `${theme}, in play`);
    await visitor.command("menu");
    await visitor.step(50);
    await check(visitor, `${theme}, menu`);
    await visitor.command("menu");
    for (const [button, dialog] of [["guide", "guide-dialog"], ["daily", "daily-dialog"], ["share", "share-dialog"]]) {
      await visitor.click(`#${button}`);
      await visitor.until((id) => document.getElementById(id).open, dialog);
      await check(visitor, `${theme}, ${dialog}`);
      await visitor.evaluate((id) => document.getElementById(id).close(), dialog);
    }
    await visitor.click("#power");
    await visitor.step(50);
    await check(visitor, `${theme}, off`);
    await visitor.click("#power");
    await visitor.step(1500);
  }
}));

test("the page is accessible on a phone", () => visit(async (visitor) => {
  await visitor.evaluate(source);
  await check(visitor, "phone");
}, { screen: PHONE }));
