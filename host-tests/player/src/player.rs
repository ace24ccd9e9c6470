//! What a player does and sees.

use std::time::Duration;

use lights_out::board::{Board, Cell};
use lights_out::game::modes::ModeKind;
use lights_out::gesture::Command;
use lights_out::solver::CLASSIC;

use crate::{Device, cell, ms};

/// The shortest that a finger can be on a key. An emulated second with a key down costs fifty times as much as one without.
const TAP: Duration = ms(30);
/// Enough for a press to reach the lights, and for a key to be up after a release.
const SETTLE: Duration = ms(40);
/// Longer than the 0.7 s of a command, and shorter than the first repeat of undo.
pub const HOLD: Duration = ms(720);
/// Longer than one picture takes to wipe away another.
pub const WIPED: Duration = ms(350);

/// What a player waited for in vain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unseen {
    /// The menu; these lights are on instead.
    Menu(Board),
    /// The menu does not go away for this mode.
    Mode(ModeKind),
}

impl std::fmt::Display for Unseen {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Menu(board) => write!(f, "the menu does not open: the lights show {board}"),
            Self::Mode(mode) => write!(f, "the mode {mode:?} does not start"),
        }
    }
}

impl std::error::Error for Unseen {}

/// A player with a device.
#[derive(Debug)]
pub struct Player<D> {
    /// What is played on.
    pub device: D,
}

impl<D: Device> Player<D> {
    /// Takes a device into the hand.
    pub const fn new(device: D) -> Self {
        Self { device }
    }

    /// Puts a finger on a key.
    pub fn press(&mut self, key: Cell) {
        self.device.set_key(key, true);
    }

    /// Takes the finger off.
    pub fn release(&mut self, key: Cell) {
        self.device.set_key(key, false);
    }

    /// Lets time pass.
    pub fn wait(&mut self, time: Duration) {
        self.device.wait(time);
    }

    /// Presses a key for a moment.
    pub fn tap(&mut self, key: Cell) {
        self.hold(&[key], TAP);
    }

    /// Holds keys, one after the other, all together for `time`, and lets go.
    pub fn hold(&mut self, keys: &[Cell], time: Duration) {
        for &key in keys {
            self.press(key);
            self.wait(ms(5));
        }
        self.wait(time);
        for &key in keys {
            self.release(key);
        }
        self.wait(SETTLE);
    }

    /// Gives a command, and waits for a new picture to have wiped away the old one.
    pub fn command(&mut self, command: Command) {
        self.hold(&command.corners().map(|corner| corner.cell()), HOLD);
        self.wait(WIPED);
    }

    /// Chooses in the menu, which is open.
    pub fn choose(&mut self, row: usize, column: usize) {
        self.tap(cell(row, column));
    }

    /// Opens the menu from wherever the player is.
    pub fn try_menu(&mut self) -> Result<(), Unseen> {
        self.command(Command::Menu);
        if self.is_menu() { Ok(()) } else { Err(Unseen::Menu(self.board())) }
    }

    /// Starts a mode from wherever the player is, with choices `(row, column)` of the menu made on the way.
    pub fn try_start(&mut self, mode: ModeKind, choices: &[(usize, usize)]) -> Result<(), Unseen> {
        self.try_menu()?;
        choices.iter().for_each(|&(row, column)| self.choose(row, column));
        // Once to choose it, once to start it; the mode that is running is chosen already.
        for _ in 0..2 {
            if self.is_menu() {
                self.choose(0, mode as usize);
                self.wait(WIPED);
            }
        }
        if self.is_menu() { Err(Unseen::Mode(mode)) } else { Ok(()) }
    }

    /// The same, where nothing can be in the way.
    #[track_caller]
    pub fn start(&mut self, mode: ModeKind, choices: &[(usize, usize)]) {
        self.try_start(mode, choices).unwrap_or_else(|unseen| panic!("{unseen}"));
    }

    /// Whether the lights show the menu: all of them but the last of the third row.
    pub fn is_menu(&self) -> bool {
        self.device.lit() == !cell(2, 4).bit()
    }

    /// How bright a light is on the wire.
    pub fn brightness(&self, cell: Cell) -> u32 {
        self.device
            .picture()
            .get(cell.index())
            .map_or(0, |channels| channels.iter().map(|&channel| u32::from(channel)).sum())
    }

    /// The board on the lights.
    pub fn board(&self) -> Board {
        Board::of(self.device.lit())
    }

    /// The lights show this board.
    #[track_caller]
    pub fn expect_board(&self, board: Board) {
        assert_eq!(self.board(), board);
    }

    /// Nothing on the lights changes for this long.
    #[track_caller]
    pub fn expect_nothing_for(&mut self, time: Duration) {
        let before = self.device.picture();
        let step = ms(10);
        let mut waited = Duration::ZERO;
        while waited < time {
            self.wait(step);
            waited += step;
            assert!(self.device.picture() == before, "the lights changed after {waited:?}: {}", self.board());
        }
    }

    /// Waits until the lights show this, and fails if they do not in time.
    #[track_caller]
    pub fn expect_within(&mut self, time: Duration, what: &str, mut seen: impl FnMut(&Self) -> bool) {
        let step = ms(5);
        let mut waited = Duration::ZERO;
        while !seen(self) {
            assert!(waited < time, "{what} did not come within {time:?}; the lights show {}", self.board());
            self.wait(step);
            waited += step;
        }
    }

    /// Waits for the greeting to end; gives the first board.
    pub fn after_greeting(&mut self) -> Board {
        self.wait(ms(1200));
        self.board()
    }

    /// Goes to a random puzzle of par 4 to 6; gives its board.
    pub fn random_puzzle(&mut self) -> Board {
        self.after_greeting();
        self.start(ModeKind::Random, &[]);
        self.board()
    }

    /// The key that the hint points at, found by where the picture changes.
    pub fn hinted_key(&mut self) -> Option<Cell> {
        let before = self.device.picture();
        for _ in 0..40 {
            self.wait(ms(25));
            let now = self.device.picture();
            if let Some(index) = (0..before.len()).find(|&i| before[i] != now[i]) {
                return Cell::new(index);
            }
        }
        None
    }

    /// Taps a shortest solution of the board in play.
    pub fn solve(&mut self) {
        let solution = CLASSIC.shortest(self.board()).expect("the board in play can be solved").presses;
        for key in solution {
            self.tap(key);
        }
    }
}
