// Puzzles as codes and links, and the puzzle of the day.
//
// A link is the page's address and one of: #play=CODE, #draw=CODE, #level=12, #daily or #daily=2026-11-16. It is done once and
// then taken out of the address, so that a reload does not begin anew.

import { recall, remember } from "./memory.js";

const $ = (id) => document.getElementById(id);
const DAY = 86_400_000;
const LEVELS = 75;
const sentence = (words) => `${words[0].toUpperCase()}${words.slice(1)}.`;

/** By universal time, as for `cargo solve --daily`: at each moment it is the same puzzle for everyone. */
const today = () => new Date(Math.floor(Date.now() / DAY) * DAY);
const dateText = (date) => date.toISOString().slice(0, 10);
const inWords = (date) => date.toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });

function parseDate(text) {
  const date = new Date(`${text}T00:00:00Z`);
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(date.getTime()) ? date : null;
}

export class Share {
  #device;
  #act;
  #notice;
  #status = null;
  /** The code in the dialogue, and how its link would open it. */
  #shown = null;
  /** The day that is offered, and its puzzle. */
  #day = today();
  #daily = null;

  /** `act` runs a script and tells what came of it; `notice` tells a sentence. */
  constructor(device, act, notice) {
    [this.#device, this.#act, this.#notice] = [device, act, notice];
    device.on("status", ({ status }) => this.#follow(status));
    $("share").addEventListener("click", () => this.#open());
    $("daily").addEventListener("click", () => this.#openDaily(today()));
    $("copy-code").addEventListener("click", () => this.#copy(this.#shown.code, "The code"));
    $("copy-link").addEventListener("click", () => this.#copy(this.#link(), "The link"));
    $("picture").addEventListener("click", () => this.#picture());
    $("code-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#enter($("code").value, event.submitter?.value !== "draw");
    });
    $("daily-play").addEventListener("click", () => this.#playDaily());
    $("daily-copy").addEventListener("click", () => this.#copy(this.#result(), "Your result"));
    addEventListener("hashchange", () => this.followLink());
  }

  /** Once the handheld is there. */
  async begin() {
    await this.#prepareDaily(today());
    await this.followLink();
  }

  // --- Links -----------------------------------------------------------------------------------------------------------

  /** Does what the address asks for, if it asks for anything. */
  async followLink() {
    const [name, value = ""] = decodeURIComponent(location.hash.slice(1)).split("=");
    if (!name) return;
    history.replaceState(null, "", location.pathname + location.search);
    if (name === "play" || name === "draw") await this.#openCode(value, name === "play");
    else if (name === "level") await this.#openLevel(Number(value));
    else if (name === "daily") {
      const date = value ? parseDate(value) : today();
      if (!date) return this.#notice(`“${value}” is no date: 2026-11-16 is one.`, true);
      await this.#prepareDaily(date);
      await this.#playDaily();
    } else this.#notice(`This link asks for “${name}”, which this page does not know.`, true);
  }

  #address(what) {
    return `${location.origin}${location.pathname}#${what}`;
  }

  #link() {
    const { code, status } = this.#shown;
    if (status.mode === "levels" && status.number > 0) return this.#address(`level=${status.number}`);
    return this.#address(`${status.scene === "draw" ? "draw" : "play"}=${code}`);
  }

  // --- Codes -----------------------------------------------------------------------------------------------------------

  /** Whether the board is there. */
  async #openCode(text, play) {
    const board = await this.#device.ask("readCode", text);
    if (board.reason) {
      this.#notice(`This is no code of a board. ${sentence(board.reason)}`, true);
      return false;
    }
    const canPlay = play && board.par > 0;
    if (!await this.#act("openBoard", board, canPlay)) return false;
    if (play && board.par === null) this.#notice("Nobody can solve this board, so it is opened as a drawing.");
    else if (play && board.par === 0) this.#notice("All lights of this board are out already, so it is opened as a drawing.");
    return true;
  }

  async #enter(text, play) {
    const { reason } = await this.#device.ask("readCode", text);
    $("code-reason").textContent = reason ? sentence(reason) : "";
    $("code").setAttribute("aria-invalid", reason !== undefined);
    if (reason) return $("code").focus();
    $("share-dialog").close();
    this.#openCode(text, play);
  }

  async #openLevel(level) {
    if (!Number.isInteger(level) || level < 1 || level > LEVELS) return this.#notice(`There are levels 1 to ${LEVELS}.`, true);
    const answer = await this.#act("openLevel", level);
    if (!answer || answer.value) return;
    // Not open yet: its board can be played all the same, only its result is not kept.
    const code = await this.#device.ask("levelCode", level);
    if (await this.#openCode(code, true)) {
      this.#notice(`Level ${level} is not open on this handheld yet. This is its board; the result is not kept.`);
    }
  }

  async #open() {
    const status = this.#status;
    const has = status && status.puzzle !== "-";
    $("share-code").textContent = has ? status.puzzle : "–";
    for (const id of ["copy-code", "copy-link", "picture"]) $(id).disabled = !has;
    $("share-what").textContent = has ? "The board as it began, in seven letters or fewer:" : "There is no board on the lights now.";
    this.#shown = has ? { code: status.puzzle, status } : null;
    $("code-reason").textContent = "";
    $("share-dialog").showModal();
  }

  async #copy(text, what) {
    try {
      await navigator.clipboard.writeText(text);
      this.#say(`${what} is copied.`);
    } catch {
      // Not every address may use the clipboard: then it can be copied by hand.
      prompt("Copy this:", text);
    }
  }

  #say(text) {
    document.querySelectorAll("dialog[open] .copied").forEach((place) => { place.textContent = text; });
    setTimeout(() => document.querySelectorAll(".copied").forEach((place) => { place.textContent = ""; }), 3000);
  }

  /** The board as a PNG file, drawn from its code alone. */
  async #picture() {
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
    // A smaller board sits in the middle of the handheld, and fills the picture.
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

  // --- The puzzle of the day -------------------------------------------------------------------------------------------

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
    const best = recall("daily", {})[dateText(this.#day)];
    $("daily-date").textContent = inWords(this.#day);
    $("daily-code").textContent = `${this.#daily.code}, par ${this.#daily.par}`;
    $("daily-result").textContent = best ? `Your best: ${best}.` : "Not solved yet.";
    $("daily-copy").disabled = !best;
  }

  async #playDaily() {
    $("daily-dialog").close();
    if (await this.#openCode(this.#daily.code, true)) this.#notice(`The puzzle of ${inWords(this.#day)}: par ${this.#daily.par}.`);
  }

  /** No light of it is told. */
  #result() {
    const best = recall("daily", {})[dateText(this.#day)];
    const over = best - this.#daily.par;
    const stars = over === 0 ? "★★★" : over <= 3 ? "★★☆" : "★☆☆";
    return `Lights Out, ${inWords(this.#day)}\n${stars} solved in ${best}, par ${this.#daily.par}\n${this.#address(`daily=${dateText(this.#day)}`)}`;
  }

  #follow(status) {
    const isNew = status?.scene === "won" && this.#status?.scene !== "won";
    this.#status = status;
    if (!isNew || status.puzzle !== this.#daily?.code) return;
    const results = recall("daily", {});
    const date = dateText(this.#day);
    results[date] = Math.min(results[date] ?? Infinity, status.moves);
    remember("daily", results);
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
