//! The inputs and outputs of the game.

use crate::battery::{Battery, Measured};
use crate::board::Board;
use crate::game::history::UndoStep;
use crate::game::modes::ModeKind;
use crate::game::self_test::Finding;
use crate::keys::KeyEvent;
use crate::layout::Layout;
use crate::rules::Variant;
use crate::save::Save;
use crate::sound::Sound;

/// An input of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Input {
    /// An event of the keys.
    Keys(KeyEvent),
    /// A measurement of the battery: the response to [`Output::ReadBattery`].
    Battery(Measured),
}

impl From<KeyEvent> for Input {
    fn from(event: KeyEvent) -> Self {
        Self::Keys(event)
    }
}

/// An output of the game, besides its frame. One input can have several outputs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Output<'a> {
    /// Play this sound. Emitted only while sound is on.
    Sound(Sound),
    /// Report this event.
    Event(GameEvent),
    /// Store this save: everything as it is now.
    Save(&'a Save),
    /// Use this layout of keys and LEDs from now on.
    Learned(&'a Layout),
    /// Measure the battery, and respond with [`Input::Battery`].
    ReadBattery,
    /// Go to sleep without waiting for the idle timeout.
    Sleep,
    /// Start the chip's bootloader, which takes a new firmware by USB. The game ends with this. Only the self-test
    /// emits it.
    Bootloader,
}

/// An event of the game, for the log.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameEvent {
    /// A mode was started.
    Started(ModeKind),
    /// A new puzzle is on the board.
    NewPuzzle {
        /// Its rule and size.
        variant: Variant,
        /// Its board.
        board: Board,
        /// The fewest presses that solve it.
        par: u32,
    },
    /// All lights are out.
    Won {
        /// The moves of the player.
        moves: u32,
        /// The fewest presses that solve the puzzle.
        par: u32,
    },
    /// A game of Action is over.
    Survived {
        /// The presses of the handheld.
        presses: u32,
    },
    /// A finding of the self-test.
    Found(Finding),
    /// The teaching ended without a result because no key was pressed. The layout is unchanged.
    TeachingTimedOut,
    /// The player undid this step.
    Undone(UndoStep),
    /// A tap or a command is not possible now.
    Refused,
    /// The battery's charge has changed.
    Battery(Battery),
}
