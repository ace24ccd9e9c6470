// The worker: runs the handheld, executes the actions that the page requests, and reports the results. The page and
// the worker cannot delay each other.
//
// There are two clocks: real milliseconds, which come from one `Clock`, and emulated milliseconds since power-on. All
// events of the handheld have emulated times, so a slow computer slows everything down equally.

import { loadChip } from "./chip.js";
import { Clock } from "./clock.js";
import { Handheld, Refusal } from "./handheld.js";
import { CHIP_KINDS, fetchOwnFirmware } from "./own-firmware.js";

/** Real time between two ticks, in ms: one frame of the screen. Keys do not wait for a tick. */
const TICK = 16;
/** The longest real time that one tick may use, in ms. */
const BUDGET = 8;
/** Emulated time between two checks of the real clock, in ms: short while a key is down, when the firmware is busy. */
const SLICE = 2, LONG_SLICE = 8;
/** The limit of the real time that one tick makes up for, in ms. */
const MAX_CATCH_UP = 50;
/** The time from a key to its light, in ms. After a key the handheld runs ahead by it, to show the light at once. */
const LATENCY = 2.5;
/** The real time after the last key before time runs ahead to the save, in ms: the next key may follow at once. */
const QUIET = 60;
/** The interval of the figures, and the shortest interval of the memory, in ms. */
const FIGURES_INTERVAL = 250, MEMORY_INTERVAL = 200;
/** The interval of `alive` messages during a long action, in ms. Without them the page would end the worker. */
const ALIVE_INTERVAL = 500;

const clock = new Clock();
let handheld, chip;
/** The kinds of chip whose own firmware the emulator has, and whether the current firmware is the page's own. */
const ownKinds = new Set();
let isOwn = true;
let speed = 1, isPaused = false, isVisible = true;
/** The emulated time that is due, the real time at which it was computed, and the real time of the last key. */
let due = 0, before = 0, lastKey = 0;
let isTicking = false;
let lastAlive = 0;
/** The last reports to the page: their content, or their real time. */
const reported = { frameState: "", lights: "", status: [], figuresAt: 0, flash: 0, memoryAt: 0 };
/** Sums since the last figures: real and emulated time, processor time, ticks, and ticks that fell short. */
let pace = newPace();
let recording = null;

function newPace() {
  return { real: 0, emulated: 0, spent: 0, ticks: 0, short: 0 };
}

// --- Time -----------------------------------------------------------------------------------------------------------

function tick() {
  isTicking = false;
  try {
    catchUp();
  } catch (error) {
    return reportFailure(error);
  }
  isTicking = handheld.isOn && isVisible && !isPaused;
  if (isTicking) clock.after(TICK, tick);
}

function resume() {
  before = clock.now;
  due = handheld.now;
  if (!isTicking) tick();
}

/** Runs the handheld up to the present time. */
function catchUp() {
  const start = clock.now;
  const elapsed = Math.min(start - before, MAX_CATCH_UP);
  before = start;
  if (!handheld.isOn || isPaused || !isVisible) return report();
  due += elapsed * speed;
  const from = handheld.now;
  runTo(due, start);
  pace.real += elapsed;
  pace.emulated += handheld.now - from;
  pace.ticks += 1;
  if (handheld.now < due - SLICE) {
    // The time that is missing is skipped: the handheld runs slower.
    pace.short += 1;
    due = handheld.now;
  }
  pace.spent += clock.now - start;
  if (start - lastKey > QUIET) runAhead();
  report();
}

function runTo(end, start) {
  while (handheld.now < end - 1e-3 && clock.now - start < BUDGET) {
    handheld.run(Math.min(end - handheld.now, handheld.down ? SLICE : LONG_SLICE));
  }
}

/** Runs ahead to the firmware's next save while nothing moves, so that a move is saved even if the page is closed. */
function runAhead() {
  const start = clock.now;
  while (handheld.mayRunAhead && clock.now - start < BUDGET) handheld.run(LONG_SLICE);
  due = Math.max(due, handheld.now);
}

/** Called after each slice of emulated time. Uses real time even if a test has stopped the clock, as the page does. */
function reportAlive() {
  const now = performance.now();
  if (now - lastAlive < ALIVE_INTERVAL) return;
  lastAlive = now;
  postMessage({ kind: "alive" });
}

/** The emulator has failed and must not be called again. The page ends this worker and starts another. */
function reportFailure(error) {
  const message = error instanceof WebAssembly.RuntimeError ? chip.panicMessage() : "";
  postMessage({ kind: "broken", reason: message || error.message });
}

