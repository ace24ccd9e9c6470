//! Undo and restart of a round, compared with a model that stores every position; and the saved form of a history.

use lights_out::board::{Board, Cell, Presses};
use lights_out::game::history::{UNDO_DEPTH, UndoStep};
use lights_out::game::modes::{SavedMode, random};
use lights_out::game::records::Records;
use lights_out::game::round::Round;
use lights_out::game::settings::Settings;
use lights_out::game::solvers::Solvers;
use lights_out::rules::{Rule, Size, Variant};
use lights_out::save::{Save, Snapshot, decode};
use lights_out::solver::Solver;
use proptest::prelude::*;

use crate::support::cases;

/// An action of the player.
#[derive(Clone, Copy, Debug)]
enum Act {
    Press(usize),
    Undo,
    Restart,
    /// The power is switched off and on.
    PowerCycle,
}

/// A round and its model.
struct ModelledRound {
    solver: Solver,
    round: Round,
    /// Board, moves, and the step that led to them. Undo ends at the first one.
    positions: Vec<(Board, u32, Option<UndoStep>)>,
}

impl ModelledRound {
    fn new(variant: Variant) -> Self {
        let solver = Solver::new(variant);
        let start = solver.press_all(Board::DARK, Presses::from_bits(1 << 6 | 1 << 12));
        let round = Round::new(&solver, start);
        Self { solver, round, positions: vec![(start, 0, None)] }
    }

    fn act(&mut self, act: Act) {
        let &(board, moves, _) = self.positions.last().expect("at least one position");
        match act {
            Act::Press(index) => {
                let key = Cell::new(index).expect("a cell");
                let is_key = self.solver.cells().contains(key);
                assert_eq!(self.round.press(&self.solver, key), is_key);
                if is_key {
                    self.push(self.solver.press(board, key), moves + 1, UndoStep::Key(key));
                }
            }
            Act::Restart => {
                let is_changed = (board, moves) != (self.round.start(), 0);
                assert_eq!(self.round.restart(&self.solver), is_changed);
                if is_changed {
                    self.push(self.round.start(), 0, UndoStep::Restart);
                }
            }
            Act::Undo => {
                let expected = if self.positions.len() > 1 {
                    self.positions.pop().expect("more than one position").2
                } else {
                    None
                };
                assert_eq!(self.round.undo(&self.solver), expected);
            }
            Act::PowerCycle => self.round = power_cycled(&self.round),
        }
        let &(board, moves, _) = self.positions.last().expect("at least one position");
        assert_eq!((self.round.board(), self.round.moves()), (board, moves), "after {act:?}");
    }

    fn push(&mut self, board: Board, moves: u32, step: UndoStep) {
        self.positions.push((board, moves, Some(step)));
        if self.positions.len() > UNDO_DEPTH + 1 {
            self.positions.remove(0);
        }
    }
}

fn save_of(round: &Round) -> Save {
    let mode = SavedMode::Random(random::SavedRandom { round: round.clone() });
    Save::of(&Snapshot { settings: Settings::DEFAULT, records: Records::NONE, mode, layout: None })
        .expect("every round fits")
}

fn round_in(bytes: &[u8]) -> Option<Round> {
    match decode(bytes)?.mode {
        SavedMode::Random(saved) => Some(saved.round),
        _ => None,
    }
}

fn power_cycled(round: &Round) -> Round {
    let back = round_in(save_of(round).bytes()).expect("a valid save");
    assert!(back.is_valid(&mut Solvers::new()), "{back:?}");
    back
}

fn acts(length: usize) -> impl Strategy<Value = Vec<Act>> {
    let act = prop_oneof![
        12 => (0..25_usize).prop_map(Act::Press),
        5 => Just(Act::Undo),
        2 => Just(Act::Restart),
        1 => Just(Act::PowerCycle),
    ];
    proptest::collection::vec(act, 0..length)
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn undo_and_restart_match_the_model(acts in acts(1000), rule in 0..5_usize, size in 1..4_usize) {
        let mut pair = ModelledRound::new(Variant { rule: Rule::ALL[rule], size: Size::ALL[size] });
        acts.into_iter().for_each(|act| pair.act(act));
        // Undo everything.
        for _ in 0..=UNDO_DEPTH {
            pair.act(Act::Undo);
        }
    }
}

#[test]
fn undo_depth_is_the_same_with_restarts() {
    for restart_every in [7, 100, 10_000] {
        let mut pair = ModelledRound::new(Variant::CLASSIC);
        for n in 1..3 * UNDO_DEPTH {
            pair.act(if n % restart_every == 0 { Act::Restart } else { Act::Press(n * 7 % 25) });
        }
        pair.act(Act::PowerCycle);
        for _ in 0..UNDO_DEPTH {
            assert!(pair.positions.len() > 1);
            pair.act(Act::Undo);
        }
        assert_eq!(pair.positions.len(), 1, "older steps cannot be undone");
        pair.act(Act::Undo);
    }
}

/// Replaces the history in the save of a round by these bytes. In a save, only the learned layout follows the history.
fn with_history(round: &Round, history: &[u8]) -> Option<Round> {
    let save = save_of(round);
    let mut bytes = save.bytes().to_vec();
    assert_eq!(bytes.pop(), Some(0), "no layout is saved");
    assert_eq!(bytes.pop(), Some(0), "the round has no history yet");
    assert!(history.len() < 128, "the length is one byte");
    bytes.push(history.len() as u8);
    bytes.extend_from_slice(history);
    round_in(&bytes)
}

#[test]
fn history_that_does_not_match_the_board_is_refused() {
    let solver = Solver::new(Variant::CLASSIC);
    let start = solver.press_all(Board::DARK, Presses::from_bits(0b1010101));
    let [low, middle, high, top] = start.bits().to_le_bytes();
    let fresh = Round::new(&solver, start);
    let is_valid = |history: &[u8]| with_history(&fresh, history).map(|round| round.is_valid(&mut Solvers::new()));
    assert_eq!(is_valid(&[]), Some(true));
    assert_eq!(is_valid(&[255, low, middle, high, top, 0, 0, 0, 0]), Some(true), "it begins with the current board");
    assert_eq!(is_valid(&[255, low, middle, high, top, 0, 0, 0, 0, 7, 25]), Some(true), "a move and a restart");
    assert_eq!(
        is_valid(&[255, low, middle, high, top, 9, 0, 0, 0, 25]),
        Some(true),
        "older moves are not in the history"
    );
    assert_eq!(is_valid(&[7]), Some(false), "the move is not counted");
    assert_eq!(is_valid(&[25]), Some(false), "the board before the restart is unknown");
    assert_eq!(is_valid(&[255, low, middle, high, top, 0, 0, 0, 0, 7]), Some(false), "it leads to another board");
    assert_eq!(
        is_valid(&[255, low ^ 1, middle, high, top, 0, 0, 0, 0, 25]),
        Some(false),
        "it begins with another board"
    );
    let unsolvable = [255, 1 << 7, 0, 0, 0, 1, 0, 0, 0, 25];
    assert_eq!(is_valid(&unsolvable), Some(false), "no press leads to this board");
    // The format is wrong.
    assert_eq!(is_valid(&[26]), None);
    assert_eq!(is_valid(&[255]), None);
    assert_eq!(is_valid(&[255, 0, 0, 0, 0, 0, 0, 0]), None);
    assert_eq!(is_valid(&[255, low, middle, high, top, 0, 0, 0, 0, 255]), None);
}
