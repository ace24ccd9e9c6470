//! The player's records: the results, and the drawings in the slots.

use serde::{Deserialize, Serialize};

use crate::board::Board;
use crate::level_boards;
use crate::rules::Variant;

/// How many drawings can be kept.
pub const SLOTS: usize = 5;

/// The progress of the player in a level.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    /// Locked: the level before it has to be solved first.
    Locked,
    /// Open, and not solved yet.
    Open,
    /// Solved, in more presses than par.
    Solved,
    /// Solved at par.
    AtPar,
}

/// A board that a player drew, with its rule and size.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Drawing {
    /// Its rule and size.
    pub variant: Variant,
    /// Its lights.
    pub board: Board,
}

/// All results and drawings.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Records {
    /// The fewest presses for each level; 0 if it is not solved, 255 for 255 or more. Levels beyond the end of the list
    /// are not solved: this keeps the save of a beginner short.
    best_moves: heapless::Vec<u8, { level_boards::COUNT }>,
    /// The best score in Action: the presses of the handheld.
    pub best_action: u32,
    /// How many random puzzles were solved.
    pub rounds: u32,
    /// The drawings.
    pub slots: [Option<Drawing>; SLOTS],
}

impl Drawing {
    /// Whether all of its lights are on a board of its size.
    pub fn is_valid(&self) -> bool {
        self.board.lit().is_subset(self.variant.cells())
    }
}

impl Records {
    /// Whether play can lead to these records.
    pub fn is_valid(&self) -> bool {
        self.slots.iter().flatten().all(Drawing::is_valid)
    }

    /// No results and no drawings.
    pub const NONE: Self = Self { best_moves: heapless::Vec::new(), best_action: 0, rounds: 0, slots: [None; SLOTS] };

    /// The progress in a level.
    pub fn progress(&self, level: usize) -> Progress {
        match self.best_moves(level) {
            Some(moves) if moves <= level_boards::par(level) => Progress::AtPar,
            Some(_) => Progress::Solved,
            None if level == 0 || self.best_moves(level - 1).is_some() => Progress::Open,
            None => Progress::Locked,
        }
    }

    /// The fewest presses that solved a level; none if it is not solved.
    pub fn best_moves(&self, level: usize) -> Option<u32> {
        self.best_moves.get(level).filter(|&&moves| moves > 0).map(|&moves| moves.into())
    }

    /// Records that a level was solved, and keeps the better result.
    pub fn solved(&mut self, level: usize, moves: u32) {
        // Ends at the capacity, which is the number of levels.
        while self.best_moves.len() <= level && self.best_moves.push(0).is_ok() {}
        if let Some(best) = self.best_moves.get_mut(level) {
            let moves = moves.clamp(1, u8::MAX.into()) as u8;
            *best = if *best == 0 { moves } else { moves.min(*best) };
        }
    }

    /// Merges other records into these: the better result of each, and drawings for slots that are empty here. Both may
    /// descend from the same records, so the rounds are not added.
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

    /// The level to continue with: the first open one, or the last level when all are solved.
    pub fn first_open(&self) -> usize {
        (0..level_boards::COUNT)
            .find(|&level| self.progress(level) == Progress::Open)
            .unwrap_or(level_boards::COUNT - 1)
    }
}
