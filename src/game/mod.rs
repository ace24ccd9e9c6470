//! The game: one state machine that takes one input or one timeout at a time, hands out what comes of it, says when it next
//! wants to be called, and draws the picture of a moment. It never waits; animations are functions of the time since they began.
//!
//! [`Game`] is what the firmware holds. The [`State`] inside it is a mode and what covers it, all of them a
//! [`Screen`], with the player's settings and records. The game adds what no screen has to know of:
//! - it can go back to before a corner was tapped, because that tap may turn out to be half of a command. It keeps copies
//!   of the whole state for that, so everything is taken back: a move, a choice in the menu, even a mode that was started;
//! - it lets a new picture wipe away the old one;
//! - it says when it is time to save, and when to read the battery.

pub mod battery;
pub mod colour_test;
pub mod covers;
pub mod history;
pub mod menu;
pub mod modes;
pub mod puzzle;
pub mod records;
pub mod round;
pub mod screen;
pub mod self_test;
pub mod settings;
pub mod solvers;
pub mod status;
pub mod teaching;

mod state;

pub use screen::{News, Output};
pub use state::State;

use crate::battery::{Charge, Gauge};
use crate::gesture::{Command, Corner, Gesture};
use crate::keys::Input;
use crate::layout::Layout;
use crate::picture::{FRAME_TIME, Frame, WIPE};
use crate::save::{Save, Snapshot};
use crate::time::{Micros, ms};
use covers::{Cover, Sleep};
use screen::{Context, Screen};
use self_test::SelfTest;
use solvers::Solvers;
use state::Step;
use status::Status;

/// A save is due this long after the last change,
const SAVE_AFTER: Micros = ms(500);
/// but no later than this after the first that is not saved, however busy the player is.
const SAVE_LATEST: Micros = ms(900);

/// The whole game.
#[derive(Clone, Debug)]
pub struct Game {
    state: State,
    /// As everything was before each corner was last tapped.
    before_tap: [Option<State>; Corner::COUNT],
    /// Where keys and lights are. Beside the state, because no command takes it back.
    layout: Layout,
    solvers: Solvers,
    /// The picture drawn last, and since when it is wiped away by what comes now.
    last: Frame,
    wiping: Option<(Frame, Micros)>,
    unsaved: Option<Unsaved>,
    gauge: Gauge,
    /// It was just switched on or woken: a battery that is low is to be shown.
    tells_low: bool,
}

