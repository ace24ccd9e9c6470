//! The decoder of the LED wire, tested with single edges.

use crate::frame::Rgb;
use crate::led_timing::{BitTime, DataSheet};
use crate::matrix::CELLS;
use crate::ws2812::{Chain, ChainKind, FrameCorruption, WireFaultKind};
use core::time::Duration;
use lights_out::display::wire::{ColourOrder, LedOrder};
use lights_out::layout::{Layout, LedLayout, LedMap};

const LATCH: u64 = 300_000;
const RISE: u64 = 16_000_000;
const GRB: ChainKind = ChainKind {
    latch: Duration::from_nanos(LATCH),
    leds: LedLayout { colours: ColourOrder::Grb, ..Layout::REFERENCE.leds },
    supply_rise: Duration::from_nanos(RISE),
};

/// The high times of a zero and of a one, and the length of a bit, in ns.
#[derive(Clone, Copy)]
struct Sender {
    zero: u64,
    one: u64,
    bit: u64,
}

/// Times that agree with every data sheet. (With a bit of 1.15 us, the low time after a one of 0.70 us would be too
/// short.)
const GOOD: Sender = Sender { zero: 312, one: 690, bit: 1250 };

impl Sender {
    /// Sends bits from the time `ns` on. Returns the time of the end.
    fn send(self, chain: &mut Chain, mut ns: u64, bits: impl IntoIterator<Item = bool>) -> u64 {
        for bit in bits {
            chain.edge(ns, true);
            chain.edge(ns + if bit { self.one } else { self.zero }, false);
            ns += self.bit;
        }
        ns
    }
}

/// A chain whose supply is stable from time 0 on.
fn supplied_chain() -> Chain {
    let mut chain = Chain::new(ChainKind { supply_rise: Duration::ZERO, ..GRB });
    chain.supply(0, true);
    chain
}

/// The bits of a frame, in the order on the data line.
fn frame_bits(leds: &[Rgb; CELLS]) -> Vec<bool> {
    leds.iter()
        .flat_map(|led| [led.g, led.r, led.b])
        .flat_map(|byte| (0..8).rev().map(move |bit| byte >> bit & 1 != 0))
        .collect()
}

fn rainbow() -> [Rgb; CELLS] {
    core::array::from_fn(|cell| Rgb { r: cell as u8, g: 0x80 + cell as u8, b: 0xFF - cell as u8 })
}

fn last_fault(chain: &Chain) -> Option<WireFaultKind> {
    chain.faults().last().map(|fault| fault.kind)
}

#[test]
fn frame_is_complete_with_its_600th_bit() {
    for bit in [1150, 1200, 1250] {
        let mut chain = supplied_chain();
        let mut bits = frame_bits(&rainbow());
        let last = bits.pop();
        let sender = Sender { bit, ..GOOD };
        let end = sender.send(&mut chain, 1_000, bits);
        assert_eq!(chain.shown(), None);
        let end = sender.send(&mut chain, end, last);
        let frame = chain.shown().expect("600 bits have arrived");
        assert_eq!(frame.leds, rainbow());
        assert_eq!((frame.started, frame.ended), (Duration::from_nanos(1_000), Duration::from_nanos(end)));
        assert_eq!((end, chain.fault_count()), (1_000 + 600 * bit, 0));
        chain.edge(end + LATCH - 1, true);
        assert_eq!(last_fault(&chain), Some(WireFaultKind::Gap(LATCH - 1)));
    }
}

#[test]
fn chain_of_rgb_order_has_red_first() {
    let mut chain = Chain::new(ChainKind {
        leds: LedLayout { map: LedMap::of_chain(LedOrder::RowMajor), colours: ColourOrder::Rgb },
        supply_rise: Duration::ZERO,
        ..GRB
    });
    chain.supply(0, true);
    GOOD.send(&mut chain, 0, frame_bits(&rainbow()));
    let swapped = rainbow().map(|led| Rgb { r: led.g, g: led.r, b: led.b });
    assert_eq!(chain.shown().map(|frame| frame.leds), Some(swapped));
}

#[test]
fn bit_times_are_checked_against_every_data_sheet() {
    for (sender, faults) in [
        (GOOD, &[][..]),
        // A bit of ten ticks, split 2, 5, 3, with a rounding error of one cycle: the zero is too short for one part,
        // the one is too long for another, and the low time after it is too short.
        (
            Sender { zero: 248, one: 875, bit: 1250 },
            &[
                (DataSheet::Sk6812, BitTime::OneHigh, 875),
                (DataSheet::Sk6812, BitTime::OneLow, 375),
                (DataSheet::Ws2812b, BitTime::ZeroHigh, 248),
                (DataSheet::Ws2812b, BitTime::ZeroLow, 1002),
            ],
        ),
        (
            Sender { zero: 390, one: 704, bit: 1600 },
            &[
                (DataSheet::Ws2812b, BitTime::OneLow, 896),
                (DataSheet::Sk6812, BitTime::OneLow, 896),
                (DataSheet::Ws2812bV5, BitTime::ZeroHigh, 390),
                (DataSheet::Ws2812b, BitTime::ZeroLow, 1210),
                (DataSheet::Sk6812, BitTime::ZeroLow, 1210),
            ],
        ),
    ] {
        let mut chain = supplied_chain();
        // The rising edge ends the low time of the last bit.
        sender.send(&mut chain, 0, [true, false]);
        chain.edge(2 * sender.bit, true);
        let seen: Vec<_> = chain.faults().iter().map(|fault| fault.kind).collect();
        let expected: Vec<_> =
            faults.iter().map(|&(sheet, time, ns)| WireFaultKind::Time { sheet, time, ns }).collect();
        assert_eq!(seen, expected);
        let least = |extremes: Option<crate::Extremes>| extremes.map(|seen| seen.least.as_nanos() as u64);
        let times = chain.times();
        assert_eq!((least(times.zero_high), least(times.one_high)), (Some(sender.zero), Some(sender.one)));
        let lows = (Some(sender.bit - sender.zero), Some(sender.bit - sender.one));
        assert_eq!((least(times.zero_low), least(times.one_low)), lows);
    }
}

