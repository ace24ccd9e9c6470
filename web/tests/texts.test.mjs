// The texts of the page for each status of the firmware.

import assert from "node:assert/strict";
import { test } from "./support/test.mjs";
import { parseLogLine } from "../page/status.js";
import {
  caption, colourName, describeBoard, effect, legend, refusal, slowText, statusLine,
} from "../page/texts.js";

const line = "status scene=play mode=levels number=12 moves=3 par=7 best=8 key=0 puzzle=00C8H2X";
const status = (words = "") => ({ ...parseLogLine(line), ...parseLogLine(`status ${words}`) });

test("status lines of the log are parsed, others are not", () => {
  const values = { scene: "play", mode: "levels", number: 12, moves: 3, par: 7, best: 8, key: 0, puzzle: "00C8H2X" };
  assert.deepEqual(parseLogLine(line), { kind: "status", ...values });
  const choices = { rule: 1, size: 5, difficulty: 2, brightness: 3, sound: 0 };
  const choicesLine = "choices rule=1 size=5 difficulty=2 brightness=3 sound=0";
  assert.deepEqual(parseLogLine(choicesLine), { kind: "choices", ...choices });
  assert.deepEqual(parseLogLine("undid key 13"), { kind: "undone", step: 12 });
  assert.deepEqual(parseLogLine("undid the restart"), { kind: "undone", step: "restart" });
  assert.deepEqual(parseLogLine("refused"), { kind: "refused" });
  for (const other of ["", "saved in slot 3", "new board 00C8H2X, par 7", "refused twice"]) {
    assert.equal(parseLogLine(other), null);
  }
});

test("status line has mode, level, moves, par and best", () => {
  assert.equal(statusLine(status()), "Level 12 · 3 moves · par 7 · best 8");
  assert.equal(statusLine(status("moves=1 best=0")), "Level 12 · 1 move · par 7");
  const random = statusLine(status("mode=random number=4 best=0"), { difficulty: 5 });
  assert.equal(random, "Random, hardest, puzzle 4 · 3 moves · par 7");
  const hint = statusLine(status("scene=hint key=8"));
  assert.equal(hint, "Level 12 · 3 moves · par 7 · best 8 · hint: row 2 column 3");
  assert.equal(statusLine(status("scene=won moves=7")), "Level 12 solved in 7, par 7. Perfect: the fewest possible.");
  assert.equal(statusLine(status("scene=score mode=create moves=9")), "Solved in 9, par 7.");
  const action = statusLine(status("scene=action mode=action moves=1 best=40"));
  assert.equal(action, "Action · 1 press survived · best 40");
});

const SCENES = [
  "greeting", "menu", "picker", "play", "hint", "demo", "won", "score", "draw", "par", "refused", "slots", "chase",
  "toprow", "action", "lost", "selftest", "teaching", "battery", "asleep",
];

test("every scene has a status line, legend and key effects", () => {
  for (const scene of SCENES) {
    const now = status(`scene=${scene} key=1`);
    assert.ok(statusLine(now, { difficulty: 1 }), scene);
    assert.ok(legend(now).length > 0, scene);
    for (let cell = 0; cell < 25; cell += 1) assert.ok(effect(now, cell, "blue"), `${scene} ${cell}`);
  }
});

test("texts are empty without a status", () => {
  assert.equal(statusLine(null), "");
  assert.deepEqual(legend(null), []);
  assert.equal(effect(null, 3, "amber"), "");
  assert.equal(caption(null, 3), "");
  assert.equal(refusal(null, "next"), "");
});

test("keys of menu, picker and slots have captions", () => {
  const row = (scene, number, from) =>
    [0, 1, 2, 3, 4].map((column) => caption(status(`scene=${scene} number=${number}`), from + column));
  assert.deepEqual(row("menu", 0, 0), ["Levels", "Random", "Create", "Tutor", "Action"]);
  assert.deepEqual(row("menu", 0, 10), ["2 × 2", "3 × 3", "4 × 4", "5 × 5", ""]);
  assert.deepEqual(row("picker", 3, 20), ["71", "72", "73", "74", "75"]);
  assert.deepEqual(row("slots", 0, 5), ["save 1", "save 2", "save 3", "save 4", "save 5"]);
  assert.deepEqual(row("play", 1, 0), ["", "", "", "", ""]);
});

test("effect of a tap depends on the scene", () => {
  assert.equal(effect(status("scene=menu mode=random"), 1, "amber"), "starts Random");
  assert.equal(effect(status("scene=menu mode=random"), 2, "amber"), "chooses Create; tap again to start it");
  assert.equal(effect(status("scene=picker number=2"), 0, "faint white"), "is level 26, which is still locked");
  // A code of three letters is for a board of two by two.
  assert.equal(effect(status("puzzle=ABC"), 0, "dark"), "is not on this board");
  assert.equal(effect(status("scene=slots"), 16, "dark"), "does nothing: slot 2 is empty");
  assert.match(refusal(status(), "next"), /still locked\. Solve level 12 first/);
});

test("colours have names", () => {
  const colourNames = {
    amber: [255, 182, 56],
    blue: [61, 139, 255],
    green: [40, 255, 90],
    red: [255, 30, 20],
    violet: [170, 60, 255],
    white: [255, 255, 255],
  };
  for (const [name, rgb] of Object.entries(colourNames)) assert.equal(colourName(rgb, 1, 1), name);
  assert.equal(colourName([255, 182, 56], 0.2, 1), "faint amber");
  assert.equal(colourName([255, 182, 56], 0.5, 1), "dim amber");
  assert.equal(colourName([0, 0, 0], 0, 1), "dark");
  const colours = new Array(25).fill("dark");
  colours[0] = colours[24] = "amber";
  assert.equal(describeBoard(colours), "Lights on: row 1: 1; row 5: 5.");
});

test("computer is slow if a quarter of the ticks fall short", () => {
  assert.equal(slowText({ real: 1000, emulated: 990, ticks: 60, short: 15 }), "");
  assert.match(slowText({ real: 1000, emulated: 400, ticks: 60, short: 16 }), /too slow.*runs at 0\.4×/);
});
