// The page's own firmware, one file for each kind of chip. Runs in the worker.

const FILES = { rp2040: "firmware-rp2040.elf", rp2350: "firmware-rp2350.elf" };

/** The kinds of chip. The first one is the default. */
export const CHIP_KINDS = Object.keys(FILES);

/** Fetches the firmware for a kind of chip. The message of an error is a sentence for the player. */
export async function fetchOwnFirmware(kind) {
  const response = await fetch(FILES[kind]);
  if (response.status === 202) {
    throw new Error(`The firmware for the ${kind.toUpperCase()} is still being built. Try again in a minute or two.`);
  }
  if (!response.ok) throw new Error(`The file ${FILES[kind]} cannot be loaded (${response.status}).`);
  return new Uint8Array(await response.arrayBuffer());
}
