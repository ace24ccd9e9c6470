//! Faults of rp2350-emu 0.2.6: `bus/peripherals.rs` has STATUS and RANDOMBIT of the ring oscillator one register too
//! low, and a crystal that is always stable. PLLs lock by private state. The watchdog has no REASON and resets nothing.
//! The reset of a block clears nothing. The uncached alias of the flash is empty.

use super::*;
use crate::{AccessKind, ResetCause};

pub(super) const TIMER0: u32 = 0x400B_0000;
const WATCHDOG: u32 = 0x400D_8000;
const PSM_WDSEL: u32 = 0x4001_8008;
const TICKS: u32 = 0x4010_8000;
const TICKS_TIMER0: u32 = TICKS + 0x18;
const TICKS_WATCHDOG: u32 = TICKS + 0x30;
const ROSC: u32 = 0x400E_8000;
const XOSC: u32 = 0x4004_8000;
const PLL_SYS: u32 = 0x4005_0000;
const CLOCKS: u32 = 0x4001_0000;
const SYSCFG: u32 = 0x4000_8000;
const COMA: u32 = 0x636F_6D61;

/// A program whose timer counts microseconds, from the ring oscillator's 11 MHz.
pub(super) fn with_timer() -> Program {
    let mut program = with_peripherals();
    program.write(TICKS_TIMER0 + 4, 11).write(TICKS_TIMER0, 1);
    program
}

#[test]
fn rosc_status_and_random_bit_have_the_right_offsets() {
    let mut program = Program::for_rp2350();
    program.copy(ROSC + 0x1C, RAM);
    (1..33).for_each(|n| {
        program.copy(ROSC + 0x20, RAM + 4 * n);
    });
    let handheld = run(&mut program);
    let [status] = words(&handheld, 0);
    let bits: [u32; 32] = words(&handheld, 4);
    assert_eq!(status, 1 << 31 | 1 << 12);
    assert!((4..28).contains(&bits.iter().sum::<u32>()) && bits.iter().all(|bit| *bit < 2), "{bits:?}");
}

#[test]
fn crystal_and_pll_take_their_start_up_times() {
    // 47 times 256 periods of 12 MHz are one millisecond.
    let mut program = Program::for_rp2350();
    program.write(XOSC + 0x0C, 47).write(XOSC, 0xFAB << 12 | 0xAA0).copy(XOSC + 4, RAM);
    // The loop `ldr r0, [r1]`, `lsrs r0, r0, #31`, `beq` waits until the crystal is stable.
    program.load(1, XOSC + 4).op(0x6808).op(0x0FC0).op(0xD0FC).write(RAM + 4, 1);
    program.write(CLOCKS + 0x30, 2);
    program.write(PLL_SYS + 8, 125).write(PLL_SYS + 4, 0x2C).write(PLL_SYS + 4, 0x0C).copy(PLL_SYS, RAM + 8);
    program.load(1, PLL_SYS).op(0x6808).op(0x0FC0).op(0xD0FC).write(RAM + 12, 1).op(SELF);
    let mut handheld = program.start(Options::default());
    handheld.run_for(Duration::from_micros(990));
    assert_eq!(words(&handheld, 0), [1 << 12, 0, 0, 0]);
    handheld.run_for(Duration::from_micros(100));
    let [_, stable, lock, locked] = words(&handheld, 0);
    assert_eq!((stable, lock >> 31, locked), (1, 0, 1));
    let stable = handheld.crystal_stable_at().expect("an enabled crystal");
    assert!((Duration::from_micros(1_000)..Duration::from_micros(1_010)).contains(&stable), "{stable:?}");
}

