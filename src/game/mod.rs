//! The game: one state machine that takes one input or one timeout at a time, says when it next wants to be woken, and
//! draws the picture of a moment. It never waits; animations are functions of the time since they began.
//!
//! [`Game`] is what the firmware holds. The [`State`] inside it is a mode, and the menu while it is open, both of them a
//! [`Screen`](screen::Screen); with the player's settings and records. The game adds what no screen has to know of:
//! - it can go back to before a corner was tapped, because that tap may turn out to be half of a command. It keeps copies
//!   of the whole state for that, so everything is taken back: a move, a choice in the menu, even a mode that was started;
//! - it lets a new picture wipe away the old one;
//! - it says when it is time to save, and it sleeps.

pub mod action;
pub mod create;
pub mod levels;
pub mod menu;
pub mod puzzle;
pub mod random;
pub mod records;
pub mod round;
pub mod screen;
pub mod settings;
pub mod solvers;
pub mod tutor;

mod state;

pub use screen::{Effects, News};
pub use state::{GREETING, Mode, State};

use crate::gesture::{Command, Corner, Input};
use crate::picture::{FRAME_TIME, Frame, WIPE};
use crate::save::{Save, Snapshot};
use crate::selftest::{Finding, SelfTest};
use crate::time::Micros;
use crate::time::ms;
use solvers::Solvers;

/// A save is due this long after the last change,
const SAVE_AFTER: Micros = ms(500);
/// but no later than this after the first that is not saved, however busy the player is.
const SAVE_LATEST: Micros = ms(900);

/// The whole game.
#[derive(Clone, Debug)]
pub struct Game {
    state: State,
    /// As everything was before each corner was last tapped.
    before_tap: [Option<State>; Corner::ALL.len()],
    solvers: Solvers,
    /// The picture drawn last, and since when it is wiped away by what comes now.
    last: Frame,
    wiping: Option<(Frame, Micros)>,
    unsaved: Option<Unsaved>,
    asleep: bool,
    /// The self-test covers everything while it runs.
    self_test: Option<SelfTest>,
}

/// Changes that are not saved yet.
#[derive(Clone, Copy, Debug)]
struct Unsaved {
    first: Micros,
    last: Micros,
}

impl Unsaved {
    fn due(self) -> Micros {
        (self.last + SAVE_AFTER).min(self.first + SAVE_LATEST)
    }
}

impl Game {
    /// A game that was never played before: it greets at `now` and goes to the first level. `seed` decides what is dealt.
    pub fn new(now: Micros, seed: u64) -> Self {
        let mut solvers = Solvers::new();
        Self::with(State::new(now, seed, &mut solvers), solvers)
    }

    /// Goes on with what was saved; nothing if that makes no sense. After crashes `only_results` are taken over, in case the
    /// game itself was the reason.
    pub fn restore(now: Micros, seed: u64, saved: Snapshot, only_results: bool) -> Option<Self> {
        let mut solvers = Solvers::new();
        let state = State::restore(now, seed, saved, only_results, &mut solvers)?;
        let mut game = Self::with(state, solvers);
        if only_results {
            // What may have been the reason is overwritten soon.
            game.unsaved = Some(Unsaved { first: now, last: now });
        }
        Some(game)
    }

    fn with(state: State, mut solvers: Solvers) -> Self {
        solvers.prepare(state.variant());
        Self {
            state,
            before_tap: [const { None }; Corner::ALL.len()],
            solvers,
            last: Frame::DARK,
            wiping: None,
            unsaved: None,
            asleep: false,
            self_test: None,
        }
    }

    /// All that survives a power cut, as it is now.
    pub fn snapshot(&self) -> Snapshot {
        self.state.snapshot()
    }

    /// The same as bytes.
    pub fn save(&self) -> Option<Save> {
        Save::of(&self.snapshot())
    }

    /// Whether the lights are out because nobody looks.
    pub fn is_asleep(&self) -> bool {
        self.asleep
    }

