// The texts of the page: the status line, the legend of the colours, the names and effects of keys, and descriptions
// for a screen reader. Pure functions of the firmware's status (status.js) and of the lights; they do not access the
// page.

const SIDE = 5;
const MODES = { levels: "Levels", random: "Random", create: "Create", tutor: "Tutor", action: "Action" };
export const RULES = ["Plus", "Cross", "Plus on a torus", "Cross on a torus", "Ring"];
const LEVELS_A_PAGE = 25;

/** The name of a cell. */
export const cellName = (cell) => `row ${Math.floor(cell / SIDE) + 1} column ${(cell % SIDE) + 1}`;
const counted = (number, one, many = `${one}s`) => `${number} ${number === 1 ? one : many}`;

// --- The menu -------------------------------------------------------------------------------------------------------

/** Each row of the menu: its name, and the short names of its keys. */
export const MENU = [
  { name: "mode", keys: Object.values(MODES) },
  { name: "rule", keys: ["Plus", "Cross", "Plus torus", "Cross torus", "Ring"] },
  { name: "size", keys: ["2 × 2", "3 × 3", "4 × 4", "5 × 5"] },
  { name: "difficulty", keys: ["Easy", "Medium", "Hard", "Harder", "Hardest"] },
  { name: "brightness", keys: ["Dim", "Low", "High", "Full", "Sound"] },
];
export const SOUND_CELL = 24;
const MENU_COLOURS = ["amber", "blue", "green", "violet", "white"];

function menuKey(cell) {
  const { name, keys } = MENU[Math.floor(cell / SIDE)];
  const key = keys[cell % SIDE];
  return key === undefined ? null : { row: name, key };
}

// --- The status line ------------------------------------------------------------------------------------------------

function puzzleName({ mode, number }, choices) {
  switch (mode) {
    case "levels": return `Level ${number}`;
    case "random": {
      const difficulty = choices ? `, ${MENU[3].keys[choices.difficulty - 1].toLowerCase()}` : "";
      return `Random${difficulty}, puzzle ${number}`;
    }
    case "create": return "Custom board";
    default: return MODES[mode] ?? "";
  }
}

function progress(status, choices) {
  const parts = [puzzleName(status, choices), counted(status.moves, "move"), `par ${status.par}`];
  if (status.best > 0) parts.push(`best ${status.best}`);
  return parts.join(" · ");
}

/** The text of the status line; empty without a status. */
export function statusLine(status, choices) {
  if (!status) return "";
  switch (status.scene) {
    case "greeting": return "Hello.";
    case "battery": return "The battery is low.";
    case "asleep": return "Asleep. Press any key to wake the handheld. This press is not a move.";
    case "menu": return `Menu: ${MODES[status.mode]} is chosen. Tap it again to start it.`;
    case "picker": return `Levels, page ${status.number} of 3. Tap a level.`;
    case "play": return progress(status, choices);
    case "hint": return `${progress(status, choices)} · hint: ${cellName(status.key - 1)}`;
    case "demo": return `${puzzleName(status, choices)} · demo of a shortest solution`;
    case "won":
    case "score": return wonLine(status);
    case "draw": return "Create: each tap flips one light.";
    case "par": return `Create: the par of this drawing is ${status.par}.`;
    case "refused": return "Create: this drawing cannot be played.";
    case "slots": return "Create: the five slots for drawings.";
    case "chase": return `Tutor · ${counted(status.moves, "move")} · press the key below the white light`;
    case "toprow": return `Tutor · ${counted(status.moves, "move")} · press the pulsing keys of the top row`;
    case "action": return `Action · ${counted(status.moves, "press", "presses")} survived · best ${status.best}`;
    case "lost": return `Lost: ${counted(status.moves, "press", "presses")} survived, best ${status.best}.`;
    case "selftest": return "Self-test: press every key.";
    case "teaching": return `Teaching · ${status.moves} of 50 presses`;
    default: return "";
  }
}

function wonLine({ mode, number, moves, par }) {
  const name = mode === "levels" ? `Level ${number} solved` : "Solved";
  return `${name} in ${moves}, par ${par}.${moves === par ? " Perfect: the fewest possible." : ""}`;
}

/** A sentence for a computer that is too slow for the handheld; empty for a computer that is fast enough. */
export function slowText({ real, emulated, ticks, short }) {
  if (short <= ticks / 4) return "";
  const speed = `${(emulated / Math.max(1, real)).toFixed(1)}× of its normal speed`;
  return `This computer is too slow at the moment. The handheld runs at ${speed}. No frame is lost.`;
}

// --- The legend of the colours --------------------------------------------------------------------------------------

