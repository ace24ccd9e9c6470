// The logic analyser: shows the signals of the matrix, the LED data wire, the LED supply and the piezo around a key
// press.
//
// A trace is a list of pairs: a time in milliseconds, and the levels of all signals from that time on; each bit is a
// signal.

const $ = (id) => document.getElementById(id);
const SIGNALS = [
  ...[0, 1, 2, 3, 4].map((row) => ({ name: `row ${row + 1}`, colour: "#6db3ff" })),
  ...[0, 1, 2, 3, 4].map((column) => ({ name: `col ${column + 1}`, colour: "#7ddc8a" })),
  { name: "LEDs", colour: "#ffb638" },
  { name: "supply", colour: "#c9a6ff" },
  { name: "piezo", colour: "#ff8a80" },
];
/** Sizes in CSS pixels: the width of the names, the height of a signal, the height of the time axis. */
const NAMES = 56, LINE = 18, AXIS = 22;
/** The shortest visible time span in ms. A bit on the LED data wire takes 1.2 us. */
const MIN_SPAN = 0.002;

export class Analyser {
  #trace = null;
  /** The recorded time span and the visible one, in milliseconds. */
  #recorded = [0, 1];
  #from = 0;
  #to = 1;

  constructor(device, showNotice) {
    $("record").addEventListener("click", async () => {
      $("record").disabled = true;
      $("trace-tip").textContent = "Recording. Press a key of the handheld.";
      try {
        const { trace, from, to } = await device.ask("record");
        this.#show(trace, from, to);
      } catch ({ message }) {
        showNotice(message, true);
        $("trace-tip").textContent = "";
      }
      $("record").disabled = false;
    });
    $("zoom-in").addEventListener("click", () => this.#zoom(0.5));
    $("zoom-out").addEventListener("click", () => this.#zoom(2));
    const canvas = $("trace");
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.#zoom(event.deltaY < 0 ? 0.8 : 1.25, this.#positionOf(event));
    }, { passive: false });
    canvas.addEventListener("pointerdown", (event) => canvas.setPointerCapture(event.pointerId));
    canvas.addEventListener("pointermove", (event) => {
      if (canvas.hasPointerCapture(event.pointerId)) this.#pan(-event.movementX / (canvas.clientWidth - NAMES));
    });
    canvas.addEventListener("keydown", (event) => {
      const actions = {
        "+": () => this.#zoom(0.5),
        "-": () => this.#zoom(2),
        ArrowLeft: () => this.#pan(-0.2),
        ArrowRight: () => this.#pan(0.2),
      };
      if (!actions[event.key]) return;
      actions[event.key]();
      event.preventDefault();
      event.stopPropagation();
    });
  }

  /** The horizontal position of an event in the trace, from 0 to 1. */
  #positionOf(event) {
    const box = event.target.getBoundingClientRect();
    return Math.min(1, Math.max(0, (event.clientX - box.left - NAMES) / (box.width - NAMES)));
  }

  #show(trace, from, to) {
    this.#trace = trace;
    this.#recorded = [from, to];
    [this.#from, this.#to] = [from, to];
    for (const id of ["zoom-in", "zoom-out"]) $(id).disabled = false;
    $("trace").hidden = false;
    this.#draw();
  }

  #zoom(factor, position = 0.5) {
    if (!this.#trace) return;
    const [first, last] = this.#recorded;
    const centre = this.#from + position * (this.#to - this.#from);
    const span = Math.min(Math.max((this.#to - this.#from) * factor, MIN_SPAN), last - first);
    this.#from = Math.min(Math.max(centre - position * span, first), last - span);
    this.#to = this.#from + span;
    this.#draw();
  }

  /** Moves the visible time span by a fraction of its length. */
  #pan(fraction) {
    if (!this.#trace) return;
    const span = this.#to - this.#from;
    this.#from = Math.min(Math.max(this.#from + fraction * span, this.#recorded[0]), this.#recorded[1] - span);
    this.#to = this.#from + span;
    this.#draw();
  }

  #draw() {
    const canvas = $("trace");
    const [width, height] = [canvas.clientWidth, SIGNALS.length * LINE + AXIS];
    [canvas.width, canvas.height] = [width * devicePixelRatio, height * devicePixelRatio];
    const pen = canvas.getContext("2d");
    pen.scale(devicePixelRatio, devicePixelRatio);
    const x = (time) => NAMES + (time - this.#from) / (this.#to - this.#from) * (width - NAMES);
    pen.font = "12px system-ui, sans-serif";
    this.#drawAxis(pen, x, width, height);
    SIGNALS.forEach((signal, bit) => this.#drawSignal(pen, x, { ...signal, bit }, (bit + 1) * LINE));
    const span = this.#to - this.#from;
    const shown = span >= 1 ? `${span.toFixed(1)} ms` : `${(1000 * span).toFixed(1)} µs`;
    $("trace-tip").textContent = `${shown} visible, from ${this.#from.toFixed(4)} ms after power-on. ` +
      "Zoom with the wheel or + and −, move by dragging or with the arrow keys.";
  }

  #drawAxis(pen, x, width, height) {
    const minStep = (this.#to - this.#from) / 8;
    const power = 10 ** Math.floor(Math.log10(minStep));
    const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= minStep);
    pen.fillStyle = "#9ba0ab";
    pen.strokeStyle = "#ffffff1c";
    pen.lineWidth = 1;
    for (let time = Math.ceil(this.#from / step) * step; time <= this.#to; time += step) {
      pen.beginPath();
      pen.moveTo(x(time), 0);
      pen.lineTo(x(time), height - AXIS + 4);
      pen.stroke();
      const since = time - this.#recorded[0];
      const microseconds = (1000 * since).toFixed(step >= 0.001 ? 0 : 1);
      const label = step >= 0.1 ? `${since.toFixed(1)} ms` : `${microseconds} µs`;
      pen.fillText(label, Math.min(x(time) + 3, width - 60), height - 6);
    }
  }

  /** Draws a signal. Several changes within one pixel become one, so a long trace is drawn quickly. */
  #drawSignal(pen, x, { name, bit, colour }, bottom) {
    const trace = this.#trace;
    const height = (levels) => bottom - (levels >> bit & 1 ? LINE - 7 : 2);
    pen.fillStyle = "#d6d3cb";
    pen.fillText(name, 6, bottom - 5);
    pen.strokeStyle = colour;
    pen.lineWidth = 1.5;
    pen.beginPath();
    let last = null, lastX = NAMES;
    for (let index = 0; index < trace.length; index += 2) {
      const y = height(trace[index + 1]);
      if (trace[index] <= this.#from || last === null) {
        last = y;
        continue;
      }
      if (trace[index] > this.#to) break;
      if (y === last) continue;
      const here = x(trace[index]);
      if (lastX === NAMES) pen.moveTo(NAMES, last);
      if (here - lastX > 0.3 || lastX === NAMES) {
        pen.lineTo(here, last);
        pen.lineTo(here, y);
        lastX = here;
      } else pen.lineTo(lastX, y);
      last = y;
    }
    if (last !== null) {
      if (lastX === NAMES) pen.moveTo(NAMES, last);
      pen.lineTo(x(this.#to), last);
    }
    pen.stroke();
  }
}
