// The page's real worker without a browser: worker.js in this process, with the real WebAssembly and the real
// firmware. Its clock is stopped, so that time passes only by `step`.

import assert from "node:assert/strict";
import "./files.mjs";

/** The last message of each kind. */
export const last = {};
/** All messages since `clearMessages`. */
const all = [];
const pending = new Map();
let receive;
let id = 0;

globalThis.postMessage = (data) => {
  if (data.kind !== "answer") {
    last[data.kind] = structuredClone(data);
    return all.push(last[data.kind]);
  }
  const { resolve, reject } = pending.get(data.id);
  pending.delete(data.id);
  if (data.reason === undefined) return resolve(data.value);
  return reject(new Error(data.reason));
};
globalThis.addEventListener = (kind, listener) => {
  assert.equal(kind, "message");
  receive = listener;
};

await import("../../page/worker.js");

export function ask(action, ...details) {
  id += 1;
  return new Promise((resolve, reject) => {
    pending.set(id, { resolve, reject });
    receive({ data: { id, action, details } });
  });
}

export const clearMessages = () => { all.length = 0; };
export const messages = (kind) => all.filter((message) => message.kind === kind);

/** Advances the stopped clock. */
export const step = (milliseconds) => ask("stepClock", milliseconds);

/** Holds keys of the handheld down for this time. */
export async function hold(cells, milliseconds) {
  for (const cell of cells) await ask("key", cell, true);
  await step(milliseconds);
  for (const cell of cells) await ask("key", cell, false);
  await step(60);
}
export const tap = (cell) => hold([cell], 40);

/** The lights that are on; bit n is cell n. */
export const board = ({ lights } = last.lights) =>
  Array.from({ length: 25 }, (_, cell) => lights.slice(3 * cell, 3 * cell + 3))
    .reduce((mask, light, cell) => mask | light.some((value) => value > 0) << cell, 0);

/** Erases the memory and waits for the end of the greeting. */
export async function resetHandheld() {
  await ask("erase");
  await step(1500);
}

export async function start(chosen = "rp2040") {
  await ask("stopClock");
  await ask("start", { chosen, memories: [] });
  await step(1500);
}
