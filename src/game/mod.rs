//! The game: one state machine. It takes one input or one timeout at a time, emits outputs, gives the deadline of the
//! next timeout, and draws the frame of a moment. It never waits: an animation is a function of the time since its
//! beginning.
//!
//! The firmware holds a [`Game`]. Its [`State`] is a mode with overlays on top, each of them a [`Screen`], and the
//! player's settings and records. The game itself has the functions that concern all screens:
//! - It can roll back to the moment before a corner was tapped, because that tap may be part of a command. For this it
//!   keeps copies of the whole state. So it rolls back everything: a move, a choice in the menu, even the start of a
//!   mode.
//! - It draws the wipe from the old frame to the new one.
//! - It decides when to save, and when to measure the battery.

pub mod battery;
pub mod colour_test;
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

mod events;
mod overlays;
mod state;

pub use events::{GameEvent, Input, Output};
pub use state::State;

use crate::battery::{Charge, Gauge};
use crate::display::{FRAME_TIME, Frame, WIPE};
use crate::gesture::{Command, Corner, Gesture};
use crate::keys::KeyEvent;
use crate::layout::Layout;
use crate::save::{Save, Snapshot};
use crate::time::{Micros, ms};
use overlays::{Overlay, Sleep};
use screen::{Context, Screen, View};
use self_test::SelfTest;
use solvers::Solvers;
use state::StepResult;
use status::Status;
use teaching::Teaching;

/// The time from the last change to the save.
const SAVE_AFTER: Micros = ms(500);
/// The longest time from the first unsaved change to the save, for a player who does not pause.
const SAVE_LATEST: Micros = ms(900);

/// The whole game.
#[derive(Clone, Debug)]
pub struct Game {
    state: State,
    /// The state before the last tap on each corner.
    before_tap: [Option<State>; Corner::COUNT],
    /// The layout of keys and LEDs. Not part of the state, because no command rolls it back.
    layout: Layout,
    /// The tables of the variants. After each step, those of the screen in front are prepared.
    solvers: Solvers,
    /// The frame on the lights: the next wipe begins with it.
    shown: Frame,
    wipe: Option<Wipe>,
    unsaved: Option<Unsaved>,
    gauge: Gauge,
    /// Whether a low battery is shown: only after power-on and after waking.
    shows_low_battery: bool,
}

