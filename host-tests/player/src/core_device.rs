//! The game as a library: keys and game without tasks, with a clock that the test sets.

use std::time::Duration;

use lights_out::battery::Measured;
use lights_out::board::{Cell, Cells};
use lights_out::display::Frame;
use lights_out::display::wire;
use lights_out::game::{Game, GameEvent, Input, Output};
use lights_out::gesture::{Command, Gesture};
use lights_out::keys::{KeyEvent, Keys, Next};
use lights_out::layout::{Layout, LedPosition};
use lights_out::matrix::{Columns, Contacts};
use lights_out::save::Save;
use lights_out::sound::Sound;

use crate::Device;

/// A device that does the work of the firmware's tasks in one loop: it scans the matrix and ticks the game when each is
/// due.
#[derive(Debug)]
pub struct CoreDevice {
    /// Microseconds since power-on.
    pub now: u64,
    /// The real wiring of the board. The layout in the game may differ.
    layout: Layout,
    /// The result of a scan of these closed contacts: without diodes it includes ghosts.
    seen: fn(Contacts) -> Contacts,
    contacts: Contacts,
    keys: Keys,
    next: Next,
    /// The game, for state that the lights do not show.
    pub game: Game,
    frame: Frame,
    /// The measured supply.
    pub supply: Measured,
    /// All outputs of the game so far.
    pub outputs: Outputs,
}

/// The outputs of a game, by kind.
#[derive(Clone, Debug, Default)]
pub struct Outputs {
    /// The events, oldest first.
    pub events: Vec<GameEvent>,
    /// The sounds for the piezo.
    pub sounds: Vec<Sound>,
    /// The saves for the flash.
    pub saves: Vec<Save>,
    /// The learned layouts of the board.
    pub learned: Vec<Layout>,
    /// The number of requests for a battery reading.
    pub battery_readings: usize,
    /// The number of requests to sleep.
    pub sleeps: usize,
    /// The number of requests for the bootloader.
    pub bootloaders: usize,
}

impl Outputs {
    /// Adds an output.
    pub fn take(&mut self, output: Output<'_>) {
        match output {
            Output::Event(event) => self.events.push(event),
            Output::Sound(sound) => self.sounds.push(sound),
            Output::Save(save) => self.saves.push(save.clone()),
            Output::Learned(layout) => self.learned.push(*layout),
            Output::ReadBattery => self.battery_readings += 1,
            Output::Sleep => self.sleeps += 1,
            Output::Bootloader => self.bootloaders += 1,
        }
    }
}

/// The event of a tap.
pub fn tap(key: Cell) -> KeyEvent {
    KeyEvent::Gesture(Gesture::Tap(key))
}

/// The event of a command that rolls nothing back.
pub fn command(command: Command) -> KeyEvent {
    KeyEvent::Gesture(Gesture::Command { command, roll_back: None })
}

/// The outputs of a game after an input.
pub fn handle_input(game: &mut Game, now: u64, input: impl Into<Input>) -> Outputs {
    let mut outputs = Outputs::default();
    game.handle(now, input.into(), |output| outputs.take(output));
    outputs
}

/// The outputs of a game after a tick.
pub fn tick_game(game: &mut Game, now: u64) -> Outputs {
    let mut outputs = Outputs::default();
    game.tick(now, |output| outputs.take(output));
    outputs
}

impl CoreDevice {
    /// Switches on with an empty flash. The seed determines the random boards.
    pub fn new(seed: u64) -> Self {
        Self::power_on(Game::new(0, seed), Cells::EMPTY)
    }

    /// Switches on with a game, and with these keys held.
    pub fn power_on(game: Game, held: Cells) -> Self {
        Self::power_on_board(Layout::REFERENCE, |contacts| contacts, game, held)
    }

