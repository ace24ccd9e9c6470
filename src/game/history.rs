//! What can be taken back: every step since the puzzle began, or the last [`UNDO_DEPTH`] of them.
//!
//! A key is taken back by pressing it again. What a restart threw away is found by playing again what came before it, from
//! the position at which the steps begin; hundreds of presses are as many XORs. That position is only needed for restarts, so
//! it is only kept from the first one on.

use heapless::{Deque, Vec};
use serde::{Deserialize, Serialize, Serializer};

use crate::board::{Board, CELLS, Cell};

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
    pub flips: &'a dyn Fn(Cell) -> u32,
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
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(try_from = "Bytes")]
pub struct History {
    /// Where the steps begin. It is known if there is a restart among them.
    base: Option<Position>,
    /// In bytes, as they are saved.
    steps: Deque<u8, UNDO_DEPTH>,
}

impl History {
    /// Nothing done yet.
    pub const fn new() -> Self {
        Self { base: None, steps: Deque::new() }
    }

    /// Does a step at a position, and remembers it. Gives the position after it.
    pub fn push(&mut self, now: Position, step: Step, effects: Effects<'_>) -> Position {
        if step == Step::Restart {
            self.base = self.base(now, effects);
        }
        if self.steps.is_full() {
            let oldest = self.steps.pop_front().and_then(step_of);
            self.base = self.base.zip(oldest).map(|(base, oldest)| effects.after(base, oldest));
        }
        // There is room now.
        let _ = self.steps.push_back(byte_of(step));
        effects.after(now, step)
    }

    /// Takes the last step back: gives it, and the position before it.
    pub fn undo(&mut self, now: Position, effects: Effects<'_>) -> Option<(Step, Position)> {
        let step = step_of(self.steps.pop_back()?)?;
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
        self.steps().rev().try_fold(now, |position, step| match step {
            Step::Key(key) => effects.before(position, key),
            Step::Restart => None,
        })
    }

    fn replayed(&self, base: Position, effects: Effects<'_>) -> Position {
        self.steps().fold(base, |position, step| effects.after(position, step))
    }

    fn steps(&self) -> impl DoubleEndedIterator<Item = Step> {
        self.steps.iter().filter_map(|&byte| step_of(byte))
    }
}

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
        serializer.collect_seq(base.iter().chain(&self.steps))
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
        let mut history = Self { base, steps: Deque::new() };
        for &byte in steps {
            let step = step_of(byte).ok_or("not a step")?;
            history.steps.push_back(byte_of(step)).map_err(|_| "too many steps")?;
        }
        Ok(history)
    }
}
