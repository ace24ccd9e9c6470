//! The solver, on every board of every rule.

use lights_out::board::{Board, CELLS, Cell, Cells, Presses};
use lights_out::rules::{Rule, Size, Variant};
use lights_out::solver::{CLASSIC, Solver};
use proptest::prelude::*;

use crate::support::boards::{UNREACHED, boards_within, fewest_presses};
use crate::support::cases;

/// The number of classic boards for each par from 0 to 15.
const BOARDS_BY_PAR: [u32; 16] = [
    1, 25, 300, 2300, 12_650, 53_130, 176_176, 467_104, 982_335, 1_596_279, 1_935_294, 1_684_446, 1_004_934, 383_670,
    82_614, 7350,
];

#[test]
fn key_flips_itself_and_its_neighbours() {
    let press = |row, column| CLASSIC.press(Board::DARK, Cell::at(row, column).unwrap()).to_string();
    assert_eq!(press(2, 2), "..... ..#.. .###. ..#.. .....");
    assert_eq!(press(0, 0), "##... #.... ..... ..... .....");
    assert_eq!(press(4, 3), "..... ..... ..... ...#. ..###");
}

#[test]
fn every_rule_flips_its_cells_on_every_size() {
    let press = |rule, size, row, column| {
        Solver::new(Variant { rule, size }).press(Board::DARK, Cell::at(row, column).unwrap()).to_string()
    };
    assert_eq!(press(Rule::Cross, Size::Five, 1, 1), "#.#.. .#... #.#.. ..... .....");
    assert_eq!(press(Rule::PlusTorus, Size::Five, 0, 0), "##..# #.... ..... ..... #....");
    assert_eq!(press(Rule::CrossTorus, Size::Five, 0, 0), "#.... .#..# ..... ..... .#..#");
    assert_eq!(press(Rule::Ring, Size::Five, 2, 2), "..... ..#.. .#.#. ..#.. .....");
    assert_eq!(press(Rule::Plus, Size::Two, 1, 1), "..... .##.. .#... ..... .....");
    assert_eq!(press(Rule::Plus, Size::Three, 2, 2), "..... ..#.. .###. ..#.. .....");
    assert_eq!(press(Rule::PlusTorus, Size::Three, 1, 1), "..... .###. .#... .#... .....");
    assert_eq!(press(Rule::PlusTorus, Size::Two, 1, 1), "..... .##.. .#... ..... .....");
    assert_eq!(press(Rule::Plus, Size::Four, 3, 3), "..... ..... ...#. ..##. .....");
    assert_eq!(press(Rule::Plus, Size::Four, 4, 4), "..... ..... ..... ..... .....", "not a key of this board");
}

#[test]
fn classic_quiet_patterns_are_the_known_ones() {
    let mut span: Vec<u32> = (0..4_u32)
        .map(|pick| (0..2).filter(|i| pick >> i & 1 == 1).fold(0, |sum, i| sum ^ CLASSIC.quiet_patterns()[i].bits()))
        .collect();
    span.sort_unstable();
    assert_eq!(span, [0, 0x0EA_EEAE, 0x15A_82B5, 0x1B0_6C1B]);
    // The board is symmetric, so the same patterns are the parity masks.
    let mut masks = CLASSIC.parity_masks().to_vec();
    assert!(masks.iter().all(|mask| span.contains(&mask.bits())));
    masks.dedup();
    assert_eq!(masks.len(), 2);
}

#[test]
fn nullity_of_every_rule_and_size_is_known() {
    let nullity = |rule| Size::ALL.map(|size| Solver::new(Variant { rule, size }).quiet_patterns().len());
    assert_eq!(nullity(Rule::Plus), [0, 0, 4, 2]);
    assert_eq!(nullity(Rule::Cross), [2, 0, 4, 4]);
    assert_eq!(nullity(Rule::PlusTorus), [0, 4, 0, 8]);
    assert_eq!(nullity(Rule::CrossTorus), [2, 4, 0, 8]);
    assert_eq!(nullity(Rule::Ring), [2, 3, 4, 5]);
}

