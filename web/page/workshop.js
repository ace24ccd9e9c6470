// The workshop, a panel for engineers: time (speed, pause, single step), the scope, the log, the memory, and other
// firmware.

import { boardName, fileName } from "./boards.js";
import { DORMANT, IN_BOOT_ROM, OFF } from "./chip.js";
import { download } from "./share.js";
import { loadFirmware, storeFirmware } from "./storage.js";
import { slowText } from "./texts.js";

const $ = (id) => document.getElementById(id);
/** The first characters of a memory file. */
const MEMORY_MAGIC = "LightsOutFlash";
/** The largest file that can be opened, in bytes. */
const MAX_FILE_SIZE = 16e6;
/** The number of log lines on the page, and in a saved log. */
const SHOWN_LINES = 300, SAVED_LINES = 20_000;
/** The number of values in the curve, four a second. With reduced motion, every eighth value updates the curve. */
const CURVE_LENGTH = 160, REDUCED_RATE = 8;

export class Workshop {
  #device;
  #boards;
  #recovery;
  #runAction;
  #showNotice;
  #figures = { state: OFF };
  #earlier = { now: 0, cycles: 0, awake: 0 };
  #curve = [];
  #curveUpdates = 0;
  #pace = { real: 0, emulated: 0, spent: 0, ticks: 0, short: 0 };
  #log = [];
  #reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

