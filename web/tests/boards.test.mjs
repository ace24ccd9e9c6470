// The choice of the board while `cargo play` builds the firmware for the Pico 2, and after a failed build.

import assert from "node:assert/strict";
import { mock } from "node:test";
import { test } from "./support/test.mjs";

const stored = new Map();
Object.defineProperty(globalThis, "navigator", { value: { onLine: true } });
globalThis.location = { href: "http://localhost/" };
globalThis.localStorage = {
  getItem: (name) => stored.get(name) ?? null,
  setItem: (name, text) => stored.set(name, text),
};

/** The elements of the page that the choice uses. */
const inputs = ["rp2040", "rp2350"].map((value) => ({ value, checked: value === "rp2040", disabled: false }));
const elements = {
  board: {}, chip: {}, "board-tip": { textContent: "The tip." },
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

/** Makes the choice, and records its actions, notices and offers. */
function makeBoards() {
  const recorded = { actions: [], notices: [], offers: [], succeeds: true };
  const device = { on: (_, listener) => { recorded.power = (chip) => listener({ chip }); } };
  const runAction = async (...details) => {
    recorded.actions.push(details);
    if (recorded.succeeds) recorded.power(details[1]);
    return recorded.succeeds ? {} : null;
  };
  const showNotice = (text) => recorded.notices.push(text);
  const showOffer = (...offer) => recorded.offers.push(offer);
  recorded.boards = new Boards(device, runAction, showNotice, showOffer);
  recorded.power("rp2040");
  return recorded;
}

const tip = () => elements["board-tip"].textContent;
const settle = async () => { for (let turn = 0; turn < 20; turn += 1) await Promise.resolve(); };

test("chosen board is shown and stored unless loading fails", async () => {
  const recorded = makeBoards();
  assert.equal(recorded.boards.chosen, "rp2040");
  await elements.boards.choose("rp2350");
  assert.deepEqual(recorded.actions, [["loadOwn", "rp2350"]]);
  assert.deepEqual([elements.board.textContent, elements.chip.textContent], ["Pico 2", "RP2350"]);
  assert.deepEqual(inputs.map(({ checked }) => checked), [false, true]);
  assert.match(recorded.notices[0], /This is the Pico 2 now.* The game on the Pico is kept/);
  assert.equal(recorded.boards.chosen, "rp2350");
  recorded.succeeds = false;
  inputs.forEach((input) => { input.checked = input.value === "rp2040"; });
  await elements.boards.choose("rp2040");
  assert.deepEqual([recorded.boards.chip, recorded.boards.chosen, inputs[1].checked], ["rp2350", "rp2350", true]);
});

test("Pico 2 can be chosen once its firmware is built", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const recorded = makeBoards();
  list = { status: 202 };
  const done = recorded.boards.followBuild();
  await settle();
  assert.ok(inputs[1].disabled);
  assert.match(tip(), /is being built/);
  list = listed("firmware-rp2040.elf", "firmware-rp2350.elf");
  mock.timers.tick(2000);
  await done;
  assert.ok(!inputs[1].disabled);
  assert.equal(tip(), "The tip.");
  // The user chose it at an earlier visit.
  assert.equal(recorded.offers[0][1], "Play on the Pico 2");
  await recorded.offers[0][2]();
  assert.equal(recorded.boards.chip, "rp2350");
  mock.timers.reset();
});

test("stored Pico 2 stays current while a newer one is built", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const recorded = makeBoards();
  recorded.power("rp2350");
  list = { status: 202 };
  const done = recorded.boards.followBuild();
  await settle();
  assert.ok(!inputs[1].disabled);
  list = listed("firmware-rp2350.elf");
  mock.timers.tick(2000);
  await done;
  assert.deepEqual([inputs[1].disabled, recorded.offers], [false, []]);
  mock.timers.reset();
});

test("failed build disables the Pico 2, no network does not", async () => {
  const recorded = makeBoards();
  list = listed("firmware-rp2040.elf");
  await recorded.boards.followBuild();
  assert.ok(inputs[1].disabled);
  assert.match(tip(), /could not be built/);
  [inputs[1].disabled, elements["board-tip"].textContent] = [false, ""];
  globalThis.fetch = async () => { throw new Error("no network"); };
  await recorded.boards.followBuild();
  assert.ok(!inputs[1].disabled);
});

test("names of saved files contain the board", () => {
  const names = ["rp2040", "rp2350"].map((chip) => fileName(chip, "flash"));
  assert.deepEqual(names, ["lights-out-pico.flash", "lights-out-pico2.flash"]);
});
