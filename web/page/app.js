// The page's script: it draws, listens, and lets time pass in the emulated handheld (emulator.wasm, made of the crate
// `web`). Sections in the order of a key press: the emulator, time, keys, hands (pointer, keyboard, commands), lights,
// what is heard, sound, the scope, the memory, files, the start.
//
// Two clocks: real milliseconds, and emulated ones since power-on. Whatever happens to the handheld is told in the
// second, so that a slow computer slows everything down alike.
"use strict";

const $ = (id) => document.getElementById(id);
const CELLS = 25;
const CENTRE = 12;
const place = (cell) => `row ${Math.floor(cell / 5) + 1} column ${(cell % 5) + 1}`;

// --- The emulator ------------------------------------------------------------------------------------------------------

let chip;
const FIGURES = ["now", "frames", "cycles", "awake", "current", "latency", "state", "flash", "resets"];
const OFF = 0, DORMANT = 2, GONE = 3;
const figures = Object.fromEntries(FIGURES.map((name) => [name, 0]));

async function startEmulator() {
  const answer = await fetch("emulator.wasm");
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
  chip = (await WebAssembly.instantiate(module, imports)).exports;
}

// Memory moves when it grows, so a view is made for each look.
const bytesAt = (address, length) => new Uint8Array(chip.memory.buffer, address, length);
const taken = (length) => bytesAt(chip.output(), length).slice();
const text = (length) => new TextDecoder().decode(taken(length));
const give = (bytes) => bytesAt(chip.input(bytes.length), bytes.length).set(bytes);

function lookAtFigures() {
  const numbers = new Float64Array(chip.memory.buffer, chip.figures(), FIGURES.length);
  FIGURES.forEach((name, index) => { figures[name] = numbers[index]; });
}

function run(milliseconds) {
  chip.run(milliseconds);
  lookAtFigures();
}

// --- Time --------------------------------------------------------------------------------------------------------------

// A picture of the screen may take so much work; the rest of its 16 ms is the browser's.
const BUDGET = 10;
// Emulated milliseconds between two looks at the real clock.
const SLICE = 2;
// Two pictures of the screen are never further apart than this for the handheld: whatever was longer, it stood still.
const LONGEST = 50;

let speed = 1;
let before = null;
// The emulator itself has failed: nothing of it may be asked any more.
let broken = false;
// The last second: real time, emulated time, time spent, pictures that came to less than was due.
const pace = { real: 0, emulated: 0, spent: 0, short: 0, ticks: 0 };

function tick(moment) {
  if (broken) return;
  requestAnimationFrame(tick);
  const elapsed = before === null ? 0 : Math.min(moment - before, LONGEST);
  before = moment;
  if (figures.state === OFF) return;
  const start = performance.now();
  const from = figures.now;
  const due = from + elapsed * speed;
  while (figures.now < due - 1e-3 && performance.now() - start < BUDGET) {
    turnKeys();
    run(Math.max(Math.min(due - figures.now, SLICE, nextTurn() - figures.now), 0.01));
  }
  turnKeys();
  pace.real += elapsed;
  pace.emulated += figures.now - from;
  pace.spent += performance.now() - start;
  pace.ticks += 1;
  pace.short += figures.now < due - SLICE ? 1 : 0;
  playTones(from);
  showLights();
  keepMemory();
}

// --- Keys --------------------------------------------------------------------------------------------------------------

// A contact stays as it is for at least so long: a click that is over at once is still a press.
const SHORTEST = 40;
// Who holds each key down: fingers, keys of the keyboard, commands, a latch.
const holders = Array.from({ length: CELLS }, () => new Set());
// Changes to come, in order of their emulated time, and when each key is next free to change.
let turns = [];
const free = new Float64Array(CELLS);

const nextTurn = () => (turns.length ? turns[0].at : Infinity);