// --- Reports to the page --------------------------------------------------------------------------------------------

/** Reports all changes; with `all`, also what has not changed. */
function report(all = false) {
  reportLights(all);
  reportStatus(all);
  if (handheld.log.length) postMessage({ kind: "log", lines: handheld.log.splice(0) });
  const tones = chip.takeTones();
  if (tones) postMessage({ kind: "tones", tones, now: handheld.now, speed });
  const now = clock.now;
  if (all || now - reported.figuresAt >= FIGURES_INTERVAL) {
    reported.figuresAt = now;
    postMessage({ kind: "figures", figures: { ...chip.figures }, pace });
    pace = newPace();
  }
  reportChangedMemory(all);
  endRecording();
}

function reportLights(all) {
  const { frames, state } = chip.figures;
  const frameState = `${frames} ${state} ${handheld.down}`;
  if (!all && frameState === reported.frameState) return;
  reported.frameState = frameState;
  const lights = chip.lights();
  const seen = `${lights.join()} ${handheld.down}`;
  // The firmware sends the same frame again four times a second.
  if (!all && seen === reported.lights) return;
  reported.lights = seen;
  postMessage({ kind: "lights", lights, keys: handheld.down, frames });
}

function reportStatus(all) {
  const { status, choices, isOn, refusals } = handheld;
  const canRedo = handheld.redo.length > 0;
  // Each status from the firmware is a new object.
  const isSame = [status, choices, isOn, canRedo].every((value, index) => value === reported.status[index]);
  if (!all && isSame && refusals === 0) return;
  reported.status = [status, choices, isOn, canRedo];
  handheld.refusals = 0;
  postMessage({ kind: "status", status, choices, canRedo, isOn, isRefused: refusals > 0 });
}

/** Sends the memory to the page, which stores it, if the flash has changed. */
function reportChangedMemory(isUrgent) {
  const now = clock.now;
  if (chip.figures.flash === reported.flash || (!isUrgent && now - reported.memoryAt < MEMORY_INTERVAL)) return;
  [reported.flash, reported.memoryAt] = [chip.figures.flash, now];
  reportMemory();
}

function reportMemory() {
  postMessage({ kind: "memory", chip: chip.kind, bytes: chip.memory() });
}

// --- The logic analyser ---------------------------------------------------------------------------------------------

/** The recorded time after and before the press, and the longest wait for a press, in emulated ms. */
const TRACE_AFTER = 40, TRACE_BEFORE = 5, TRACE_TIMEOUT = 10_000;

function endRecording() {
  if (!recording) return;
  recording.pressed ??= handheld.down ? handheld.now : null;
  const since = recording.pressed ?? recording.began + TRACE_TIMEOUT;
  if (handheld.isOn && handheld.now < since + TRACE_AFTER) return;
  const trace = handheld.isOn ? chip.takeTrace() : new Float64Array();
  recording.resolve({ trace, from: Math.max(recording.began, since - TRACE_BEFORE), to: handheld.now });
  recording = null;
}

// --- Actions that the page requests ---------------------------------------------------------------------------------

/** Runs a script, unseen and without a break. */
function runScript(act) {
  try {
    return act();
  } finally {
    // The tones of a script are not played.
    chip.takeTones();
    due = handheld.now;
    before = clock.now;
    report();
  }
}

function switchOn(centreHeld) {
  handheld.powerOn(centreHeld);
  [reported.flash, recording] = [0, null];
  postMessage({ kind: "power", chip: chip.kind, isOwn });
  resume();
  report(true);
}

/** Runs until the firmware has saved all changes. */
function save() {
  handheld.save();
  report(true);
}

function addOwnFirmware(kind, bytes) {
  const reason = chip.addOwnFirmware(bytes);
  if (reason) throw new Error(reason);
  ownKinds.add(kind);
}

/** Fetches the page's own firmware for a kind of chip, unless the emulator has it. */
async function ensureOwnFirmware(kind) {
  if (!ownKinds.has(kind)) addOwnFirmware(kind, await fetchOwnFirmware(kind));
}

/** The firmware for the chosen chip; if it is not available, that for the default chip, and the reason. */
async function fetchFirst(chosen) {
  try {
    return { kind: chosen, bytes: await fetchOwnFirmware(chosen) };
  } catch ({ message }) {
    const kind = CHIP_KINDS[0];
    return { kind, bytes: await fetchOwnFirmware(kind), missing: message };
  }
}

