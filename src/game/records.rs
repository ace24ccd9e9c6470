//! What the player has achieved and kept.

use serde::{Deserialize, Serialize};

use crate::board::Board;
use crate::level_boards;
use crate::rules::Variant;

/// How many boards of their own players can keep.
pub const SLOTS: usize = 5;

/// How far a level has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    /// The level before it has to be solved first.
    Unopened,
    /// It waits to be solved.
    Open,
    /// Solved, in more presses than par.
    Solved,
    /// Solved in par.
    AtPar,
}

/// A board that a player drew, with the rule that it was drawn for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Drawing {
    /// Its rule.
    pub variant: Variant,
    /// Its lights.
    pub board: Board,
}

/// All results.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Records {
    /// The fewest presses for each level; 0 when it is not solved. 255 stands for that many or more. Levels beyond its end
    /// are not solved: so the save of a beginner is short.
    best_moves: heapless::Vec<u8, { level_boards::COUNT }>,
    /// The most presses of the handheld that were survived in Action.
    pub best_action: u32,
    /// How many random puzzles were solved.
    pub rounds: u32,
    /// The boards that players drew.
    pub slots: [Option<Drawing>; SLOTS],
}

impl Drawing {
    /// Whether all of its lights are on the board of its rule.
    pub fn is_sound(&self) -> bool {
        self.board.lit().is_subset(self.variant.cells())
    }
}

impl Records {
    /// Whether they can have come about in play.
    pub fn are_sound(&self) -> bool {
        self.slots.iter().flatten().all(Drawing::is_sound)
    }

    /// Nothing achieved yet.
    pub const NONE: Self = Self { best_moves: heapless::Vec::new(), best_action: 0, rounds: 0, slots: [None; SLOTS] };

    /// How far this level has come.
    pub fn progress(&self, level: usize) -> Progress {
        match self.best_moves(level) {
            Some(moves) if moves <= level_boards::par(level) => Progress::AtPar,
            Some(_) => Progress::Solved,
            None if level == 0 || self.best_moves(level - 1).is_some() => Progress::Open,
            None => Progress::Unopened,
        }
    }

    /// The fewest presses that solved this level, if it was solved.
    pub fn best_moves(&self, level: usize) -> Option<u32> {
        self.best_moves.get(level).filter(|&&moves| moves > 0).map(|&moves| moves.into())
    }

    /// This level was solved; keeps the better result.
    pub fn solved(&mut self, level: usize, moves: u32) {
        if level < level_boards::COUNT && level >= self.best_moves.len() {
            // There is room for every level.
            let _ = self.best_moves.resize(level + 1, 0);
        }
        if let Some(best) = self.best_moves.get_mut(level) {
            let moves = moves.clamp(1, u8::MAX.into()) as u8;
            *best = if *best == 0 { moves } else { moves.min(*best) };
        }
    }

    /// Takes over what is better in others, and what is only in them. These and the others may have the same beginnings, so rounds
    /// are not added. Where both have a drawing in a place, this one's stays.
    pub fn merge(&mut self, others: &Self) {
        for level in 0..level_boards::COUNT {
            if let Some(moves) = others.best_moves(level) {
                self.solved(level, moves);
            }
        }
        self.best_action = self.best_action.max(others.best_action);
        self.rounds = self.rounds.max(others.rounds);
        for (slot, other) in self.slots.iter_mut().zip(&others.slots) {
            *slot = slot.or(*other);
        }
    }

    /// The level to go on with: the first that is open, or the last of all when every one is solved.
    pub fn first_open(&self) -> usize {
        (0..level_boards::COUNT)
            .find(|&level| self.progress(level) == Progress::Open)
            .unwrap_or(level_boards::COUNT - 1)
    }
}