function turnKeys() {
  while (turns.length && turns[0].at <= figures.now) {
    const { cell, down } = turns.shift();
    chip.set_key(cell, down);
    buttons[cell].classList.toggle("down", down);
  }
}

function turn(cell, down, earliest = 0) {
  const at = Math.max(figures.now, free[cell], earliest);
  free[cell] = at + SHORTEST;
  turns.push({ at, cell, down });
  turns.sort((a, b) => a.at - b.at);
  if (figures.state === OFF) settleKeys();
}

function hold(cell, who) {
  if (holders[cell].has(who)) return;
  holders[cell].add(who);
  if (holders[cell].size === 1) turn(cell, true);
}

function letGo(cell, who, earliest) {
  if (holders[cell].delete(who) && holders[cell].size === 0) turn(cell, false, earliest);
}

// A press that is only told as a whole, by a screen reader or a voice.
function tap(cell) {
  hold(cell, "tap");
  letGo(cell, "tap", figures.now + 60);
}

function letAllGo() {
  holders.forEach((who, cell) => [...who].forEach((one) => letGo(cell, one)));
  document.querySelectorAll(".latched, #legend .down").forEach((one) => one.classList.remove("latched", "down"));
  commands.clear();
}

// The emulated clock starts anew, or stands: keys are at once as they are held.
function settleKeys() {
  turns = [];
  free.fill(0);
  holders.forEach((who, cell) => {
    chip.set_key(cell, who.size > 0);
    buttons[cell].classList.toggle("down", who.size > 0);
  });
}

function powerOn(centreHeld = false) {
  powerOff();
  if (centreHeld) hold(CENTRE, "self-test");
  const [high, low] = crypto.getRandomValues(new Uint32Array(2));
  chip.power_on(high, low);
  kept.operations = 0;
  lookAtFigures();
  settleKeys();
  if (centreHeld) letGo(CENTRE, "self-test", 1500);
  $("power").setAttribute("aria-checked", "true");
  $("log").replaceChildren();
  notice("");
}

function powerOff() {
  if (figures.state !== OFF) {
    keepMemory(true);
    chip.power_off();
  }
  lookAtFigures();
  settleKeys();
  silence();
  $("power").setAttribute("aria-checked", "false");
  showLights();
}

// --- Hands -------------------------------------------------------------------------------------------------------------

// Places of the keyboard, whatever is printed on them. Four rows of a keyboard are above the space bar; the fifth row of
// the handheld is on the right of the second.
const CODES = ["Digit1", "Digit2", "Digit3", "Digit4", "Digit5", "KeyQ", "KeyW", "KeyE", "KeyR", "KeyT", "KeyA", "KeyS",
  "KeyD", "KeyF", "KeyG", "KeyZ", "KeyX", "KeyC", "KeyV", "KeyB", "KeyY", "KeyU", "KeyI", "KeyO", "KeyP"];
const buttons = [];
// Whether the last hand was one that does not see the lights for sure.
let byKeyboard = false;

function makeKeys() {
  for (let cell = 0; cell < CELLS; cell += 1) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "key";
    button.tabIndex = cell === CENTRE ? 0 : -1;
    button.setAttribute("aria-label", `${place(cell)}, dark`);
    const cap = document.createElement("span");
    cap.setAttribute("aria-hidden", "true");
    cap.textContent = CODES[cell].slice(-1);
    button.append(cap);
    buttons.push(button);
    listenToKey(button, cell);
  }
  $("keys").append(...buttons);
  // Where the browser tells what is printed on the keys, that is shown.
  navigator.keyboard?.getLayoutMap?.().then((layout) => {
    buttons.forEach((button, cell) => { button.firstChild.textContent = layout.get(CODES[cell]) ?? CODES[cell].slice(-1); });
  }).catch(() => {});
}

function focusKey(cell) {
  buttons.forEach((button, index) => { button.tabIndex = index === cell ? 0 : -1; });
  buttons[cell].focus({ preventScroll: true });
}

