//! The game: one state machine that takes one input or one timeout at a time, says when it next wants to be woken, and
//! draws the picture of a moment. It never waits; animations are functions of the time since they began.
//!
//! [`Game`] adds one thing to the [`State`] inside it: it can go back to before a corner was tapped, because that tap may
//! turn out to be half of a command. It does so by keeping copies of the whole state, so no mode has to know.

mod round;
mod scene;

use rand_core::Rng;
use rand_pcg::Pcg32;

pub use round::{Fact, Round, UNDO_DEPTH};
pub use scene::{DEMO_STEP, GREETING, Scene, WIN_RIPPLE};

use crate::board::{Board, Cell};
use crate::generator;
use crate::gesture::{Command, Corner, Input};
use crate::picture::Frame;
use crate::solver::CLASSIC;
use crate::time::Micros;

/// What happened that others may want to know: the log, the sound, the save.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum News {
    /// A new puzzle is on the board.
    Dealt {
        /// Its board.
        board: Board,
        /// The fewest presses that solve it.
        par: u32,
    },
    /// All lights are out.
    Won {
        /// Presses that it took.
        moves: u32,
        /// The fewest that could do.
        par: u32,
    },
}

/// The whole game.
#[derive(Clone, Debug)]
pub struct Game {
    state: State,
    /// As everything was before each corner was last tapped.
    before_tap: [Option<State>; Corner::ALL.len()],
}

impl Game {
    /// A game that greets at `now` and then deals a board of this par; `seed` decides which.
    pub fn new(now: Micros, seed: u64, par: u32) -> Self {
        Self { state: State::new(now, seed, par), before_tap: [const { None }; Corner::ALL.len()] }
    }

    /// Takes one thing that the player did.
    pub fn handle(&mut self, now: Micros, input: Input) -> Option<News> {
        match input {
            Input::Tap(cell) => {
                if let Some(corner) = Corner::at(cell) {
                    self.before_tap[corner as usize] = Some(self.state.clone());
                }
                self.state.tap(now, cell)
            }
            Input::TakeBack(corner) => {
                if let Some(state) = self.before_tap[corner as usize].take() {
                    self.state = state;
                }
                None
            }
            Input::Command(command) => self.state.command(now, command),
            Input::Stuck(_) => None,
        }
    }

    /// When [`wake`](Self::wake) and a new picture are due, if nothing else happens before.
    pub fn deadline(&self, now: Micros) -> Option<Micros> {
        self.state.scene.deadline(now, &self.state.round)
    }

    /// Lets time go by.
    pub fn wake(&mut self, now: Micros) -> Option<News> {
        self.state.wake(now)
    }

    /// The picture of this moment.
    pub fn draw(&self, now: Micros) -> Frame {
        self.state.scene.draw(now, &self.state.round)
    }

    /// The puzzle in play.
    pub fn round(&self) -> &Round {
        &self.state.round
    }
}

/// All that a command may have to take back.
#[derive(Clone, Debug)]
struct State {
    rng: Pcg32,
    par: u32,
    round: Round,
    scene: Scene,
}

impl State {
    fn new(now: Micros, seed: u64, par: u32) -> Self {
        let mut rng = Pcg32::new(seed, SEED_STREAM);
        let round = Round::new(&CLASSIC, deal(par, &mut rng));
        Self { rng, par, round, scene: Scene::Greeting { since: now } }
    }

    fn tap(&mut self, now: Micros, cell: Cell) -> Option<News> {
        match self.scene {
            Scene::Playing | Scene::Hint { .. } => {
                self.scene = Scene::Playing;
                let fact = self.round.press(cell)?;
                self.after(now, fact)
            }
            // A key that stops something is not a move.
            Scene::Greeting { .. } | Scene::Demo { .. } => {
                self.scene = Scene::Playing;
                None
            }
            Scene::Won { .. } => self.next_puzzle(now),
        }
    }

    fn command(&mut self, now: Micros, command: Command) -> Option<News> {
        if let Scene::Won { .. } = self.scene {
            // The puzzle is over; there is nothing left to hint at or to undo, but another look at it is welcome.
            return match command {
                Command::Restart => {
                    self.restart();
                    None
                }
                Command::Next => self.next_puzzle(now),
                Command::Hint | Command::Demo | Command::Undo | Command::Menu => None,
            };
        }
        self.scene = Scene::Playing;
        match command {
            Command::Hint => {
                if let Some(cell) = self.round.hint() {
                    self.scene = Scene::Hint { cell, since: now };
                }
                None
            }
            Command::Demo => {
                if let Some(presses) = self.round.solution() {
                    self.scene = Scene::Demo { presses, since: now };
                }
                None
            }
            Command::Undo => {
                self.round.undo();
                None
            }
            Command::Restart => {
                self.restart();
                None
            }
            Command::Next => self.next_puzzle(now),
            Command::Menu => None,
        }
    }

    fn wake(&mut self, now: Micros) -> Option<News> {
        if self.scene.end(&self.round).is_none_or(|end| now < end) {
            return None;
        }
        match self.scene {
            Scene::Won { .. } => self.next_puzzle(now),
            _ => {
                self.scene = Scene::Playing;
                None
            }
        }
    }

    fn after(&mut self, now: Micros, fact: Fact) -> Option<News> {
        match fact {
            Fact::Flipped => None,
            Fact::Won { last } => {
                self.scene = Scene::Won { last, since: now };
                Some(News::Won { moves: self.round.moves(), par: self.round.par() })
            }
        }
    }

    fn restart(&mut self) {
        self.round.restart();
        self.scene = Scene::Playing;
    }

    /// Deals another puzzle. The moment at which the player asks, to the microsecond, is stirred in: it differs each time
    /// even where the seed does not.
    fn next_puzzle(&mut self, now: Micros) -> Option<News> {
        self.rng = Pcg32::new(self.rng.next_u64() ^ now, SEED_STREAM);
        self.round = Round::new(&CLASSIC, deal(self.par, &mut self.rng));
        self.scene = Scene::Playing;
        Some(News::Dealt { board: self.round.board(), par: self.round.par() })
    }
}

/// PCG has many independent streams; ours is as good as any.
const SEED_STREAM: u64 = 25;

/// A board of this par, or of the hardest if there is none such.
fn deal(par: u32, rng: &mut Pcg32) -> Board {
    let par = par.clamp(1, CLASSIC.rule().hardest_par());
    generator::of_par(&CLASSIC, par, rng).unwrap_or_else(|| generator::solvable(&CLASSIC, rng))
}
