// The worker's clock: the browser's clock, or one that a test stops and steps. All code of the worker that depends on
// real time uses it. So a test controls the time, however busy the computer is.

export class Clock {
  /** The time of a stopped clock; null while it runs. */
  #stoppedAt = null;
  #timers = new Set();

  /** The time in milliseconds since an arbitrary start. */
  get now() {
    return this.#stoppedAt ?? performance.now();
  }

  /** Calls `act` once after this time. */
  after(milliseconds, act) {
    const timer = { at: this.now + milliseconds, act };
    this.#timers.add(timer);
    if (this.#stoppedAt !== null) return;
    setTimeout(() => { if (this.#stoppedAt === null) this.#fire(timer); }, milliseconds);
  }

  #fire(timer) {
    if (this.#timers.delete(timer)) timer.act();
  }

  /** Stops the clock. From now on only `step` advances it. */
  stop() {
    this.#stoppedAt = this.now;
  }

  /** Advances a stopped clock, and fires the timers that are due on the way. */
  step(milliseconds) {
    const end = this.#stoppedAt + milliseconds;
    for (;;) {
      const earlier = (first, timer) => (first && first.at <= timer.at ? first : timer);
      const next = [...this.#timers].reduce(earlier, null);
      if (!next || next.at > end) break;
      this.#stoppedAt = Math.max(this.#stoppedAt, next.at);
      this.#fire(next);
    }
    this.#stoppedAt = end;
  }
}