function listenToKey(button, cell) {
  button.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    byKeyboard = false;
    focusKey(cell);
    const latched = button.classList.contains("latched");
    if (latched || event.button === 2 || event.shiftKey) {
      button.classList.toggle("latched", !latched);
      latched ? letGo(cell, "latch") : hold(cell, "latch");
      return;
    }
    if (event.button !== 0) return;
    // The key is this finger's until it is lifted, wherever it slides.
    button.setPointerCapture(event.pointerId);
    hold(cell, `pointer ${event.pointerId}`);
  });
  for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) {
    button.addEventListener(end, (event) => letGo(cell, `pointer ${event.pointerId}`));
  }
  button.addEventListener("contextmenu", (event) => event.preventDefault());
  // A click that no pointer or key came before is from a screen reader or a voice.
  button.addEventListener("click", (event) => {
    if (event.detail === 0) {
      byKeyboard = true;
      tap(cell);
    }
  });
  button.addEventListener("keydown", (event) => {
    const [row, column] = [Math.floor(cell / 5), cell % 5];
    const go = { ArrowUp: [(row + 4) % 5, column], ArrowDown: [(row + 1) % 5, column], ArrowLeft: [row, (column + 4) % 5],
      ArrowRight: [row, (column + 1) % 5], Home: [row, 0], End: [row, 4] }[event.key];
    if (go) focusKey(5 * go[0] + go[1]);
    else if (event.key === " " || event.key === "Enter") {
      byKeyboard = true;
      if (!event.repeat) hold(cell, event.code);
    } else return;
    event.preventDefault();
  });
  button.addEventListener("keyup", (event) => {
    if (event.key === " " || event.key === "Enter") event.preventDefault();
  });
}

function listenToKeyboard() {
  document.addEventListener("keydown", (event) => {
    const cell = CODES.indexOf(event.code);
    const writing = event.target.closest?.("input, select, textarea");
    if (cell < 0 || writing || event.ctrlKey || event.metaKey || event.altKey) return;
    byKeyboard = true;
    if (!event.repeat) hold(cell, event.code);
    event.preventDefault();
  });
  // Focus may have moved on since the key went down.
  document.addEventListener("keyup", (event) => buttons.forEach((_, cell) => letGo(cell, event.code)));
  addEventListener("blur", letAllGo);
}

// A command's two corners are down at least this long, even for a click: 0.7 s make it a command.
const COMMAND = 800;
const commands = new Map();

function makeLegend() {
  const shape = "http://www.w3.org/2000/svg";
  for (const button of $("legend").children) {
    const corners = button.dataset.corners.split(" ").map(Number);
    const drawing = document.createElementNS(shape, "svg");
    drawing.setAttribute("viewBox", "0 0 29 29");
    drawing.setAttribute("aria-hidden", "true");
    for (let cell = 0; cell < CELLS; cell += 1) {
      const square = document.createElementNS(shape, "rect");
      const set = { x: 6 * (cell % 5), y: 6 * Math.floor(cell / 5), width: 5, height: 5, rx: 1.2 };
      Object.entries(set).forEach(([name, value]) => square.setAttribute(name, value));
      if (corners.includes(cell)) square.classList.add("used");
      drawing.append(square);
    }
    button.prepend(drawing);
    const begin = () => {
      if (commands.has(button) || figures.state === OFF) return;
      commands.set(button, figures.now);
      button.classList.add("down");
      corners.forEach((cell) => hold(cell, "command"));
    };
    const end = () => {
      if (!commands.has(button)) return;
      corners.forEach((cell) => letGo(cell, "command", commands.get(button) + COMMAND));
      commands.delete(button);
      button.classList.remove("down");
    };
    button.addEventListener("pointerdown", (event) => { if (event.button === 0) { byKeyboard = false; begin(); } });
    for (const name of ["pointerup", "pointercancel", "pointerleave", "blur"]) button.addEventListener(name, end);
    button.addEventListener("keydown", (event) => {
      if (event.key === " " || event.key === "Enter") { byKeyboard = true; begin(); event.preventDefault(); }
    });
    button.addEventListener("keyup", end);
    button.addEventListener("click", (event) => { if (event.detail === 0) { byKeyboard = true; begin(); end(); } });
    button.addEventListener("contextmenu", (event) => event.preventDefault());
  }
}

