//! All that a command may have to take back: the mode and what covers it, settings, records and the random numbers.

use heapless::Vec;
use rand_core::Rng;
use rand_pcg::Pcg32;

use crate::game::covers::{Cover, Greeting};
use crate::game::menu::Menu;
use crate::game::modes::{Levels, Mode};
use crate::game::records::Records;
use crate::game::screen::{Context, News, Request, Screen, View};
use crate::game::settings::Settings;
use crate::game::solvers::Solvers;
use crate::game::teaching::Teaching;
use crate::game::{Act, Emit};
use crate::layout::Layout;
use crate::rules::Variant;
use crate::save::Snapshot;
use crate::solver::Solver;
use crate::time::Micros;

/// PCG has many independent streams; ours is as good as any.
const SEED_STREAM: u64 = 25;
/// At most the greeting lies under the self-test or the teaching, an empty battery on that, and sleep on top of it.
const MAX_COVERS: usize = 4;

/// What is going on.
#[derive(Clone, Debug)]
pub struct State {
    rng: Pcg32,
    settings: Settings,
    records: Records,
    mode: Mode,
    /// The last one is on top.
    covers: Vec<Cover, MAX_COVERS>,
}

/// What came of a step, besides what it put out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// Something is different that is worth saving.
    pub changed: bool,
    /// The picture is another one altogether.
    pub new_picture: bool,
}

impl State {
    /// Never played before: a greeting, then the first level.
    pub(super) fn new(now: Micros, seed: u64, solvers: &mut Solvers) -> Self {
        let mut state = Self::fresh(seed, Settings::DEFAULT, Records::NONE, solvers);
        state.cover(Cover::Greeting(Greeting::new(now)));
        state
    }

    /// What is saved, with what was learned of the board.
    pub(super) fn snapshot(&self, layout: Option<Layout>) -> Snapshot {
        Snapshot { settings: self.settings, records: self.records.clone(), mode: self.mode.save(), layout }
    }

    /// Goes on with what was saved, or with a new game where `only_results` are wanted; nothing if it makes no sense.
    pub(super) fn restore(
        now: Micros,
        seed: u64,
        saved: Snapshot,
        only_results: bool,
        solvers: &mut Solvers,
    ) -> Option<Self> {
        let Snapshot { settings, records, mode, .. } = saved;
        if !settings.are_sound() || !records.are_sound() {
            return None;
        }
        if only_results {
            return Some(Self::fresh(seed, settings, records, solvers));
        }
        let mode = Mode::restore(now, mode, &records, solvers)?;
        Some(Self { rng: Pcg32::new(seed, SEED_STREAM), settings, records, mode, covers: Vec::new() })
    }

    /// The first level that is open.
    fn fresh(seed: u64, settings: Settings, records: Records, solvers: &mut Solvers) -> Self {
        let mode = Mode::Levels(Levels::first_open(&records, solvers));
        Self { rng: Pcg32::new(seed, SEED_STREAM), settings, records, mode, covers: Vec::new() }
    }

    /// The mode that is running, perhaps covered.
    pub fn mode(&self) -> &Mode {
        &self.mode
    }

    /// Whether the menu is open.
    pub fn in_menu(&self) -> bool {
        self.covers.iter().any(|cover| matches!(cover, Cover::Menu(_)))
    }

    /// The player's choices.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The player's results.
    pub fn records(&self) -> &Records {
        &self.records
    }

    /// The variant of the screen in front.
    pub(super) fn variant(&self) -> Variant {
        self.front().variant()
    }

    /// Lays something over what is on the lights.
    pub(super) fn cover(&mut self, cover: Cover) {
        // There is room for every cover that can come.
        let _ = self.covers.push(cover);
    }

    /// Begins the teaching, perhaps in place of the self-test.
    pub(super) fn teach(&mut self, now: Micros) {
        self.covers.retain(|cover| !matches!(cover, Cover::SelfTest(_)));
        self.cover(Cover::Teaching(Teaching::new(now)));
    }

    /// Lets the screen in front do something, and does what it asks for.
    pub(super) fn step(
        &mut self,
        now: Micros,
        solvers: &mut Solvers,
        layout: &mut Layout,
        emit: Emit<'_>,
        act: Act<'_>,
    ) -> Step {
        self.stir(now);
        let Self { rng, settings, records, mode, covers } = self;
        let mut cx = Context {
            now,
            rng,
            settings,
            records,
            solvers,
            layout,
            emit,
            request: None,
            changed: false,
            new_picture: false,
        };
        loop {
            act(front_mut(covers, mode), &mut cx);
            let Some(request) = cx.request.take() else { break };
            match request {
                Request::Start(kind) => {
                    cx.tell(News::Started(kind));
                    *mode = Mode::start(&mut cx, kind);
                    covers.clear();
                    break;
                }
                Request::OpenMenu => {
                    // As in `cover`.
                    let _ = covers.push(Cover::Menu(Menu::new(mode.kind())));
                    break;
                }
                Request::Close | Request::PassOn => {
                    covers.pop();
                    front_mut(covers, mode).resume(now);
                    if matches!(request, Request::Close) {
                        break;
                    }
                }
            }
        }
        Step { changed: cx.changed, new_picture: cx.new_picture }
    }

    /// The moment at which something happens, to the microsecond, is different each time even where the seed is not.
    fn stir(&mut self, now: Micros) {
        self.rng = Pcg32::new(self.rng.next_u64() ^ now, SEED_STREAM);
    }

    /// What lies on top of the mode, if anything does.
    pub(super) fn top_cover(&self) -> Option<&Cover> {
        self.covers.last()
    }

    /// The screen in front.
    pub(super) fn front(&self) -> &dyn Screen {
        self.covers.last().map_or(self.mode.screen(), Cover::screen)
    }

    /// What the screen in front may look at; `solver` has the tables of its variant.
    pub(super) fn view<'a>(&'a self, now: Micros, layout: &'a Layout, solver: &'a Solver) -> View<'a> {
        View { now, settings: &self.settings, records: &self.records, mode: self.mode.kind(), layout, solver }
    }
}

fn front_mut<'a>(covers: &'a mut [Cover], mode: &'a mut Mode) -> &'a mut dyn Screen {
    match covers.last_mut() {
        Some(cover) => cover.screen_mut(),
        None => mode.screen_mut(),
    }
}