const actions = {
  /** `memories` are those that the browser has stored. Returns why some of them could not be read. */
  async start({ chosen, memories }) {
    const [loaded, { kind, bytes, missing }] = await Promise.all([loadChip("emulator.wasm"), fetchFirst(chosen)]);
    chip = loaded;
    handheld = new Handheld(chip, reportAlive);
    addOwnFirmware(kind, bytes);
    chip.loadOwn(kind);
    const damaged = memories.map((memory) => chip.setMemory(memory)).filter((reason) => reason);
    switchOn(false);
    return { damaged, missing };
  },

  key(cell, down) {
    catchUp();
    lastKey = clock.now;
    if (down) handheld.press(cell);
    else handheld.release(cell);
    if (!isPaused && handheld.isOn) runTo(handheld.now + LATENCY * Math.min(1, speed), clock.now);
    report();
  },

  command: (name) => runScript(() => handheld.command(name)),
  redo: () => runScript(() => handheld.redoStep()),
  choose: (row, column) => runScript(() => handheld.choose(row, column)),
  startMode: (name) => runScript(() => handheld.startMode(name)),
  openLevel: (level) => runScript(() => handheld.openLevel(level)),
  openBoard: (board, play) => runScript(() => handheld.draw(board, play)),

  power(on, centreHeld) {
    if (handheld.isOn) save();
    if (on) return switchOn(centreHeld);
    handheld.powerOff();
    report(true);
  },
  save,
  setVisible(visible) {
    isVisible = visible;
    if (visible) return resume();
    handheld.releaseAll();
    save();
  },

  setSpeed(factor) {
    speed = factor;
    pace = newPace();
  },
  setPaused(paused) {
    isPaused = paused;
    if (!paused) resume();
    report(true);
  },
  /** While paused: runs this time, or to the next frame if it is 0. */
  step(milliseconds) {
    const { frames } = chip.figures;
    if (milliseconds) handheld.skip(milliseconds);
    else handheld.skip(1000, () => chip.figures.frames > frames);
    report(true);
  },
  record() {
    if (!handheld.isOn) throw new Refusal("The handheld is off. Switch it on before recording.");
    chip.startTrace();
    return new Promise((resolve) => { recording = { began: handheld.now, pressed: null, resolve }; });
  },

  /** Loads the page's own firmware for this kind of chip. */
  async loadOwn(kind) {
    await ensureOwnFirmware(kind);
    save();
    chip.loadOwn(kind);
    isOwn = true;
    switchOn(false);
  },
  /** Loads a firmware file of the user for the chip that it is for. A refused file changes nothing. */
  async load(bytes) {
    // If the file is the page's own firmware as a UF2 file, its log can be decoded with the page's own ELF file.
    await Promise.all(CHIP_KINDS.map((kind) => ensureOwnFirmware(kind).catch(() => {})));
    save();
    let reason = chip.beginTrial(bytes) || null;
    while (reason === null) {
      reason = chip.runTrial(LONG_SLICE);
      reportAlive();
    }
    if (reason) throw new Refusal(reason);
    isOwn = false;
    switchOn(false);
    return { hasLog: chip.hasLog() };
  },
  /** Loads a memory file into the handheld with its chip, which becomes the current one. */
  async setMemory(bytes) {
    const kind = chip.kindOfMemory(bytes) ?? chip.kind;
    await ensureOwnFirmware(kind);
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
    reportMemory();
    if (wasOn || isOther) switchOn(false);
    else report(true);
  },
  erase() {
    handheld.powerOff();
    chip.eraseMemory();
    reportMemory();
    switchOn(false);
  },
  memory() {
    save();
    return chip.memory();
  },

  /** The page checks whether the worker answers. */
  ping() {},

  /** For tests: stop the clock, and advance it. */
  stopClock: () => clock.stop(),
  stepClock(milliseconds) {
    clock.step(milliseconds);
    if (!handheld) return;
    catchUp();
    report(true);
  },

  readCode: (text) => chip.readCode(text),
  dailyCode: (day) => chip.dailyCode(day),
  levelCode: (level) => chip.levelCode(level),
};

addEventListener("message", async ({ data: { id, action, details } }) => {
  try {
    postMessage({ kind: "answer", id, value: await actions[action](...details) });
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) reportFailure(error);
    postMessage({ kind: "answer", id, reason: error.message });
  }
});

// The script is loaded. From now on, the page ends a worker that sends no messages.
postMessage({ kind: "alive" });
