// The computer's keyboard: arrow keys and space for the keys of the handheld, letters for commands; or, as an option,
// 25 letters for the 25 keys.

// Positions on the keyboard, independent of its layout. A keyboard has four rows above the space bar. The fifth row
// of the handheld is on the right side of the second row.
const CODES = ["Digit1", "Digit2", "Digit3", "Digit4", "Digit5", "KeyQ", "KeyW", "KeyE", "KeyR", "KeyT", "KeyA", "KeyS",
  "KeyD", "KeyF", "KeyG", "KeyZ", "KeyX", "KeyC", "KeyV", "KeyB", "KeyY", "KeyU", "KeyI", "KeyO", "KeyP"];
const COMMANDS = { u: "undo", r: "restart", h: "hint", n: "next", m: "menu", s: "demo", y: "redo" };
const ROWS = 5;

export class Keyboard {
  #board;
  #runCommand;
  /** Whether letters press keys. Then Shift and a letter give a command. */
  lettersPress = false;

  constructor(board, runCommand) {
    this.#board = board;
    this.#runCommand = runCommand;
    board.setLetters(CODES.map((code) => code.slice(-1)));
    // Show the characters of the keyboard's layout if the browser knows them.
    navigator.keyboard?.getLayoutMap?.().then((layout) => {
      board.setLetters(CODES.map((code) => layout.get(code) ?? code.slice(-1)));
    }).catch(() => {});
    document.addEventListener("keydown", (event) => { if (this.#handleKey(event)) event.preventDefault(); });
    document.addEventListener("keyup", (event) => {
      board.releaseHolder(event.code);
      if (event.key === " " && board.isKey(event.target)) event.preventDefault();
    });
    addEventListener("blur", () => board.releaseAll());
  }

  /** Handles a key. Returns whether the page used it. */
  #handleKey(event) {
    const { target, code, key, repeat } = event;
    const isTyping = target.closest?.("input:not([type=radio]):not([type=checkbox]), textarea, select");
    if (isTyping || target.closest?.("dialog")) return false;
    const letter = key.toLowerCase();
    if (event.ctrlKey || event.metaKey) {
      const command = letter === "y" || (letter === "z" && event.shiftKey) ? "redo" : letter === "z" ? "undo" : null;
      if (command && !event.altKey) this.#runCommand(command);
      return command !== null;
    }
    if (event.altKey) return false;
    if (this.#moveOrPress(event)) return true;
    const cell = CODES.indexOf(code);
    if (this.lettersPress && cell >= 0 && !event.shiftKey) {
      this.#board.byKeyboard = true;
      if (!repeat) this.#board.hold(cell, code);
      return true;
    }
    const command = COMMANDS[letter];
    if (!command || (this.lettersPress && !event.shiftKey)) return false;
    this.#board.byKeyboard = true;
    if (!repeat || command === "undo" || command === "redo") this.#runCommand(command);
    return true;
  }

  /** Handles arrow keys, Home, End, space and Enter, if a key of the handheld or nothing has the focus. */
  #moveOrPress({ target, code, key, repeat }) {
    const onKey = this.#board.isKey(target);
    if (!onKey && target !== document.body) return false;
    const { current } = this.#board;
    const [row, column] = [Math.floor(current / ROWS), current % ROWS];
    const cells = {
      ArrowUp: [row + 4, column],
      ArrowDown: [row + 1, column],
      ArrowLeft: [row, column + 4],
      ArrowRight: [row, column + 1],
      Home: [row, 0],
      End: [row, 4],
    };
    const next = cells[key];
    if (next) this.#board.focus(ROWS * (next[0] % ROWS) + next[1] % ROWS);
    else if (key === " " || (key === "Enter" && onKey)) {
      this.#board.focus(current);
      if (!repeat) this.#board.hold(current, code);
    } else return false;
    return true;
  }
}
