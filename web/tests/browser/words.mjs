// What the page says: status line, legend, names of keys, labels for a screen reader; and the choices without corners.

import assert from "node:assert/strict";
import { test } from "../support/test.mjs";
import { visit } from "../support/visitor.mjs";

const caption = (visitor, cell) => visitor.evaluate((index) => document.querySelectorAll(".caption")[index].textContent, cell);
const untilLabel = (visitor, cell, label) =>
  visitor.until((index, words) => document.querySelectorAll(".key")[index].ariaLabel === words, cell, label);

test("the page explains what is on the lights", () => visit(async (visitor) => {
  await visitor.expectText("status", "Level 1 · 0 moves · par 1");
  await visitor.expectText("legend", "amber: a light that is on");
  await visitor.command("menu");
  await visitor.step(50);
  await visitor.expectText("status", "Menu: Levels is chosen");
  await visitor.expectText("legend", "row 4, difficulty");
  for (const [cell, name] of [[0, "Levels"], [9, "Ring"], [13, "5 × 5"], [14, ""], [24, "Sound"]]) assert.equal(await caption(visitor, cell), name);
  // What a key would do is told while the mouse is on it.
  await visitor.page.mouse.move(...await visitor.key(1));
  await visitor.untilText("tell", "Random: chooses Random; tap again to start it.");
  await visitor.choose(0, 0);
  await visitor.expectText("status", "Levels, page 1 of 3");
  await visitor.expectText("legend", "not open yet");
  assert.equal(await caption(visitor, 24), "25");
  await visitor.choose(0, 2);
  await visitor.expectText("legend", "this board can be solved");
  await visitor.command("next");
  await visitor.step(50);
  await visitor.expectText("status", "slots");
  assert.deepEqual([await caption(visitor, 5), await caption(visitor, 19)], ["keep 1", "load 5"]);
  await visitor.choose(0, 3);
  await visitor.expectText("legend", "the light to chase");
  await visitor.unfold("workshop");
  await visitor.click("#self-test");
  await visitor.step(3000);
  await visitor.expectText("legend", "a key that works");
  // Switched off, it says so.
  await visitor.click("#power");
  await visitor.step(0);
  await visitor.expectText("status", "Switched off");
  await visitor.click(".key:nth-child(13)");
  await visitor.expectText("notice", "The handheld is off");
  await visitor.click("#power");
  await visitor.step(1500);
  await visitor.expectText("status", "Tutor");
}));

test("a screen reader is told places and colours", () => visit(async (visitor) => {
  await untilLabel(visitor, 0, "row 1 column 1, dark");
  await untilLabel(visitor, 3, "row 1 column 4, lit amber");
  await visitor.command("hint");
  await visitor.step(50);
  await untilLabel(visitor, 3, "row 1 column 4, pulsing blue");
  await visitor.command("menu");
  await visitor.step(50);
  await untilLabel(visitor, 13, "row 3 column 4, lit green, 5 × 5");
  await untilLabel(visitor, 15, "row 4 column 1, lit dim violet, Easy");
  // What a key does follows the lights as they were described last.
  await visitor.choose(0, 0);
  await untilLabel(visitor, 1, "row 1 column 2, lit faint white, 2");
  for (const [cell, effect] of [[0, "1: starts level 1."], [1, "2: is level 2, not open yet."]]) {
    await visitor.page.mouse.move(...await visitor.key(cell));
    await visitor.untilText("tell", effect);
  }
}));

test("choices press the right keys of the menu", () => visit(async (visitor) => {
  await visitor.choose(0, 1);
  await visitor.expectText("status", "Random, medium");
  const isChosen = (row, column) => visitor.evaluate((group, button) =>
    document.querySelectorAll("#choice-rows fieldset")[group].querySelectorAll("button")[button].ariaPressed === "true", row, column);
  for (const [row, column] of [[1, 2], [2, 1], [3, 4], [4, 0]]) {
    assert.equal(await isChosen(row, column), false);
    await visitor.choose(row, column);
    assert.equal(await isChosen(row, column), true);
  }
  await visitor.expectText("log", "choices rule=3 size=3 difficulty=5 brightness=1 sound=0");
  await visitor.command("next");
  await visitor.step(50);
  // The plus on a torus of three by three has no board that takes more than three presses.
  await visitor.expectText("status", "Random, hardest");
  await visitor.expectText("status", "par 3");
  const sound = () => visitor.evaluate(() => document.getElementById("sound").ariaPressed);
  assert.equal(await sound(), "false");
  await visitor.click("#sound");
  await visitor.step(50);
  assert.equal(await sound(), "true");
  await visitor.expectText("log", "brightness=1 sound=1");
  // The game behind the menu went on.
  await visitor.expectText("status", "Random");
}));

test("what cannot be done is said, and how to play is one click away", () => visit(async (visitor) => {
  for (const [name, words] of [["next", "Level 1 is not solved yet"], ["undo", "nothing to take back"]]) {
    await visitor.command(name);
    await visitor.step(50);
    await visitor.expectText("notice", words);
  }
  await visitor.command("hint");
  await visitor.step(50);
  assert.equal(await visitor.text("notice"), "", "what was said before is gone");
  assert.equal(await visitor.evaluate(() => document.querySelector("[data-command=redo]").disabled), true);
  await visitor.click("#guide");
  for (const part of ["Put all the lights out.", "Tutor", "Colours, and how to tell them apart without", "18 lights"]) await visitor.untilText("guide-text", part);
  assert.doesNotMatch(await visitor.text("guide-text"), /[*|#]{2}|!\[/, "no mark of the text's own form is left");
  const pictures = await visitor.evaluate(async () => {
    const images = [...document.querySelectorAll("#guide-text img")];
    images.forEach((image) => { image.loading = "eager"; });
    await Promise.all(images.map((image) => image.decode()));
    return images.length;
  });
  assert.ok(pictures > 5);
  await visitor.page.keyboard.press("Escape");
  await visitor.until(() => !document.getElementById("guide-dialog").open);
}));
