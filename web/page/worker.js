// The worker: lets time pass in the handheld, does what the page asks for, and tells what came of it. Nothing that happens on the
// page can disturb it, and no burst of work in it can disturb the page.
//
// Two clocks: real milliseconds, and emulated ones since power-on. Whatever happens to the handheld is told in the second, so
// that a slow computer slows everything down alike.

import { loadChip } from "./chip.js";
import { Handheld, Refusal } from "./handheld.js";

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

let handheld, chip, ownFirmware;
let speed = 1, isPaused = false, isVisible = true;
/** The emulated moment that is due; the real moment it was worked out at; when a finger last moved. */
let due = 0, before = 0, touched = 0;
let timer = null;
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
  timer = null;
  try {
    live();
  } catch (error) {
    return fail(error);
  }
  if (handheld.isOn && isVisible && !isPaused) timer = setTimeout(tick, TICK);
}

function goOn() {
  before = performance.now();
  due = handheld.now;
  if (timer === null) tick();
}

function live() {
  const start = performance.now();
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
  pace.spent += performance.now() - start;
  if (start - touched > QUIET) runAhead();
  tell();
}

function runTo(moment, start) {
  while (handheld.now < moment - 1e-3 && performance.now() - start < BUDGET) {
    handheld.run(Math.min(moment - handheld.now, handheld.down ? SLICE : LONG_SLICE));
  }
}

/** To the firmware's next save, as long as nobody can see it: a page that is closed right after a move has kept it. */
function runAhead() {
  const start = performance.now();
  while (handheld.mayRunAhead && performance.now() - start < BUDGET) handheld.run(LONG_SLICE);
  due = Math.max(due, handheld.now);
}

/** The emulator itself has failed, which no firmware can bring about: nothing of it may be asked any more. */
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
  const moment = performance.now();
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
  const moment = performance.now();
  if (chip.figures.flash === told.flash || (!now && moment - told.kept < KEEP)) return;
  [told.flash, told.kept] = [chip.figures.flash, moment];
  postMessage({ kind: "memory", bytes: chip.memory() });
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
    before = performance.now();
    tell();
  }
}

function switchOn(centreHeld) {
  handheld.powerOn(centreHeld);
  [told.flash, recording] = [0, null];
  postMessage({ kind: "power" });
  goOn();
  tell(true);
}

/** The page's own firmware, or another. A file that is refused changes nothing. */
function load(bytes) {
  const reason = bytes ? chip.load(bytes, false) : chip.load(ownFirmware, true);
  if (reason) throw new Refusal(reason);
}

const actions = {
  async start({ memory }) {
    const firmware = fetch("firmware.elf").then((answer) => {
      if (!answer.ok) throw new Error(`firmware.elf: ${answer.status}`);
      return answer.arrayBuffer();
    });
    chip = await loadChip("emulator.wasm");
    handheld = new Handheld(chip);
    ownFirmware = new Uint8Array(await firmware);
    load(null);
    const damaged = memory ? chip.setMemory(memory) : "";
    switchOn(false);
    return { damaged };
  },

  key(cell, down) {
    live();
    touched = performance.now();
    if (down) handheld.press(cell);
    else handheld.release(cell);
    if (!isPaused && handheld.isOn) runTo(handheld.now + ANSWER * Math.min(1, speed), performance.now());
    tell();
  },

  command: (name) => script(() => handheld.command(name)),
  redo: () => script(() => handheld.redoStep()),
  choose: (row, column) => script(() => handheld.choose(row, column)),
  startMode: (name) => script(() => handheld.startMode(name)),
  openLevel: (level) => script(() => handheld.openLevel(level)),
  openBoard: (board, play) => script(() => handheld.draw(board, play)),

  power(on, centreHeld) {
    if (handheld.isOn) {
      handheld.save();
      tell(true);
    }
    if (on) return switchOn(centreHeld);
    handheld.powerOff();
    tell(true);
  },
  save() {
    handheld.save();
    tell(true);
  },
  setVisible(visible) {
    isVisible = visible;
    if (visible) return goOn();
    handheld.releaseAll();
    handheld.save();
    tell(true);
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

  /** Another firmware; none is the page's own. */
  load(bytes) {
    handheld.save();
    tell(true);
    load(bytes);
    switchOn(false);
    return { hasLog: chip.hasLog() };
  },
  setMemory(bytes) {
    handheld.save();
    tell(true);
    const wasOn = handheld.isOn;
    const reason = chip.setMemory(bytes);
    if (reason) throw new Refusal(reason);
    handheld.powerOff();
    postMessage({ kind: "memory", bytes: chip.memory() });
    if (wasOn) switchOn(false);
    else tell(true);
  },
  erase() {
    handheld.powerOff();
    chip.eraseMemory();
    postMessage({ kind: "memory", bytes: chip.memory() });
    switchOn(false);
  },
  memory() {
    handheld.save();
    tell(true);
    return chip.memory();
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
