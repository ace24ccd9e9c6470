//! The solver: linear algebra over GF(2) on a rule's table of toggle masks.
//!
//! A press is an addition (XOR), so the order of presses does not matter, and two presses of one key cancel out. A set
//! of presses is a vector `x`, and the lights that it flips are `A x`. A solution of board `b` is an `x` with
//! `A x = b`. Gauss-Jordan elimination over the keys turns `A` into three small tables:
//! - **inverse**: for each cell, the presses that a solution needs if this cell is lit. A solution is the XOR of the
//!   entries of all lit cells.
//! - **parity**: masks of cells. A board can be solved exactly when it shares an even number of lights with each of
//!   them.
//! - **quiet**: a basis of the press sets that change nothing. One solution plus all sums of quiet patterns gives all
//!   solutions. The number of presses of the shortest solution is the par of the board.
//!
//! The chip has no instruction to count bits, and a loop over the cells is slow. So all tables are stored by rows:
//! they have an entry for each of the 32 states of the five lights of a row. Five look-ups replace 25.

use crate::board::{Board, CELLS, Cell, Cells, Presses, SIDE};
use crate::rules::Variant;

/// The most independent quiet patterns of any rule (five by five on a torus). More would panic when the tables are
/// built.
const MAX_NULLITY: usize = 8;
/// The number of states of the five lights of a row.
const ROW_STATES: usize = 1 << SIDE;
/// Press sets are compared in groups of four, because four counts fit into a word.
const QUAD: usize = 4;

/// A variant with its tables.
#[derive(Clone, Debug)]
pub struct Solver {
    variant: Variant,
    cells: Cells,
    toggles: [Cells; CELLS],
    nullity: usize,
    quiet: [Presses; MAX_NULLITY],
    parity_masks: [Cells; MAX_NULLITY],
    /// For each state of a row, a bit for each parity mask: whether the number of its lights in the mask is odd.
    parity: [[u8; ROW_STATES]; SIDE],
    inverse: [[Presses; ROW_STATES]; SIDE],
    /// The four sums of the first two quiet patterns: neither, the first, the second, both.
    quads: [Presses; QUAD],
    /// For each state of a row, its number of presses after each of `quads` is added: four counts, one byte each.
    weights: [[u32; ROW_STATES]; SIDE],
}

/// The tables of the classic game, computed at compile time.
pub static CLASSIC: Solver = Solver::new(Variant::CLASSIC);

/// The shortest of all press sets that flip the same lights.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shortest {
    /// The set with the fewest presses. Of several, the one whose bits are the lowest number.
    pub presses: Presses,
    /// The number of presses: the par.
    pub par: u32,
}

impl Solver {
    /// Derives the tables of a variant.
    pub const fn new(variant: Variant) -> Self {
        let (toggles, cells) = (variant.toggles(), variant.cells());
        let eliminated = Elimination::of(&toggles, cells);
        let nullity = eliminated.free.count_ones() as usize;
        let quiet = eliminated.quiet_patterns();
        let parity_masks = eliminated.parity_masks(cells);
        let quads = [Presses::EMPTY, quiet[0], quiet[1], quiet[0].symmetric_difference(quiet[1])];
        Self {
            variant,
            cells,
            toggles,
            nullity,
            quiet,
            parity_masks,
            parity: parity_by_rows(&parity_masks),
            inverse: eliminated.inverse_by_rows(),
            quads,
            weights: weights_by_rows(&quads),
        }
    }

    /// The variant.
    pub const fn variant(&self) -> Variant {
        self.variant
    }

    /// The cells of the board.
    pub const fn cells(&self) -> Cells {
        self.cells
    }

    /// The lights that this key flips. Empty for a key outside the board.
    pub const fn toggles(&self, key: Cell) -> Cells {
        self.toggles[key.index()]
    }

    /// A basis of the press sets that change nothing.
    pub fn quiet_patterns(&self) -> &[Presses] {
        &self.quiet[..self.nullity]
    }

    /// The masks of the parity check.
    pub fn parity_masks(&self) -> &[Cells] {
        &self.parity_masks[..self.nullity]
    }

    /// The board after a press of this key.
    #[must_use]
    pub const fn press(&self, board: Board, key: Cell) -> Board {
        board.flipped(self.toggles(key))
    }

    /// The board after one press of each of these keys.
    #[must_use]
    pub fn press_all(&self, board: Board, presses: Presses) -> Board {
        presses.iter().fold(board, |board, key| self.press(board, key))
    }

