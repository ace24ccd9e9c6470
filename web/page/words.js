// What is going on, in words: for the status line, for the legend, for each key, and for a screen reader. Pure functions of what the
// firmware has told (status.js) and of the lights; nothing here knows of the page.

const SIDE = 5;
const MODES = { levels: "Levels", random: "Random", create: "Create", tutor: "Tutor", action: "Action" };
export const RULES = ["Plus", "Cross", "Plus on a torus", "Cross on a torus", "Ring"];
const LEVELS_A_PAGE = 25;

export const place = (cell) => `row ${Math.floor(cell / SIDE) + 1} column ${(cell % SIDE) + 1}`;
const counted = (number, one, many = `${one}s`) => `${number} ${number === 1 ? one : many}`;

// --- The menu ----------------------------------------------------------------------------------------------------------

/** Each row of the menu: its name, and the short names of its keys. */
export const MENU = [
  { name: "mode", keys: Object.values(MODES) },
  { name: "rule", keys: ["Plus", "Cross", "Plus torus", "Cross torus", "Ring"] },
  { name: "size", keys: ["2 × 2", "3 × 3", "4 × 4", "5 × 5"] },
  { name: "difficulty", keys: ["Easy", "Medium", "Hard", "Harder", "Hardest"] },
  { name: "brightness", keys: ["Dim", "Low", "High", "Full", "Sound"] },
];
export const SOUND_CELL = 24;

function menuKey(cell) {
  const { name, keys } = MENU[Math.floor(cell / SIDE)];
  const key = keys[cell % SIDE];
  return key === undefined ? null : { row: name, key };
}

// --- The status line ---------------------------------------------------------------------------------------------------

function puzzleName({ mode, number }, choices) {
  switch (mode) {
    case "levels": return `Level ${number}`;
    case "random": return `Random${choices ? `, ${MENU[3].keys[choices.difficulty - 1].toLowerCase()}` : ""}, puzzle ${number}`;
    case "create": return "A drawn board";
    default: return MODES[mode] ?? "";
  }
}

function standing(status, choices) {
  const parts = [puzzleName(status, choices), counted(status.moves, "move"), `par ${status.par}`];
  if (status.best > 0) parts.push(`best ${status.best}`);
  return parts.join(" · ");
}

/** One sentence; the empty one where nothing is known. */
export function statusLine(status, choices) {
  if (!status) return "";
  switch (status.scene) {
    case "greeting": return "Hello.";
    case "battery": return "The battery is low.";
    case "asleep": return "Asleep: any key wakes it, and that key is not a move.";
    case "menu": return `Menu: ${MODES[status.mode]} is chosen, tap it again to start it.`;
    case "picker": return `Levels, page ${status.number} of 3: tap a level.`;
    case "play": return standing(status, choices);
    case "hint": return `${standing(status, choices)} · hint: ${place(status.key - 1)}`;
    case "demo": return `${puzzleName(status, choices)} · this is how: watch a shortest solution`;
    case "won":
    case "score": return won(status);
    case "draw": return "Create: each tap flips one light.";
    case "par": return `Create: the par of this drawing is ${status.par}.`;
    case "refused": return "Create: this drawing cannot be played.";
    case "slots": return "Create: the five slots for drawings.";
    case "chase": return `Tutor · ${counted(status.moves, "move")} · chase the white light with the key below it`;
    case "toprow": return `Tutor · ${counted(status.moves, "move")} · press the pulsing keys of the top row`;
    case "action": return `Action · ${counted(status.moves, "press", "presses")} survived · best ${status.best}`;
    case "lost": return `Lost: ${counted(status.moves, "press", "presses")} survived, best ${status.best}.`;
    case "selftest": return "Self-test: press every key.";
    case "teaching": return `Teaching · ${status.moves} of 50 keys`;
    default: return "";
  }
}

function won({ mode, number, moves, par }) {
  const which = mode === "levels" ? `Level ${number} solved` : "Solved";
  return `${which} in ${moves}, par ${par}.${moves === par ? " Nobody can do it in fewer." : ""}`;
}

/** What is said of a computer that does not keep up with the handheld; nothing where it does. */
export function paceWords({ real, emulated, ticks, short }) {
  if (short <= ticks / 4) return "";
  return `This computer manages ${(emulated / Math.max(1, real)).toFixed(1)}× at the moment, so the handheld’s time runs slower. No light is lost.`;
}

