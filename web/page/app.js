// The page: brings the handheld, the hands and the words together. Each part has a file of its own:
//
//   device.js -> worker.js -> handheld.js -> chip.js    from the page to the emulated chip, in a worker
//   board.js, keyboard.js, sound.js                     keys, lights, sound
//   status.js, words.js                                 what the firmware tells, and what the page says of it
//   share.js, guide.js                                  codes, links, the puzzle of the day; how to play
//   workshop.js, analyser.js, boards.js                 for engineers; which board it is
//   memory.js, offline.js, service-worker.js            what stays: in this browser, and without a network
//   recovery.js                                         what to go back to when the emulator has failed

import { Analyser } from "./analyser.js";
import { Board } from "./board.js";
import { Boards, CHIPS, boardName, fileName } from "./boards.js";
import { Device } from "./device.js";
import { makeGuide } from "./guide.js";
import { Keyboard } from "./keyboard.js";
import { claim, keepFlash, recall, recallFlash, remember } from "./memory.js";
import { goOffline } from "./offline.js";
import { Recovery } from "./recovery.js";
import { Share, download } from "./share.js";
import { Sound } from "./sound.js";
import { MENU, RULES, SOUND_CELL, legend, refusal, statusLine } from "./words.js";
import { Workshop } from "./workshop.js";

const $ = (id) => document.getElementById(id);
const SIDE = 5;
const SOUND_ROW = Math.floor(SOUND_CELL / SIDE);

let device, board, sound, boards, workshop, share, recovery;
let isOn = false, status = null, choices = null;
/** What was asked for last, to say why nothing came of it. */
let asked = "";

// --- Words -------------------------------------------------------------------------------------------------------------

function notice(message, bad = false) {
  $("notice").textContent = message;
  $("notice").classList.toggle("bad", bad);
}

/** A sentence with a button; nothing without a sentence. */
function offer(text, label, act) {
  $("offer").hidden = !text;
  $("offer-text").textContent = text;
  $("offer-yes").textContent = label;
  $("offer-yes").onclick = act;
}

function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function showStatus(news) {
  ({ isOn, status, choices } = news);
  say($("status"), isOn ? statusLine(status, choices) : "Switched off: the switch below the keys turns it on.");
  $("power").setAttribute("aria-checked", isOn);
  document.querySelector("[data-command=redo]").disabled = !news.canRedo;
  showLegend();
  showChoices();
  if (news.refused) {
    notice(refusal(status, asked));
    asked = "";
  }
}

let legendShown = "";
function showLegend() {
  const lines = isOn ? legend(status) : [];
  const words = JSON.stringify(lines);
  if (words === legendShown) return;
  legendShown = words;
  $("legend-panel").hidden = lines.length === 0;
  $("legend").replaceChildren(...lines.map(([colour, text]) => {
    const item = document.createElement("li");
    if (colour) {
      const swatch = document.createElement("i");
      swatch.className = `swatch ${colour}`;
      item.append(swatch, `${colour}: `);
    }
    item.append(text);
    return item;
  }));
}

// --- Scripts -----------------------------------------------------------------------------------------------------------

/** Lets the handheld do something as a whole; nothing, and said why, if it cannot. */
async function act(action, ...details) {
  board.forgetHands();
  notice("");
  try {
    return { value: await device.ask(action, ...details) };
  } catch (error) {
    notice(error.message, true);
    return null;
  }
}

function command(name) {
  if (!board.isReady) return;
  asked = name;
  if (name === "redo") act("redo");
  else act("command", name);
}

// --- Commands and choices ----------------------------------------------------------------------------------------------

function makeCommands() {
  const language = "http://www.w3.org/2000/svg";
  for (const button of $("commands").querySelectorAll("[data-command]")) {
    const corners = button.dataset.corners?.split(" ").map(Number);
    if (corners) {
      const drawing = document.createElementNS(language, "svg");
      drawing.setAttribute("viewBox", "0 0 29 29");
      drawing.setAttribute("aria-hidden", "true");
      for (let cell = 0; cell < SIDE * SIDE; cell += 1) {
        const square = document.createElementNS(language, "rect");
        const set = { x: 6 * (cell % SIDE), y: 6 * Math.floor(cell / SIDE), width: 5, height: 5, rx: 1.2 };
        Object.entries(set).forEach(([name, value]) => square.setAttribute(name, value));
        if (corners.includes(cell)) square.classList.add("used");
        drawing.append(square);
      }
      button.prepend(drawing);
    }
    button.addEventListener("click", () => command(button.dataset.command));
  }
}

/** The rows of the menu as buttons: modes start, the rest is chosen. */
function makeChoices() {
  MENU.forEach(({ name, keys }, row) => {
    const group = document.createElement("fieldset");
    group.className = "segments";
    group.dataset.row = row;
    const title = document.createElement("legend");
    title.textContent = name[0].toUpperCase() + name.slice(1);
    group.append(title);
    keys.forEach((key, column) => {
      if (SIDE * row + column === SOUND_CELL) return;
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = key;
      if (name === "rule") button.title = RULES[column];
      button.setAttribute("aria-pressed", "false");
      button.addEventListener("click", () => choose(row, column));
      group.append(button);
    });
    $("choice-rows").append(group);
  });
}

function choose(row, column) {
  if (!board.isReady) return;
  asked = "";
  if (row === 0) act("startMode", MENU[0].keys[column].toLowerCase());
  else act("choose", row, column);
}

