// The worker: lets time pass in the handheld, does what the page asks for, and tells what came of it. Nothing that happens on the
// page can disturb it, and no burst of work in it can disturb the page.
//
// Two clocks: real milliseconds, which come from one `Clock`, and emulated ones since power-on. Whatever happens to the handheld is
// told in the second, so that a slow computer slows everything down alike.

import { loadChip } from "./chip.js";
import { Clock } from "./clock.js";
import { Handheld, Refusal } from "./handheld.js";
import { OWN, fetchOwn } from "./own-firmware.js";

/** Real time between two looks at the clock: a picture of the screen. Keys do not wait for it. */
const TICK = 16;
/** Real time that may be spent at a stretch. */
const BUDGET = 8;
/** Emulated time between two looks at the real clock: a key that is down makes work, a still board does not. */
const SLICE = 2, LONG_SLICE = 8;
/** However long nobody called, no more real time than this is made up for. */
const LONGEST = 50;
/** From a key to its light: so far the handheld may be ahead of the clock, so that the page need not wait for the next tick. */
const ANSWER = 2.5;
/** After the last finger, before time runs ahead to the save: the next one may come at once. */
const QUIET = 60;
/** Figures are told so often, the memory is kept no more often. */
const TELL = 250, KEEP = 200;

/** While an action takes long, the page hears so often that it goes on: otherwise it takes the worker for one that hangs. */
const BEAT = 500;

const clock = new Clock();
let handheld, chip;
/** The kinds of chip whose own firmware the emulator knows, and whether such a one is in hand. */
const learned = new Set();
let isOwn = true;
let speed = 1, isPaused = false, isVisible = true;
/** The emulated moment that is due; the real moment it was worked out at; when a finger last moved. */
let due = 0, before = 0, touched = 0;
let isTicking = false;
let beaten = 0;
/** As last told to the page. */
const told = { looked: "", lights: "", status: [], figures: 0, flash: 0, kept: 0 };
/** Since the figures were last told: real and emulated time, work, and ticks that fell short. */
let pace = freshPace();
let recording = null;

function freshPace() {
  return { real: 0, emulated: 0, spent: 0, ticks: 0, short: 0 };
}

// --- Time --------------------------------------------------------------------------------------------------------------

function tick() {
  isTicking = false;
  try {
    live();
  } catch (error) {
    return fail(error);
  }
  isTicking = handheld.isOn && isVisible && !isPaused;
  if (isTicking) clock.after(TICK, tick);
}

function goOn() {
  before = clock.now;
  due = handheld.now;
  if (!isTicking) tick();
}

function live() {
  const start = clock.now;
  const elapsed = Math.min(start - before, LONGEST);
  before = start;
  if (!handheld.isOn || isPaused || !isVisible) return tell();
  due += elapsed * speed;
  const from = handheld.now;
  runTo(due, start);
  pace.real += elapsed;
  pace.emulated += handheld.now - from;
  pace.ticks += 1;
  if (handheld.now < due - SLICE) {
    // What could not be done in time is not made up for: the handheld's time runs slower.
    pace.short += 1;
    due = handheld.now;
  }
  pace.spent += clock.now - start;
  if (start - touched > QUIET) runAhead();
  tell();
}

function runTo(moment, start) {
  while (handheld.now < moment - 1e-3 && clock.now - start < BUDGET) {
    handheld.run(Math.min(moment - handheld.now, handheld.down ? SLICE : LONG_SLICE));
  }
}

/** To the firmware's next save, as long as nobody can see it: a page that is closed right after a move has kept it. */
function runAhead() {
  const start = clock.now;
  while (handheld.mayRunAhead && clock.now - start < BUDGET) handheld.run(LONG_SLICE);
  due = Math.max(due, handheld.now);
}

/** After each slice of emulated time. In real time, even if a test holds the clock: so is the page's patience. */
function beat() {
  const moment = performance.now();
  if (moment - beaten < BEAT) return;
  beaten = moment;
  postMessage({ kind: "alive" });
}

/** The emulator itself has failed: nothing of it may be asked any more. The page ends this worker and starts another. */
function fail(error) {
  const words = error instanceof WebAssembly.RuntimeError ? chip.lastWords() : "";
  postMessage({ kind: "broken", reason: words || error.message });
}

// --- What is told ------------------------------------------------------------------------------------------------------

