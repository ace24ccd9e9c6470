//! The steps that the player can undo: every step since the puzzle began, or the last [`UNDO_DEPTH`] of them.
//!
//! A [`History`] only stores steps; [`round`](crate::game::round) applies and undoes them. A key is undone by
//! pressing it again. A restart is undone by replaying the steps before it, from the position at which the history
//! begins: its base. A replay needs one XOR for each step. Only restarts need the base, so it is stored from the first
//! restart on.

use heapless::Vec;
use serde::{Deserialize, Serialize, Serializer};

use crate::board::{Board, CELLS, Cell};

/// How many steps can be undone. This many fit into a save beside everything else. A longer history loses its oldest
/// steps.
pub const UNDO_DEPTH: usize = 250;

/// A step of the player that can be undone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UndoStep {
    /// Pressed this key.
    Key(Cell),
    /// Went back to the start.
    Restart,
}

/// The lights, and the number of moves that led to them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Position {
    /// The lights.
    pub(super) board: Board,
    /// Moves since the start.
    pub(super) moves: u32,
}

impl Position {
    /// The position before the first move.
    pub(super) const fn start(board: Board) -> Self {
        Self { board, moves: 0 }
    }
}

/// The steps so far, oldest first.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(try_from = "Bytes")]
pub struct History {
    base: Option<Position>,
    steps: Steps,
}

impl History {
    /// No steps.
    pub const NONE: Self = Self { base: None, steps: Steps::NONE };

    /// The position before the oldest step. It is known if there is a restart among the steps.
    pub(super) const fn base(&self) -> Option<Position> {
        self.base
    }

    /// Sets the position before the oldest step.
    pub(super) fn set_base(&mut self, base: Option<Position>) {
        self.base = base;
    }

    /// Adds the newest step. A full history drops its oldest step and returns it: the caller moves the base behind
    /// that step.
    pub(super) fn push(&mut self, step: UndoStep) -> Option<UndoStep> {
        let oldest = if self.steps.is_full() { self.steps.pop_front() } else { None };
        self.steps.push_back(step);
        oldest
    }

    /// Removes the newest step.
    pub(super) fn pop(&mut self) -> Option<UndoStep> {
        self.steps.pop_back()
    }

    /// The steps, oldest first.
    pub(super) fn steps(&self) -> impl DoubleEndedIterator<Item = UndoStep> {
        self.steps.iter()
    }
}

/// The steps in a ring buffer, a byte each. Written by hand because each tap on a corner copies it before the lights
/// change: the ring buffers of `heapless` are copied element by element, which took 50 us.
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

    /// The index in the ring of the n-th step from the oldest.
    const fn index(&self, n: usize) -> usize {
        let index = self.first as usize + n;
        if index < UNDO_DEPTH { index } else { index - UNDO_DEPTH }
    }

    /// Adds a step to a ring that is not full.
    fn push_back(&mut self, step: UndoStep) {
        self.bytes[self.index(self.count.into())] = byte_of(step);
        self.count += 1;
    }

    fn pop_back(&mut self) -> Option<UndoStep> {
        let last = self.iter().next_back();
        self.count = self.count.saturating_sub(1);
        last
    }

    fn pop_front(&mut self) -> Option<UndoStep> {
        let oldest = self.iter().next();
        self.first = self.index(1) as u8;
        self.count = self.count.saturating_sub(1);
        oldest
    }

    fn iter(&self) -> impl DoubleEndedIterator<Item = UndoStep> {
        self.bytes().filter_map(step_of)
    }

    fn bytes(&self) -> impl DoubleEndedIterator<Item = u8> {
        (0..self.count.into()).map(|n| self.bytes[self.index(n)])
    }
}

/// Compares the steps only: bytes of the ring that are not in use may differ.
impl PartialEq for Steps {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for Steps {}

/// The byte of a restart: the first after those of the keys.
const RESTART: u8 = CELLS as u8;
/// The byte that comes before a base, which is the board and the moves, four bytes each. Saves before version 2 do not
/// have a base, and neither do saves of games without a restart.
const BASE_FOLLOWS: u8 = u8::MAX;
const BASE_BYTES: usize = 1 + 4 + 4;

/// The bytes of a saved history.
type Bytes = Vec<u8, { BASE_BYTES + UNDO_DEPTH }>;

const fn byte_of(step: UndoStep) -> u8 {
    match step {
        UndoStep::Key(key) => key.index() as u8,
        UndoStep::Restart => RESTART,
    }
}

fn step_of(byte: u8) -> Option<UndoStep> {
    if byte == RESTART { Some(UndoStep::Restart) } else { Cell::new(byte.into()).map(UndoStep::Key) }
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
