//! Create: the player draws a board, one light with each tap. The drawing is green while it can be solved, and pulses
//! in red while it cannot: this is the parity check after each tap.
//!
//! | command | what it does here                        |
//! | ------- | ---------------------------------------- |
//! | hint    | shows the par of the drawing             |
//! | demo    | plays the drawing as a puzzle            |
//! | next    | opens the slots                          |
//! | undo    | undoes a tap or the clearing             |
//! | restart | clears the drawing                       |
//!
//! In the slots, a key of the second row keeps the drawing in the slot of its column, and a key of the fourth row loads
//! it. A slot in use is bright.

use serde::{Deserialize, Serialize};

use crate::board::{Board, Cell};
use crate::display::{Colour, Frame, Text};
use crate::game::events::GameEvent;
use crate::game::history::{History, Position, UndoStep};
use crate::game::modes::GameMode;
use crate::game::puzzle::{Outcome, Puzzle};
use crate::game::records::{Drawing, Records};
use crate::game::round::{Effects, Round};
use crate::game::screen::{Context, Screen, View};
use crate::game::solvers::Solvers;
use crate::game::status::{Scene, Status};
use crate::gesture::Command;
use crate::rules::Variant;
use crate::sound::Sound;
use crate::time::{Micros, ms};

/// The row of keys that keep the drawing in a slot.
const KEEP_ROW: usize = 1;
/// The row of keys that load a drawing from a slot.
const LOAD_ROW: usize = 3;
/// How long the cross is shown for a drawing that cannot be played.
const REFUSAL: Micros = ms(1000);

/// What the mode shows.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "there is no heap for the largest variant")]
enum Showing {
    /// The drawing.
    Drawing,
    /// The par of the drawing, in digits.
    Par { par: u32, since: Micros },
    /// A cross: the drawing cannot be played.
    Refusal { since: Micros },
    /// The slots.
    Slots,
    /// The drawing as a puzzle.
    Puzzle(Puzzle),
}

/// The saved data of the mode.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SavedCreate {
    /// The drawing.
    pub drawing: Drawing,
    /// Its puzzle, while it is played.
    pub round: Option<Round>,
}

/// The mode.
#[derive(Clone, Debug)]
pub struct Create {
    drawing: Drawing,
    /// The number of taps on it.
    strokes: u32,
    history: History,
    showing: Showing,
}

/// What the steps of the player do to the drawing: a tap flips one light, a restart clears the drawing.
const EFFECTS: Effects<'_> = Effects { start: Board::DARK, flips: &Cell::bit };

impl Create {
    /// The drawing.
    pub fn drawing(&self) -> Drawing {
        self.drawing
    }

    /// The puzzle. None while the drawing is not played.
    pub fn puzzle(&self) -> Option<&Puzzle> {
        match &self.showing {
            Showing::Puzzle(puzzle) => Some(puzzle),
            _ => None,
        }
    }

    fn back_to_drawing(&mut self, cx: &mut Context<'_>) {
        self.showing = Showing::Drawing;
        cx.wipe();
    }

    fn flip(&mut self, cx: &mut Context<'_>, key: Cell) {
        if self.drawing.variant.cells().contains(key) {
            self.push(UndoStep::Key(key));
            cx.play(Sound::Tap);
        }
    }

    fn push(&mut self, step: UndoStep) {
        let after = EFFECTS.push(self.position(), &mut self.history, step);
        self.go_to(after);
    }

    fn position(&self) -> Position {
        Position { board: self.drawing.board, moves: self.strokes }
    }

    fn go_to(&mut self, Position { board, moves }: Position) {
        (self.drawing.board, self.strokes) = (board, moves);
    }

    /// A tap while the slots are shown. A key of another row only closes them.
    fn tap_slot(&mut self, cx: &mut Context<'_>, key: Cell) {
        let slot = &mut cx.records.slots[key.column()];
        match (key.row(), *slot) {
            (KEEP_ROW, _) => *slot = Some(self.drawing),
            (LOAD_ROW, Some(kept)) => {
                self.drawing = kept;
                (self.strokes, self.history) = (0, History::NONE);
            }
            (LOAD_ROW, None) => return cx.refuse(),
            _ => {}
        }
        cx.play(Sound::Menu);
        self.back_to_drawing(cx);
    }

    fn refuse(&mut self, cx: &mut Context<'_>) {
        self.showing = Showing::Refusal { since: cx.now };
        cx.refuse();
    }

    /// A command while the drawing is shown.
    fn command_in_drawing(&mut self, cx: &mut Context<'_>, command: Command) {
        let Drawing { variant, board } = self.drawing;
        let par = cx.solvers.prepare(variant).par(board);
        match (command, par) {
            (Command::Hint, Some(par)) => self.showing = Showing::Par { par, since: cx.now },
            (Command::Demo, Some(1..)) => self.showing = Showing::Puzzle(Puzzle::new(cx, variant, board, None)),
            (Command::Hint | Command::Demo, _) => self.refuse(cx),
            (Command::Undo, _) => match EFFECTS.undo(self.position(), &mut self.history) {
                Some((step, before)) => {
                    self.go_to(before);
                    cx.report(GameEvent::Undone(step));
                }
                None => cx.refuse(),
            },
            (Command::Restart, _) if board.is_dark() => cx.refuse(),
            (Command::Restart, _) => self.push(UndoStep::Restart),
            (Command::Next, _) => {
                self.showing = Showing::Slots;
                cx.wipe();
            }
            (Command::Menu, _) => {}
        }
    }

