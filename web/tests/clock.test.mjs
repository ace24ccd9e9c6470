// The worker's clock, running and stopped.

import assert from "node:assert/strict";
import { mock } from "node:test";
import { test } from "./support/test.mjs";
import { Clock } from "../page/clock.js";

/** Milliseconds since `start`, rounded because the difference of floating-point numbers is not exact. */
const since = (clock, start) => Math.round((clock.now - start) * 1e6) / 1e6;

test("stopped clock advances only by steps", () => {
  const clock = new Clock();
  clock.stop();
  const start = clock.now;
  const calls = [];
  clock.after(10, () => calls.push(since(clock, start)));
  clock.step(9);
  assert.deepEqual([since(clock, start), calls], [9, []]);
  clock.step(2);
  assert.deepEqual([since(clock, start), calls], [11, [10]]);
});

test("timers fire in order, also those set by timers", () => {
  const clock = new Clock();
  clock.stop();
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

test("timer from before the stop waits for steps", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const clock = new Clock();
  let calls = 0;
  clock.after(5, () => { calls += 1; });
  clock.after(50, () => { calls += 10; });
  mock.timers.tick(5);
  assert.equal(calls, 1, "the clock runs");
  clock.stop();
  mock.timers.tick(1000);
  assert.equal(calls, 1, "the clock is stopped");
  clock.step(100);
  assert.equal(calls, 11);
  mock.timers.reset();
});
