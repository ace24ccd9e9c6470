// A worker that fails or hangs is detected and ended, and the page recovers.

import assert from "node:assert/strict";
import { beforeEach, mock } from "node:test";
import { test } from "./support/test.mjs";

/** A worker whose messages the test sends. */
class FakeWorker extends EventTarget {
  static all = [];
  requests = [];
  isEnded = false;

  constructor() {
    super();
    FakeWorker.all.push(this);
  }

  postMessage(message) {
    this.requests.push(message);
  }

  terminate() {
    this.isEnded = true;
  }

  send(data) {
    this.dispatchEvent(Object.assign(new Event("message"), { data }));
  }
}
globalThis.Worker = FakeWorker;

const { Device } = await import("../page/device.js");
const { Recovery } = await import("../page/recovery.js");

let device, broken;

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setInterval", "setTimeout"] });
  FakeWorker.all = [];
  device = new Device();
  broken = [];
  device.on("broken", ({ reason }) => broken.push(reason));
});

const worker = () => FakeWorker.all.at(-1);
const seconds = (count, each = () => {}) => {
  for (let second = 0; second < count; second += 1) {
    each();
    mock.timers.tick(1000);
  }
};
/** Seconds in which the worker is alive. */
const aliveSeconds = (count) => seconds(count, () => worker().send({ kind: "alive" }));

test("each request gets its own answer or error", async () => {
  const [first, second] = [device.ask("memory"), device.ask("load", 1)];
  const [{ id: one }, { id: other }] = worker().requests;
  worker().send({ kind: "answer", id: other, reason: "No." });
  worker().send({ kind: "answer", id: one, value: 7 });
  assert.equal(await first, 7);
  await assert.rejects(second, /^Error: No\.$/);
});

test("worker without messages for ten seconds is ended", async () => {
  worker().send({ kind: "alive" });
  const rejected = assert.rejects(device.ask("load"), /did not answer for 10 seconds/);
  seconds(11);
  assert.deepEqual([broken.length, worker().isEnded], [0, false]);
  seconds(1);
  assert.deepEqual([broken.length, worker().isEnded], [1, true]);
  await rejected;
  await assert.rejects(device.ask("memory"), /is not running/);
});

test("worker that sends messages is not ended", () => {
  for (let turn = 0; turn < 20; turn += 1) {
    worker().send({ kind: "alive" });
    seconds(9);
  }
  assert.deepEqual(broken, []);
  assert.ok(worker().requests.every(({ action }) => action === "ping"));
});

test("worker whose script is loading is not ended", () => {
  seconds(300);
  assert.deepEqual(broken, []);
});

test("messages of an ended worker are ignored", () => {
  const first = worker();
  const lights = [];
  device.on("lights", (data) => lights.push(data));
  first.send({ kind: "broken", reason: "capacity overflow" });
  assert.match(broken[0], /has failed: capacity overflow/);
  device.restart();
  first.send({ kind: "lights" });
  first.send({ kind: "broken", reason: "again" });
  assert.deepEqual([broken.length, lights.length], [1, 0]);
  worker().send({ kind: "lights" });
  assert.equal(lights.length, 1);
});

// --- Recovery -------------------------------------------------------------------------------------------------------

const power = (isOwn) => worker().send({ kind: "power", isOwn });
const memory = (bytes) => worker().send({ kind: "memory", chip: "rp2040", bytes });

function makeRecovery() {
  const recovery = new Recovery(device, [["rp2040", "kept"]]);
  power(true);
  return recovery;
}

test("memory from before an opened firmware is restored", () => {
  const recovery = makeRecovery();
  memory("played");
  recovery.addUntrusted("evil.uf2");
  power(false);
  memory("overwritten");
  aliveSeconds(3600);
  const { memories, text } = recovery.recover();
  assert.equal(memories.get("rp2040"), "played");
  assert.match(text, /from before evil\.uf2/);
});

test("memory is trusted after the emulator has run with it", () => {
  const recovery = makeRecovery();
  for (const [time, expected] of [[14, "kept"], [15, "opened"]]) {
    memory("kept");
    recovery.addUntrusted("other.flash");
    memory("opened");
    power(true);
    aliveSeconds(time);
    assert.equal(recovery.recover().memories.get("rp2040"), expected);
    power(true);
    aliveSeconds(15);
  }
});

test("refused file does not make the previous file trusted", () => {
  const recovery = makeRecovery();
  recovery.addUntrusted("evil.uf2");
  power(false);
  memory("overwritten");
  recovery.addUntrusted("nonsense.txt");
  recovery.removeUntrusted();
  assert.equal(recovery.recover().memories.get("rp2040"), "kept");
});

test("save that fails twice is left out", () => {
  const recovery = makeRecovery();
  memory("bad");
  assert.equal(recovery.recover().memories.get("rp2040"), "bad");
  power(true);
  const { memories, leftOut } = recovery.recover();
  assert.deepEqual([memories.size, leftOut.get("rp2040")], [0, "bad"]);
  power(true);
  aliveSeconds(15);
  memory("new");
  assert.equal(recovery.recover().memories.get("rp2040"), "new", "the emulator has run long enough since");
});
