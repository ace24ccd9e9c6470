//! The colour test for makers: all LEDs in red, green, blue and white. It shows an LED that lacks a colour, and it
//! finds the order in which the LEDs take their colours: red sent in the wrong order can look green.
//!
//! If the order is wrong, the maker presses any key **while the LEDs look red**. The other two colours are then shown
//! in turn, until the maker presses a key **while the LEDs look green**. The two answers determine which of the six
//! orders it is. Without a press the order stays as it is.

use crate::board::Cells;
use crate::display::{Colour, Frame};
use crate::game::screen::Context;
use crate::layout::{Layout, LedLayout};
use crate::time::{Micros, ms};

/// How long each colour is shown.
const COLOUR_TIME: Micros = ms(1000);
/// The colours in order. The first three have one channel each.
const COLOURS: [smart_leds::RGB8; 4] = [Colour::BAD, Colour::PURE_GREEN, Colour::PURE_BLUE, Colour::WHITE];
/// Red, green and blue.
const CHANNELS: usize = 3;
/// The shortest reaction time of a player: a press that comes sooner after a change is for the colour before.
const REACTION: Micros = ms(200);
/// How many colours are shown in turn while the test waits for green.
const GREEN_STEPS: usize = 10;

/// The colour test while it runs.
#[derive(Clone, Debug)]
pub(super) struct ColourTest {
    /// When the first colour was shown, or the first after the answer for red.
    since: Micros,
    /// The channel that looks red.
    red: Option<u8>,
    /// When both answers were given.
    answered: Option<Micros>,
}

impl ColourTest {
    /// Begins now.
    pub(super) const fn new(now: Micros) -> Self {
        Self { since: now, red: None, answered: None }
    }

    /// When the test ends if there is no further answer.
    pub(super) fn end(&self) -> Micros {
        let steps = if self.red.is_none() { COLOURS.len() } else { GREEN_STEPS };
        self.answered.unwrap_or(self.since + COLOUR_TIME * steps as Micros)
    }

    /// The index of the colour that is shown.
    fn shown(&self, now: Micros) -> Option<usize> {
        let step = ((now - self.since) / COLOUR_TIME) as usize;
        let colour = self.red.map_or(step, |red| (usize::from(red) + 1 + step % (CHANNELS - 1)) % CHANNELS);
        (now < self.end()).then_some(colour)
    }

    /// Its frame. None when the test is over.
    pub(super) fn frame(&self, now: Micros) -> Option<Frame> {
        self.shown(now).map(|colour| Frame::of_cells(Cells::ALL, COLOURS[colour]))
    }

    /// A key was pressed. After the second answer, changes the layout to the order of these LEDs.
    pub(super) fn tap(&mut self, cx: &mut Context<'_>) {
        let Layout { keys, leds } = *cx.layout;
        if let Some(colours) = self.answer(cx.now).and_then(|channels| leds.colours.corrected(channels)) {
            cx.learn(Layout { keys, leds: LedLayout { colours, ..leds } });
        }
    }

    /// Takes the colour that is shown as the answer. Returns the channels that look red, green and blue after the
    /// second answer.
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
