//! Create: the player draws a board, one light a tap. The drawing is green and still while it can be solved, red and
//! pulsing while it cannot: the parity check, live. The corners mean here: hint, show the par; demo, play it; next, the
//! slots; undo and restart, take a light back and wipe the drawing, which undo takes back as well.
//!
//! The slots: the second row keeps the drawing in the slot of that column, the fourth row brings it back; a slot in use is
//! bright.

use serde::{Deserialize, Serialize};

use crate::board::{Board, Cell};
use crate::game::history::{Effects, History, Position, Step};
use crate::game::modes::GameMode;
use crate::game::puzzle::{Outcome, Puzzle};
use crate::game::records::{Drawing, Records, SLOTS};
use crate::game::round::Round;
use crate::game::screen::{Context, News, Screen, View};
use crate::game::solvers::Solvers;
use crate::game::status::{Scene, Status};
use crate::gesture::Command;
use crate::picture::{Colour, Frame, Text};
use crate::rules::Variant;
use crate::sound::Sound;
use crate::time::{Micros, ms};

/// The row of the slots screen that keeps.
const KEEP_ROW: usize = 1;
/// The row of the slots screen that brings back.
const LOAD_ROW: usize = 3;
/// How long the cross of a board that cannot be played is seen.
const REFUSAL: Micros = ms(1000);

/// What is on the lights.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "there is no heap to put the large one on")]
enum Showing {
    Drawing,
    /// The par of the drawing, in digits.
    Par {
        par: u32,
        since: Micros,
    },
    /// A cross: this cannot be played.
    Refusal {
        since: Micros,
    },
    Slots,
    /// The drawing is played.
    Puzzle(Puzzle),
}

/// What is saved: the drawing, and the puzzle while it is played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[expect(missing_docs, reason = "told above")]
pub struct Saved {
    pub drawing: Drawing,
    pub round: Option<Round>,
}

/// The mode.
#[derive(Clone, Debug)]
pub struct Create {
    drawing: Drawing,
    /// Strokes on it.
    strokes: u32,
    history: History,
    showing: Showing,
}

/// A stroke is one light; a restart leads to the empty sheet.
const EFFECTS: Effects<'_> = Effects { start: Board::DARK, flips: &Cell::bit };

impl Create {
    /// The drawing.
    pub fn drawing(&self) -> Drawing {
        self.drawing
    }

    /// The puzzle, while the drawing is played.
    pub fn puzzle(&self) -> Option<&Puzzle> {
        match &self.showing {
            Showing::Puzzle(puzzle) => Some(puzzle),
            _ => None,
        }
    }

    fn back_to_drawing(&mut self, cx: &mut Context<'_>) {
        self.showing = Showing::Drawing;
        cx.new_picture();
    }

    fn flip(&mut self, cx: &mut Context<'_>, key: Cell) {
        if self.drawing.variant.cells().contains(key) {
            self.push(Step::Key(key));
            cx.play(Sound::Tap);
        }
    }

    fn push(&mut self, step: Step) {
        let after = self.history.push(self.position(), step, EFFECTS);
        self.go_to(after);
    }

    fn position(&self) -> Position {
        Position { board: self.drawing.board, moves: self.strokes }
    }

    fn go_to(&mut self, Position { board, moves }: Position) {
        (self.drawing.board, self.strokes) = (board, moves);
    }

    /// What a tap on the slots screen does; anywhere else it only leaves.
    fn slot(&mut self, cx: &mut Context<'_>, key: Cell) {
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

    /// The command in the drawing: see the top of the file.
    fn draw_command(&mut self, cx: &mut Context<'_>, command: Command) {
        let Drawing { variant, board } = self.drawing;
        let par = cx.solvers.prepare(variant).par(board);
        match (command, par) {
            (Command::Hint, Some(par)) => self.showing = Showing::Par { par, since: cx.now },
            (Command::Demo, Some(1..)) => self.showing = Showing::Puzzle(Puzzle::new(cx, variant, board, None)),
            (Command::Hint | Command::Demo, _) => self.refuse(cx),
            (Command::Undo, _) => match self.history.undo(self.position(), EFFECTS) {
                Some((step, before)) => {
                    self.go_to(before);
                    cx.tell(News::TookBack(step));
                }
                None => cx.refuse(),
            },
            (Command::Restart, _) if board.is_dark() => cx.refuse(),
            (Command::Restart, _) => self.push(Step::Restart),
            (Command::Next, _) => {
                self.showing = Showing::Slots;
                cx.new_picture();
            }
            (Command::Menu, _) => {}
        }
    }

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

impl GameMode for Create {
    type Saved = Saved;

    /// An empty sheet.
    fn start(cx: &mut Context<'_>) -> Self {
        cx.new_picture();
        let drawing = Drawing { variant: cx.settings.variant, board: Board::DARK };
        Self { drawing, strokes: 0, history: History::NONE, showing: Showing::Drawing }
    }

    fn save(&self) -> Saved {
        Saved { drawing: self.drawing, round: self.puzzle().map(|puzzle| puzzle.round().clone()) }
    }

    fn restore(now: Micros, saved: Saved, _: &Records, solvers: &mut Solvers) -> Option<Self> {
        let Saved { drawing, round } = saved;
        let is_sound = |round: &Round| round.is_sound_from(drawing.variant, drawing.board, solvers);
        if !drawing.is_sound() || !round.as_ref().is_none_or(is_sound) {
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
            // A key that stops something is no stroke.
            Showing::Par { .. } | Showing::Refusal { .. } => self.showing = Showing::Drawing,
            Showing::Slots => self.slot(cx, key),
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
                self.draw_command(cx, command);
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
            Showing::Slots => {
                let mut frame = Frame::DARK;
                for column in 0..SLOTS {
                    let used = view.records.slots[column].is_some();
                    let shade = |colour| if used { colour } else { Colour::dim(colour) };
                    if let (Some(keep), Some(load)) = (Cell::at(KEEP_ROW, column), Cell::at(LOAD_ROW, column)) {
                        frame.set(keep, shade(Colour::POINTER));
                        frame.set(load, if used { Colour::LIGHT } else { Colour::OFF });
                    }
                }
                frame
            }
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
