//! What is going on, as words and numbers: for whoever cannot see the lights, or wants to know more than they show.
//!
//! The firmware tells it in its log whenever it changes, and the player's [`Choices`] beside it. **These two lines are an
//! interface**: the web page reads them. A change of their words is a change for it as well; a new word at the end is not.
//!
//! ```text
//! status scene=play mode=levels number=33 moves=3 par=7 best=8 key=0 puzzle=14CXFCW
//! choices rule=1 size=5 difficulty=2 brightness=3 sound=0
//! ```
//!
//! | word    | what it says                                                                                          |
//! | ------- | ----------------------------------------------------------------------------------------------------- |
//! | scene   | what is on the lights: a [`Scene`]                                                                    |
//! | mode    | the mode that is running; in the menu the one that is chosen                                          |
//! | number  | the level, 1 to 75; the page of the picker, 1 to 3; the round of Random; otherwise 0                  |
//! | moves   | presses so far; in Action those of the handheld                                                       |
//! | par     | the fewest presses that solve the puzzle from its start                                               |
//! | best    | the best result for this level, in Action of all games; 0 for none yet                                |
//! | key     | the key that is pointed out, counted from 1 in reading order; 0 for none                              |
//! | puzzle  | the [code](crate::code) of the board that the puzzle began with, in Create of the drawing; `-` for none |
//!
//! On cells the charge is told as well when it changes, with the voltage in millivolts: `battery mv=3350 state=low`; the states are
//! those of [`Charge`](crate::battery::Charge).
//!
//! Choices count from 1 in the order of the menu, but for the size, which is the cells on a side, and the sound, which is 0 or 1.

use core::fmt;

use crate::board::{Board, Cell};
use crate::code::Code;
use crate::game::modes::ModeKind;
use crate::game::settings::Settings;
use crate::listed::listed;
use crate::rules::Variant;

listed! {
    /// What is on the lights.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Scene {
        /// The first power-on of all.
        Greeting,
        /// The menu.
        Menu,
        /// The levels to choose from.
        Picker,
        /// A board in play.
        Play,
        /// The same, with a key pointed out.
        Hint,
        /// A solution is shown.
        Demo,
        /// The ripple after the last light went out.
        Won,
        /// Moves and par.
        Score,
        /// The drawing of Create.
        Draw,
        /// The par of the drawing.
        Par,
        /// The drawing cannot be played.
        Refused,
        /// The slots for drawings.
        Slots,
        /// The lesson asks for a light to be chased.
        Chase,
        /// The lesson asks for keys of the top row.
        TopRow,
        /// The handheld presses keys.
        Action,
        /// Action is over: its score.
        Lost,
        /// The self-test.
        SelfTest,
        /// The maker teaches where keys and lights are.
        Teaching,
        /// A battery that is low or empty.
        Battery,
        /// Nothing: it sleeps.
        Asleep,
    }
}

impl Scene {
    /// Its word in the log.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Greeting => "greeting",
            Self::Menu => "menu",
            Self::Picker => "picker",
            Self::Play => "play",
            Self::Hint => "hint",
            Self::Demo => "demo",
            Self::Won => "won",
            Self::Score => "score",
            Self::Draw => "draw",
            Self::Par => "par",
            Self::Refused => "refused",
            Self::Slots => "slots",
            Self::Chase => "chase",
            Self::TopRow => "toprow",
            Self::Action => "action",
            Self::Lost => "lost",
            Self::SelfTest => "selftest",
            Self::Teaching => "teaching",
            Self::Battery => "battery",
            Self::Asleep => "asleep",
        }
    }
}

/// What is going on: see the table at the top of the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "told above")]
pub struct Status {
    pub scene: Scene,
    pub mode: ModeKind,
    pub number: u32,
    pub moves: u32,
    pub par: u32,
    pub best: u32,
    pub key: Option<Cell>,
    pub puzzle: Option<(Variant, Board)>,
}

impl Status {
    /// A scene with nothing to count and no puzzle.
    pub const fn of(scene: Scene, mode: ModeKind) -> Self {
        Self { scene, mode, number: 0, moves: 0, par: 0, best: 0, key: None, puzzle: None }
    }

    /// The key that is pointed out, as it is logged.
    pub fn key_number(&self) -> usize {
        self.key.map_or(0, |key| key.index() + 1)
    }

    /// The code of the puzzle.
    pub fn code(&self) -> Option<Code> {
        self.puzzle.map(|(variant, board)| Code::of(variant, board))
    }
}

/// The line of the log. The firmware's own is formatted by `defmt`, on the computer that reads it; a test compares the two.
impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { scene, mode, number, moves, par, best, .. } = self;
        let (scene, mode, key, code) = (scene.name(), mode.name(), self.key_number(), self.code());
        let code = code.as_ref().map_or("-", Code::as_str);
        write!(
            f,
            "status scene={scene} mode={mode} number={number} moves={moves} par={par} best={best} key={key} puzzle={code}"
        )
    }
}

/// The player's choices as they are logged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "told at the top of the file")]
pub struct Choices {
    pub rule: usize,
    pub size: usize,
    pub difficulty: usize,
    pub brightness: usize,
    pub sound: u8,
}

impl From<&Settings> for Choices {
    fn from(settings: &Settings) -> Self {
        Self {
            rule: settings.variant.rule as usize + 1,
            size: settings.variant.size.side(),
            difficulty: settings.difficulty + 1,
            brightness: settings.brightness + 1,
            sound: settings.sound.into(),
        }
    }
}

/// The line of the log, as for [`Status`].
impl fmt::Display for Choices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rule, size, difficulty, brightness, sound } = self;
        write!(f, "choices rule={rule} size={size} difficulty={difficulty} brightness={brightness} sound={sound}")
    }
}