    /// The parity check: whether the board can be solved. A light outside the board cannot be turned off.
    pub fn is_solvable(&self, board: Board) -> bool {
        let [a, b, c, d, e] = by_rows(&self.parity, board.bits());
        board.lit().is_subset(self.cells) && a ^ b ^ c ^ d ^ e == 0
    }

    /// A solution by the inverse table. It is not always the shortest.
    pub fn solve(&self, board: Board) -> Option<Presses> {
        self.is_solvable(board).then(|| self.inverse(board))
    }

    /// The result of the inverse table. It is a solution exactly when the board can be solved.
    pub fn inverse(&self, board: Board) -> Presses {
        let [a, b, c, d, e] = by_rows(&self.inverse, board.bits());
        a ^ b ^ c ^ d ^ e
    }

    /// A shortest solution and the par, if the board can be solved.
    // Not inlined, so that its cycles on the chip can be measured.
    #[inline(never)]
    pub fn shortest(&self, board: Board) -> Option<Shortest> {
        self.solve(board).map(|presses| self.shorten(presses))
    }

    /// The shortest of all press sets that flip the same lights as this one.
    pub fn shorten(&self, presses: Presses) -> Shortest {
        let mut best = u32::MAX;
        self.for_each_quad(presses, |base, counts| {
            // One number, with the count in the bits above the keys: the lowest number is the shortest set. The shift
            // drops the other counts above this one. Four calls instead of a loop, for the same reason as in `by_rows`.
            let rank = |i: usize| counts >> (8 * i) << CELLS | (base ^ self.quads[i]).bits();
            best = best.min(rank(0)).min(rank(1)).min(rank(2)).min(rank(3));
        });
        Shortest { presses: Presses::from_bits(best), par: best >> CELLS }
    }

    /// The number of press sets that flip the same lights with the same number of presses, including this one.
    pub fn ties(&self, presses: Presses) -> u32 {
        let mut ties = 0;
        self.for_each_quad(presses, |_, counts| {
            ties += counts.to_le_bytes().iter().filter(|&&count| u32::from(count) == presses.len()).count() as u32;
        });
        // With fewer than two quiet patterns, a group of four contains each press set more than once.
        ties >> 2_usize.saturating_sub(self.nullity)
    }

    /// Visits all press sets that flip the same lights as this one, in groups of four: the first set of each group,
    /// and the four counts of presses. The groups are the sums of the quiet patterns after the first two, in Gray code
    /// order: each sum differs from the one before by one pattern.
    fn for_each_quad(&self, presses: Presses, mut visit: impl FnMut(Presses, u32)) {
        let counts = |base: Presses| {
            let [a, b, c, d, e] = by_rows(&self.weights, base.bits());
            a + b + c + d + e
        };
        // The first group is handled outside of the loop: most rules have no other, and the set-up of the loop would
        // double the time.
        visit(presses, counts(presses));
        let mut base = presses;
        let walked = self.quiet.get(2..self.nullity).unwrap_or(&[]);
        for step in 1..1_u32 << walked.len() {
            base ^= walked[step.trailing_zeros() as usize];
            visit(base, counts(base));
        }
    }

    /// The par of the board: the number of presses of its shortest solution. None if it cannot be solved.
    pub fn par(&self, board: Board) -> Option<u32> {
        self.shortest(board).map(|shortest| shortest.par)
    }

    /// The first press of a shortest solution. None if the board is dark or cannot be solved.
    pub fn hint(&self, board: Board) -> Option<Cell> {
        self.shortest(board).and_then(|shortest| shortest.presses.first())
    }
}

/// The entries of the five rows of a mask. Five calls instead of a loop: the compiler optimises for size and does not
/// unroll a loop, which takes twice as long.
#[inline(always)]
fn by_rows<T: Copy>(table: &[[T; ROW_STATES]; SIDE], mask: u32) -> [T; SIDE] {
    let row = |row: usize| table[row][(mask >> (SIDE * row)) as usize % ROW_STATES];
    [row(0), row(1), row(2), row(3), row(4)]
}

/// Gauss-Jordan elimination: combinations of keys such that each pivot light is flipped by exactly one combination.
/// Invariant: the presses `presses[i]` flip the lights `lights[i]`.
struct Elimination {
    lights: [Cells; CELLS],
    presses: [Presses; CELLS],
    /// The combination of each pivot light; `CELLS` for a light that is no pivot.
    pivot: [usize; CELLS],
    /// The combinations without a pivot light, as bits. In the end they flip nothing.
    free: u32,
}