#[test]
fn timer_0_counts_its_ticks() {
    let mut program = with_timer();
    program.copy(TIMER0 + 0x28, RAM).load(5, 1_000).op(0x3D01).op(0xD1FD).copy(TIMER0 + 0x28, RAM + 4);
    program.write(TICKS_TIMER0, 0).copy(TIMER0 + 0x28, RAM + 8).load(5, 1_000).op(0x3D01).op(0xD1FD);
    let [before, after, stopped, still] = words(&run(program.copy(TIMER0 + 0x28, RAM + 12)), 0);
    assert!(before < 2 && (150..400).contains(&after), "{before} {after}");
    assert_eq!(stopped, still);
    let mut held = with_timer();
    held.load(5, 1_000).op(0x3D01).op(0xD1FD).write(RESETS, 1 << 23).write(RESETS + CLEAR, 1 << 23);
    let count = run(held.copy(TIMER0 + 0x28, RAM)).ram(RAM);
    assert!(count < 10, "a reset clears the timer: {count}");
}

#[test]
fn watchdog_resets_the_chip_and_sets_reason() {
    let mut program = Program::for_rp2350();
    program.copy(WATCHDOG + 8, RAM).copy(WATCHDOG + 0x0C, RAM + 4).write(WATCHDOG + 0x0C, 0x1234);
    program.write(TICKS_WATCHDOG + 4, 11).write(TICKS_WATCHDOG, 1).write(PSM_WDSEL, 0x1_FFFC);
    program.write(WATCHDOG + 4, 10_000).write(WATCHDOG, 1 << 30).op(CPSID).op(SELF);
    let mut handheld = program.start(Options::default());
    handheld.run_for(ms(9));
    assert_eq!((handheld.resets().len(), words(&handheld, 0)), (0, [0, 0]));
    handheld.run_for(ms(2));
    let reset = handheld.resets()[0];
    assert!((ms(10)..ms(11)).contains(&reset.at) && reset.cause == ResetCause::Watchdog, "{reset:?}");
    assert_eq!(words(&handheld, 0), [1, 0x1234]);
}

#[test]
fn uncached_alias_shows_the_same_flash() {
    let mut program = Program::for_rp2350();
    program.copy(0x1000_0110, RAM).copy(0x1400_0110, RAM + 4);
    let [cached, past] = words(&run(&mut program), 0);
    assert_eq!((cached, past), (0xFFFF_DED3, 0xFFFF_DED3), "the first word of the IMAGE_DEF");
}

/// A program that enters dormant sleep like embassy-rp does: it powers memories down, writes "coma", and powers
/// memories up again. With `wakes`, a low level of column 0 (pin 7), which has no pull-up, ends the sleep.
fn dormant(wakes: bool) -> Program {
    let mut program = with_peripherals();
    program.write(PADS_BANK0 + 4 + 4 * 7, 1 << 6).write(RAM + 0x40, 0x1234_5678);
    if wakes {
        program.write(IO_BANK0 + 0x2D8, 1 << 28);
    }
    program.load(0, 0xFF).load(1, SYSCFG + 0x10).load(2, COMA).load(3, ROSC + 0x10).load(4, 0);
    program.op(0x6008).op(0x601A).op(0x600C).copy(RAM + 0x40, RAM).op(SELF);
    program
}

#[test]
fn dormant_sleep_ends_by_a_pin_and_memory_is_kept() {
    let mut handheld = dormant(false).start(Options::default());
    handheld.run_for(ms(1_000));
    assert!(handheld.is_dormant() && handheld.cycle_counts().cycles < 1_000);
    let mut handheld = dormant(true).start(Options::default());
    handheld.run_for(ms(1));
    assert_eq!((handheld.is_dormant(), handheld.ram(RAM)), (false, 0x1234_5678));
    assert_eq!(handheld.powered_down_accesses(), []);
}

#[test]
fn powered_down_memory_is_not_accessible() {
    let mut program = with_peripherals();
    program.write(RAM + 0x44, 5).write(SYSCFG + 0x10, 0b10).copy(RAM + 0x44, RAM).write(RAM + 0x44, 6);
    program.write(SYSCFG + 0x10, 0);
    let handheld = run(&mut program);
    let accesses: Vec<_> =
        handheld.powered_down_accesses().iter().map(|access| (access.kind, access.address)).collect();
    assert_eq!(accesses, [(AccessKind::Read, RAM + 0x44), (AccessKind::Write, RAM + 0x44)]);
    assert!(handheld.ram(RAM + 0x44) == 5 && handheld.ram(RAM) != 5);
}

