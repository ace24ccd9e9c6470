// Codes, links, the puzzle of the day, and pictures for sharing.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "../support/test.mjs";
import { eventually } from "../support/eventually.mjs";
import { downloaded, onPage } from "../support/page-driver.mjs";

/** Follows a link on the open page, and waits for a text in an element. */
async function follow(driver, link, id, text) {
  await driver.evaluate((hash) => { location.hash = hash; }, link);
  await driver.untilText(id, text);
  await driver.step(100);
}
/** Replaces the clipboard by `window.copied`. */
const replaceClipboard = (driver) => driver.evaluate(() => {
  navigator.clipboard.writeText = async (text) => { window.copied = text; };
});

test("links open boards", () => onPage(async (driver) => {
  const level = await driver.ask("readCode", await driver.ask("levelCode", 41));
  await driver.go(`#play=${level.code}`);
  await driver.untilText("status", `Custom board · 0 moves · par ${level.par}`);
  await driver.step(100);
  await driver.expectLit(level.lights);
  assert.equal(await driver.evaluate(() => location.hash), "", "a reload does not follow the link again");
  // Another rule and size: ring, four by four.
  await driver.ask("choose", 1, 4);
  await driver.ask("choose", 2, 2);
  await driver.startRandom();
  const ring = await driver.ask("readCode", await driver.code());
  assert.deepEqual([ring.rule, ring.size], [4, 2]);
  await follow(driver, "#level=1", "status", "Level 1 · ");
  await follow(driver, `#play=${ring.code}`, "status", `Custom board · 0 moves · par ${ring.par}`);
  await driver.expectLit(ring.lights);
  await follow(driver, "#draw=0001CCB", "status", "Create: each tap flips one light.");
  await follow(driver, "#level=30", "notice", "Level 30 is still locked");
  // A board with one light cannot be solved.
  await driver.ask("startMode", "create");
  await driver.tap(0);
  await follow(driver, `#play=${await driver.code()}`, "notice", "This board cannot be solved");
  const refused = [
    ["#play=0001CCX", "check character"],
    ["#play=0001?CB", "?"],
    ["#play=12", "2"],
    ["#level=76", "levels 1 to 75"],
    ["#daily=yesterday", "is not a date"],
    ["#cheat", "does not know"],
  ];
  for (const [link, reason] of refused) {
    await follow(driver, link, "notice", reason);
  }
}));

test("code can be copied and entered", () => onPage(async (driver) => {
  await driver.startRandom();
  const code = await driver.code();
  await driver.click("#share");
  await driver.untilText("share-code", code);
  await replaceClipboard(driver);
  await driver.click("#copy-link");
  await driver.until((link) => window.copied?.endsWith(link), `#play=${code}`);
  await driver.click("#save-picture");
  const path = downloaded(`lights-out-${code}.png`);
  const picture = await eventually(() => readFile(path), (bytes) => bytes.includes("IEND"));
  assert.equal(picture.subarray(1, 4).toString(), "PNG");
  await driver.page.type("#code", "00x");
  await driver.click("#code-form button[value=play]");
  await driver.until(() => document.getElementById("code-reason").textContent !== "");
  assert.equal(await driver.evaluate(() => document.getElementById("share-dialog").open), true);
  await driver.evaluate(() => { document.getElementById("code").value = "0001-ccb"; });
  await driver.click("#code-form button[value=play]");
  await driver.untilText("status", "Custom board · 0 moves · par 1");
}));

test("puzzle of the day is played and its result is copied", () => onPage(async (driver) => {
  await follow(driver, "#daily=2026-11-16", "notice", "The puzzle of 16 November 2026");
  const days = 20_773;
  const { lights, par, code } = await driver.ask("readCode", await driver.ask("dailyCode", days));
  await driver.expectLit(lights);
  for (let move = 0; move < par; move += 1) {
    await driver.command("hint");
    await driver.step(50);
    const [row, column] = (await driver.text("status")).match(/hint: row (\d) column (\d)/).slice(1).map(Number);
    await driver.tap(5 * (row - 1) + column - 1);
  }
  await driver.untilText("status", `Solved in ${par}, par ${par}.`);
  await driver.untilText("daily-result", `Your best: ${par}.`);
  await replaceClipboard(driver);
  await driver.click("#daily-copy");
  await driver.until(() => window.copied);
  const result = await driver.evaluate(() => window.copied);
  assert.ok(result.startsWith(`Lights Out, 16 November 2026\n★★★ solved in ${par}, par ${par}\n`), result);
  assert.ok(result.endsWith("#daily=2026-11-16"), result);
  assert.ok(!result.includes(code), "the result does not contain the puzzle");
}));
