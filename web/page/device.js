// The page's end of the worker: `ask` for something and get an answer, `on` what it tells by itself.
//
// A worker that fails, or does not answer any more, is ended, and `broken` is told with a sentence that says why. Nothing is asked or told
// then until `restart`.

/** The worker is asked so often whether it is there. After so many questions without a message from it, it hangs. */
const ASK_EVERY = 2000, PATIENCE = 5;

export class Device {
  #worker = null;
  #waiting = new Map();
  #listeners = new Map();
  #id = 0;
  /** Questions since the last message of the worker; null until its script is loaded. */
  #unanswered = null;
  #watch;

  constructor() {
    this.restart();
    this.#watch = setInterval(() => this.#look(), ASK_EVERY);
  }

  /** Begins with a new worker, which has no handheld yet. */
  restart() {
    this.#end("The emulator was started again.");
    const worker = new Worker("worker.js", { type: "module", name: "handheld" });
    this.#worker = worker;
    // What an ended worker had sent before may still arrive.
    worker.addEventListener("message", ({ data }) => { if (worker === this.#worker) this.#hear(data); });
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      if (worker === this.#worker) this.#break(`The emulator has failed: ${event.message || "its script could not be loaded"}.`);
    });
  }

  /** An error that comes back is a sentence for the player. */
  ask(action, ...details) {
    if (!this.#worker) return Promise.reject(new Error("The emulator does not run."));
    this.#id += 1;
    const id = this.#id;
    return new Promise((done, fail) => {
      this.#waiting.set(id, { done, fail });
      this.#worker.postMessage({ id, action, details });
    });
  }

  on(kind, listener) {
    this.#listeners.set(kind, [...(this.#listeners.get(kind) ?? []), listener]);
  }

  /** For good: nothing is asked or told any more. */
  end() {
    clearInterval(this.#watch);
    this.#listeners.clear();
    this.#end("The handheld is in another tab.");
  }

  #hear(data) {
    this.#unanswered = 0;
    if (data.kind === "alive") return;
    if (data.kind === "broken") return this.#break(`The emulator has failed: ${data.reason}.`);
    if (data.kind !== "answer") return this.#tell(data);
    const { done, fail } = this.#waiting.get(data.id);
    this.#waiting.delete(data.id);
    if (data.reason === undefined) done(data.value);
    else fail(new Error(data.reason));
  }

  #look() {
    if (!this.#worker || this.#unanswered === null) return;
    if (this.#unanswered === PATIENCE) return this.#break(`The emulator did not answer for ${PATIENCE * ASK_EVERY / 1000} seconds, so it was stopped.`);
    this.#unanswered += 1;
    this.ask("ping").catch(() => {});
  }

  #break(reason) {
    this.#end(reason);
    this.#tell({ kind: "broken", reason });
  }

  #end(reason) {
    this.#worker?.terminate();
    [this.#worker, this.#unanswered] = [null, null];
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    waiting.forEach(({ fail }) => fail(new Error(reason)));
  }

  #tell(data) {
    (this.#listeners.get(data.kind) ?? []).forEach((listener) => listener(data));
  }
}