function showChoices() {
  const chosen = choices && status && isOn
    ? [MENU[0].keys.findIndex((key) => key.toLowerCase() === status.mode), choices.rule - 1, choices.size - 2, choices.difficulty - 1, choices.brightness - 1]
    : [];
  document.querySelectorAll("#choice-rows fieldset").forEach((group, row) => {
    group.disabled = chosen.length === 0;
    group.querySelectorAll("button").forEach((button, column) => button.setAttribute("aria-pressed", column === chosen[row]));
  });
  // The handheld's switch is the one that counts; for a firmware that does not tell, it is the page's own.
  if (choices) sound.isWanted = isOn && choices.sound === 1;
  $("sound").setAttribute("aria-pressed", sound.isWanted);
}

function switchSound() {
  if (!board.isReady) return;
  if (choices) act("choose", SOUND_ROW, SOUND_CELL % SIDE);
  else {
    sound.isWanted = !sound.isWanted;
    showChoices();
  }
}

// --- The rest of the page ----------------------------------------------------------------------------------------------

function listenToControls(keyboard) {
  $("power").addEventListener("click", () => { if (board.isReady) act("power", !isOn, false); });
  $("self-test").addEventListener("click", () => { if (board.isReady) act("power", true, true); });
  $("sound").addEventListener("click", switchSound);
  const press = (on) => {
    keyboard.lettersPress = on;
    document.body.classList.toggle("show-keys", on);
    $("show-keys").setAttribute("aria-pressed", on);
  };
  press(recall("letters", false));
  $("show-keys").addEventListener("click", () => {
    press(!keyboard.lettersPress);
    remember("letters", keyboard.lettersPress);
  });
  for (const id of ["choices", "workshop"]) {
    $(id).open = recall(id, false);
    $(id).addEventListener("toggle", () => remember(id, $(id).open));
  }
}

function listenToPage() {
  // A hidden page draws nothing, and so no time passes for the handheld.
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) {
      board.forgetHands();
      sound.sleep();
    } else sound.wake();
    device.ask("setVisible", !document.hidden);
  });
  // What the firmware has not saved yet it saves now, as far as the browser gives it time.
  addEventListener("beforeunload", () => { device.ask("save"); });
}

function listenToDevice() {
  device.on("status", showStatus);
  device.on("memory", ({ chip, bytes }) => {
    if (!keepFlash(chip, bytes)) notice("This browser keeps nothing for this page: the game ends with the tab.", true);
  });
  device.on("broken", recover);
}

/** The emulator has failed, or hangs: another one goes on with what is known to be good. */
async function recover({ reason }) {
  const { memories, leftOut, words } = recovery.recover();
  board.isReady = false;
  board.forgetHands();
  device.restart();
  try {
    await switchOn(memories);
  } catch (error) {
    return notice(`${reason} It could not be started again: ${error.message} Please reload the page.`, true);
  }
  notice(`${reason} ${words}`, true);
  if (!leftOut?.size) return;
  offer("The save that was left out can be kept as a file.", "Save it", () => {
    leftOut.forEach((bytes, chip) => download(new Blob([bytes]), fileName(chip, "flash")));
    offer("");
  });
}

/** The handheld on the chosen board, with these memories. */
async function switchOn(memories) {
  const { chosen } = boards;
  const { damaged, missing } = await device.ask("start", { chosen, memories: [...memories.values()] });
  memories.forEach((bytes, chip) => keepFlash(chip, bytes));
  if (damaged.length) notice(`What this browser kept of a handheld could not be read, so it is a fresh one. ${damaged.join(" ")}`, true);
  else if (missing) notice(`This is the ${boardName(boards.chip)}, because the ${boardName(chosen)} cannot be had now. ${missing}`);
  board.isReady = true;
  $("loading").hidden = true;
}

/** Another tab has the handheld. */
function tellElsewhere() {
  $("loading").hidden = false;
  say($("loading"), "The handheld is in another tab.");
  say($("status"), "The handheld is open in another tab of this browser: two would overwrite each other’s saves.");
  offer("It can go on here instead.", "Take over", () => {
    remember("take over", true);
    location.reload();
  });
}

/** Another tab has taken the handheld over. */
function standBack() {
  board.isReady = false;
  device.end();
  tellElsewhere();
}

async function start() {
  device = new Device();
  // For the console, and for tests: `await handheld.ask("command", "hint")`.
  globalThis.handheld = device;
  const pressed = () => {
    asked = "";
    notice("");
  };
  board = new Board(device, (text) => say($("tell"), text), pressed, () => notice("The handheld is off. The switch below the keys turns it on."));
  sound = new Sound(device);
  makeCommands();
  makeChoices();
  makeGuide();
  if (location.protocol === "file:") throw new Error("A browser lets no page read its files from a folder: run `cargo play`, or put the folder on a web server.");
  const takeOver = recall("take over", false);
  remember("take over", false);
  if (!await claim(takeOver, tellElsewhere, standBack)) return device.end();
  offer("");
  say($("loading"), "Loading the handheld…");
  say($("status"), "");
  boards = new Boards(device, act, notice, offer);
  const memories = new Map(CHIPS.map((chip) => [chip, recallFlash(chip)]).filter(([, memory]) => memory));
  recovery = new Recovery(device, memories);
  workshop = new Workshop(device, boards, recovery, act, notice);
  new Analyser(device, notice);
  share = new Share(device, act, notice);
  listenToDevice();
  listenToControls(new Keyboard(board, command));
  listenToPage();
  await switchOn(memories);
  await share.begin();
  // What is not complete yet cannot be kept.
  boards.followBuild()
    .then(() => goOffline((use) => offer("There is a newer version of this page.", "Use it", use)))
    .catch(() => {});
}

start().catch((error) => {
  say($("loading"), "");
  notice(`The handheld could not be started. ${error.message}`, true);
});
