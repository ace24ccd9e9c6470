// What the firmware tells of itself in its log, as values. Two kinds of line are meant for reading by a program (see
// src/game/status.rs): `status` and `choices`, words of the form name=value. A firmware that tells neither is not ours, or an
// old one: then nothing is known, and nothing is said.

const NUMBERS = new Set(["number", "moves", "par", "best", "key", "rule", "size", "difficulty", "brightness", "sound"]);

function pairs(words) {
  return Object.fromEntries(words.map((word) => {
    const [name, value] = word.split("=");
    return [name, NUMBERS.has(name) ? Number(value) : value];
  }));
}

/** What a line of the log tells: a kind and its values; or nothing. */
export function read(line) {
  const [kind, ...words] = line.split(" ");
  if (kind === "status" || kind === "choices") return { kind, ...pairs(words) };
  if (line === "refused") return { kind: "refused" };
  const back = /^took back (?:key (\d+)|the restart)$/.exec(line);
  // Keys count from 1 in the log, as people do.
  if (back) return { kind: "took back", step: back[1] ? Number(back[1]) - 1 : "restart" };
  return null;
}