impl Elimination {
    const fn of(toggles: &[Cells; CELLS], cells: Cells) -> Self {
        // At first each combination is one key.
        let mut presses = [Presses::EMPTY; CELLS];
        let mut key = 0;
        while key < CELLS {
            presses[key] = Presses::from_bits(cells.bits() & 1 << key);
            key += 1;
        }
        let mut this = Self { lights: *toggles, presses, pivot: [CELLS; CELLS], free: cells.bits() };
        let mut light = 0;
        while light < CELLS {
            let found = this.find_free_combination(light);
            if found < CELLS {
                this.free &= !(1 << found);
                this.pivot[light] = found;
                this.eliminate(light, found);
            }
            light += 1;
        }
        this
    }

    /// The first free combination that flips this light; `CELLS` if there is none.
    const fn find_free_combination(&self, light: usize) -> usize {
        let mut found = 0;
        while found < CELLS && (self.free >> found & 1 == 0 || !self.lights[found].has_index(light)) {
            found += 1;
        }
        found
    }

    /// Adds the found combination to all others that flip this light, so that they no longer do.
    const fn eliminate(&mut self, light: usize, found: usize) {
        let mut other = 0;
        while other < CELLS {
            if other != found && self.lights[other].has_index(light) {
                self.lights[other] = self.lights[other].symmetric_difference(self.lights[found]);
                self.presses[other] = self.presses[other].symmetric_difference(self.presses[found]);
            }
            other += 1;
        }
    }

    /// The combinations that are still free: they flip nothing.
    const fn quiet_patterns(&self) -> [Presses; MAX_NULLITY] {
        let mut quiet = [Presses::EMPTY; MAX_NULLITY];
        let (mut count, mut i) = (0, 0);
        while i < CELLS {
            if self.free >> i & 1 == 1 {
                quiet[count] = self.presses[i];
                count += 1;
            }
            i += 1;
        }
        quiet
    }

    /// The parity masks: each light that is no pivot depends on the pivot lights. It must be the XOR of those whose
    /// combination flips it as well.
    const fn parity_masks(&self, cells: Cells) -> [Cells; MAX_NULLITY] {
        let mut masks = [Cells::EMPTY; MAX_NULLITY];
        let (mut count, mut light) = (0, 0);
        while light < CELLS {
            if cells.has_index(light) && self.pivot[light] == CELLS {
                let mut mask = 1 << light;
                let mut other = 0;
                while other < CELLS {
                    if self.pivot[other] < CELLS && self.lights[self.pivot[other]].has_index(light) {
                        mask |= 1 << other;
                    }
                    other += 1;
                }
                masks[count] = Cells::from_bits(mask);
                count += 1;
            }
            light += 1;
        }
        masks
    }

    /// The inverse table. The entry of a state is the XOR of the entry of its lowest light, and the entry of the other
    /// lights, which is a lower state.
    const fn inverse_by_rows(&self) -> [[Presses; ROW_STATES]; SIDE] {
        let mut inverse = [[Presses::EMPTY; ROW_STATES]; SIDE];
        let mut row = 0;
        while row < SIDE {
            let mut state = 1_usize;
            while state < ROW_STATES {
                let combination = self.pivot[SIDE * row + state.trailing_zeros() as usize];
                let rest = inverse[row][state & (state - 1)];
                inverse[row][state] =
                    if combination < CELLS { rest.symmetric_difference(self.presses[combination]) } else { rest };
                state += 1;
            }
            row += 1;
        }
        inverse
    }
}

const fn parity_by_rows(masks: &[Cells; MAX_NULLITY]) -> [[u8; ROW_STATES]; SIDE] {
    let mut parity = [[0; ROW_STATES]; SIDE];
    let mut i = 0;
    while i < SIDE * ROW_STATES {
        let (row, state) = (i / ROW_STATES, i % ROW_STATES);
        let lights = (state as u32) << (SIDE * row);
        let mut mask = 0;
        while mask < MAX_NULLITY {
            parity[row][state] |= (((lights & masks[mask].bits()).count_ones() % 2) << mask) as u8;
            mask += 1;
        }
        i += 1;
    }
    parity
}

const fn weights_by_rows(quads: &[Presses; QUAD]) -> [[u32; ROW_STATES]; SIDE] {
    let mut weights = [[0; ROW_STATES]; SIDE];
    let mut i = 0;
    while i < SIDE * ROW_STATES {
        let (row, state) = (i / ROW_STATES, i % ROW_STATES);
        let presses = (state as u32) << (SIDE * row);
        let mut quad = 0;
        while quad < QUAD {
            weights[row][state] |=
                ((presses ^ quads[quad].bits()) & Cells::in_row(row).bits()).count_ones() << (8 * quad);
            quad += 1;
        }
        i += 1;
    }
    weights
}
