//! Words of play. A test says what a player does and sees; whether the game runs as a library or as the real firmware on
//! the virtual handheld is up to the [`Device`].

use std::time::Duration;

use lights_out::board::{ALL_CELLS, Board, Cell};
use lights_out::game::settings::ModeKind;
use lights_out::gesture::Command;
use lights_out::solver::CLASSIC;

/// Something with 25 keys and 25 lights.
pub trait Device {
    /// Closes or opens the contact of a key.
    fn set_key(&mut self, key: Cell, closed: bool);
    /// Lets time pass.
    fn wait(&mut self, time: Duration);
    /// The lights that are not dark.
    fn lit(&self) -> u32;
    /// What is on the lights to the last bit, to see whether anything changes.
    fn picture(&self) -> Vec<[u8; 3]>;
}

/// How long a finger rests on a key, and between two keys.
const TAP: Duration = Duration::from_millis(60);
/// Enough for a press to reach the lights, and for a key to be up after a release.
const SETTLE: Duration = Duration::from_millis(40);
/// Longer than the 0.7 s of a command, and shorter than the first repeat of undo.
pub const HOLD: Duration = Duration::from_millis(800);

/// Longer than one picture takes to wipe away another.
pub const WIPED: Duration = Duration::from_millis(350);

pub const fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

pub const fn us(microseconds: u64) -> Duration {
    Duration::from_micros(microseconds)
}

pub fn cell(row: usize, column: usize) -> Cell {
    Cell::at(row, column).expect("rows and columns are 0 to 4")
}

/// A player with a device.
pub struct Player<D>(pub D);

impl<D: Device> Player<D> {
    pub fn press(&mut self, key: Cell) {
        self.0.set_key(key, true);
    }

    pub fn release(&mut self, key: Cell) {
        self.0.set_key(key, false);
    }

    pub fn wait(&mut self, time: Duration) {
        self.0.wait(time);
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

    /// Starts a mode from wherever the player is, with choices `(row, column)` of the menu made on the way.
    pub fn start(&mut self, mode: ModeKind, choices: &[(usize, usize)]) {
        self.command(Command::Menu);
        choices.iter().for_each(|&(row, column)| self.choose(row, column));
        // Once to choose it, once to start it; the mode that is running is chosen already.
        self.choose(0, mode as usize);
        self.wait(WIPED);
        if self.is_menu() {
            self.choose(0, mode as usize);
            self.wait(WIPED);
        }
    }

    /// Whether the lights show the menu: all of them but the last of the third row.
    pub fn is_menu(&self) -> bool {
        self.0.lit() == ALL_CELLS & !cell(2, 4).bit()
    }

    /// How bright a light is on the wire.
    pub fn brightness(&self, cell: Cell) -> u32 {
        self.0
            .picture()
            .get(cell.index())
            .map_or(0, |channels| channels.iter().map(|&channel| u32::from(channel)).sum())
    }

    /// The board on the lights.
    pub fn board(&self) -> Board {
        Board::from_bits(self.0.lit())
    }

    #[track_caller]
    pub fn expect_board(&self, board: Board) {
        assert_eq!(self.board(), board);
    }

    /// Nothing on the lights changes for this long.
    #[track_caller]
    pub fn expect_nothing_for(&mut self, time: Duration) {
        let before = self.0.picture();
        let step = ms(10);
        let mut waited = Duration::ZERO;
        while waited < time {
            self.wait(step);
            waited += step;
            assert!(self.0.picture() == before, "the lights changed after {waited:?}: {}", self.board());
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
        let before = self.0.picture();
        for _ in 0..40 {
            self.wait(ms(25));
            let now = self.0.picture();
            if let Some(index) = (0..before.len()).find(|&i| before[i] != now[i]) {
                return Cell::new(index);
            }
        }
        None
    }

    /// Taps a shortest solution of the board in play.
    pub fn solve(&mut self) {
        let solution = CLASSIC.shortest(self.board()).expect("the board in play can be solved").presses;
        for key in Cell::of_mask(solution) {
            self.tap(key);
        }
    }
}
