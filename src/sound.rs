//! The sounds of the piezo: each is a short sequence of notes.

use crate::time::{Micros, ms};

/// A sound, named after the event that it stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sound {
    /// The press of a key had an effect.
    Tap,
    /// A choice in the menu.
    Menu,
    /// A tap or a command that is not possible.
    Error,
    /// All lights are off.
    Win,
}

/// One tone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Note {
    /// The frequency in Hz.
    pub hz: u32,
    /// The duration.
    pub length: Micros,
}

const fn note(hz: u32, milliseconds: u64) -> Note {
    Note { hz, length: ms(milliseconds) }
}

impl Sound {
    /// The notes of the sound, in order.
    pub const fn notes(self) -> &'static [Note] {
        const TAP: [Note; 1] = [note(1760, 12)];
        const MENU: [Note; 2] = [note(1319, 20), note(1760, 20)];
        const ERROR: [Note; 2] = [note(330, 60), note(262, 90)];
        // C E G C, rising.
        const WIN: [Note; 4] = [note(1047, 90), note(1319, 90), note(1568, 90), note(2093, 220)];
        match self {
            Self::Tap => &TAP,
            Self::Menu => &MENU,
            Self::Error => &ERROR,
            Self::Win => &WIN,
        }
    }
}
