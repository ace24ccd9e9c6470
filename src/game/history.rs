//! What can be taken back: every step since the puzzle began, or the last [`UNDO_DEPTH`] of them.
//!
//! A key is taken back by pressing it again. What a restart threw away is found by playing again what came before it, from
//! the position at which the steps begin; hundreds of presses are as many XORs. That position is only needed for restarts, so
//! it is only kept from the first one on.

use heapless::Vec;
use serde::{Deserialize, Serialize, Serializer};

use crate::board::{Board, CELLS, Cell, Cells};

/// How many steps can be taken back. So many fit into a save beside all else; when there are more, the oldest are forgotten.
pub const UNDO_DEPTH: usize = 250;

/// Something that the player did, and that can be taken back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// Pressed this key.
    Key(Cell),
    /// Went back to the start.
    Restart,
}

/// The lights, and the moves that it took to come there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "told above")]
pub struct Position {
    pub board: Board,
    pub moves: u32,
}

impl Position {
    /// Nothing was done yet.
    pub const fn start(board: Board) -> Self {
        Self { board, moves: 0 }
    }
}

/// What steps do.
#[derive(Clone, Copy)]
pub struct Effects<'a> {
    /// Where a restart leads.
    pub start: Board,
    /// The lights that a key flips.
    pub flips: &'a dyn Fn(Cell) -> Cells,
}

impl Effects<'_> {
    /// The position after one step more.
    pub fn after(&self, position: Position, step: Step) -> Position {
        match step {
            Step::Key(key) => {
                Position { board: position.board.flipped((self.flips)(key)), moves: position.moves.saturating_add(1) }
            }
            Step::Restart => Position::start(self.start),
        }
    }

    /// The position before a key was pressed, unless no move led to it.
    fn before(&self, position: Position, key: Cell) -> Option<Position> {
        let moves = position.moves.checked_sub(1)?;
        Some(Position { board: position.board.flipped((self.flips)(key)), moves })
    }
}

/// The steps so far.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(try_from = "Bytes")]
pub struct History {
    /// Where the steps begin. It is known if there is a restart among them.
    base: Option<Position>,
    steps: Steps,
}

impl History {
    /// Nothing done yet.
    pub const NONE: Self = Self { base: None, steps: Steps::NONE };

    /// Does a step at a position, and remembers it. Gives the position after it.
    pub fn push(&mut self, now: Position, step: Step, effects: Effects<'_>) -> Position {
        if step == Step::Restart {
            self.base = self.base(now, effects);
        }
        if self.steps.is_full() {
            let oldest = self.steps.pop_front();
            self.base = self.base.zip(oldest).map(|(base, oldest)| effects.after(base, oldest));
        }
        self.steps.push_back(step);
        effects.after(now, step)
    }

    /// Takes the last step back: gives it, and the position before it.
    pub fn undo(&mut self, now: Position, effects: Effects<'_>) -> Option<(Step, Position)> {
        let step = self.steps.pop_back()?;
        let before = match step {
            Step::Key(key) => effects.before(now, key),
            Step::Restart => self.base.map(|base| self.replayed(base, effects)),
        };
        Some((step, before?))
    }

    /// Where the steps began that have led to this position; none if they cannot have.
    pub fn base(&self, now: Position, effects: Effects<'_>) -> Option<Position> {
        if let Some(base) = self.base {
            return (self.replayed(base, effects) == now).then_some(base);
        }
        self.steps.iter().rev().try_fold(now, |position, step| match step {
            Step::Key(key) => effects.before(position, key),
            Step::Restart => None,
        })
    }

    fn replayed(&self, base: Position, effects: Effects<'_>) -> Position {
        self.steps.iter().fold(base, |position, step| effects.after(position, step))
    }
}

/// The steps in a ring, as bytes. By hand, because it is copied with each tap on a corner, before the lights answer: the rings of
/// `heapless` are copied step by step, and that took 50 us.
#[derive(Clone, Copy, Debug)]
struct Steps {
    bytes: [u8; UNDO_DEPTH],
    first: u8,
    count: u8,
}

const _: () = assert!(UNDO_DEPTH <= u8::MAX as usize);

impl Steps {
    const NONE: Self = Self { bytes: [0; UNDO_DEPTH], first: 0, count: 0 };

    const fn is_full(&self) -> bool {
        self.count as usize == UNDO_DEPTH
    }

    /// Where in the ring the n-th step from the oldest is.
    const fn place(&self, n: usize) -> usize {
        let place = self.first as usize + n;
        if place < UNDO_DEPTH { place } else { place - UNDO_DEPTH }
    }

    /// For a ring that is not full.
    fn push_back(&mut self, step: Step) {
        self.bytes[self.place(self.count.into())] = byte_of(step);
        self.count += 1;
    }

    fn pop_back(&mut self) -> Option<Step> {
        let last = self.iter().next_back();
        self.count = self.count.saturating_sub(1);
        last
    }

    fn pop_front(&mut self) -> Option<Step> {
        let oldest = self.iter().next();
        self.first = self.place(1) as u8;
        self.count = self.count.saturating_sub(1);
        oldest
    }

    fn iter(&self) -> impl DoubleEndedIterator<Item = Step> {
        self.bytes().filter_map(step_of)
    }

    fn bytes(&self) -> impl DoubleEndedIterator<Item = u8> {
        (0..self.count.into()).map(|n| self.bytes[self.place(n)])
    }
}

/// What was in the ring before does not count.
impl PartialEq for Steps {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for Steps {}

/// The byte of a restart comes after those of the keys.
const RESTART: u8 = CELLS as u8;
/// This byte is no step: the position follows at which the steps begin, board and moves in four bytes each. Saves before
/// version 2 do not have it, and neither have those of games without a restart.
const BASE_FOLLOWS: u8 = u8::MAX;
const BASE_BYTES: usize = 1 + 4 + 4;

/// A history as it is read.
type Bytes = Vec<u8, { BASE_BYTES + UNDO_DEPTH }>;

const fn byte_of(step: Step) -> u8 {
    match step {
        Step::Key(key) => key.index() as u8,
        Step::Restart => RESTART,
    }
}

fn step_of(byte: u8) -> Option<Step> {
    if byte == RESTART { Some(Step::Restart) } else { Cell::new(byte.into()).map(Step::Key) }
}

impl Serialize for History {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let base = self.base.map(|Position { board, moves }| {
            let [a, b, c, d] = board.bits().to_le_bytes();
            let [e, f, g, h] = moves.to_le_bytes();
            [BASE_FOLLOWS, a, b, c, d, e, f, g, h]
        });
        let base: &[u8] = base.as_ref().map_or(&[], |base| base);
        serializer.collect_seq(base.iter().copied().chain(self.steps.bytes()))
    }
}

impl TryFrom<Bytes> for History {
    type Error = &'static str;

    fn try_from(bytes: Bytes) -> Result<Self, Self::Error> {
        let (base, steps) = match *bytes.as_slice() {
            [BASE_FOLLOWS, a, b, c, d, e, f, g, h, ref steps @ ..] => {
                let board = Board::from_bits(u32::from_le_bytes([a, b, c, d]));
                (Some(Position { board, moves: u32::from_le_bytes([e, f, g, h]) }), steps)
            }
            ref steps => (None, steps),
        };
        let mut history = Self { base, steps: Steps::NONE };
        for &byte in steps {
            if history.steps.is_full() {
                return Err("too many steps");
            }
            history.steps.push_back(step_of(byte).ok_or("not a step")?);
        }
        Ok(history)
    }
}