function tell(all = false) {
  tellLights(all);
  tellStatus(all);
  if (handheld.log.length) postMessage({ kind: "log", lines: handheld.log.splice(0) });
  const tones = chip.takeTones();
  if (tones) postMessage({ kind: "tones", tones, now: handheld.now, speed });
  const moment = clock.now;
  if (all || moment - told.figures >= TELL) {
    told.figures = moment;
    postMessage({ kind: "figures", figures: { ...chip.figures }, pace });
    pace = freshPace();
  }
  keep(all);
  endRecording();
}

function tellLights(all) {
  const { frames, state } = chip.figures;
  const looked = `${frames} ${state} ${handheld.down}`;
  if (!all && looked === told.looked) return;
  told.looked = looked;
  const lights = chip.lights();
  const seen = `${lights.join()} ${handheld.down}`;
  // A picture is sent again four times a second, and is the same.
  if (!all && seen === told.lights) return;
  told.lights = seen;
  postMessage({ kind: "lights", lights, keys: handheld.down, frames });
}

function tellStatus(all) {
  const { status, choices, isOn, refusals } = handheld;
  const canRedo = handheld.redo.length > 0;
  // A status is another object each time the firmware tells one.
  const isSame = [status, choices, isOn, canRedo].every((value, index) => value === told.status[index]);
  if (!all && isSame && refusals === 0) return;
  told.status = [status, choices, isOn, canRedo];
  handheld.refusals = 0;
  postMessage({ kind: "status", status, choices, canRedo, isOn, refused: refusals > 0 });
}

/** What the flash remembers, for the page to keep. */
function keep(now) {
  const moment = clock.now;
  if (chip.figures.flash === told.flash || (!now && moment - told.kept < KEEP)) return;
  [told.flash, told.kept] = [chip.figures.flash, moment];
  tellMemory();
}

function tellMemory() {
  postMessage({ kind: "memory", chip: chip.kind, bytes: chip.memory() });
}

// --- The logic analyser ------------------------------------------------------------------------------------------------

/** So much is kept around the press that ends a recording; and so long it waits for one. */
const TRACE_AFTER = 40, TRACE_BEFORE = 5, TRACE_PATIENCE = 10_000;

function endRecording() {
  if (!recording) return;
  recording.pressed ??= handheld.down ? handheld.now : null;
  const since = recording.pressed ?? recording.began + TRACE_PATIENCE;
  if (handheld.isOn && handheld.now < since + TRACE_AFTER) return;
  const trace = handheld.isOn ? chip.takeTrace() : new Float64Array();
  recording.done({ trace, from: Math.max(recording.began, since - TRACE_BEFORE), to: handheld.now });
  recording = null;
}

// --- What the page asks for --------------------------------------------------------------------------------------------

/** A script: unseen, from its first key to its last, and what was asked for after it waits. */
function script(act) {
  try {
    return act();
  } finally {
    // Unseen is unheard.
    chip.takeTones();
    due = handheld.now;
    before = clock.now;
    tell();
  }
}

function switchOn(centreHeld) {
  handheld.powerOn(centreHeld);
  [told.flash, recording] = [0, null];
  postMessage({ kind: "power", chip: chip.kind, isOwn });
  goOn();
  tell(true);
}

/** What the firmware has not saved yet, it saves now. */
function save() {
  handheld.save();
  tell(true);
}

function teach(kind, bytes) {
  const reason = chip.learn(bytes);
  if (reason) throw new Error(reason);
  learned.add(kind);
}

/** Makes sure that the emulator knows the page's own firmware for a kind of chip. */
async function learn(kind) {
  if (!learned.has(kind)) teach(kind, await fetchOwn(kind));
}

/** The firmware to begin with: for the chosen chip, or, where that cannot be had, for the first one, and why. */
async function fetchFirst(chosen) {
  try {
    return { kind: chosen, bytes: await fetchOwn(chosen) };
  } catch ({ message }) {
    return { kind: OWN[0], bytes: await fetchOwn(OWN[0]), missing: message };
  }
}

