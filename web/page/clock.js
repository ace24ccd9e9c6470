// The worker's clock: the browser's own, or one that a test holds and steps. Everything in the worker that depends on real time
// takes it from here, so that a test decides how much of it passes, however busy the computer is.

export class Clock {
  /** The moment at which the clock is held; null while it runs. */
  #held = null;
  #timers = new Set();

  /** In milliseconds, from an arbitrary start. */
  get now() {
    return this.#held ?? performance.now();
  }

  /** Calls `act` once, after this time. */
  after(milliseconds, act) {
    const timer = { at: this.now + milliseconds, act };
    this.#timers.add(timer);
    if (this.#held === null) setTimeout(() => { if (this.#held === null) this.#fire(timer); }, milliseconds);
  }

  #fire(timer) {
    if (this.#timers.delete(timer)) timer.act();
  }

  /** Stops the clock for good: from now on only `step` moves it. */
  hold() {
    this.#held = this.now;
  }

  /** Moves a held clock, and calls on the way what is due. */
  step(milliseconds) {
    const end = this.#held + milliseconds;
    for (;;) {
      const next = [...this.#timers].reduce((first, timer) => (first && first.at <= timer.at ? first : timer), null);
      if (!next || next.at > end) break;
      this.#held = Math.max(this.#held, next.at);
      this.#fire(next);
    }
    this.#held = end;
  }
}
