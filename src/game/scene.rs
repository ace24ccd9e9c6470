//! What is going on beside the board: each scene knows when it ends and what it looks like at any moment.

use crate::board::Cell;
use crate::game::Round;
use crate::picture::{Colour, FRAME_TIME, Frame, score};
use crate::time::{Micros, ms};

/// How long the greeting takes.
pub const GREETING: Micros = ms(800);
/// How long each press of the solve demo takes: most of it the key is pointed out, then its lights flip.
pub const DEMO_STEP: Micros = ms(600);
/// How much of a step the key is pointed out.
const DEMO_POINT: Micros = ms(400);
/// How long the demo shows the dark board before it gives the player's back.
const DEMO_REST: Micros = ms(1000);
/// How long the ripple of a win takes, before the score.
pub const WIN_RIPPLE: Micros = ms(1000);

/// What is going on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scene {
    /// Switched on just now.
    Greeting {
        /// When it began.
        since: Micros,
    },
    /// The board, and nothing else.
    Playing,
    /// The board, with this key pulsing until the next press.
    Hint {
        /// The key to press.
        cell: Cell,
        /// When it began.
        since: Micros,
    },
    /// A solution is played press by press. The round does not change: only the picture does.
    Demo {
        /// The keys of the solution.
        presses: u32,
        /// When it began.
        since: Micros,
    },
    /// All lights are out: a ripple from the last key, then moves and par.
    Won {
        /// The key of the last press.
        last: Cell,
        /// When it began.
        since: Micros,
    },
}

impl Scene {
    /// When it is over, if it ever is by itself.
    pub fn end(&self, round: &Round) -> Option<Micros> {
        match *self {
            Self::Playing | Self::Hint { .. } => None,
            Self::Greeting { since } => Some(since + GREETING),
            Self::Demo { presses, since } => Some(since + DEMO_STEP * Micros::from(presses.count_ones()) + DEMO_REST),
            Self::Won { since, .. } => Some(since + WIN_RIPPLE + score::duration(round.moves(), round.par())),
        }
    }

    /// When its picture changes next.
    pub fn deadline(&self, now: Micros, round: &Round) -> Option<Micros> {
        let next_frame = |since| since + ((now - since) / FRAME_TIME + 1) * FRAME_TIME;
        let next = match *self {
            Self::Playing => return None,
            Self::Hint { since, .. }
            | Self::Greeting { since }
            | Self::Demo { since, .. }
            | Self::Won { since, .. } => next_frame(since),
        };
        Some(self.end(round).map_or(next, |end| next.min(end)))
    }

    /// Its picture at this moment.
    pub fn draw(&self, now: Micros, round: &Round) -> Frame {
        match *self {
            Self::Playing => Frame::of_board(round.board()),
            Self::Hint { cell, since } => {
                let mut frame = Frame::of_board(round.board());
                frame.point_out(cell, now - since);
                frame
            }
            Self::Greeting { since } => Frame::greeting(now - since, GREETING),
            Self::Demo { presses, since } => {
                let (step, into) = ((now - since) / DEMO_STEP, (now - since) % DEMO_STEP);
                let pointing = into < DEMO_POINT;
                let mut board = round.board();
                let mut pointed = None;
                for (n, key) in (0..).zip(Cell::of_mask(presses)) {
                    if n < step || n == step && !pointing {
                        board = round.puzzle().press(board, key);
                    } else if n == step {
                        pointed = Some(key);
                    }
                }
                let mut frame = Frame::of_board(board);
                if let Some(key) = pointed {
                    frame.set(key, Colour::POINTER);
                }
                frame
            }
            Self::Won { last, since } if now - since < WIN_RIPPLE => Frame::ripple(last, now - since, WIN_RIPPLE),
            Self::Won { since, .. } => score::frame(round.moves(), round.par(), now - since - WIN_RIPPLE),
        }
    }
}
