//! The generator draws all boards of a par with equal probability: Pearson's chi-square test, with fixed seeds.

use lights_out::board::{Board, Presses};
use lights_out::generator;
use lights_out::rules::Variant;
use lights_out::solver::{CLASSIC, Shortest, Solver};
use rand_core::Rng;
use rand_pcg::Pcg32;

use crate::support::boards::boards_within;

/// Up to this many boards, each board has its own bin. More boards are hashed into bins, separately for each
/// number of ties, because a generator that ignores ties is not uniform.
const EXACT_BINS: usize = 250;
const HASH_BINS: usize = 32;

/// The bins for the boards of one par.
struct Bins {
    exact: bool,
    par: u32,
    /// The number of boards in each bin.
    boards: Vec<u64>,
}

impl Bins {
    fn index(solver: &Solver, board: Board, shortest: Shortest) -> usize {
        let ties = solver.ties(shortest.presses);
        let hash = board.bits().wrapping_mul(0x9E37_79B1) >> 27;
        (ties as usize).min(8) * HASH_BINS + hash as usize
    }

    /// Bins for every par of the puzzle, counted over all of its boards.
    fn of_all_pars(solver: &Solver) -> Vec<(Self, Vec<Board>)> {
        let hardest = solver.variant().hardest_par();
        let mut pars: Vec<(Self, Vec<Board>)> =
            (0..=hardest).map(|par| (Self { exact: true, par, boards: vec![0; 9 * HASH_BINS] }, Vec::new())).collect();
        for board in boards_within(solver.variant().cells()) {
            let Some(shortest) = solver.shortest(board) else { continue };
            let (bins, list) = &mut pars[shortest.par as usize];
            bins.boards[Self::index(solver, board, shortest)] += 1;
            if list.len() <= EXACT_BINS {
                list.push(board);
            }
            bins.exact = list.len() <= EXACT_BINS;
        }
        pars
    }
}

/// The deviation of the drawn boards from uniform, in standard deviations: chi-square, transformed to a normal variable
/// (Wilson and Hilferty). A value above 4 has a probability of one in 30,000.
fn deviation(solver: &Solver, bins: &Bins, list: &[Board], draws: usize, mut draw: impl FnMut() -> Board) -> f64 {
    let expected_boards: Vec<u64> = if bins.exact { vec![1; list.len()] } else { bins.boards.clone() };
    let mut seen = vec![0_u64; expected_boards.len()];
    for _ in 0..draws {
        let board = draw();
        let shortest = solver.shortest(board).expect("generated boards are solvable");
        assert_eq!(shortest.par, bins.par, "{:?} {board}", solver.variant());
        let bin = if bins.exact {
            list.binary_search_by_key(&board.bits(), |b| b.bits()).expect("a board of this par")
        } else {
            Bins::index(solver, board, shortest)
        };
        seen[bin] += 1;
    }
    let total: u64 = expected_boards.iter().sum();
    let expected = expected_boards.iter().map(|&boards| boards as f64 / total as f64 * draws as f64);
    // Bins with fewer than five expected boards are too small for the statistic. They are combined into one.
    let (mut chi, mut degrees, mut thin) = (0.0, -1.0, (0.0, 0.0));
    for (expected, &seen) in expected.zip(&seen) {
        if expected == 0.0 {
            assert_eq!(seen, 0);
        } else if expected < 5.0 {
            thin = (thin.0 + expected, thin.1 + seen as f64);
        } else {
            chi += (seen as f64 - expected).powi(2) / expected;
            degrees += 1.0;
        }
    }
    if thin.0 >= 5.0 {
        chi += (thin.1 - thin.0).powi(2) / thin.0;
        degrees += 1.0;
    }
    if degrees < 1.0 {
        return 0.0;
    }
    let spread = 2.0 / (9.0 * degrees);
    ((chi / degrees).cbrt() - (1.0 - spread)) / f64::sqrt(spread)
}

