//! Turns presses and releases into what the player means: taps, and commands given by holding two corners.
//!
//! A tap is a tap at once, because a light that waits for the release feels broken. So the two corners of a command
//! have been taken as taps by the time it is recognised, and the command says that they are to be taken back first.
//!
//! A command needs exactly two corners down, and no other key, for [`HOLD`]. A key whose tap has gone into a command is
//! spent until it is let go: it can be half of a further command, but there is no tap of it left to take back.

use crate::board::{Cell, Cells, SIDE};
use crate::debounce::Edges;
use crate::game::history::UNDO_DEPTH;
use crate::listed::listed;
use crate::time::{Micros, ms, seconds};

/// How long two corners must be held together.
pub const HOLD: Micros = ms(700);
/// While the corners of undo stay held, it is repeated this often.
pub const REPEAT: Micros = ms(300);
/// It is repeated this often at most: to the first step of the longest history, and a few times more, for those that only
/// closed a picture in front of the board.
const MOST_REPEATS: usize = UNDO_DEPTH + 10;
/// A key held for longer than this is taken for broken, unless it is part of a command that still acts.
pub const STUCK: Micros = seconds(30);

listed! {
    /// What two corners mean. In the order of the manual.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Command {
        /// Top two: show the next press of a shortest solution.
        Hint,
        /// Bottom two: play a shortest solution, then give the board back.
        Demo,
        /// Left two: take the last move back.
        Undo,
        /// Right two: this puzzle from its start.
        Restart,
        /// Top left and bottom right.
        Menu,
        /// Top right and bottom left: another puzzle.
        Next,
    }
}

impl Command {
    /// Its name, for the log.
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
    /// A corner of the grid. In reading order.
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

/// What the player means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gesture {
    /// A key went down.
    Tap(Cell),
    /// A command was given.
    Command {
        /// Which.
        command: Command,
        /// The tap of this corner, and all that came after it, was the beginning of the command, and is to be taken back
        /// first. None if the command is repeated, or both corners were down from the start.
        take_back: Option<Corner>,
    },
    /// This key seems to be broken; it is ignored until it goes up.
    Stuck(Cell),
}

/// Two corners, alone on the grid.
#[derive(Clone, Copy, Debug)]
struct Pair {
    command: Command,
    /// When it next acts.
    due: Micros,
    /// How often it will act.
    left: usize,
}

impl Pair {
    const fn new(now: Micros, command: Command) -> Self {
        let left = if matches!(command, Command::Undo) { MOST_REPEATS } else { 1 };
        Self { command, due: now + HOLD, left }
    }
}

/// Follows the keys.
#[derive(Clone, Debug)]
pub struct Gestures {
    down: Cells,
    spent: Cells,
    stuck: Cells,
    pressed_at: [Micros; SIDE * SIDE],
    pair: Option<Pair>,
}

impl Gestures {
    /// `held` are the keys that are down from the start: they are no taps.
    pub const fn new(now: Micros, held: Cells) -> Self {
        Self { down: held, spent: held, stuck: Cells::EMPTY, pressed_at: [now; SIDE * SIDE], pair: None }
    }

    /// The keys that are ignored because they are down for too long.
    pub const fn stuck(&self) -> Cells {
        self.stuck
    }

    /// Takes what changed, which may be nothing, at `now`, and passes on what it means. Holding is noticed no earlier than
    /// the next call, so calls should be frequent while a key is down.
    pub fn update(&mut self, now: Micros, edges: Edges<Cell>, mut emit: impl FnMut(Gesture)) {
        if !edges.is_empty() {
            self.down = self.down & !edges.released | edges.pressed;
            self.spent &= self.down & !edges.pressed;
            self.stuck &= self.down;
            for key in edges.pressed {
                self.pressed_at[key.index()] = now;
                emit(Gesture::Tap(key));
            }
            self.follow_pair(now);
        }
        if !self.down.is_subset(self.stuck) {
            if self.find_stuck(now, &mut emit) {
                self.follow_pair(now);
            }
            self.act_on_pair(now, &mut emit);
        }
    }

    /// Sees whether the keys now down are a pair, and whether it is the one that was there before.
    fn follow_pair(&mut self, now: Micros) {
        let down = self.down & !self.stuck;
        let command = Command::ALL.into_iter().find(|command| command.keys() == down);
        // Both corners spent: this pair has acted, and another key came and went.
        let command = command.filter(|command| !command.keys().is_subset(self.spent));
        if command != self.pair.map(|pair| pair.command) {
            self.pair = command.map(|command| Pair::new(now, command));
        }
    }

    /// Keys that are down for too long are stuck; not those of a pair that still acts, for as long as it does.
    fn find_stuck(&mut self, now: Micros, emit: &mut impl FnMut(Gesture)) -> bool {
        let before = self.stuck;
        let at_work = self.pair.filter(|pair| pair.left > 0).map_or(Cells::EMPTY, |pair| pair.command.keys());
        for key in self.down & !self.stuck & !at_work {
            if now - self.pressed_at[key.index()] >= STUCK {
                self.stuck |= key.bit();
                emit(Gesture::Stuck(key));
            }
        }
        self.stuck != before
    }

    fn act_on_pair(&mut self, now: Micros, emit: &mut impl FnMut(Gesture)) {
        let Some(pair) = self.pair.as_mut().filter(|pair| pair.left > 0 && now >= pair.due) else { return };
        let command = pair.command;
        pair.left -= 1;
        pair.due += REPEAT;
        // The first time, the corner that went down first; once the command has acted, both are spent.
        let fresh = command.corners().into_iter().filter(|corner| !self.spent.contains(corner.cell()));
        let take_back = fresh.min_by_key(|corner| self.pressed_at[corner.cell().index()]);
        self.spent |= command.keys();
        emit(Gesture::Command { command, take_back });
    }
}
