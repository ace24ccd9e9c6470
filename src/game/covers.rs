//! What covers a mode for a while: the greeting, the menu, the self-test, the teaching, a low battery, sleep. Covers lie on each
//! other; the one on top has the lights and the keys, and when it closes, what is behind goes on.

use crate::board::Cell;
use crate::game::battery::LowBattery;
use crate::game::menu::Menu;
use crate::game::screen::{Context, Screen, View};
use crate::game::self_test::SelfTest;
use crate::game::status::{Scene, Status};
use crate::game::teaching::Teaching;
use crate::gesture::Command;
use crate::picture::Frame;
use crate::time::{Micros, ms};

/// How long the greeting takes.
pub const GREETING: Micros = ms(800);

/// A cover.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "each is told where it is declared")]
pub enum Cover {
    Battery(LowBattery),
    Greeting(Greeting),
    Menu(Menu),
    SelfTest(SelfTest),
    Teaching(Teaching),
    Sleep(Sleep),
}

impl Cover {
    pub(super) fn screen(&self) -> &dyn Screen {
        match self {
            Self::Battery(screen) => screen,
            Self::Greeting(screen) => screen,
            Self::Menu(screen) => screen,
            Self::SelfTest(screen) => screen,
            Self::Teaching(screen) => screen,
            Self::Sleep(screen) => screen,
        }
    }

    pub(super) fn screen_mut(&mut self) -> &mut dyn Screen {
        match self {
            Self::Battery(screen) => screen,
            Self::Greeting(screen) => screen,
            Self::Menu(screen) => screen,
            Self::SelfTest(screen) => screen,
            Self::Teaching(screen) => screen,
            Self::Sleep(screen) => screen,
        }
    }
}

/// A wave of light, seen once in a handheld's life. Any key cuts it short, and is not a move; a command acts on the game.
#[derive(Clone, Debug)]
pub struct Greeting {
    since: Micros,
}

impl Greeting {
    /// Begins now.
    pub const fn new(now: Micros) -> Self {
        Self { since: now }
    }
}

impl Screen for Greeting {
    fn tap(&mut self, cx: &mut Context<'_>, _: Cell) {
        cx.give_way();
    }

    fn command(&mut self, cx: &mut Context<'_>, _: Command) {
        cx.pass_on();
    }

    fn menu(&mut self, cx: &mut Context<'_>) {
        cx.pass_on();
    }

    fn tick(&mut self, cx: &mut Context<'_>) {
        if cx.now >= self.since + GREETING {
            cx.give_way();
        }
    }

    /// Behind the self-test nobody has seen it.
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

/// Nobody looks: dark, until a key wakes it. That key is not a move.
#[derive(Clone, Debug)]
pub struct Sleep;

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
