// The worker's clock, as it runs and as a test holds it.

import assert from "node:assert/strict";
import { mock } from "node:test";
import { test } from "./support/test.mjs";
import { Clock } from "../page/clock.js";

/** Milliseconds since a moment; a difference of real numbers is not exact. */
const since = (clock, start) => Math.round((clock.now - start) * 1e6) / 1e6;

test("a held clock moves only by steps", () => {
  const clock = new Clock();
  clock.hold();
  const start = clock.now;
  const calls = [];
  clock.after(10, () => calls.push(since(clock, start)));
  clock.step(9);
  assert.deepEqual([since(clock, start), calls], [9, []]);
  clock.step(2);
  assert.deepEqual([since(clock, start), calls], [11, [10]]);
});

test("timers are called in their order, and those that they set too", () => {
  const clock = new Clock();
  clock.hold();
  const start = clock.now;
  const calls = [];
  const again = () => {
    calls.push(["again", since(clock, start)]);
    clock.after(4, again);
  };
  clock.after(6, () => calls.push(["once", since(clock, start)]));
  clock.after(4, again);
  clock.step(13);
  assert.deepEqual(calls, [["again", 4], ["once", 6], ["again", 8], ["again", 12]]);
});

test("a timer from before the hold waits for the steps", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const clock = new Clock();
  let calls = 0;
  clock.after(5, () => { calls += 1; });
  clock.after(50, () => { calls += 10; });
  mock.timers.tick(5);
  assert.equal(calls, 1, "the clock runs");
  clock.hold();
  mock.timers.tick(1000);
  assert.equal(calls, 1, "the clock is held");
  clock.step(100);
  assert.equal(calls, 11);
  mock.timers.reset();
});
