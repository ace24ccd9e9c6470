//! Gestures: turns presses and releases into taps, and into commands that the player gives by holding two corners.
//!
//! A press is reported as a tap at once, because a response on the release would feel slow. So the two corners of a
//! command were already reported as taps when the command is recognised. The command names the corner that was
//! tapped first: the game rolls back to the state before that tap.
//!
//! A command needs exactly two corners down, and no other key, for [`HOLD`]. Then its two keys are spent until they are
//! released: a spent key can be part of another command, but its tap cannot be rolled back again.

use crate::board::{CELLS, Cell, Cells, SIDE};
use crate::debounce::Edges;
use crate::game::history::UNDO_DEPTH;
use crate::listed::listed;
use crate::time::{Micros, ms, seconds};

/// How long two corners must be held together.
pub const HOLD: Micros = ms(700);
/// The time between repeats of undo while its corners stay held.
pub const REPEAT: Micros = ms(300);
/// The most repeats of undo: enough for the longest history, and some more for repeats that only close a screen in
/// front of the board.
const MAX_REPEATS: usize = UNDO_DEPTH + 10;
/// A key that is held for longer than this is stuck, unless it is part of a command that still repeats.
pub const STUCK: Micros = seconds(30);

listed! {
    /// A command. The variants are in the order of the manual.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Command {
        /// The top two corners: show the next press of a shortest solution.
        Hint,
        /// The bottom two corners: play a shortest solution, then restore the board.
        Demo,
        /// The left two corners: undo the last move.
        Undo,
        /// The right two corners: start this puzzle again.
        Restart,
        /// Top left and bottom right: open the menu, or close it.
        Menu,
        /// Top right and bottom left: the next puzzle.
        Next,
    }
}

impl Command {
    /// The name of the command in the log.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hint => "hint",
            Self::Demo => "solve demo",
            Self::Undo => "undo",
            Self::Restart => "restart",
            Self::Menu => "menu",
            Self::Next => "next puzzle",
        }
    }

    /// Its two corners.
    pub const fn corners(self) -> [Corner; 2] {
        match self {
            Self::Hint => [Corner::TopLeft, Corner::TopRight],
            Self::Demo => [Corner::BottomLeft, Corner::BottomRight],
            Self::Undo => [Corner::TopLeft, Corner::BottomLeft],
            Self::Restart => [Corner::TopRight, Corner::BottomRight],
            Self::Menu => [Corner::TopLeft, Corner::BottomRight],
            Self::Next => [Corner::TopRight, Corner::BottomLeft],
        }
    }

    /// The cells of its two corners.
    pub const fn keys(self) -> Cells {
        let [a, b] = self.corners();
        a.cell().bit().union(b.cell().bit())
    }
}

listed! {
    /// A corner of the grid. The variants are in reading order.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Corner {
        /// Cell 0.
        TopLeft,
        /// Cell 4.
        TopRight,
        /// Cell 20.
        BottomLeft,
        /// Cell 24.
        BottomRight,
    }
}

impl Corner {
    /// Its cell.
    pub const fn cell(self) -> Cell {
        let (row, column) = match self {
            Self::TopLeft => (0, 0),
            Self::TopRight => (0, SIDE - 1),
            Self::BottomLeft => (SIDE - 1, 0),
            Self::BottomRight => (SIDE - 1, SIDE - 1),
        };
        match Cell::at(row, column) {
            Some(cell) => cell,
            None => panic!("the corners are on the grid"),
        }
    }

    /// The corner at this cell, if it is one.
    pub fn at(cell: Cell) -> Option<Self> {
        Self::ALL.into_iter().find(|corner| corner.cell() == cell)
    }
}

/// A gesture of the player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gesture {
    /// A key went down.
    Tap(Cell),
    /// A command was given.
    Command {
        /// The command.
        command: Command,
        /// The corner that went down first. The game rolls back its tap, and everything after it, before the command
        /// acts. None if the command repeats, or if both corners were down from the start.
        roll_back: Option<Corner>,
    },
    /// This key is stuck. It is ignored until it goes up.
    Stuck(Cell),
}

/// The two corners of a command, with no other key down.
#[derive(Clone, Copy, Debug)]
struct Pair {
    command: Command,
    /// When the command acts next.
    due: Micros,
    /// How many times the command will still act.
    left: usize,
}

