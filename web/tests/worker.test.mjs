// The worker with the real firmware in the real emulator: what the page asks of it, and what it tells the page. The test's clock decides
// how much time passes.

import assert from "node:assert/strict";
import { before, mock } from "node:test";
import { test } from "./support/test.mjs";
import { file } from "./support/files.mjs";
import { flips } from "./support/boards.mjs";
import { ask, board, forget, fresh, hold, messages, start, step, tap, told } from "./support/worker.mjs";
import { statusLine } from "../page/words.js";

const OFF = 0, DORMANT = 2;

before(() => start());

const status = () => statusLine(told.status.status, told.status.choices);

test("a tap is a move, and lights follow within 3 ms of it", async () => {
  await fresh();
  const begun = board();
  const moment = told.figures.figures.now;
  await ask("key", 12, true);
  await step(3);
  assert.equal(board(), begun ^ flips(12));
  assert.equal(told.lights.keys, 1 << 12);
  await step(40);
  await ask("key", 12, false);
  await step(60);
  assert.equal(told.lights.keys, 0);
  assert.match(status(), /^Level 1 · 1 move · par 1/);
  assert.ok(told.figures.figures.now > moment);
});

test("two corners held for 0.7 s are a command, for less two taps", async () => {
  await fresh();
  await ask("startMode", "random");
  await step(100);
  const begun = board();
  await tap(7);
  await hold([4, 24], 600);
  assert.equal(board(), begun ^ flips(7) ^ flips(4) ^ flips(24));
  await hold([4, 24], 720);
  assert.equal(board(), begun, "restart");
});

test("a click that is over at once is still a press", async () => {
  await fresh();
  const begun = board();
  await ask("key", 12, true);
  await ask("key", 12, false);
  await step(100);
  assert.equal(board(), begun ^ flips(12));
});

test("the moves of a command are never seen", async () => {
  await fresh();
  await ask("startMode", "random");
  await step(100);
  const begun = board();
  await tap(12);
  forget();
  await ask("command", "undo");
  await step(100);
  assert.deepEqual([...new Set(messages("lights").map((message) => board(message)))], [begun]);
});

test("a puzzle is solved by its hints, in as many presses as its par", async () => {
  await fresh();
  await ask("startMode", "random");
  const { par } = told.status.status;
  for (let move = 0; move < par; move += 1) {
    await ask("command", "hint");
    assert.equal(told.status.status.scene, "hint");
    await tap(told.status.status.key - 1);
  }
  assert.equal(told.status.status.scene, "won");
  assert.match(status(), new RegExp(`^Solved in ${par}, par ${par}\\.`));
});

test("a refused command is told as refused", async () => {
  await fresh();
  forget();
  await ask("command", "next");
  assert.ok(messages("status").some(({ refused }) => refused));
});

test("no time passes while the page is hidden", async () => {
  await fresh();
  await ask("command", "hint");
  await ask("setVisible", false);
  const { now } = told.figures.figures;
  await step(5000);
  assert.equal(told.figures.figures.now, now);
  await ask("setVisible", true);
  forget();
  await step(1000);
  assert.ok(told.figures.figures.now > now + 990);
  assert.ok(messages("lights").length > 10, "the hint pulses on");
});

test("a key that is down when the page is hidden is let go", async () => {
  await fresh();
  await ask("key", 12, true);
  await step(20);
  await ask("setVisible", false);
  await step(5000);
  await ask("setVisible", true);
  await step(100);
  assert.equal(told.lights.keys, 0);
  assert.match(status(), /1 move/);
});

test("time that is paused goes on in steps", async () => {
  await fresh();
  await ask("command", "hint");
  await ask("setPaused", true);
  const { now, frames } = told.figures.figures;
  await step(5000);
  assert.equal(told.figures.figures.now, now);
  await ask("step", 1);
  assert.ok(Math.abs(told.figures.figures.now - now - 1) < 1e-3);
  await ask("step", 0);
  assert.equal(told.figures.figures.frames, frames + 1);
  await ask("setPaused", false);
  await step(500);
  assert.ok(told.figures.figures.now > now + 500);
});

test("speed is a factor of time", async () => {
  await fresh();
  await ask("command", "hint");
  for (const factor of [0.25, 1, 4]) {
    await ask("setSpeed", factor);
    await step(0);
    const { now } = told.figures.figures;
    await step(1000);
    await step(300);
    const passed = told.figures.figures.now - now;
    assert.ok(passed > 950 * factor && passed < 1350 * factor, `${passed} at ${factor}`);
  }
  await ask("setSpeed", 1);
});