// --- The legend --------------------------------------------------------------------------------------------------------

const LIT = ["amber", "a light that is on"];
const LEGENDS = {
  play: [LIT, ["dark", "a light that is off: turn them all off"]],
  hint: [LIT, ["blue", "pulsing: press this key next"]],
  demo: [LIT, ["blue", "the key that is pressed next"], ["", "Any key stops the demo, and is not a move."]],
  won: [["green", "solved: a ripple, then moves, par and number"], ["", "Any key goes on to the next puzzle. Restart plays this one again."]],
  picker: [["blue", "pulsing: open, solve it next"], ["green", "solved at par"], ["amber", "solved, not at par yet"], ["faint", "not open yet"],
    ["", "Next and Undo turn the pages."]],
  draw: [["green", "still: this board can be solved"], ["red", "pulsing: nobody can solve it"],
    ["", "Hint shows its par, Solve plays it, Next opens the slots, Restart wipes it."]],
  par: [["green", "the fewest presses that solve the drawing"]],
  refused: [["red", "a cross: this board cannot be solved, or is empty"]],
  slots: [["blue", "row 2: keep the drawing here; bright where one is kept"], ["amber", "row 4: bring that drawing back"], ["", "Any other key leaves."]],
  chase: [["white", "the light to chase"], ["blue", "pulsing: the key below it, which puts it out"], LIT, ["red", "a wrong key: no move"]],
  toprow: [["blue", "pulsing: press these keys of the top row, then chase again"], LIT],
  action: [LIT, ["", "The handheld presses keys, faster and faster. At 18 lights of 25 it is over. The menu stops the clock."]],
  lost: [["red", "too many lights"], ["white", "presses survived; green for your best"], ["", "Any key starts another game."]],
  selftest: [["dark", "a key that was not pressed yet"], ["green", "a key that works"], ["violet", "two keys that close together: a short"],
    ["red", "a key that is stuck, a row or column that is dead"], ["", "Menu ends it."]],
  teaching: [["white", "pulsing: press the key at this light"], ["amber", "all on: put them out in reading order"],
    ["red", "all: this press is refused"], ["green", "in reading order: all is learned"], ["", "Half a minute without a key ends it."]],
  battery: [["red", "a battery: low with a little at its bottom, empty without; then it saves and sleeps"]],
  asleep: [["dark", "three minutes without a key: lights off, clocks stopped"]],
  greeting: [["", "Any key cuts it short."]],
};
LEGENDS.score = LEGENDS.won;

/** What the colours mean: pairs of a colour (none for a plain sentence) and words. */
export function legend(status) {
  if (!status) return [];
  if (status.scene === "menu") {
    return MENU.map(({ name, keys }, row) => [["amber", "blue", "green", "violet", "white"][row], `row ${row + 1}, ${name}: ${keys.join(", ")}`]);
  }
  return LEGENDS[status.scene] ?? [];
}

// --- Keys --------------------------------------------------------------------------------------------------------------

/** Whether a cell belongs to a board of this size: smaller ones sit in the middle. */
function isOnBoard(cell, size) {
  const origin = Math.floor((SIDE - size) / 2);
  const inside = (at) => at >= origin && at < origin + size;
  return inside(Math.floor(cell / SIDE)) && inside(cell % SIDE);
}

/** The length of a code tells the size of its board. */
const sizeOfCode = (code) => ({ 3: 2, 4: 3, 5: 4, 7: 5 })[code.length] ?? SIDE;

/** What is written on a key, where its place is its meaning. */
export function caption(status, cell) {
  switch (status?.scene) {
    case "menu": return menuKey(cell)?.key ?? "";
    case "picker": return String(LEVELS_A_PAGE * (status.number - 1) + cell + 1);
    case "slots": return { 1: `keep ${cell % SIDE + 1}`, 3: `load ${cell % SIDE + 1}` }[Math.floor(cell / SIDE)] ?? "";
    default: return "";
  }
}

