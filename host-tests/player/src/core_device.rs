//! The game as a library: keys and game in one process, with a clock that the test turns.

use std::time::Duration;

use lights_out::battery::Measured;
use lights_out::board::{Cell, Cells};
use lights_out::game::{Game, GameEvent, Input, Output};
use lights_out::gesture::{Command, Gesture};
use lights_out::keys::{KeyEvent, Keys, Next};
use lights_out::layout::{Layout, LedPosition};
use lights_out::matrix::{Columns, Contacts};
use lights_out::picture::Frame;
use lights_out::picture::wire;
use lights_out::save::Save;
use lights_out::sound::Sound;

use crate::Device;

/// What the firmware's tasks do, without the tasks: it scans when the keys want it, and ticks when the game does.
#[derive(Debug)]
pub struct CoreDevice {
    /// Microseconds since power-on.
    pub now: u64,
    /// How the board is built, whatever the game knows of it.
    layout: Layout,
    /// What a scan makes of the closed contacts: on a board without diodes it sees ghosts, too.
    seen: fn(Contacts) -> Contacts,
    contacts: Contacts,
    keys: Keys,
    next: Next,
    /// The game itself, for what no light shows.
    pub game: Game,
    frame: Frame,
    /// What feeds it.
    pub supply: Measured,
    /// All that the game has put out so far.
    pub put_out: PutOut,
}

/// What a game puts out, by kind.
#[derive(Clone, Debug, Default)]
pub struct PutOut {
    /// All that it has told.
    pub news: Vec<GameEvent>,
    /// All that it has asked the piezo for.
    pub sounds: Vec<Sound>,
    /// All that it wanted to be kept.
    pub saves: Vec<Save>,
    /// All that it has learned of the board.
    pub learned: Vec<Layout>,
    /// How often it wanted the battery to be read,
    pub battery_readings: usize,
    /// to sleep,
    pub sleeps: usize,
    /// and the bootloader.
    pub bootloaders: usize,
}

impl PutOut {
    /// Takes one more.
    pub fn take(&mut self, output: Output<'_>) {
        match output {
            Output::Event(news) => self.news.push(news),
            Output::Sound(sound) => self.sounds.push(sound),
            Output::Save(save) => self.saves.push(save.clone()),
            Output::Learned(layout) => self.learned.push(*layout),
            Output::ReadBattery => self.battery_readings += 1,
            Output::Sleep => self.sleeps += 1,
            Output::Bootloader => self.bootloaders += 1,
        }
    }
}

/// A key goes down.
pub fn tap(key: Cell) -> KeyEvent {
    KeyEvent::Gesture(Gesture::Tap(key))
}

/// A command is given, with nothing to take back.
pub fn command(command: Command) -> KeyEvent {
    KeyEvent::Gesture(Gesture::Command { command, take_back: None })
}

/// What comes of an input.
pub fn handled(game: &mut Game, now: u64, input: impl Into<Input>) -> PutOut {
    let mut put_out = PutOut::default();
    game.handle(now, input.into(), |output| put_out.take(output));
    put_out
}

/// What comes of time going by.
pub fn ticked(game: &mut Game, now: u64) -> PutOut {
    let mut put_out = PutOut::default();
    game.tick(now, |output| put_out.take(output));
    put_out
}

impl CoreDevice {
    /// Switches on for the first time. The seed decides what is dealt.
    pub fn new(seed: u64) -> Self {
        Self::switched_on(Game::new(0, seed), Cells::EMPTY)
    }

    /// Switches on with a game, and with these keys held.
    pub fn switched_on(game: Game, held: Cells) -> Self {
        Self::built(Layout::REFERENCE, |contacts| contacts, game, held)
    }

    /// The same on a board that is built otherwise: `seen` is what a scan makes of closed contacts.
    pub fn built(layout: Layout, seen: fn(Contacts) -> Contacts, game: Game, held: Cells) -> Self {
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
            supply: Measured::Nothing,
            put_out: PutOut::default(),
        };
        inputs.into_iter().for_each(|input| device.input(input));
        device.show();
        device.scan(Columns::EMPTY);
        device
    }

    /// Hands the game an input as the keys would.
    pub fn input(&mut self, input: impl Into<Input>) {
        self.game.handle(self.now, input.into(), |output| self.put_out.take(output));
        self.keys.learn(self.now, self.game.layout().keys);
        self.show();
    }

    fn show(&mut self) {
        self.frame = self.game.draw(self.now);
        self.game.frame_shown(&self.frame);
    }

    /// Whether the lights have supply, and somebody is to see them.
    pub fn is_lit(&self) -> bool {
        self.game.is_lit()
    }

    fn scan(&mut self, touched: Columns) {
        let mut inputs = Vec::new();
        let raw = (self.seen)(self.contacts);
        self.next = self.keys.update(self.now, raw, touched, |input| inputs.push(input));
        inputs.into_iter().for_each(|input| self.input(input));
    }

    fn tick(&mut self) {
        let PutOut { battery_readings, sleeps, .. } = self.put_out;
        self.game.tick(self.now, |output| self.put_out.take(output));
        let next = self.game.deadline(self.now);
        assert!(next.is_none_or(|next| next > self.now), "it wants to be called at {} for ever", self.now);
        self.show();
        if self.put_out.battery_readings > battery_readings {
            self.input(Input::Battery(self.supply));
        }
        if self.put_out.sleeps > sleeps {
            self.keys.tire();
            self.scan(Columns::EMPTY);
        }
    }

    /// The columns that are pulled down while all rows are.
    fn low_columns(&self) -> Columns {
        self.contacts.columns()
    }
}

impl Device for CoreDevice {
    fn set_key(&mut self, key: Cell, closed: bool) {
        let contact = self.layout.keys.contact_of_cell(key);
        self.contacts = if closed { self.contacts | contact.bit() } else { self.contacts & !contact.bit() };
        let low = self.low_columns();
        let touched = if closed { contact.column().bit() } else { Columns::EMPTY };
        // The hardware watches the columns for them.
        let noticed = match self.next {
            Next::ScanAt(_) | Next::Doze { .. } => false,
            Next::Touch { columns, .. } => !(low & columns).is_empty(),
            Next::Sleep => !low.is_empty(),
        };
        if noticed {
            self.scan(touched);
        }
    }

    fn wait(&mut self, time: Duration) {
        let until = self.now + time.as_micros() as u64;
        loop {
            let scan = match self.next {
                Next::ScanAt(at) | Next::Touch { until: at, .. } | Next::Doze { until: at } => at,
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

    fn picture(&self) -> Vec<[u8; 3]> {
        let cap = self.game.current_cap();
        let words = wire::encoded(&self.frame, self.game.brightness(), cap, &self.game.layout().lights);
        let mut picture = vec![[0; 3]; words.len()];
        for (light, word) in LedPosition::all().zip(words) {
            let led = self.layout.lights.colours.unpack(word);
            picture[self.layout.lights.map.cell_of_led(light).index()] = [led.r, led.g, led.b];
        }
        picture
    }
}
