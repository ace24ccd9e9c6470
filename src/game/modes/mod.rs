//! The modes. To add one, write its file and name it here: the menu, the save and the state machine follow from the list.
//! The save counts by the order of the list, so a new mode comes last.

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
    /// Its word in the log.
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

const _: () = assert!(ModeKind::COUNT <= SIDE, "the menu has a row of five keys for the modes");

/// A screen that is played, and that survives a power cut.
pub trait GameMode: Screen + Sized {
    /// What is saved of it.
    type Saved;

    /// Starts it, by the choices of the menu.
    fn start(cx: &mut Context<'_>) -> Self;

    /// What is to be saved.
    fn save(&self) -> Self::Saved;

    /// Goes on with what was saved, if that can have come about in play.
    fn restore(now: Micros, saved: Self::Saved, records: &Records, solvers: &mut Solvers) -> Option<Self>;
}

/// From the list of the modes: the enum of those that run, of those that can be chosen, and of those that were saved.
macro_rules! modes {
    ($($(#[$doc:meta])* $mode:ident,)+) => {
        listed! {
            /// Which mode.
            #[derive(Clone, Copy, PartialEq, Eq, Debug)]
            pub enum ModeKind { $($(#[$doc])* $mode,)+ }
        }

        /// A mode that was started.
        #[derive(Clone, Debug)]
        #[expect(clippy::large_enum_variant, reason = "there is no heap to put the large one on")]
        pub enum Mode { $($(#[$doc])* $mode($mode),)+ }

        /// A mode as it is saved.
        #[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
        pub enum SavedMode { $($(#[$doc])* $mode(<$mode as GameMode>::Saved),)+ }

        impl Mode {
            /// Starts a mode.
            pub(super) fn start(cx: &mut Context<'_>, kind: ModeKind) -> Self {
                match kind { $(ModeKind::$mode => Self::$mode($mode::start(cx)),)+ }
            }

            /// Which it is.
            pub const fn kind(&self) -> ModeKind {
                match self { $(Self::$mode(_) => ModeKind::$mode,)+ }
            }

            /// What is to be saved of it.
            pub(super) fn save(&self) -> SavedMode {
                match self { $(Self::$mode(mode) => SavedMode::$mode(mode.save()),)+ }
            }

            /// Goes on with what was saved, if that can have come about in play.
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
