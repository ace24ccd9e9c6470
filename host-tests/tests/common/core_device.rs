//! The game as a library: debouncer, gestures and game in one process, with a clock that the test turns.

use std::time::Duration;

use lights_out::board::Cell;
use lights_out::debounce::Debouncer;
use lights_out::game::{Effects, Game, News};
use lights_out::gesture::{Gestures, Input};
use lights_out::matrix::Reading;
use lights_out::picture::Frame;
use lights_out::picture::wire::{self, LedOrder};
use lights_out::sound::Sound;

use super::words::Device;

const SCAN: u64 = 500;

/// What the firmware's tasks do, without the tasks.
pub struct CoreDevice {
    pub now: u64,
    keys: u32,
    debouncer: Debouncer,
    gestures: Gestures,
    pub game: Game,
    frame: Frame,
    pub news: Vec<News>,
    pub sounds: Vec<Sound>,
}

impl CoreDevice {
    pub fn new(seed: u64) -> Self {
        let mut game = Game::new(0, seed);
        let frame = game.draw(0);
        Self {
            now: 0,
            keys: 0,
            debouncer: Debouncer::new(0),
            gestures: Gestures::new(0, 0),
            game,
            frame,
            news: Vec::new(),
            sounds: Vec::new(),
        }
    }

    /// Hands the game an input as the gestures would.
    pub fn input(&mut self, input: Input) {
        let effects = self.game.handle(self.now, input);
        self.take_in(effects);
    }

    fn take_in(&mut self, effects: Effects) {
        self.news.extend(effects.news);
        self.sounds.extend(effects.sound);
        self.frame = self.game.draw(self.now);
    }

    fn step(&mut self) {
        self.now += SCAN;
        if let Some(due) = self.game.deadline(self.now - SCAN).filter(|&due| due <= self.now) {
            let effects = self.game.tick(due);
            assert!(self.game.deadline(due).is_none_or(|next| next > due), "it wants to be woken at {due} for ever");
            self.take_in(effects);
        }
        let edges = self.debouncer.update(self.now, Reading::judge(self.keys));
        let mut inputs = Vec::new();
        self.gestures.update(self.now, edges, |input| inputs.push(input));
        inputs.into_iter().for_each(|input| self.input(input));
    }
}

impl Device for CoreDevice {
    fn set_key(&mut self, key: Cell, closed: bool) {
        self.keys = if closed { self.keys | key.bit() } else { self.keys & !key.bit() };
    }

    fn wait(&mut self, time: Duration) {
        let until = self.now + time.as_micros() as u64;
        while self.now < until {
            self.step();
        }
    }

    fn lit(&self) -> u32 {
        let lit = |channels: &[u8; 3]| *channels != [0; 3];
        self.picture().iter().enumerate().filter(|(_, led)| lit(led)).fold(0, |mask, (i, _)| mask | 1 << i)
    }

    fn picture(&self) -> Vec<[u8; 3]> {
        let leds = wire::encode(&self.frame, self.game.brightness(), 400, LedOrder::RowMajor);
        leds.iter().map(|led| [led.r, led.g, led.b]).collect()
    }
}
