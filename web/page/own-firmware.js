// The page's own firmware, one file for each kind of chip. Lives in the worker.

const FILES = { rp2040: "firmware-rp2040.elf", rp2350: "firmware-rp2350.elf" };

/** The kinds of chip, the one to begin with first. */
export const OWN = Object.keys(FILES);

/** An error is a sentence for the player. */
export async function fetchOwn(kind) {
  const answer = await fetch(FILES[kind]);
  if (answer.status === 202) throw new Error(`The firmware for the ${kind.toUpperCase()} is still being built: it will be there in a minute or two.`);
  if (!answer.ok) throw new Error(`The file ${FILES[kind]} is not there (${answer.status}).`);
  return new Uint8Array(await answer.arrayBuffer());
}
