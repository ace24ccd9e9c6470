//! Frames: their encoding for the LED wire, and the rules that all frames follow.

use lights_out::board::{Board, CELLS, Cell, Cells};
use lights_out::display::wire::{self, ColourOrder, LedOrder, current};
use lights_out::display::{Colour, FRAME_TIME, Frame, Text, WIPE};
use lights_out::layout::{Layout, LedLayout, LedMap};
use rand_core::Rng;
use rand_pcg::Pcg32;
use smart_leds::RGB8;

const WHITE: RGB8 = RGB8::new(255, 255, 255);

/// The colours that LEDs with this layout show, in the order of the chain.
fn shown(frame: &Frame, brightness: u8, cap: u32, leds: &LedLayout) -> [RGB8; CELLS] {
    wire::encoded(frame, brightness, cap, leds).map(|word| leds.colours.unpack(word))
}

fn encoded(frame: &Frame, brightness: u8, cap: u32) -> [RGB8; CELLS] {
    shown(frame, brightness, cap, &Layout::REFERENCE.leds)
}

/// The current by the formula of WLED, with exact numbers.
fn milliamps(leds: &[RGB8; CELLS]) -> f64 {
    let sum: f64 = leds.iter().map(|led| f64::from(led.r) + f64::from(led.g) + f64::from(led.b)).sum();
    25.0 + 25.0 + 55.0 * sum / 765.0
}

