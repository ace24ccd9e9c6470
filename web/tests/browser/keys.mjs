// Mouse and keyboard on keys and commands: every input counts once, in order.

import assert from "node:assert/strict";
import { test } from "../support/test.mjs";
import { pressed } from "../support/boards.mjs";
import { onPage } from "../support/page-driver.mjs";

test("every click counts once and in order", () => onPage(async (driver) => {
  const board = await driver.startRandom();
  const { page } = driver;
  for (const cell of [7, 16, 18]) await driver.tap(cell);
  await driver.expectText("status", "3 moves");
  await driver.expectLit(pressed(board, [7, 16, 18]));
  // Three clicks without a pause are three commands.
  await driver.evaluate(() => [1, 2, 3].forEach(() => document.querySelector("[data-command=undo]").click()));
  await driver.step(50);
  await driver.expectText("status", "0 moves");
  await driver.expectLit(board);
  await driver.evaluate(() => [1, 2].forEach(() => document.querySelector("[data-command=redo]").click()));
  await driver.step(50);
  await driver.expectLit(pressed(board, [7, 16]));
  // A key waits for the command before it.
  await driver.command("hint");
  await driver.tap(12);
  await driver.expectText("status", "3 moves");
  await driver.expectLit(pressed(board, [7, 16, 12]));
  await driver.command("restart");
  await driver.step(50);
  await driver.expectLit(board);
  // A mouse click does not set the focus, so there is no focus ring.
  assert.equal(await driver.evaluate(() => document.querySelectorAll(".key:focus").length), 0);
  // The right two corners are a restart. Shift-click holds a key down.
  await driver.tap(7);
  for (const cell of [4, 24]) {
    await page.keyboard.down("Shift");
    await driver.click(`.key:nth-child(${cell + 1})`);
    await page.keyboard.up("Shift");
  }
  await driver.step(600);
  await driver.expectLit(pressed(board, [7, 4, 24]));
  await driver.step(150);
  for (const cell of [4, 24]) await driver.click(`.key:nth-child(${cell + 1})`);
  await driver.step(100);
  await driver.expectLit(board);
  assert.equal(await driver.evaluate(() => document.querySelectorAll(".key.latched").length), 0);
}));

test("keyboard moves over the keys and gives commands", () => onPage(async (driver) => {
  await driver.tap(12);
  const board = await driver.startRandom();
  // Nothing has the focus: arrow keys start at the key that was used last, the centre, and space does not scroll.
  await driver.type("ArrowUp");
  await driver.type("ArrowLeft");
  assert.match(await driver.evaluate(() => document.activeElement.ariaLabel), /^row 2 column 2,/);
  await driver.untilText("key-effect", "flips the lights");
  await driver.type(" ");
  await driver.expectLit(pressed(board, [6]));
  assert.equal(await driver.evaluate(() => scrollY), 0);
  await driver.type("Enter");
  await driver.expectLit(board);
  await driver.expectText("status", "2 moves");
  await driver.untilText("board-description", "Lights on: row");
  // A screen reader sends a click without press and release.
  await driver.evaluate(() => document.querySelectorAll(".key")[18].click());
  await driver.step(100);
  await driver.expectLit(pressed(board, [18]));
  await driver.type("u");
  await driver.expectText("status", "2 moves");
  const steps = [[["Control"], "1 move"], [["Control", "Shift"], "2 moves"], [["Control", "Shift"], "3 moves"]];
  for (const [held, moves] of steps) {
    await driver.type(held.length > 1 ? "Z" : "z", ...held);
    await driver.expectText("status", moves);
  }
  await driver.type("h");
  await driver.expectText("status", "hint: row ");
  await driver.type("r");
  await driver.expectText("status", "0 moves");
  await driver.type("m");
  await driver.expectText("status", "Menu");
  await driver.type("m");
  await driver.expectText("status", "Random, medium, puzzle 1 · 0 moves");
  await driver.type("n");
  await driver.expectText("log", "command next");
}));

test("letters press keys if the setting is on", () => onPage(async (driver) => {
  const board = await driver.startRandom();
  const { keyboard } = driver.page;
  await driver.openPanel("choices");
  await driver.click("#letter-keys");
  // A radio button with the focus does not use letters.
  await driver.openPanel("workshop");
  await driver.click('#speed input[value="2"] + span');
  await driver.type("v");
  await driver.expectLit(pressed(board, [18]));
  await driver.type("U", "Shift");
  await driver.expectLit(board);
  // The corners of the menu command: 1 is the top left, P the bottom right.
  await keyboard.down("1");
  await keyboard.down("p");
  await driver.step(800);
  await driver.expectText("status", "Menu");
  await keyboard.up("1");
  await keyboard.up("p");
  await driver.step(100);
  await driver.type("3");
  await driver.expectText("status", "Create is chosen");
  await driver.type("3");
  await driver.expectText("status", "Create: each tap");
}));

test("clicks while the page loads have no effect", () => onPage(async (driver) => {
  await driver.page.reload({ waitUntil: "domcontentloaded" });
  const clickAll = () => {
    const buttons = document.querySelectorAll(".key, [data-command], #power, #sound, #choice-rows button");
    if (!document.getElementById("loading").hidden) buttons.forEach((button) => button.click());
  };
  for (let turn = 0; turn < 5; turn += 1) await driver.evaluate(clickAll);
  await driver.begin();
  await driver.expectText("status", "Level 1 · 0 moves");
  // A screen reader announces a win.
  await driver.tap(3);
  await driver.expectText("status", "Level 1 solved in 1, par 1.");
  assert.equal(await driver.evaluate(() => document.getElementById("status").role), "status");
}));
