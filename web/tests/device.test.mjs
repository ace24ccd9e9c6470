// A worker that fails or hangs is noticed, ended and replaced; and what the page goes back to then.

import assert from "node:assert/strict";
import { beforeEach, mock } from "node:test";
import { test } from "./support/test.mjs";

/** A worker that the test speaks for. */
class FakeWorker extends EventTarget {
  static all = [];
  asked = [];
  isEnded = false;

  constructor() {
    super();
    FakeWorker.all.push(this);
  }

  postMessage(message) {
    this.asked.push(message);
  }

  terminate() {
    this.isEnded = true;
  }

  tell(data) {
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
/** Seconds in which the worker runs. */
const running = (count) => seconds(count, () => worker().tell({ kind: "alive" }));

test("an answer comes back to whoever asked, an error as a sentence", async () => {
  const [first, second] = [device.ask("memory"), device.ask("load", 1)];
  const [{ id: one }, { id: other }] = worker().asked;
  worker().tell({ kind: "answer", id: other, reason: "No." });
  worker().tell({ kind: "answer", id: one, value: 7 });
  assert.equal(await first, 7);
  await assert.rejects(second, /^Error: No\.$/);
});

test("a worker that is silent for ten seconds is ended", async () => {
  worker().tell({ kind: "alive" });
  const asked = assert.rejects(device.ask("load"), /did not answer for 10 seconds/);
  seconds(11);
  assert.deepEqual([broken.length, worker().isEnded], [0, false]);
  seconds(1);
  assert.deepEqual([broken.length, worker().isEnded], [1, true]);
  await asked;
  await assert.rejects(device.ask("memory"), /does not run/);
});

test("a worker that makes progress may take its time", () => {
  for (let turn = 0; turn < 20; turn += 1) {
    worker().tell({ kind: "alive" });
    seconds(9);
  }
  assert.deepEqual(broken, []);
  assert.ok(worker().asked.every(({ action }) => action === "ping"));
});

test("a script that is still loading does not hang", () => {
  seconds(300);
  assert.deepEqual(broken, []);
});

test("a failure is told once, and a late message of an ended worker not at all", () => {
  const first = worker();
  const lights = [];
  device.on("lights", (news) => lights.push(news));
  first.tell({ kind: "broken", reason: "capacity overflow" });
  assert.match(broken[0], /has failed: capacity overflow/);
  device.restart();
  first.tell({ kind: "lights" });
  first.tell({ kind: "broken", reason: "again" });
  assert.deepEqual([broken.length, lights.length], [1, 0]);
  worker().tell({ kind: "lights" });
  assert.equal(lights.length, 1);
});

// --- Recovery ----------------------------------------------------------------------------------------------------------

const power = (isOwn) => worker().tell({ kind: "power", isOwn });
const memory = (bytes) => worker().tell({ kind: "memory", chip: "rp2040", bytes });

function made() {
  const recovery = new Recovery(device, [["rp2040", "kept"]]);
  power(true);
  return recovery;
}

test("after a firmware of a visitor's, the memory from before it comes back", () => {
  const recovery = made();
  memory("played");
  recovery.suspect("evil.uf2");
  power(false);
  memory("overwritten");
  running(3600);
  const { memories, words } = recovery.recover();
  assert.equal(memories.get("rp2040"), "played");
  assert.match(words, /from before evil\.uf2/);
});

test("a memory is trusted once the emulator has run with it", () => {
  const recovery = made();
  for (const [time, expected] of [[14, "kept"], [15, "opened"]]) {
    memory("kept");
    recovery.suspect("other.flash");
    memory("opened");
    power(true);
    running(time);
    assert.equal(recovery.recover().memories.get("rp2040"), expected);
    power(true);
    running(15);
  }
});

test("a file that was refused does not make the one before it trusted", () => {
  const recovery = made();
  recovery.suspect("evil.uf2");
  power(false);
  memory("overwritten");
  recovery.suspect("nonsense.txt");
  recovery.acquit();
  assert.equal(recovery.recover().memories.get("rp2040"), "kept");
});

test("a save that fails twice is left out, and can be kept as a file", () => {
  const recovery = made();
  memory("bad");
  assert.equal(recovery.recover().memories.get("rp2040"), "bad");
  power(true);
  const { memories, leftOut } = recovery.recover();
  assert.deepEqual([memories.size, leftOut.get("rp2040")], [0, "bad"]);
  power(true);
  running(15);
  memory("new");
  assert.equal(recovery.recover().memories.get("rp2040"), "new", "it has run for a while since");
});
