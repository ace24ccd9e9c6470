//! Somebody who plays on the virtual handheld while it is measured. What is expected and does not happen is a
//! [`Trouble`]: figures of a firmware that does something else would mean nothing.

use std::time::Duration;

use lights_out::board::{ALL_CELLS, Board, CELLS, Cell};
use lights_out::game::settings::ModeKind;
use lights_out::gesture::Command;
use lights_out::solver::CLASSIC;
use rand_core::Rng;
use rand_pcg::Pcg32;
use virtual_handheld::{Firmware, Handheld, Options};

/// How long a finger rests on a key.
const TAP: Duration = Duration::from_millis(40);
/// Enough for a key to be up after its release.
const SETTLE: Duration = Duration::from_millis(40);
/// Longer than the 0.7 s of a command, and shorter than the first repeat of undo.
const HOLD: Duration = Duration::from_millis(740);
/// Longer than one picture takes to wipe away another.
pub const WIPED: Duration = Duration::from_millis(350);
/// The greeting is over by then.
const GREETED: Duration = Duration::from_millis(1200);

/// Why a figure could not be measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble(pub String);

impl std::fmt::Display for Trouble {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// That many milliseconds.
pub const fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

/// That many microseconds.
pub const fn us(microseconds: u64) -> Duration {
    Duration::from_micros(microseconds)
}

/// A player with a handheld, and the dice that decide what the player does.
pub struct Player {
    /// What is played on.
    pub handheld: Handheld,
    /// Decides; its seed is fixed.
    pub dice: Pcg32,
}

impl Player {
    /// Switches on. `stream` tells the dice of one measurement from those of another.
    pub fn new(firmware: &Firmware, options: Options, stream: u64) -> Self {
        Self { handheld: Handheld::power_on(firmware, options), dice: Pcg32::new(1995, stream) }
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: u32) -> u32 {
        self.dice.next_u32() % bound
    }

    /// Lets time pass.
    pub fn wait(&mut self, time: Duration) {
        self.handheld.run_for(time);
    }

    /// Presses a key for a moment.
    pub fn tap(&mut self, key: Cell) {
        self.hold(&[key], TAP);
    }

    /// Holds keys together for a time, and lets go.
    pub fn hold(&mut self, keys: &[Cell], time: Duration) {
        for key in keys {
            self.handheld.press(key.index());
            self.wait(ms(5));
        }
        self.wait(time);
        for key in keys {
            self.handheld.release(key.index());
        }
        self.wait(SETTLE);
    }

    /// Gives a command.
    pub fn command(&mut self, command: Command) {
        self.hold(&command.corners().map(|corner| corner.cell()), HOLD);
    }

    /// Waits for the greeting to end.
    pub fn greeted(mut self) -> Self {
        self.wait(GREETED);
        self
    }

    /// Opens the menu and takes these choices: row and column.
    pub fn choose(&mut self, choices: &[(usize, usize)]) -> Result<(), Trouble> {
        self.command(Command::Menu);
        self.wait(WIPED);
        if !self.is_menu() {
            return Err(Trouble(format!("the menu does not open: the lights show {:025b}", self.lit())));
        }
        choices.iter().filter_map(|&(row, column)| Cell::at(row, column)).for_each(|key| self.tap(key));
        Ok(())
    }

    /// Starts a mode through the menu, with choices made on the way.
    pub fn start(&mut self, mode: ModeKind, choices: &[(usize, usize)]) -> Result<(), Trouble> {
        self.choose(choices)?;
        let key = Cell::at(0, mode as usize).ok_or_else(|| Trouble("a mode has no key".to_owned()))?;
        // Once to choose it, once to start it; the mode that is running is chosen already.
        for _ in 0..2 {
            if self.is_menu() {
                self.tap(key);
                self.wait(WIPED);
            }
        }
        if self.is_menu() { Err(Trouble(format!("mode {mode:?} does not start"))) } else { Ok(()) }
    }

    /// Whether the lights show the menu: all of them but the last of the third row.
    fn is_menu(&self) -> bool {
        self.lit() == ALL_CELLS & !(1 << 14)
    }

    /// The lights that are not dark.
    pub fn lit(&self) -> u32 {
        self.handheld.frame().map_or(0, |frame| frame.lit())
    }

    /// The board on the lights.
    pub fn board(&self) -> Board {
        Board::from_bits(self.lit())
    }

    /// Any key.
    pub fn any_key(&mut self) -> Cell {
        loop {
            if let Some(key) = Cell::new(self.below(CELLS as u32) as usize) {
                return key;
            }
        }
    }

    /// A key whose press does not win on the classic board.
    pub fn harmless_key(&mut self, board: Board) -> Cell {
        loop {
            let key = self.any_key();
            if !CLASSIC.press(board, key).is_dark() {
                return key;
            }
        }
    }

    /// Closes or opens a contact at a moment to come, with up to 10 ms of bounce: touches of 20 to 500 us, gaps of up
    /// to 250 us.
    pub fn bounce(&mut self, key: Cell, at: Duration, closed: bool) {
        let end = at + us(u64::from(self.below(10_001)));
        let (mut moment, mut state) = (at, closed);
        while moment < end {
            self.handheld.schedule(moment, key.index(), state);
            let length = if state { 20 + self.below(480) } else { 10 + self.below(240) };
            moment += us(u64::from(length));
            state = !state;
        }
        self.handheld.schedule(end, key.index(), closed);
    }
}