#[test]
fn number_of_classic_boards_per_par_is_known() {
    let mut press_sets = [0_u32; 16];
    for presses in (0..1 << CELLS).map(Presses::from_bits) {
        press_sets[CLASSIC.shorten(presses).par as usize] += 1;
    }
    // Each solvable board is reached by four press sets.
    assert_eq!(press_sets, BOARDS_BY_PAR.map(|boards| 4 * boards));
    assert_eq!(BOARDS_BY_PAR.iter().sum::<u32>(), 1 << 23);
    assert_eq!(CLASSIC.par(Board::of(Cells::ALL)), Some(15), "all lights on");
}

/// On every board, three tests of solvability agree: the parity check, the inverse table with substitution, and a
/// search over all press sets. The shortest solution solves the board and is as short as the search result.
fn prove_on_every_board(rule: Rule) {
    for size in Size::ALL {
        prove(Variant { rule, size });
    }
}

fn prove(variant: Variant) {
    let solver = Solver::new(variant);
    let fewest = fewest_presses(&solver);
    let mut hardest = 0;
    for board in boards_within(variant.cells()) {
        let reached = fewest[board.bits() as usize];
        let solvable = reached != UNREACHED;
        assert_eq!(solver.is_solvable(board), solvable, "parity check: {variant:?} {board}");
        let substituted = solver.press_all(board, solver.inverse(board)).is_dark();
        assert_eq!(substituted, solvable, "inverse table: {variant:?} {board}");
        let shortest = solver.shortest(board);
        assert_eq!(shortest.is_some(), solvable, "shortest: {variant:?} {board}");
        if let Some(shortest) = shortest {
            assert_eq!(shortest.par, u32::from(reached), "par: {variant:?} {board}");
            assert_eq!(shortest.presses.len(), shortest.par, "length: {variant:?} {board}");
            assert!(solver.press_all(board, shortest.presses).is_dark(), "solution: {variant:?} {board}");
            hardest = hardest.max(shortest.par);
        }
    }
    assert_eq!(variant.hardest_par(), hardest, "{variant:?}");
    for cell in !variant.cells() {
        for board in boards_within(variant.cells()).map(|board| Board::of(board.lit() | cell.bit())) {
            assert!(!solver.is_solvable(board), "a light outside the board: {variant:?} {board}");
            assert_eq!(solver.shortest(board), None, "a light outside the board: {variant:?} {board}");
        }
    }
}

#[test]
fn solver_is_correct_on_every_plus_board() {
    prove_on_every_board(Rule::Plus);
}

#[test]
fn solver_is_correct_on_every_cross_board() {
    prove_on_every_board(Rule::Cross);
}

#[test]
fn solver_is_correct_on_every_plus_torus_board() {
    prove_on_every_board(Rule::PlusTorus);
}

#[test]
fn solver_is_correct_on_every_cross_torus_board() {
    prove_on_every_board(Rule::CrossTorus);
}

#[test]
fn solver_is_correct_on_every_ring_board() {
    prove_on_every_board(Rule::Ring);
}

fn any_variant() -> impl Strategy<Value = Variant> {
    (0..Rule::ALL.len(), 0..Size::ALL.len())
        .prop_map(|(rule, size)| Variant { rule: Rule::ALL[rule], size: Size::ALL[size] })
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn board_text_parses_back(bits in 0_u32..1 << CELLS) {
        let board = Board::from_bits(bits);
        prop_assert_eq!(Board::parse(&board.to_string()), Some(board));
    }

    #[test]
    fn any_text_is_parsed_without_panic(text in "[#. \n]{0,40}|\\PC*") {
        let lights = text.chars().filter(|c| "#.".contains(*c)).count();
        let foreign = text.chars().any(|c| !"#.".contains(c) && !c.is_ascii_whitespace());
        prop_assert_eq!(Board::parse(&text).is_some(), lights == CELLS && !foreign);
    }

    #[test]
    fn hints_reduce_the_par_by_one(variant in any_variant(), presses: u32) {
        let solver = Solver::new(variant);
        let mut board = solver.press_all(Board::DARK, Presses::on(Cells::from_bits(presses) & variant.cells()));
        let par = solver.par(board).unwrap();
        for left in (0..par).rev() {
            board = solver.press(board, solver.hint(board).unwrap());
            prop_assert_eq!(solver.par(board), Some(left));
        }
        prop_assert!(board.is_dark());
        prop_assert_eq!(solver.hint(board), None);
    }
}
