// The texts of the page: status line, legend, captions of keys, labels for a screen reader; and the choices.

import assert from "node:assert/strict";
import { test } from "../support/test.mjs";
import { onPage } from "../support/page-driver.mjs";

const caption = (driver, cell) =>
  driver.evaluate((index) => document.querySelectorAll(".caption")[index].textContent, cell);
const untilLabel = (driver, cell, label) =>
  driver.until((index, text) => document.querySelectorAll(".key")[index].ariaLabel === text, cell, label);

test("page explains every scene", () => onPage(async (driver) => {
  await driver.expectText("status", "Level 1 · 0 moves · par 1");
  await driver.expectText("legend", "amber: light on");
  await driver.command("menu");
  await driver.step(50);
  await driver.expectText("status", "Menu: Levels is chosen");
  await driver.expectText("legend", "row 4, difficulty");
  for (const [cell, name] of [[0, "Levels"], [9, "Ring"], [13, "5 × 5"], [14, ""], [24, "Sound"]]) {
    assert.equal(await caption(driver, cell), name);
  }
  // The effect of a key is shown while the mouse is on it.
  await driver.page.mouse.move(...await driver.key(1));
  await driver.untilText("key-effect", "Random: chooses Random; tap again to start it.");
  await driver.choose(0, 0);
  await driver.expectText("status", "Levels, page 1 of 3");
  await driver.expectText("legend", "still locked");
  assert.equal(await caption(driver, 24), "25");
  await driver.choose(0, 2);
  await driver.expectText("legend", "this board can be solved");
  await driver.command("next");
  await driver.step(50);
  await driver.expectText("status", "slots");
  assert.deepEqual([await caption(driver, 5), await caption(driver, 19)], ["save 1", "load 5"]);
  await driver.choose(0, 3);
  await driver.expectText("legend", "the light to chase");
  await driver.openPanel("workshop");
  await driver.click("#self-test");
  await driver.step(3000);
  await driver.expectText("legend", "a key that works");
  // The page shows that the handheld is off.
  await driver.click("#power");
  await driver.step(0);
  await driver.expectText("status", "Switched off");
  await driver.click(".key:nth-child(13)");
  await driver.expectText("notice", "The handheld is off");
  await driver.click("#power");
  await driver.step(1500);
  await driver.expectText("status", "Tutor");
}));

test("labels of keys have positions and colours", () => onPage(async (driver) => {
  await untilLabel(driver, 0, "row 1 column 1, dark");
  await untilLabel(driver, 3, "row 1 column 4, lit amber");
  await driver.command("hint");
  await driver.step(50);
  await untilLabel(driver, 3, "row 1 column 4, pulsing blue");
  await driver.command("menu");
  await driver.step(50);
  await untilLabel(driver, 13, "row 3 column 4, lit green, 5 × 5");
  await untilLabel(driver, 15, "row 4 column 1, lit dim violet, Easy");
  // The effect of a key depends on the colour of its light.
  await driver.choose(0, 0);
  await untilLabel(driver, 1, "row 1 column 2, lit faint white, 2");
  for (const [cell, effect] of [[0, "1: starts level 1."], [1, "2: is level 2, which is still locked."]]) {
    await driver.page.mouse.move(...await driver.key(cell));
    await driver.untilText("key-effect", effect);
  }
}));

test("choices press keys of the menu", () => onPage(async (driver) => {
  await driver.choose(0, 1);
  await driver.expectText("status", "Random, medium");
  const isChosen = (row, column) => driver.evaluate((group, button) => {
    const { children } = document.querySelectorAll("#choice-rows fieldset")[group];
    return [...children].filter(({ type }) => type === "button")[button].ariaPressed === "true";
  }, row, column);
  for (const [row, column] of [[1, 2], [2, 1], [3, 4], [4, 0]]) {
    assert.equal(await isChosen(row, column), false);
    await driver.choose(row, column);
    assert.equal(await isChosen(row, column), true);
  }
  await driver.expectText("log", "choices rule=3 size=3 difficulty=5 brightness=1 sound=0");
  await driver.command("next");
  await driver.step(50);
  // With the plus on a torus, no board of three by three needs more than three presses.
  await driver.expectText("status", "Random, hardest");
  await driver.expectText("status", "par 3");
  const sound = () => driver.evaluate(() => document.getElementById("sound").ariaPressed);
  assert.equal(await sound(), "false");
  await driver.click("#sound");
  await driver.step(50);
  assert.equal(await sound(), "true");
  await driver.expectText("log", "brightness=1 sound=1");
  // The game continues.
  await driver.expectText("status", "Random");
}));

test("refused commands are explained, and the manual opens", () => onPage(async (driver) => {
  for (const [name, text] of [["next", "Solve level 1 first"], ["undo", "nothing to undo"]]) {
    await driver.command(name);
    await driver.step(50);
    await driver.expectText("notice", text);
  }
  await driver.command("hint");
  await driver.step(50);
  assert.equal(await driver.text("notice"), "", "the earlier notice is removed");
  assert.equal(await driver.evaluate(() => document.querySelector("[data-command=redo]").disabled), true);
  await driver.click("#manual");
  const manual = await driver.evaluate(async () => (await fetch("how-to-play.md")).text());
  const headings = [...manual.matchAll(/^#+ (.*)$/gm)].map(([, heading]) => heading);
  assert.ok(headings.length > 3);
  for (const heading of headings) await driver.untilText("manual-text", heading);
  assert.doesNotMatch(await driver.text("manual-text"), /[*|#]{2}|!\[/, "no Markdown is left");
  const pictures = await driver.evaluate(async () => {
    const images = [...document.querySelectorAll("#manual-text img")];
    images.forEach((image) => { image.loading = "eager"; });
    await Promise.all(images.map((image) => image.decode()));
    return images.length;
  });
  assert.ok(pictures > 5);
  await driver.page.keyboard.press("Escape");
  await driver.until(() => !document.getElementById("manual-dialog").open);
}));
