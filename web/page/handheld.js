// The handheld in the worker: the chip, its 25 contacts, and hands that give whole commands.
//
// Two ways to pass time. `run` is life: somebody watches, and keys change when they are due. `skip` is for scripts: emulated
// time passes as fast as it can, unseen, so that a command of two corners held for 0.7 s is there at once, and
// the two moves that it begins with are never seen. A script runs from its first key to its last without a break: what is
// clicked meanwhile waits for it.

import { DORMANT, OFF } from "./chip.js";
import { read } from "./status.js";

const CELLS = 25;
const CENTRE = 12;
/** A contact stays as it is for at least so long: a click that is over at once is still a press. */
const SHORTEST = 40;
/** From the last key of a script to a firmware that has seen it go up (20 ms) and has drawn what came of it. */
const SETTLED = 45;
/** Two corners are a command after 0.7 s; an undo comes again after 0.3 s more. */
const COMMAND = 760;
/** A save is due 0.5 s after the last change; what is written within this time after a key is still the save before it. */
const SAVED = 1000, WRITING = 20;

const CORNERS = { hint: [0, 4], demo: [20, 24], undo: [0, 20], restart: [4, 24], menu: [0, 24], next: [4, 20] };
const MODES = ["levels", "random", "create", "tutor", "action"];
/** Rows of the menu. */
const MODE_ROW = 0, RULE_ROW = 1, SIZE_ROW = 2;
const LEVELS_A_PAGE = 25, PAGES = 3;
/** Scenes in which nothing moves by itself, so that nobody sees when time passes faster. */
const STILL = new Set(["play", "draw", "menu", "slots", "chase", "toprow"]);

/** Whether the board is another one than before; the menu and sleep come and go without a change. */
function hasMoved(before, now) {
  if (!before || !now || [before.scene, now.scene].some((scene) => scene === "menu" || scene === "asleep")) return false;
  return ["puzzle", "mode", "number", "moves"].some((name) => before[name] !== now[name]);
}

/** A script that could not go on: what the player is told. */
export class Refusal extends Error {}

export class Handheld {
  chip;
  /** What the firmware has told last; nothing until it has. */
  status = null;
  choices = null;
  /** Steps that were taken back and can be done again, the last one first. */
  redo = [];
  /** How often something was refused, since somebody last looked. */
  refusals = 0;
  log = [];

  #onSlice;
  #held = new Set();
  /** Changes to come, by their time, and when each contact is next free to change. */
  #turns = [];
  #free = new Float64Array(CELLS);
  #down = 0;
  /** The corners of a command are down, which look like moves until it is understood. */
  #inCommand = false;
  #tookBack = false;
  /** When a key last went down or up, and how much was written to flash soon after: more, and what it did is saved. */
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

  /** The contacts that are closed, bit = cell. */
  get down() {
    return this.#down;
  }

  // --- Power -----------------------------------------------------------------------------------------------------------

  powerOn(centreHeld = false) {
    this.chip.powerOff();
    this.#forget();
    if (centreHeld) this.#set(CENTRE, true);
    this.chip.powerOn(crypto.getRandomValues(new Uint32Array(2)));
    if (centreHeld) this.#turn(CENTRE, false, 1500);
  }

  powerOff() {
    this.chip.powerOff();
    this.#forget();
  }

  #forget() {
    for (let cell = 0; cell < CELLS; cell += 1) this.#set(cell, false);
    this.#held.clear();
    this.#turns = [];
    this.#free.fill(0);
    [this.status, this.choices, this.redo, this.#unsaved] = [null, null, [], null];
  }

  // --- Fingers ---------------------------------------------------------------------------------------------------------

