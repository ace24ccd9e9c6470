//! The modes. Menu, save and state machine take the modes from the list in this file. The save stores the position in
//! the list, so a new mode is added at the end.

pub mod action;
pub mod create;
pub mod levels;
pub mod random;
pub mod tutor;

use serde::{Deserialize, Serialize};

use crate::board::SIDE;
use crate::game::records::Records;
use crate::game::screen::{Context, Screen};
use crate::game::solvers::Solvers;
use crate::listed::listed;
use crate::time::Micros;

pub use action::Action;
pub use create::Create;
pub use levels::Levels;
pub use random::Random;
pub use tutor::Tutor;

modes! {
    /// The 75 levels.
    Levels,
    /// Random boards of a difficulty.
    Random,
    /// The player draws a board.
    Create,
    /// A lesson in light chasing.
    Tutor,
    /// The handheld presses keys, faster and faster.
    Action,
}

impl ModeKind {
    /// Its name in the log.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Levels => "levels",
            Self::Random => "random",
            Self::Create => "create",
            Self::Tutor => "tutor",
            Self::Action => "action",
        }
    }
}

const _: () = assert!(ModeKind::COUNT <= SIDE, "the row of the modes in the menu is full: see menu.rs");

/// A screen that the player starts from the menu, and that survives a power cut.
pub trait GameMode: Screen + Sized {
    /// The data that is saved.
    type Saved;

    /// Starts the mode with the settings as they are now.
    fn start(cx: &mut Context<'_>) -> Self;

    /// The data to save.
    fn save(&self) -> Self::Saved;

    /// Restores the mode from saved data. None if play cannot lead to this data.
    fn restore(now: Micros, saved: Self::Saved, records: &Records, solvers: &mut Solvers) -> Option<Self>;
}

/// Declares three enums from the list of the modes: the kind of a mode, a mode that runs, and a saved mode.
macro_rules! modes {
    ($($(#[$doc:meta])* $mode:ident,)+) => {
        listed! {
            /// The kind of a mode.
            #[derive(Clone, Copy, PartialEq, Eq, Debug)]
            pub enum ModeKind { $($(#[$doc])* $mode,)+ }
        }

        /// A mode that runs.
        #[derive(Clone, Debug)]
        #[expect(clippy::large_enum_variant, reason = "there is no heap for the largest variant")]
        pub enum Mode { $($(#[$doc])* $mode($mode),)+ }

        /// A saved mode.
        #[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
        pub enum SavedMode { $($(#[$doc])* $mode(<$mode as GameMode>::Saved),)+ }

        impl Mode {
            /// Starts a mode.
            pub(super) fn start(cx: &mut Context<'_>, kind: ModeKind) -> Self {
                match kind { $(ModeKind::$mode => Self::$mode($mode::start(cx)),)+ }
            }

            /// Its kind.
            pub const fn kind(&self) -> ModeKind {
                match self { $(Self::$mode(_) => ModeKind::$mode,)+ }
            }

            /// The data to save.
            pub(super) fn save(&self) -> SavedMode {
                match self { $(Self::$mode(mode) => SavedMode::$mode(mode.save()),)+ }
            }

            /// Restores a mode from saved data. None if play cannot lead to this data.
            pub(super) fn restore(
                now: Micros,
                saved: SavedMode,
                records: &Records,
                solvers: &mut Solvers,
            ) -> Option<Self> {
                match saved {
                    $(SavedMode::$mode(saved) => $mode::restore(now, saved, records, solvers).map(Self::$mode),)+
                }
            }

            pub(super) fn screen(&self) -> &dyn Screen {
                match self { $(Self::$mode(mode) => mode,)+ }
            }

            pub(super) fn screen_mut(&mut self) -> &mut dyn Screen {
                match self { $(Self::$mode(mode) => mode,)+ }
            }
        }
    };
}
use modes;
