//! From pictures to the wire, and what the pictures keep to.

use lights_out::board::{Board, CELLS, Cell, Cells};
use lights_out::layout::{Layout, LedMap, Lights};
use lights_out::picture::wire::{self, ColourOrder, LedOrder, current};
use lights_out::picture::{Colour, FRAME_TIME, Frame, Text, WIPE};
use rand_core::Rng;
use rand_pcg::Pcg32;
use smart_leds::RGB8;

const WHITE: RGB8 = RGB8::new(255, 255, 255);

/// What the LEDs show that are wired like this, in the order of their chain.
fn shown(frame: &Frame, brightness: u8, cap: u32, lights: &Lights) -> [RGB8; CELLS] {
    wire::encoded(frame, brightness, cap, lights).map(|word| lights.colours.unpack(word))
}

fn encoded(frame: &Frame, brightness: u8, cap: u32) -> [RGB8; CELLS] {
    shown(frame, brightness, cap, &Layout::REFERENCE.lights)
}

/// The formula as WLED has it, in exact numbers.
fn milliamps(leds: &[RGB8; CELLS]) -> f64 {
    let sum: f64 = leds.iter().map(|led| f64::from(led.r) + f64::from(led.g) + f64::from(led.b)).sum();
    25.0 + 25.0 + 55.0 * sum / 765.0
}

#[test]
fn no_picture_draws_more_than_the_cap() {
    let mut rng = Pcg32::new(4, 4);
    for round in 0..1_000_000 {
        let mut frame = Frame([WHITE; CELLS]);
        if round > 0 {
            // From nearly dark to nearly white, and everything between.
            let floor = rng.next_u32() as u8;
            for light in &mut frame.0 {
                let [r, g, b, _] = rng.next_u32().to_le_bytes();
                *light = RGB8::new(r.max(floor), g.max(floor), b.max(floor));
            }
        }
        let cap = [100, 250, 400, 500][rng.next_u32() as usize % 4];
        let leds = encoded(&frame, if round == 0 { 255 } else { rng.next_u32() as u8 }, cap);
        assert!(milliamps(&leds) <= f64::from(cap), "{} mA of {cap}", milliamps(&leds));
        assert!(f64::from(current::drawn(&leds)) - milliamps(&leds) < 1.0);
    }
}

#[test]
fn the_cap_uses_what_it_may() {
    let leds = encoded(&Frame([WHITE; CELLS]), 255, 400);
    assert!(milliamps(&leds) > 360.0, "{}", milliamps(&leds));
    assert!(leds.iter().all(|&led| led == leds[0]), "white stays even");
}

#[test]
fn a_full_board_is_not_dimmed_by_the_cap() {
    // Else the lights would change their brightness with every press.
    let one = encoded(&Frame::of_board(Board::from_bits(1)), 128, 400);
    let all = encoded(&Frame::of_board(Board::of(Cells::ALL)), 128, 400);
    assert!(all.iter().all(|&led| led == one[0]));
}

#[test]
fn gamma_and_brightness() {
    let at = |value, brightness| encoded(&Frame([RGB8::new(value, 0, 0); CELLS]), brightness, 5000)[0].r;
    assert_eq!((at(255, 255), at(0, 255)), (255, 0));
    assert!(at(128, 255) > 30 && at(128, 255) < 60, "half as bright to the eye is much less current");
    assert_eq!(at(255, 127), 128);
    assert_eq!(at(60, 1), 1, "a light that is on stays on at the lowest brightness");
}

#[test]
fn the_chain_may_run_either_way() {
    let mut frame = Frame::DARK;
    for cell in Cell::all() {
        // Bright enough to differ after gamma correction.
        frame.set(cell, RGB8::new(5 + 10 * cell.index() as u8, 200, 0));
    }
    let along = |order| {
        let lights = Lights { map: LedMap::of_chain(order), colours: ColourOrder::Grb };
        shown(&frame, 255, 5000, &lights)
    };
    let straight = along(LedOrder::RowMajor);
    let winding = along(LedOrder::Serpentine);
    for cell in Cell::all() {
        assert_eq!(LedOrder::RowMajor.position(cell).index(), cell.index());
        let along = if cell.row() % 2 == 0 { cell.column() } else { 4 - cell.column() };
        assert_eq!(winding[5 * cell.row() + along], straight[cell.index()]);
    }
}

