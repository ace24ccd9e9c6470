// Reads the status of the firmware from its log. Two kinds of line are made for programs (see src/game/status.rs):
// `status` and `choices`, with words of the form name=value. A firmware without these lines is an older version or
// another program: then the page shows no status.

const NUMBERS = new Set(["number", "moves", "par", "best", "key", "rule", "size", "difficulty", "brightness", "sound"]);

function pairs(words) {
  return Object.fromEntries(words.map((word) => {
    const [name, value] = word.split("=");
    return [name, NUMBERS.has(name) ? Number(value) : value];
  }));
}

/** The kind and the values of a log line; null for all other lines. */
export function parseLogLine(line) {
  const [kind, ...words] = line.split(" ");
  if (kind === "status" || kind === "choices") return { kind, ...pairs(words) };
  if (line === "refused") return { kind: "refused" };
  const undone = /^undid (?:key (\d+)|the restart)$/.exec(line);
  // Keys count from 1 in the log and from 0 here.
  if (undone) return { kind: "undone", step: undone[1] ? Number(undone[1]) - 1 : "restart" };
  return null;
}
