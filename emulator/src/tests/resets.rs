//! Start-up, resets, clocks and reset values of the RP2040.

use super::{
    GPIO_OE_SET, GPIO_OUT_XOR, IO_BANK0, PADS_BANK0, Program, RAM, SELF, WATCHDOG_CTRL, ms, rom, with_watchdog,
};
use crate::{Options, Reset, ResetCause, StopReason};
use core::time::Duration;
use lights_out::wiring::Wiring;

const XOSC: u32 = 0x4002_4000;
const CRYSTAL_ON: u32 = 0xFAB << 12 | 0xAA0;
const CRYSTAL_OFF: u32 = 0xD1E << 12 | 0xAA0;
const CLK_REF_CTRL: u32 = 0x4000_8030;
const CLK_SYS_CTRL: u32 = 0x4000_803C;
const PLL_SYS: u32 = 0x4002_8000;
const REASON: u32 = WATCHDOG_CTRL + 0x08;
const SCRATCH0: u32 = WATCHDOG_CTRL + 0x0C;
const SCRATCH4: u32 = WATCHDOG_CTRL + 0x1C;
const AIRCR: u32 = 0xE000_ED0C;

/// A program that copies REASON, SCRATCH0 and SCRATCH4 to three words from `RAM + to` on, then writes both SCRATCH
/// registers.
fn reason_reader(to: u32) -> Program {
    let mut program = Program::new();
    for (index, register) in [REASON, SCRATCH0, SCRATCH4].into_iter().enumerate() {
        program.copy(register, RAM + to + 4 * index as u32);
    }
    program.write(SCRATCH0, 7).write(SCRATCH4, 8).op(SELF);
    program
}

#[test]
fn boot_rom_takes_time_after_every_reset() {
    let mut program = with_watchdog(20_000);
    program.copy(RAM, RAM + 4).write(RAM, 1).op(SELF);
    let boot_rom = Duration::from_micros(6_550);
    let mut handheld = crate::Handheld::power_on(&program.firmware(), Options { boot_rom, ..Options::default() });
    handheld.run_for(Duration::from_micros(6_540));
    assert_eq!(handheld.ram(RAM), 0);
    assert!((42_000..43_000).contains(&handheld.cycle_counts().awake), "6.5 MHz: {:?}", handheld.cycle_counts());
    handheld.run_for(Duration::from_micros(110));
    assert_eq!((handheld.ram(RAM), handheld.ram(RAM + 4)), (1, 0));
    handheld.run_for(ms(10));
    assert_eq!(handheld.resets().len(), 1);
    let again = handheld.resets()[0].at + boot_rom;
    assert!(!handheld.inject_fault(crate::InjectedFault::Hang), "the boot ROM is still running");
    handheld.run_for(again - handheld.now() - Duration::from_micros(10));
    assert_eq!(handheld.ram(RAM + 4), 0);
    handheld.run_for(Duration::from_micros(110));
    assert_eq!(handheld.ram(RAM + 4), 1);
}

/// A program that enables the crystal with a start-up delay of 47 (1 ms), disables and enables it again after 10 ms,
/// and waits.
fn crystal_user() -> Program {
    let mut program = Program::new();
    program.write(XOSC + 0x0C, 47).write(XOSC, CRYSTAL_ON);
    // 65,000 cycles of 6.5 MHz are 10 ms.
    program.load(5, 65_000 / 4).op(0x3D01).op(0xD1FD);
    program.copy(XOSC + 4, RAM).write(XOSC, CRYSTAL_OFF).write(XOSC, CRYSTAL_ON).op(SELF);
    program
}

#[test]
fn crystal_is_stable_after_its_start_up_delay() {
    let stable_after = |options: Options| {
        let mut handheld = crystal_user().start(options);
        let boot_rom = handheld.now();
        handheld.run_for(ms(5));
        handheld.crystal_stable_at().map(|at| (at - boot_rom).as_micros() / 100)
    };
    assert_eq!(stable_after(Options::default()), Some(10));
    assert_eq!(stable_after(Options { crystal_start: ms(20), ..Options::default() }), Some(210));
}

#[test]
fn failed_crystal_starts_when_enabled_again() {
    const STABLE: u32 = 1 << 31;
    for (failures, first_is_stable, second_is_stable) in [(0, true, true), (1, false, true), (2, false, false)] {
        let mut handheld = crystal_user().start(Options { crystal_failures: failures, ..Options::default() });
        handheld.run_for(ms(60));
        assert_eq!(handheld.ram(RAM) & STABLE != 0, first_is_stable, "{failures}");
        let is_stable = handheld.crystal_stable_at().is_some_and(|at| at < handheld.now());
        assert_eq!(is_stable, second_is_stable, "{failures}");
    }
}

#[test]
fn run_ends_at_its_cycle() {
    let mut handheld = crystal_user().start(Options::default());
    for cycle in [100_000, 100_001, 100_500, 200_000] {
        handheld.run_to_cycle(cycle);
        assert!((cycle..cycle + 8).contains(&handheld.cycle_counts().cycles), "{:?}", handheld.cycle_counts());
    }
}

