// The page's real worker without a browser: worker.js in this process, with the real WebAssembly and the real firmware. Its clock is
// held, so that time passes only by `step`.

import assert from "node:assert/strict";
import "./files.mjs";

/** The last message of each kind, and all of them since `forget`. */
export const told = {};
const all = [];
const waiting = new Map();
let hear;
let id = 0;

globalThis.postMessage = (data) => {
  if (data.kind !== "answer") {
    told[data.kind] = structuredClone(data);
    return all.push(told[data.kind]);
  }
  const { done, fail } = waiting.get(data.id);
  waiting.delete(data.id);
  if (data.reason === undefined) return done(data.value);
  return fail(new Error(data.reason));
};
globalThis.addEventListener = (kind, listener) => {
  assert.equal(kind, "message");
  hear = listener;
};

await import("../../page/worker.js");

export function ask(action, ...details) {
  id += 1;
  return new Promise((done, fail) => {
    waiting.set(id, { done, fail });
    hear({ data: { id, action, details } });
  });
}

export const forget = () => { all.length = 0; };
export const messages = (kind) => all.filter((message) => message.kind === kind);

/** Lets the test's time pass. */
export const step = (milliseconds) => ask("stepClock", milliseconds);

/** Keys of the handheld go down, for so long, and up again. */
export async function hold(cells, milliseconds) {
  for (const cell of cells) await ask("key", cell, true);
  await step(milliseconds);
  for (const cell of cells) await ask("key", cell, false);
  await step(60);
}
export const tap = (cell) => hold([cell], 40);

/** The lights that are on, bit = cell. */
export const board = ({ lights } = told.lights) => Array.from({ length: 25 }, (_, cell) => lights.slice(3 * cell, 3 * cell + 3))
  .reduce((mask, light, cell) => mask | light.some((value) => value > 0) << cell, 0);

/** A handheld that was never used, after its greeting. */
export async function fresh() {
  await ask("erase");
  await step(1500);
}

export async function start(chosen = "rp2040") {
  await ask("holdClock");
  await ask("start", { chosen, memories: [] });
  await step(1500);
}
