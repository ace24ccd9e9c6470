// A computer that is too slow for the handheld: each reading of the clock advances it.

import assert from "node:assert/strict";
import { mock } from "node:test";
import { test } from "./support/test.mjs";
import { ask, last } from "./support/worker.mjs";
import { slowText } from "../page/texts.js";

test("slow computer gets a text about its speed", async () => {
  let now = 0, step = 0;
  mock.method(performance, "now", () => now += step);
  mock.timers.enable({ apis: ["setTimeout"] });
  await ask("start", { chosen: "rp2040", memories: [] });

  /** The pace of one second in which each reading of the clock advances it by this time. */
  const paceWith = (milliseconds) => {
    step = milliseconds;
    const sum = { real: 0, emulated: 0, ticks: 0, short: 0 };
    for (let tick = 0, seen = last.figures; tick < 60; tick += 1, seen = last.figures) {
      now += 16;
      mock.timers.tick(16);
      if (last.figures !== seen) Object.keys(sum).forEach((name) => { sum[name] += last.figures.pace[name]; });
    }
    return sum;
  };
  const fast = paceWith(0.01);
  assert.ok(fast.ticks > 40 && fast.emulated > 700, JSON.stringify(fast));
  assert.equal(slowText(fast), "");
  assert.match(slowText(paceWith(10)), /too slow.*runs at 0\.\d×/);
  mock.reset();
  mock.timers.reset();
});