#[test]
fn no_frame_draws_more_than_the_cap() {
    let mut rng = Pcg32::new(4, 4);
    for round in 0..1_000_000 {
        let mut frame = Frame([WHITE; CELLS]);
        if round > 0 {
            // From nearly dark to nearly white.
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
fn capped_frame_uses_most_of_the_cap() {
    let leds = encoded(&Frame([WHITE; CELLS]), 255, 400);
    assert!(milliamps(&leds) > 360.0, "{}", milliamps(&leds));
    assert!(leds.iter().all(|&led| led == leds[0]), "all LEDs stay the same");
}

#[test]
fn full_board_is_not_dimmed_by_the_cap() {
    // Otherwise the brightness of the lights would change with each press.
    let one = encoded(&Frame::of_board(Board::from_bits(1)), 128, 400);
    let all = encoded(&Frame::of_board(Board::of(Cells::ALL)), 128, 400);
    assert!(all.iter().all(|&led| led == one[0]));
}

#[test]
fn gamma_and_brightness_scale_the_colours() {
    let at = |value, brightness| encoded(&Frame([RGB8::new(value, 0, 0); CELLS]), brightness, 5000)[0].r;
    assert_eq!((at(255, 255), at(0, 255)), (255, 0));
    assert!(at(128, 255) > 30 && at(128, 255) < 60, "half of the perceived brightness needs much less current");
    assert_eq!(at(255, 127), 128);
    assert_eq!(at(60, 1), 1, "a lit LED stays lit at the lowest brightness");
}

#[test]
fn serpentine_chain_reverses_odd_rows() {
    let mut frame = Frame::DARK;
    for cell in Cell::all() {
        // Bright enough to differ after gamma correction.
        frame.set(cell, RGB8::new(5 + 10 * cell.index() as u8, 200, 0));
    }
    let along = |order| {
        let lights = LedLayout { map: LedMap::of_chain(order), colours: ColourOrder::Grb };
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
fn all_six_colour_orders_are_encoded() {
    let colour = RGB8::new(1, 2, 3);
    let first_bytes = ColourOrder::ALL.map(|order| order.packing()(colour).to_be_bytes());
    assert_eq!(
        first_bytes,
        [[2, 1, 3, 0], [1, 2, 3, 0], [1, 3, 2, 0], [2, 3, 1, 0], [3, 1, 2, 0], [3, 2, 1, 0]],
        "GRB RGB RBG GBR BRG BGR"
    );
    for assumed in ColourOrder::ALL {
        for real in ColourOrder::ALL {
            // The colour that is seen if one channel is sent alone.
            let looks = [0, 1, 2].map(|channel| {
                let mut sent = [0; 3];
                sent[channel] = 255;
                let seen = real.unpack(assumed.packing()(sent.into()));
                [seen.r, seen.g, seen.b].iter().position(|&value| value > 0).expect("one channel is lit")
            });
            let channels = [0, 1, 2]
                .map(|colour| looks.iter().position(|&looks| looks == colour).expect("one channel has this colour"));
            assert_eq!(assumed.corrected(channels), Some(real));
        }
        assert_eq!(assumed.corrected([0, 0, 1]), None);
    }
}

#[test]
fn only_lit_cells_light_up() {
    let board = Board::parse("#.#.. ..... .###. ....# #....").unwrap();
    let leds = encoded(&Frame::of_board(board), 1, 400);
    for cell in Cell::all() {
        assert_eq!(leds[cell.index()] != RGB8::default(), board.is_lit(cell));
    }
}

#[test]
fn hint_is_visible_on_lit_and_dark_cells() {
    for board in [Board::DARK, Board::of(Cells::ALL)] {
        let cell = Cell::new(12).unwrap();
        let at = |elapsed| {
            let mut frame = Frame::of_board(board);
            frame.point_out(cell, elapsed);
            frame.0[12]
        };
        assert_eq!(at(0), Colour::POINTER, "it starts at full brightness");
        let lowest = at(500_000);
        assert!(u32::from(lowest.r) + u32::from(lowest.g) < 200, "it is visible by its brightness alone");
        assert_eq!(lowest == Colour::OFF, board.is_dark(), "the state of the light stays visible");
        assert_eq!(at(1_000_000), Colour::POINTER);
    }
}

/// For photosensitive players: the whole grid never flashes more than three times a second.
#[test]
fn no_animation_flashes_the_whole_grid() {
    let greeting: Vec<Frame> = (0..24).map(|n| Frame::greeting(n * FRAME_TIME, 800_000)).collect();
    let ripple: Vec<Frame> =
        (0..30).map(|n| Frame::ripple(Cell::new(12).unwrap(), n * FRAME_TIME, 1_000_000, Colour::GOOD)).collect();
    for frames in [greeting, ripple] {
        let brightness: Vec<u32> =
            frames.iter().map(|frame| frame.0.iter().map(|light| u32::from(light.g)).sum()).collect();
        // One rise and one fall: there is a single maximum.
        let turns =
            brightness.windows(3).filter(|w| (w[1] > w[0]) != (w[2] > w[1]) && w[1] != w[0] && w[2] != w[1]).count();
        assert!(turns <= 2, "{brightness:?}");
        assert!(brightness[0] > 0, "the first frame is not dark");
    }
}

#[test]
fn text_shows_any_number_and_ends_dark() {
    for (moves, par) in [(1, 1), (10, 9), (123, 15), (u32::MAX, u32::MAX)] {
        let mut text = Text::new();
        text.number(moves, Colour::DIGIT);
        text.dash(Colour::DIGIT);
        text.number(par, Colour::GOOD);
        text.space();
        text.number(u32::MAX, Colour::POINTER);
        let duration = text.duration();
        assert_ne!(text.frame(150_000), Frame::DARK, "it begins immediately");
        assert_eq!(text.frame(duration), Frame::DARK);
        assert_ne!(text.frame(duration / 2), Frame::DARK);
    }
}

#[test]
fn wipe_replaces_the_frame_gradually() {
    let (old, new) = (Frame::of_board(Board::of(Cells::ALL)), Frame::DARK);
    assert_eq!(new.wiped_in(&old, 0), old);
    assert_eq!(new.wiped_in(&old, WIPE), new);
    const { assert!(WIPE <= 400_000) };
    let lit = |elapsed| new.wiped_in(&old, elapsed).0.iter().filter(|&&light| light != Colour::OFF).count();
    let counts: Vec<usize> = (0..=10).map(|n| lit(WIPE * n / 10)).collect();
    assert!(counts.windows(2).all(|pair| pair[0] >= pair[1] && pair[0] - pair[1] <= 10), "{counts:?}");
}
