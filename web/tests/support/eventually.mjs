// Waits for what another program does in its own time. The limit is one that only a hang reaches.

import { setTimeout as sleep } from "node:timers/promises";

const HANG = 120_000;

/** What `look` gives, once it gives something that is `right`. Until then it may also fail. */
export async function eventually(look, right = () => true) {
  const started = Date.now();
  for (;;) {
    try {
      const found = await look();
      if (right(found)) return found;
    } catch (error) {
      if (Date.now() - started > HANG) throw error;
    }
    if (Date.now() - started > HANG) throw new Error(`${look} has not become right`);
    await sleep(50);
  }
}