impl Pair {
    const fn new(now: Micros, command: Command) -> Self {
        let left = if matches!(command, Command::Undo) { MAX_REPEATS } else { 1 };
        Self { command, due: now + HOLD, left }
    }

    /// Whether the command has acted, and will act again.
    const fn is_repeating(&self) -> bool {
        matches!(self.command, Command::Undo) && self.left > 0 && self.left < MAX_REPEATS
    }
}

/// The recogniser of gestures.
#[derive(Clone, Debug)]
pub struct Gestures {
    down: Cells,
    /// Keys whose taps cannot be rolled back.
    spent: Cells,
    stuck: Cells,
    /// When each key last went down.
    pressed_at: [Micros; CELLS],
    pair: Option<Pair>,
}

impl Gestures {
    /// `held` are the keys that are down from the start. They are not reported as taps.
    pub const fn new(now: Micros, held: Cells) -> Self {
        Self { down: held, spent: held, stuck: Cells::EMPTY, pressed_at: [now; CELLS], pair: None }
    }

    /// The keys that are stuck.
    pub const fn stuck(&self) -> Cells {
        self.stuck
    }

    /// Takes the keys that changed at `now`, which may be none, and emits the gestures. A hold is recognised in the
    /// first call after its time, so calls must be frequent while a key is down.
    pub fn update(&mut self, now: Micros, edges: Edges<Cell>, mut emit: impl FnMut(Gesture)) {
        if !edges.is_empty() {
            self.down = self.down & !edges.released | edges.pressed;
            self.spent &= self.down & !edges.pressed;
            self.stuck &= self.down;
            for key in edges.pressed {
                self.pressed_at[key.index()] = now;
                emit(Gesture::Tap(key));
            }
            self.update_pair(now);
        }
        if !self.down.is_subset(self.stuck) {
            if self.mark_stuck(now, &mut emit) {
                self.update_pair(now);
            }
            self.act(now, &mut emit);
        }
    }

    /// Finds the pair that is down now. A pair that was down before keeps its time.
    fn update_pair(&mut self, now: Micros) {
        let down = self.down & !self.stuck;
        let command = Command::ALL.into_iter().find(|command| command.keys() == down);
        // If both corners are spent, this pair has acted before, and another key went down and up since.
        let command = command.filter(|command| !command.keys().is_subset(self.spent));
        if command != self.pair.map(|pair| pair.command) {
            // The keys of a repeating command cannot be stuck. For a corner that is still down, the time starts now:
            // the two corners are rarely released in the same scan.
            for key in self.pair.filter(Pair::is_repeating).map_or(Cells::EMPTY, |pair| pair.command.keys()) {
                self.pressed_at[key.index()] = now;
            }
            self.pair = command.map(|command| Pair::new(now, command));
        }
    }

    /// Finds keys that are down for too long, except for those of a pair that will still act. Returns whether there are
    /// new ones.
    fn mark_stuck(&mut self, now: Micros, emit: &mut impl FnMut(Gesture)) -> bool {
        let before = self.stuck;
        let acting = self.pair.filter(|pair| pair.left > 0).map_or(Cells::EMPTY, |pair| pair.command.keys());
        for key in self.down & !self.stuck & !acting {
            if now - self.pressed_at[key.index()] >= STUCK {
                self.stuck |= key.bit();
                emit(Gesture::Stuck(key));
            }
        }
        self.stuck != before
    }

    /// Emits the command of the pair, if it is due.
    fn act(&mut self, now: Micros, emit: &mut impl FnMut(Gesture)) {
        let Some(pair) = self.pair.as_mut().filter(|pair| pair.left > 0 && now >= pair.due) else { return };
        let command = pair.command;
        pair.left -= 1;
        pair.due += REPEAT;
        // Only the first time: after the command has acted, both corners are spent.
        let unspent = command.corners().into_iter().filter(|corner| !self.spent.contains(corner.cell()));
        let roll_back = unspent.min_by_key(|corner| self.pressed_at[corner.cell().index()]);
        self.spent |= command.keys();
        emit(Gesture::Command { command, roll_back });
    }
}