const actions = {
  /** `memories` are those that the browser has kept; it is told which of them could not be read, and why. */
  async start({ chosen, memories }) {
    const [loaded, { kind, bytes, missing }] = await Promise.all([loadChip("emulator.wasm"), fetchFirst(chosen)]);
    chip = loaded;
    handheld = new Handheld(chip, beat);
    teach(kind, bytes);
    chip.loadOwn(kind);
    const damaged = memories.map((memory) => chip.setMemory(memory)).filter((reason) => reason);
    switchOn(false);
    return { damaged, missing };
  },

  key(cell, down) {
    live();
    touched = clock.now;
    if (down) handheld.press(cell);
    else handheld.release(cell);
    if (!isPaused && handheld.isOn) runTo(handheld.now + ANSWER * Math.min(1, speed), clock.now);
    tell();
  },

  command: (name) => script(() => handheld.command(name)),
  redo: () => script(() => handheld.redoStep()),
  choose: (row, column) => script(() => handheld.choose(row, column)),
  startMode: (name) => script(() => handheld.startMode(name)),
  openLevel: (level) => script(() => handheld.openLevel(level)),
  openBoard: (board, play) => script(() => handheld.draw(board, play)),

  power(on, centreHeld) {
    if (handheld.isOn) save();
    if (on) return switchOn(centreHeld);
    handheld.powerOff();
    tell(true);
  },
  save,
  setVisible(visible) {
    isVisible = visible;
    if (visible) return goOn();
    handheld.releaseAll();
    save();
  },

  setSpeed(factor) {
    speed = factor;
    pace = freshPace();
  },
  setPaused(paused) {
    isPaused = paused;
    if (!paused) goOn();
    tell(true);
  },
  /** While paused: so much time, or to the next picture. */
  step(milliseconds) {
    const { frames } = chip.figures;
    if (milliseconds) handheld.skip(milliseconds);
    else handheld.skip(1000, () => chip.figures.frames > frames);
    tell(true);
  },
  record() {
    if (!handheld.isOn) throw new Refusal("The handheld is off: its pins are still.");
    chip.startTrace();
    return new Promise((done) => { recording = { began: handheld.now, pressed: null, done }; });
  },

  /** The page's own firmware, on the handheld with this kind of chip. */
  async loadOwn(kind) {
    await learn(kind);
    save();
    chip.loadOwn(kind);
    isOwn = true;
    switchOn(false);
  },
  /** A visitor's firmware, on the handheld with the chip that it is for. A file that is refused changes nothing. */
  async load(bytes) {
    // If it is the page's own after all, in a UF2 file, its log can be read; where that one is not to be had, it cannot.
    await Promise.all(OWN.map((kind) => learn(kind).catch(() => {})));
    save();
    let reason = chip.beginTrial(bytes) || null;
    while (reason === null) {
      reason = chip.runTrial(LONG_SLICE);
      beat();
    }
    if (reason) throw new Refusal(reason);
    isOwn = false;
    switchOn(false);
    return { hasLog: chip.hasLog() };
  },
  /** A memory goes to the handheld with the chip that it is of, and that one is in hand afterwards. */
  async setMemory(bytes) {
    const kind = chip.kindOfMemory(bytes) ?? chip.kind;
    await learn(kind);
    save();
    const wasOn = handheld.isOn;
    const reason = chip.setMemory(bytes);
    if (reason) throw new Refusal(reason);
    const isOther = kind !== chip.kind;
    if (isOther) {
      chip.loadOwn(kind);
      isOwn = true;
    }
    handheld.powerOff();
    tellMemory();
    if (wasOn || isOther) switchOn(false);
    else tell(true);
  },
  erase() {
    handheld.powerOff();
    chip.eraseMemory();
    tellMemory();
    switchOn(false);
  },
  memory() {
    save();
    return chip.memory();
  },

  /** The page asks whether anybody is there; any answer will do. */
  ping() {},

  /** For tests: time stands still, and then passes as they say. */
  holdClock: () => clock.hold(),
  stepClock(milliseconds) {
    clock.step(milliseconds);
    if (!handheld) return;
    live();
    tell(true);
  },

  readCode: (text) => chip.readCode(text),
  dailyCode: (day) => chip.dailyCode(day),
  levelCode: (level) => chip.levelCode(level),
};

addEventListener("message", async ({ data: { id, action, details } }) => {
  try {
    postMessage({ kind: "answer", id, value: await actions[action](...details) });
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) fail(error);
    postMessage({ kind: "answer", id, reason: error.message });
  }
});

// The script is loaded: from here on a silent worker is one that hangs.
postMessage({ kind: "alive" });