// --- Lights ------------------------------------------------------------------------------------------------------------

// What is on the wire is proportional to light; the firmware has raised its colours to the power of 2.8 for that.
const GAMMA = 2.8;
// A screen is no lamp: its brightest is dimmer than a LED's, so all levels are raised a little.
const EXPOSURE = 1.3;
const perceived = Float64Array.from({ length: 256 }, (_, value) => (value / 255) ** (1 / GAMMA));

const shown = new Uint8Array(3 * CELLS);
let lit = 0;
let stillSince = 0;
// Changes of the lights in the last 1.5 s: a hint is one light that changes all the time, alone.
let changes = [];
let pulsing = -1;

function showLights() {
  const leds = bytesAt(chip.leds(), 3 * CELLS);
  let changed = 0;
  for (let cell = 0; cell < CELLS; cell += 1) {
    const at = 3 * cell;
    if (leds[at] === shown[at] && leds[at + 1] === shown[at + 1] && leds[at + 2] === shown[at + 2]) continue;
    changed |= 1 << cell;
    const channels = [0, 1, 2].map((channel) => perceived[shown[at + channel] = leds[at + channel]]);
    const level = Math.max(...channels);
    const style = buttons[cell].style;
    if (level > 0) style.setProperty("--rgb", channels.map((channel) => Math.round(255 * channel / level)).join(" "));
    style.setProperty("--lit", Math.min(1, level * EXPOSURE).toFixed(3));
    lit = level > 0 ? lit | 1 << cell : lit & ~(1 << cell);
  }
  if (changed) changes.push({ at: figures.now, mask: changed });
  if (changed && (changed & (changed - 1) || pulsing < 0)) stillSince = performance.now();
  if (figures.frames > 0 && !document.documentElement.dataset.firstFrame) {
    document.documentElement.dataset.firstFrame = Math.round(performance.now());
  }
}

function findPulse() {
  changes = changes.filter(({ at }) => at > figures.now - 1500 && at <= figures.now);
  const mask = changes[0]?.mask ?? 0;
  const alone = changes.length >= 8 && (mask & (mask - 1)) === 0 && changes.every((change) => change.mask === mask);
  pulsing = alone ? 31 - Math.clz32(mask) : -1;
}

// --- What is heard -----------------------------------------------------------------------------------------------------

const said = new Array(CELLS).fill("dark");
let toldLit = 0;
let toldPulse = -1;

function notice(message, bad = false) {
  $("notice").textContent = message;
  $("notice").classList.toggle("bad", bad);
}

function describe() {
  findPulse();
  for (let cell = 0; cell < CELLS; cell += 1) {
    const state = cell === pulsing ? "pulsing" : lit >> cell & 1 ? "lit" : "dark";
    if (state === said[cell]) continue;
    said[cell] = state;
    buttons[cell].setAttribute("aria-label", `${place(cell)}, ${state}`);
  }
  if (!byKeyboard) return;
  // In words, but only once the picture is at rest: a film cannot be told.
  if (pulsing >= 0) {
    if (toldPulse !== pulsing) $("heard").textContent = `Hint: ${place(pulsing)}.`;
  } else if (lit !== toldLit && performance.now() - stillSince > 500) {
    toldLit = lit;
    $("heard").textContent = boardInWords();
  }
  toldPulse = pulsing;
}