/// Enables the crystal, waits until it is stable, and then waits for a watchdog reset of these stages. Returns the
/// number of resets and whether the crystal was stable after the reset.
fn watchdog_reset(stages: u32) -> [u32; 2] {
    let mut program = Program::for_rp2350();
    program.copy(RAM, RAM + 4).copy(XOSC + 4, RAM).write(XOSC + 0x0C, 1).write(XOSC, 0xFAB << 12 | 0xAA0);
    program.load(1, XOSC + 4).op(0x6808).op(0x0FC0).op(0xD0FC);
    program.write(PSM_WDSEL, stages).write(TICKS_WATCHDOG + 4, 11).write(TICKS_WATCHDOG, 1);
    program.write(WATCHDOG + 4, 10_000).write(WATCHDOG, 1 << 30).op(CPSID).op(SELF);
    let mut handheld = program.start(Options::default());
    handheld.run_for(ms(15));
    [handheld.resets().len() as u32, handheld.ram(RAM) >> 31]
}

#[test]
fn crystal_stops_with_a_reset_that_selects_it() {
    assert_eq!(watchdog_reset(0), [0, 0], "no stage selected");
    assert_eq!(watchdog_reset(1 << 23), [1, 1], "only the core");
    assert_eq!(watchdog_reset(0x1_FFFC), [1, 0], "the selection of embassy-rp");
}

#[test]
fn system_clock_follows_the_ring_oscillator_divider() {
    let mut program = Program::for_rp2350();
    program.write(ROSC + 0x14, 0xAA0).op(SELF);
    let mut handheld = program.start(Options::default());
    handheld.run_for(ms(1));
    let before = handheld.cycle_counts().cycles;
    handheld.run_for(ms(10));
    assert!((6_860..6_890).contains(&(handheld.cycle_counts().cycles - before)), "{:?}", handheld.cycle_counts());
}

#[test]
fn clock_without_its_source_is_reported() {
    // clk_ref from a crystal that was just enabled, clk_ref from a stable crystal, and clk_sys from a PLL that is off.
    let mut program = Program::for_rp2350();
    program.write(XOSC + 0x0C, 4).write(XOSC, 0xFAB << 12 | 0xAA0).write(CLOCKS + 0x30, 2).op(SELF);
    assert_eq!(run(&mut program).invalid_clock_sources(), 1);
    let mut program = Program::for_rp2350();
    program.write(XOSC + 0x0C, 4).write(XOSC, 0xFAB << 12 | 0xAA0).load(1, XOSC + 4).op(0x6808).op(0x0FC0).op(0xD0FC);
    program.write(CLOCKS + 0x30, 2);
    assert_eq!(run(&mut program).invalid_clock_sources(), 0);
    program.bytes.truncate(program.bytes.len() - 2);
    assert_eq!(run(program.write(CLOCKS + 0x3C, 1)).invalid_clock_sources(), 1);
}

#[test]
fn wrong_code_does_not_change_the_crystal() {
    const ON: u32 = 0xFAB << 12 | 0xAA0;
    const OFF: u32 = 0xD1E << 12 | 0xAA0;
    const WRONG: u32 = 0x123 << 12 | 0xAA0;
    for (codes, is_on) in [([WRONG, WRONG], false), ([ON, WRONG], true), ([ON, OFF], false)] {
        let mut program = Program::for_rp2350();
        codes.into_iter().for_each(|code| _ = program.write(XOSC, code));
        assert_eq!(run(program.op(SELF)).crystal_stable_at().is_some(), is_on, "{codes:x?}");
    }
}

#[test]
fn crystal_delay_can_be_multiplied_by_four() {
    let stable = |startup| {
        let mut program = Program::for_rp2350();
        program.write(XOSC + 0x0C, startup).write(XOSC, 0xFAB << 12 | 0xAA0).op(SELF);
        run(&mut program).crystal_stable_at().map(|at| at.as_micros() / 100)
    };
    assert_eq!((stable(47), stable(1 << 20 | 47)), (Some(10), Some(40)));
}
