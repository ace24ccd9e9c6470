// The scripts that press keys of the handheld, with the real firmware in the real emulator, without a browser.

import assert from "node:assert/strict";
import { before } from "node:test";
import { test } from "./support/test.mjs";
import "./support/files.mjs";
import { loadChip } from "../page/chip.js";
import { Handheld, Refusal } from "../page/handheld.js";
import { CHIP_KINDS, fetchOwnFirmware } from "../page/own-firmware.js";

let chip, handheld;

before(async () => {
  chip = await loadChip("emulator.wasm");
  assert.deepEqual(CHIP_KINDS, ["rp2040", "rp2350"]);
  for (const kind of CHIP_KINDS) assert.equal(chip.addOwnFirmware(await fetchOwnFirmware(kind)), "");
  chip.loadOwn("rp2040");
  handheld = new Handheld(chip);
});

/** Erases the memory, switches on and waits for the end of the greeting. */
function resetHandheld() {
  handheld.powerOff();
  chip.eraseMemory();
  handheld.powerOn();
  handheld.skip(1500);
  assert.equal(handheld.status.scene, "play");
}

const lights = () => chip.lights().join();
/** Compares these values of the status. */
function expect(expected) {
  const actual = Object.fromEntries(Object.keys(expected).map((name) => [name, handheld.status[name]]));
  assert.deepEqual(actual, expected);
}

test("redo repeats every undone move", () => {
  resetHandheld();
  const boards = [lights()];
  for (const cell of [7, 12, 17]) {
    handheld.tap(cell);
    boards.push(lights());
  }
  expect({ moves: 3 });
  for (let moves = 2; moves >= 0; moves -= 1) {
    handheld.command("undo");
    expect({ moves });
    assert.equal(lights(), boards[moves]);
  }
  for (let moves = 1; moves <= 3; moves += 1) {
    handheld.redoStep();
    expect({ moves });
    assert.equal(lights(), boards[moves]);
  }
  assert.throws(() => handheld.redoStep(), Refusal);
});

test("restart can be undone and redone", () => {
  resetHandheld();
  [7, 12].forEach((cell) => handheld.tap(cell));
  const played = lights();
  handheld.command("restart");
  expect({ moves: 0 });
  handheld.command("undo");
  expect({ moves: 2 });
  assert.equal(lights(), played);
  handheld.redoStep();
  expect({ moves: 0 });
});

test("move discards the redo steps, hint and menu do not", () => {
  resetHandheld();
  [7, 12].forEach((cell) => handheld.tap(cell));
  handheld.command("undo");
  for (const name of ["hint", "menu", "menu"]) handheld.command(name);
  assert.deepEqual(handheld.redo, [12]);
  handheld.tap(1);
  assert.deepEqual(handheld.redo, []);
});

test("refused commands count, their corner taps do not", () => {
  resetHandheld();
  handheld.command("menu");
  handheld.command("menu");
  assert.equal(handheld.refusals, 0);
  handheld.command("next");
  assert.equal(handheld.refusals, 1);
  handheld.refusals = 0;
});

test("modes and choices work from every scene", () => {
  resetHandheld();
  const scenes = { random: "play", create: "draw", tutor: "chase", action: "action", levels: "picker" };
  for (const [mode, scene] of Object.entries(scenes)) {
    handheld.startMode(mode);
    expect({ mode, scene });
  }
  for (const name of ["menu", "hint", "demo"]) {
    handheld.startMode("random");
    handheld.command(name);
    handheld.startMode("create");
    expect({ mode: "create", scene: "draw" });
  }
  handheld.startMode("random");
  handheld.choose(1, 2);
  handheld.choose(2, 1);
  handheld.choose(4, 4);
  assert.deepEqual([handheld.choices.rule, handheld.choices.size, handheld.choices.sound], [3, 3, 1]);
  expect({ mode: "random", scene: "play" });
});

test("command wakes a sleeping handheld", () => {
  resetHandheld();
  handheld.tap(0);
  handheld.skip(200_000);
  expect({ scene: "asleep" });
  handheld.command("undo");
  expect({ scene: "play", moves: 0 });
});

test("mode starts from the self-test", () => {
  handheld.powerOn(true);
  handheld.skip(3000);
  expect({ scene: "selftest" });
  handheld.startMode("random");
  expect({ scene: "play", mode: "random" });
});

test("codes of every rule and size can be played", () => {
  resetHandheld();
  for (const level of [1, 40, 75]) {
    const board = chip.readCode(chip.levelCode(level));
    handheld.draw(board, true);
    expect({ scene: "play", mode: "create", puzzle: board.code, par: board.par });
  }
  // Every rule, and every size.
  for (const [rule, size] of [[0, 0], [1, 1], [2, 2], [3, 3], [4, 3]]) {
    handheld.choose(1, rule);
    handheld.choose(2, size);
    handheld.startMode("create");
    [12, 6].forEach((cell) => handheld.tap(cell));
    const { code, reason, ...board } = chip.readCode(handheld.status.puzzle);
    assert.equal(reason, undefined);
    assert.deepEqual([board.rule, board.size], [rule, size]);
    handheld.draw(board, false);
    expect({ scene: "draw", puzzle: code });
  }
});

test("open level is opened, locked level is not", () => {
  resetHandheld();
  assert.equal(handheld.openLevel(1), true);
  assert.equal(handheld.openLevel(60), false);
  assert.equal(handheld.openLevel(1), true, "from another page of the picker");
});

test("tap is saved when time runs ahead", () => {
  resetHandheld();
  handheld.tap(7);
  while (handheld.mayRunAhead) handheld.run(2);
  const memory = chip.memory();
  handheld.powerOff();
  assert.equal(chip.setMemory(memory), "");
  handheld.powerOn();
  handheld.skip(100);
  expect({ scene: "play", moves: 1 });
});

test("time runs ahead to the next save only", () => {
  resetHandheld();
  handheld.press(7);
  for (let time = 0; time < 2000; time += 10) handheld.run(10);
  handheld.release(7);
  handheld.run(50);
  const from = handheld.now;
  while (handheld.mayRunAhead) handheld.run(2);
  assert.ok(handheld.now - from < 1100, `${handheld.now - from} ms`);
  expect({ scene: "play", moves: 1 });
});

test("each chip has its own game", () => {
  resetHandheld();
  handheld.tap(7);
  handheld.save();
  chip.loadOwn("rp2350");
  assert.equal(chip.kind, "rp2350");
  resetHandheld();
  for (const cell of [7, 12]) handheld.tap(cell);
  handheld.command("undo");
  expect({ scene: "play", moves: 1 });
  handheld.redoStep();
  expect({ moves: 2 });
  handheld.startMode("random");
  expect({ mode: "random", scene: "play" });
  handheld.save();
  const memory = chip.memory();
  assert.equal(chip.kindOfMemory(memory), "rp2350");
  assert.equal(chip.kindOfMemory(memory.subarray(1)), null);
  for (const [kind, mode] of [["rp2040", "levels"], ["rp2350", "random"]]) {
    chip.loadOwn(kind);
    handheld.powerOn();
    handheld.skip(100);
    assert.equal(chip.kind, kind);
    expect({ mode, scene: "play" });
  }
  chip.loadOwn("rp2040");
});

test("scripts are refused while the handheld is off", () => {
  handheld.powerOff();
  assert.throws(() => handheld.command("hint"), /off/);
});
