//! The state of the game as words and numbers: for the log, and for the web page.
//!
//! The firmware logs a [`Status`] and the player's [`Choices`] whenever they change, and the battery when its charge
//! changes. **The lines are an interface**: the web page reads them. A change of a word breaks the page; a new word at
//! the end does not.
//!
//! Each line is defined once, by a macro in this file. The macro passes format and values to `defmt::info!` in the
//! firmware, and to the `Display` implementations here. The fields of [`Status`] and [`Choices`] describe the values.
//!
//! ```
//! use lights_out::game::Game;
//! use lights_out::game::status::Choices;
//!
//! let game = Game::new(0, 1995);
//! let status = game.status(0).to_string();
//! assert_eq!(status, "status scene=greeting mode=levels number=0 moves=0 par=0 best=0 key=0 puzzle=-");
//! let choices = Choices::from(game.state().settings()).to_string();
//! assert_eq!(choices, "choices rule=1 size=5 difficulty=2 brightness=3 sound=0");
//! ```

use core::fmt;

use crate::board::{Board, Cell};
use crate::code::Code;
use crate::game::modes::ModeKind;
use crate::game::settings::Settings;
use crate::listed::listed;
use crate::rules::Variant;

listed! {
    /// The kind of frame on the lights.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Scene {
        /// The greeting after the first power-on.
        Greeting,
        /// The menu.
        Menu,
        /// The level picker.
        Picker,
        /// A board in play.
        Play,
        /// A board in play with a key that pulses.
        Hint,
        /// The demo of a solution.
        Demo,
        /// The animation after the last light went out.
        Won,
        /// The score screen: moves and par.
        Score,
        /// The drawing of Create.
        Draw,
        /// The par of the drawing.
        Par,
        /// The drawing cannot be played.
        Refused,
        /// The slots of Create.
        Slots,
        /// The lesson of Tutor: chase a light.
        Chase,
        /// The lesson of Tutor: press keys of the top row.
        TopRow,
        /// A game of Action.
        Action,
        /// The score of a game of Action.
        Lost,
        /// The self-test.
        SelfTest,
        /// The teaching of the wiring.
        Teaching,
        /// A battery that is low or empty.
        Battery,
        /// Nothing: the handheld is asleep.
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

/// Passes the format of the line of a [`Status`] and its values to another macro, behind that macro's own arguments.
///
/// The format is defmt's. Its type hints make logging faster: without them this line takes 55 us more on an RP2040.
#[macro_export]
macro_rules! status_line {
    ($status:expr => $($output:ident)::+!($($first:tt)*)) => {{
        let status: &$crate::game::status::Status = $status;
        $($output)::+!(
            $($first)*
            "status scene={=str} mode={=str} number={=u32} moves={=u32} par={=u32} best={=u32} key={=usize} \
             puzzle={=str}",
            status.scene.name(),
            status.mode.name(),
            status.number,
            status.moves,
            status.par,
            status.best,
            status.key_number(),
            status.code().as_ref().map_or("-", $crate::code::Code::as_str)
        )
    }};
}

/// Passes the format of the line of [`Choices`] and its values to another macro, as [`status_line`] does.
#[macro_export]
macro_rules! choices_line {
    ($choices:expr => $($output:ident)::+!($($first:tt)*)) => {{
        let $crate::game::status::Choices { rule, size, difficulty, brightness, sound } = $choices;
        $($output)::+!(
            $($first)*
            "choices rule={=usize} size={=usize} difficulty={=usize} brightness={=usize} sound={=u8}",
            rule,
            size,
            difficulty,
            brightness,
            sound
        )
    }};
}

/// Passes the format of the line of a [`Battery`](crate::battery::Battery) and its values to another macro, as
/// [`status_line`] does.
#[macro_export]
macro_rules! battery_line {
    ($battery:expr => $($output:ident)::+!($($first:tt)*)) => {{
        let $crate::battery::Battery { millivolts, charge } = $battery;
        $($output)::+!($($first)* "battery mv={=u16} state={=str}", millivolts, charge.name())
    }};
}

/// Writes a line in defmt's format, on a computer: it calls [`write_values`].
macro_rules! write_line {
    ($f:expr, $format:literal, $($value:expr),+) => {
        write_values($f, $format, &[$(&$value),+])
    };
}

/// Writes a format with a value in place of each `{=type}`.
fn write_values(f: &mut fmt::Formatter<'_>, format: &str, values: &[&dyn fmt::Display]) -> fmt::Result {
    let mut parts = format.split('{');
    f.write_str(parts.next().unwrap_or_default())?;
    for (part, value) in parts.zip(values) {
        let text = part.split_once('}').map_or("", |(_, text)| text);
        write!(f, "{value}{text}")?;
    }
    Ok(())
}

/// What the lights show.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Status {
    /// The kind of frame on the lights.
    pub scene: Scene,
    /// The mode that runs; in the menu, the mode that is chosen.
    pub mode: ModeKind,
    /// The level, 1 to 75; the page of the level picker, 1 to 3; the round of Random; otherwise 0.
    pub number: u32,
    /// The player's presses so far; in Action, the handheld's presses; in the teaching, the keys that were taught.
    pub moves: u32,
    /// The fewest presses that solve the puzzle from its start.
    pub par: u32,
    /// The best result for this level; in Action, the best of all games; 0 if there is none yet.
    pub best: u32,
    /// The key that pulses. The line has its number, counted from 1 in reading order; 0 for none.
    pub key: Option<Cell>,
    /// The board at the start of the puzzle; in Create, the drawing. The line has its [code](crate::code); `-` for
    /// none.
    pub puzzle: Option<(Variant, Board)>,
}

impl Status {
    /// A scene without numbers and without a puzzle.
    pub const fn of(scene: Scene, mode: ModeKind) -> Self {
        Self { scene, mode, number: 0, moves: 0, par: 0, best: 0, key: None, puzzle: None }
    }

    /// The number of the key that pulses, as it is logged.
    pub fn key_number(&self) -> usize {
        self.key.map_or(0, |key| key.index() + 1)
    }

    /// The code of the puzzle.
    pub fn code(&self) -> Option<Code> {
        self.puzzle.map(|(variant, board)| Code::of(variant, board))
    }
}

/// The line of the log.
impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        status_line!(self => write_line!(f,))
    }
}

/// The player's settings as they are logged: rule, difficulty and brightness count from 1 in the order of the menu.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choices {
    /// The number of the rule.
    pub rule: usize,
    /// Cells on a side of the board.
    pub size: usize,
    /// The number of the difficulty.
    pub difficulty: usize,
    /// The number of the brightness.
    pub brightness: usize,
    /// 1 while sound is on, otherwise 0.
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

/// The line of the log.
impl fmt::Display for Choices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        choices_line!(*self => write_line!(f,))
    }
}
