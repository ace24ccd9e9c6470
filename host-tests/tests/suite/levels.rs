//! The boards of the levels never change.

use lights_out::board::Board;
use lights_out::solver::CLASSIC;
use lights_out::{generator, level_boards};
use rand_pcg::Pcg32;

fn all_levels() -> Vec<Board> {
    (0..level_boards::COUNT).map(|level| level_boards::board(level).expect("a level")).collect()
}

#[test]
fn levels_are_75_distinct_boards_of_their_par() {
    let boards = all_levels();
    assert_eq!(boards.len(), 75);
    for (level, &board) in boards.iter().enumerate() {
        assert_eq!(level_boards::par(level), level as u32 / 5 + 1);
        assert_eq!(CLASSIC.par(board), Some(level_boards::par(level)), "level {level}: {board}");
        assert!(!boards[..level].contains(&board), "level {level} has the board of another level: {board}");
    }
    assert_eq!(level_boards::board(75), None);
}

#[test]
fn documented_seed_generates_the_levels() {
    let mut rng = Pcg32::new(1995, 75);
    let mut drawn = Vec::new();
    while drawn.len() < level_boards::COUNT {
        let board =
            generator::of_par(&CLASSIC, level_boards::par(drawn.len()), &mut rng).expect("a par of the classic board");
        if !drawn.contains(&board) {
            drawn.push(board);
        }
    }
    let listing: Vec<String> = drawn.iter().map(|board| format!("0x{:07X}", board.bits())).collect();
    assert_eq!(drawn, all_levels(), "the seed generates {}", listing.join(", "));
}

/// Results are saved by level number. This test fails even if the generator and the table change together.
#[test]
fn level_boards_never_change() {
    // FNV-1a over the boards as little-endian words.
    let hash = all_levels()
        .iter()
        .flat_map(|board| board.bits().to_le_bytes())
        .fold(0xCBF2_9CE4_8422_2325_u64, |h, byte| (h ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3));
    assert_eq!(hash, 0xA76D_5448_39AF_F1A1, "0x{hash:016X}");
}