test("what is played is told to be kept, and goes on after power was off", async () => {
  await fresh();
  forget();
  await tap(7);
  await step(1000);
  const { chip, bytes } = messages("memory").at(-1);
  assert.equal(chip, "rp2040");
  const played = board();
  await ask("power", false);
  assert.deepEqual([board(), told.status.isOn, told.figures.figures.state], [0, false, OFF]);
  await ask("setMemory", bytes);
  await ask("power", true, false);
  await step(500);
  assert.equal(board(), played);
  assert.match(status(), /1 move/);
});

test("the self-test is there with the centre held, and without it the game", async () => {
  await fresh();
  await ask("power", true, true);
  await step(3000);
  assert.match(status(), /^Self-test/);
  await ask("power", true, false);
  await step(1500);
  assert.match(status(), /^Level 1/);
});

test("three minutes without a key is sleep, and a key wakes it", async () => {
  await fresh();
  await step(185_000);
  assert.deepEqual([told.figures.figures.state, board()], [DORMANT, 0]);
  await tap(12);
  await step(1000);
  assert.match(status(), /0 moves/);
  assert.notEqual(board(), 0);
});

test("the logic analyser has what was on the pins around a press", async () => {
  await fresh();
  const recorded = ask("record");
  await step(100);
  await tap(12);
  await step(100);
  const { trace, from, to } = await recorded;
  assert.ok(trace.length > 1000 && to - from >= 40, `${trace.length} in ${to - from} ms`);
  await ask("power", false);
  await assert.rejects(ask("record"), /off/);
  await ask("power", true, false);
  await step(1500);
});

test("each board is a handheld of its own", async () => {
  await fresh();
  await tap(12);
  await step(1000);
  await ask("loadOwn", "rp2350");
  assert.equal(told.power.chip, "rp2350");
  await fresh();
  await tap(7);
  await tap(8);
  await step(1000);
  assert.match(status(), /2 moves/);
  const memory = await ask("memory");
  await ask("loadOwn", "rp2040");
  await step(500);
  assert.match(status(), /1 move/);
  forget();
  await ask("setMemory", memory);
  await step(500);
  assert.equal(told.power.chip, "rp2350", "a memory goes to the board that it is of");
  assert.match(status(), /2 moves/);
  await ask("loadOwn", "rp2040");
  await step(500);
});

test("files that are refused change nothing", async () => {
  await fresh();
  await tap(12);
  await step(1000);
  const { now } = told.figures.figures;
  const text = (words) => new TextEncoder().encode(words);
  await assert.rejects(ask("load", text("[package]")), /neither an ELF file nor a UF2 file/);
  await assert.rejects(ask("setMemory", text("LightsOutFlash1\nand then nothing right")), /damaged/);
  await step(100);
  assert.ok(told.figures.figures.now > now);
  assert.match(status(), /1 move/);
});

test("a firmware that is opened runs with the same memory, and its log is read", async () => {
  await fresh();
  await tap(12);
  await step(1000);
  const { hasLog } = await ask("load", await file("firmware-rp2040.elf"));
  await step(500);
  assert.deepEqual([hasLog, told.power.isOwn], [true, false]);
  assert.match(status(), /1 move/);
  await ask("loadOwn", "rp2040");
  assert.equal(told.power.isOwn, true);
});

test("codes, levels and days have their puzzles", async () => {
  const code = await ask("levelCode", 40);
  const puzzle = await ask("readCode", code);
  assert.equal(puzzle.par, 8);
  await ask("openBoard", puzzle, true);
  await step(100);
  assert.match(status(), /^A drawn board · 0 moves · par 8/);
  assert.equal(board(), puzzle.lights);
  assert.match((await ask("readCode", "0001CCX")).reason, /check character/);
  assert.equal(await ask("openLevel", 1), true);
  assert.equal(await ask("openLevel", 30), false);
  assert.notEqual(await ask("dailyCode", 20_773), await ask("dailyCode", 20_774));
});

test("a worker at work tells that it is alive", async () => {
  await fresh();
  // Each look at the clock finds it a second later.
  let now = performance.now();
  const slow = mock.method(performance, "now", () => now += 1000);
  forget();
  await step(100);
  slow.mock.restore();
  assert.ok(messages("alive").length > 5);
});
