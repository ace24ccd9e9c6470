//! The actions and observations of a player.

use std::time::Duration;

use lights_out::board::{Board, Cell};
use lights_out::game::modes::ModeKind;
use lights_out::gesture::Command;
use lights_out::solver::CLASSIC;

use crate::{Device, cell, ms};

/// The shortest tap of a player. Emulating a second with a key down takes fifty times as long as one without.
const TAP: Duration = ms(30);
/// Enough for a press to change the lights, and for a release to be recognised.
const SETTLE: Duration = ms(40);
/// Longer than the 0.7 s of a command, and shorter than the first repeat of undo.
pub const HOLD: Duration = ms(720);
/// Longer than the wipe from one frame to the next.
pub const WIPE_TIME: Duration = ms(350);

/// The screen that did not appear on the lights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MissingScreen {
    /// The menu. These lights are on instead.
    Menu(Board),
    /// This mode. The menu stays open.
    Mode(ModeKind),
}

impl std::fmt::Display for MissingScreen {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Menu(board) => write!(f, "the menu does not open: the lights show {board}"),
            Self::Mode(mode) => write!(f, "the mode {mode:?} does not start"),
        }
    }
}

impl std::error::Error for MissingScreen {}

/// A player with a device.
#[derive(Debug)]
pub struct Player<D> {
    /// The device that is played on.
    pub device: D,
}

impl<D: Device> Player<D> {
    /// A player with this device.
    pub const fn new(device: D) -> Self {
        Self { device }
    }

    /// Presses a key and keeps it down.
    pub fn press(&mut self, key: Cell) {
        self.device.set_key(key, true);
    }

    /// Releases a key.
    pub fn release(&mut self, key: Cell) {
        self.device.set_key(key, false);
    }

    /// Lets time pass.
    pub fn wait(&mut self, time: Duration) {
        self.device.wait(time);
    }

    /// Taps a key.
    pub fn tap(&mut self, key: Cell) {
        self.hold(&[key], TAP);
    }

    /// Presses keys one after the other, holds all of them for `time`, and releases them.
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

    /// Gives a command, and waits for the wipe to the next frame.
    pub fn command(&mut self, command: Command) {
        self.hold(&command.corners().map(|corner| corner.cell()), HOLD);
        self.wait(WIPE_TIME);
    }

    /// Taps an item of the open menu.
    pub fn choose(&mut self, row: usize, column: usize) {
        self.tap(cell(row, column));
    }

    /// Opens the menu from any screen.
    pub fn try_open_menu(&mut self) -> Result<(), MissingScreen> {
        self.command(Command::Menu);
        if self.is_menu_shown() { Ok(()) } else { Err(MissingScreen::Menu(self.board())) }
    }

    /// Starts a mode from any screen, after tapping these items `(row, column)` of the menu.
    pub fn try_start(&mut self, mode: ModeKind, choices: &[(usize, usize)]) -> Result<(), MissingScreen> {
        self.try_open_menu()?;
        choices.iter().for_each(|&(row, column)| self.choose(row, column));
        // The first tap chooses the mode, the second one starts it. The running mode is chosen already.
        for _ in 0..2 {
            if self.is_menu_shown() {
                self.choose(0, mode as usize);
                self.wait(WIPE_TIME);
            }
        }
        if self.is_menu_shown() { Err(MissingScreen::Mode(mode)) } else { Ok(()) }
    }

    /// Starts a mode like [`Self::try_start`], and panics if it does not start.
    #[track_caller]
    pub fn start(&mut self, mode: ModeKind, choices: &[(usize, usize)]) {
        self.try_start(mode, choices).unwrap_or_else(|unseen| panic!("{unseen}"));
    }

    /// Whether the lights show the menu: all lights are on, except the last one of the third row.
    pub fn is_menu_shown(&self) -> bool {
        self.device.lit() == !cell(2, 4).bit()
    }

    /// The brightness of a light: the sum of its red, green and blue.
    pub fn brightness(&self, cell: Cell) -> u32 {
        self.device
            .led_colours()
            .get(cell.index())
            .map_or(0, |channels| channels.iter().map(|&channel| u32::from(channel)).sum())
    }

    /// The lights that are on, as a board.
    pub fn board(&self) -> Board {
        Board::of(self.device.lit())
    }

    /// Checks that the lights show this board.
    #[track_caller]
    pub fn expect_board(&self, board: Board) {
        assert_eq!(self.board(), board);
    }

    /// Checks that no light changes for this time.
    #[track_caller]
    pub fn expect_nothing_for(&mut self, time: Duration) {
        let before = self.device.led_colours();
        let step = ms(10);
        let mut waited = Duration::ZERO;
        while waited < time {
            self.wait(step);
            waited += step;
            assert!(self.device.led_colours() == before, "the lights changed after {waited:?}: {}", self.board());
        }
    }

    /// Waits until `seen` is true, and fails after `time`.
    #[track_caller]
    pub fn expect_within(&mut self, time: Duration, what: &str, mut seen: impl FnMut(&Self) -> bool) {
        let step = ms(5);
        let mut waited = Duration::ZERO;
        while !seen(self) {
            assert!(waited < time, "{what} did not appear within {time:?}; the lights show {}", self.board());
            self.wait(step);
            waited += step;
        }
    }

    /// Waits for the end of the greeting. Returns the first board.
    pub fn wait_for_greeting(&mut self) -> Board {
        self.wait(ms(1200));
        self.board()
    }

    /// Starts a random puzzle of par 4 to 6 after power-on. Returns its board.
    pub fn start_random_puzzle(&mut self) -> Board {
        self.wait_for_greeting();
        self.start(ModeKind::Random, &[]);
        self.board()
    }

    /// The key that pulses: the first light that changes within a second.
    pub fn find_pulsing_key(&mut self) -> Option<Cell> {
        let before = self.device.led_colours();
        for _ in 0..40 {
            self.wait(ms(25));
            let now = self.device.led_colours();
            if let Some(index) = (0..before.len()).find(|&i| before[i] != now[i]) {
                return Cell::new(index);
            }
        }
        None
    }

    /// Taps a shortest solution of the board in play.
    pub fn solve(&mut self) {
        let solution = CLASSIC.shortest(self.board()).expect("a solvable board").presses;
        for key in solution {
            self.tap(key);
        }
    }
}
