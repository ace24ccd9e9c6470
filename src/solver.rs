//! Everything that follows from a rule's table of toggle masks, by linear algebra over GF(2).
//!
//! Pressing is adding (XOR), so order does not matter and twice is nothing: a set of presses is a vector `x`, the
//! lights it flips are `A x`, and solving board `b` means finding `x` with `A x = b`. Gauss-Jordan elimination over
//! the keys turns `A` into three small tables:
//! - **inverse**: for a lit cell the presses that a solution needs because of it. A solution is the XOR of the entries of
//!   the lit cells.
//! - **parity**: a board can be solved exactly when it shares an even number of lights with each of these masks.
//! - **quiet**: press sets that change nothing, a basis of them. Adding them to one solution gives all the others, and the
//!   one with the fewest presses among them is the shortest; its length is the par of the board.
//!
//! The chip has no instruction to count bits, and looking at cells one by one takes long. So all of it is stored by rows: for
//! each of the 32 states of the five lights in a row what they contribute, and five look-ups replace 25.

use crate::board::{Board, CELLS, Cell, Cells, Presses, SIDE};
use crate::rules::Variant;

/// The most independent quiet patterns that any rule has (five by five on a torus), checked while deriving.
const MAX_NULLITY: usize = 8;
/// All states of five lights in a row.
const ROW_STATES: usize = 1 << SIDE;
/// Press sets are compared by fours, because four counts fit into a word.
const QUAD: usize = 4;

/// A rule with its tables: what the game plays on.
#[derive(Clone, Debug)]
pub struct Solver {
    variant: Variant,
    cells: Cells,
    toggles: [Cells; CELLS],
    nullity: usize,
    quiet: [Presses; MAX_NULLITY],
    parity_masks: [Cells; MAX_NULLITY],
    /// A bit for each parity mask: whether the lights of the row that are in it are odd in number.
    parity: [[u8; ROW_STATES]; SIDE],
    inverse: [[Presses; ROW_STATES]; SIDE],
    /// The four sums of the first two quiet patterns, none of them included.
    quads: [Presses; QUAD],
    /// How many presses of the row are left when each of `quads` is added: four counts, a byte each.
    weights: [[u32; ROW_STATES]; SIDE],
}

/// The classic game, computed by the compiler; it lies in flash.
pub static CLASSIC: Solver = Solver::new(Variant::CLASSIC);

/// The best of all press sets that do the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shortest {
    /// The one with the fewest presses; of several, the first as numbers go.
    pub presses: Presses,
    /// How many presses these are: the par.
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

    /// The variant that this is.
    pub const fn variant(&self) -> Variant {
        self.variant
    }

    /// The cells of the board.
    pub const fn cells(&self) -> Cells {
        self.cells
    }

    /// The lights that this key flips; none for a key outside the board.
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

    /// The board after this key was pressed.
    #[must_use]
    pub const fn press(&self, board: Board, key: Cell) -> Board {
        board.flipped(self.toggles(key))
    }

    /// The board after each of these keys was pressed once.
    #[must_use]
    pub fn press_all(&self, board: Board, presses: Presses) -> Board {
        presses.iter().fold(board, |board, key| self.press(board, key))
    }

    /// The parity check: whether the board can be solved at all. A light outside the board cannot be put out.
    pub fn is_solvable(&self, board: Board) -> bool {
        let [a, b, c, d, e] = by_rows(&self.parity, board.bits());
        board.lit().is_subset(self.cells) && a ^ b ^ c ^ d ^ e == 0
    }

    /// A solution through the inverse table, not always the shortest.
    pub fn solve(&self, board: Board) -> Option<Presses> {
        self.is_solvable(board).then(|| self.inverse(board))
    }

    /// What the inverse table answers. It is a solution exactly when the board can be solved.
    pub fn inverse(&self, board: Board) -> Presses {
        let [a, b, c, d, e] = by_rows(&self.inverse, board.bits());
        a ^ b ^ c ^ d ^ e
    }

    /// A shortest solution and the par, if the board can be solved.
    // Not inlined, so that its cycles can be counted on the chip.
    #[inline(never)]
    pub fn shortest(&self, board: Board) -> Option<Shortest> {
        self.solve(board).map(|presses| self.shorten(presses))
    }

    /// The best of all press sets that flip the same lights as this one.
    pub fn shorten(&self, presses: Presses) -> Shortest {
        let mut best = u32::MAX;
        self.for_each_quad(presses, |base, counts| {
            // Length and keys in one number: the smallest is the shortest. The counts above the one that is wanted are shifted
            // out. Written out for the reason of `by_rows`.
            let rank = |i: usize| counts >> (8 * i) << CELLS | (base ^ self.quads[i]).bits();
            best = best.min(rank(0)).min(rank(1)).min(rank(2)).min(rank(3));
        });
        Shortest { presses: Presses::from_bits(best), par: best >> CELLS }
    }

    /// How many press sets flip the same lights as this one with as many presses, itself included.
    pub fn ties(&self, presses: Presses) -> u32 {
        let mut ties = 0;
        self.for_each_quad(presses, |_, counts| {
            ties += counts.to_le_bytes().iter().filter(|&&count| u32::from(count) == presses.len()).count() as u32;
        });
        // With fewer than two quiet patterns a quad holds each press set more than once.
        ties >> 2_usize.saturating_sub(self.nullity)
    }

    /// All press sets that flip the same lights as this one, by fours: the first of each four, and the lengths of all. A walk
    /// over the quiet patterns behind the first two in Gray order, where each sum differs from the one before by one pattern.
    fn for_each_quad(&self, presses: Presses, mut visit: impl FnMut(Presses, u32)) {
        let counts = |base: Presses| {
            let [a, b, c, d, e] = by_rows(&self.weights, base.bits());
            a + b + c + d + e
        };
        // The first four apart: for most rules they are all, and setting up the walk would cost as much again.
        visit(presses, counts(presses));
        let mut base = presses;
        let walked = self.quiet.get(2..self.nullity).unwrap_or(&[]);
        for step in 1..1_u32 << walked.len() {
            base ^= walked[step.trailing_zeros() as usize];
            visit(base, counts(base));
        }
    }

    /// The fewest presses that solve the board.
    pub fn par(&self, board: Board) -> Option<u32> {
        self.shortest(board).map(|shortest| shortest.par)
    }

    /// A key that brings the board one press nearer to dark; none when it is dark already or cannot be solved.
    pub fn hint(&self, board: Board) -> Option<Cell> {
        self.shortest(board).and_then(|shortest| shortest.presses.first())
    }
}

