//! Action: the handheld presses keys, faster and faster, and the player has to keep the lights off. The game ends when
//! 18 of 25 lights are on, or the same share of a smaller board. The score is the number of presses of the handheld.

use serde::{Deserialize, Serialize};

use crate::board::{Board, Cell};
use crate::display::{Colour, Frame, Text};
use crate::game::events::GameEvent;
use crate::game::modes::GameMode;
use crate::game::records::{Drawing, Records};
use crate::game::screen::{Context, Screen, View};
use crate::game::solvers::Solvers;
use crate::game::status::{Scene, Status};
use crate::generator;
use crate::gesture::Command;
use crate::rules::Variant;
use crate::sound::Sound;
use crate::time::{Micros, ms};

/// The interval before the first press of the handheld.
const SLOWEST: Micros = ms(2000);
/// The shortest interval between two presses.
const FASTEST: Micros = ms(400);
/// How much shorter each interval is than the one before.
const FASTER: Micros = ms(25);
/// How long the lost board is shown before the score.
const LOST: Micros = ms(1000);

/// The number of lights at which the game is lost.
pub const fn limit(variant: Variant) -> u32 {
    (variant.cells().len() * 18).div_ceil(25)
}

/// The time to the next press of the handheld, after this many presses.
pub const fn interval(presses: u32) -> Micros {
    let sooner = FASTER.saturating_mul(presses as Micros);
    let interval = SLOWEST.saturating_sub(sooner);
    if interval > FASTEST { interval } else { FASTEST }
}

/// The end of a lost game.
#[derive(Clone, Copy, Debug)]
struct End {
    /// When it was lost.
    since: Micros,
    /// Whether its score is a new record.
    is_best: bool,
}

/// The saved data of the mode.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SavedAction {
    /// The rule and the size.
    pub variant: Variant,
    /// The board now.
    pub board: Board,
    /// Presses of the handheld so far.
    pub presses: u32,
}

/// The mode.
#[derive(Clone, Debug)]
pub struct Action {
    variant: Variant,
    board: Board,
    presses: u32,
    /// When the handheld presses the next key.
    due: Micros,
    end: Option<End>,
}

impl Action {
    /// The board now.
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
            cx.report(GameEvent::Survived { presses: self.presses });
        }
    }

    fn score(&self, end: End) -> Text {
        let mut text = Text::new();
        text.number(self.presses, if end.is_best { Colour::GOOD } else { Colour::DIGIT });
        text
    }
}

impl GameMode for Action {
    type Saved = SavedAction;

    /// A new game on a dark board.
    fn start(cx: &mut Context<'_>) -> Self {
        cx.wipe();
        Self { variant: cx.settings.variant, board: Board::DARK, presses: 0, due: cx.now + SLOWEST, end: None }
    }

    fn save(&self) -> SavedAction {
        SavedAction { variant: self.variant, board: self.board, presses: self.presses }
    }

    /// A lost game shows its score again.
    fn restore(now: Micros, saved: SavedAction, _: &Records, _: &mut Solvers) -> Option<Self> {
        let SavedAction { variant, board, presses } = saved;
        let has_lost = board.lit_count() >= limit(variant);
        let end = has_lost.then_some(End { since: now, is_best: false });
        let is_valid = Drawing { variant, board }.is_valid();
        is_valid.then(|| Self { variant, board, presses, due: now + interval(presses), end })
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
        // More than one press can be due: a roll-back also restores an earlier `due`. The player must not gain time
        // from it.
        while self.end.is_none() && cx.now >= self.due {
            let keys = self.variant.cells();
            let drawn = generator::below(keys.len(), cx.rng) as usize;
            if let Some(key) = keys.iter().nth(drawn) {
                self.presses = self.presses.saturating_add(1);
                cx.needs_save();
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
                // The score scrolls repeatedly until the player starts another game.
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
