// The page's end of the worker: `ask` for something and get an answer, `on` what it tells by itself.

export class Device {
  #worker = new Worker("worker.js", { type: "module", name: "handheld" });
  #waiting = new Map();
  #listeners = new Map();
  #id = 0;

  constructor() {
    this.#worker.addEventListener("message", ({ data }) => {
      if (data.kind !== "answer") return this.#tell(data);
      const { done, fail } = this.#waiting.get(data.id);
      this.#waiting.delete(data.id);
      if (data.reason === undefined) done(data.value);
      else fail(new Error(data.reason));
    });
    this.#worker.addEventListener("error", (event) => {
      event.preventDefault();
      this.#tell({ kind: "broken", reason: event.message });
    });
  }

  /** An error that comes back is a sentence for the player. */
  ask(action, ...details) {
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
    this.#worker.terminate();
    this.#listeners.clear();
  }

  #tell(data) {
    (this.#listeners.get(data.kind) ?? []).forEach((listener) => listener(data));
  }
}
