// The keys and their lights: input by touch, mouse and screen readers, and the colours of the LEDs.

import { caption, cellName, colourName, describeBoard, effect } from "./texts.js";

const CELLS = 25;
const CENTRE = 12;
// The values that are sent to the LEDs are proportional to light. The firmware has applied a gamma of 2.8.
const GAMMA = 2.8;
// A screen is less bright than LEDs, so all levels are raised a little.
const EXPOSURE = 1.3;
const perceived = Float64Array.from({ length: 256 }, (_, value) => (value / 255) ** (1 / GAMMA));
/** Dim lights have few colour steps. Differences up to this value count as the same colour. */
const MAX_DIFFERENCE = 24;
/** Lights are described to a screen reader after this time without a change, in ms. */
const STILL_TIME = 500;

export class Board {
  #device;
  #keys = [];
  /** The holders of each key: pointers, keys of the keyboard, a latch (Shift-click). */
  #holders = Array.from({ length: CELLS }, () => new Set());
  #status = null;
  #shown = Array.from({ length: CELLS }, () => ({ bytes: [0, 0, 0], rgb: [0, 0, 0], level: 0 }));
  #colours = new Array(CELLS).fill("dark");
  #description = "";
  #down = 0;
  #strongest = 0;
  #changed = 0;
  #current = CENTRE;
  #onEffect;
  #onPress;
  #onOff;
  #isOn = false;
  /** Whether the last input came from a keyboard or a screen reader. Then changes of the lights are described. */
  byKeyboard = false;
  isReady = false;

