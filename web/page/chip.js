// The emulated chip: emulator.wasm, made of the crate `web`, as an object. Lives in the worker. There are two kinds, `rp2040` and
// `rp2350`, each with a flash of its own; the firmware that is loaded tells which of them is in hand.
//
// Times are emulated milliseconds since power-on. Bytes go through two buffers in WebAssembly's memory, which moves when it
// grows: a view is made for each look.

export const OFF = 0, DORMANT = 2, GONE = 3;

const FIGURES = ["now", "frames", "cycles", "awake", "current", "latency", "state", "flash", "resets"];

export async function loadChip(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`emulator.wasm: ${answer.status}`);
  // A host that calls the file something else than application/wasm makes it a little slower, not impossible.
  const module = /^application\/wasm/.test(answer.headers.get("Content-Type") ?? "")
    ? await WebAssembly.compileStreaming(answer)
    : await WebAssembly.compile(await answer.arrayBuffer());
  // A library in it knows how to ask a browser for the date, which nothing does here.
  const imports = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    (imports[from] ??= {})[name] = () => { throw new Error(`${name} was called`); };
  }
  return new Chip((await WebAssembly.instantiate(module, imports)).exports);
}

// WebAssembly knows a chip by the number in its name.
const kindOf = (number) => number === 0 ? null : `rp${number}`;
const numberOf = (kind) => Number(kind.slice(2));

class Chip {
  #exports;
  figures = Object.fromEntries(FIGURES.map((name) => [name, 0]));

  constructor(exports) {
    this.#exports = exports;
  }

  #bytes(address, length) {
    return new Uint8Array(this.#exports.memory.buffer, address, length);
  }

  #taken(length) {
    return this.#bytes(this.#exports.output(), length).slice();
  }

  #text(length) {
    return new TextDecoder().decode(this.#taken(length));
  }

  #give(bytes) {
    this.#bytes(this.#exports.input(bytes.length), bytes.length).set(bytes);
  }

  #giveText(text) {
    this.#give(new TextEncoder().encode(text));
  }

  #look() {
    const numbers = new Float64Array(this.#exports.memory.buffer, this.#exports.figures(), FIGURES.length);
    FIGURES.forEach((name, index) => { this.figures[name] = numbers[index]; });
  }

  /** Why it has failed, if it has: nothing else may be asked of it then. */
  lastWords() {
    const length = this.#exports.last_words_length();
    return new TextDecoder().decode(this.#bytes(this.#exports.last_words(), length).slice());
  }

  // --- Power, time, keys, lights ---------------------------------------------------------------------------------------

  powerOn(random) {
    this.#exports.power_on(random[0], random[1]);
    this.#look();
  }

  powerOff() {
    this.#exports.power_off();
    this.#look();
  }

  run(milliseconds) {
    this.#exports.run(milliseconds);
    this.#look();
  }

  setKey(cell, down) {
    this.#exports.set_key(cell, down);
  }

  /** Three bytes a light, red first. */
  lights() {
    return this.#bytes(this.#exports.leds(), 75).slice();
  }

  // --- What comes out besides light ------------------------------------------------------------------------------------

  /** New messages of the log. */
  takeLog() {
    const length = this.#exports.take_log();
    if (!length) return [];
    return this.#text(length).trimEnd().split("\n").map((line) => {
      const [at, level, text, place] = line.split("\t");
      return { at, level: level.toLowerCase(), text: text.replaceAll("\u2028", "\n"), place };
    });
  }

  /** New changes of the tone: pairs of time and frequency, 0 for silence. */
  takeTones() {
    const length = this.#exports.take_tones();
    return length ? new Float64Array(this.#taken(length).buffer) : null;
  }

  /** Puts a logic analyser on the matrix, the LED wire, the LEDs' supply and the piezo. */
  startTrace() {
    this.#exports.start_trace();
  }

  /** What it has seen: pairs of time and levels of the pins, bit = pin. The analyser is taken off. */
  takeTrace() {
    return new Float64Array(this.#taken(this.#exports.take_trace()).buffer);
  }

  // --- Firmware and memory: each gives a reason why not, or nothing -----------------------------------------------------

  /** The page's own firmware, for the chip that it is for. */
  learn(bytes) {
    this.#give(bytes);
    return this.#text(this.#exports.learn());
  }

  /** Takes the handheld with this chip in hand, with what was learned for it. */
  loadOwn(kind) {
    this.#exports.load_own(numberOf(kind));
    this.#look();
  }

  /** A visitor's firmware, which is tried first. */
  beginTrial(bytes) {
    this.#give(bytes);
    return this.#text(this.#exports.begin_trial());
  }

  /** Lets time pass for a firmware on trial; null until it is decided, then it is loaded, or refused. */
  runTrial(milliseconds) {
    const length = this.#exports.run_trial(milliseconds);
    if (length < 0) return null;
    const reason = this.#text(length);
    this.#look();
    return reason;
  }

  /** Of the handheld in hand: `rp2040` or `rp2350`. */
  get kind() {
    return kindOf(this.#exports.chip());
  }

  /** The kind of chip whose memory a file holds; null if it is no such file. */
  kindOfMemory(bytes) {
    this.#give(bytes);
    return kindOf(this.#exports.chip_of_saved());
  }

  /** Whether the firmware that is loaded can tell what its log says. */
  hasLog() {
    return this.#exports.has_log() !== 0;
  }

  memory() {
    return this.#taken(this.#exports.saved());
  }

  setMemory(bytes) {
    this.#give(bytes);
    const reason = this.#text(this.#exports.set_saved());
    this.#look();
    return reason;
  }

  eraseMemory() {
    this.#exports.erase_saved();
    this.#look();
  }

  // --- Puzzles ---------------------------------------------------------------------------------------------------------

  /** What a code says: its rule and size as the menu counts them, its lights, its par (none: it cannot be solved). */
  readCode(text) {
    this.#giveText(text);
    const [reason, code, rule, size, lights, par] = this.#text(this.#exports.read_code()).split("\t");
    if (reason) return { reason };
    return { code, rule: Number(rule), size: Number(size), lights: Number(lights), par: par === "" ? null : Number(par) };
  }

  /** The code of the puzzle of a day, counted from 1970. */
  dailyCode(day) {
    return this.#text(this.#exports.daily_code(day));
  }

  /** The code of a level, counted from 1. */
  levelCode(level) {
    return this.#text(this.#exports.level_code(level));
  }
}