const LIT = ["amber", "light on"];
const LEGENDS = {
  play: [LIT, ["dark", "light off"], ["", "Turn all lights off."]],
  hint: [LIT, ["blue", "pulsing: press this key next"]],
  demo: [LIT, ["blue", "the next key of the solution"], ["", "Any key stops the demo and is not a move."]],
  won: [
    ["green", "solved: an animation, then moves, par and level number"],
    ["", "Any key starts the next puzzle. Restart plays this one again."],
  ],
  picker: [
    ["blue", "pulsing: the next level to solve"],
    ["green", "solved at par"],
    ["amber", "solved, not at par yet"],
    ["faint", "still locked"],
    ["", "Next and Undo turn the pages."],
  ],
  draw: [
    ["green", "steady: this board can be solved"],
    ["red", "pulsing: this board cannot be solved"],
    ["", "Hint shows the par, Solve plays the board, Next opens the slots, Restart clears the drawing."],
  ],
  par: [["green", "the fewest presses that solve the drawing"]],
  refused: [["red", "a cross: this board cannot be solved, or is empty"]],
  slots: [
    ["blue", "row 2: save the drawing in this slot; bright if the slot is in use"],
    ["amber", "row 4: load the drawing of this slot"],
    ["", "Any other key closes the slots."],
  ],
  chase: [
    ["white", "the light to chase"],
    ["blue", "pulsing: the key below it, which turns it off"],
    LIT,
    ["red", "a wrong key; it is not a move"],
  ],
  toprow: [["blue", "pulsing: press these keys of the top row, then chase again"], LIT],
  action: [
    LIT,
    ["", "The handheld presses keys, faster and faster. The game is over when 18 lights are on. The menu pauses it."],
  ],
  lost: [
    ["red", "too many lights"],
    ["white", "presses survived; green for your best result"],
    ["", "Any key starts another game."],
  ],
  selftest: [
    ["dark", "a key that was not pressed yet"],
    ["green", "a key that works"],
    ["violet", "two keys that close at the same moment: a short circuit"],
    ["red", "a key that is stuck, or a row or column that does not work"],
    ["", "Menu ends the self-test."],
  ],
  teaching: [
    ["white", "pulsing: press the key at this light"],
    ["amber", "all on: turn them off in reading order"],
    ["red", "all: this press is refused"],
    ["green", "one after the other: all keys and lights are learned"],
    ["", "The teaching ends after 30 seconds without a key press. Then nothing is changed."],
  ],
  battery: [
    ["red", "a battery: low if its bottom is filled, empty if it is not"],
    ["", "With an empty battery the handheld saves the game and sleeps."],
  ],
  asleep: [["dark", "no key press for three minutes: lights off, clocks stopped"]],
  greeting: [["", "Any key skips the greeting."]],
};
LEGENDS.score = LEGENDS.won;

/** What the colours mean: pairs of a colour (empty for a sentence without one) and a text. */
export function legend(status) {
  if (!status) return [];
  if (status.scene === "menu") {
    return MENU.map(({ name, keys }, row) => [MENU_COLOURS[row], `row ${row + 1}, ${name}: ${keys.join(", ")}`]);
  }
  return LEGENDS[status.scene] ?? [];
}

// --- Keys -----------------------------------------------------------------------------------------------------------

/** Whether a cell belongs to a board of this size: smaller boards are in the middle. */
function isOnBoard(cell, size) {
  const origin = Math.floor((SIDE - size) / 2);
  const isInside = (at) => at >= origin && at < origin + size;
  return isInside(Math.floor(cell / SIDE)) && isInside(cell % SIDE);
}

/** The size of the board of a code, which depends on the length of the code. */
const sizeOfCode = (code) => ({ 3: 2, 4: 3, 5: 4, 7: 5 })[code?.length] ?? SIDE;

/** The caption of a key, in scenes where each key has its own meaning. */
export function caption(status, cell) {
  switch (status?.scene) {
    case "menu": return menuKey(cell)?.key ?? "";
    case "picker": return String(LEVELS_A_PAGE * (status.number - 1) + cell + 1);
    case "slots": return { 1: `save ${cell % SIDE + 1}`, 3: `load ${cell % SIDE + 1}` }[Math.floor(cell / SIDE)] ?? "";
    default: return "";
  }
}

// Not "its light": the rule Ring does not flip the light of the key itself.
const FLIPS = "flips the lights that the rule defines for it";
const OFF_BOARD = "is not on this board";
const FIXED_EFFECTS = {
  action: FLIPS,
  demo: "stops the demo",
  won: "starts the next puzzle",
  score: "starts the next puzzle",
  lost: "starts another game",
  asleep: "wakes the handheld",
  greeting: "skips the greeting",
  battery: "skips the warning, unless the battery is empty",
  par: "returns to the drawing",
  refused: "returns to the drawing",
  selftest: "tests this key",
  teaching: "teaches this key",
};

