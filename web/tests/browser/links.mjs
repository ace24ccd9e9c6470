// Codes, links, the puzzle of the day, and pictures to share.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "../support/test.mjs";
import { eventually } from "../support/eventually.mjs";
import { downloaded, visit } from "../support/visitor.mjs";

/** Follows a link on the page that is open, until the page says this of it. */
async function follow(visitor, link, place, words) {
  await visitor.evaluate((hash) => { location.hash = hash; }, link);
  await visitor.untilText(place, words);
  await visitor.step(100);
}
const copied = (visitor) => visitor.evaluate(() => { navigator.clipboard.writeText = async (text) => { window.copied = text; }; });

test("links open boards that are ready to play", () => visit(async (visitor) => {
  const level = await visitor.ask("readCode", await visitor.ask("levelCode", 41));
  await visitor.go(`#play=${level.code}`);
  await visitor.untilText("status", `A drawn board · 0 moves · par ${level.par}`);
  await visitor.step(100);
  await visitor.expectLit(level.lights);
  assert.equal(await visitor.evaluate(() => location.hash), "", "a reload does not begin anew");
  // Any rule and size: four by four without the centre.
  await visitor.ask("choose", 1, 4);
  await visitor.ask("choose", 2, 2);
  await visitor.random();
  const ring = await visitor.ask("readCode", await visitor.code());
  assert.deepEqual([ring.rule, ring.size], [4, 2]);
  await follow(visitor, "#level=1", "status", "Level 1 · ");
  await follow(visitor, `#play=${ring.code}`, "status", `A drawn board · 0 moves · par ${ring.par}`);
  await visitor.expectLit(ring.lights);
  await follow(visitor, "#draw=0001CCB", "status", "Create: each tap flips one light.");
  await follow(visitor, "#level=30", "notice", "Level 30 is not open on this handheld yet");
  // One light alone cannot be put out.
  await visitor.ask("startMode", "create");
  await visitor.tap(0);
  await follow(visitor, `#play=${await visitor.code()}`, "notice", "Nobody can solve this board");
  for (const [link, reason] of [["#play=0001CCX", "check character"], ["#play=0001?CB", "?"], ["#play=12", "2"], ["#level=76", "levels 1 to 75"],
    ["#daily=yesterday", "is no date"], ["#cheat", "does not know"]]) {
    await follow(visitor, link, "notice", reason);
  }
}));

test("a code goes out and comes in", () => visit(async (visitor) => {
  await visitor.random();
  const code = await visitor.code();
  await visitor.click("#share");
  await visitor.untilText("share-code", code);
  await copied(visitor);
  await visitor.click("#copy-link");
  await visitor.until((link) => window.copied?.endsWith(link), `#play=${code}`);
  await visitor.click("#picture");
  const picture = await eventually(() => readFile(downloaded(`lights-out-${code}.png`)), (bytes) => bytes.includes("IEND"));
  assert.equal(picture.subarray(1, 4).toString(), "PNG");
  await visitor.page.type("#code", "00x");
  await visitor.click("#code-form button[value=play]");
  await visitor.until(() => document.getElementById("code-reason").textContent !== "");
  assert.equal(await visitor.evaluate(() => document.getElementById("share-dialog").open), true);
  await visitor.evaluate(() => { document.getElementById("code").value = "0001-ccb"; });
  await visitor.click("#code-form button[value=play]");
  await visitor.untilText("status", "A drawn board · 0 moves · par 1");
}));

test("the puzzle of the day is played, and its result shared", () => visit(async (visitor) => {
  await follow(visitor, "#daily=2026-11-16", "notice", "The puzzle of 16 November 2026");
  const days = 20_773;
  const { lights, par, code } = await visitor.ask("readCode", await visitor.ask("dailyCode", days));
  await visitor.expectLit(lights);
  for (let move = 0; move < par; move += 1) {
    await visitor.command("hint");
    await visitor.step(50);
    const [row, column] = (await visitor.text("status")).match(/hint: row (\d) column (\d)/).slice(1).map(Number);
    await visitor.tap(5 * (row - 1) + column - 1);
  }
  await visitor.untilText("status", `Solved in ${par}, par ${par}.`);
  await visitor.untilText("daily-result", `Your best: ${par}.`);
  await copied(visitor);
  await visitor.click("#daily-copy");
  await visitor.until(() => window.copied);
  const result = await visitor.evaluate(() => window.copied);
  assert.ok(result.startsWith(`Lights Out, 16 November 2026\n★★★ solved in ${par}, par ${par}\n`), result);
  assert.ok(result.endsWith("#daily=2026-11-16"), result);
  assert.ok(!result.includes(code), "no light of it is told");
}));
