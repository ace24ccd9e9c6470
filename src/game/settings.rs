//! What the player has chosen in the menu.

use core::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use crate::board::SIDE;
use crate::rules::{Rule, Size, Variant};

/// How many steps of difficulty there are.
pub const DIFFICULTIES: usize = 5;

/// How bright a full light is, of 255, for each step.
const BRIGHTNESS: [u8; 4] = [16, 48, 128, 255];
/// How many steps of brightness there are.
pub const BRIGHTNESSES: usize = BRIGHTNESS.len();

const _: () = assert!(
    Rule::COUNT <= SIDE && Size::COUNT <= SIDE && DIFFICULTIES <= SIDE && BRIGHTNESSES < SIDE,
    "each has a row of five keys in the menu; brightness shares its row with the sound"
);

/// The choices.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Settings {
    /// Which lights a key flips, and on how large a board; for the next puzzle.
    pub variant: Variant,
    /// How hard the next random puzzle is, from 0.
    pub difficulty: usize,
    /// The step of brightness, from 0.
    pub brightness: usize,
    /// Whether there is sound.
    pub sound: bool,
}

impl Settings {
    /// As the handheld leaves the workshop. The brightness is the highest that needs no current cap on a full board.
    pub const DEFAULT: Self = Self { variant: Variant::CLASSIC, difficulty: 1, brightness: 2, sound: false };

    /// Whether all of them can be chosen in the menu.
    pub fn are_sound(&self) -> bool {
        self.difficulty < DIFFICULTIES && self.brightness < BRIGHTNESSES
    }

    /// The classic rule on a board of the chosen size.
    pub const fn plus_variant(&self) -> Variant {
        Variant { rule: Rule::Plus, size: self.variant.size }
    }

    /// The brightness as the LEDs take it, of 255.
    pub fn led_brightness(&self) -> u8 {
        BRIGHTNESS.get(self.brightness).copied().unwrap_or(BRIGHTNESS[Self::DEFAULT.brightness])
    }

    /// The pars that the chosen difficulty covers: a fifth of those that the rule has, and at least one.
    pub const fn pars(&self) -> RangeInclusive<u32> {
        let (hardest, step, steps) = (self.variant.hardest_par(), self.difficulty as u32, DIFFICULTIES as u32);
        let first = step * hardest / steps + 1;
        let last = (step + 1) * hardest / steps;
        first..=if last > first { last } else { first }
    }
}
