// Mouse and keyboard on the keys and on the commands: each of them counts, in its order, once.

import assert from "node:assert/strict";
import { test } from "../support/test.mjs";
import { pressed } from "../support/boards.mjs";
import { visit } from "../support/visitor.mjs";

test("mouse and commands: every click counts, in its order", () => visit(async (visitor) => {
  const board = await visitor.random();
  const { page } = visitor;
  for (const cell of [7, 16, 18]) await visitor.tap(cell);
  await visitor.expectText("status", "3 moves");
  await visitor.expectLit(pressed(board, [7, 16, 18]));
  // Three at once are three.
  await visitor.evaluate(() => [1, 2, 3].forEach(() => document.querySelector("[data-command=undo]").click()));
  await visitor.step(50);
  await visitor.expectText("status", "0 moves");
  await visitor.expectLit(board);
  await visitor.evaluate(() => [1, 2].forEach(() => document.querySelector("[data-command=redo]").click()));
  await visitor.step(50);
  await visitor.expectLit(pressed(board, [7, 16]));
  // A key right after a command waits for it.
  await visitor.command("hint");
  await visitor.tap(12);
  await visitor.expectText("status", "3 moves");
  await visitor.expectLit(pressed(board, [7, 16, 12]));
  await visitor.command("restart");
  await visitor.step(50);
  await visitor.expectLit(board);
  // A ring around the key that a mouse clicked last would tell nothing.
  assert.equal(await visitor.evaluate(() => document.querySelectorAll(".key:focus").length), 0);
  // Right two corners are a restart; Shift keeps a key down.
  await visitor.tap(7);
  for (const cell of [4, 24]) {
    await page.keyboard.down("Shift");
    await visitor.click(`.key:nth-child(${cell + 1})`);
    await page.keyboard.up("Shift");
  }
  await visitor.step(600);
  await visitor.expectLit(pressed(board, [7, 4, 24]));
  await visitor.step(150);
  for (const cell of [4, 24]) await visitor.click(`.key:nth-child(${cell + 1})`);
  await visitor.step(100);
  await visitor.expectLit(board);
  assert.equal(await visitor.evaluate(() => document.querySelectorAll(".key.latched").length), 0);
}));

test("the keyboard walks over the keys and gives commands", () => visit(async (visitor) => {
  await visitor.tap(12);
  const board = await visitor.random();
  // Nothing has the focus: arrows begin at the key that was used last, here the centre, and space does not scroll.
  await visitor.type("ArrowUp");
  await visitor.type("ArrowLeft");
  assert.match(await visitor.evaluate(() => document.activeElement.ariaLabel), /^row 2 column 2,/);
  await visitor.untilText("tell", "flips its light");
  await visitor.type(" ");
  await visitor.expectLit(pressed(board, [6]));
  assert.equal(await visitor.evaluate(() => scrollY), 0);
  await visitor.type("Enter");
  await visitor.expectLit(board);
  await visitor.expectText("status", "2 moves");
  await visitor.untilText("heard", "Lit are row");
  // A screen reader does not press and release: it clicks.
  await visitor.evaluate(() => document.querySelectorAll(".key")[18].click());
  await visitor.step(100);
  await visitor.expectLit(pressed(board, [18]));
  await visitor.type("u");
  await visitor.expectText("status", "2 moves");
  for (const [held, moves] of [[["Control"], "1 move"], [["Control", "Shift"], "2 moves"], [["Control", "Shift"], "3 moves"]]) {
    await visitor.type(held.length > 1 ? "Z" : "z", ...held);
    await visitor.expectText("status", moves);
  }
  await visitor.type("h");
  await visitor.expectText("status", "hint: row ");
  await visitor.type("r");
  await visitor.expectText("status", "0 moves");
  await visitor.type("m");
  await visitor.expectText("status", "Menu");
  await visitor.type("m");
  await visitor.expectText("status", "Random, medium, puzzle 1 · 0 moves");
  await visitor.type("n");
  await visitor.expectText("log", "command next");
}));

test("letters press keys if that is wanted", () => visit(async (visitor) => {
  const board = await visitor.random();
  const { keyboard } = visitor.page;
  await visitor.unfold("choices");
  await visitor.click("#show-keys");
  // A radio button that was clicked last takes no letters away.
  await visitor.unfold("workshop");
  await visitor.click('#speed input[value="2"] + span');
  await visitor.type("v");
  await visitor.expectLit(pressed(board, [18]));
  await visitor.type("U", "Shift");
  await visitor.expectLit(board);
  // The menu, by its corners: 1 is the top left, P the bottom right.
  await keyboard.down("1");
  await keyboard.down("p");
  await visitor.step(800);
  await visitor.expectText("status", "Menu");
  await keyboard.up("1");
  await keyboard.up("p");
  await visitor.step(100);
  await visitor.type("3");
  await visitor.expectText("status", "Create is chosen");
  await visitor.type("3");
  await visitor.expectText("status", "Create: each tap");
}));

test("what is clicked while the page loads does no harm", () => visit(async (visitor) => {
  await visitor.page.reload({ waitUntil: "domcontentloaded" });
  const clickAll = () => {
    const buttons = document.querySelectorAll(".key, [data-command], #power, #sound, #choice-rows button");
    if (!document.getElementById("loading").hidden) buttons.forEach((button) => button.click());
  };
  for (let turn = 0; turn < 5; turn += 1) await visitor.evaluate(clickAll);
  await visitor.begin();
  await visitor.expectText("status", "Level 1 · 0 moves");
  // And a win is told to a screen reader.
  await visitor.tap(3);
  await visitor.expectText("status", "Level 1 solved in 1, par 1.");
  assert.equal(await visitor.evaluate(() => document.getElementById("status").role), "status");
}));
