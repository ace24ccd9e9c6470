//! All lights in red, green, blue and white, for makers: a LED that misses a colour is bad. And a question: which is which? LEDs
//! differ in the order in which they take their colours, so what is sent as red may look green.
//!
//! Whoever sees that presses any key **while the lights look red**, whatever colour they were meant to have. Then the other two are
//! shown in turn, until a key is pressed **while they look green**. That settles it: each of the six orders gives two answers
//! of its own. Without a press nothing changes.

use crate::board::Cells;
use crate::game::screen::Context;
use crate::layout::{Layout, Lights};
use crate::picture::{Colour, Frame};
use crate::time::{Micros, ms};

/// How long each colour is shown.
pub const COLOUR_TIME: Micros = ms(1000);
/// The colours, the first three of them one channel each.
const COLOURS: [smart_leds::RGB8; 4] = [Colour::BAD, Colour::PURE_GREEN, Colour::PURE_BLUE, Colour::WHITE];
const CHANNELS: usize = 3;
/// Nobody is faster than this: a press so shortly after a colour came is for the one before.
const REACTION: Micros = ms(200);
/// How many colours are shown in turn while green is asked for.
const PATIENCE: usize = 10;

/// The colours, and what was answered.
#[derive(Clone, Debug)]
pub struct ColourTest {
    /// When the first colour of this round was shown.
    since: Micros,
    /// The channel that looks red.
    red: Option<u8>,
    /// When both answers were there.
    answered: Option<Micros>,
}

impl ColourTest {
    /// Begins now.
    pub const fn new(now: Micros) -> Self {
        Self { since: now, red: None, answered: None }
    }

    /// When it is over, if nothing is answered any more.
    pub fn end(&self) -> Micros {
        let steps = if self.red.is_none() { COLOURS.len() } else { PATIENCE };
        self.answered.unwrap_or(self.since + COLOUR_TIME * steps as Micros)
    }

    /// Which of the colours is shown.
    fn shown(&self, now: Micros) -> Option<usize> {
        let step = ((now - self.since) / COLOUR_TIME) as usize;
        let colour = self.red.map_or(step, |red| (usize::from(red) + 1 + step % (CHANNELS - 1)) % CHANNELS);
        (now < self.end()).then_some(colour)
    }

    /// Its picture; none when it is over.
    pub fn picture(&self, now: Micros) -> Option<Frame> {
        self.shown(now).map(|colour| Frame::of_cells(Cells::ALL, COLOURS[colour]))
    }

    /// A key was pressed. Learns the order of these LEDs once it is known.
    pub fn tap(&mut self, cx: &mut Context<'_>) {
        let Layout { keys, lights } = *cx.layout;
        if let Some(colours) = self.answer(cx.now).and_then(|channels| lights.colours.corrected(channels)) {
            cx.learn(Layout { keys, lights: Lights { colours, ..lights } });
        }
    }

    /// Takes what is shown for the answer; gives the channels that look red, green and blue when both are there.
    fn answer(&mut self, now: Micros) -> Option<[usize; CHANNELS]> {
        let seen = now.saturating_sub(REACTION).max(self.since);
        let shown = self.shown(seen).filter(|&colour| colour < CHANNELS)?;
        let Some(red) = self.red.map(usize::from) else {
            (self.since, self.red) = (now, Some(shown as u8));
            return None;
        };
        self.answered = Some(now);
        Some([red, shown, CHANNELS - red - shown])
    }
}