#[test]
fn short_gap_and_short_frame_are_faults() {
    let mut chain = supplied_chain();
    let end = GOOD.send(&mut chain, 0, frame_bits(&rainbow()));
    let end = GOOD.send(&mut chain, end + 100_000, frame_bits(&rainbow()));
    assert_eq!(last_fault(&chain), Some(WireFaultKind::Gap(100_000)));
    assert_eq!((chain.frames(), chain.fault_count()), (2, 1));

    let end = GOOD.send(&mut chain, end + LATCH, [true; 23]);
    chain.end_frame_after_gap(end + LATCH - 1);
    assert_eq!(chain.fault_count(), 1);
    chain.end_frame_after_gap(end + LATCH);
    assert_eq!(last_fault(&chain), Some(WireFaultKind::Bits(23)));
    assert_eq!(chain.shortest_gap(), Some(Duration::from_micros(100)));
    chain.clear_faults();
    assert_eq!((chain.fault_count(), chain.faults()), (0, &[][..]));
}

#[test]
fn extra_bit_is_a_fault_and_does_not_change_the_frame() {
    let mut chain = supplied_chain();
    let end = GOOD.send(&mut chain, 0, frame_bits(&rainbow()));
    let end = GOOD.send(&mut chain, end, [true]);
    chain.end_frame_after_gap(end + 1_000_000);
    assert_eq!(last_fault(&chain), Some(WireFaultKind::Bits(601)));
    assert_eq!(chain.shown().map(|frame| frame.leds), Some(rainbow()));
}

#[test]
fn recording_returns_each_frame_once() {
    let mut chain = supplied_chain();
    let end = GOOD.send(&mut chain, 0, frame_bits(&rainbow()));
    assert!(chain.take_recorded().is_empty());
    chain.record();
    GOOD.send(&mut chain, end + LATCH, frame_bits(&rainbow()));
    assert_eq!(chain.take_recorded().len(), 1);
    assert!(chain.take_recorded().is_empty());
}

#[test]
fn frame_before_the_supply_has_risen_is_lost() {
    let mut chain = Chain::new(GRB);
    chain.record();
    let end = GOOD.send(&mut chain, 0, frame_bits(&rainbow()));
    chain.supply(end, true);
    let good = end + RISE;
    assert!(!chain.can_receive(good - 1) && chain.can_receive(good));
    // The supply becomes stable during this frame.
    let end = GOOD.send(&mut chain, good - 1, frame_bits(&rainbow()));
    assert_eq!((chain.frames(), chain.lost(), chain.shown()), (0, 2, None));
    let end = GOOD.send(&mut chain, end + LATCH, frame_bits(&rainbow()));
    assert_eq!((chain.frames(), chain.lost(), chain.take_recorded().len()), (1, 2, 1));
    assert!(chain.shown().is_some());
    // The supply is off for 1 ns. The LEDs become dark, and the supply rises again.
    chain.supply(end, false);
    assert_eq!(chain.shown(), None);
    chain.supply(end + 1, true);
    let end = GOOD.send(&mut chain, end + LATCH, frame_bits(&rainbow()));
    assert_eq!((chain.frames(), chain.lost(), chain.shown()), (1, 3, None));
    assert_eq!(chain.faults(), [], "no fault on the data line");
    // The supply is interrupted during a frame.
    let half = GOOD.send(&mut chain, end + RISE, frame_bits(&rainbow()).into_iter().take(300));
    chain.supply(half, false);
    chain.supply(half, true);
    GOOD.send(&mut chain, half, frame_bits(&rainbow()).into_iter().skip(300));
    assert_eq!((chain.frames(), chain.lost()), (1, 4));
}

#[test]
fn corrupted_frame_is_corrected_by_the_next() {
    let white = [Rgb { r: 0x80, g: 0x80, b: 0x80 }; CELLS];
    let mut flipped = white;
    flipped[1].g = 0x84;
    // After the dropped pulse, each colour has the last seven bits of a byte and the first bit of the next. The last
    // LED gets too few bits and keeps its colour.
    let mut shifted = [Rgb { r: 0x01, g: 0x01, b: 0x01 }; CELLS];
    shifted[0] = white[0];
    shifted[CELLS - 1] = Rgb::default();
    for (corruption, expected) in
        [(FrameCorruption::FlipBit(24 + 5), flipped), (FrameCorruption::DropPulse(24), shifted)]
    {
        let mut chain = supplied_chain();
        chain.corrupt_next(corruption);
        let end = GOOD.send(&mut chain, 0, frame_bits(&white));
        assert_eq!(chain.shown().map(|frame| frame.leds), Some(expected), "{corruption:?}");
        GOOD.send(&mut chain, end + LATCH, frame_bits(&white));
        assert_eq!(chain.shown().map(|frame| frame.leds), Some(white));
        assert_eq!((chain.frames(), chain.fault_count()), (2, 0), "an injected fault is not a fault of the sender");
    }
}
