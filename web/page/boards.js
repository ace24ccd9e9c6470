// The boards of the handheld: Pico and Pico 2. Each is its own handheld, with its own chip and memory. One of them is
// the current one: the user chooses it in the workshop, or opens a file for it.

import { loadSetting, storeSetting } from "./storage.js";
import { stateOf } from "./offline.js";

const $ = (id) => document.getElementById(id);
const NAMES = { rp2040: "Pico", rp2350: "Pico 2" };
/** The chip whose firmware may be built after the page is loaded, and its file. */
const PICO2 = "rp2350", AWAITED_FILE = "firmware-rp2350.elf";
/** The interval at which the host is asked whether it has built the firmware for the Pico 2, in ms. */
const POLL_INTERVAL = 2000;

export const CHIPS = Object.keys(NAMES);

export const boardName = (chip) => NAMES[chip];

/** The name of a file that is saved from the handheld with this chip. */
export const fileName = (chip, extension) =>
  `lights-out-${NAMES[chip].toLowerCase().replace(" ", "")}.${extension}`;

export class Boards {
  #runAction;
  #showNotice;
  #showOffer;
  /** The current chip. */
  #chip = CHIPS[0];
  /** The text of the tip when both boards are available. */
  #tip = $("board-tip").textContent;

  /** `runAction` sends an action to the handheld, `showNotice` shows a sentence, `showOffer` adds a button. */
  constructor(device, runAction, showNotice, showOffer) {
    [this.#runAction, this.#showNotice, this.#showOffer] = [runAction, showNotice, showOffer];
    device.on("power", ({ chip }) => {
      this.#chip = chip;
      this.#show();
    });
    $("boards").addEventListener("change", (event) => this.#choose(event.target.value));
  }

  /** The chip that the user chose last. */
  get chosen() {
    const chip = loadSetting("chip", CHIPS[0]);
    return chip in NAMES ? chip : CHIPS[0];
  }

  get chip() {
    return this.#chip;
  }

  /** Stores the current board as the user's choice. */
  storeChoice() {
    storeSetting("chip", this.#chip);
  }

  /** Disables the Pico 2 until its firmware is built. If the user chose it at an earlier visit, offers it then. */
  async followBuild() {
    let state = await stateOf(AWAITED_FILE);
    // If the Pico 2 is the current board, the browser has stored its firmware at an earlier visit.
    if (state !== "available" && this.#chip !== PICO2) {
      this.#disablePico2("The firmware for the Pico 2 is being built. You can choose the Pico 2 in a minute or two.");
    }
    while (state === "being built") {
      await new Promise((resolve) => { setTimeout(resolve, POLL_INTERVAL); });
      state = await stateOf(AWAITED_FILE);
    }
    if (!this.#pico2Input.disabled) return;
    if (state === "missing") {
      return this.#disablePico2("The firmware for the Pico 2 could not be built, so only the Pico is available.");
    }
    this.#pico2Input.disabled = false;
    $("board-tip").textContent = this.#tip;
    if (this.chosen !== PICO2) return;
    this.#showOffer("The firmware for the Pico 2 is ready.", "Play on the Pico 2", () => this.#choose(PICO2));
  }

  get #pico2Input() {
    return $("boards").querySelector(`[value=${PICO2}]`);
  }

  #disablePico2(reason) {
    this.#pico2Input.disabled = true;
    $("board-tip").textContent = reason;
  }

  async #choose(chip) {
    this.#showOffer("");
    const result = await this.#runAction("loadOwn", chip);
    // After an error, the input shows the current board again.
    if (!result) return this.#show();
    this.storeChoice();
    const other = NAMES[CHIPS.find((kind) => kind !== chip)];
    this.#showNotice(`This is the ${NAMES[chip]} now, with its own memory. The game on the ${other} is kept.`);
  }

  #show() {
    $("board").textContent = NAMES[this.#chip];
    $("chip").textContent = this.#chip.toUpperCase();
    $("boards").querySelectorAll("input").forEach((input) => { input.checked = input.value === this.#chip; });
  }
}
