//! The state that a command can roll back: the mode, the overlays, the settings, the records and the random numbers.

use rand_core::Rng;
use rand_pcg::Pcg32;

use crate::game::events::GameEvent;
use crate::game::menu::Menu;
use crate::game::modes::{Levels, Mode};
use crate::game::overlays::{Greeting, Overlay, Overlays};
use crate::game::records::Records;
use crate::game::screen::{Context, Request, Screen, View};
use crate::game::settings::Settings;
use crate::game::solvers::Solvers;
use crate::game::{Act, Emit};
use crate::layout::Layout;
use crate::rules::Variant;
use crate::save::Snapshot;
use crate::solver::Solver;
use crate::time::Micros;

/// The stream of the generator. PCG has many independent streams, and all of them are suitable.
const SEED_STREAM: u64 = 25;

/// The mode that runs, the overlays on top of it, and the player's settings and records.
#[derive(Clone, Debug)]
pub struct State {
    rng: Pcg32,
    settings: Settings,
    records: Records,
    mode: Mode,
    overlays: Overlays,
}

/// The result of a step, besides its outputs.
#[derive(Clone, Copy, Debug)]
pub(super) struct StepResult {
    /// Something changed that has to be saved.
    pub(super) needs_save: bool,
    /// A wipe to the new frame starts.
    pub(super) wipes: bool,
}

impl State {
    /// The state of a handheld that is switched on for the first time: the greeting, then the first level.
    pub(super) fn new(now: Micros, seed: u64, solvers: &mut Solvers) -> Self {
        let mut state = Self::fresh(seed, Settings::DEFAULT, Records::NONE, solvers);
        state.open(Overlay::Greeting(Greeting::new(now)));
        state
    }

    /// The data to save, with this layout.
    pub(super) fn snapshot(&self, layout: Option<Layout>) -> Snapshot {
        Snapshot { settings: self.settings, records: self.records.clone(), mode: self.mode.save(), layout }
    }

    /// Restores a snapshot. With `only_results`, restores settings and records, and starts a new game. None if the
    /// snapshot is not valid.
    pub(super) fn restore(
        now: Micros,
        seed: u64,
        saved: Snapshot,
        only_results: bool,
        solvers: &mut Solvers,
    ) -> Option<Self> {
        let Snapshot { settings, records, mode, .. } = saved;
        if !settings.is_valid() || !records.is_valid() {
            return None;
        }
        if only_results {
            return Some(Self::fresh(seed, settings, records, solvers));
        }
        let mode = Mode::restore(now, mode, &records, solvers)?;
        Some(Self { rng: Pcg32::new(seed, SEED_STREAM), settings, records, mode, overlays: Overlays::NONE })
    }

    /// A new game at the first open level.
    fn fresh(seed: u64, settings: Settings, records: Records, solvers: &mut Solvers) -> Self {
        let mode = Mode::Levels(Levels::first_open(&records, solvers));
        Self { rng: Pcg32::new(seed, SEED_STREAM), settings, records, mode, overlays: Overlays::NONE }
    }

    /// The mode that runs, perhaps below overlays.
    pub fn mode(&self) -> &Mode {
        &self.mode
    }

    /// Whether the menu is open.
    pub fn is_menu_open(&self) -> bool {
        self.overlays.has_menu()
    }

    /// The player's settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The player's records.
    pub fn records(&self) -> &Records {
        &self.records
    }

    /// The variant of the screen in front.
    pub(super) fn variant(&self) -> Variant {
        self.front().variant()
    }

    /// Opens an overlay.
    pub(super) fn open(&mut self, overlay: Overlay) {
        self.overlays.open(overlay);
    }

    /// Runs the action of the screen in front, then handles its request.
    pub(super) fn step(
        &mut self,
        now: Micros,
        solvers: &mut Solvers,
        layout: &mut Layout,
        emit: Emit<'_>,
        act: Act<'_>,
    ) -> StepResult {
        self.mix_in_time(now);
        let Self { rng, settings, records, mode, overlays } = self;
        let mut cx = Context {
            now,
            rng,
            settings,
            records,
            solvers,
            layout,
            emit,
            request: None,
            needs_save: false,
            wipes: false,
        };
        loop {
            act(front_mut(overlays, mode), &mut cx);
            match cx.request.take() {
                None => break,
                Some(Request::Start(kind)) => {
                    cx.report(GameEvent::Started(kind));
                    *mode = Mode::start(&mut cx, kind);
                    overlays.close_all();
                    break;
                }
                Some(Request::OpenMenu) => {
                    overlays.open(Overlay::Menu(Menu::new(mode.kind())));
                    break;
                }
                Some(Request::Close { is_forwarded }) => {
                    overlays.close_top();
                    front_mut(overlays, mode).resume(now);
                    if !is_forwarded {
                        break;
                    }
                }
            }
        }
        StepResult { needs_save: cx.needs_save, wipes: cx.wipes }
    }

    /// Mixes the time of this step into the random numbers. In microseconds, the time differs between games even if the
    /// seed is the same.
    fn mix_in_time(&mut self, now: Micros) {
        self.rng = Pcg32::new(self.rng.next_u64() ^ now, SEED_STREAM);
    }

    /// The topmost overlay.
    pub(super) fn top_overlay(&self) -> Option<&Overlay> {
        self.overlays.top()
    }

    /// The screen in front: the topmost overlay, or the mode.
    pub(super) fn front(&self) -> &dyn Screen {
        self.overlays.screen().unwrap_or(self.mode.screen())
    }

    /// The view for the screen in front. `solver` has the tables of its variant.
    pub(super) fn view<'a>(&'a self, now: Micros, layout: &'a Layout, solver: &'a Solver) -> View<'a> {
        View { now, settings: &self.settings, records: &self.records, mode: self.mode.kind(), layout, solver }
    }
}

/// The screen in front: the topmost overlay, or the mode.
fn front_mut<'a>(overlays: &'a mut Overlays, mode: &'a mut Mode) -> &'a mut dyn Screen {
    match overlays.screen_mut() {
        Some(screen) => screen,
        None => mode.screen_mut(),
    }
}
