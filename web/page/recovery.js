// What the page goes back to when the emulator has failed: its own firmware, and the memories from before a file that is not trusted yet.
//
// A file is a firmware or a memory that the visitor has opened. A firmware is never trusted. A memory is trusted once the emulator has
// run with it for a while.

/** The emulator has run for so long since it was switched on with the page's own firmware: what it runs with is good. */
const PROVEN = 15_000;

export class Recovery {
  /** The newest memory of each chip. */
  #memories = new Map();
  /** The file that is not trusted yet: its name, the memories from before it, and the untrusted file that it follows, if any. */
  #suspect = null;
  #proof = null;
  /** Failures since the emulator last ran for a while. */
  #failures = 0;

  constructor(device, memories) {
    this.#memories = new Map(memories);
    device.on("memory", ({ chip, bytes }) => this.#memories.set(chip, bytes));
    device.on("power", ({ isOwn }) => {
      clearTimeout(this.#proof);
      if (isOwn) this.#proof = setTimeout((proven) => this.#trust(proven), PROVEN, this.#suspect);
    });
  }

  #trust(proven) {
    this.#failures = 0;
    // Another file may be about to be opened.
    if (this.#suspect === proven) this.#suspect = null;
  }

  /** A file is about to be opened. */
  suspect(name) {
    this.#suspect = { name, memories: this.#suspect?.memories ?? new Map(this.#memories), previous: this.#suspect };
  }

  /** That file was refused, and has changed nothing. */
  acquit() {
    this.#suspect = this.#suspect?.previous ?? null;
  }

  /**
   * The emulator has failed. Gives the memories to start again with, a sentence for the player, and, if even the last memories may be at
   * fault and are left out, those.
   */
  recover() {
    clearTimeout(this.#proof);
    const suspect = this.#suspect;
    this.#suspect = null;
    this.#failures += 1;
    if (suspect) {
      this.#memories = suspect.memories;
      return { memories: this.#memories, words: `This is the page’s own firmware, with the memory from before ${suspect.name} was opened.` };
    }
    if (this.#failures === 1) return { memories: this.#memories, words: "It was started again from the last save." };
    const leftOut = this.#memories;
    this.#memories = new Map();
    return { memories: this.#memories, leftOut, words: "It has failed again with the last save, so this is a fresh handheld." };
  }
}
