// The page: connects all parts. Each part has its own file:
//
//   device.js -> worker.js -> handheld.js -> chip.js    from the page to the emulated chip, in a worker
//   board.js, keyboard.js, sound.js                     keys, lights, sound
//   status.js, texts.js                                 the firmware's status from its log, and the texts about it
//   share.js, how-to-play.js                            codes, links and the puzzle of the day; the manual
//   workshop.js, analyser.js, boards.js                 tools for engineers; the choice between Pico and Pico 2
//   storage.js, offline.js, service-worker.js           storage in the browser, and the page without a network
//   recovery.js                                         the state that the page restarts with after a failure

import { Analyser } from "./analyser.js";
import { Board } from "./board.js";
import { Boards, CHIPS, boardName, fileName } from "./boards.js";
import { Device } from "./device.js";
import { addManual } from "./how-to-play.js";
import { Keyboard } from "./keyboard.js";
import { goOffline } from "./offline.js";
import { Recovery } from "./recovery.js";
import { Share, download } from "./share.js";
import { Sound } from "./sound.js";
import { acquireLock, loadMemory, loadSetting, storeMemory, storeSetting } from "./storage.js";
import { MENU, RULES, SOUND_CELL, legend, refusal, statusLine } from "./texts.js";
import { Workshop } from "./workshop.js";

const $ = (id) => document.getElementById(id);
const SIDE = 5;
const SOUND_ROW = Math.floor(SOUND_CELL / SIDE);

let device, board, sound, boards, workshop, share, recovery;
let isOn = false, status = null, choices = null;
/** The last command, for the text that explains a refusal. */
let lastCommand = "";

// --- Texts ----------------------------------------------------------------------------------------------------------

function showNotice(message, isError = false) {
  $("notice").textContent = message;
  $("notice").classList.toggle("bad", isError);
}

/** Shows a sentence with a button. An empty sentence hides both. */
function showOffer(text, label, accept) {
  $("offer").hidden = !text;
  $("offer-text").textContent = text;
  $("offer-yes").textContent = label;
  $("offer-yes").onclick = accept;
}

/** Sets a text, unless it is the same: a screen reader would read it again. */
function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function showStatus(data) {
  ({ isOn, status, choices } = data);
  setText($("status"), isOn ? statusLine(status, choices) : "Switched off. Switch it on below the keys.");
  $("power").setAttribute("aria-checked", isOn);
  document.querySelector("[data-command=redo]").disabled = !data.canRedo;
  showLegend();
  showChoices();
  if (data.isRefused) {
    showNotice(refusal(status, lastCommand));
    lastCommand = "";
  }
}

let legendShown = "";
function showLegend() {
  const lines = isOn ? legend(status) : [];
  const content = JSON.stringify(lines);
  if (content === legendShown) return;
  legendShown = content;
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

// --- Actions --------------------------------------------------------------------------------------------------------

/** Sends an action to the handheld. After an error, shows it and returns null. */
async function runAction(action, ...details) {
  board.clearHolders();
  showNotice("");
  try {
    return { value: await device.ask(action, ...details) };
  } catch (error) {
    showNotice(error.message, true);
    return null;
  }
}

function runCommand(name) {
  if (!board.isReady) return;
  lastCommand = name;
  if (name === "redo") runAction("redo");
  else runAction("command", name);
}

// --- Commands and choices -------------------------------------------------------------------------------------------

function makeCommands() {
  const namespace = "http://www.w3.org/2000/svg";
  for (const button of $("commands").querySelectorAll("[data-command]")) {
    const corners = button.dataset.corners?.split(" ").map(Number);
    if (corners) {
      const drawing = document.createElementNS(namespace, "svg");
      drawing.setAttribute("viewBox", "0 0 29 29");
      drawing.setAttribute("aria-hidden", "true");
      for (let cell = 0; cell < SIDE * SIDE; cell += 1) {
        const square = document.createElementNS(namespace, "rect");
        const attributes = { x: 6 * (cell % SIDE), y: 6 * Math.floor(cell / SIDE), width: 5, height: 5, rx: 1.2 };
        Object.entries(attributes).forEach(([name, value]) => square.setAttribute(name, value));
        if (corners.includes(cell)) square.classList.add("used");
        drawing.append(square);
      }
      button.prepend(drawing);
    }
    button.addEventListener("click", () => runCommand(button.dataset.command));
  }
}

/** Makes buttons for the rows of the menu. A mode starts at once; the others are settings. */
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
  lastCommand = "";
  if (row === 0) runAction("startMode", MENU[0].keys[column].toLowerCase());
  else runAction("choose", row, column);
}

function showChoices() {
  let chosen = [];
  if (choices && status && isOn) {
    const mode = MENU[0].keys.findIndex((key) => key.toLowerCase() === status.mode);
    chosen = [mode, choices.rule - 1, choices.size - 2, choices.difficulty - 1, choices.brightness - 1];
  }
  document.querySelectorAll("#choice-rows fieldset").forEach((group, row) => {
    group.disabled = chosen.length === 0;
    group.querySelectorAll("button").forEach((button, column) => {
      button.setAttribute("aria-pressed", column === chosen[row]);
    });
  });
  // The handheld has the sound setting. For a firmware that does not report it, the page has its own setting.
  if (choices) sound.isEnabled = isOn && choices.sound === 1;
  $("sound").setAttribute("aria-pressed", sound.isEnabled);
}

