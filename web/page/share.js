// Puzzles as codes and links, and the puzzle of the day.
//
// A link is the page's address with one of: #play=CODE, #draw=CODE, #level=12, #daily or #daily=2026-11-16. The page
// follows it once and then removes it from the address, so that a reload does not start the puzzle again.

import { loadSetting, storeSetting } from "./storage.js";

const $ = (id) => document.getElementById(id);
const DAY = 86_400_000;
const LEVELS = 75;
const toSentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}.`;

/** The current day in UTC, as for `cargo solve --daily`: all players have the same puzzle at the same time. */
const today = () => new Date(Math.floor(Date.now() / DAY) * DAY);
const dateText = (date) => date.toISOString().slice(0, 10);
const DATE_FORMAT = { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" };
const longDate = (date) => date.toLocaleDateString("en-GB", DATE_FORMAT);

function parseDate(text) {
  const date = new Date(`${text}T00:00:00Z`);
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(date.getTime()) ? date : null;
}

export class Share {
  #device;
  #runAction;
  #showNotice;
  #status = null;
  /** The code in the dialog, and the status that determines its link. */
  #shown = null;
  /** The day of the dialog, and its puzzle. */
  #day = today();
  #daily = null;

  /** `runAction` sends an action to the handheld, `showNotice` shows a sentence. */
  constructor(device, runAction, showNotice) {
    [this.#device, this.#runAction, this.#showNotice] = [device, runAction, showNotice];
    device.on("status", ({ status }) => this.#setStatus(status));
    $("share").addEventListener("click", () => this.#open());
    $("daily").addEventListener("click", () => this.#openDaily(today()));
    $("copy-code").addEventListener("click", () => this.#copy(this.#shown.code, "The code"));
    $("copy-link").addEventListener("click", () => this.#copy(this.#link(), "The link"));
    $("save-picture").addEventListener("click", () => this.#savePicture());
    $("code-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#submitCode($("code").value, event.submitter?.value !== "draw");
    });
    $("daily-play").addEventListener("click", () => this.#playDaily());
    $("daily-copy").addEventListener("click", () => this.#copy(this.#resultText(), "Your result"));
    addEventListener("hashchange", () => this.followLink());
  }

  /** Call this once the handheld has started. */
  async begin() {
    await this.#prepareDaily(today());
    await this.followLink();
  }

  // --- Links --------------------------------------------------------------------------------------------------------

  /** Follows the link in the address, if there is one. */
  async followLink() {
    const [name, value = ""] = decodeURIComponent(location.hash.slice(1)).split("=");
    if (!name) return;
    history.replaceState(null, "", location.pathname + location.search);
    if (name === "play" || name === "draw") await this.#openCode(value, name === "play");
    else if (name === "level") await this.#openLevel(Number(value));
    else if (name === "daily") {
      const date = value ? parseDate(value) : today();
      if (!date) return this.#showNotice(`“${value}” is not a date. Write it as 2026-11-16.`, true);
      await this.#prepareDaily(date);
      await this.#playDaily();
    } else this.#showNotice(`The link contains “${name}”, which this page does not know. Check the link.`, true);
  }

  #address(what) {
    return `${location.origin}${location.pathname}#${what}`;
  }

  #link() {
    const { code, status } = this.#shown;
    if (status.mode === "levels" && status.number > 0) return this.#address(`level=${status.number}`);
    return this.#address(`${status.scene === "draw" ? "draw" : "play"}=${code}`);
  }

  // --- Codes --------------------------------------------------------------------------------------------------------

  /** Opens the board of a code. Returns whether it was opened. */
  async #openCode(text, play) {
    const board = await this.#device.ask("readCode", text);
    if (board.reason) {
      this.#showNotice(`This is not the code of a board. ${toSentence(board.reason)}`, true);
      return false;
    }
    const canPlay = play && board.par > 0;
    if (!await this.#runAction("openBoard", board, canPlay)) return false;
    if (play && board.par === null) this.#showNotice("This board cannot be solved, so it was opened as a drawing.");
    else if (play && board.par === 0) {
      this.#showNotice("All lights of this board are already off, so it was opened as a drawing.");
    }
    return true;
  }

  async #submitCode(text, play) {
    const { reason } = await this.#device.ask("readCode", text);
    $("code-reason").textContent = reason ? toSentence(reason) : "";
    $("code").setAttribute("aria-invalid", reason !== undefined);
    if (reason) return $("code").focus();
    $("share-dialog").close();
    this.#openCode(text, play);
  }

  async #openLevel(level) {
    if (!Number.isInteger(level) || level < 1 || level > LEVELS) {
      return this.#showNotice(`There are levels 1 to ${LEVELS} only. Check the link.`, true);
    }
    const answer = await this.#runAction("openLevel", level);
    if (!answer || answer.value) return;
    // A locked level is played as a custom board, without a result.
    const code = await this.#device.ask("levelCode", level);
    if (await this.#openCode(code, true)) {
      this.#showNotice(`Level ${level} is still locked. You can play its board here, but the result does not count.`);
    }
  }

  async #open() {
    const status = this.#status;
    const hasBoard = status && status.puzzle !== "-";
    $("share-code").textContent = hasBoard ? status.puzzle : "–";
    for (const id of ["copy-code", "copy-link", "save-picture"]) $(id).disabled = !hasBoard;
    const text = hasBoard ? "The code of this puzzle:" : "There is no puzzle to share now. Start one first.";
    $("share-text").textContent = text;
    this.#shown = hasBoard ? { code: status.puzzle, status } : null;
    $("code-reason").textContent = "";
    $("share-dialog").showModal();
  }

  async #copy(text, what) {
    try {
      await navigator.clipboard.writeText(text);
      this.#showCopied(`${what} was copied.`);
    } catch {
      // Browsers allow the clipboard for secure addresses only.
      prompt("Copy this:", text);
    }
  }

  #showCopied(text) {
    const set = (selector, content) => {
      document.querySelectorAll(selector).forEach((element) => { element.textContent = content; });
    };
    set("dialog[open] .copied", text);
    setTimeout(() => set(".copied", ""), 3000);
  }

  /** Draws the board of the code and saves it as a PNG file. */
  async #savePicture() {
    const { code } = this.#shown;
    const { lights, size } = await this.#device.ask("readCode", code);
    const canvas = Object.assign(document.createElement("canvas"), { width: 640, height: 720 });
    const pen = canvas.getContext("2d");
    const box = (x, y, side, radius, fill) => {
      pen.fillStyle = fill;
      pen.beginPath();
      pen.roundRect(x, y, side, side, radius);
      pen.fill();
    };
    pen.fillStyle = "#14161a";
    pen.fillRect(0, 0, 640, 720);
    // A smaller board is in the middle of the handheld, and fills the whole picture.
    const [count, origin] = [size + 2, Math.floor((5 - (size + 2)) / 2)];
    const step = 580 / count;
    for (let row = 0; row < count; row += 1) {
      for (let column = 0; column < count; column += 1) {
        const isLit = lights >> (5 * (row + origin) + column + origin) & 1;
        box(30 + column * step + 6, 30 + row * step + 6, step - 12, step / 7, isLit ? "#ffb638" : "#2a2d34");
      }
    }
    pen.fillStyle = "#e8e6e1";
    pen.font = "600 44px ui-monospace, monospace";
    pen.textAlign = "center";
    pen.fillText(code, 320, 675);
    canvas.toBlob((blob) => download(blob, `lights-out-${code}.png`), "image/png");
  }

  // --- The puzzle of the day ----------------------------------------------------------------------------------------

  async #prepareDaily(date) {
    this.#day = date;
    const code = await this.#device.ask("dailyCode", date.getTime() / DAY);
    this.#daily = { code, ...await this.#device.ask("readCode", code) };
  }

  async #openDaily(date) {
    await this.#prepareDaily(date);
    this.#showDaily();
    $("daily-dialog").showModal();
  }

  #showDaily() {
    const best = loadSetting("daily", {})[dateText(this.#day)];
    $("daily-date").textContent = longDate(this.#day);
    $("daily-code").textContent = `${this.#daily.code}, par ${this.#daily.par}`;
    $("daily-result").textContent = best ? `Your best: ${best}.` : "Not solved yet.";
    $("daily-copy").disabled = !best;
  }

  async #playDaily() {
    $("daily-dialog").close();
    if (!await this.#openCode(this.#daily.code, true)) return;
    this.#showNotice(`The puzzle of ${longDate(this.#day)}: par ${this.#daily.par}.`);
  }

  /** The result as a text to share. It does not contain the puzzle. */
  #resultText() {
    const best = loadSetting("daily", {})[dateText(this.#day)];
    const over = best - this.#daily.par;
    const stars = over === 0 ? "★★★" : over <= 3 ? "★★☆" : "★☆☆";
    return [
      `Lights Out, ${longDate(this.#day)}`,
      `${stars} solved in ${best}, par ${this.#daily.par}`,
      this.#address(`daily=${dateText(this.#day)}`),
    ].join("\n");
  }

  #setStatus(status) {
    const isNew = status?.scene === "won" && this.#status?.scene !== "won";
    this.#status = status;
    if (!isNew || status.puzzle !== this.#daily?.code) return;
    const results = loadSetting("daily", {});
    const date = dateText(this.#day);
    results[date] = Math.min(results[date] ?? Infinity, status.moves);
    storeSetting("daily", results);
    this.#showDaily();
    $("daily-dialog").showModal();
  }
}

export function download(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
