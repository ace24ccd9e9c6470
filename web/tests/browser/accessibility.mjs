// The accessibility checker axe-core finds no problem on the page.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { test } from "../support/test.mjs";
import { PHONE, isFirefox, onPage } from "../support/page-driver.mjs";

const source = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

async function expectAccessible(driver, where) {
  const found = await driver.evaluate(async () => {
    const { violations } = await axe.run();
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
  });
  assert.deepEqual(found, [], where);
}

/** Firefox is set up for the dark theme only. */
const THEMES = isFirefox ? ["dark"] : ["dark", "light"];

test("page and dialogs are accessible in both themes", () => onPage(async (driver) => {
  await driver.evaluate(source);
  await driver.openPanel("choices");
  await driver.openPanel("workshop");
  for (const theme of THEMES) {
    if (!isFirefox) {
      await driver.page.emulateMediaFeatures([
        { name: "prefers-color-scheme", value: theme },
        { name: "prefers-reduced-motion", value: "reduce" },
      ]);
    }
    await expectAccessible(driver, `${theme}, in play`);
    await driver.command("menu");
    await driver.step(50);
    await expectAccessible(driver, `${theme}, menu`);
    await driver.command("menu");
    for (const button of ["manual", "daily", "share"]) {
      const dialog = `${button}-dialog`;
      await driver.click(`#${button}`);
      await driver.until((id) => document.getElementById(id).open, dialog);
      await expectAccessible(driver, `${theme}, ${dialog}`);
      await driver.evaluate((id) => document.getElementById(id).close(), dialog);
    }
    await driver.click("#power");
    await driver.step(50);
    await expectAccessible(driver, `${theme}, off`);
    await driver.click("#power");
    await driver.step(1500);
  }
}));

test("page is accessible on a phone", () => onPage(async (driver) => {
  await driver.evaluate(source);
  await expectAccessible(driver, "phone");
}, { screen: PHONE }));
