//! Faults of rp2350-emu 0.2.6: it has no pulls, isolation or pin interrupts, and its pads start at 0. Also tested:
//! erratum RP2350-E9, and the circuits at the pins for VSYS and VBUS on different boards.

use super::*;
use crate::{PicoBoard, Supply};

const SIO: u32 = 0xD000_0000;
const GPIO_IN: u32 = SIO + 0x04;
const OUT_SET: u32 = SIO + 0x18;
const OE_SET: u32 = SIO + 0x38;
const OE_CLEAR: u32 = SIO + 0x40;
const ADC: u32 = 0x400A_0000;
const VSYS: u32 = 29;
const VBUS: u32 = 24;
const RADIO_SELECT: u32 = 25;
const PULL_DOWN: u32 = 1 << 2;
const PULL_UP: u32 = 1 << 3;
const INPUT: u32 = 1 << 6;
const OUTPUT_DISABLE: u32 = 1 << 7;

/// Selects SIO as the function of a pin, and writes its pad register.
fn pin(program: &mut Program, pin: u32, pad: u32) {
    program.write(IO_BANK0 + 4 + 8 * pin, 5).write(PADS_BANK0 + 4 + 4 * pin, pad);
}

#[test]
fn pad_is_isolated_without_input_after_reset() {
    let mut program = with_peripherals();
    program.copy(PADS_BANK0 + 4, RAM).write(IO_BANK0 + 4, 5).write(OUT_SET, 1).write(OE_SET, 1).copy(GPIO_IN, RAM + 4);
    program.write(PADS_BANK0 + 4, INPUT).copy(GPIO_IN, RAM + 8);
    program.write(PADS_BANK0 + 4, 0).copy(GPIO_IN, RAM + 12);
    let handheld = run(&mut program);
    assert_eq!(words(&handheld, 0), [0x116, 0, 1, 0]);
    assert!(handheld.pin(0), "the pin is driven although its input is disabled");
}

#[test]
fn pull_up_reads_high_and_falling_edge_interrupts() {
    // Row 1 (pin 3) is driven low. Column 0 (pin 7) has a pull-up, and its falling edge interrupts.
    let mut program = with_peripherals();
    pin(&mut program, 3, 0);
    pin(&mut program, 7, INPUT | PULL_UP | 1 << 1);
    program.write(OE_SET, 1 << 3).load(5, 100).op(0x3D01).op(0xD1FD);
    program.write(IO_BANK0 + 0x230, !0).write(IO_BANK0 + 0x248, 4 << 28).write(NVIC_ISER[0], 1 << 21);
    program.copy(GPIO_IN, RAM).op(WFE).op(SELF);
    program.handler(16 + 21).copy(IO_BANK0 + 0x278, RAM + 4).write(IO_BANK0 + 0x230, 4 << 28);
    program.copy(IO_BANK0 + 0x230, RAM + 8).op(BX_LR);
    let mut handheld = program.start(Options::default());
    handheld.run_for(ms(5));
    assert_eq!((handheld.ram(RAM) >> 7 & 1, handheld.ram(RAM + 4)), (1, 0));
    handheld.press(5);
    handheld.run_for(ms(1));
    let [_, status, raw] = words(&handheld, 0);
    assert_eq!((status, raw >> 28), (4 << 28, 1), "first the edge, and after its acknowledgement only the level");
}

/// The level of pin 10 after it was driven high and released, with this value in its pad register, and the level after
/// its input was disabled and enabled again.
fn level_after_release(pad: u32) -> [u32; 2] {
    let mut program = with_peripherals();
    pin(&mut program, 10, pad);
    program.write(OUT_SET, 1 << 10).write(OE_SET, 1 << 10).write(OE_CLEAR, 1 << 10).copy(GPIO_IN, RAM);
    program.write(PADS_BANK0 + 4 + 4 * 10, pad & !INPUT).write(PADS_BANK0 + 4 + 4 * 10, pad).copy(GPIO_IN, RAM + 4);
    words(&run(&mut program), 0).map(|levels: u32| levels >> 10 & 1)
}

#[test]
fn erratum_e9_keeps_a_pin_high_without_pull_up() {
    assert_eq!([INPUT, INPUT | PULL_DOWN].map(level_after_release), [[1, 0], [1, 0]]);
    assert_eq!(level_after_release(INPUT | PULL_UP), [1, 1]);
}

