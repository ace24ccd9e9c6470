//! The PWM block, without a chip and as the driver of the piezo. Slice 7, channel B, is pin 15.

use super::{IO_BANK0, Program, SELF, ms};
use crate::Options;
use crate::pwm::Pwm;
use core::time::Duration;
use lights_out::wiring::Wiring;

const PIN: u32 = 15;
const CSR: u32 = 7 * 0x14;
const DIV: u32 = CSR + 4;
const CTR: u32 = CSR + 8;
const CC: u32 = CSR + 12;
const TOP: u32 = CSR + 16;
const HZ: u32 = 125_000_000;

/// Starts a tone with a period of `top + 1` counts of 64 cycles, half of them high. The writes have the same order as
/// in embassy-rp.
fn play(pwm: &mut Pwm, top: u32, cycle: u64) {
    configure(pwm, [64 << 4, (top / 2) << 16, top, 1], cycle);
}

fn silence(pwm: &mut Pwm, cycle: u64) {
    configure(pwm, [1 << 4, 0, 0xFFFF, 0], cycle);
}

fn configure(pwm: &mut Pwm, values: [u32; 4], cycle: u64) {
    for (register, value) in [DIV, CC, TOP, CSR].into_iter().zip(values) {
        pwm.write(register, value, 0, cycle);
    }
}

fn is_high(pwm: &Pwm, cycle: u64) -> bool {
    pwm.levels(1 << PIN, cycle) != 0
}

#[test]
fn wave_is_high_below_compare_and_wraps_after_top() {
    let mut pwm = Pwm::new(8);
    play(&mut pwm, 999, 0);
    assert_eq!(pwm.tone(PIN, 0, HZ), Some(1953));
    for (cycle, high) in [(0, true), (499 * 64 - 1, true), (499 * 64, false), (1000 * 64 - 1, false), (1000 * 64, true)]
    {
        assert_eq!(is_high(&pwm, cycle), high, "{cycle}");
        assert_eq!(is_high(&pwm, cycle + 1_000_000 * 64_000), high, "an hour later");
    }
    assert_eq!(pwm.next_toggle(1 << PIN, 64_000), Some(64_000 + 499 * 64));
    assert_eq!(pwm.next_toggle(1 << PIN, 64_000 + 499 * 64), Some(128_000));
    assert_eq!(pwm.read(CTR, 123_456), 123_456 / 64 % 1000);
    assert_eq!(pwm.levels(1 << 14, 123_456), 0, "channel A is the other half of CC");
}

#[test]
fn pwm_divider_has_sixteenths() {
    let mut pwm = Pwm::new(8);
    configure(&mut pwm, [(2 << 4) | 8, 1 << 16, 9, 1], 0);
    assert_eq!([24, 25, 49, 50].map(|cycle| pwm.read(CTR, cycle)), [9, 0, 9, 0]);
    assert_eq!(pwm.tone(PIN, 50, HZ), Some(5_000_000));
}

#[test]
fn new_wave_begins_at_the_next_wrap() {
    let mut pwm = Pwm::new(8);
    play(&mut pwm, 999, 0);
    play(&mut pwm, 499, 600 * 64);
    assert_eq!((pwm.tone(PIN, 600 * 64, HZ), pwm.next_tone(PIN, 600 * 64)), (Some(1953), Some(64_000)));
    assert_eq!((pwm.tone(PIN, 64_000, HZ), pwm.next_tone(PIN, 64_000)), (Some(3906), None));
}

#[test]
fn disabled_slice_keeps_its_counter() {
    let mut pwm = Pwm::new(8);
    play(&mut pwm, 999, 0);
    silence(&mut pwm, 700 * 64);
    assert_eq!((pwm.tone(PIN, 700 * 64, HZ), is_high(&pwm, 700 * 64)), (None, false));
    assert_eq!(pwm.read(CTR, 1_000_000), 700);
    // 65,536 - 700 counts of silence: 33 ms.
    play(&mut pwm, 499, 1_000_000);
    let heard = 1_000_000 + (65_536 - 700) * 64;
    assert_eq!((pwm.tone(PIN, 1_000_000, HZ), pwm.next_tone(PIN, 1_000_000)), (None, Some(heard)));
    assert_eq!(pwm.next_toggle(1 << PIN, 1_000_000), Some(heard));
    assert_eq!((pwm.tone(PIN, heard - 1, HZ), is_high(&pwm, heard - 1)), (None, false));
    assert_eq!((pwm.tone(PIN, heard, HZ), is_high(&pwm, heard)), (Some(3906), true));
    // After a write to CTR, the tone begins at once.
    let mut pwm = Pwm::new(8);
    play(&mut pwm, 999, 0);
    silence(&mut pwm, 700 * 64);
    pwm.write(CTR, 0, 0, 800 * 64);
    play(&mut pwm, 499, 1_000_000);
    assert_eq!(pwm.tone(PIN, 1_000_000, HZ), Some(3906));
}

