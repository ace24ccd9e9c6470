// The emulated chip: emulator.wasm, built from the crate `web`, as an object. Runs in the worker. There are two
// kinds, `rp2040` and `rp2350`, each with its own flash. The firmware that is loaded determines the current kind.
//
// Times are emulated milliseconds since power-on. Bytes pass through two buffers in WebAssembly's memory. The memory
// moves when it grows, so each access makes a new view.

/** Values of the figure `state`. `IN_BOOT_ROM`: the firmware has started the boot ROM, as for USB programming. */
export const OFF = 0, DORMANT = 2, IN_BOOT_ROM = 3;

const FIGURES = ["now", "frames", "cycles", "awake", "current", "latency", "state", "flash", "resets"];

export async function loadChip(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`emulator.wasm: ${response.status}`);
  // Without the type application/wasm the browser cannot compile during the download.
  const module = /^application\/wasm/.test(response.headers.get("Content-Type") ?? "")
    ? await WebAssembly.compileStreaming(response)
    : await WebAssembly.compile(await response.arrayBuffer());
  // A library imports functions for the date and the time zone. They are never called.
  const imports = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    (imports[from] ??= {})[name] = () => { throw new Error(`${name} was called`); };
  }
  return new Chip((await WebAssembly.instantiate(module, imports)).exports);
}

// The module identifies a chip by the number in its name.
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

  #output(length) {
    return this.#bytes(this.#exports.output(), length).slice();
  }

  #text(length) {
    return new TextDecoder().decode(this.#output(length));
  }

  #setInput(bytes) {
    this.#bytes(this.#exports.input(bytes.length), bytes.length).set(bytes);
  }

  #setInputText(text) {
    this.#setInput(new TextEncoder().encode(text));
  }

  #readFigures() {
    const numbers = new Float64Array(this.#exports.memory.buffer, this.#exports.figures(), FIGURES.length);
    FIGURES.forEach((name, index) => { this.figures[name] = numbers[index]; });
  }

  /** The reason why the module has failed, or an empty text. After a failure, call nothing else. */
  panicMessage() {
    const length = this.#exports.panic_message_length();
    return new TextDecoder().decode(this.#bytes(this.#exports.panic_message(), length).slice());
  }

  // --- Power, time, keys, lights ------------------------------------------------------------------------------------

  powerOn(random) {
    this.#exports.power_on(random[0], random[1]);
    this.#readFigures();
  }

  powerOff() {
    this.#exports.power_off();
    this.#readFigures();
  }

  run(milliseconds) {
    this.#exports.run(milliseconds);
    this.#readFigures();
  }

  setKey(cell, down) {
    this.#exports.set_key(cell, down);
  }

  /** Three bytes for each light, red first. */
  lights() {
    return this.#bytes(this.#exports.leds(), 75).slice();
  }

  // --- Log, sound and logic analyser --------------------------------------------------------------------------------

  /** New log messages. */
  takeLog() {
    const length = this.#exports.take_log();
    if (!length) return [];
    return this.#text(length).trimEnd().split("\n").map((line) => {
      const [at, level, text, location] = line.split("\t");
      return { at, level: level.toLowerCase(), text: text.replaceAll("\u2028", "\n"), location };
    });
  }

  /** New changes of the tone: pairs of time and frequency in Hz, 0 for silence. */
  takeTones() {
    const length = this.#exports.take_tones();
    return length ? new Float64Array(this.#output(length).buffer) : null;
  }

  /** Connects the logic analyser to the matrix, the LED data wire, the LED supply and the piezo. */
  startTrace() {
    this.#exports.start_trace();
  }

  /** Disconnects the logic analyser. Returns pairs of time and levels; each bit is a signal. */
  takeTrace() {
    return new Float64Array(this.#output(this.#exports.take_trace()).buffer);
  }

  // --- Firmware and memory. A text that is returned is an error message, or empty. ----------------------------------

  /** Stores the page's own firmware for its chip. */
  addOwnFirmware(bytes) {
    this.#setInput(bytes);
    return this.#text(this.#exports.add_own_firmware());
  }

  /** Switches to the handheld with this chip, with the page's own firmware for it. */
  loadOwn(kind) {
    this.#exports.load_own(numberOf(kind));
    this.#readFigures();
  }

  /** Starts the trial of a firmware that the user has opened. */
  beginTrial(bytes) {
    this.#setInput(bytes);
    return this.#text(this.#exports.begin_trial());
  }

  /** Runs the firmware on trial. Returns null until the trial is decided; then the firmware is loaded or refused. */
  runTrial(milliseconds) {
    const length = this.#exports.run_trial(milliseconds);
    if (length < 0) return null;
    const reason = this.#text(length);
    this.#readFigures();
    return reason;
  }

  /** The chip of the current handheld: `rp2040` or `rp2350`. */
  get kind() {
    return kindOf(this.#exports.chip());
  }

  /** The kind of chip of a memory file; null if the file is not a memory file. */
  kindOfMemory(bytes) {
    this.#setInput(bytes);
    return kindOf(this.#exports.chip_of_memory_file());
  }

  /** Whether the firmware that is loaded contains the texts of its log messages. */
  hasLog() {
    return this.#exports.has_log() !== 0;
  }

  /** The memory of the current handheld, as a memory file. */
  memory() {
    return this.#output(this.#exports.memory_file());
  }

  /** Loads a memory file into the flash of its chip. */
  setMemory(bytes) {
    this.#setInput(bytes);
    const reason = this.#text(this.#exports.load_memory_file());
    this.#readFigures();
    return reason;
  }

  eraseMemory() {
    this.#exports.erase_memory();
    this.#readFigures();
  }

  // --- Puzzles ------------------------------------------------------------------------------------------------------

  /** The board of a code: rule and size as columns of the menu, lights, and par (null if unsolvable). */
  readCode(text) {
    this.#setInputText(text);
    const [reason, code, rule, size, lights, par] = this.#text(this.#exports.read_code()).split("\t");
    if (reason) return { reason };
    const [ruleColumn, sizeColumn, lightMask] = [rule, size, lights].map(Number);
    return { code, rule: ruleColumn, size: sizeColumn, lights: lightMask, par: par === "" ? null : Number(par) };
  }

  /** The code of the puzzle of a day. Days count from 1 January 1970. */
  dailyCode(day) {
    return this.#text(this.#exports.daily_code(day));
  }

  /** The code of a level. Levels count from 1. */
  levelCode(level) {
    return this.#text(this.#exports.level_code(level));
  }
}
