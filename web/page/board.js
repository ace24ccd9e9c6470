// The keys and their lights: fingers, mouse and screen readers on one side, what the LEDs show on the other.

import { boardInWords, caption, colourName, effect, place } from "./words.js";

const CELLS = 25;
const CENTRE = 12;
// What is on the wire is proportional to light; the firmware has raised its colours to the power of 2.8 for that.
const GAMMA = 2.8;
// A screen is no lamp: its brightest is dimmer than a LED's, so all levels are raised a little.
const EXPOSURE = 1.3;
const perceived = Float64Array.from({ length: 256 }, (_, value) => (value / 255) ** (1 / GAMMA));
/** Colours of a dim light are coarse on the wire: differences up to this are no other colour. */
const SAME_COLOUR = 24;
/** A picture that was still for so long is told in words: a film cannot be. */
const STILL = 500;

export class Board {
  #device;
  #keys = [];
  /** Who holds each key down: fingers, keys of the keyboard, a latch. */
  #holders = Array.from({ length: CELLS }, () => new Set());
  #status = null;
  #shown = Array.from({ length: CELLS }, () => ({ bytes: [0, 0, 0], rgb: [0, 0, 0], level: 0 }));
  #colours = new Array(CELLS).fill("dark");
  #said = "";
  #down = 0;
  #strongest = 0;
  #changed = 0;
  #current = CENTRE;
  #onTell;
  #onPress;
  #onOff;
  #isOn = false;
  /** Whether the last hand was one that may not see the lights. */
  byKeyboard = false;
  isReady = false;