#[test]
fn a_colour_goes_over_the_wire_in_each_of_six_orders() {
    let colour = RGB8::new(1, 2, 3);
    let first_bytes = ColourOrder::ALL.map(|order| order.packing()(colour).to_be_bytes());
    assert_eq!(
        first_bytes,
        [[2, 1, 3, 0], [1, 2, 3, 0], [1, 3, 2, 0], [2, 3, 1, 0], [3, 1, 2, 0], [3, 2, 1, 0]],
        "GRB RGB RBG GBR BRG BGR"
    );
    for believed in ColourOrder::ALL {
        for real in ColourOrder::ALL {
            // Which channel looks red, green, blue, when it alone is sent.
            let looks = [0, 1, 2].map(|channel| {
                let mut sent = [0; 3];
                sent[channel] = 255;
                let seen = real.unpack(believed.packing()(sent.into()));
                [seen.r, seen.g, seen.b].iter().position(|&value| value > 0).expect("one of them shines")
            });
            let channels =
                [0, 1, 2].map(|colour| looks.iter().position(|&looks| looks == colour).expect("one of them"));
            assert_eq!(believed.corrected(channels), Some(real));
        }
        assert_eq!(believed.corrected([0, 0, 1]), None);
    }
}

#[test]
fn on_a_board_lit_is_lit_and_dark_is_dark() {
    let board = Board::parse("#.#.. ..... .###. ....# #....").unwrap();
    let leds = encoded(&Frame::of_board(board), 1, 400);
    for cell in Cell::all() {
        assert_eq!(leds[cell.index()] != RGB8::default(), board.is_lit(cell));
    }
}

#[test]
fn a_hint_is_seen_on_a_lit_and_on_a_dark_light() {
    for board in [Board::DARK, Board::of(Cells::ALL)] {
        let cell = Cell::new(12).unwrap();
        let at = |elapsed| {
            let mut frame = Frame::of_board(board);
            frame.point_out(cell, elapsed);
            frame.0[12]
        };
        assert_eq!(at(0), Colour::POINTER, "at once");
        let lowest = at(500_000);
        assert!(u32::from(lowest.r) + u32::from(lowest.g) < 200, "seen by its brightness alone");
        assert_eq!(lowest == Colour::OFF, board.is_dark(), "on or off can still be told");
        assert_eq!(at(1_000_000), Colour::POINTER);
    }
}

/// Photosensitive players: the whole grid never flashes more than three times a second.
#[test]
fn no_picture_flashes_the_whole_grid() {
    let greeting: Vec<Frame> = (0..24).map(|n| Frame::greeting(n * FRAME_TIME, 800_000)).collect();
    let ripple: Vec<Frame> =
        (0..30).map(|n| Frame::ripple(Cell::new(12).unwrap(), n * FRAME_TIME, 1_000_000, Colour::GOOD)).collect();
    for frames in [greeting, ripple] {
        let brightness: Vec<u32> =
            frames.iter().map(|frame| frame.0.iter().map(|light| u32::from(light.g)).sum()).collect();
        // One rise and one fall: a single crest passes.
        let turns =
            brightness.windows(3).filter(|w| (w[1] > w[0]) != (w[2] > w[1]) && w[1] != w[0] && w[2] != w[1]).count();
        assert!(turns <= 2, "{brightness:?}");
        assert!(brightness[0] > 0, "something is seen at once");
    }
}

#[test]
fn a_text_ends_dark_and_takes_any_number() {
    for (moves, par) in [(1, 1), (10, 9), (123, 15), (u32::MAX, u32::MAX)] {
        let mut text = Text::new();
        text.number(moves, Colour::DIGIT);
        text.dash(Colour::DIGIT);
        text.number(par, Colour::GOOD);
        text.space();
        text.number(u32::MAX, Colour::POINTER);
        let duration = text.duration();
        assert_ne!(text.frame(150_000), Frame::DARK, "it begins at once");
        assert_eq!(text.frame(duration), Frame::DARK);
        assert_ne!(text.frame(duration / 2), Frame::DARK);
    }
}

#[test]
fn a_wipe_goes_from_the_old_picture_to_the_new_one_light_by_light() {
    let (old, new) = (Frame::of_board(Board::of(Cells::ALL)), Frame::DARK);
    assert_eq!(new.wiped_in(&old, 0), old);
    assert_eq!(new.wiped_in(&old, WIPE), new);
    const { assert!(WIPE <= 400_000) };
    let lit = |elapsed| new.wiped_in(&old, elapsed).0.iter().filter(|&&light| light != Colour::OFF).count();
    let counts: Vec<usize> = (0..=10).map(|n| lit(WIPE * n / 10)).collect();
    assert!(counts.windows(2).all(|pair| pair[0] >= pair[1] && pair[0] - pair[1] <= 10), "{counts:?}");
}