    /// What is going on.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Takes one thing that the player did.
    pub fn handle(&mut self, now: Micros, input: Input) -> Effects {
        if let Some(self_test) = &mut self.self_test {
            match input {
                Input::Keys(closed) => return found(self_test.keys(now, closed)),
                Input::Command(Command::Menu) => return self.end_self_test(now),
                Input::Sleep => self.self_test = None,
                _ => return Effects::default(),
            }
        }
        let mut effects = match input {
            Input::Tap(cell) => {
                if let Some(corner) = Corner::at(cell) {
                    self.before_tap[corner as usize] = Some(self.state.clone());
                }
                // The player has seen enough of the wipe.
                self.wiping = None;
                self.state.tap(now, &mut self.solvers, cell)
            }
            Input::TakeBack(corner) => {
                if let Some(state) = self.before_tap[corner as usize].take() {
                    self.state = state;
                }
                Effects::default()
            }
            Input::Command(command) => self.state.command(now, &mut self.solvers, command),
            Input::Stuck(_) | Input::Keys(_) => return Effects::default(),
            Input::SelfTest(closed) => {
                self.self_test = Some(SelfTest::new(now, closed));
                return Effects::default();
            }
            Input::Sleep => {
                self.asleep = true;
                let save = self.unsaved.take().is_some();
                return Effects { save, ..Effects::default() };
            }
            Input::Wake => {
                self.asleep = false;
                self.state.resume(now);
                return Effects::default();
            }
        };
        effects.changed = true;
        self.take_in(now, effects)
    }

    fn end_self_test(&mut self, now: Micros) -> Effects {
        self.self_test = None;
        self.state.resume(now);
        Effects::default()
    }

    /// Lets time go by.
    pub fn tick(&mut self, now: Micros) -> Effects {
        if let Some(self_test) = &mut self.self_test {
            return if self_test.is_over(now) { self.end_self_test(now) } else { found(self_test.tick(now)) };
        }
        self.wiping = self.wiping.filter(|(_, since)| now < since + WIPE);
        let effects = self.state.tick(now, &mut self.solvers);
        self.take_in(now, effects)
    }

    fn take_in(&mut self, now: Micros, mut effects: Effects) -> Effects {
        if effects.changed {
            let first = self.unsaved.map_or(now, |unsaved| unsaved.first);
            self.unsaved = Some(Unsaved { first, last: now });
        }
        if self.unsaved.is_some_and(|unsaved| now >= unsaved.due()) {
            self.unsaved = None;
            effects.save = true;
        }
        if effects.new_picture {
            self.wiping = Some((self.last, now));
        }
        // A state that was taken back may be of another rule.
        self.solvers.prepare(self.state.variant());
        Effects { sound: effects.sound.filter(|_| self.state.settings().sound), ..effects }
    }

    /// When [`wake`](Self::wake) and a new picture are due, if nothing else happens before.
    pub fn deadline(&self, now: Micros) -> Option<Micros> {
        if let Some(self_test) = &self.self_test {
            return Some(self_test.deadline(now));
        }
        let wipe = self.wiping.map(|(_, since)| (now + FRAME_TIME).min((since + WIPE).max(now + 1)));
        let state = self.state.deadline(now, &self.solvers);
        let save = self.unsaved.map(Unsaved::due);
        let awake = [wipe, state, save].into_iter().flatten().min();
        awake.filter(|_| !self.asleep)
    }

    /// The picture of this moment.
    pub fn draw(&mut self, now: Micros) -> Frame {
        if self.asleep {
            return Frame::DARK;
        }
        if let Some(self_test) = &self.self_test {
            return self_test.draw(now);
        }
        let frame = self.state.draw(now, &self.solvers);
        self.last = match &self.wiping {
            Some((old, since)) if now < since + WIPE => frame.wiped_in(old, now - since),
            _ => frame,
        };
        self.last
    }

    /// How bright the picture is, of 255.
    pub fn brightness(&self) -> u8 {
        self.state.settings().led_brightness()
    }
}

fn found(finding: Option<Finding>) -> Effects {
    Effects { news: finding.map(News::Found), ..Effects::default() }
}