function switchSound() {
  if (!board.isReady) return;
  if (choices) runAction("choose", SOUND_ROW, SOUND_CELL % SIDE);
  else {
    sound.isEnabled = !sound.isEnabled;
    showChoices();
  }
}

// --- The rest of the page -------------------------------------------------------------------------------------------

function listenToControls(keyboard) {
  $("power").addEventListener("click", () => { if (board.isReady) runAction("power", !isOn, false); });
  $("self-test").addEventListener("click", () => { if (board.isReady) runAction("power", true, true); });
  $("sound").addEventListener("click", switchSound);
  const setLetters = (on) => {
    keyboard.lettersPress = on;
    document.body.classList.toggle("show-letters", on);
    $("letter-keys").setAttribute("aria-pressed", on);
  };
  setLetters(loadSetting("letters", false));
  $("letter-keys").addEventListener("click", () => {
    setLetters(!keyboard.lettersPress);
    storeSetting("letters", keyboard.lettersPress);
  });
  for (const id of ["choices", "workshop"]) {
    $(id).open = loadSetting(id, false);
    $(id).addEventListener("toggle", () => storeSetting(id, $(id).open));
  }
}

function listenToPage() {
  // The handheld is stopped while the page is hidden.
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) {
      board.clearHolders();
      sound.suspend();
    } else sound.resume();
    device.ask("setVisible", !document.hidden);
  });
  // The firmware saves now, if the browser allows it enough time.
  addEventListener("beforeunload", () => { device.ask("save"); });
}

function listenToDevice() {
  device.on("status", showStatus);
  device.on("memory", ({ chip, bytes }) => {
    if (storeMemory(chip, bytes)) return;
    showNotice("This browser does not store data for this page. The game is lost when you close the tab.", true);
  });
  device.on("broken", recover);
}

/** Starts another emulator after a failure, with the last state that is trusted. */
async function recover({ reason }) {
  const { memories, leftOut, text } = recovery.recover();
  board.isReady = false;
  board.clearHolders();
  device.restart();
  try {
    await switchOn(memories);
  } catch (error) {
    return showNotice(`${reason} It could not be restarted: ${error.message} Reload the page.`, true);
  }
  showNotice(`${reason} ${text}`, true);
  if (!leftOut?.size) return;
  showOffer("You can save the unused data as a file.", "Save it", () => {
    leftOut.forEach((bytes, chip) => download(new Blob([bytes]), fileName(chip, "flash")));
    showOffer("");
  });
}

/** Starts the handheld on the chosen board, with these memories. */
async function switchOn(memories) {
  const { chosen } = boards;
  const { damaged, missing } = await device.ask("start", { chosen, memories: [...memories.values()] });
  memories.forEach((bytes, chip) => storeMemory(chip, bytes));
  if (damaged.length) {
    showNotice(`The data stored in this browser cannot be read, so a new game was started. ${damaged.join(" ")}`, true);
  } else if (missing) {
    showNotice(`The ${boardName(chosen)} is not available, so this is the ${boardName(boards.chip)}. ${missing}`);
  }
  board.isReady = true;
  $("loading").hidden = true;
}

/** Shows that another tab has the handheld. */
function showOtherTab() {
  $("loading").hidden = false;
  setText($("loading"), "The handheld is open in another tab.");
  setText($("status"), "The handheld is open in another tab of this browser. Only one tab can use it at a time.");
  showOffer("You can continue the game in this tab.", "Take over", () => {
    storeSetting("take over", true);
    location.reload();
  });
}

/** Ends the handheld in this tab, because another tab has taken it over. */
function handOver() {
  board.isReady = false;
  device.end();
  showOtherTab();
}

async function start() {
  device = new Device();
  // For the console, and for tests: `await handheld.ask("command", "hint")`.
  globalThis.handheld = device;
  const onPress = () => {
    lastCommand = "";
    showNotice("");
  };
  const onOff = () => showNotice("The handheld is off. Switch it on below the keys.");
  board = new Board(device, (text) => setText($("key-effect"), text), onPress, onOff);
  sound = new Sound(device);
  makeCommands();
  makeChoices();
  addManual();
  if (location.protocol === "file:") {
    throw new Error("Browsers do not load this page from a folder. Run `cargo play`, or use a web server.");
  }
  const takeOver = loadSetting("take over", false);
  storeSetting("take over", false);
  if (!await acquireLock(takeOver, showOtherTab, handOver)) return device.end();
  showOffer("");
  setText($("loading"), "Loading the handheld…");
  setText($("status"), "");
  boards = new Boards(device, runAction, showNotice, showOffer);
  const memories = new Map(CHIPS.map((chip) => [chip, loadMemory(chip)]).filter(([, memory]) => memory));
  recovery = new Recovery(device, memories);
  workshop = new Workshop(device, boards, recovery, runAction, showNotice);
  new Analyser(device, showNotice);
  share = new Share(device, runAction, showNotice);
  listenToDevice();
  listenToControls(new Keyboard(board, runCommand));
  listenToPage();
  await switchOn(memories);
  await share.begin();
  // The service worker stores complete pages only.
  boards.followBuild()
    .then(() => goOffline((use) => showOffer("There is a newer version of this page.", "Use it", use)))
    .catch(() => {});
}

start().catch((error) => {
  setText($("loading"), "");
  showNotice(`The handheld could not be started. ${error.message}`, true);
});