    /// When the par or the cross disappears.
    fn end(&self) -> Option<Micros> {
        match &self.showing {
            Showing::Par { par, since } => Some(since + par_text(*par).duration()),
            Showing::Refusal { since } => Some(since + REFUSAL),
            Showing::Drawing | Showing::Slots | Showing::Puzzle(_) => None,
        }
    }
}

fn par_text(par: u32) -> Text {
    let mut text = Text::new();
    text.number(par, Colour::GOOD);
    text
}

/// The frame of the slots.
fn draw_slots(records: &Records) -> Frame {
    let mut frame = Frame::DARK;
    for (column, slot) in records.slots.iter().enumerate() {
        let is_used = slot.is_some();
        if let (Some(keep), Some(load)) = (Cell::at(KEEP_ROW, column), Cell::at(LOAD_ROW, column)) {
            frame.set(keep, if is_used { Colour::POINTER } else { Colour::dim(Colour::POINTER) });
            frame.set(load, if is_used { Colour::LIGHT } else { Colour::OFF });
        }
    }
    frame
}

impl GameMode for Create {
    type Saved = SavedCreate;

    /// An empty drawing.
    fn start(cx: &mut Context<'_>) -> Self {
        cx.wipe();
        let drawing = Drawing { variant: cx.settings.variant, board: Board::DARK };
        Self { drawing, strokes: 0, history: History::NONE, showing: Showing::Drawing }
    }

    fn save(&self) -> SavedCreate {
        SavedCreate { drawing: self.drawing, round: self.puzzle().map(|puzzle| puzzle.round().clone()) }
    }

    fn restore(now: Micros, saved: SavedCreate, _: &Records, solvers: &mut Solvers) -> Option<Self> {
        let SavedCreate { drawing, round } = saved;
        let is_valid = |round: &Round| round.is_valid_from(drawing.variant, drawing.board, solvers);
        if !drawing.is_valid() || !round.as_ref().is_none_or(is_valid) {
            return None;
        }
        let puzzle = round.map(|round| Puzzle::restore(now, round, None));
        let showing = puzzle.map_or(Showing::Drawing, Showing::Puzzle);
        Some(Self { drawing, strokes: 0, history: History::NONE, showing })
    }
}

impl Screen for Create {
    fn variant(&self) -> Variant {
        self.drawing.variant
    }

    fn tap(&mut self, cx: &mut Context<'_>, key: Cell) {
        match &mut self.showing {
            Showing::Drawing => self.flip(cx, key),
            // This key only returns to the drawing: it flips no light.
            Showing::Par { .. } | Showing::Refusal { .. } => self.showing = Showing::Drawing,
            Showing::Slots => self.tap_slot(cx, key),
            Showing::Puzzle(puzzle) => {
                if puzzle.tap(cx, key) == Outcome::Over {
                    self.back_to_drawing(cx);
                }
            }
        }
    }

    fn command(&mut self, cx: &mut Context<'_>, command: Command) {
        match (&mut self.showing, command) {
            (Showing::Puzzle(_) | Showing::Slots, Command::Next) => self.back_to_drawing(cx),
            (Showing::Puzzle(puzzle), _) => puzzle.command(cx, command),
            (Showing::Slots, _) => cx.refuse(),
            _ => {
                self.showing = Showing::Drawing;
                self.command_in_drawing(cx, command);
            }
        }
    }

    fn tick(&mut self, cx: &mut Context<'_>) {
        if let Showing::Puzzle(puzzle) = &mut self.showing {
            if puzzle.tick(cx) == Outcome::Over {
                self.back_to_drawing(cx);
            }
        } else if self.end().is_some_and(|end| cx.now >= end) {
            self.showing = Showing::Drawing;
        }
    }

    fn deadline(&self, view: &View<'_>) -> Option<Micros> {
        match &self.showing {
            Showing::Drawing if view.solver.is_solvable(self.drawing.board) => None,
            Showing::Drawing => Some(view.next_frame(0)),
            Showing::Slots => None,
            Showing::Par { since, .. } | Showing::Refusal { since } => {
                let next = view.next_frame(*since);
                Some(self.end().map_or(next, |end| next.min(end)))
            }
            Showing::Puzzle(puzzle) => puzzle.deadline(view),
        }
    }

    fn draw(&self, view: &View<'_>) -> Frame {
        let board = self.drawing.board;
        match &self.showing {
            Showing::Drawing if view.solver.is_solvable(board) => Frame::of_cells(board.lit(), Colour::GOOD),
            Showing::Drawing => Frame::of_cells(board.lit(), Colour::pulse(Colour::BAD, view.now)),
            Showing::Par { par, since } => par_text(*par).frame(view.now - since),
            Showing::Refusal { .. } => Frame::CROSS,
            Showing::Slots => draw_slots(view.records),
            Showing::Puzzle(puzzle) => puzzle.draw(view),
        }
    }

    fn status(&self, view: &View<'_>) -> Status {
        let (scene, par) = match &self.showing {
            Showing::Drawing => (Scene::Draw, 0),
            Showing::Par { par, .. } => (Scene::Par, *par),
            Showing::Refusal { .. } => (Scene::Refused, 0),
            Showing::Slots => (Scene::Slots, 0),
            Showing::Puzzle(puzzle) => return puzzle.status(view),
        };
        Status { par, puzzle: Some((self.drawing.variant, self.drawing.board)), ..view.status(scene) }
    }
}