/** What a tap on a key would do now. `colour` is what its light has, in words. */
export function effect(status, cell, colour) {
  if (!status) return "";
  const flips = () => (isOnBoard(cell, sizeOfCode(status.puzzle)) ? "flips its light and those that the rule adds" : "is not on this board");
  switch (status.scene) {
    case "menu": return menuEffect(status, cell);
    case "picker": return pickerEffect(status, cell, colour);
    case "slots": return slotEffect(cell, colour);
    case "play": return flips();
    case "hint": return status.key - 1 === cell ? "is the next press of a shortest solution" : flips();
    case "draw": return isOnBoard(cell, sizeOfCode(status.puzzle)) ? "flips this light alone" : "is not on this board";
    case "chase":
    case "toprow": return status.key - 1 === cell ? "is what the lesson asks for" : flips();
    case "action": return "flips its light and those that the rule adds";
    case "demo": return "stops the demo";
    case "won":
    case "score": return "goes on to the next puzzle";
    case "lost": return "starts another game";
    case "asleep": return "wakes the handheld";
    case "greeting": return "cuts the greeting short";
    case "battery": return "cuts it short, unless it is empty";
    case "par":
    case "refused": return "goes back to the drawing";
    case "selftest":
    case "teaching": return "is tried";
    default: return "";
  }
}

function menuEffect(status, cell) {
  const key = menuKey(cell);
  if (!key) return "does nothing";
  if (cell === SOUND_CELL) return "switches the sound";
  if (key.row === "mode") return status.mode === key.key.toLowerCase() ? `starts ${key.key}` : `chooses ${key.key}; tap again to start it`;
  return `chooses ${key.row} ${key.key}`;
}

function pickerEffect(status, cell, colour) {
  const level = LEVELS_A_PAGE * (status.number - 1) + cell + 1;
  // Those that can be started are blue, amber or green.
  if (/white|dark/.test(colour)) return `is level ${level}, not open yet`;
  const how = /green/.test(colour) ? ", solved at par" : /amber/.test(colour) ? ", solved" : "";
  return `starts level ${level}${how}`;
}

function slotEffect(cell, colour) {
  const slot = cell % SIDE + 1;
  switch (Math.floor(cell / SIDE)) {
    case 1: return `keeps the drawing in slot ${slot}${/dim|faint/.test(colour) ? "" : ", in place of the one there"}`;
    case 3: return colour === "dark" ? `would bring slot ${slot} back, but it is empty` : `brings back what slot ${slot} keeps`;
    default: return "leaves the slots";
  }
}

/** Why nothing came of a command or a key. */
export function refusal(status, asked) {
  if (!status) return "";
  if (asked === "next" && status.mode === "levels") return `Level ${status.number} is not solved yet: the next one opens when it is.`;
  if (asked === "undo") return "There is nothing to take back.";
  if (asked === "restart") return "This is the start already.";
  if (status.scene === "menu") return "The menu takes no commands but Menu, which closes it.";
  if (status.mode === "action") return "There is no hint, demo or undo in Action.";
  if (status.scene === "picker") return "That level is not open yet.";
  if (status.scene === "slots") return "That slot is empty.";
  if (status.scene === "refused") return "This drawing cannot be solved, or is empty.";
  if (status.mode === "tutor") return "Not this key: the lesson asks for a pulsing one.";
  return "That cannot be done now.";
}

// --- Lights ------------------------------------------------------------------------------------------------------------

/** The colour of a light in a word or two; `strongest` is the level of the brightest light, 0 to 1. */
export function colourName([red, green, blue], level, strongest) {
  if (level === 0) return "dark";
  const top = Math.max(red, green, blue), low = Math.min(red, green, blue);
  let hue = "white";
  if (top - low > 0.35 * top) {
    const span = top - low;
    const angle = top === red ? ((green - blue) / span + 6) % 6 : top === green ? (blue - red) / span + 2 : (red - green) / span + 4;
    hue = angle < 0.35 || angle > 5.5 ? "red" : angle < 1.35 ? "amber" : angle < 3 ? "green" : angle < 4.4 ? "blue" : "violet";
  }
  const share = level / strongest;
  return share < 0.3 ? `faint ${hue}` : share < 0.65 ? `dim ${hue}` : hue;
}

/** The lights that are on, row by row. */
export function boardInWords(colours) {
  const rows = [];
  for (let row = 0; row < SIDE; row += 1) {
    const columns = [0, 1, 2, 3, 4].filter((column) => colours[SIDE * row + column] !== "dark").map((column) => column + 1);
    if (columns.length) rows.push(`row ${row + 1}: ${columns.join(", ")}`);
  }
  return rows.length ? `Lit are ${rows.join("; ")}.` : "All lights are out.";
}