/// What the five rows of a mask contribute. Written out: the compiler, told to keep the code small, would make a loop of it,
/// which takes twice as long.
#[inline(always)]
fn by_rows<T: Copy>(table: &[[T; ROW_STATES]; SIDE], mask: u32) -> [T; SIDE] {
    let row = |row: usize| table[row][(mask >> (SIDE * row)) as usize % ROW_STATES];
    [row(0), row(1), row(2), row(3), row(4)]
}

/// The keys of a variant, combined by Gauss-Jordan elimination until each pivot light is flipped by one combination only.
/// Invariant: pressing `presses[i]` flips `lights[i]`.
struct Elimination {
    lights: [Cells; CELLS],
    presses: [Presses; CELLS],
    /// The combination that answers for a light; `CELLS` for a light without one.
    pivot: [usize; CELLS],
    /// Combinations that answer for no light: they flip nothing.
    free: u32,
}

impl Elimination {
    const fn of(toggles: &[Cells; CELLS], cells: Cells) -> Self {
        // At first a combination is one key.
        let mut presses = [Presses::EMPTY; CELLS];
        let mut key = 0;
        while key < CELLS {
            presses[key] = Presses::from_bits(cells.bits() & 1 << key);
            key += 1;
        }
        let mut this = Self { lights: *toggles, presses, pivot: [CELLS; CELLS], free: cells.bits() };
        let mut light = 0;
        while light < CELLS {
            let found = this.free_combination_that_flips(light);
            if found < CELLS {
                this.free &= !(1 << found);
                this.pivot[light] = found;
                this.remove_from_all_others(light, found);
            }
            light += 1;
        }
        this
    }

    const fn free_combination_that_flips(&self, light: usize) -> usize {
        let mut found = 0;
        while found < CELLS && (self.free >> found & 1 == 0 || !self.lights[found].has_index(light)) {
            found += 1;
        }
        found
    }

    const fn remove_from_all_others(&mut self, light: usize, found: usize) {
        let mut other = 0;
        while other < CELLS {
            if other != found && self.lights[other].has_index(light) {
                self.lights[other] = self.lights[other].symmetric_difference(self.lights[found]);
                self.presses[other] = self.presses[other].symmetric_difference(self.presses[found]);
            }
            other += 1;
        }
    }

    /// The combinations that are left flip nothing.
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

    /// Lights without a pivot follow from the pivot lights: each must be the XOR of those whose combination flips it too.
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

    /// A state of a row is its lowest light and the rest, which came before it.
    const fn inverse_by_rows(&self) -> [[Presses; ROW_STATES]; SIDE] {
        let mut inverse = [[Presses::EMPTY; ROW_STATES]; SIDE];
        let mut row = 0;
        while row < SIDE {
            let mut state = 1_usize;
            while state < ROW_STATES {
                let answer = self.pivot[SIDE * row + state.trailing_zeros() as usize];
                let rest = inverse[row][state & (state - 1)];
                inverse[row][state] =
                    if answer < CELLS { rest.symmetric_difference(self.presses[answer]) } else { rest };
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