/// Takes the outputs of a step.
type Emit<'a> = &'a mut dyn FnMut(Output<'_>);
/// The action of the screen in front in a step. Not generic, because `step` would be compiled once for each caller.
type Act<'a> = &'a dyn Fn(&mut dyn Screen, &mut Context<'_>);

/// The animation in which the new frame wipes away the old one.
#[derive(Clone, Copy, Debug)]
struct Wipe {
    old: Frame,
    since: Micros,
}

/// When the changes were made that are not saved yet.
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
    /// A new game on the reference board: the greeting at `now`, then the first level. `seed` decides which puzzles are
    /// drawn.
    pub fn new(now: Micros, seed: u64) -> Self {
        Self::with_layout(Layout::REFERENCE, now, seed)
    }

    /// A new game on a board with this layout.
    pub fn with_layout(layout: Layout, now: Micros, seed: u64) -> Self {
        let mut solvers = Solvers::new();
        Self::with(now, State::new(now, seed, &mut solvers), layout, solvers)
    }

    /// Restores a saved game. None if the save is not valid. After repeated crashes `only_results` are restored, in
    /// case the running game was the cause.
    pub fn restore(now: Micros, seed: u64, saved: Snapshot, only_results: bool) -> Option<Self> {
        let mut solvers = Solvers::new();
        let layout = saved.layout.unwrap_or(Layout::REFERENCE);
        let state = State::restore(now, seed, saved, only_results, &mut solvers)?;
        solvers.prepare(state.variant());
        let mut game = Self::with(now, state, layout, solvers);
        if only_results {
            // Overwrite the game that may have been the cause.
            game.unsaved = Some(Unsaved { first: now, last: now });
        }
        Some(game)
    }

    /// A game in this state. `solvers` has the tables of the variant in front.
    fn with(now: Micros, state: State, layout: Layout, solvers: Solvers) -> Self {
        Self {
            state,
            before_tap: [const { None }; Corner::COUNT],
            layout,
            solvers,
            shown: Frame::DARK,
            wipe: None,
            unsaved: None,
            gauge: Gauge::new(now),
            shows_low_battery: true,
        }
    }

    /// Everything that survives a power cut, as it is now.
    pub fn snapshot(&self) -> Snapshot {
        self.state.snapshot(Some(self.layout).filter(|layout| *layout != Layout::REFERENCE))
    }

    /// The layout of keys and LEDs.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Whether the lights are on. If not, the LEDs need no supply.
    pub fn is_lit(&self) -> bool {
        self.state.front().is_lit()
    }

    /// The mode, the settings and the records.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Takes one input and emits its outputs.
    pub fn handle(&mut self, now: Micros, input: Input, mut emit: impl FnMut(Output<'_>)) {
        let emit = &mut emit;
        match input {
            Input::Keys(event) => self.handle_keys(now, event, emit),
            Input::Battery(measured) => self.battery_measured(now, measured, emit),
        }
    }

    fn handle_keys(&mut self, now: Micros, event: KeyEvent, emit: Emit<'_>) {
        match event {
            // A command would roll back the overlay of the empty battery.
            KeyEvent::Gesture(_) if self.charge() == Charge::Empty => {}
            KeyEvent::Gesture(gesture) => self.handle_gesture(now, gesture, emit),
            KeyEvent::SelfTest(closed) => self.state.open(Overlay::SelfTest(SelfTest::new(now, closed))),
            KeyEvent::Teach => self.state.open(Overlay::Teaching(Teaching::new(now))),
            KeyEvent::Closed(closed) => self.step(now, emit, &|screen, cx| screen.contacts_changed(cx, closed)),
            KeyEvent::Sleep => {
                self.gauge.sleep();
                self.state.open(Overlay::Sleep(Sleep));
                self.save_if(self.unsaved.is_some(), emit);
            }
            KeyEvent::Wake => {
                self.gauge.wake(now);
                self.shows_low_battery = true;
                self.step(now, emit, &|screen, cx| screen.wake(cx));
                self.show_battery(now, emit);
            }
        }
    }

    fn handle_gesture(&mut self, now: Micros, gesture: Gesture, emit: Emit<'_>) {
        match gesture {
            Gesture::Tap(key) => {
                if let Some(corner) = Corner::at(key) {
                    self.before_tap[corner as usize] = Some(self.state.clone());
                }
                // The player does not wait for the end of the animation.
                self.wipe = None;
                self.player_acts(now, emit, &|screen, cx| screen.tap(cx, key));
            }
            Gesture::Command { command, roll_back } => {
                let before = roll_back.and_then(|corner| self.before_tap[corner as usize].take());
                if let Some(state) = before.filter(|_| self.state.front().can_roll_back()) {
                    self.state = state;
                }
                self.player_acts(now, emit, &|screen, cx| match command {
                    Command::Menu => screen.menu(cx),
                    _ => screen.command(cx, command),
                });
            }
            // The firmware logs the stuck key. The game ignores it.
            Gesture::Stuck(_) => {}
        }
    }

    /// Takes a timeout and emits its outputs.
    pub fn tick(&mut self, now: Micros, mut emit: impl FnMut(Output<'_>)) {
        self.wipe = self.wipe.filter(|wipe| now < wipe.since + WIPE);
        self.step(now, &mut emit, &|screen, cx| screen.tick(cx));
        // `is_still` is computed only when a measurement is due, because a tick comes before every frame of an
        // animation.
        if self.gauge.due(true).is_some_and(|due| due <= now) {
            let is_still = self.next_frame_at(now).is_none();
            if self.gauge.take_request(now, is_still) {
                emit(Output::ReadBattery);
            }
        }
    }

    /// A tap or a command of the player. It is always saved.
    fn player_acts(&mut self, now: Micros, emit: Emit<'_>, act: Act<'_>) {
        self.step(now, emit, &|screen, cx| {
            cx.needs_save();
            act(screen, cx);
        });
    }

    fn step(&mut self, now: Micros, emit: Emit<'_>, act: Act<'_>) {
        let StepResult { needs_save, wipes } = self.state.step(now, &mut self.solvers, &mut self.layout, emit, act);
        self.solvers.prepare(self.state.variant());
        if needs_save {
            let first = self.unsaved.map_or(now, |unsaved| unsaved.first);
            self.unsaved = Some(Unsaved { first, last: now });
        }
        if wipes {
            self.wipe = Some(Wipe { old: self.shown, since: now });
        }
        self.save_if(self.unsaved.is_some_and(|unsaved| now >= unsaved.due()), emit);
    }

    fn save_if(&mut self, is_due: bool, emit: Emit<'_>) {
        if is_due && let Some(save) = Save::of(&self.snapshot()) {
            self.unsaved = None;
            emit(Output::Save(&save));
        }
    }

    /// When the next [`tick`](Self::tick) and the next frame are due, if there is no input before.
    pub fn deadline(&self, now: Micros) -> Option<Micros> {
        let frame = self.next_frame_at(now);
        let save = self.unsaved.map(Unsaved::due);
        let battery = self.gauge.due(frame.is_none()).map(|due| due.max(now + 1));
        [frame, save, battery].into_iter().flatten().min()
    }

    /// When the frame changes next without an input.
    fn next_frame_at(&self, now: Micros) -> Option<Micros> {
        let wipe = self.wipe.map(|wipe| (now + FRAME_TIME).min((wipe.since + WIPE).max(now + 1)));
        let (front, view) = self.front(now);
        let screen = front.deadline(&view);
        wipe.into_iter().chain(screen).min()
    }

    /// The frame of this moment.
    pub fn draw(&self, now: Micros) -> Frame {
        let (front, view) = self.front(now);
        let frame = front.draw(&view);
        match &self.wipe {
            Some(wipe) if now < wipe.since + WIPE => frame.wiped_in(&wipe.old, now - wipe.since),
            _ => frame,
        }
    }

    /// Takes the frame that is on the lights now: the next wipe begins with it.
    pub fn frame_shown(&mut self, frame: &Frame) {
        self.shown = *frame;
    }

    /// What the lights show in this moment, as words and numbers.
    pub fn status(&self, now: Micros) -> Status {
        let (front, view) = self.front(now);
        front.status(&view)
    }

    /// The screen in front, and its view of the game.
    fn front(&self, now: Micros) -> (&dyn Screen, View<'_>) {
        let front = self.state.front();
        (front, self.state.view(now, &self.layout, self.solvers.prepared(front.variant())))
    }

    /// The brightness of the frame, of 255.
    pub fn brightness(&self) -> u8 {
        self.state.settings().led_brightness()
    }
}