  constructor(device, boards, recovery, runAction, showNotice) {
    [this.#device, this.#boards, this.#recovery] = [device, boards, recovery];
    [this.#runAction, this.#showNotice] = [runAction, showNotice];
    device.on("figures", (data) => this.#showScope(data));
    device.on("log", ({ lines }) => this.#showLog(lines));
    device.on("power", ({ isOwn }) => {
      this.#log = [];
      $("log").replaceChildren();
      if (isOwn) this.#showFirmware(null);
    });
    this.#listenToTime();
    this.#listenToFiles();
    setInterval(() => this.#showPace(), 1000);
  }

  // --- Time ---------------------------------------------------------------------------------------------------------

  #listenToTime() {
    $("speed").addEventListener("change", (event) => this.#device.ask("setSpeed", Number(event.target.value)));
    $("pause").addEventListener("click", () => {
      const paused = $("pause").getAttribute("aria-pressed") !== "true";
      $("pause").setAttribute("aria-pressed", paused);
      for (const id of ["step", "step-frame"]) $(id).disabled = !paused;
      this.#device.ask("setPaused", paused);
    });
    $("step").addEventListener("click", () => this.#device.ask("step", 1));
    $("step-frame").addEventListener("click", () => this.#device.ask("step", 0));
  }

  // --- The scope ----------------------------------------------------------------------------------------------------

  #showScope({ figures, pace }) {
    this.#figures = figures;
    Object.keys(pace).forEach((name) => { this.#pace[name] += pace[name]; });
    const on = figures.state !== OFF;
    const show = (id, text) => { $(id).textContent = on ? text : "–"; };
    if (figures.now < this.#earlier.now) this.#earlier = { now: 0, cycles: 0, awake: 0 };
    const cycles = figures.cycles - this.#earlier.cycles;
    const isStopped = figures.state === DORMANT || cycles <= 0;
    const asleep = isStopped ? 1 : 1 - (figures.awake - this.#earlier.awake) / cycles;
    show("latency", figures.latency ? `${figures.latency.toFixed(2)} ms` : "–");
    show("clock", isStopped ? "stopped" : `${(cycles / (figures.now - this.#earlier.now) / 1000).toFixed(0)} MHz`);
    show("asleep", `${(100 * asleep).toFixed(asleep > 0.995 ? 2 : 1)} %`);
    show("current", `${figures.current.toFixed(0)} mA`);
    show("frames", figures.frames.toLocaleString("en"));
    show("writes", figures.flash.toLocaleString("en"));
    show("uptime", `${(figures.now / 1000).toFixed(3)} s`);
    this.#earlier = { ...figures };
    this.#drawCurve(on ? figures.current : 0);
    if (figures.state === IN_BOOT_ROM) {
      const message = "The firmware has started the boot ROM, as for USB programming. Switch the handheld off and on.";
      this.#showNotice(message, true);
    }
  }

  /** Shows the speed of the emulation, once a second. */
  #showPace() {
    const pace = this.#pace;
    const { real, emulated, spent, ticks } = pace;
    this.#pace = { real: 0, emulated: 0, spent: 0, ticks: 0, short: 0 };
    const on = this.#figures.state !== OFF && ticks > 0;
    const factor = on ? emulated / Math.max(1, real) : 0;
    $("pace").textContent = on ? `${factor.toFixed(2)}×` : "–";
    $("pace").title = on ? `${(100 * spent / Math.max(1, real)).toFixed(0)} % of one core` : "";
    const text = on ? slowText(pace) : "";
    $("pace").classList.toggle("bad", text !== "");
    // This text appears by itself, so it has its own element and does not replace another notice.
    $("slow-notice").textContent = text;
  }

  #drawCurve(current) {
    this.#curve.push(current);
    if (this.#curve.length > CURVE_LENGTH) this.#curve.shift();
    this.#curveUpdates += 1;
    if (!$("workshop").open || (this.#reducedMotion.matches && this.#curveUpdates % REDUCED_RATE !== 1)) return;
    const { width, height } = $("curve");
    const pen = $("curve").getContext("2d");
    pen.clearRect(0, 0, width, height);
    pen.strokeStyle = "#ffffff22";
    pen.lineWidth = 1;
    pen.beginPath();
    for (let line = 1; line < 4; line += 1) {
      pen.moveTo(0, line * height / 4);
      pen.lineTo(width, line * height / 4);
    }
    pen.stroke();
    pen.strokeStyle = "#ffb638";
    pen.lineWidth = 3;
    pen.beginPath();
    this.#curve.forEach((value, index) => {
      pen.lineTo(width - 4 * (this.#curve.length - index), height - 4 - (height - 8) * Math.min(1, value / 400));
    });
    pen.stroke();
    pen.fillStyle = "#ffffff99";
    pen.font = "20px system-ui, sans-serif";
    pen.fillText("400 mA", 8, 22);
  }

  // --- The log ------------------------------------------------------------------------------------------------------

  #showLog(lines) {
    this.#log.push(...lines);
    if (this.#log.length > 2 * SAVED_LINES) this.#log = this.#log.slice(-SAVED_LINES);
    const list = $("log");
    const atEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 30;
    list.append(...lines.slice(-SHOWN_LINES).map(({ at, level, text, location }) => {
      const entry = document.createElement("li");
      const time = document.createElement("time");
      time.textContent = at;
      entry.append(time, text);
      entry.className = level;
      if (location) entry.title = location;
      return entry;
    }));
    while (list.children.length > SHOWN_LINES) list.firstChild.remove();
    if (atEnd) list.scrollTop = list.scrollHeight;
  }

  #saveLog() {
    const lines = this.#log.map(({ at, level, text, location }) => `${at}\t${level}\t${text}\t${location}\n`);
    download(new Blob(lines, { type: "text/plain" }), fileName(this.#boards.chip, "log"));
  }

  // --- Memory and firmware ------------------------------------------------------------------------------------------

  #listenToFiles() {
    $("save-log").addEventListener("click", () => this.#saveLog());
    $("save-memory").addEventListener("click", async () => {
      const bytes = await this.#device.ask("memory");
      download(new Blob([bytes], { type: "application/octet-stream" }), fileName(this.#boards.chip, "flash"));
    });
    $("open-file").addEventListener("click", () => $("file").click());
    $("file").addEventListener("change", (event) => {
      [...event.target.files].forEach((file) => this.openFile(file));
      event.target.value = "";
    });
    $("erase").addEventListener("click", async () => {
      const board = boardName(this.#boards.chip);
      if (!confirm(`Erase the memory of the ${board}? The game, the results and the settings are lost.`)) return;
      if (await this.#runAction("erase")) this.#showNotice("The memory was erased.");
    });
    $("own-firmware").addEventListener("click", async () => {
      if (await this.#runAction("loadOwn", this.#boards.chip)) this.#boards.storeChoice();
    });
    $("last-firmware").addEventListener("click", async () => {
      const last = await loadFirmware();
      if (last) this.#run(last.name, last.bytes);
    });
    for (const name of ["dragover", "dragleave", "drop"]) {
      addEventListener(name, (event) => {
        event.preventDefault();
        $("drop").classList.toggle("shown", name === "dragover");
        if (name === "drop" && event.dataTransfer.files.length) this.openFile(event.dataTransfer.files[0]);
      });
    }
  }

  /** Offers the firmware that was opened last: after a reload the page starts with its own firmware. */
  async offerLastFirmware() {
    const last = await loadFirmware();
    $("last-firmware").hidden = !last;
    if (last) $("last-firmware").textContent = `Run ${last.name} again`;
  }

  async openFile(file) {
    if (file.size > MAX_FILE_SIZE) {
      return this.#showNotice(`${file.name} was not opened. It is too large for a firmware file.`, true);
    }
    const bytes = new Uint8Array(await file.arrayBuffer());
    const start = new TextDecoder().decode(bytes.subarray(0, MEMORY_MAGIC.length));
    const isMemory = start === MEMORY_MAGIC || /\.flash$/.test(file.name);
    if (!isMemory) return this.#run(file.name, bytes);
    const before = this.#boards.chip;
    try {
      await this.#openUntrusted(file.name, "setMemory", bytes);
      const { chip } = this.#boards;
      const board = boardName(chip);
      if (chip !== before) this.#boards.storeChoice();
      this.#showNotice(chip === before
        ? `The memory of ${file.name} was loaded.`
        : `${file.name} is the memory of a ${board}, so this is the ${board} now.`);
    } catch ({ message }) {
      this.#showNotice(`${file.name} was not opened. ${message}`, true);
    }
  }

  /** Opens a file in the emulator. The file may make the emulator fail. */
  async #openUntrusted(name, action, bytes) {
    await this.#device.ask("save");
    this.#recovery.addUntrusted(name);
    try {
      return await this.#device.ask(action, bytes);
    } catch (error) {
      this.#recovery.removeUntrusted();
      throw error;
    }
  }

  async #run(name, bytes) {
    const before = this.#boards.chip;
    try {
      const { hasLog } = await this.#openUntrusted(name, "load", bytes);
      const { chip } = this.#boards;
      this.#showFirmware(name);
      await storeFirmware(name, bytes);
      const running = chip === before
        ? "is running. The memory is unchanged."
        : `is running on a ${boardName(chip)}, which has its own memory.`;
      const logText = hasLog ? "" : " A UF2 file does not contain the texts of the log, so the log stays empty.";
      this.#showNotice(`${name} ${running}${logText}`);
    } catch ({ message }) {
      this.#showNotice(`${name} was not opened. ${message}`, true);
    }
  }

  #showFirmware(name) {
    $("running").textContent = `Firmware: ${name ?? "the page’s own"}`;
    $("own-firmware").hidden = name === null;
    if (name === null) this.offerLastFirmware();
    else $("last-firmware").hidden = true;
  }
}
