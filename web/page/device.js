// The page's connection to the worker: `ask` sends a request and returns the answer, `on` listens to the worker's own
// messages.
//
// A worker that fails or does not answer is ended, and the page gets a `broken` message with the reason. Then there
// are no requests or messages until `restart`.

/** The interval of pings, in ms. A worker that sends no message during this number of pings is ended. */
const PING_INTERVAL = 2000, MAX_UNANSWERED = 5;

export class Device {
  #worker = null;
  #pending = new Map();
  #listeners = new Map();
  #id = 0;
  /** The number of pings since the last message of the worker; null until its script is loaded. */
  #unanswered = null;
  #pingTimer;

  constructor() {
    this.restart();
    this.#pingTimer = setInterval(() => this.#ping(), PING_INTERVAL);
  }

  /** Starts a new worker, which has no handheld yet. */
  restart() {
    this.#endWorker("The emulator was started again.");
    const worker = new Worker("worker.js", { type: "module", name: "handheld" });
    this.#worker = worker;
    // Messages of the previous worker may still arrive.
    worker.addEventListener("message", ({ data }) => { if (worker === this.#worker) this.#receive(data); });
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      if (worker !== this.#worker) return;
      this.#fail(`The emulator has failed: ${event.message || "its script could not be loaded"}.`);
    });
  }

  /** Sends a request. The message of an error is a sentence for the player. */
  ask(action, ...details) {
    if (!this.#worker) return Promise.reject(new Error("The emulator is not running."));
    this.#id += 1;
    const id = this.#id;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#worker.postMessage({ id, action, details });
    });
  }

  on(kind, listener) {
    this.#listeners.set(kind, [...(this.#listeners.get(kind) ?? []), listener]);
  }

  /** Ends the worker for good. No more messages follow. */
  end() {
    clearInterval(this.#pingTimer);
    this.#listeners.clear();
    this.#endWorker("The handheld is open in another tab.");
  }

  #receive(data) {
    this.#unanswered = 0;
    if (data.kind === "alive") return;
    if (data.kind === "broken") return this.#fail(`The emulator has failed: ${data.reason}.`);
    if (data.kind !== "answer") return this.#notify(data);
    const { resolve, reject } = this.#pending.get(data.id);
    this.#pending.delete(data.id);
    if (data.reason === undefined) resolve(data.value);
    else reject(new Error(data.reason));
  }

  #ping() {
    if (!this.#worker || this.#unanswered === null) return;
    if (this.#unanswered === MAX_UNANSWERED) {
      const seconds = MAX_UNANSWERED * PING_INTERVAL / 1000;
      return this.#fail(`The emulator did not answer for ${seconds} seconds, so it was stopped.`);
    }
    this.#unanswered += 1;
    this.ask("ping").catch(() => {});
  }

  #fail(reason) {
    this.#endWorker(reason);
    this.#notify({ kind: "broken", reason });
  }

  #endWorker(reason) {
    this.#worker?.terminate();
    [this.#worker, this.#unanswered] = [null, null];
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    pending.forEach(({ reject }) => reject(new Error(reason)));
  }

  #notify(data) {
    (this.#listeners.get(data.kind) ?? []).forEach((listener) => listener(data));
  }
}
