//! What every mode and the menu have in common: a screen takes taps, commands and the time, and draws itself. What it
//! may use of the rest of the game comes as an argument, so no screen knows another.

use rand_pcg::Pcg32;

use crate::board::{Board, Cell};
use crate::game::records::Records;
use crate::game::settings::{ModeKind, Settings};
use crate::game::solvers::Solvers;
use crate::gesture::Command;
use crate::picture::{FRAME_TIME, Frame};
use crate::rules::Variant;
use crate::selftest::Finding;
use crate::sound::Sound;
use crate::time::Micros;

/// What happened that others may want to know: the log, and the save.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum News {
    /// A new puzzle is on the board.
    Dealt {
        /// Its board.
        board: Board,
        /// The fewest presses that solve it.
        par: u32,
    },
    /// All lights are out.
    Won {
        /// Presses that it took.
        moves: u32,
        /// The fewest that could do.
        par: u32,
    },
    /// A game of Action is over.
    Survived {
        /// Presses of the handheld.
        presses: u32,
    },
    /// A mode was started.
    Started(ModeKind),
    /// The self-test found something.
    Found(Finding),
}

/// What comes out of one step of the game, besides the picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Effects {
    /// To be heard, if sound is on.
    pub sound: Option<Sound>,
    /// To be told.
    pub news: Option<News>,
    /// The game is to be saved now.
    pub save: bool,
    /// Something happened that is worth saving.
    pub(super) changed: bool,
    /// The picture is another one altogether, and should not appear out of nothing.
    pub(super) new_picture: bool,
    /// The menu asks for this mode.
    pub(super) start: Option<ModeKind>,
}

/// What a screen may use and change.
pub struct Context<'a> {
    /// The moment.
    pub now: Micros,
    /// Random numbers.
    pub rng: &'a mut Pcg32,
    /// The player's choices.
    pub settings: &'a mut Settings,
    /// The player's results.
    pub records: &'a mut Records,
    /// The tables of the rules.
    pub solvers: &'a mut Solvers,
    /// What comes out.
    pub effects: Effects,
}

impl Context<'_> {
    /// Lets a sound be heard.
    pub fn play(&mut self, sound: Sound) {
        self.effects.sound = Some(sound);
    }

    /// Tells what happened.
    pub fn tell(&mut self, news: News) {
        self.effects.news = Some(news);
        self.changed();
    }

    /// Something is different that is worth saving. Whatever the player does is; this is for what comes by itself.
    pub fn changed(&mut self) {
        self.effects.changed = true;
    }

    /// The picture is another one from now on.
    pub fn new_picture(&mut self) {
        self.effects.new_picture = true;
    }
}

/// What a screen may look at to draw itself.
pub struct View<'a> {
    /// The moment.
    pub now: Micros,
    /// The player's choices.
    pub settings: &'a Settings,
    /// The player's results.
    pub records: &'a Records,
    /// The tables of the rules.
    pub solvers: &'a Solvers,
}

impl View<'_> {
    /// When the next picture of something that moves since a moment is due.
    pub const fn next_frame(&self, since: Micros) -> Micros {
        since + ((self.now - since) / FRAME_TIME + 1) * FRAME_TIME
    }
}

/// A mode, or the menu.
pub trait Screen {
    /// The rule on the board: its tables are at hand whenever the screen is asked anything.
    fn variant(&self) -> Variant;

    /// A key went down.
    fn tap(&mut self, cx: &mut Context<'_>, key: Cell);

    /// A command was given; never the menu, which is not a screen's business.
    fn command(&mut self, cx: &mut Context<'_>, command: Command);

    /// Time has gone by.
    fn tick(&mut self, cx: &mut Context<'_>);

    /// It was covered by the menu until now.
    fn resume(&mut self, _now: Micros) {}

    /// When it wants to be woken, or its picture changes; none while it stands still.
    fn deadline(&self, view: &View<'_>) -> Option<Micros>;

    /// Its picture.
    fn draw(&self, view: &View<'_>) -> Frame;
}
