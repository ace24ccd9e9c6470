// The state that the page restarts with after the emulator has failed: its own firmware, and the memories from before
// the last file that is not trusted yet.
//
// A file is a firmware or a memory that the user has opened. A firmware is never trusted. A memory is trusted once the
// emulator has run with it for a while.

/** After running for this time with the page's own firmware, a memory is trusted. In milliseconds. */
const TRUST_TIME = 15_000;

export class Recovery {
  /** The newest memory of each chip. */
  #memories = new Map();
  /** The file that is not trusted yet: its name, the memories from before it, and the untrusted file before it. */
  #untrusted = null;
  #trustTimer = null;
  /** The number of failures since the emulator last ran for `TRUST_TIME`. */
  #failures = 0;

  constructor(device, memories) {
    this.#memories = new Map(memories);
    device.on("memory", ({ chip, bytes }) => this.#memories.set(chip, bytes));
    device.on("power", ({ isOwn }) => {
      clearTimeout(this.#trustTimer);
      if (isOwn) this.#trustTimer = setTimeout((file) => this.#trust(file), TRUST_TIME, this.#untrusted);
    });
  }

  #trust(file) {
    this.#failures = 0;
    // Another file may have been opened in the meantime.
    if (this.#untrusted === file) this.#untrusted = null;
  }

  /** Call this before a file is opened. */
  addUntrusted(name) {
    const memories = this.#untrusted?.memories ?? new Map(this.#memories);
    this.#untrusted = { name, memories, previous: this.#untrusted };
  }

  /** Call this when the last file was refused and has changed nothing. */
  removeUntrusted() {
    this.#untrusted = this.#untrusted?.previous ?? null;
  }

  /**
   * Call this when the emulator has failed. Returns the memories to restart with and a sentence for the player. If
   * the last memories may be the cause, they are not used and are returned as `leftOut`.
   */
  recover() {
    clearTimeout(this.#trustTimer);
    const untrusted = this.#untrusted;
    this.#untrusted = null;
    this.#failures += 1;
    if (untrusted) {
      this.#memories = untrusted.memories;
      const text = `The page’s own firmware runs now, with the memory from before ${untrusted.name} was opened.`;
      return { memories: this.#memories, text };
    }
    if (this.#failures === 1) return { memories: this.#memories, text: "It was started again from the last save." };
    const leftOut = this.#memories;
    this.#memories = new Map();
    const text = "It failed again with the last save, so a new game was started.";
    return { memories: this.#memories, leftOut, text };
  }
}
