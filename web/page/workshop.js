// The workshop, for whoever wants to look behind the lights: time (speed, pause, single step), the scope, the log, the memory and
// other firmware.

import { boardName, fileName } from "./boards.js";
import { DORMANT, GONE, OFF } from "./chip.js";
import { keepFirmware, recallFirmware } from "./memory.js";
import { download } from "./share.js";
import { paceWords } from "./words.js";

const $ = (id) => document.getElementById(id);
const MEMORY_BEGINS = "LightsOutFlash";
const LARGEST_FILE = 16e6;
/** Lines of the log on the page, and in the file that it can be saved to. */
const KEPT_LINES = 300, SAVED_LINES = 20_000;
/** How many figures the curve shows, four a second; with reduced motion it moves every two seconds. */
const CURVE = 160, CALM = 8;

export class Workshop {
  #device;
  #boards;
  #recovery;
  #act;
  #notice;
  #figures = { state: OFF };
  #earlier = { now: 0, cycles: 0, awake: 0 };
  #curve = [];
  #looks = 0;
  #pace = { real: 0, emulated: 0, spent: 0, ticks: 0, short: 0 };
  #log = [];
  #calm = matchMedia("(prefers-reduced-motion: reduce)");

  constructor(device, boards, recovery, act, notice) {
    [this.#device, this.#boards, this.#recovery, this.#act, this.#notice] = [device, boards, recovery, act, notice];
    device.on("figures", (news) => this.#showScope(news));
    device.on("log", ({ lines }) => this.#showLog(lines));
    device.on("power", ({ isOwn }) => {
      this.#log = [];
      $("log").replaceChildren();
      if (isOwn) this.#firmwareIs(null);
    });
    this.#listenToTime();
    this.#listenToFiles();
    setInterval(() => this.#showPace(), 1000);
  }

  // --- Time ------------------------------------------------------------------------------------------------------------

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

  // --- The scope -------------------------------------------------------------------------------------------------------

  #showScope({ figures, pace }) {
    this.#figures = figures;
    Object.keys(pace).forEach((name) => { this.#pace[name] += pace[name]; });
    const on = figures.state !== OFF;
    const tell = (id, words) => { $(id).textContent = on ? words : "–"; };
    if (figures.now < this.#earlier.now) this.#earlier = { now: 0, cycles: 0, awake: 0 };
    const cycles = figures.cycles - this.#earlier.cycles;
    const isStill = figures.state === DORMANT || cycles <= 0;
    const asleep = isStill ? 1 : 1 - (figures.awake - this.#earlier.awake) / cycles;
    tell("latency", figures.latency ? `${figures.latency.toFixed(2)} ms` : "–");
    tell("clock", isStill ? "stopped" : `${(cycles / (figures.now - this.#earlier.now) / 1000).toFixed(0)} MHz`);
    tell("asleep", `${(100 * asleep).toFixed(asleep > 0.995 ? 2 : 1)} %`);
    tell("current", `${figures.current.toFixed(0)} mA`);
    tell("frames", figures.frames.toLocaleString("en"));
    tell("writes", figures.flash.toLocaleString("en"));
    tell("moment", `${(figures.now / 1000).toFixed(3)} s`);
    this.#earlier = { ...figures };
    this.#drawCurve(on ? figures.current : 0);
    if (figures.state === GONE) this.#notice("The firmware has left for the boot ROM, as for USB programming. Switch off and on.", true);
  }

  /** Once a second. */
  #showPace() {
    const pace = this.#pace;
    const { real, emulated, spent, ticks } = pace;
    this.#pace = { real: 0, emulated: 0, spent: 0, ticks: 0, short: 0 };
    const on = this.#figures.state !== OFF && ticks > 0;
    const factor = on ? emulated / Math.max(1, real) : 0;
    $("pace").textContent = on ? `${factor.toFixed(2)}×` : "–";
    $("pace").title = on ? `${(100 * spent / Math.max(1, real)).toFixed(0)} % of one core` : "";
    const words = on ? paceWords(pace) : "";
    $("pace").classList.toggle("bad", words !== "");
    // In a place of its own: it comes and goes by itself, and must not take away what was said of something else.
    $("slow").textContent = words;
  }

  #drawCurve(current) {
    this.#curve.push(current);
    if (this.#curve.length > CURVE) this.#curve.shift();
    this.#looks += 1;
    if (!$("workshop").open || (this.#calm.matches && this.#looks % CALM !== 1)) return;
    const { width, height } = $("curve");
    const pen = $("curve").getContext("2d");
    pen.clearRect(0, 0, width, height);
    pen.strokeStyle = "#ffffff22";
    pen.lineWidth = 1;
    pen.beginPath();
    for (let line = 1; line < 4; line += 1) { pen.moveTo(0, line * height / 4); pen.lineTo(width, line * height / 4); }
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

  // --- The log ---------------------------------------------------------------------------------------------------------

  #showLog(lines) {
    this.#log.push(...lines);
    if (this.#log.length > 2 * SAVED_LINES) this.#log = this.#log.slice(-SAVED_LINES);
    const list = $("log");
    const atEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 30;
    list.append(...lines.slice(-KEPT_LINES).map(({ at, level, text, place }) => {
      const entry = document.createElement("li");
      const time = document.createElement("time");
      time.textContent = at;
      entry.append(time, text);
      entry.className = level;
      if (place) entry.title = place;
      return entry;
    }));
    while (list.children.length > KEPT_LINES) list.firstChild.remove();
    if (atEnd) list.scrollTop = list.scrollHeight;
  }

  #saveLog() {
    const text = this.#log.map(({ at, level, text: words, place }) => `${at}\t${level}\t${words}\t${place}\n`).join("");
    download(new Blob([text], { type: "text/plain" }), fileName(this.#boards.chip, "log"));
  }

  // --- Memory and firmware ---------------------------------------------------------------------------------------------

  #listenToFiles() {
    $("save-log").addEventListener("click", () => this.#saveLog());
    $("export").addEventListener("click", async () => {
      const bytes = await this.#device.ask("memory");
      download(new Blob([bytes], { type: "application/octet-stream" }), fileName(this.#boards.chip, "flash"));
    });
    $("import").addEventListener("click", () => $("file").click());
    $("file").addEventListener("change", (event) => {
      [...event.target.files].forEach((file) => this.openFile(file));
      event.target.value = "";
    });
    $("erase").addEventListener("click", async () => {
      if (!confirm(`Erase the ${boardName(this.#boards.chip)}’s memory: game, results, settings?`)) return;
      if (await this.#act("erase")) this.#notice("The memory is erased.");
    });
    $("own").addEventListener("click", async () => {
      if (await this.#act("loadOwn", this.#boards.chip)) this.#boards.keepChoice();
    });
    $("last").addEventListener("click", async () => {
      const last = await recallFirmware();
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

  /** A firmware that was opened before a reload does not run by itself: the page says so, and has it at hand. */
  async offerLastFirmware() {
    const last = await recallFirmware();
    $("last").hidden = !last;
    if (last) $("last").textContent = `Run ${last.name} again`;
  }

  async openFile(file) {
    if (file.size > LARGEST_FILE) return this.#notice(`${file.name} was not opened: it is too large to be a firmware.`, true);
    const bytes = new Uint8Array(await file.arrayBuffer());
    const isMemory = new TextDecoder().decode(bytes.subarray(0, MEMORY_BEGINS.length)) === MEMORY_BEGINS || /\.flash$/.test(file.name);
    if (!isMemory) return this.#run(file.name, bytes);
    const before = this.#boards.chip;
    try {
      await this.#ask(file.name, "setMemory", bytes);
      const { chip } = this.#boards;
      const board = boardName(chip);
      if (chip !== before) this.#boards.keepChoice();
      this.#notice(chip === before ? `The memory is now that of ${file.name}.` : `${file.name} is the memory of a ${board}, so this is the ${board} now.`);
    } catch ({ message }) {
      this.#notice(`${file.name} was not opened. ${message}`, true);
    }
  }

  /** Hands a file to the emulator, which it may stop. */
  async #ask(name, action, bytes) {
    await this.#device.ask("save");
    this.#recovery.suspect(name);
    try {
      return await this.#device.ask(action, bytes);
    } catch (error) {
      this.#recovery.acquit();
      throw error;
    }
  }

  async #run(name, bytes) {
    const before = this.#boards.chip;
    try {
      const { hasLog } = await this.#ask(name, "load", bytes);
      const { chip } = this.#boards;
      this.#firmwareIs(name);
      await keepFirmware(name, bytes);
      const running = chip === before ? "is running. The memory is as it was." : `is running, on a ${boardName(chip)}, which has a memory of its own.`;
      const silent = hasLog ? "" : " A UF2 file brings no words for its log, so the log stays empty.";
      this.#notice(`${name} ${running}${silent}`);
    } catch ({ message }) {
      this.#notice(`${name} was not opened. ${message}`, true);
    }
  }

  #firmwareIs(name) {
    $("running").textContent = `Firmware: ${name ?? "this page’s own"}`;
    $("own").hidden = name === null;
    if (name === null) this.offerLastFirmware();
    else $("last").hidden = true;
  }
}
