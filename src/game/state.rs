//! All that a command may have to take back: the mode, the menu, settings, records and the random numbers.

use rand_core::Rng;
use rand_pcg::Pcg32;

use crate::board::Cell;
use crate::game::action::Action;
use crate::game::create::Create;
use crate::game::levels::Levels;
use crate::game::menu::Menu;
use crate::game::random::Random;
use crate::game::records::{Drawing, Records};
use crate::game::round::Round;
use crate::game::screen::{Context, Effects, News, Screen, View};
use crate::game::settings::{ModeKind, Settings};
use crate::game::solvers::Solvers;
use crate::game::tutor::Tutor;
use crate::gesture::Command;
use crate::level_boards;
use crate::picture::Frame;
use crate::rules::{Rule, Variant};
use crate::save::{ModeSnapshot, Snapshot};
use crate::time::{Micros, ms};

/// How long the greeting takes.
pub const GREETING: Micros = ms(800);

/// PCG has many independent streams; ours is as good as any.
const SEED_STREAM: u64 = 25;

/// A mode that was started.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "each is told in its own file")]
pub enum Mode {
    Levels(Levels),
    Random(Random),
    Create(Create),
    Tutor(Tutor),
    Action(Action),
}

impl Mode {
    fn start(cx: &mut Context<'_>, kind: ModeKind) -> Self {
        cx.tell(News::Started(kind));
        match kind {
            ModeKind::Levels => Self::Levels(Levels::picker(cx)),
            ModeKind::Random => Self::Random(Random::new(cx)),
            ModeKind::Create => Self::Create(Create::new(cx)),
            ModeKind::Tutor => Self::Tutor(Tutor::new(cx)),
            ModeKind::Action => Self::Action(Action::new(cx)),
        }
    }

    /// What is saved of it.
    fn snapshot(&self) -> ModeSnapshot {
        match self {
            Self::Levels(mode) => mode.snapshot(),
            Self::Random(mode) => mode.snapshot(),
            Self::Create(mode) => mode.snapshot(),
            Self::Tutor(mode) => mode.snapshot(),
            Self::Action(mode) => mode.snapshot(),
        }
    }

    /// Goes on with what was saved, if that can have come about in play.
    fn restore(now: Micros, saved: ModeSnapshot, records: &Records, solvers: &mut Solvers) -> Option<Self> {
        let mut is_sound = |round: &Round| round.is_sound(solvers.prepare(round.variant()));
        // A round that a mode may or may not have going, of a board that it knows.
        let mut fits = |round: &Option<Round>, variant, start| {
            round.as_ref().is_none_or(|round| round.variant() == variant && round.start() == start && is_sound(round))
        };
        let sound = match &saved {
            ModeSnapshot::Levels { level, round } => {
                level_boards::board((*level).into()).is_some_and(|board| fits(round, Variant::CLASSIC, board))
            }
            ModeSnapshot::Create { drawing, round } => {
                drawing.is_sound() && fits(round, drawing.variant, drawing.board)
            }
            ModeSnapshot::Random { round } => is_sound(round),
            ModeSnapshot::Tutor { round } => round.variant().rule == Rule::Plus && is_sound(round),
            ModeSnapshot::Action { variant, board, .. } => Drawing { variant: *variant, board: *board }.is_sound(),
        };
        sound.then(|| match saved {
            ModeSnapshot::Levels { level, round } => Self::Levels(Levels::restore(now, level, round)),
            ModeSnapshot::Random { round } => Self::Random(Random::restore(now, records, round)),
            ModeSnapshot::Create { drawing, round } => Self::Create(Create::restore(now, drawing, round)),
            ModeSnapshot::Tutor { round } => Self::Tutor(Tutor::restore(now, round)),
            ModeSnapshot::Action { variant, board, presses } => {
                Self::Action(Action::restore(now, variant, board, presses))
            }
        })
    }

    /// Which it is.
    pub const fn kind(&self) -> ModeKind {
        match self {
            Self::Levels(_) => ModeKind::Levels,
            Self::Random(_) => ModeKind::Random,
            Self::Create(_) => ModeKind::Create,
            Self::Tutor(_) => ModeKind::Tutor,
            Self::Action(_) => ModeKind::Action,
        }
    }

    fn screen(&self) -> &dyn Screen {
        match self {
            Self::Levels(mode) => mode,
            Self::Random(mode) => mode,
            Self::Create(mode) => mode,
            Self::Tutor(mode) => mode,
            Self::Action(mode) => mode,
        }
    }

    fn screen_mut(&mut self) -> &mut dyn Screen {
        match self {
            Self::Levels(mode) => mode,
            Self::Random(mode) => mode,
            Self::Create(mode) => mode,
            Self::Tutor(mode) => mode,
            Self::Action(mode) => mode,
        }
    }
}

/// What is going on.
#[derive(Clone, Debug)]
pub struct State {
    rng: Pcg32,
    settings: Settings,
    records: Records,
    mode: Mode,
    menu: Option<Menu>,
    greeting: Option<Micros>,
}