/// The sample at the pin for VSYS, some milliseconds after `pad` was written to its pad register, with the radio's chip
/// select high or low, and the level of the pin for VBUS with this pull.
fn converted(board: PicoBoard, pad: u32, select: bool, pull: u32, supply: Supply) -> (u32, u32) {
    let mut program = with_peripherals();
    program.write(PADS_BANK0 + 4 + 4 * VSYS, pad);
    pin(&mut program, RADIO_SELECT, 0);
    pin(&mut program, VBUS, INPUT | pull);
    program.write(OE_SET, 1 << RADIO_SELECT);
    if select {
        program.write(OUT_SET, 1 << RADIO_SELECT);
    }
    program.load(5, 30_000).op(0x3D01).op(0xD1FD);
    program.write(ADC, 1);
    for _ in 0..4 {
        program.write(ADC, 3 << 12 | 1 << 2 | 1).load(5, 100).op(0x3D01).op(0xD1FD);
    }
    program.copy(ADC + 4, RAM).copy(GPIO_IN, RAM + 4).op(SELF);
    let mut handheld = program.start(Options { board, supply, ..Options::default() });
    handheld.run_for(ms(20));
    (handheld.ram(RAM), handheld.ram(RAM + 4) >> VBUS & 1)
}

/// The sample at the pin for VSYS without a pull, and the level of the pin for VBUS.
fn measured(radio: bool, select: bool, pull: u32, supply: Supply) -> (u32, u32) {
    let board = if radio { PicoBoard::Radio } else { PicoBoard::Plain };
    converted(board, OUTPUT_DISABLE, select, pull, supply)
}

#[test]
fn radio_board_uses_the_pins_of_vsys_and_vbus() {
    let battery = Supply::Battery { millivolts: 4500, milliohms: 0 };
    let is_close = |sample: u32, millivolts: u32| sample.abs_diff(millivolts / 3 * 4096 / 3270) <= 5;
    for select in [false, true] {
        let (sample, vbus) = measured(false, select, PULL_UP, battery);
        assert!(is_close(sample, 4500) && vbus == 0, "without a radio: {sample}, {vbus}");
    }
    assert_eq!(measured(false, false, PULL_DOWN, Supply::Usb).1, 1);
    let (sample, vbus) = measured(true, false, PULL_DOWN, Supply::Usb);
    assert!(sample <= 5 && vbus == 0, "with a radio that is not selected: {sample}, {vbus}");
    let (sample, vbus) = measured(true, true, PULL_UP, battery);
    assert!(is_close(sample, 4500) && vbus == 1, "with a selected radio: {sample}, {vbus}");
}

#[test]
fn pad_pull_down_loads_the_vsys_divider() {
    let battery = Supply::Battery { millivolts: 4500, milliohms: 0 };
    // The pull-down of 65 kohm and the divider's 66.7 kohm.
    let (sample, _) = converted(PicoBoard::Plain, OUTPUT_DISABLE | PULL_DOWN, false, PULL_UP, battery);
    assert!(sample.abs_diff(741 * 4096 / 3270) <= 6, "{sample}");
    let (sample, _) = converted(PicoBoard::Radio, OUTPUT_DISABLE | PULL_DOWN, false, PULL_UP, battery);
    assert!(sample <= 5, "{sample}");
}

#[test]
fn other_boards_differ_at_the_pins_of_vsys_and_vbus() {
    let battery = Supply::Battery { millivolts: 4500, milliohms: 0 };
    let button = PicoBoard::Other { millivolts: 1000, ohms: 1000, button: true };
    let (sample, vbus) = converted(button, OUTPUT_DISABLE, false, PULL_DOWN, battery);
    assert!(sample.abs_diff(1000 * 4096 / 3270) <= 6 && vbus == 1, "{sample}, {vbus}");
    let (sample, vbus) = converted(PicoBoard::Bare { drift: 500 }, OUTPUT_DISABLE, true, PULL_UP, battery);
    assert!(sample.abs_diff(500 * 4096 / 3270) <= 6 && vbus == 1, "{sample}, {vbus}");
}
