// Plays the tones of the piezo on the computer's loudspeaker. Browsers allow sound only after the first input on the
// page. An active audio output uses as much processor time as the handheld, so it is active only while the sound is
// on.

/** Frequencies above this are inaudible: the PWM is idle or being set up. In Hz. */
const MAX_FREQUENCY = 16_000;
const VOLUME = 0.05;

export class Sound {
  #audio = null;
  #isEnabled = false;

  get isEnabled() {
    return this.#isEnabled;
  }

  set isEnabled(enabled) {
    if (enabled === this.#isEnabled) return;
    this.#isEnabled = enabled;
    if (!enabled) this.suspend();
    else if (navigator.userActivation?.hasBeenActive ?? false) this.resume();
  }

  constructor(device) {
    device.on("tones", (data) => this.#play(data));
    device.on("power", () => this.silence());
    // For a browser, only the release of a pointer is a user action, not its press.
    for (const name of ["pointerup", "keydown"]) addEventListener(name, () => this.resume(), { capture: true });
  }

  resume() {
    if (!this.#isEnabled) return;
    if (!this.#audio && globalThis.AudioContext) {
      const context = new AudioContext();
      const [tone, volume] = [new OscillatorNode(context, { type: "square" }), new GainNode(context, { gain: 0 })];
      // A square wave sounds harsher on a loudspeaker than on a piezo disc.
      const filter = new BiquadFilterNode(context, { type: "lowpass", frequency: 5000 });
      tone.connect(filter).connect(volume).connect(context.destination);
      tone.start();
      this.#audio = { context, tone, volume };
    }
    const isSuspended = this.#audio?.context.state === "suspended";
    if (isSuspended && !document.hidden) this.#audio.context.resume().catch(() => {});
  }

  suspend() {
    this.silence();
    this.#audio?.context.suspend().catch(() => {});
  }

  silence() {
    if (!this.#audio) return;
    this.#audio.volume.gain.cancelScheduledValues(0);
    this.#audio.volume.gain.setTargetAtTime(0, this.#audio.context.currentTime, 0.002);
  }

  #play({ tones, now, speed }) {
    if (!this.#audio || !this.#isEnabled) return;
    const { context, tone, volume } = this.#audio;
    for (let index = 0; index < tones.length; index += 2) {
      const [time, frequency] = [tones[index], tones[index + 1]];
      const at = context.currentTime + 0.02 + Math.max(0, time - now + 20) / 1000 / speed;
      const isAudible = frequency > 0 && frequency < MAX_FREQUENCY;
      if (isAudible) tone.frequency.setValueAtTime(frequency, at);
      volume.gain.setTargetAtTime(isAudible ? VOLUME : 0, at, 0.002);
    }
  }
}
