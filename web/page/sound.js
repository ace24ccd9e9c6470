// What the piezo plays, on the computer's loudspeaker. Browsers allow sound after the first touch of the page, not before; and a
// loudspeaker that is ready costs as much as the handheld itself, so it is only while the handheld's sound is on.

/** What nobody hears: a PWM that rests, or is set up. */
const HIGHEST = 16_000;
const VOLUME = 0.05;

export class Sound {
  #audio = null;
  #isWanted = false;

  get isWanted() {
    return this.#isWanted;
  }

  set isWanted(wanted) {
    if (wanted === this.#isWanted) return;
    this.#isWanted = wanted;
    if (!wanted) this.sleep();
    else if (navigator.userActivation?.hasBeenActive ?? false) this.wake();
  }

  constructor(device) {
    device.on("tones", (news) => this.#play(news));
    device.on("power", () => this.silence());
    // A finger that comes down is no gesture yet, only one that goes up.
    for (const name of ["pointerup", "keydown"]) addEventListener(name, () => this.wake(), { capture: true });
  }

  wake() {
    if (!this.#isWanted) return;
    if (!this.#audio && globalThis.AudioContext) {
      const context = new AudioContext();
      const [tone, volume] = [new OscillatorNode(context, { type: "square" }), new GainNode(context, { gain: 0 })];
      // A piezo disc has no bass, but a loudspeaker makes a square wave harsher than it is.
      tone.connect(new BiquadFilterNode(context, { type: "lowpass", frequency: 5000 })).connect(volume).connect(context.destination);
      tone.start();
      this.#audio = { context, tone, volume };
    }
    if (this.#audio?.context.state === "suspended" && !document.hidden) this.#audio.context.resume().catch(() => {});
  }

  sleep() {
    this.silence();
    this.#audio?.context.suspend().catch(() => {});
  }

  silence() {
    if (!this.#audio) return;
    this.#audio.volume.gain.cancelScheduledValues(0);
    this.#audio.volume.gain.setTargetAtTime(0, this.#audio.context.currentTime, 0.002);
  }

  #play({ tones, now, speed }) {
    if (!this.#audio || !this.#isWanted) return;
    const { context, tone, volume } = this.#audio;
    for (let index = 0; index < tones.length; index += 2) {
      const [moment, frequency] = [tones[index], tones[index + 1]];
      const at = context.currentTime + 0.02 + Math.max(0, moment - now + 20) / 1000 / speed;
      const isHeard = frequency > 0 && frequency < HIGHEST;
      if (isHeard) tone.frequency.setValueAtTime(frequency, at);
      volume.gain.setTargetAtTime(isHeard ? VOLUME : 0, at, 0.002);
    }
  }
}
