//! Action: the handheld presses keys by itself, faster and faster, and the player keeps the lights down. It ends when 18 of
//! 25 are on, or as many in proportion on a smaller board. The score is how many presses were survived.

use serde::{Deserialize, Serialize};

use crate::board::{Board, Cell};
use crate::game::modes::GameMode;
use crate::game::records::{Drawing, Records};
use crate::game::screen::{Context, News, Screen, View};
use crate::game::solvers::Solvers;
use crate::game::status::{Scene, Status};
use crate::generator;
use crate::gesture::Command;
use crate::picture::{Colour, Frame, Text};
use crate::rules::Variant;
use crate::sound::Sound;
use crate::time::{Micros, ms};

/// Between the first two presses.
const SLOWEST: Micros = ms(2000);
/// Between any two later on.
const FASTEST: Micros = ms(400);
/// Each press comes this much sooner than the one before.
const FASTER: Micros = ms(25);
/// How long the lost board is seen before the score.
const LOST: Micros = ms(1000);

/// How many lights are too many.
pub const fn limit(variant: Variant) -> u32 {
    (variant.cells().len() * 18).div_ceil(25)
}

/// The time from this press of the handheld to the next.
pub const fn interval(presses: u32) -> Micros {
    let sooner = FASTER.saturating_mul(presses as Micros);
    let interval = SLOWEST.saturating_sub(sooner);
    if interval > FASTEST { interval } else { FASTEST }
}

/// How it ended.
#[derive(Clone, Copy, Debug)]
struct End {
    since: Micros,
    is_best: bool,
}

/// What is saved: the board, and the presses of the handheld so far.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[expect(missing_docs, reason = "told above")]
pub struct Saved {
    pub variant: Variant,
    pub board: Board,
    pub presses: u32,
}

/// The mode.
#[derive(Clone, Debug)]
pub struct Action {
    variant: Variant,
    board: Board,
    presses: u32,
    due: Micros,
    end: Option<End>,
}

impl Action {
    /// The lights as they are.
    pub fn board(&self) -> Board {
        self.board
    }

    /// Presses of the handheld so far.
    pub fn presses(&self) -> u32 {
        self.presses
    }

    fn press(&mut self, cx: &mut Context<'_>, key: Cell) {
        self.board = cx.solvers.prepare(self.variant).press(self.board, key);
        if self.board.lit_count() >= limit(self.variant) {
            self.end = Some(End { since: cx.now, is_best: self.presses > cx.records.best_action });
            cx.records.best_action = cx.records.best_action.max(self.presses);
            cx.play(Sound::Error);
            cx.tell(News::Survived { presses: self.presses });
        }
    }

    fn score(&self, end: End) -> Text {
        let mut text = Text::new();
        text.number(self.presses, if end.is_best { Colour::GOOD } else { Colour::DIGIT });
        text
    }
}

impl GameMode for Action {
    type Saved = Saved;

    /// A new game on a dark board.
    fn start(cx: &mut Context<'_>) -> Self {
        cx.new_picture();
        Self { variant: cx.settings.variant, board: Board::DARK, presses: 0, due: cx.now + SLOWEST, end: None }
    }

    fn save(&self) -> Saved {
        Saved { variant: self.variant, board: self.board, presses: self.presses }
    }

    /// A lost game shows its score again.
    fn restore(now: Micros, saved: Saved, _: &Records, _: &mut Solvers) -> Option<Self> {
        let Saved { variant, board, presses } = saved;
        let lost = board.lit_count() >= limit(variant);
        let end = lost.then_some(End { since: now, is_best: false });
        let sound = Drawing { variant, board }.is_sound();
        sound.then(|| Self { variant, board, presses, due: now + interval(presses), end })
    }
}

impl Screen for Action {
    fn variant(&self) -> Variant {
        self.variant
    }

    fn tap(&mut self, cx: &mut Context<'_>, key: Cell) {
        if self.end.is_some() {
            *self = Self::start(cx);
        } else if self.variant.cells().contains(key) {
            cx.play(Sound::Tap);
            self.press(cx, key);
        }
    }

    fn command(&mut self, cx: &mut Context<'_>, command: Command) {
        match command {
            Command::Restart | Command::Next => *self = Self::start(cx),
            _ => cx.refuse(),
        }
    }

    fn tick(&mut self, cx: &mut Context<'_>) {
        // More than one may be due: nobody wins time by holding corners until a command takes them back.
        while self.end.is_none() && cx.now >= self.due {
            let keys = self.variant.cells();
            let drawn = generator::below(keys.len(), cx.rng) as usize;
            if let Some(key) = keys.iter().nth(drawn) {
                self.presses = self.presses.saturating_add(1);
                cx.changed();
                self.press(cx, key);
            }
            self.due += interval(self.presses);
        }
    }

    fn resume(&mut self, now: Micros) {
        self.due = now + interval(self.presses);
    }

    fn deadline(&self, view: &View<'_>) -> Option<Micros> {
        Some(self.end.map_or(self.due, |end| view.next_frame(end.since)))
    }

    fn draw(&self, view: &View<'_>) -> Frame {
        match self.end {
            None => Frame::of_board(self.board),
            Some(end) if view.now - end.since < LOST => {
                Frame::of_cells(self.board.lit(), Colour::pulse(Colour::BAD, view.now))
            }
            Some(end) => {
                // Again and again, until somebody wants another game.
                let text = self.score(end);
                text.frame((view.now - end.since - LOST) % text.duration())
            }
        }
    }

    fn status(&self, view: &View<'_>) -> Status {
        let scene = if self.end.is_some() { Scene::Lost } else { Scene::Action };
        Status { moves: self.presses, best: view.records.best_action, ..view.status(scene) }
    }
}
