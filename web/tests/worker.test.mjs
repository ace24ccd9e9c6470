// The worker with the real firmware in the real emulator: its actions and its messages to the page. The clock is
// stopped, and the tests advance it.

import assert from "node:assert/strict";
import { before, mock } from "node:test";
import { test } from "./support/test.mjs";
import { file } from "./support/files.mjs";
import { flips } from "./support/boards.mjs";
import { ask, board, clearMessages, hold, last, messages, resetHandheld, start, step, tap } from "./support/worker.mjs";
import { statusLine } from "../page/texts.js";

const OFF = 0, DORMANT = 2;

before(() => start());

const status = () => statusLine(last.status.status, last.status.choices);

test("tap is a move and changes the lights within 3 ms", async () => {
  await resetHandheld();
  const initial = board();
  const moment = last.figures.figures.now;
  await ask("key", 12, true);
  await step(3);
  assert.equal(board(), initial ^ flips(12));
  assert.equal(last.lights.keys, 1 << 12);
  await step(40);
  await ask("key", 12, false);
  await step(60);
  assert.equal(last.lights.keys, 0);
  assert.match(status(), /^Level 1 · 1 move · par 1/);
  assert.ok(last.figures.figures.now > moment);
});

test("corners are a command after 0.7 s, before it two taps", async () => {
  await resetHandheld();
  await ask("startMode", "random");
  await step(100);
  const initial = board();
  await tap(7);
  await hold([4, 24], 600);
  assert.equal(board(), initial ^ flips(7) ^ flips(4) ^ flips(24));
  await hold([4, 24], 720);
  assert.equal(board(), initial, "restart");
});

test("very short click is a press", async () => {
  await resetHandheld();
  const initial = board();
  await ask("key", 12, true);
  await ask("key", 12, false);
  await step(100);
  assert.equal(board(), initial ^ flips(12));
});

test("moves at the start of a command are not shown", async () => {
  await resetHandheld();
  await ask("startMode", "random");
  await step(100);
  const initial = board();
  await tap(12);
  clearMessages();
  await ask("command", "undo");
  await step(100);
  assert.deepEqual([...new Set(messages("lights").map((message) => board(message)))], [initial]);
});

test("hints solve a puzzle at par", async () => {
  await resetHandheld();
  await ask("startMode", "random");
  const { par } = last.status.status;
  for (let move = 0; move < par; move += 1) {
    await ask("command", "hint");
    assert.equal(last.status.status.scene, "hint");
    await tap(last.status.status.key - 1);
  }
  assert.equal(last.status.status.scene, "won");
  assert.match(status(), new RegExp(`^Solved in ${par}, par ${par}\\.`));
});

test("refused command is reported", async () => {
  await resetHandheld();
  clearMessages();
  await ask("command", "next");
  assert.ok(messages("status").some(({ isRefused }) => isRefused));
});

test("time stops while the page is hidden", async () => {
  await resetHandheld();
  await ask("command", "hint");
  await ask("setVisible", false);
  const { now } = last.figures.figures;
  await step(5000);
  assert.equal(last.figures.figures.now, now);
  await ask("setVisible", true);
  clearMessages();
  await step(1000);
  assert.ok(last.figures.figures.now > now + 990);
  assert.ok(messages("lights").length > 10, "the hint continues to pulse");
});

test("hiding the page releases all keys", async () => {
  await resetHandheld();
  await ask("key", 12, true);
  await step(20);
  await ask("setVisible", false);
  await step(5000);
  await ask("setVisible", true);
  await step(100);
  assert.equal(last.lights.keys, 0);
  assert.match(status(), /1 move/);
});

test("paused time advances by steps", async () => {
  await resetHandheld();
  await ask("command", "hint");
  await ask("setPaused", true);
  const { now, frames } = last.figures.figures;
  await step(5000);
  assert.equal(last.figures.figures.now, now);
  await ask("step", 1);
  assert.ok(Math.abs(last.figures.figures.now - now - 1) < 1e-3);
  await ask("step", 0);
  assert.equal(last.figures.figures.frames, frames + 1);
  await ask("setPaused", false);
  await step(500);
  assert.ok(last.figures.figures.now > now + 500);
});

