//! The game as a library: keys and game in one process, with a clock that the test turns.

use std::time::Duration;

use lights_out::board::{Cell, SIDE};
use lights_out::game::{Game, News, Output};
use lights_out::gesture::{Command, Gesture};
use lights_out::keys::{Input, Keys, Next};
use lights_out::picture::Frame;
use lights_out::picture::wire;
use lights_out::save::Save;
use lights_out::sound::Sound;
use lights_out::wiring::LED_ORDER;

use crate::{Device, limits};

/// What the firmware's tasks do, without the tasks: it scans when the keys want it, and ticks when the game does.
#[derive(Debug)]
pub struct CoreDevice {
    /// Microseconds since power-on.
    pub now: u64,
    contacts: u32,
    keys: Keys,
    next: Next,
    /// The game itself, for what no light shows.
    pub game: Game,
    frame: Frame,
    /// All that the game has put out so far.
    pub put_out: PutOut,
}

/// What a game puts out, by kind.
#[derive(Clone, Debug, Default)]
pub struct PutOut {
    /// All that it has told.
    pub news: Vec<News>,
    /// All that it has asked the piezo for.
    pub sounds: Vec<Sound>,
    /// All that it wanted to be kept.
    pub saves: Vec<Save>,
}

impl PutOut {
    /// Takes one more.
    pub fn take(&mut self, output: Output<'_>) {
        match output {
            Output::News(news) => self.news.push(news),
            Output::Sound(sound) => self.sounds.push(sound),
            Output::Save(save) => self.saves.push(save.clone()),
        }
    }
}

/// A key goes down.
pub fn tap(key: Cell) -> Input {
    Input::Gesture(Gesture::Tap(key))
}

/// A command is given, with nothing to take back.
pub fn command(command: Command) -> Input {
    Input::Gesture(Gesture::Command { command, take_back: None })
}

/// What comes of an input.
pub fn handled(game: &mut Game, now: u64, input: Input) -> PutOut {
    let mut put_out = PutOut::default();
    game.handle(now, input, |output| put_out.take(output));
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
        Self::switched_on(Game::new(0, seed), 0)
    }

    /// Switches on with a game, and with these contacts closed.
    pub fn switched_on(game: Game, contacts: u32) -> Self {
        let mut inputs = Vec::new();
        let keys = Keys::new(0, contacts, |input| inputs.push(input));
        let mut device = Self {
            now: 0,
            contacts,
            keys,
            next: Next::ScanAt(0),
            game,
            frame: Frame::DARK,
            put_out: PutOut::default(),
        };
        inputs.into_iter().for_each(|input| device.input(input));
        device.frame = device.game.draw(0);
        device.scan(0);
        device
    }

    /// Hands the game an input as the keys would.
    pub fn input(&mut self, input: Input) {
        self.game.handle(self.now, input, |output| self.put_out.take(output));
        self.frame = self.game.draw(self.now);
    }

    /// Whether the lights have supply, and somebody is to see them.
    pub fn is_lit(&self) -> bool {
        self.game.is_lit()
    }

    fn scan(&mut self, touched: u32) {
        let mut inputs = Vec::new();
        self.next = self.keys.update(self.now, self.contacts, touched, |input| inputs.push(input));
        inputs.into_iter().for_each(|input| self.input(input));
    }

    fn tick(&mut self) {
        self.game.tick(self.now, |output| self.put_out.take(output));
        let next = self.game.deadline(self.now);
        assert!(next.is_none_or(|next| next > self.now), "it wants to be called at {} for ever", self.now);
        self.frame = self.game.draw(self.now);
    }

    /// The columns that are pulled down while all rows are.
    fn low_columns(&self) -> u32 {
        (0..SIDE).fold(0, |low, row| low | self.contacts >> (SIDE * row)) & ((1 << SIDE) - 1)
    }
}

impl Device for CoreDevice {
    fn set_key(&mut self, key: Cell, closed: bool) {
        self.contacts = if closed { self.contacts | key.bit() } else { self.contacts & !key.bit() };
        let low = self.low_columns();
        let touched = if closed { 1 << key.column() } else { 0 };
        // The hardware watches the columns for them.
        let noticed = match self.next {
            Next::ScanAt(_) => false,
            Next::Touch { columns, .. } => low & columns != 0,
            Next::Sleep { columns } => low & columns != 0 || !low & !columns & ((1 << SIDE) - 1) != 0,
        };
        if noticed {
            self.scan(touched);
        }
    }

    fn wait(&mut self, time: Duration) {
        let until = self.now + time.as_micros() as u64;
        loop {
            let scan = match self.next {
                Next::ScanAt(at) | Next::Touch { until: at, .. } => at,
                Next::Sleep { .. } => u64::MAX,
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
                self.scan(0);
            }
        }
    }

    fn picture(&self) -> Vec<[u8; 3]> {
        let leds = wire::encoded(&self.frame, self.game.brightness(), limits::CURRENT, LED_ORDER);
        leds.iter().map(|led| [led.r, led.g, led.b]).collect()
    }
}