/// Where what comes of a step goes.
type Emit<'a> = &'a mut dyn FnMut(Output<'_>);
/// What the screen in front is to do. Not generic: every step would be compiled anew.
type Act<'a> = &'a dyn Fn(&mut dyn Screen, &mut Context<'_>);

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
        Self::new_on(Layout::REFERENCE, now, seed)
    }

    /// The same on a board of which this was learned before.
    pub fn new_on(layout: Layout, now: Micros, seed: u64) -> Self {
        let mut solvers = Solvers::new();
        Self::with(now, State::new(now, seed, &mut solvers), layout, solvers)
    }

    /// Goes on with what was saved; nothing if that makes no sense. After crashes `only_results` are taken over, in case the
    /// game itself was the reason.
    pub fn restore(now: Micros, seed: u64, saved: Snapshot, only_results: bool) -> Option<Self> {
        let mut solvers = Solvers::new();
        let layout = saved.layout.unwrap_or(Layout::REFERENCE);
        let state = State::restore(now, seed, saved, only_results, &mut solvers)?;
        let mut game = Self::with(now, state, layout, solvers);
        if only_results {
            // What may have been the reason is overwritten soon.
            game.unsaved = Some(Unsaved { first: now, last: now });
        }
        Some(game)
    }

    fn with(now: Micros, state: State, layout: Layout, solvers: Solvers) -> Self {
        Self {
            state,
            before_tap: [const { None }; Corner::COUNT],
            layout,
            solvers,
            last: Frame::DARK,
            wiping: None,
            unsaved: None,
            gauge: Gauge::new(now),
            tells_low: true,
        }
    }

    /// All that survives a power cut, as it is now.
    pub fn snapshot(&self) -> Snapshot {
        self.state.snapshot(Some(self.layout).filter(|layout| *layout != Layout::REFERENCE))
    }

    /// Where keys and lights are.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Whether the lights are to be seen; if not, they need no supply.
    pub fn is_lit(&self) -> bool {
        self.state.front().is_lit()
    }

    /// What is going on.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Takes one input, and hands out what comes of it.
    pub fn handle(&mut self, now: Micros, input: Input, mut emit: impl FnMut(Output<'_>)) {
        let emit = &mut emit;
        match input {
            // Nor is anything taken back: it would take the battery's picture away.
            Input::Gesture(_) if self.charge() == Charge::Empty => {}
            Input::Gesture(gesture) => self.follow(now, gesture, emit),
            Input::SelfTest(closed) => self.state.cover(Cover::SelfTest(SelfTest::new(now, closed))),
            Input::Teach => self.state.teach(now),
            Input::Closed(closed) => self.step(now, emit, &|screen, cx| screen.contacts(cx, closed)),
            Input::Sleep => {
                self.gauge.sleep();
                self.state.cover(Cover::Sleep(Sleep));
                self.save_if(self.unsaved.is_some(), emit);
            }
            Input::Wake => {
                self.gauge.wake(now);
                self.tells_low = true;
                self.step(now, emit, &|screen, cx| screen.wake(cx));
                self.show_battery(now, emit);
            }
            Input::Battery(reading) => self.measured(now, reading, emit),
        }
    }

    fn follow(&mut self, now: Micros, gesture: Gesture, emit: Emit<'_>) {
        match gesture {
            Gesture::Tap(key) => {
                if let Some(corner) = Corner::at(key) {
                    self.before_tap[corner as usize] = Some(self.state.clone());
                }
                // The player has seen enough of the wipe.
                self.wiping = None;
                self.player_acts(now, emit, &|screen, cx| screen.tap(cx, key));
            }
            Gesture::Command { command, take_back } => {
                let before = take_back.and_then(|corner| self.before_tap[corner as usize].take());
                if let Some(state) = before.filter(|_| self.state.front().takes_back()) {
                    self.state = state;
                }
                self.player_acts(now, emit, &|screen, cx| match command {
                    Command::Menu => screen.menu(cx),
                    _ => screen.command(cx, command),
                });
            }
            // It is told in the log; the game goes on without that key.
            Gesture::Stuck(_) => {}
        }
    }

    /// Lets time go by.
    pub fn tick(&mut self, now: Micros, mut emit: impl FnMut(Output<'_>)) {
        self.wiping = self.wiping.filter(|(_, since)| now < since + WIPE);
        self.step(now, &mut emit, &|screen, cx| screen.tick(cx));
        // Whether anything moves is looked at only when it matters: a tick is on the way of every moving picture.
        if self.gauge.due(true).is_some_and(|due| due <= now) {
            let is_still = self.moves_at(now).is_none();
            if self.gauge.asks(now, is_still) {
                emit(Output::ReadBattery);
            }
        }
    }

    /// A step that is worth saving, whatever it does.
    fn player_acts(&mut self, now: Micros, emit: Emit<'_>, act: Act<'_>) {
        self.step(now, emit, &|screen, cx| {
            cx.changed();
            act(screen, cx);
        });
    }

    fn step(&mut self, now: Micros, emit: Emit<'_>, act: Act<'_>) {
        let Step { changed, new_picture } = self.state.step(now, &mut self.solvers, &mut self.layout, emit, act);
        if changed {
            let first = self.unsaved.map_or(now, |unsaved| unsaved.first);
            self.unsaved = Some(Unsaved { first, last: now });
        }
        if new_picture {
            self.wiping = Some((self.last, now));
        }
        self.save_if(self.unsaved.is_some_and(|unsaved| now >= unsaved.due()), emit);
    }

    fn save_if(&mut self, due: bool, emit: Emit<'_>) {
        if due && let Some(save) = Save::of(&self.snapshot()) {
            self.unsaved = None;
            emit(Output::Save(&save));
        }
    }

    /// When [`tick`](Self::tick) and a new picture are due, if nothing else happens before.
    pub fn deadline(&mut self, now: Micros) -> Option<Micros> {
        let picture = self.moves_at(now);
        let save = self.unsaved.map(Unsaved::due);
        let battery = self.gauge.due(picture.is_none()).map(|due| due.max(now + 1));
        [picture, save, battery].into_iter().flatten().min()
    }

    /// When something next moves on the lights.
    fn moves_at(&mut self, now: Micros) -> Option<Micros> {
        let wipe = self.wiping.map(|(_, since)| (now + FRAME_TIME).min((since + WIPE).max(now + 1)));
        let solver = self.solvers.prepare(self.state.variant());
        let screen = self.state.front().deadline(&self.state.view(now, &self.layout, solver));
        wipe.into_iter().chain(screen).min()
    }

    /// The picture of this moment.
    pub fn draw(&mut self, now: Micros) -> Frame {
        let solver = self.solvers.prepare(self.state.variant());
        let frame = self.state.front().draw(&self.state.view(now, &self.layout, solver));
        self.last = match &self.wiping {
            Some((old, since)) if now < since + WIPE => frame.wiped_in(old, now - since),
            _ => frame,
        };
        self.last
    }

    /// What is going on in this moment, as words and numbers.
    pub fn status(&mut self, now: Micros) -> Status {
        let solver = self.solvers.prepare(self.state.variant());
        self.state.front().status(&self.state.view(now, &self.layout, solver))
    }

    /// How bright the picture is, of 255.
    pub fn brightness(&self) -> u8 {
        self.state.settings().led_brightness()
    }
}