function boardInWords() {
  const rows = [];
  for (let row = 0; row < 5; row += 1) {
    const columns = [0, 1, 2, 3, 4].filter((column) => lit >> (5 * row + column) & 1).map((column) => column + 1);
    if (columns.length) rows.push(`row ${row + 1}: ${columns.join(", ")}`);
  }
  return rows.length ? `Lit are ${rows.join("; ")}.` : "All lights are out.";
}

// --- Sound -------------------------------------------------------------------------------------------------------------

let audio = null;

// Browsers allow sound after the first touch of the page, not before.
function wakeSound() {
  if (!audio && globalThis.AudioContext) {
    const context = new AudioContext();
    const [tone, volume] = [new OscillatorNode(context, { type: "square" }), new GainNode(context, { gain: 0 })];
    // A piezo disc has no bass, but a loudspeaker makes a square wave harsher than it is.
    tone.connect(new BiquadFilterNode(context, { type: "lowpass", frequency: 5000 })).connect(volume).connect(context.destination);
    tone.start();
    audio = { context, tone, volume };
  }
  if (audio?.context.state === "suspended" && !document.hidden) audio.context.resume().catch(() => {});
}

function playTones(from) {
  const length = chip.take_tones();
  if (!length) return;
  const numbers = new Float64Array(taken(length).buffer);
  if (!audio || $("sound").getAttribute("aria-pressed") !== "true") return;
  for (let index = 0; index < numbers.length; index += 2) {
    const at = audio.context.currentTime + 0.02 + Math.max(0, numbers[index] - from) / 1000 / speed;
    if (numbers[index + 1] > 0) audio.tone.frequency.setValueAtTime(numbers[index + 1], at);
    audio.volume.gain.setTargetAtTime(numbers[index + 1] > 0 ? 0.05 : 0, at, 0.002);
  }
}

function silence() {
  if (!audio) return;
  audio.volume.gain.cancelScheduledValues(0);
  audio.volume.gain.setTargetAtTime(0, audio.context.currentTime, 0.002);
}

// --- The scope ---------------------------------------------------------------------------------------------------------

let earlier = { now: 0, frames: 0, cycles: 0, awake: 0 };
const trace = [];
const calm = matchMedia("(prefers-reduced-motion: reduce)");

// Four times a second.
function showScope() {
  if (broken) return;
  const on = figures.state !== OFF;
  const tell = (id, words) => { $(id).textContent = words; };
  if (figures.now < earlier.now) earlier = { now: 0, frames: 0, cycles: 0, awake: 0 };
  const cycles = figures.cycles - earlier.cycles;
  const asleep = figures.state === DORMANT ? 1 : cycles > 0 ? 1 - (figures.awake - earlier.awake) / cycles : 1;
  tell("latency", on && figures.latency ? `${figures.latency.toFixed(2)} ms` : "–");
  tell("asleep", on ? `${(100 * asleep).toFixed(asleep > 0.995 ? 2 : 1)} %` : "–");
  tell("current", on ? `${figures.current.toFixed(0)} mA` : "–");
  tell("frames", on ? figures.frames.toLocaleString("en") : "–");
  tell("writes", on ? figures.flash.toLocaleString("en") : "–");
  earlier = { ...figures };
  drawTrace(on ? figures.current : 0);
  describe();
  showLog();
  if (figures.state === GONE) notice("The firmware has left for the boot ROM, as for USB programming. Switch off and on.", true);
}

// Once a second.
let slow = false;
function showPace() {
  const factor = pace.real > 0 ? pace.emulated / pace.real : 0;
  const on = figures.state !== OFF && pace.ticks > 0;
  $("pace").textContent = on ? `${factor.toFixed(2)}×` : "–";
  $("pace").title = on ? `${(100 * pace.spent / Math.max(1, pace.real)).toFixed(0)} % of one core` : "";
  const wasSlow = slow;
  slow = on && pace.short > pace.ticks / 4;
  $("pace").classList.toggle("bad", slow);
  if (slow) notice(`This computer manages ${factor.toFixed(1)}× at the moment, so the handheld’s time runs slower. No light is lost.`);
  else if (wasSlow) notice("");
  beginPace();
}