  /** `onTell` hears what the key under the mouse or in focus would do, `onPress` of each press, `onOff` of one while
   * the handheld is off. */
  constructor(device, onTell, onPress, onOff) {
    [this.#device, this.#onTell, this.#onPress, this.#onOff] = [device, onTell, onPress, onOff];
    const [keys, glows] = [document.getElementById("keys"), document.getElementById("glows")];
    for (let cell = 0; cell < CELLS; cell += 1) this.#keys.push(this.#makeKey(cell, glows));
    keys.append(...this.#keys.map(({ button }) => button));
    device.on("lights", (news) => this.#draw(news));
    device.on("status", ({ status, isOn }) => {
      this.#isOn = isOn;
      this.#follow(status);
    });
    setInterval(() => this.#describe(), 250);
  }

  // --- Keys ------------------------------------------------------------------------------------------------------------

  #makeKey(cell, glows) {
    const button = document.createElement("button");
    const part = (name) => {
      const span = document.createElement("span");
      span.className = name;
      span.setAttribute("aria-hidden", "true");
      button.append(span);
      return span;
    };
    button.type = "button";
    button.className = "key";
    button.tabIndex = cell === CENTRE ? 0 : -1;
    button.setAttribute("aria-label", `${place(cell)}, dark`);
    const key = { button, light: part("light"), hot: part("hot"), caption: part("caption"), letter: part("letter") };
    key.glow = document.createElement("i");
    glows.append(key.glow);
    this.#listen(button, cell);
    return key;
  }

  #listen(button, cell) {
    button.addEventListener("pointerdown", (event) => {
      // Not focused: a ring around the last key that a finger touched would tell nothing.
      event.preventDefault();
      this.byKeyboard = false;
      this.#setCurrent(cell);
      const latched = button.classList.contains("latched");
      if (latched || event.button === 2 || event.shiftKey) return this.#latch(cell, !latched);
      if (event.button !== 0) return;
      // The key is this finger's until it is lifted, wherever it slides.
      button.setPointerCapture(event.pointerId);
      this.hold(cell, `pointer ${event.pointerId}`);
    });
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) {
      button.addEventListener(end, (event) => this.letGo(cell, `pointer ${event.pointerId}`));
    }
    button.addEventListener("contextmenu", (event) => event.preventDefault());
    // A click that no pointer or key came before is from a screen reader or a voice.
    button.addEventListener("click", (event) => {
      if (event.detail !== 0 || !this.isReady) return;
      this.byKeyboard = true;
      this.hold(cell, "click");
      this.letGo(cell, "click");
    });
    button.addEventListener("pointerenter", (event) => { if (event.pointerType === "mouse") this.#tellOf(cell); });
    button.addEventListener("pointerleave", () => this.#tellOf(null));
    button.addEventListener("focus", () => { if (button.matches(":focus-visible")) this.#tellOf(cell); });
    button.addEventListener("blur", () => this.#tellOf(null));
  }

  #latch(cell, on) {
    this.#keys[cell].button.classList.toggle("latched", on);
    if (on) this.hold(cell, "latch");
    else this.letGo(cell, "latch");
  }

  hold(cell, who) {
    if (!this.isReady || this.#holders[cell].has(who)) return;
    if (!this.#isOn) return this.#onOff();
    this.#onPress();
    this.#holders[cell].add(who);
    if (this.#holders[cell].size === 1) this.#device.ask("key", cell, true);
  }

  letGo(cell, who) {
    if (this.#holders[cell].delete(who) && this.#holders[cell].size === 0) this.#device.ask("key", cell, false);
  }

  /** Whatever holds it: a key of the keyboard went up, and focus may have moved on since it went down. */
  letGoEverywhere(who) {
    this.#holders.forEach((_, cell) => this.letGo(cell, who));
  }

  letAllGo() {
    this.#holders.forEach((who, cell) => [...who].forEach((one) => this.letGo(cell, one)));
    document.querySelectorAll(".key.latched").forEach((key) => key.classList.remove("latched"));
  }

  /** A script let go of all keys: nobody holds them any more. */
  forgetHands() {
    this.#holders.forEach((who) => who.clear());
    document.querySelectorAll(".key.latched").forEach((key) => key.classList.remove("latched"));
  }

  get current() {
    return this.#current;
  }

  #setCurrent(cell) {
    this.#keys[this.#current].button.tabIndex = -1;
    this.#keys[cell].button.tabIndex = 0;
    this.#current = cell;
  }

  focus(cell) {
    this.byKeyboard = true;
    this.#setCurrent(cell);
    this.#keys[cell].button.focus({ preventScroll: true });
  }

  isKey(element) {
    return element?.classList?.contains("key") ?? false;
  }

  setLetters(letters) {
    this.#keys.forEach(({ letter }, cell) => { letter.textContent = letters[cell]; });
  }

  // --- Lights ----------------------------------------------------------------------------------------------------------

  /** At once: a press is answered in the next picture of the screen. */
  #draw({ lights, keys, frames }) {
    for (let cell = 0; cell < CELLS; cell += 1) {
      if ((keys ^ this.#down) >> cell & 1) this.#keys[cell].button.classList.toggle("down");
      this.#light(cell, lights.subarray(3 * cell, 3 * cell + 3));
    }
    this.#down = keys;
    const page = document.documentElement;
    if (frames > 0 && !page.dataset.firstFrame) page.dataset.firstFrame = Math.round(performance.now());
  }

  #light(cell, bytes) {
    const shown = this.#shown[cell];
    if (shown.bytes.every((value, index) => value === bytes[index])) return;
    shown.bytes = [...bytes];
    const channels = Array.from(bytes, (value) => perceived[value]);
    const level = Math.max(...channels);
    // The hint's pulse is no other picture.
    if (cell !== this.#status?.key - 1 || (level === 0) !== (shown.level === 0)) this.#changed = performance.now();
    shown.level = level;
    const key = this.#keys[cell];
    if (level > 0) {
      const rgb = channels.map((channel) => Math.round(255 * channel / level));
      // Painting is dear, fading is cheap: a light that only gets brighter or darker is not painted anew.
      if (rgb.some((value, index) => Math.abs(value - shown.rgb[index]) > SAME_COLOUR)) {
        shown.rgb = rgb;
        for (const part of [key.light, key.glow]) part.style.setProperty("--rgb", rgb.join(" "));
      }
    }
    const lit = Math.min(1, level * EXPOSURE);
    key.light.style.opacity = lit.toFixed(3);
    key.hot.style.opacity = (lit * lit).toFixed(3);
    key.glow.style.opacity = lit.toFixed(3);
  }

  // --- Words -----------------------------------------------------------------------------------------------------------

  #follow(status) {
    const other = status?.scene !== this.#status?.scene || status?.number !== this.#status?.number;
    this.#status = status;
    if (!other) return;
    this.#keys.forEach((key, cell) => { key.caption.textContent = caption(status, cell); });
    // Its label says what is written on a key.
    this.#describe();
  }

  #describe() {
    // A light that pulses is as strong as it was a moment ago.
    this.#strongest = Math.max(0.9 * this.#strongest, ...this.#shown.map(({ level }) => level));
    this.#shown.forEach(({ rgb, level }, cell) => {
      const isHint = this.#status?.scene === "hint" && cell === this.#status.key - 1;
      const colour = isHint ? "pulsing blue" : colourName(rgb, level, this.#strongest);
      const name = caption(this.#status, cell);
      const label = `${place(cell)}, ${colour === "dark" ? "dark" : isHint ? colour : `lit ${colour}`}${name ? `, ${name}` : ""}`;
      this.#colours[cell] = colour;
      const { button } = this.#keys[cell];
      if (button.getAttribute("aria-label") !== label) button.setAttribute("aria-label", label);
    });
    if (!this.byKeyboard || performance.now() - this.#changed < STILL) return;
    const words = boardInWords(this.#colours);
    if (words !== this.#said) document.getElementById("heard").textContent = this.#said = words;
  }

  #tellOf(cell) {
    const does = cell === null ? "" : effect(this.#status, cell, this.#colours[cell]);
    this.#onTell(does && `${caption(this.#status, cell) || place(cell)}: ${does}.`);
  }
}