#[test]
fn every_par_of_every_rule_is_uniform() {
    for (number, variant) in Variant::all().enumerate() {
        let solver = Solver::new(variant);
        let draws = if variant == Variant::CLASSIC { 40_000 } else { 8000 };
        for (bins, list) in Bins::of_all_pars(&solver) {
            let mut rng = Pcg32::new(u64::from(bins.par), number as u64);
            let deviation = deviation(&solver, &bins, &list, draws, || {
                generator::of_par(&solver, bins.par, &mut rng).expect("a par that the variant has")
            });
            assert!(deviation < 4.0, "{variant:?} par {}: {deviation:.1} standard deviations", bins.par);
        }
    }
}

#[test]
fn generator_without_ties_is_detected() {
    let (bins, list) = &Bins::of_all_pars(&CLASSIC)[10];
    let mut rng = Pcg32::new(1, 1);
    let careless = || {
        loop {
            let presses = Presses::from_bits(rng.next_u32());
            if presses.len() == 10 && CLASSIC.shorten(presses).par == 10 {
                return CLASSIC.press_all(Board::DARK, presses);
            }
        }
    };
    assert!(deviation(&CLASSIC, bins, list, 40_000, careless) > 4.0);
}

#[test]
fn impossible_par_gives_no_board() {
    let mut rng = Pcg32::new(0, 0);
    for variant in Variant::all() {
        let solver = Solver::new(variant);
        let hardest = variant.hardest_par();
        assert_eq!(generator::of_par(&solver, hardest + 1, &mut rng), None);
        assert_eq!(generator::of_par(&solver, u32::MAX, &mut rng), None);
        assert!(generator::of_par(&solver, hardest, &mut rng).is_some());
        assert_eq!(generator::of_par(&solver, 0, &mut rng), Some(Board::DARK));
    }
}

#[test]
fn solvable_boards_are_uniform_and_never_dark() {
    // 2 x 2 has 15 such boards, and all are equally frequent. The classic board is checked by its par in the next test.
    let mut rng = Pcg32::new(2, 3);
    for variant in Variant::all() {
        let solver = Solver::new(variant);
        let boards: Vec<Board> = if variant.cells().len() <= 9 {
            boards_within(variant.cells()).filter(|&board| solver.is_solvable(board) && !board.is_dark()).collect()
        } else {
            Vec::new()
        };
        let mut seen = vec![0_u32; boards.len()];
        for _ in 0..20_000 {
            let board = generator::solvable(&solver, &mut rng);
            assert!(solver.is_solvable(board) && !board.is_dark(), "{variant:?} {board}");
            if let Ok(index) = boards.binary_search_by_key(&board.bits(), |b| b.bits()) {
                seen[index] += 1;
            }
        }
        let expected = 20_000.0 / boards.len() as f64;
        for (board, &seen) in boards.iter().zip(&seen) {
            assert!(
                (f64::from(seen) - expected).abs() < 4.5 * expected.sqrt(),
                "{variant:?} {board}: {seen}, not {expected}"
            );
        }
    }
}

#[test]
fn mean_par_matches_all_classic_boards() {
    let mut rng = Pcg32::new(5, 8);
    let draws = 200_000;
    let mut sum = 0;
    for _ in 0..draws {
        sum += CLASSIC.par(generator::solvable(&CLASSIC, &mut rng)).expect("solvable");
    }
    let mean = f64::from(sum) / f64::from(draws);
    // The mean par of all classic boards is 9.90; its spread over this many draws is 0.004.
    assert!((mean - 9.90).abs() < 0.02, "{mean}");
}

#[test]
fn same_seed_gives_the_same_boards() {
    let generate = |seed| {
        let mut rng = Pcg32::new(seed, 0);
        (1..=15).map(|par| generator::of_par(&CLASSIC, par, &mut rng).unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(generate(7), generate(7));
    assert_ne!(generate(7), generate(8));
}