test("speed changes the emulated time", async () => {
  await resetHandheld();
  await ask("command", "hint");
  for (const factor of [0.25, 1, 4]) {
    await ask("setSpeed", factor);
    await step(0);
    const { now } = last.figures.figures;
    await step(1000);
    await step(300);
    const passed = last.figures.figures.now - now;
    assert.ok(passed > 950 * factor && passed < 1350 * factor, `${passed} at ${factor}`);
  }
  await ask("setSpeed", 1);
});

test("game is saved and continues after power-off", async () => {
  await resetHandheld();
  clearMessages();
  await tap(7);
  await step(1000);
  const { chip, bytes } = messages("memory").at(-1);
  assert.equal(chip, "rp2040");
  const played = board();
  await ask("power", false);
  assert.deepEqual([board(), last.status.isOn, last.figures.figures.state], [0, false, OFF]);
  await ask("setMemory", bytes);
  await ask("power", true, false);
  await step(500);
  assert.equal(board(), played);
  assert.match(status(), /1 move/);
});

test("centre key at power-on starts the self-test", async () => {
  await resetHandheld();
  await ask("power", true, true);
  await step(3000);
  assert.match(status(), /^Self-test/);
  await ask("power", true, false);
  await step(1500);
  assert.match(status(), /^Level 1/);
});

test("handheld sleeps after three minutes, and a key wakes it", async () => {
  await resetHandheld();
  await step(185_000);
  assert.deepEqual([last.figures.figures.state, board()], [DORMANT, 0]);
  await tap(12);
  await step(1000);
  assert.match(status(), /0 moves/);
  assert.notEqual(board(), 0);
});

test("logic analyser records the pins around a press", async () => {
  await resetHandheld();
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

test("each board has its own game and memory", async () => {
  await resetHandheld();
  await tap(12);
  await step(1000);
  await ask("loadOwn", "rp2350");
  assert.equal(last.power.chip, "rp2350");
  await resetHandheld();
  await tap(7);
  await tap(8);
  await step(1000);
  assert.match(status(), /2 moves/);
  const memory = await ask("memory");
  await ask("loadOwn", "rp2040");
  await step(500);
  assert.match(status(), /1 move/);
  clearMessages();
  await ask("setMemory", memory);
  await step(500);
  assert.equal(last.power.chip, "rp2350", "a memory is loaded into its own board");
  assert.match(status(), /2 moves/);
  await ask("loadOwn", "rp2040");
  await step(500);
});

test("refused files change nothing", async () => {
  await resetHandheld();
  await tap(12);
  await step(1000);
  const { now } = last.figures.figures;
  const text = (words) => new TextEncoder().encode(words);
  await assert.rejects(ask("load", text("[package]")), /neither an ELF file nor a UF2 file/);
  await assert.rejects(ask("setMemory", text("LightsOutFlash1\nand then nothing right")), /damaged/);
  await step(100);
  assert.ok(last.figures.figures.now > now);
  assert.match(status(), /1 move/);
});

test("opened firmware uses the same memory and has a log", async () => {
  await resetHandheld();
  await tap(12);
  await step(1000);
  const { hasLog } = await ask("load", await file("firmware-rp2040.elf"));
  await step(500);
  assert.deepEqual([hasLog, last.power.isOwn], [true, false]);
  assert.match(status(), /1 move/);
  await ask("loadOwn", "rp2040");
  assert.equal(last.power.isOwn, true);
});

test("codes, levels and days open their puzzles", async () => {
  const code = await ask("levelCode", 40);
  const puzzle = await ask("readCode", code);
  assert.equal(puzzle.par, 8);
  await ask("openBoard", puzzle, true);
  await step(100);
  assert.match(status(), /^Custom board · 0 moves · par 8/);
  assert.equal(board(), puzzle.lights);
  assert.match((await ask("readCode", "0001CCX")).reason, /check character/);
  assert.equal(await ask("openLevel", 1), true);
  assert.equal(await ask("openLevel", 30), false);
  assert.notEqual(await ask("dailyCode", 20_773), await ask("dailyCode", 20_774));
});

test("busy worker sends alive messages", async () => {
  await resetHandheld();
  // Each reading of the clock advances it by a second.
  let now = performance.now();
  const slow = mock.method(performance, "now", () => now += 1000);
  clearMessages();
  await step(100);
  slow.mock.restore();
  assert.ok(messages("alive").length > 5);
});