impl State {
    /// Never played before: a greeting, then the first level.
    pub(super) fn new(now: Micros, seed: u64, solvers: &mut Solvers) -> Self {
        let state = Self::fresh(now, seed, Settings::DEFAULT, Records::NONE, solvers);
        Self { greeting: Some(now), ..state }
    }

    /// What is saved.
    pub(super) fn snapshot(&self) -> Snapshot {
        Snapshot { settings: self.settings, records: self.records.clone(), mode: self.mode.snapshot() }
    }

    /// Goes on with what was saved, or with a new game where `only_results` are wanted; nothing if it makes no sense.
    pub(super) fn restore(
        now: Micros,
        seed: u64,
        saved: Snapshot,
        only_results: bool,
        solvers: &mut Solvers,
    ) -> Option<Self> {
        let Snapshot { settings, records, mode } = saved;
        if !settings.are_sound() || !records.are_sound() {
            return None;
        }
        if only_results {
            return Some(Self::fresh(now, seed, settings, records, solvers));
        }
        let mode = Mode::restore(now, mode, &records, solvers)?;
        Some(Self { rng: Pcg32::new(seed, SEED_STREAM), settings, records, mode, menu: None, greeting: None })
    }

    /// The first level that is open.
    fn fresh(now: Micros, seed: u64, mut settings: Settings, mut records: Records, solvers: &mut Solvers) -> Self {
        let level = records.first_open();
        let mut rng = Pcg32::new(seed, SEED_STREAM);
        let mut cx = Context {
            now,
            rng: &mut rng,
            settings: &mut settings,
            records: &mut records,
            solvers,
            effects: Effects::default(),
        };
        let mode = Mode::Levels(Levels::at(&mut cx, level));
        Self { rng, settings, records, mode, menu: None, greeting: None }
    }

    /// The mode that is running, perhaps behind the menu.
    pub fn mode(&self) -> &Mode {
        &self.mode
    }

    /// Whether the menu is open.
    pub fn in_menu(&self) -> bool {
        self.menu.is_some()
    }

    /// The player's choices.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The player's results.
    pub fn records(&self) -> &Records {
        &self.records
    }

    /// Nobody has looked for a while, but now somebody does.
    pub(super) fn resume(&mut self, now: Micros) {
        self.mode.screen_mut().resume(now);
    }

    pub(super) fn variant(&self) -> Variant {
        self.mode.screen().variant()
    }

    pub(super) fn tap(&mut self, now: Micros, solvers: &mut Solvers, key: Cell) -> Effects {
        if self.greeting.take().is_some() {
            // A key that stops something is not a move.
            return Effects { new_picture: true, ..Effects::default() };
        }
        self.step(now, solvers, |screen, cx| screen.tap(cx, key))
    }

    pub(super) fn command(&mut self, now: Micros, solvers: &mut Solvers, command: Command) -> Effects {
        self.greeting = None;
        if command != Command::Menu {
            return self.step(now, solvers, |screen, cx| screen.command(cx, command));
        }
        self.menu = match self.menu {
            Some(_) => {
                self.mode.screen_mut().resume(now);
                None
            }
            None => Some(Menu::new(self.mode.kind())),
        };
        Effects { new_picture: true, ..Effects::default() }
    }

    pub(super) fn tick(&mut self, now: Micros, solvers: &mut Solvers) -> Effects {
        if let Some(since) = self.greeting {
            let over = now >= since + GREETING;
            self.greeting = self.greeting.filter(|_| !over);
            return Effects { new_picture: over, ..Effects::default() };
        }
        self.step(now, solvers, |screen, cx| screen.tick(cx))
    }

    /// Lets the screen in front do something, and does what it asks for.
    fn step(
        &mut self,
        now: Micros,
        solvers: &mut Solvers,
        act: impl FnOnce(&mut dyn Screen, &mut Context<'_>),
    ) -> Effects {
        let Self { rng, settings, records, mode, menu, .. } = self;
        // The moment at which something happens, to the microsecond, is different each time even where the seed is not.
        *rng = Pcg32::new(rng.next_u64() ^ now, SEED_STREAM);
        let mut cx = Context { now, rng, settings, records, solvers, effects: Effects::default() };
        match menu {
            Some(menu) => act(menu, &mut cx),
            None => act(mode.screen_mut(), &mut cx),
        }
        if let Some(kind) = cx.effects.start.take() {
            *mode = Mode::start(&mut cx, kind);
            *menu = None;
        }
        cx.effects
    }

    pub(super) fn deadline(&self, now: Micros, solvers: &Solvers) -> Option<Micros> {
        let view = self.view(now, solvers);
        match self.greeting {
            Some(since) => Some(view.next_frame(since).min(since + GREETING)),
            None => self.front().deadline(&view),
        }
    }

    pub(super) fn draw(&self, now: Micros, solvers: &Solvers) -> Frame {
        match self.greeting {
            Some(since) => Frame::greeting(now - since, GREETING),
            None => self.front().draw(&self.view(now, solvers)),
        }
    }

    fn front(&self) -> &dyn Screen {
        self.menu.as_ref().map_or(self.mode.screen(), |menu| menu)
    }

    fn view<'a>(&'a self, now: Micros, solvers: &'a Solvers) -> View<'a> {
        View { now, settings: &self.settings, records: &self.records, solvers }
    }
}