  /**
   * `onEffect` gets the effect of the key that has the mouse or the focus. `onPress` is called for each press, and
   * `onOff` for a press while the handheld is off.
   */
  constructor(device, onEffect, onPress, onOff) {
    [this.#device, this.#onEffect, this.#onPress, this.#onOff] = [device, onEffect, onPress, onOff];
    const [keys, glows] = [document.getElementById("keys"), document.getElementById("glows")];
    for (let cell = 0; cell < CELLS; cell += 1) this.#keys.push(this.#makeKey(cell, glows));
    keys.append(...this.#keys.map(({ button }) => button));
    device.on("lights", (data) => this.#draw(data));
    device.on("status", ({ status, isOn }) => {
      this.#isOn = isOn;
      this.#setStatus(status);
    });
    setInterval(() => this.#describe(), 250);
  }

  // --- Keys ---------------------------------------------------------------------------------------------------------

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
    button.setAttribute("aria-label", `${cellName(cell)}, dark`);
    const key = { button, light: part("light"), hot: part("hot"), caption: part("caption"), letter: part("letter") };
    key.glow = document.createElement("i");
    glows.append(key.glow);
    this.#listen(button, cell);
    return key;
  }

  #listen(button, cell) {
    button.addEventListener("pointerdown", (event) => {
      // Prevent the focus, because a focus ring is useful for keyboards only.
      event.preventDefault();
      this.byKeyboard = false;
      this.#setCurrent(cell);
      const isLatched = button.classList.contains("latched");
      if (isLatched || event.button === 2 || event.shiftKey) return this.#latch(cell, !isLatched);
      if (event.button !== 0) return;
      // The pointer holds this key until it is lifted, even if it moves to another key.
      button.setPointerCapture(event.pointerId);
      this.hold(cell, `pointer ${event.pointerId}`);
    });
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) {
      button.addEventListener(end, (event) => this.release(cell, `pointer ${event.pointerId}`));
    }
    button.addEventListener("contextmenu", (event) => event.preventDefault());
    // A click without a pointer or a key comes from a screen reader or from voice control.
    button.addEventListener("click", (event) => {
      if (event.detail !== 0 || !this.isReady) return;
      this.byKeyboard = true;
      this.hold(cell, "click");
      this.release(cell, "click");
    });
    button.addEventListener("pointerenter", (event) => { if (event.pointerType === "mouse") this.#showEffect(cell); });
    button.addEventListener("pointerleave", () => this.#showEffect(null));
    button.addEventListener("focus", () => { if (button.matches(":focus-visible")) this.#showEffect(cell); });
    button.addEventListener("blur", () => this.#showEffect(null));
  }

  #latch(cell, on) {
    this.#keys[cell].button.classList.toggle("latched", on);
    if (on) this.hold(cell, "latch");
    else this.release(cell, "latch");
  }

  /** Presses a key. It stays down until all its holders have released it. */
  hold(cell, holder) {
    if (!this.isReady || this.#holders[cell].has(holder)) return;
    if (!this.#isOn) return this.#onOff();
    this.#onPress();
    this.#holders[cell].add(holder);
    if (this.#holders[cell].size === 1) this.#device.ask("key", cell, true);
  }

  release(cell, holder) {
    if (this.#holders[cell].delete(holder) && this.#holders[cell].size === 0) this.#device.ask("key", cell, false);
  }

  /** Releases every key of a holder: the focus may have moved since a key of the keyboard went down. */
  releaseHolder(holder) {
    this.#holders.forEach((_, cell) => this.release(cell, holder));
  }

  releaseAll() {
    this.#holders.forEach((holders, cell) => [...holders].forEach((holder) => this.release(cell, holder)));
    document.querySelectorAll(".key.latched").forEach((key) => key.classList.remove("latched"));
  }

  /** Removes all holders without a release: a script has released all keys. */
  clearHolders() {
    this.#holders.forEach((holders) => holders.clear());
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

  // --- Lights -------------------------------------------------------------------------------------------------------

  /** Shows the lights at once, so that a press is visible in the next frame of the screen. */
  #draw({ lights, keys, frames }) {
    for (let cell = 0; cell < CELLS; cell += 1) {
      if ((keys ^ this.#down) >> cell & 1) this.#keys[cell].button.classList.toggle("down");
      this.#setLight(cell, lights.subarray(3 * cell, 3 * cell + 3));
    }
    this.#down = keys;
    const page = document.documentElement;
    if (frames > 0 && !page.dataset.firstFrame) page.dataset.firstFrame = Math.round(performance.now());
  }

  #setLight(cell, bytes) {
    const shown = this.#shown[cell];
    if (shown.bytes.every((value, index) => value === bytes[index])) return;
    shown.bytes = [...bytes];
    const channels = Array.from(bytes, (value) => perceived[value]);
    const level = Math.max(...channels);
    // The pulse of a hint is not a change.
    const isPulse = cell === this.#status?.key - 1 && (level === 0) === (shown.level === 0);
    if (!isPulse) this.#changed = performance.now();
    shown.level = level;
    const key = this.#keys[cell];
    if (level > 0) {
      const rgb = channels.map((channel) => Math.round(255 * channel / level));
      // Painting is slow and fading is fast, so a light is painted again only if its colour changes.
      if (rgb.some((value, index) => Math.abs(value - shown.rgb[index]) > MAX_DIFFERENCE)) {
        shown.rgb = rgb;
        for (const part of [key.light, key.glow]) part.style.setProperty("--rgb", rgb.join(" "));
      }
    }
    const lit = Math.min(1, level * EXPOSURE);
    key.light.style.opacity = lit.toFixed(3);
    key.hot.style.opacity = (lit * lit).toFixed(3);
    key.glow.style.opacity = lit.toFixed(3);
  }

  // --- Texts --------------------------------------------------------------------------------------------------------

  #setStatus(status) {
    const isOther = status?.scene !== this.#status?.scene || status?.number !== this.#status?.number;
    this.#status = status;
    if (!isOther) return;
    this.#keys.forEach((key, cell) => { key.caption.textContent = caption(status, cell); });
    // The label of a key contains its caption.
    this.#describe();
  }

  #describe() {
    // The maximum decays slowly, because a pulsing light is dark at times.
    this.#strongest = Math.max(0.9 * this.#strongest, ...this.#shown.map(({ level }) => level));
    this.#shown.forEach(({ rgb, level }, cell) => {
      const isHint = this.#status?.scene === "hint" && cell === this.#status.key - 1;
      const colour = isHint ? "pulsing blue" : colourName(rgb, level, this.#strongest);
      const light = colour === "dark" || isHint ? colour : `lit ${colour}`;
      const label = [cellName(cell), light, caption(this.#status, cell)].filter(Boolean).join(", ");
      this.#colours[cell] = colour;
      const { button } = this.#keys[cell];
      if (button.getAttribute("aria-label") !== label) button.setAttribute("aria-label", label);
    });
    if (!this.byKeyboard || performance.now() - this.#changed < STILL_TIME) return;
    const description = describeBoard(this.#colours);
    if (description === this.#description) return;
    this.#description = description;
    document.getElementById("board-description").textContent = description;
  }

  #showEffect(cell) {
    const text = cell === null ? "" : effect(this.#status, cell, this.#colours[cell]);
    this.#onEffect(text && `${caption(this.#status, cell) || cellName(cell)}: ${text}.`);
  }
}