function beginPace() {
  Object.keys(pace).forEach((name) => { pace[name] = 0; });
}

function drawTrace(current) {
  trace.push(current);
  if (trace.length > 160) trace.shift();
  if (calm.matches) return;
  const { width, height } = $("trace");
  const pen = $("trace").getContext("2d");
  pen.clearRect(0, 0, width, height);
  pen.strokeStyle = "#ffffff22";
  pen.beginPath();
  for (let line = 1; line < 4; line += 1) { pen.moveTo(0, line * height / 4); pen.lineTo(width, line * height / 4); }
  pen.stroke();
  pen.strokeStyle = "#ffb638";
  pen.lineWidth = 3;
  pen.beginPath();
  trace.forEach((value, index) => pen.lineTo(width - 4 * (trace.length - index), height - 4 - (height - 8) * Math.min(1, value / 400)));
  pen.stroke();
  pen.fillStyle = "#ffffff99";
  pen.font = "20px system-ui, sans-serif";
  pen.fillText("400 mA", 8, 22);
}

function showLog() {
  const length = chip.take_log();
  if (!length) return;
  const list = $("log");
  const atEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 30;
  for (const line of text(length).trimEnd().split("\n")) {
    const [at, level, message, where] = line.split("\t");
    const entry = document.createElement("li");
    const time = document.createElement("time");
    time.textContent = at;
    entry.append(time, message.replaceAll("\u2028", "\n"));
    entry.className = level.toLowerCase();
    if (where) entry.title = where;
    list.append(entry);
  }
  while (list.children.length > 300) list.firstChild.remove();
  if (atEnd) list.scrollTop = list.scrollHeight;
}

// --- The memory --------------------------------------------------------------------------------------------------------

// One for each place that the page is served from: a host may hold several.
const STORE = `lights-out-flash ${new URL(".", location.href).pathname}`;
// Flash operations since power-on that have been stored, and when.
let kept = { operations: 0, at: 0 };

function keepMemory(now = false) {
  const moment = performance.now();
  if (figures.flash === kept.operations || (!now && moment - kept.at < 200)) return;
  kept = { operations: figures.flash, at: moment };
  storeMemory();
}

function storeMemory() {
  const bytes = taken(chip.saved());
  let letters = "";
  for (let at = 0; at < bytes.length; at += 4096) letters += String.fromCharCode(...bytes.subarray(at, at + 4096));
  try {
    localStorage.setItem(STORE, btoa(letters));
  } catch {
    notice("This browser keeps nothing for this page: the game ends with the tab.", true);
  }
}

function recallMemory() {
  try {
    const letters = localStorage.getItem(STORE);
    if (letters === null) return;
    give(Uint8Array.from(atob(letters), (letter) => letter.charCodeAt(0)));
    if (chip.set_saved() !== 0) localStorage.removeItem(STORE);
  } catch {
    // Not kept, or not in letters: a fresh handheld.
  }
}

// --- Files -------------------------------------------------------------------------------------------------------------

const MEMORY_BEGINS = "LightsOutFlash";
let ownFirmware;

async function openFile(file) {
  if (file.size > 16e6) return notice(`${file.name} was not opened: it is too large to be a firmware.`, true);
  const bytes = new Uint8Array(await file.arrayBuffer());
  const isMemory = new TextDecoder().decode(bytes.subarray(0, MEMORY_BEGINS.length)) === MEMORY_BEGINS;
  const wasOn = figures.state !== OFF;
  keepMemory(true);
  give(bytes);
  const message = isMemory || /\.flash$/.test(file.name) ? chip.set_saved() : chip.load(false);
  if (message) return notice(`${file.name} was not opened. ${text(message)}`, true);
  if (isMemory) storeMemory();
  else firmwareIs(file.name);
  lookAtFigures();
  if (wasOn || !isMemory) powerOn();
  notice(isMemory ? `The memory is now that of ${file.name}.` : `${file.name} is running. The memory is as it was.`);
}