  press(cell) {
    if (!this.isOn || this.#held.has(cell)) return;
    this.#held.add(cell);
    this.#turn(cell, true);
  }

  release(cell) {
    if (this.#held.delete(cell)) this.#turn(cell, false);
  }

  releaseAll() {
    [...this.#held].forEach((cell) => this.release(cell));
  }

  #turn(cell, down, earliest = 0) {
    const at = Math.max(this.now, this.#free[cell], earliest);
    this.#free[cell] = at + SHORTEST;
    this.#turns.push({ at, cell, down });
    this.#turns.sort((a, b) => a.at - b.at);
  }

  #set(cell, down) {
    this.chip.setKey(cell, down);
    this.#down = down ? this.#down | 1 << cell : this.#down & ~(1 << cell);
    this.#unsaved = { at: this.now, writes: null };
  }

  // --- Life ------------------------------------------------------------------------------------------------------------

  /** Lets a slice of time pass, at most until the next change of a contact. */
  run(milliseconds) {
    this.#turnKeys();
    const next = this.#turns.length ? this.#turns[0].at - this.now : Infinity;
    this.chip.run(Math.max(Math.min(milliseconds, next), 0.01));
    this.#turnKeys();
    this.#listen();
    this.#noticeSave();
    this.#onSlice();
  }

  #noticeSave() {
    if (!this.#unsaved || this.now < this.#unsaved.at + WRITING) return;
    const { flash } = this.chip.figures;
    this.#unsaved.writes ??= flash;
    // A key that only went up has changed nothing: no save comes.
    if (flash > this.#unsaved.writes || this.now > this.#unsaved.at + SAVED) this.#unsaved = null;
  }

  #turnKeys() {
    while (this.#turns.length && this.#turns[0].at <= this.now) {
      const { cell, down } = this.#turns.shift();
      this.#set(cell, down);
    }
  }

  #listen() {
    for (const line of this.chip.takeLog()) {
      this.log.push(line);
      // What the two corners of a command did before it was understood was taken back, and so is what was said of it.
      if (line.text.startsWith("command ")) this.refusals = 0;
      const told = read(line.text);
      if (told?.kind === "choices") this.choices = told;
      else if (told?.kind === "refused") this.refusals += 1;
      else if (told?.kind === "took back") {
        this.redo.push(told.step);
        this.#tookBack = true;
      } else if (told?.kind === "status") this.#follow(told);
    }
  }

  /** Something else than an undo has changed the board: what was taken back before is gone. */
  #follow(status) {
    if (!this.#inCommand && !this.#tookBack && hasMoved(this.status, status)) this.redo = [];
    this.#tookBack = false;
    this.status = status;
  }

  /** Whether time may run ahead to the firmware's next save: nothing moves, no finger is down, and something is not saved. */
  get mayRunAhead() {
    return this.#unsaved !== null && this.#down === 0 && this.#turns.length === 0 && STILL.has(this.status?.scene);
  }

  // --- Scripts ---------------------------------------------------------------------------------------------------------

  /** Lets time pass unseen, until something is so. */
  skip(milliseconds, until = () => false) {
    const end = this.now + milliseconds;
    while (this.now < end - 1e-3 && !until()) this.run(Math.min(10, end - this.now));
  }

  #ready() {
    if (!this.isOn) throw new Refusal("The handheld is off. The switch below the keys turns it on.");
    this.releaseAll();
    if (this.#down || this.#turns.length) this.skip(2 * SHORTEST + SETTLED);
    if (this.chip.figures.state === DORMANT) {
      this.#hold([CENTRE], 100);
      // The key that wakes it is not a move.
      this.skip(100);
    }
  }

  #hold(cells, milliseconds) {
    cells.forEach((cell) => this.#set(cell, true));
    this.skip(milliseconds);
    cells.forEach((cell) => this.#set(cell, false));
    this.skip(SETTLED);
  }

  tap(cell) {
    this.#ready();
    this.#hold([cell], SHORTEST);
  }

  command(name) {
    this.#ready();
    const { status, redo } = this;
    this.#inCommand = true;
    this.#hold(CORNERS[name], COMMAND);
    this.#inCommand = false;
    if (name !== "undo") this.redo = hasMoved(status, this.status) ? [] : redo;
  }

  /** Does the last step again that was taken back. */
  redoStep() {
    const steps = [...this.redo];
    const step = steps.pop();
    if (step === undefined) throw new Refusal("Nothing was taken back that could be done again.");
    if (step === "restart") this.command("restart");
    else this.tap(step);
    this.redo = steps;
  }

  /** The rest of a script makes sense only if the firmware tells where it is, and is there. */
  #expect(scene) {
    if (this.status?.scene !== scene) throw new Refusal("This firmware does not tell what it does, so only its keys can be pressed.");
  }

  #openMenu() {
    // From the self-test or the slots the first command leads out, the second to the menu.
    for (let turn = 0; turn < 3 && this.status?.scene !== "menu"; turn += 1) this.command("menu");
    this.#expect("menu");
  }

  /** A choice of the menu; the game behind it goes on. */
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

  /** Opens a board as if somebody had drawn it in Create; and plays it. */
  draw({ rule, size, lights }, play) {
    this.#openMenu();
    this.tap(5 * RULE_ROW + rule);
    this.tap(5 * SIZE_ROW + size);
    this.#startFromMenu("create");
    this.#expect("draw");
    for (let cell = 0; cell < CELLS; cell += 1) if (lights >> cell & 1) this.tap(cell);
    if (play) this.command("demo");
  }

  /** A level, from 1; false if it is not open yet. */
  openLevel(level) {
    this.startMode("levels");
    this.#expect("picker");
    const page = Math.ceil(level / LEVELS_A_PAGE);
    for (let turn = 0; turn < PAGES && this.status.number !== page; turn += 1) this.command("next");
    this.tap((level - 1) % LEVELS_A_PAGE);
    return this.status.scene === "play" && this.status.number === level;
  }

  /** Lets the firmware save what it has not saved yet. */
  save() {
    if (this.isOn) this.skip(SAVED, () => this.#unsaved === null);
  }
}
