// The handheld in the worker: the chip, its 25 keys, and scripts that press them for whole commands.
//
// There are two ways to run time. `run` is for normal play: the player watches, and keys change when they are due.
// `skip` is for scripts: emulated time passes as fast as possible, and is not shown. So a command of two corners held
// for 0.7 s acts at once, and the two moves at its start are not shown. A script runs from its first key to its last
// without a break; later requests wait for it.

import { DORMANT, OFF } from "./chip.js";
import { parseLogLine } from "./status.js";

const CELLS = 25;
const CENTRE = 12;
/** The shortest time between two changes of a key, in ms. A click that is shorter is still a press. */
const MIN_KEY_TIME = 40;
/** The time after the last key of a script: the firmware debounces the release (20 ms) and draws the result. In ms. */
const SETTLE_TIME = 45;
/** The time that a script holds two corners, in ms: a command needs 0.7 s, and an undo repeats after 0.3 s more. */
const COMMAND_TIME = 760;
/** The firmware saves a change within this time, in ms: it waits for 0.5 s after the last change. */
const SAVE_TIME = 1000;
/** A write to flash within this time after a key is for an earlier change. In ms. */
const EARLIER_SAVE_TIME = 20;

const CORNERS = { hint: [0, 4], demo: [20, 24], undo: [0, 20], restart: [4, 24], menu: [0, 24], next: [4, 20] };
const MODES = ["levels", "random", "create", "tutor", "action"];
/** Rows of the menu. */
const MODE_ROW = 0, RULE_ROW = 1, SIZE_ROW = 2;
const LEVELS_A_PAGE = 25, PAGES = 3;
/** Scenes without movement: the player does not see when time passes faster. */
const STILL_SCENES = new Set(["play", "draw", "menu", "slots", "chase", "toprow"]);

/** Whether the board has changed. Opening the menu, sleep and waking are not changes of the board. */
function hasChanged(before, now) {
  const isOverlay = (status) => status.scene === "menu" || status.scene === "asleep";
  if (!before || !now || isOverlay(before) || isOverlay(now)) return false;
  return ["puzzle", "mode", "number", "moves"].some((name) => before[name] !== now[name]);
}

/** A script that cannot continue. The message is a sentence for the player. */
export class Refusal extends Error {}

export class Handheld {
  chip;
  /** The last status and the last choices from the firmware's log; null before the first. */
  status = null;
  choices = null;
  /** The steps that were undone and can be redone, the next one last. */
  redo = [];
  /** The number of refusals since the worker last reported them. */
  refusals = 0;
  log = [];

  #onSlice;
  #held = new Set();
  /** The changes of keys to come, sorted by time. */
  #changes = [];
  /** The time at which each key may change next. */
  #earliest = new Float64Array(CELLS);
  #down = 0;
  /** Whether a script holds the corners of a command, which the firmware first treats as moves. */
  #isInCommand = false;
  #isUndone = false;
  /** The time of the last key, and the number of flash operations soon after it. When that grows, the game is saved. */
  #unsaved = null;

  /** `onSlice` is called after each slice of time. */
  constructor(chip, onSlice = () => {}) {
    this.chip = chip;
    this.#onSlice = onSlice;
  }

  get now() {
    return this.chip.figures.now;
  }

  get isOn() {
    return this.chip.figures.state !== OFF;
  }

  /** The keys that are down; bit n is cell n. */
  get down() {
    return this.#down;
  }

  // --- Power --------------------------------------------------------------------------------------------------------

  powerOn(centreHeld = false) {
    this.chip.powerOff();
    this.#reset();
    if (centreHeld) this.#setKey(CENTRE, true);
    this.chip.powerOn(crypto.getRandomValues(new Uint32Array(2)));
    if (centreHeld) this.#scheduleKey(CENTRE, false, 1500);
  }

  powerOff() {
    this.chip.powerOff();
    this.#reset();
  }

  #reset() {
    for (let cell = 0; cell < CELLS; cell += 1) this.#setKey(cell, false);
    this.#held.clear();
    this.#changes = [];
    this.#earliest.fill(0);
    [this.status, this.choices, this.redo, this.#unsaved] = [null, null, [], null];
  }

  // --- Keys ---------------------------------------------------------------------------------------------------------

