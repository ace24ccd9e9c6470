//! The teaching of the wiring by a maker: a light shows which key is requested, and the maker presses that key.

use std::time::Duration;

use lights_out::board::{CELLS, Cell, Cells};
use lights_out::solver::CLASSIC;

use crate::{Device, Dice, Player, ms};

/// Longer than the time for which a key must be held after power-on to start the teaching.
const HOLD_TO_TEACH: Duration = ms(5200);
/// The number of presses of a teaching: one for each light, and then one for each cell.
pub const TEACH_PRESSES: usize = 2 * CELLS;

/// A short tap: long enough to recognise a press or a release.
const QUICK: Duration = ms(28);
/// The duration of the three colours.
const COLOURS: Duration = ms(3100);
/// The time from a change of the lights to the press of the maker.
const REACTION: Duration = ms(350);

impl<D: Device> Player<D> {
    /// Holds a key, which is down since power-on, until the teaching starts. Then releases the key.
    pub fn hold_to_teach(&mut self, key: Cell) {
        self.wait(HOLD_TO_TEACH);
        self.release(key);
        self.wait(QUICK);
    }

    /// Taps a key for the shortest time.
    pub fn tap_briefly(&mut self, key: Cell) {
        self.press(key);
        self.wait(QUICK);
        self.release(key);
        self.wait(QUICK);
    }

    /// Makes random moves, and checks that each flips its pattern on the lights, and that a light has the right colour.
    #[track_caller]
    pub fn expect_moves_work(&mut self, moves: usize, dice: &mut Dice) {
        let mut board = self.board();
        for _ in 0..moves {
            let key = dice.non_winning_key(board);
            self.tap_briefly(key);
            board = CLASSIC.press(board, key);
            self.expect_board(board);
        }
        let lit = board.lit().first().expect("a light that is on");
        let [red, green, blue] = self.device.led_colours()[lit.index()];
        assert!(red > green && green > blue, "not the colour of a light: {red} {green} {blue}");
    }

    /// Whether red, green and blue are on, if all lights have the same colour.
    pub fn colour(&self) -> Option<[bool; 3]> {
        let colours = self.device.led_colours();
        let first = *colours.first()?;
        colours.iter().all(|light| *light == first).then(|| first.map(|channel| channel > 0))
    }

    /// Confirms the colours red and green, by taps of this key.
    #[track_caller]
    pub fn confirm_colours(&mut self, key: Cell) {
        for (name, looks) in [("red", [true, false, false]), ("green", [false, true, false])] {
            self.expect_within(COLOURS, name, |player| player.colour() == Some(looks));
            self.wait(REACTION);
            self.tap_briefly(key);
        }
    }

    /// Waits until the colours have passed, without a tap.
    #[track_caller]
    pub fn skip_colours(&mut self) {
        self.expect_within(COLOURS + ms(1000), "the first light", |player| player.requested_light().is_some());
    }

    /// The light whose key is requested: the only white light.
    pub fn requested_light(&self) -> Option<Cell> {
        let colours = self.device.led_colours();
        let mut white = Cell::all().zip(colours).filter(|(_, [r, g, b])| *r > 0 && r == g && g == b);
        let (light, _) = white.next()?;
        white.next().is_none().then_some(light)
    }

    /// The key that is requested after `pressed` presses. In the first half it is the key of the white light, in the
    /// second half the next key in reading order.
    #[track_caller]
    pub fn requested_key(&mut self, pressed: usize) -> Cell {
        if let Some(index) = pressed.checked_sub(CELLS) {
            return Cell::new(index).expect("one of 25 cells");
        }
        self.expect_within(ms(500), "a requested key", |player| player.requested_light().is_some());
        self.requested_light().expect("the light that was found before")
    }

    /// Taps the key that is requested after `pressed` presses.
    #[track_caller]
    pub fn teach_key(&mut self, pressed: usize) {
        let key = self.requested_key(pressed);
        self.tap_briefly(key);
    }

    /// Taps every requested key, from the first one on.
    #[track_caller]
    pub fn teach_keys(&mut self) {
        (0..TEACH_PRESSES).for_each(|pressed| self.teach_key(pressed));
    }

    /// Checks that the last press was refused: all lights are red. Waits until they show the teaching again.
    #[track_caller]
    pub fn expect_refused(&mut self) {
        assert_eq!(self.colour(), Some([true, false, false]), "the lights show {}", self.board());
        self.wait(ms(420));
    }

    /// Checks that the teaching has succeeded: the lights turn on in reading order, in green.
    #[track_caller]
    pub fn expect_taught(&mut self) {
        let mut last = 0;
        for look in 0..200 {
            let lit = self.device.lit().bits();
            assert!(lit & lit.wrapping_add(1) == 0 && lit >= last, "not in reading order: {}", self.board());
            let colours = self.device.led_colours();
            let is_green = colours.iter().all(|&[r, g, b]| g > r && g > b || [r, g, b] == [0; 3]);
            assert!(is_green, "the lights show {colours:?}");
            last = lit;
            if lit == Cells::ALL.bits() {
                assert!(look > 0, "all lights turned on at once");
                // The end of the animation, and the wipe to the game.
                self.wait(ms(1400));
                return;
            }
            self.wait(ms(10));
        }
        panic!("not all lights turn on; they show {}", self.board());
    }
}
