// The logic analyser: what happens on the matrix and on the LED wire around a key press, to be zoomed into.
//
// A trace is pairs of a time in milliseconds and the levels of all lines from there on, bit = line.

const $ = (id) => document.getElementById(id);
const LINES = [
  ...[0, 1, 2, 3, 4].map((row) => ({ name: `row ${row + 1}`, colour: "#6db3ff" })),
  ...[0, 1, 2, 3, 4].map((column) => ({ name: `col ${column + 1}`, colour: "#7ddc8a" })),
  { name: "LEDs", colour: "#ffb638" },
  { name: "supply", colour: "#c9a6ff" },
  { name: "piezo", colour: "#ff8a80" },
];
const NAMES = 56, LINE = 18, AXIS = 22;
/** The shortest time that is worth a look: a bit on the LED wire takes 1.2 us. */
const NEAREST = 0.002;

export class Analyser {
  #trace = null;
  /** What was recorded and what is in sight, in milliseconds. */
  #whole = [0, 1];
  #from = 0;
  #to = 1;

  constructor(device, notice) {
    $("record").addEventListener("click", async () => {
      $("record").disabled = true;
      $("trace-tip").textContent = "Recording: press a key of the handheld.";
      try {
        const { trace, from, to } = await device.ask("record");
        this.#show(trace, from, to);
      } catch ({ message }) {
        notice(message, true);
        $("trace-tip").textContent = "";
      }
      $("record").disabled = false;
    });
    $("zoom-in").addEventListener("click", () => this.#zoom(0.5));
    $("zoom-out").addEventListener("click", () => this.#zoom(2));
    const canvas = $("trace");
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.#zoom(event.deltaY < 0 ? 0.8 : 1.25, this.#share(event));
    }, { passive: false });
    canvas.addEventListener("pointerdown", (event) => canvas.setPointerCapture(event.pointerId));
    canvas.addEventListener("pointermove", (event) => {
      if (canvas.hasPointerCapture(event.pointerId)) this.#pan(-event.movementX / (canvas.clientWidth - NAMES));
    });
    canvas.addEventListener("keydown", (event) => {
      const act = { "+": () => this.#zoom(0.5), "-": () => this.#zoom(2), ArrowLeft: () => this.#pan(-0.2), ArrowRight: () => this.#pan(0.2) }[event.key];
      if (!act) return;
      act();
      event.preventDefault();
      event.stopPropagation();
    });
  }

  #share(event) {
    const box = event.target.getBoundingClientRect();
    return Math.min(1, Math.max(0, (event.clientX - box.left - NAMES) / (box.width - NAMES)));
  }

  #show(trace, from, to) {
    this.#trace = trace;
    this.#whole = [from, to];
    [this.#from, this.#to] = [from, to];
    for (const id of ["zoom-in", "zoom-out"]) $(id).disabled = false;
    $("trace").hidden = false;
    this.#draw();
  }

  #zoom(factor, share = 0.5) {
    if (!this.#trace) return;
    const [first, last] = this.#whole;
    const middle = this.#from + share * (this.#to - this.#from);
    const span = Math.min(Math.max((this.#to - this.#from) * factor, NEAREST), last - first);
    this.#from = Math.min(Math.max(middle - share * span, first), last - span);
    this.#to = this.#from + span;
    this.#draw();
  }

  #pan(share) {
    if (!this.#trace) return;
    const span = this.#to - this.#from;
    this.#from = Math.min(Math.max(this.#from + share * span, this.#whole[0]), this.#whole[1] - span);
    this.#to = this.#from + span;
    this.#draw();
  }

  #draw() {
    const canvas = $("trace");
    const [width, height] = [canvas.clientWidth, LINES.length * LINE + AXIS];
    [canvas.width, canvas.height] = [width * devicePixelRatio, height * devicePixelRatio];
    const pen = canvas.getContext("2d");
    pen.scale(devicePixelRatio, devicePixelRatio);
    const x = (moment) => NAMES + (moment - this.#from) / (this.#to - this.#from) * (width - NAMES);
    pen.font = "12px system-ui, sans-serif";
    this.#drawAxis(pen, x, width, height);
    LINES.forEach((line, index) => this.#drawLine(pen, x, { ...line, bit: index }, (index + 1) * LINE));
    const span = this.#to - this.#from;
    const shown = span >= 1 ? `${span.toFixed(1)} ms` : `${(1000 * span).toFixed(1)} µs`;
    $("trace-tip").textContent = `${shown} in sight, from ${this.#from.toFixed(4)} ms after power-on. Wheel or + and − zoom, dragging or arrows move.`;
  }

  #drawAxis(pen, x, width, height) {
    const wanted = (this.#to - this.#from) / 8;
    const power = 10 ** Math.floor(Math.log10(wanted));
    const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= wanted);
    pen.fillStyle = "#9ba0ab";
    pen.strokeStyle = "#ffffff1c";
    pen.lineWidth = 1;
    for (let moment = Math.ceil(this.#from / step) * step; moment <= this.#to; moment += step) {
      pen.beginPath();
      pen.moveTo(x(moment), 0);
      pen.lineTo(x(moment), height - AXIS + 4);
      pen.stroke();
      const since = moment - this.#whole[0];
      pen.fillText(step >= 0.1 ? `${since.toFixed(1)} ms` : `${(1000 * since).toFixed(step >= 0.001 ? 0 : 1)} µs`, Math.min(x(moment) + 3, width - 60), height - 6);
    }
  }

  /** Many changes within a point of the screen are one: a line is as long as its picture, not as its trace. */
  #drawLine(pen, x, { name, bit, colour }, bottom) {
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