  press(cell) {
    if (!this.isOn || this.#held.has(cell)) return;
    this.#held.add(cell);
    this.#scheduleKey(cell, true);
  }

  release(cell) {
    if (this.#held.delete(cell)) this.#scheduleKey(cell, false);
  }

  releaseAll() {
    [...this.#held].forEach((cell) => this.release(cell));
  }

  #scheduleKey(cell, down, earliest = 0) {
    const at = Math.max(this.now, this.#earliest[cell], earliest);
    this.#earliest[cell] = at + MIN_KEY_TIME;
    this.#changes.push({ at, cell, down });
    this.#changes.sort((a, b) => a.at - b.at);
  }

  #setKey(cell, down) {
    this.chip.setKey(cell, down);
    this.#down = down ? this.#down | 1 << cell : this.#down & ~(1 << cell);
    this.#unsaved = { at: this.now, writes: null };
  }

  // --- Time ---------------------------------------------------------------------------------------------------------

  /** Runs a slice of time, at most until the next change of a key. */
  run(milliseconds) {
    this.#changeKeys();
    const next = this.#changes.length ? this.#changes[0].at - this.now : Infinity;
    this.chip.run(Math.max(Math.min(milliseconds, next), 0.01));
    this.#changeKeys();
    this.#readLog();
    this.#detectSave();
    this.#onSlice();
  }

  #detectSave() {
    if (!this.#unsaved || this.now < this.#unsaved.at + EARLIER_SAVE_TIME) return;
    const { flash } = this.chip.figures;
    this.#unsaved.writes ??= flash;
    // After a release without a change there is no save.
    if (flash > this.#unsaved.writes || this.now > this.#unsaved.at + SAVE_TIME) this.#unsaved = null;
  }

  #changeKeys() {
    while (this.#changes.length && this.#changes[0].at <= this.now) {
      const { cell, down } = this.#changes.shift();
      this.#setKey(cell, down);
    }
  }

  #readLog() {
    for (const line of this.chip.takeLog()) {
      this.log.push(line);
      // The firmware has rolled back the two taps at the start of the command, so their refusals do not count.
      if (line.text.startsWith("command ")) this.refusals = 0;
      const parsed = parseLogLine(line.text);
      if (parsed?.kind === "choices") this.choices = parsed;
      else if (parsed?.kind === "refused") this.refusals += 1;
      else if (parsed?.kind === "undone") {
        this.redo.push(parsed.step);
        this.#isUndone = true;
      } else if (parsed?.kind === "status") this.#setStatus(parsed);
    }
  }

  /** Any change of the board except an undo discards the steps that could be redone. */
  #setStatus(status) {
    if (!this.#isInCommand && !this.#isUndone && hasChanged(this.status, status)) this.redo = [];
    this.#isUndone = false;
    this.status = status;
  }

  /** Whether time may run ahead to the next save: something is unsaved, no key is down, and nothing moves. */
  get mayRunAhead() {
    const isIdle = this.#down === 0 && this.#changes.length === 0;
    return this.#unsaved !== null && isIdle && STILL_SCENES.has(this.status?.scene);
  }

  // --- Scripts ------------------------------------------------------------------------------------------------------

  /** Runs time without showing it, at most until a condition is true. */
  skip(milliseconds, until = () => false) {
    const end = this.now + milliseconds;
    while (this.now < end - 1e-3 && !until()) this.run(Math.min(10, end - this.now));
  }

  /** Releases all keys and wakes the handheld. */
  #prepare() {
    if (!this.isOn) throw new Refusal("The handheld is off. Switch it on below the keys.");
    this.releaseAll();
    if (this.#down || this.#changes.length) this.skip(2 * MIN_KEY_TIME + SETTLE_TIME);
    if (this.chip.figures.state === DORMANT) {
      // The key that wakes the handheld is not a move.
      this.#hold([CENTRE], 100);
      this.skip(100);
    }
  }

  #hold(cells, milliseconds) {
    cells.forEach((cell) => this.#setKey(cell, true));
    this.skip(milliseconds);
    cells.forEach((cell) => this.#setKey(cell, false));
    this.skip(SETTLE_TIME);
  }

  tap(cell) {
    this.#prepare();
    this.#hold([cell], MIN_KEY_TIME);
  }

  command(name) {
    this.#prepare();
    const { status, redo } = this;
    this.#isInCommand = true;
    this.#hold(CORNERS[name], COMMAND_TIME);
    this.#isInCommand = false;
    if (name !== "undo") this.redo = hasChanged(status, this.status) ? [] : redo;
  }

  /** Redoes the step that was undone last. */
  redoStep() {
    const steps = [...this.redo];
    const step = steps.pop();
    if (step === undefined) throw new Refusal("There is nothing to redo.");
    if (step === "restart") this.command("restart");
    else this.tap(step);
    this.redo = steps;
  }

  /** Throws unless the firmware reports this scene: without it, the rest of the script would press wrong keys. */
  #expectScene(scene) {
    if (this.status?.scene === scene) return;
    throw new Refusal("This firmware does not report its status. Press its keys instead.");
  }

  #openMenu() {
    // In the self-test and in the slots, the first command leaves them and the second opens the menu.
    for (let turn = 0; turn < 3 && this.status?.scene !== "menu"; turn += 1) this.command("menu");
    this.#expectScene("menu");
  }

  /** Makes a choice in the menu. Then the game continues. */
  choose(row, column) {
    this.#openMenu();
    this.tap(5 * row + column);
    this.command("menu");
  }

  startMode(name) {
    this.#openMenu();
    this.#startFromMenu(name);
  }

  #startFromMenu(name) {
    const cell = 5 * MODE_ROW + MODES.indexOf(name);
    if (this.status.mode !== name) this.tap(cell);
    this.tap(cell);
  }

  /** Opens a board as a drawing in Create, and plays it if `play` is true. */
  draw({ rule, size, lights }, play) {
    this.#openMenu();
    this.tap(5 * RULE_ROW + rule);
    this.tap(5 * SIZE_ROW + size);
    this.#startFromMenu("create");
    this.#expectScene("draw");
    for (let cell = 0; cell < CELLS; cell += 1) if (lights >> cell & 1) this.tap(cell);
    if (play) this.command("demo");
  }

  /** Opens a level, counted from 1. Returns false if it is still locked. */
  openLevel(level) {
    this.startMode("levels");
    this.#expectScene("picker");
    const page = Math.ceil(level / LEVELS_A_PAGE);
    for (let turn = 0; turn < PAGES && this.status.number !== page; turn += 1) this.command("next");
    this.tap((level - 1) % LEVELS_A_PAGE);
    return this.status.scene === "play" && this.status.number === level;
  }

  /** Runs until the firmware has saved all changes. */
  save() {
    if (this.isOn) this.skip(SAVE_TIME, () => this.#unsaved === null);
  }
}