#[test]
fn update_is_a_watchdog_reset_and_keeps_saves() {
    let options = Options { flash: Some(vec![0x5A; 2 << 20]), ..Options::default() };
    let mut handheld = reason_reader(0).start(options);
    handheld.run_for(ms(1));
    assert_eq!([0, 4, 8].map(|at| handheld.ram(RAM + at)), [0, 0, 0]);
    handheld.update(&reason_reader(0x100).firmware());
    assert!(matches!(handheld.resets(), [Reset { cause: ResetCause::Watchdog, .. }]));
    handheld.run_for(ms(1));
    assert_eq!([0x100, 0x104, 0x108].map(|at| handheld.ram(RAM + at)), [1, 0, 0]);
    assert_eq!(handheld.power_off()[0x1F_0000], 0x5A);
}

#[test]
fn probe_reset_keeps_reason_and_scratch() {
    let mut handheld = reason_reader(0).start(Options::default());
    handheld.update(&reason_reader(0).firmware());
    handheld.run_for(ms(1));
    handheld.probe_reset();
    handheld.run_for(ms(1));
    assert_eq!([0, 4, 8].map(|at| handheld.ram(RAM + at)), [1, 7, 8], "REASON is that of the update");
    assert_eq!(handheld.resets().last().map(|reset| reset.cause), Some(ResetCause::System));
    // A reset request by the program.
    let mut program = Program::new();
    program.copy(RAM, RAM + 4).write(RAM, 1).write(AIRCR, 0x05FA_0004).op(SELF);
    let mut handheld = program.start(Options::default());
    handheld.run_for(Duration::from_micros(30));
    assert_eq!((handheld.resets()[0].cause, handheld.ram(RAM + 4)), (ResetCause::System, 1));
}

#[test]
fn usb_boot_releases_the_pins_until_an_update() {
    let supply = u32::from(Wiring::REFERENCE.supply);
    let mut program = Program::new();
    program.write(IO_BANK0 + 8 * supply + 4, 5).write(GPIO_OE_SET, 1 << supply).write(GPIO_OUT_XOR, 1 << supply);
    program.write(RAM, 1).call(rom::address(b"UB"), [0; 3]).write(RAM, 2);
    let mut handheld = program.start(Options::default());
    assert!(handheld.run_until(ms(1), |handheld| handheld.led_supply()));
    handheld.run_for(ms(1));
    assert_eq!((handheld.stop_reason(), handheld.ram(RAM)), (Some(StopReason::UsbBoot { has_drive: true }), 1));
    assert!(!handheld.led_supply(), "the pin is released");
    handheld.update(&reason_reader(0x100).firmware());
    handheld.run_for(ms(1));
    assert_eq!((handheld.stop_reason(), handheld.ram(RAM + 0x100)), (None, 1));
}

#[test]
fn reset_values_agree_with_the_data_sheet() {
    const PAD_RESET: u32 = 0x56;
    const RESETS: u32 = 0x4000_C000;
    const PWM_TOP: u32 = 0x4005_0010;
    const RELEASED: u32 = 1 << 5 | 1 << 8 | 1 << 14;
    // Releases each block from reset, changes a register, and puts the block into reset again.
    let mut program = Program::new();
    program.write(RESETS | 0x3000, RELEASED).copy(RESETS + 8, RAM);
    for (index, register) in [PADS_BANK0 + 4, IO_BANK0 + 4, PWM_TOP].into_iter().enumerate() {
        program.copy(register, RAM + 4 + 8 * index as u32).write(register, 5);
        program.write(RESETS | 0x2000, RELEASED).write(RESETS | 0x3000, RELEASED);
        program.copy(register, RAM + 8 + 8 * index as u32);
    }
    program.op(SELF);
    let mut handheld = program.start(Options::default());
    handheld.run_for(ms(1));
    assert_eq!(handheld.ram(RAM) & RELEASED, RELEASED);
    let seen: [u32; 6] = core::array::from_fn(|index| handheld.ram(RAM + 4 + 4 * index as u32));
    assert_eq!(seen, [PAD_RESET, PAD_RESET, 0x1F, 0x1F, 0xFFFF, 0xFFFF]);
}

#[test]
fn ring_oscillator_gives_random_bits() {
    const RANDOMBIT: u32 = 0x4006_001C;
    let bits = |seed| {
        let mut program = Program::new();
        (0..32).for_each(|n| {
            program.copy(RANDOMBIT, RAM + 4 * n);
        });
        let mut handheld = program.op(SELF).start(Options { seed, ..Options::default() });
        handheld.run_for(ms(1));
        (0..32).fold(0, |bits, n| bits << 1 | handheld.ram(RAM + 4 * n))
    };
    assert!((4..28).contains(&u32::count_ones(bits(1))));
    assert_ne!(bits(1), bits(2), "another seed gives other bits");
}

#[test]
fn rp2040_reports_a_clock_without_its_source() {
    let mut program = Program::new();
    program.write(XOSC + 0x0C, 4).write(XOSC, CRYSTAL_ON).write(CLK_REF_CTRL, 0).write(CLK_REF_CTRL, 2).op(SELF);
    let mut handheld = program.start(Options::default());
    handheld.run_for(ms(1));
    assert_eq!(handheld.invalid_clock_sources(), 1);
}

