// What the page says of what the firmware tells.

import assert from "node:assert/strict";
import { test } from "./support/test.mjs";
import { read } from "../page/status.js";
import { boardInWords, caption, colourName, effect, legend, paceWords, refusal, statusLine } from "../page/words.js";

const line = "status scene=play mode=levels number=12 moves=3 par=7 best=8 key=0 puzzle=00C8H2X";
const status = (words = "") => ({ ...read(line), ...read(`status ${words}`) });

test("lines of the log become values, and others nothing", () => {
  assert.deepEqual(read(line), { kind: "status", scene: "play", mode: "levels", number: 12, moves: 3, par: 7, best: 8, key: 0, puzzle: "00C8H2X" });
  assert.deepEqual(read("choices rule=1 size=5 difficulty=2 brightness=3 sound=0"), { kind: "choices", rule: 1, size: 5, difficulty: 2, brightness: 3, sound: 0 });
  assert.deepEqual(read("took back key 13"), { kind: "took back", step: 12 });
  assert.deepEqual(read("took back the restart"), { kind: "took back", step: "restart" });
  assert.deepEqual(read("refused"), { kind: "refused" });
  for (const other of ["", "saved in slot 3", "a board is dealt: 00C8H2X, par 7", "refused twice"]) assert.equal(read(other), null);
});

test("the status line tells mode, level, moves, par and best", () => {
  assert.equal(statusLine(status()), "Level 12 · 3 moves · par 7 · best 8");
  assert.equal(statusLine(status("moves=1 best=0")), "Level 12 · 1 move · par 7");
  assert.equal(statusLine(status("mode=random number=4 best=0"), { difficulty: 5 }), "Random, hardest, puzzle 4 · 3 moves · par 7");
  assert.equal(statusLine(status("scene=hint key=8")), "Level 12 · 3 moves · par 7 · best 8 · hint: row 2 column 3");
  assert.equal(statusLine(status("scene=won moves=7")), "Level 12 solved in 7, par 7. Nobody can do it in fewer.");
  assert.equal(statusLine(status("scene=score mode=create moves=9")), "Solved in 9, par 7.");
  assert.equal(statusLine(status("scene=action mode=action moves=1 best=40")), "Action · 1 press survived · best 40");
});

const SCENES = ["greeting", "menu", "picker", "play", "hint", "demo", "won", "score", "draw", "par", "refused", "slots", "chase", "toprow",
  "action", "lost", "selftest", "teaching", "battery", "asleep"];

test("every scene has a line, a legend, and a word for every key", () => {
  for (const scene of SCENES) {
    const now = status(`scene=${scene} key=1`);
    assert.ok(statusLine(now, { difficulty: 1 }), scene);
    assert.ok(legend(now).length > 0, scene);
    for (let cell = 0; cell < 25; cell += 1) assert.ok(effect(now, cell, "blue"), `${scene} ${cell}`);
  }
});

test("of a firmware that tells nothing, nothing is said", () => {
  assert.equal(statusLine(null), "");
  assert.deepEqual(legend(null), []);
  assert.equal(effect(null, 3, "amber"), "");
  assert.equal(caption(null, 3), "");
  assert.equal(refusal(null, "next"), "");
});

test("keys of the menu, the picker and the slots have names", () => {
  const row = (scene, number, from) => [0, 1, 2, 3, 4].map((column) => caption(status(`scene=${scene} number=${number}`), from + column));
  assert.deepEqual(row("menu", 0, 0), ["Levels", "Random", "Create", "Tutor", "Action"]);
  assert.deepEqual(row("menu", 0, 10), ["2 × 2", "3 × 3", "4 × 4", "5 × 5", ""]);
  assert.deepEqual(row("picker", 3, 20), ["71", "72", "73", "74", "75"]);
  assert.deepEqual(row("slots", 0, 5), ["keep 1", "keep 2", "keep 3", "keep 4", "keep 5"]);
  assert.deepEqual(row("play", 1, 0), ["", "", "", "", ""]);
});

test("what a tap would do follows the state", () => {
  assert.equal(effect(status("scene=menu mode=random"), 1, "amber"), "starts Random");
  assert.equal(effect(status("scene=menu mode=random"), 2, "amber"), "chooses Create; tap again to start it");
  assert.equal(effect(status("scene=picker number=2"), 0, "faint white"), "is level 26, not open yet");
  assert.equal(effect(status("puzzle=ABC"), 0, "dark"), "is not on this board", "a code of three letters is of two by two");
  assert.equal(effect(status("scene=slots"), 16, "dark"), "would bring slot 2 back, but it is empty");
  assert.match(refusal(status(), "next"), /Level 12 is not solved yet/);
});

test("colours have names", () => {
  for (const [rgb, name] of [[[255, 182, 56], "amber"], [[61, 139, 255], "blue"], [[40, 255, 90], "green"], [[255, 30, 20], "red"], [[170, 60, 255], "violet"], [[255, 255, 255], "white"]]) {
    assert.equal(colourName(rgb, 1, 1), name);
  }
  assert.equal(colourName([255, 182, 56], 0.2, 1), "faint amber");
  assert.equal(colourName([255, 182, 56], 0.5, 1), "dim amber");
  assert.equal(colourName([0, 0, 0], 0, 1), "dark");
  const colours = new Array(25).fill("dark");
  colours[0] = colours[24] = "amber";
  assert.equal(boardInWords(colours), "Lit are row 1: 1; row 5: 5.");
});

test("a slow computer is one in which a quarter of the ticks fall short", () => {
  assert.equal(paceWords({ real: 1000, emulated: 990, ticks: 60, short: 15 }), "");
  assert.match(paceWords({ real: 1000, emulated: 400, ticks: 60, short: 16 }), /manages 0\.4×.*time runs slower/);
});
