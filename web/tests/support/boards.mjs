// Boards of the classic rule, five by five, as masks: bit n is cell n.

/** The lights that a press flips under the classic rule. */
export const flips = (cell) => [[0, 0], [0, 1], [0, -1], [1, 0], [-1, 0]]
  .map(([down, right]) => [Math.floor(cell / 5) + down, cell % 5 + right])
  .filter(([row, column]) => row >= 0 && row < 5 && column >= 0 && column < 5)
  .reduce((mask, [row, column]) => mask | 1 << 5 * row + column, 0);

/** The board after these presses. */
export const pressed = (board, cells) => cells.reduce((lights, cell) => lights ^ flips(cell), board);
