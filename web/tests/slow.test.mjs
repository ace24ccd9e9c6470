// A computer that does not keep up with the handheld: the clock runs, and every look at it finds it later.

import assert from "node:assert/strict";
import { mock } from "node:test";
import { test } from "./support/test.mjs";
import { ask, told } from "./support/worker.mjs";
import { paceWords } from "../page/words.js";

test("a computer that is too slow is told that time runs slower", async () => {
  let now = 0, look = 0;
  mock.method(performance, "now", () => now += look);
  mock.timers.enable({ apis: ["setTimeout"] });
  await ask("start", { chosen: "rp2040", memories: [] });

  /** The pace of a second on a computer on which each look at the clock takes so long. */
  const paceWith = (milliseconds) => {
    look = milliseconds;
    const sum = { real: 0, emulated: 0, ticks: 0, short: 0 };
    for (let tick = 0, seen = told.figures; tick < 60; tick += 1, seen = told.figures) {
      now += 16;
      mock.timers.tick(16);
      if (told.figures !== seen) Object.keys(sum).forEach((name) => { sum[name] += told.figures.pace[name]; });
    }
    return sum;
  };
  const fast = paceWith(0.01);
  assert.ok(fast.ticks > 40 && fast.emulated > 700, JSON.stringify(fast));
  assert.equal(paceWords(fast), "");
  assert.match(paceWords(paceWith(10)), /manages 0\.\d×.*time runs slower/);
  mock.reset();
  mock.timers.reset();
});
