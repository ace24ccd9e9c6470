// The board that the handheld is built on: a Pico or a Pico 2. Each is a handheld of its own, with its chip and its memory, and one of
// them is in hand. It is chosen in the workshop, or comes with a file that is opened.

import { recall, remember } from "./memory.js";
import { stateOf } from "./offline.js";

const $ = (id) => document.getElementById(id);
const NAMES = { rp2040: "Pico", rp2350: "Pico 2" };
/** What may come later than the page, and its file. */
const PICO2 = "rp2350", AWAITED = "firmware-rp2350.elf";
/** How often a host is asked whether it has built the Pico 2's firmware. */
const ASK_AGAIN = 2000;

export const CHIPS = Object.keys(NAMES);

export const boardName = (chip) => NAMES[chip];

/** The name of a file that is saved from the handheld with this chip. */
export const fileName = (chip, ending) => `lights-out-${NAMES[chip].toLowerCase().replace(" ", "")}.${ending}`;

export class Boards {
  #act;
  #notice;
  #offer;
  /** The chip in hand. */
  #chip = CHIPS[0];
  /** What the tip says when there is nothing to wait for. */
  #tip = $("board-tip").textContent;

  /** `act` lets the handheld do something; `notice` tells a sentence, `offer` one with a button. */
  constructor(device, act, notice, offer) {
    [this.#act, this.#notice, this.#offer] = [act, notice, offer];
    device.on("power", ({ chip }) => {
      this.#chip = chip;
      this.#show();
    });
    $("boards").addEventListener("change", (event) => this.#choose(event.target.value));
  }

  /** The chip that was chosen last. */
  get chosen() {
    const chip = recall("chip", CHIPS[0]);
    return chip in NAMES ? chip : CHIPS[0];
  }

  get chip() {
    return this.#chip;
  }

  /** The board in hand is the visitor's choice, from the next visit on too. */
  keepChoice() {
    remember("chip", this.#chip);
  }

  /** Until the Pico 2's firmware is built, it cannot be chosen; whoever chose it before is told when it can. */
  async followBuild() {
    let state = await stateOf(AWAITED);
    // If it is in hand all the same, the browser has kept it from an earlier visit.
    if (state !== "there" && this.#chip !== PICO2) this.#hold("The Pico 2’s firmware is being built: it can be chosen in a minute or two.");
    while (state === "being built") {
      await new Promise((done) => { setTimeout(done, ASK_AGAIN); });
      state = await stateOf(AWAITED);
    }
    if (!this.#choice.disabled) return;
    if (state === "missing") return this.#hold("The Pico 2’s firmware is not there: it could not be built.");
    this.#choice.disabled = false;
    $("board-tip").textContent = this.#tip;
    if (this.chosen === PICO2) this.#offer("The Pico 2’s firmware is built now.", "Play the Pico 2", () => this.#choose(PICO2));
  }

  get #choice() {
    return $("boards").querySelector(`[value=${PICO2}]`);
  }

  #hold(reason) {
    this.#choice.disabled = true;
    $("board-tip").textContent = reason;
  }

  async #choose(chip) {
    this.#offer("");
    const done = await this.#act("loadOwn", chip);
    // Where it could not be, the choice goes back to what is in hand.
    if (!done) return this.#show();
    this.keepChoice();
    const other = NAMES[CHIPS.find((kind) => kind !== chip)];
    this.#notice(`This is the ${NAMES[chip]} now, with a memory of its own. The ${other}’s game waits where it was.`);
  }

  #show() {
    $("board").textContent = NAMES[this.#chip];
    $("chip").textContent = this.#chip.toUpperCase();
    $("boards").querySelectorAll("input").forEach((input) => { input.checked = input.value === this.#chip; });
  }
}
