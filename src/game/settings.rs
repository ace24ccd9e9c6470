//! The player's settings: what was chosen in the menu.

use core::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use crate::board::SIDE;
use crate::rules::{Rule, Size, Variant};

/// The number of difficulties.
pub const DIFFICULTIES: usize = 5;

/// The brightness of a full light for each setting, of 255.
const BRIGHTNESS: [u8; 4] = [16, 48, 128, 255];
/// The number of brightness settings.
pub const BRIGHTNESSES: usize = BRIGHTNESS.len();

const _: () = assert!(
    Rule::COUNT <= SIDE && Size::COUNT <= SIDE && DIFFICULTIES <= SIDE && BRIGHTNESSES < SIDE,
    "each setting has a row of five keys in the menu; brightness shares its row with the sound"
);

/// The settings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Settings {
    /// The rule and the size of the next puzzle.
    pub variant: Variant,
    /// The difficulty of the next random puzzle, counted from 0.
    pub difficulty: usize,
    /// The brightness setting, counted from 0.
    pub brightness: usize,
    /// Whether sound is on.
    pub sound: bool,
}

impl Settings {
    /// The settings of a new handheld. The brightness is the highest at which a full board stays below the current cap.
    pub const DEFAULT: Self = Self { variant: Variant::CLASSIC, difficulty: 1, brightness: 2, sound: false };

    /// Whether all of these settings can be chosen in the menu.
    pub fn is_valid(&self) -> bool {
        self.difficulty < DIFFICULTIES && self.brightness < BRIGHTNESSES
    }

    /// The plus rule on a board of the chosen size.
    pub const fn plus_variant(&self) -> Variant {
        Variant { rule: Rule::Plus, size: self.variant.size }
    }

    /// The brightness of a full light, of 255.
    pub fn led_brightness(&self) -> u8 {
        BRIGHTNESS.get(self.brightness).copied().unwrap_or(BRIGHTNESS[Self::DEFAULT.brightness])
    }

    /// The pars of the chosen difficulty: a fifth of the pars that the variant has, and at least one.
    pub const fn pars(&self) -> RangeInclusive<u32> {
        let (hardest, step, steps) = (self.variant.hardest_par(), self.difficulty as u32, DIFFICULTIES as u32);
        let first = step * hardest / steps + 1;
        let last = (step + 1) * hardest / steps;
        first..=if last > first { last } else { first }
    }
}