#[test]
fn pin_of_a_disabled_slice_can_stay_high() {
    let mut pwm = Pwm::new(8);
    play(&mut pwm, 999, 0);
    pwm.write(CSR, 1, 3, 100 * 64);
    assert_eq!((pwm.tone(PIN, 100 * 64, HZ), is_high(&pwm, 1 << 40)), (None, true));
    pwm.write(CC, 0, 0, 1 << 40);
    assert!(!is_high(&pwm, 1 << 40), "a write to a disabled slice takes effect at once");
}

#[test]
fn phase_correct_counter_counts_up_and_down() {
    let mut pwm = Pwm::new(8);
    configure(&mut pwm, [1 << 4, 2 << 16, 4, 0b11], 0);
    let counts = [0, 1, 2, 3, 4, 4, 3, 2, 1, 0, 0, 1];
    assert_eq!(core::array::from_fn(|cycle| pwm.read(CTR, cycle as u64)), counts);
    assert_eq!(pwm.tone(PIN, 12, HZ), Some(12_500_000));
    assert_eq!((pwm.next_toggle(1 << PIN, 12), pwm.next_toggle(1 << PIN, 13)), (Some(18), Some(18)));
}

#[test]
fn wrap_interrupts_if_enabled() {
    let mut pwm = Pwm::new(8);
    play(&mut pwm, 999, 0);
    assert_eq!(pwm.next_interrupt(0), None);
    pwm.write(0xA8, 1 << 7, 2, 0);
    assert_eq!((pwm.next_interrupt(0), pwm.interrupt(63_999), pwm.interrupt(64_000)), (Some(64_000), false, true));
    pwm.write(0xA4, 1 << 7, 0, 64_001);
    assert!(!pwm.interrupt(64_002));
    assert_eq!(pwm.read(0xA0, 64_002), 1 << 7);
    pwm.write(0xA0, 0, 0, 64_002);
    assert_eq!((pwm.read(CSR, 64_003), pwm.next_interrupt(64_003)), (0, None));
}

/// A program that plays two notes with the ring oscillator's 6.5 MHz, without a divider. Between the notes it disables
/// the slice like embassy-rp does. It waits in loops.
fn two_notes(pin: u32) -> Program {
    const PWM: u32 = 0x4005_0000;
    const RESETS_CLEAR: u32 = 0x4000_F000;
    let slice = PWM + (pin / 2 % 8) * 0x14;
    let mut program = Program::new();
    program.write(RESETS_CLEAR, 1 << 14).write(IO_BANK0 + 8 * pin + 4, 4);
    for (compare, top, enable) in [(2_500, 4_999, 1), (0, 0xFFFF, 0), (500, 999, 1)] {
        let registers = [(4, 1 << 4), (12, compare << 16 | compare), (16, top), (0, enable)];
        registers.into_iter().for_each(|(offset, value)| {
            program.write(slice + offset, value);
        });
        // About 4 x 4,000 cycles: `subs r5, #1`, `bne`.
        program.load(5, 4_000).op(0x3D01).op(0xD1FD);
    }
    program.op(SELF);
    program
}

#[test]
fn tone_begins_when_its_pin_toggles() {
    for pin in [15, 20] {
        let wiring = Wiring { piezo: pin, ..Wiring::REFERENCE };
        let mut handheld = two_notes(pin.into()).start(Options { wiring, ..Options::default() });
        handheld.start_logic_analyser(1 << pin);
        handheld.run_for(ms(20));
        let tones = handheld.tones();
        assert_eq!(tones.iter().map(|tone| tone.1).collect::<Vec<_>>(), [Some(1300), None, Some(6500)]);
        // Without the old count, the second note would begin 2.5 ms after the end of the first. The counter first runs
        // to 0xFFFF, which takes up to 10 ms.
        let silence = tones[2].0 - tones[1].0;
        assert!((ms(9)..ms(13)).contains(&silence), "{silence:?}");
        assert_eq!(handheld.tone(), Some(6500));
        let edges: Vec<(Duration, bool)> = handheld.logic_samples().map(|(at, levels)| (at, levels != 0)).collect();
        assert!(edges.windows(2).all(|pair| pair[0].1 != pair[1].1));
        let during = |from: Duration, to: Duration| edges.iter().filter(|edge| (from..to).contains(&edge.0)).count();
        assert_eq!(during(tones[1].0 + Duration::from_micros(10), tones[2].0), 0, "no edge in the silence");
        let (from, to) = (tones[2].0 + ms(1), tones[2].0 + ms(2));
        assert_eq!(during(from, to), 13);
        let last = edges.last().expect("edges");
        assert_eq!(handheld.pin(pin.into()), last.1);
    }
}
