// Waits for the result of another program. Only a program that hangs reaches the time limit.

import { setTimeout as sleep } from "node:timers/promises";

const TIME_LIMIT = 120_000;

/** Calls `look` until it returns a value that `isRight` accepts, and returns that value. Errors before are ignored. */
export async function eventually(look, isRight = () => true) {
  const started = Date.now();
  for (;;) {
    try {
      const found = await look();
      if (isRight(found)) return found;
    } catch (error) {
      if (Date.now() - started > TIME_LIMIT) throw error;
    }
    if (Date.now() - started > TIME_LIMIT) throw new Error(`${look} did not return the expected value`);
    await sleep(50);
  }
}
