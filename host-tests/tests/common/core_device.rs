//! The game as a library: debouncer, gestures and game in one process, with a clock that the test turns.

use std::time::Duration;

use lights_out::board::{CELLS, Cell};
use lights_out::debounce::Debouncer;
use lights_out::game::{Game, News};
use lights_out::gesture::{Gestures, Input};
use lights_out::matrix::Reading;
use lights_out::picture::Frame;

use super::words::Device;

const SCAN: u64 = 500;

/// What the firmware's tasks do, without the tasks.
pub struct CoreDevice {
    pub now: u64,
    keys: u32,
    debouncer: Debouncer,
    gestures: Gestures,
    pub game: Game,
    pub inputs: Vec<Input>,
    pub news: Vec<News>,
}

impl CoreDevice {
    pub fn new(seed: u64, par: u32) -> Self {
        Self {
            now: 0,
            keys: 0,
            debouncer: Debouncer::new(0),
            gestures: Gestures::new(0),
            game: Game::new(0, seed, par),
            inputs: Vec::new(),
            news: Vec::new(),
        }
    }

    fn frame(&self) -> Frame {
        self.game.draw(self.now)
    }

    fn step(&mut self) {
        self.now += SCAN;
        if let Some(due) = self.game.deadline(self.now - SCAN).filter(|&due| due <= self.now) {
            self.news.extend(self.game.wake(due));
            assert!(self.game.deadline(due).is_none_or(|next| next > due), "it wants to be woken at {due} for ever");
        }
        let edges = self.debouncer.update(self.now, Reading::judge(self.keys));
        let mut inputs = Vec::new();
        self.gestures.update(self.now, edges, |input| inputs.push(input));
        for &input in &inputs {
            self.news.extend(self.game.handle(self.now, input));
        }
        self.inputs.extend(inputs);
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
        let frame = self.frame();
        (0..CELLS).filter(|&i| frame.0[i] != Default::default()).fold(0, |mask, i| mask | 1 << i)
    }

    fn picture(&self) -> Vec<[u8; 3]> {
        self.frame().0.iter().map(|light| [light.r, light.g, light.b]).collect()
    }
}
