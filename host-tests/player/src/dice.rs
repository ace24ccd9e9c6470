//! Random choices with a fixed seed: each run of a test makes the same choices.

use lights_out::board::{Board, CELLS, Cell};
use lights_out::display::wire::ColourOrder;
use lights_out::layout::{Layout, LedLayout};
use lights_out::solver::CLASSIC;
use rand_core::Rng;
use rand_pcg::Pcg32;

/// A source of random choices for tests.
#[derive(Clone, Debug)]
pub struct Dice(Pcg32);

impl Dice {
    /// A source with this seed. Another `stream` gives an independent sequence for the same seed.
    pub fn new(seed: u64, stream: u64) -> Self {
        Self(Pcg32::new(seed, stream))
    }

    /// A random number below `bound`. `bound` must not be 0.
    pub fn below(&mut self, bound: u32) -> u32 {
        self.0.next_u32() % bound
    }

    /// A random seed for something else.
    pub fn seed(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A random key.
    pub fn key(&mut self) -> Cell {
        Cell::new(self.below(CELLS as u32) as usize).expect("a number below 25 is a cell")
    }

    /// A random key whose press does not win on the classic board.
    pub fn non_winning_key(&mut self, board: Board) -> Cell {
        loop {
            let key = self.key();
            if !CLASSIC.press(board, key).is_dark() {
                return key;
            }
        }
    }

    /// A random wiring: any key at any contact, any light at any position of the chain, any order of the colours.
    pub fn layout(&mut self) -> Layout {
        let (keys, leds) = (self.shuffled_cells(), self.shuffled_cells());
        Layout {
            keys: keys.try_into().expect("each cell once"),
            leds: LedLayout {
                map: leds.try_into().expect("each cell once"),
                colours: ColourOrder::ALL[self.below(6) as usize],
            },
        }
    }

    fn shuffled_cells(&mut self) -> [Cell; CELLS] {
        let mut cells: Vec<Cell> = Cell::all().collect();
        for last in (1..CELLS).rev() {
            cells.swap(last, self.below(last as u32 + 1) as usize);
        }
        cells.try_into().expect("25 cells")
    }

    /// The generator itself, for functions that take one.
    pub fn rng(&mut self) -> &mut impl Rng {
        &mut self.0
    }
}
