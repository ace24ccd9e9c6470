//! What a maker does who teaches a handheld where its keys and lights are: looks at the lights, and presses what they ask for.

use std::time::Duration;

use lights_out::board::{CELLS, Cell, Cells};
use lights_out::solver::CLASSIC;

use crate::{Device, Dice, Player, ms};

/// Longer than any key has to be held while switching on to be asked for the wiring.
pub const HOLD_TO_TEACH: Duration = ms(5200);
/// How many presses it takes: at each light, and then at each place.
pub const TEACH_PRESSES: usize = 2 * CELLS;

/// A quick finger: long enough for a press, and for a release.
const QUICK: Duration = ms(28);
/// As long as three colours take.
const COLOURS: Duration = ms(3100);
/// From what is seen to the press.
const REACTION: Duration = ms(350);

impl<D: Device> Player<D> {
    /// Holds a key that is down since the handheld was switched on, until it can be taught, and lets it go.
    pub fn hold_to_teach(&mut self, key: Cell) {
        self.wait(HOLD_TO_TEACH);
        self.release(key);
        self.wait(QUICK);
    }

    /// Presses a key shortly.
    pub fn tap_quickly(&mut self, key: Cell) {
        self.press(key);
        self.wait(QUICK);
        self.release(key);
        self.wait(QUICK);
    }

    /// Presses so many keys of the board in sight: each flips its pattern where it is seen, in the light's own colour.
    #[track_caller]
    pub fn expect_it_plays(&mut self, moves: usize, dice: &mut Dice) {
        let mut board = self.board();
        for _ in 0..moves {
            let key = dice.harmless_key(board);
            self.tap_quickly(key);
            board = CLASSIC.press(board, key);
            self.expect_board(board);
        }
        let lit = board.lit().first().expect("a light that is on");
        let [red, green, blue] = self.device.picture()[lit.index()];
        assert!(red > green && green > blue, "warm light: {red} {green} {blue}");
    }

    /// What all lights look like, if they look alike: which of red, green and blue is there.
    pub fn colour(&self) -> Option<[bool; 3]> {
        let picture = self.device.picture();
        let first = *picture.first()?;
        picture.iter().all(|light| *light == first).then(|| first.map(|channel| channel > 0))
    }

    /// Says which of the colours is red, and which is green, by a key.
    #[track_caller]
    pub fn tell_colours(&mut self, key: Cell) {
        for (name, looks) in [("red", [true, false, false]), ("green", [false, true, false])] {
            self.expect_within(COLOURS, name, |player| player.colour() == Some(looks));
            self.wait(REACTION);
            self.tap_quickly(key);
        }
    }

    /// Lets the colours go by without a word.
    #[track_caller]
    pub fn ignore_colours(&mut self) {
        self.expect_within(COLOURS + ms(1000), "the first light", |player| player.asking_light().is_some());
    }

    /// The light that asks for its key: the only white one.
    pub fn asking_light(&self) -> Option<Cell> {
        let picture = self.device.picture();
        let mut white = Cell::all().zip(picture).filter(|(_, [r, g, b])| *r > 0 && r == g && g == b);
        let (light, _) = white.next()?;
        white.next().is_none().then_some(light)
    }

    /// The key that is asked for, when so many were pressed: at the light that asks, and later in reading order.
    #[track_caller]
    pub fn asked_key(&mut self, pressed: usize) -> Cell {
        if let Some(place) = pressed.checked_sub(CELLS) {
            return Cell::new(place).expect("25 places");
        }
        self.expect_within(ms(500), "a light that asks", |player| player.asking_light().is_some());
        self.asking_light().expect("it was there a moment ago")
    }

    /// Presses it.
    #[track_caller]
    pub fn teach_key(&mut self, pressed: usize) {
        let key = self.asked_key(pressed);
        self.tap_quickly(key);
    }

    /// Presses all that is asked for, from the first key on.
    #[track_caller]
    pub fn teach_keys(&mut self) {
        (0..TEACH_PRESSES).for_each(|pressed| self.teach_key(pressed));
    }

    /// The last press is refused: all lights are red, and then as they were before.
    #[track_caller]
    pub fn expect_refused(&mut self) {
        assert_eq!(self.colour(), Some([true, false, false]), "the lights show {}", self.board());
        self.wait(ms(420));
    }

    /// The lights come on in reading order, in green: all was learned.
    #[track_caller]
    pub fn expect_taught(&mut self) {
        let mut last = 0;
        for look in 0..200 {
            let lit = self.device.lit().bits();
            assert!(lit & lit.wrapping_add(1) == 0 && lit >= last, "in reading order: {}", self.board());
            let picture = self.device.picture();
            let is_green = picture.iter().all(|&[r, g, b]| g > r && g > b || [r, g, b] == [0; 3]);
            assert!(is_green, "the lights show {picture:?}");
            last = lit;
            if lit == Cells::ALL.bits() {
                assert!(look > 0, "one after the other");
                // The end of it, and the wipe to the game.
                self.wait(ms(1400));
                return;
            }
            self.wait(ms(10));
        }
        panic!("the lights do not come on in reading order; they show {}", self.board());
    }
}
