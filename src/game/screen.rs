//! The interface of modes and overlays. A screen takes taps, commands and timeouts, and draws itself. It gets the parts
//! of the game that it may use as an argument, so no screen depends on another.

use rand_pcg::Pcg32;

use crate::battery::Battery;
use crate::board::Cell;
use crate::display::{FRAME_TIME, Frame};
use crate::game::events::{GameEvent, Output};
use crate::game::modes::ModeKind;
use crate::game::records::Records;
use crate::game::settings::Settings;
use crate::game::solvers::Solvers;
use crate::game::status::{Scene, Status};
use crate::gesture::Command;
use crate::layout::Layout;
use crate::matrix::Contacts;
use crate::rules::Variant;
use crate::solver::Solver;
use crate::sound::Sound;
use crate::time::Micros;

/// A request of a screen to the game. The game acts on it after the screen's method has returned.
#[derive(Clone, Copy, Debug)]
pub(super) enum Request {
    /// Start this mode in place of the one that runs.
    Start(ModeKind),
    /// Open the menu on top of the mode.
    OpenMenu,
    /// Close this overlay. If `is_forwarded`, the screen below it then gets the same tap, command or timeout.
    Close { is_forwarded: bool },
}

/// What a screen may use and change.
pub struct Context<'a> {
    /// The moment of this step.
    pub now: Micros,
    /// The random numbers.
    pub rng: &'a mut Pcg32,
    /// The player's settings.
    pub settings: &'a mut Settings,
    /// The player's records.
    pub records: &'a mut Records,
    /// The tables of the variants.
    pub solvers: &'a mut Solvers,
    /// The layout of keys and LEDs.
    pub layout: &'a mut Layout,
    pub(super) emit: &'a mut dyn FnMut(Output<'_>),
    pub(super) request: Option<Request>,
    pub(super) needs_save: bool,
    pub(super) wipes: bool,
}

impl Context<'_> {
    /// Plays a sound, if sound is on.
    pub fn play(&mut self, sound: Sound) {
        if self.settings.sound {
            (self.emit)(Output::Sound(sound));
        }
    }

    /// Reports an event.
    pub fn report(&mut self, event: GameEvent) {
        (self.emit)(Output::Event(event));
    }

    /// Takes over a new layout of keys and LEDs.
    pub fn learn(&mut self, layout: Layout) {
        *self.layout = layout;
        self.needs_save();
        (self.emit)(Output::Learned(&layout));
    }

    /// Sends the handheld to sleep.
    pub fn sleep(&mut self) {
        (self.emit)(Output::Sleep);
    }

    /// Ends the game and starts the bootloader.
    pub(super) fn start_bootloader(&mut self) {
        (self.emit)(Output::Bootloader);
    }

    /// Reports that a tap or a command is not possible now: plays the error sound and emits [`GameEvent::Refused`].
    pub fn refuse(&mut self) {
        self.play(Sound::Error);
        self.report(GameEvent::Refused);
    }

    /// Requests a save. The game saves after each tap and command in any case: this is for changes without one.
    pub fn needs_save(&mut self) {
        self.needs_save = true;
    }

    /// Starts a wipe from the old frame to the new one.
    pub fn wipe(&mut self) {
        self.wipes = true;
    }

    /// Requests the start of a mode.
    pub fn start(&mut self, mode: ModeKind) {
        self.request = Some(Request::Start(mode));
    }

    /// Requests that the menu opens.
    pub(super) fn open_menu(&mut self) {
        self.wipe();
        self.request = Some(Request::OpenMenu);
    }

    /// Requests that this overlay closes.
    pub fn close(&mut self) {
        self.request = Some(Request::Close { is_forwarded: false });
    }

    /// Requests that this overlay closes, with a wipe to the screen below.
    pub fn close_with_wipe(&mut self) {
        self.wipe();
        self.close();
    }

    /// Requests that this overlay closes, and that the screen below gets the same tap or command.
    pub fn close_and_forward(&mut self) {
        self.request = Some(Request::Close { is_forwarded: true });
    }
}

/// What a screen may read to draw itself.
pub struct View<'a> {
    /// The moment of the frame.
    pub now: Micros,
    /// The player's settings.
    pub settings: &'a Settings,
    /// The player's records.
    pub records: &'a Records,
    /// The mode that runs, perhaps below overlays.
    pub mode: ModeKind,
    /// The layout of keys and LEDs.
    pub layout: &'a Layout,
    /// The tables of the screen's variant.
    pub solver: &'a Solver,
}

impl View<'_> {
    /// When the next frame of an animation is due that began at `since`.
    pub const fn next_frame(&self, since: Micros) -> Micros {
        since + ((self.now - since) / FRAME_TIME + 1) * FRAME_TIME
    }

    /// The status of a scene of the running mode, without numbers and without a puzzle.
    pub const fn status(&self, scene: Scene) -> Status {
        Status::of(scene, self.mode)
    }
}

/// A mode or an overlay.
pub trait Screen {
    /// The variant on the board. The solver of its [`View`] is for this variant.
    fn variant(&self) -> Variant {
        Variant::CLASSIC
    }

    /// A key was pressed.
    fn tap(&mut self, cx: &mut Context<'_>, key: Cell);

    /// A command was given, except the menu command.
    fn command(&mut self, cx: &mut Context<'_>, command: Command);

    /// The menu command was given. A mode opens the menu; an overlay closes.
    fn menu(&mut self, cx: &mut Context<'_>) {
        cx.open_menu();
    }

    /// Whether a command rolls back to the state before its two corners were tapped.
    fn can_roll_back(&self) -> bool {
        true
    }

    /// These contacts are closed now. Only the self-test and the teaching use them.
    fn contacts_changed(&mut self, _cx: &mut Context<'_>, _closed: Contacts) {}

    /// A key has ended the sleep.
    fn wake(&mut self, _cx: &mut Context<'_>) {}

    /// The battery was measured.
    fn battery_measured(&mut self, _cx: &mut Context<'_>, _battery: Battery) {}

    /// A timeout: its own [`deadline`](Self::deadline), or an earlier moment.
    fn tick(&mut self, cx: &mut Context<'_>);

    /// The overlay in front of this screen was closed.
    fn resume(&mut self, _now: Micros) {}

    /// When this screen needs its next tick or its next frame. None while its frame does not change.
    fn deadline(&self, view: &View<'_>) -> Option<Micros>;

    /// Its frame.
    fn draw(&self, view: &View<'_>) -> Frame;

    /// What its frame shows, as words and numbers.
    fn status(&self, view: &View<'_>) -> Status;

    /// Whether the lights are on. If not, the LEDs need no supply.
    fn is_lit(&self) -> bool {
        true
    }
}