/** The effect of a tap on a key. `colour` is the name of the colour of its light. */
export function effect(status, cell, colour) {
  if (!status) return "";
  const isInside = isOnBoard(cell, sizeOfCode(status.puzzle));
  const flips = isInside ? FLIPS : OFF_BOARD;
  const isNext = status.key - 1 === cell;
  switch (status.scene) {
    case "menu": return menuEffect(status, cell);
    case "picker": return pickerEffect(status, cell, colour);
    case "slots": return slotEffect(cell, colour);
    case "play": return flips;
    case "hint": return isNext ? "is the next press of a shortest solution" : flips;
    case "draw": return isInside ? "flips this light only" : OFF_BOARD;
    case "chase":
    case "toprow": return isNext ? "is the next key of the lesson" : flips;
    default: return FIXED_EFFECTS[status.scene] ?? "";
  }
}

function menuEffect(status, cell) {
  const key = menuKey(cell);
  if (!key) return "does nothing";
  if (cell === SOUND_CELL) return "switches the sound on or off";
  if (key.row !== "mode") return `chooses ${key.row} ${key.key}`;
  return status.mode === key.key.toLowerCase() ? `starts ${key.key}` : `chooses ${key.key}; tap again to start it`;
}

function pickerEffect(status, cell, colour) {
  const level = LEVELS_A_PAGE * (status.number - 1) + cell + 1;
  // The lights of open levels are blue, amber or green.
  if (/white|dark/.test(colour)) return `is level ${level}, which is still locked`;
  const result = /green/.test(colour) ? ", solved at par" : /amber/.test(colour) ? ", solved" : "";
  return `starts level ${level}${result}`;
}

function slotEffect(cell, colour) {
  const slot = cell % SIDE + 1;
  switch (Math.floor(cell / SIDE)) {
    case 1: return `saves the drawing in slot ${slot}${/dim|faint/.test(colour) ? "" : " and replaces the one there"}`;
    case 3: return colour === "dark" ? `does nothing: slot ${slot} is empty` : `loads the drawing of slot ${slot}`;
    default: return "closes the slots";
  }
}

/** Why a command or a key had no effect, and what to do. */
export function refusal(status, asked) {
  if (!status) return "";
  if (asked === "next" && status.mode === "levels") {
    return `The next level is still locked. Solve level ${status.number} first.`;
  }
  if (asked === "undo") return "There is nothing to undo.";
  if (asked === "restart") return "The puzzle is already at its start.";
  if (status.scene === "menu") return "This command does not work in the menu. Close the menu with Menu first.";
  if (status.mode === "action") return "Hint, Solve and Undo do not work in Action.";
  if (status.scene === "picker") return "This level is still locked. Solve the pulsing level first.";
  if (status.scene === "slots") return "This slot is empty. Choose a bright key.";
  if (status.scene === "refused") return "This drawing cannot be solved, or is empty. Change it first.";
  if (status.mode === "tutor") return "This key is not the next one. Press a pulsing key.";
  return "This is not possible now.";
}

// --- Lights ---------------------------------------------------------------------------------------------------------

/** The name of a colour. `level` is the brightness of the light, `strongest` that of the brightest one, 0 to 1. */
export function colourName([red, green, blue], level, strongest) {
  if (level === 0) return "dark";
  const share = level / strongest;
  const name = hueName(red, green, blue);
  return share < 0.3 ? `faint ${name}` : share < 0.65 ? `dim ${name}` : name;
}

function hueName(red, green, blue) {
  const highest = Math.max(red, green, blue), span = highest - Math.min(red, green, blue);
  if (span <= 0.35 * highest) return "white";
  let angle = (red - green) / span + 4;
  if (highest === red) angle = ((green - blue) / span + 6) % 6;
  else if (highest === green) angle = (blue - red) / span + 2;
  if (angle < 0.35 || angle > 5.5) return "red";
  return angle < 1.35 ? "amber" : angle < 3 ? "green" : angle < 4.4 ? "blue" : "violet";
}

/** Describes the lights that are on, row by row. */
export function describeBoard(colours) {
  const rows = [];
  for (let row = 0; row < SIDE; row += 1) {
    const isLit = (column) => colours[SIDE * row + column] !== "dark";
    const columns = [0, 1, 2, 3, 4].filter(isLit).map((column) => column + 1);
    if (columns.length) rows.push(`row ${row + 1}: ${columns.join(", ")}`);
  }
  return rows.length ? `Lights on: ${rows.join("; ")}.` : "All lights are off.";
}
