// The choice of the board while `cargo play` is still building the Pico 2's firmware, and when it cannot.

import assert from "node:assert/strict";
import { mock } from "node:test";
import { test } from "./support/test.mjs";

const kept = new Map();
Object.defineProperty(globalThis, "navigator", { value: { onLine: true } });
globalThis.location = { href: "http://localhost/" };
globalThis.localStorage = { getItem: (name) => kept.get(name) ?? null, setItem: (name, text) => kept.set(name, text) };

/** As much of the page as the choice is made of. */
const inputs = ["rp2040", "rp2350"].map((value) => ({ value, checked: value === "rp2040", disabled: false }));
const elements = {
  board: {}, chip: {}, "board-tip": { textContent: "Each is a handheld of its own." },
  boards: {
    addEventListener: (_, act) => { elements.boards.choose = (value) => act({ target: { value } }); },
    querySelector: () => inputs[1],
    querySelectorAll: () => inputs,
  },
};
globalThis.document = { getElementById: (id) => elements[id] };
let list = { status: 202 };
globalThis.fetch = async () => list;
const listed = (...files) => ({ status: 200, ok: true, json: async () => ({ files }) });

const { Boards, fileName } = await import("../page/boards.js");

function made() {
  const told = { acts: [], notices: [], offers: [], can: true };
  const device = { on: (_, listener) => { told.power = (chip) => listener({ chip }); } };
  const act = async (...words) => {
    told.acts.push(words);
    if (told.can) told.power(words[1]);
    return told.can ? {} : null;
  };
  told.boards = new Boards(device, act, (text) => told.notices.push(text), (...offer) => told.offers.push(offer));
  told.power("rp2040");
  return told;
}

const tip = () => elements["board-tip"].textContent;
const settle = async () => { for (let turn = 0; turn < 20; turn += 1) await Promise.resolve(); };

test("a board is chosen, told and remembered; one that cannot be had is not", async () => {
  const told = made();
  assert.equal(told.boards.chosen, "rp2040");
  await elements.boards.choose("rp2350");
  assert.deepEqual(told.acts, [["loadOwn", "rp2350"]]);
  assert.deepEqual([elements.board.textContent, elements.chip.textContent, inputs.map(({ checked }) => checked)], ["Pico 2", "RP2350", [false, true]]);
  assert.match(told.notices[0], /This is the Pico 2 now.* The Pico’s game waits/);
  assert.equal(told.boards.chosen, "rp2350");
  told.can = false;
  inputs.forEach((input) => { input.checked = input.value === "rp2040"; });
  await elements.boards.choose("rp2040");
  assert.deepEqual([told.boards.chip, told.boards.chosen, inputs[1].checked], ["rp2350", "rp2350", true]);
});

test("while its firmware is being built the Pico 2 cannot be chosen, and then it can", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const told = made();
  list = { status: 202 };
  const done = told.boards.followBuild();
  await settle();
  assert.ok(inputs[1].disabled);
  assert.match(tip(), /is being built/);
  list = listed("firmware-rp2040.elf", "firmware-rp2350.elf");
  mock.timers.tick(2000);
  await done;
  assert.ok(!inputs[1].disabled);
  assert.equal(tip(), "Each is a handheld of its own.");
  // It was chosen at an earlier visit.
  assert.equal(told.offers[0][1], "Play the Pico 2");
  await told.offers[0][2]();
  assert.equal(told.boards.chip, "rp2350");
  mock.timers.reset();
});

test("a Pico 2 that the browser has kept stays in hand while a newer one is built", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const told = made();
  told.power("rp2350");
  list = { status: 202 };
  const done = told.boards.followBuild();
  await settle();
  assert.ok(!inputs[1].disabled);
  list = listed("firmware-rp2350.elf");
  mock.timers.tick(2000);
  await done;
  assert.deepEqual([inputs[1].disabled, told.offers], [false, []]);
  mock.timers.reset();
});

test("a firmware that could not be built is said to be missing, and without a network all is there", async () => {
  const told = made();
  list = listed("firmware-rp2040.elf");
  await told.boards.followBuild();
  assert.ok(inputs[1].disabled);
  assert.match(tip(), /could not be built/);
  [inputs[1].disabled, elements["board-tip"].textContent] = [false, ""];
  globalThis.fetch = async () => { throw new Error("no network"); };
  await told.boards.followBuild();
  assert.ok(!inputs[1].disabled);
});

test("files are named for the board that they are of", () => {
  assert.deepEqual(["rp2040", "rp2350"].map((chip) => fileName(chip, "flash")), ["lights-out-pico.flash", "lights-out-pico2.flash"]);
});
