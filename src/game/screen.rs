//! What everything on the lights has in common, be it a mode, the menu or the sleep: a screen takes taps, commands and the
//! time, and draws itself. What it may use of the rest of the game comes as an argument, so no screen knows another.

use rand_pcg::Pcg32;

use crate::battery::Battery;
use crate::board::{Board, Cell};
use crate::game::history::Step;
use crate::game::modes::ModeKind;
use crate::game::records::Records;
use crate::game::self_test::Finding;
use crate::game::settings::Settings;
use crate::game::solvers::Solvers;
use crate::game::status::{Scene, Status};
use crate::gesture::Command;
use crate::layout::Layout;
use crate::matrix::Contacts;
use crate::picture::{FRAME_TIME, Frame};
use crate::rules::Variant;
use crate::save::Save;
use crate::solver::Solver;
use crate::sound::Sound;
use crate::time::Micros;

/// What comes out of the game, besides the picture. One step may have several.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Output<'a> {
    /// To be heard; only while sound is on.
    Sound(Sound),
    /// To be told.
    News(News),
    /// To be kept: everything as it is now.
    Save(&'a Save),
    /// From now on keys and lights are where this says.
    Learned(&'a Layout),
    /// The battery is to be read: an [`Input::Battery`](crate::keys::Input::Battery) answers.
    ReadBattery,
    /// It wants to sleep, whatever the keys say.
    Sleep,
    /// The maker wants the chip's bootloader, which takes a new firmware by USB. The game is over with this. Only the self-test puts
    /// it out.
    Bootloader,
}

/// What happened that others may want to know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum News {
    /// A mode was started.
    Started(ModeKind),
    /// A new puzzle is on the board.
    Dealt {
        /// Its rule and size.
        variant: Variant,
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
    /// The self-test found something.
    Found(Finding),
    /// Nobody went on with the teaching: everything is as it was.
    GaveUp,
    /// A step was taken back.
    TookBack(Step),
    /// What the player wanted cannot be done.
    Refused,
    /// The battery has another charge.
    Battery(Battery),
}

/// What a screen asks the game to do once it is done itself.
#[derive(Clone, Copy, Debug)]
pub(super) enum Request {
    /// Start this mode, in place of the one that runs.
    Start(ModeKind),
    /// Cover the mode with the menu.
    OpenMenu,
    /// Uncover what is behind this screen.
    Close,
    /// The same, and let what is behind have what came.
    PassOn,
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
    /// Where keys and lights are.
    pub layout: &'a mut Layout,
    pub(super) emit: &'a mut dyn FnMut(Output<'_>),
    pub(super) request: Option<Request>,
    pub(super) changed: bool,
    pub(super) new_picture: bool,
}

impl Context<'_> {
    /// Lets a sound be heard, if the player wants any.
    pub fn play(&mut self, sound: Sound) {
        if self.settings.sound {
            (self.emit)(Output::Sound(sound));
        }
    }

    /// Tells what happened.
    pub fn tell(&mut self, news: News) {
        (self.emit)(Output::News(news));
    }

    /// From now on keys and lights are where this says; it is worth saving.
    pub fn learn(&mut self, layout: Layout) {
        *self.layout = layout;
        self.changed();
        (self.emit)(Output::Learned(&layout));
    }

    /// Goes to sleep.
    pub fn sleep(&mut self) {
        (self.emit)(Output::Sleep);
    }

    /// Leaves the game for the bootloader.
    pub(super) fn start_bootloader(&mut self) {
        (self.emit)(Output::Bootloader);
    }

    /// Does not do what the player wants, and says so.
    pub fn refuse(&mut self) {
        self.play(Sound::Error);
        self.tell(News::Refused);
    }

    /// Something is different that is worth saving. Whatever the player does is; this is for what comes by itself.
    pub fn changed(&mut self) {
        self.changed = true;
    }

    /// The picture is another one altogether from now on, and should not appear out of nothing.
    pub fn new_picture(&mut self) {
        self.new_picture = true;
    }

    /// Starts a mode once this screen is done.
    pub fn start(&mut self, mode: ModeKind) {
        self.request = Some(Request::Start(mode));
    }

    /// Uncovers what is behind this screen, once it is done.
    pub fn close(&mut self) {
        self.request = Some(Request::Close);
    }

    /// The same, and lets what is behind wipe its picture away.
    pub fn give_way(&mut self) {
        self.new_picture();
        self.close();
    }

    /// Uncovers what is behind this screen, and lets that have the tap or command that came.
    pub fn pass_on(&mut self) {
        self.request = Some(Request::PassOn);
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
    /// The mode that is running, perhaps covered.
    pub mode: ModeKind,
    /// Where keys and lights are.
    pub layout: &'a Layout,
    /// The tables of the screen's variant.
    pub solver: &'a Solver,
}

impl View<'_> {
    /// When the next picture of something that moves since a moment is due.
    pub const fn next_frame(&self, since: Micros) -> Micros {
        since + ((self.now - since) / FRAME_TIME + 1) * FRAME_TIME
    }

    /// The status of a scene of the running mode, with nothing to count and no puzzle.
    pub const fn status(&self, scene: Scene) -> Status {
        Status::of(scene, self.mode)
    }
}

/// A mode, or something that covers it for a while.
pub trait Screen {
    /// The variant on the board: the tables that it is handed with the view are of this.
    fn variant(&self) -> Variant {
        Variant::CLASSIC
    }

    /// A key went down.
    fn tap(&mut self, cx: &mut Context<'_>, key: Cell);

    /// A command was given, other than the menu.
    fn command(&mut self, cx: &mut Context<'_>, command: Command);

    /// The menu command was given. The menu covers a mode; what covers a mode itself goes away.
    fn menu(&mut self, cx: &mut Context<'_>) {
        cx.new_picture();
        cx.request = Some(Request::OpenMenu);
    }

    /// Whether everything is as it was before its two corners were tapped, when a command is recognised.
    fn takes_back(&self) -> bool {
        true
    }

    /// These contacts are closed now, whatever they mean.
    fn contacts(&mut self, _cx: &mut Context<'_>, _closed: Contacts) {}

    /// A key was touched after a long time.
    fn wake(&mut self, _cx: &mut Context<'_>) {}

    /// The battery was read.
    fn measured(&mut self, _cx: &mut Context<'_>, _battery: Battery) {}

    /// Time has gone by.
    fn tick(&mut self, cx: &mut Context<'_>);

    /// It was covered until now.
    fn resume(&mut self, _now: Micros) {}

    /// When it wants its tick, or its picture changes; none while it stands still.
    fn deadline(&self, view: &View<'_>) -> Option<Micros>;

    /// Its picture.
    fn draw(&self, view: &View<'_>) -> Frame;

    /// What it shows, as words and numbers.
    fn status(&self, view: &View<'_>) -> Status;

    /// Whether anybody is to see it: if not, the lights need no supply.
    fn is_lit(&self) -> bool {
        true
    }
}
