// The keyboard: arrows and space for whoever walks over the keys, letters for commands, or, if the player wants, 25 letters for
// the 25 keys.

// Places of the keyboard, whatever is printed on them. Four rows of a keyboard are above the space bar; the fifth row of
// the handheld is on the right of the second.
const CODES = ["Digit1", "Digit2", "Digit3", "Digit4", "Digit5", "KeyQ", "KeyW", "KeyE", "KeyR", "KeyT", "KeyA", "KeyS",
  "KeyD", "KeyF", "KeyG", "KeyZ", "KeyX", "KeyC", "KeyV", "KeyB", "KeyY", "KeyU", "KeyI", "KeyO", "KeyP"];
const COMMANDS = { u: "undo", r: "restart", h: "hint", n: "next", m: "menu", s: "demo", y: "redo" };
const ROWS = 5;

export class Keyboard {
  #board;
  #act;
  /** Whether letters press keys; then Shift and a letter is a command. */
  lettersPress = false;

  constructor(board, act) {
    this.#board = board;
    this.#act = act;
    board.setLetters(CODES.map((code) => code.slice(-1)));
    // Where the browser tells what is printed on the keys, that is shown.
    navigator.keyboard?.getLayoutMap?.().then((layout) => {
      board.setLetters(CODES.map((code) => layout.get(code) ?? code.slice(-1)));
    }).catch(() => {});
    document.addEventListener("keydown", (event) => { if (this.#down(event)) event.preventDefault(); });
    document.addEventListener("keyup", (event) => {
      board.letGoEverywhere(event.code);
      if (event.key === " " && board.isKey(event.target)) event.preventDefault();
    });
    addEventListener("blur", () => board.letAllGo());
  }

  /** Whether the key was for us. */
  #down(event) {
    const { target, code, key, repeat } = event;
    const isWriting = target.closest?.("input:not([type=radio]):not([type=checkbox]), textarea, select");
    if (isWriting || target.closest?.("dialog")) return false;
    const letter = key.toLowerCase();
    if (event.ctrlKey || event.metaKey) {
      const command = letter === "y" || (letter === "z" && event.shiftKey) ? "redo" : letter === "z" ? "undo" : null;
      if (command && !event.altKey) this.#act(command);
      return command !== null;
    }
    if (event.altKey) return false;
    if (this.#walk(event)) return true;
    const cell = CODES.indexOf(code);
    if (this.lettersPress && cell >= 0 && !event.shiftKey) {
      this.#board.byKeyboard = true;
      if (!repeat) this.#board.hold(cell, code);
      return true;
    }
    const command = COMMANDS[letter];
    if (!command || (this.lettersPress && !event.shiftKey)) return false;
    this.#board.byKeyboard = true;
    if (!repeat || command === "undo" || command === "redo") this.#act(command);
    return true;
  }

  /** Arrows, Home, End, space and Enter, on a key or where nothing else wants them. */
  #walk({ target, code, key, repeat }) {
    const onKey = this.#board.isKey(target);
    if (!onKey && target !== document.body) return false;
    const { current } = this.#board;
    const [row, column] = [Math.floor(current / ROWS), current % ROWS];
    const to = { ArrowUp: [row + 4, column], ArrowDown: [row + 1, column], ArrowLeft: [row, column + 4], ArrowRight: [row, column + 1],
      Home: [row, 0], End: [row, 4] }[key];
    if (to) this.#board.focus(ROWS * (to[0] % ROWS) + to[1] % ROWS);
    else if (key === " " || (key === "Enter" && onKey)) {
      this.#board.focus(current);
      if (!repeat) this.#board.hold(current, code);
    } else return false;
    return true;
  }
}
