//! Overlays: screens that cover the mode for a while. They are the greeting, the menu, the self-test, the teaching, the
//! symbol of a low battery, and sleep. The topmost overlay is shown, and gets the taps and commands. When it closes,
//! the screen below it resumes.
//!
//! Each overlay has a fixed layer, and a layer holds one overlay. So there is always room for every overlay, and their
//! order is always the same.

use crate::board::Cell;
use crate::display::Frame;
use crate::game::battery::LowBattery;
use crate::game::menu::Menu;
use crate::game::screen::{Context, Screen, View};
use crate::game::self_test::SelfTest;
use crate::game::status::{Scene, Status};
use crate::game::teaching::Teaching;
use crate::gesture::Command;
use crate::time::{Micros, ms};

/// The duration of the greeting.
const GREETING: Micros = ms(800);

/// An overlay.
#[derive(Clone, Debug)]
pub(super) enum Overlay {
    Greeting(Greeting),
    Menu(Menu),
    SelfTest(SelfTest),
    Teaching(Teaching),
    Battery(LowBattery),
    Sleep(Sleep),
}

/// How many layers there are.
const LAYERS: usize = 4;

impl Overlay {
    /// Its layer, counted from the mode upwards.
    ///
    /// Greeting and menu share one: only a mode without an overlay opens the menu. Self-test and teaching share one:
    /// the teaching takes the place of the self-test.
    const fn layer(&self) -> usize {
        match self {
            Self::Greeting(_) | Self::Menu(_) => 0,
            Self::SelfTest(_) | Self::Teaching(_) => 1,
            Self::Battery(_) => 2,
            Self::Sleep(_) => LAYERS - 1,
        }
    }

    fn screen(&self) -> &dyn Screen {
        match self {
            Self::Greeting(screen) => screen,
            Self::Menu(screen) => screen,
            Self::SelfTest(screen) => screen,
            Self::Teaching(screen) => screen,
            Self::Battery(screen) => screen,
            Self::Sleep(screen) => screen,
        }
    }

    fn screen_mut(&mut self) -> &mut dyn Screen {
        match self {
            Self::Greeting(screen) => screen,
            Self::Menu(screen) => screen,
            Self::SelfTest(screen) => screen,
            Self::Teaching(screen) => screen,
            Self::Battery(screen) => screen,
            Self::Sleep(screen) => screen,
        }
    }
}

/// The overlays that are open, by layer.
#[derive(Clone, Debug)]
pub(super) struct Overlays([Option<Overlay>; LAYERS]);

impl Overlays {
    /// No overlay is open.
    pub(super) const NONE: Self = Self([const { None }; LAYERS]);

    /// Opens an overlay. It replaces the one in its layer.
    pub(super) fn open(&mut self, overlay: Overlay) {
        let layer = overlay.layer();
        self.0[layer] = Some(overlay);
    }

    /// Closes all overlays.
    pub(super) fn close_all(&mut self) {
        self.0.iter_mut().for_each(|layer| *layer = None);
    }

    /// Closes the topmost overlay.
    pub(super) fn close_top(&mut self) {
        if let Some(top) = self.0.iter_mut().rev().find(|layer| layer.is_some()) {
            *top = None;
        }
    }

    /// The topmost overlay.
    pub(super) fn top(&self) -> Option<&Overlay> {
        // Not a loop, which would be slower: this code runs for every press, and usually no overlay is open.
        let [lowest, second, third, highest] = &self.0;
        highest.as_ref().or(third.as_ref()).or(second.as_ref()).or(lowest.as_ref())
    }

    /// The screen of the topmost overlay.
    pub(super) fn screen(&self) -> Option<&dyn Screen> {
        self.top().map(Overlay::screen)
    }

    /// The screen of the topmost overlay.
    pub(super) fn screen_mut(&mut self) -> Option<&mut dyn Screen> {
        let [lowest, second, third, highest] = &mut self.0;
        highest.as_mut().or(third.as_mut()).or(second.as_mut()).or(lowest.as_mut()).map(Overlay::screen_mut)
    }

    /// Whether the menu is open, perhaps below other overlays.
    pub(super) fn has_menu(&self) -> bool {
        self.0.iter().flatten().any(|overlay| matches!(overlay, Overlay::Menu(_)))
    }
}

/// The greeting: a wave of light when a handheld is switched on for the first time. Any key ends it, and is not a move.
/// A command ends it and acts on the mode.
#[derive(Clone, Debug)]
pub(super) struct Greeting {
    since: Micros,
}

impl Greeting {
    /// Begins now.
    pub(super) const fn new(now: Micros) -> Self {
        Self { since: now }
    }
}

impl Screen for Greeting {
    fn tap(&mut self, cx: &mut Context<'_>, _: Cell) {
        cx.close_with_wipe();
    }

    fn command(&mut self, cx: &mut Context<'_>, _: Command) {
        cx.close_and_forward();
    }

    fn menu(&mut self, cx: &mut Context<'_>) {
        cx.close_and_forward();
    }

    fn tick(&mut self, cx: &mut Context<'_>) {
        if cx.now >= self.since + GREETING {
            cx.close_with_wipe();
        }
    }

    /// Begins again: the self-test or the teaching has covered it.
    fn resume(&mut self, now: Micros) {
        self.since = now;
    }

    fn deadline(&self, view: &View<'_>) -> Option<Micros> {
        Some(view.next_frame(self.since).min(self.since + GREETING))
    }

    fn draw(&self, view: &View<'_>) -> Frame {
        Frame::greeting(view.now - self.since, GREETING)
    }

    fn status(&self, view: &View<'_>) -> Status {
        view.status(Scene::Greeting)
    }
}

/// Sleep: the lights are off until a key wakes the handheld. That key is not a move.
#[derive(Clone, Debug)]
pub(super) struct Sleep;

impl Screen for Sleep {
    fn tap(&mut self, _: &mut Context<'_>, _: Cell) {}

    fn command(&mut self, _: &mut Context<'_>, _: Command) {}

    fn menu(&mut self, _: &mut Context<'_>) {}

    fn wake(&mut self, cx: &mut Context<'_>) {
        cx.close();
    }

    fn tick(&mut self, _: &mut Context<'_>) {}

    fn deadline(&self, _: &View<'_>) -> Option<Micros> {
        None
    }

    fn draw(&self, _: &View<'_>) -> Frame {
        Frame::DARK
    }

    fn status(&self, view: &View<'_>) -> Status {
        view.status(Scene::Asleep)
    }

    fn is_lit(&self) -> bool {
        false
    }
}