function firmwareIs(name) {
  $("running").textContent = `Firmware: ${name ?? "this page’s own"}`;
  $("own").hidden = name === null;
}

function loadOwn() {
  give(ownFirmware);
  const message = chip.load(true);
  if (message) throw new Error(text(message));
  firmwareIs(null);
  lookAtFigures();
}

function saveFile() {
  keepMemory(true);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([taken(chip.saved())], { type: "application/octet-stream" }));
  link.download = "lights-out.flash";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

function listenToControls() {
  $("power").addEventListener("click", () => (figures.state === OFF ? powerOn() : powerOff()));
  $("self-test").addEventListener("click", () => powerOn(true));
  $("speed").addEventListener("change", (event) => {
    speed = Number(event.target.value);
    beginPace();
  });
  $("sound").addEventListener("click", (event) => {
    const on = event.currentTarget.getAttribute("aria-pressed") !== "true";
    event.currentTarget.setAttribute("aria-pressed", on);
    if (!on) silence();
  });
  $("show-keys").addEventListener("click", (event) => {
    const on = document.body.classList.toggle("show-keys");
    event.currentTarget.setAttribute("aria-pressed", on);
    $("keys-tip").hidden = !on;
  });
  $("export").addEventListener("click", saveFile);
  $("import").addEventListener("click", () => $("file").click());
  $("file").addEventListener("change", (event) => {
    [...event.target.files].forEach(openFile);
    event.target.value = "";
  });
  $("erase").addEventListener("click", () => {
    if (!confirm("Erase the handheld’s memory: game, results, settings?")) return;
    chip.erase_saved();
    lookAtFigures();
    storeMemory();
    powerOn();
    notice("The memory is erased.");
  });
  $("own").addEventListener("click", () => {
    keepMemory(true);
    loadOwn();
    powerOn();
  });
  for (const name of ["dragover", "dragleave", "drop"]) {
    addEventListener(name, (event) => {
      event.preventDefault();
      $("drop").classList.toggle("shown", name === "dragover");
      if (name === "drop" && event.dataTransfer.files.length) openFile(event.dataTransfer.files[0]);
    });
  }
}

// --- The start ---------------------------------------------------------------------------------------------------------

function listenToPage() {
  for (const name of ["pointerdown", "keydown"]) addEventListener(name, wakeSound, { capture: true });
  // A hidden page draws nothing, and so no time passes for the handheld.
  document.addEventListener("visibilitychange", () => {
    before = null;
    if (!document.hidden) return wakeSound();
    letAllGo();
    silence();
    keepMemory(true);
    audio?.context.suspend().catch(() => {});
  });
  addEventListener("pagehide", () => keepMemory(true));
}

async function start() {
  makeKeys();
  makeLegend();
  if (location.protocol === "file:") throw new Error("A browser lets no page read its files from a folder: run `cargo play`, or put the folder on a web server.");
  const firmware = fetch("firmware.elf").then((answer) => {
    if (!answer.ok) throw new Error(`firmware.elf: ${answer.status}`);
    return answer.arrayBuffer();
  });
  await startEmulator();
  ownFirmware = new Uint8Array(await firmware);
  loadOwn();
  recallMemory();
  listenToControls();
  listenToKeyboard();
  listenToPage();
  powerOn();
  requestAnimationFrame(tick);
  setInterval(showScope, 250);
  setInterval(showPace, 1000);
}

start().catch((error) => notice(`The handheld could not be started. ${error.message}`, true));
addEventListener("error", ({ error }) => {
  if (!(error instanceof WebAssembly.RuntimeError)) return;
  broken = true;
  notice("The emulated chip has failed, which is a fault of ours. Reloading the page switches it on again.", true);
});