    /// Switches on with another wiring of the board. `seen` returns the result of a scan for the closed contacts.
    pub fn power_on_board(layout: Layout, seen: fn(Contacts) -> Contacts, game: Game, held: Cells) -> Self {
        let mut inputs = Vec::new();
        let contacts = layout.keys.contacts_of_cells(held);
        let keys = Keys::new(0, game.layout().keys, seen(contacts), |input| inputs.push(input));
        let mut device = Self {
            now: 0,
            layout,
            seen,
            contacts,
            keys,
            next: Next::ScanAt(0),
            game,
            frame: Frame::DARK,
            supply: Measured::NoBattery,
            outputs: Outputs::default(),
        };
        inputs.into_iter().for_each(|input| device.input(input));
        device.show();
        device.scan(Columns::EMPTY);
        device
    }

    /// Passes an input to the game.
    pub fn input(&mut self, input: impl Into<Input>) {
        self.game.handle(self.now, input.into(), |output| self.outputs.take(output));
        self.keys.set_map(self.now, self.game.layout().keys);
        self.show();
    }

    fn show(&mut self) {
        self.frame = self.game.draw(self.now);
        self.game.frame_shown(&self.frame);
    }

    /// Whether the game is awake and its lights are on.
    pub fn is_lit(&self) -> bool {
        self.game.is_lit()
    }

    fn scan(&mut self, fallen: Columns) {
        let mut inputs = Vec::new();
        let raw = (self.seen)(self.contacts);
        self.next = self.keys.update(self.now, raw, fallen, |input| inputs.push(input));
        inputs.into_iter().for_each(|input| self.input(input));
    }

    fn tick(&mut self) {
        let Outputs { battery_readings, sleeps, .. } = self.outputs;
        self.game.tick(self.now, |output| self.outputs.take(output));
        let next = self.game.deadline(self.now);
        assert!(next.is_none_or(|next| next > self.now), "the next deadline of the game is not after {}", self.now);
        self.show();
        if self.outputs.battery_readings > battery_readings {
            self.input(Input::Battery(self.supply));
        }
        if self.outputs.sleeps > sleeps {
            self.keys.request_sleep();
            self.scan(Columns::EMPTY);
        }
    }

    /// The columns that are low while all rows are driven low.
    fn low_columns(&self) -> Columns {
        self.contacts.columns()
    }
}

impl Device for CoreDevice {
    fn set_key(&mut self, key: Cell, closed: bool) {
        let contact = self.layout.keys.contact_of_cell(key);
        self.contacts = if closed { self.contacts | contact.bit() } else { self.contacts & !contact.bit() };
        let low = self.low_columns();
        let fallen = if closed { contact.column().bit() } else { Columns::EMPTY };
        // In these states the hardware watches the columns for a press.
        let is_detected = match self.next {
            Next::ScanAt(_) | Next::LightSleep { .. } => false,
            Next::ColumnLow { columns, .. } => !(low & columns).is_empty(),
            Next::Sleep => !low.is_empty(),
        };
        if is_detected {
            self.scan(fallen);
        }
    }

    fn wait(&mut self, time: Duration) {
        let until = self.now + time.as_micros() as u64;
        loop {
            let scan = match self.next {
                Next::ScanAt(at) | Next::ColumnLow { until: at, .. } | Next::LightSleep { until: at } => at,
                Next::Sleep => u64::MAX,
            };
            let tick = self.game.deadline(self.now).unwrap_or(u64::MAX);
            let next = scan.min(tick);
            if next > until {
                self.now = until;
                return;
            }
            self.now = next.max(self.now);
            if tick <= self.now {
                self.tick();
            }
            if scan <= self.now {
                self.scan(Columns::EMPTY);
            }
        }
    }

    fn led_colours(&self) -> Vec<[u8; 3]> {
        let cap = self.game.current_cap();
        let words = wire::encoded(&self.frame, self.game.brightness(), cap, &self.game.layout().leds);
        let mut colours = vec![[0; 3]; words.len()];
        for (light, word) in LedPosition::all().zip(words) {
            let led = self.layout.leds.colours.unpack(word);
            colours[self.layout.leds.map.cell_of_led(light).index()] = [led.r, led.g, led.b];
        }
        colours
    }
}