#[test]
fn pll_lock_time_is_independent_of_the_system_clock() {
    const ROSC_DIV: u32 = 0x4006_0010;
    // Two frequencies of the ring oscillator. The loop `ldr r0, [r1]`, `lsrs r0, r0, #31`, `beq` waits for the lock.
    for divider in [0xAA0, 0xAA4] {
        let mut program = Program::new();
        program.write(0x4000_C000 | 0x3000, 1 << 12).write(ROSC_DIV, divider);
        program.write(XOSC + 0x0C, 1).write(XOSC, CRYSTAL_ON);
        program.load(1, XOSC + 4).op(0x6808).op(0x0FC0).op(0xD0FC);
        program.write(PLL_SYS + 8, 125).write(PLL_SYS + 4, 0x0C).copy(PLL_SYS, RAM).write(RAM + 4, 1);
        program.load(1, PLL_SYS).op(0x6808).op(0x0FC0).op(0xD0FC).write(RAM + 8, 1).op(SELF);
        let mut handheld = program.start(Options::default());
        assert!(handheld.run_until(ms(1), |handheld| handheld.ram_is(RAM + 4, 1)));
        let began = handheld.now();
        assert_eq!(handheld.ram(RAM) >> 31, 0);
        assert!(handheld.run_until(ms(1), |handheld| handheld.ram_is(RAM + 8, 1)));
        assert!(handheld.now() - began < Duration::from_micros(30), "{:?}", handheld.now() - began);
    }
}

/// A program that starts the crystal and the PLL, and switches the system clock to the PLL.
fn on_pll() -> Program {
    const RESETS: u32 = 0x4000_C000;
    let mut program = Program::new();
    program.write(RESETS | 0x3000, 1 << 12).write(XOSC + 0x0C, 1).write(XOSC, CRYSTAL_ON);
    program.load(1, XOSC + 4).op(0x6808).op(0x0FC0).op(0xD0FC);
    program.write(PLL_SYS + 8, 125).write(PLL_SYS + 0xC, 0x6_2000).write(PLL_SYS + 4, 4);
    program.load(1, PLL_SYS).op(0x6808).op(0x0FC0).op(0xD0FC).write(CLK_SYS_CTRL, 1);
    program
}

#[test]
fn clock_source_that_stops_is_reported() {
    const RESETS: u32 = 0x4000_C000;
    let invalid_sources = |finish: fn(&mut Program)| {
        let mut program = on_pll();
        finish(&mut program);
        let mut handheld = program.op(SELF).start(Options::default());
        handheld.run_for(ms(1));
        handheld.invalid_clock_sources()
    };
    assert_eq!(invalid_sources(|_| {}), 0);
    assert_eq!(invalid_sources(|program| _ = program.write(PLL_SYS + 4, 0x2D)), 1, "the PLL is switched off");
    assert_eq!(invalid_sources(|program| _ = program.write(RESETS | 0x2000, 1 << 12)), 1, "the PLL is held in reset");
    assert_eq!(invalid_sources(|program| _ = program.write(XOSC, CRYSTAL_OFF)), 1, "the crystal is off");
    assert_eq!(
        invalid_sources(|program| _ = program.write(CLK_SYS_CTRL, 0).write(PLL_SYS + 4, 0x2D)),
        0,
        "the clock has another source"
    );
}

#[test]
fn pll_in_reset_loses_its_settings() {
    const RESETS: u32 = 0x4000_C000;
    let mut program = on_pll();
    program.write(CLK_SYS_CTRL, 0).write(RESETS | 0x2000, 1 << 12).write(RESETS | 0x3000, 1 << 12);
    (0..4).for_each(|n| _ = program.copy(PLL_SYS + 4 * n, RAM + 4 * n));
    let mut handheld = program.op(SELF).start(Options::default());
    handheld.run_for(ms(1));
    assert_eq!([0, 4, 8, 12].map(|at| handheld.ram(RAM + at)), [1, 0x2D, 0, 0x7_7000]);
}

#[test]
fn pll_without_a_crystal_never_locks() {
    const RESETS: u32 = 0x4000_C000;
    let mut program = Program::new();
    program.write(RESETS | 0x3000, 1 << 12).write(PLL_SYS + 8, 125).write(PLL_SYS + 4, 4);
    program.load(1, PLL_SYS).op(0x6808).op(0x0FC0).op(0xD0FC).write(RAM, 1).op(SELF);
    let mut handheld = program.start(Options::default());
    handheld.run_for(ms(5));
    assert_ne!(handheld.ram(RAM), 1);
}

#[test]
fn wrong_code_enables_the_rp2040_crystal() {
    let mut program = Program::new();
    program.write(XOSC, 0x123 << 12 | 0xAA0).write(RAM, 1).op(SELF);
    let mut handheld = program.start(Options::default());
    assert_eq!(handheld.crystal_stable_at(), None);
    handheld.run_for(ms(1));
    assert!(handheld.crystal_stable_at().is_some());
}
