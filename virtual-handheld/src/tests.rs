//! The whole machine, tried with little programs written in Thumb code: what needs a core but no firmware.
//!
//! A program tells what it saw by writing to RAM. Registers are named as in the datasheet.

use crate::gpio::{COLUMN_PIN, LED_PIN, ROW_PIN};
use crate::{Death, Firmware, FlashTimes, Handheld, Options, PowerCut, Reset, ResetCause, rom};
use core::time::Duration;

const RAM: u32 = 0x2000_0000;
const ORIGIN: usize = 0x100;
const GPIO_IN: u32 = 0xD000_0004;
const GPIO_OUT_XOR: u32 = 0xD000_001C;
const GPIO_OE_SET: u32 = 0xD000_0024;
const GPIO_OE_CLR: u32 = 0xD000_0028;
const IO_BANK0: u32 = 0x4001_4000;
const PADS_BANK0: u32 = 0x4001_C000;
const WATCHDOG_CTRL: u32 = 0x4005_8000;
const WATCHDOG_LOAD: u32 = 0x4005_8004;
const WATCHDOG_TICK: u32 = 0x4005_802C;
const NVIC_ISER: u32 = 0xE000_E100;
const NVIC_ISPR: u32 = 0xE000_E200;
const NVIC_IPR6: u32 = 0xE000_E418;
const SELF: u16 = 0xE7FE;
const WFE: u16 = 0xBF20;
const UDF: u16 = 0xDE00;
const CPSID: u16 = 0xB672;
const BX_LR: u16 = 0x4770;

/// A program: its vectors, and code that grows.
struct Program {
    bytes: Vec<u8>,
}

impl Program {
    /// Vectors for 16 exceptions and 32 interrupts, the reset handler behind them; the stack in the middle of RAM.
    fn new() -> Self {
        let mut program = Self { bytes: vec![0; ORIGIN + 4 * 48] };
        program.vector(0, RAM + 0x2_0000);
        program.handler(1);
        program
    }

    fn vector(&mut self, index: usize, value: u32) {
        self.bytes[ORIGIN + 4 * index..][..4].copy_from_slice(&value.to_le_bytes());
    }

    /// What follows is the code of this exception.
    fn handler(&mut self, exception: usize) -> &mut Self {
        self.vector(exception, (0x1000_0000 + self.bytes.len() as u32) | 1);
        self
    }

    fn op(&mut self, code: u16) -> &mut Self {
        self.bytes.extend(code.to_le_bytes());
        self
    }

    /// `register = value`, from a word in the code that is jumped over.
    fn load(&mut self, register: u16, value: u32) -> &mut Self {
        if !self.bytes.len().is_multiple_of(4) {
            self.op(0xBF00);
        }
        self.op(0x4800 | register << 8).op(0xE001);
        self.bytes.extend(value.to_le_bytes());
        self
    }

    /// Writes a word.
    fn write(&mut self, address: u32, value: u32) -> &mut Self {
        self.load(0, value).load(1, address).op(0x6008)
    }

    /// Copies a word.
    fn copy(&mut self, from: u32, to: u32) -> &mut Self {
        self.load(1, from).load(2, to).op(0x6808).op(0x6010)
    }

    /// Calls an address with three arguments.
    fn call(&mut self, address: u32, arguments: [u32; 3]) -> &mut Self {
        self.load(0, arguments[0]).load(1, arguments[1]).load(2, arguments[2]).load(4, address).op(0x47A0)
    }

    fn start(&self, options: Options) -> Handheld {
        Handheld::power_on(&Firmware::from_image(self.bytes.clone()), options)
    }
}

fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

/// Row 1 is driven for a few cycles; the columns are read by the very next instructions.
fn scanner() -> Program {
    let mut program = Program::new();
    for pin in ROW_PIN..COLUMN_PIN + 5 {
        program.write(IO_BANK0 + 8 * pin + 4, 5);
        program.write(PADS_BANK0 + 4 + 4 * pin, 1 << 6 | 1 << 3);
    }
    let again = program.bytes.len();
    program.copy(GPIO_IN, RAM);
    program.write(GPIO_OE_SET, 1 << (ROW_PIN + 1)).copy(GPIO_IN, RAM + 4);
    program.write(GPIO_OE_CLR, 1 << (ROW_PIN + 1));
    let back = (again as i32 - program.bytes.len() as i32 - 4) / 2;
    program.op(0xE000 | back as u16 & 0x7FF);
    program
}

#[test]
fn a_logic_analyser_sees_every_edge_of_its_pins_and_no_other() {
    let mut handheld = scanner().start(Options::default());
    handheld.run_for(ms(1));
    assert_eq!(handheld.probed().len(), 0);
    handheld.probe_pins(1 << (ROW_PIN + 1));
    handheld.run_for(Duration::from_micros(100));
    let seen: Vec<(Duration, u32)> = handheld.probed().collect();
    assert!(seen.len() > 4, "the program drives the row again and again");
    assert!(seen.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 ^ pair[1].1 == 1 << (ROW_PIN + 1)));
    handheld.probe_pins(1 << ROW_PIN);
    handheld.run_for(Duration::from_micros(100));
    assert_eq!(handheld.probed().map(|(_, levels)| levels).collect::<Vec<_>>(), [1 << ROW_PIN]);
}

#[test]
fn a_key_is_seen_at_once_and_only_through_its_row() {
    let mut handheld = scanner().start(Options::default());
    let columns = |handheld: &mut Handheld, at| handheld.ram(RAM + at) >> COLUMN_PIN & 0x1F;
    handheld.run_for(ms(1));
    assert_eq!((columns(&mut handheld, 0), columns(&mut handheld, 4)), (0b11111, 0b11111));
    handheld.press(5 + 3);
    handheld.press(10);
    handheld.run_for(ms(1));
    assert_eq!((columns(&mut handheld, 0), columns(&mut handheld, 4)), (0b11111, 0b10111));
    handheld.release(8);
    handheld.schedule(handheld.now() + ms(1), 5, true);
    handheld.run_for(Duration::from_micros(900));
    assert_eq!(columns(&mut handheld, 4), 0b11111);
    handheld.run_for(Duration::from_micros(200));
    assert_eq!(columns(&mut handheld, 4), 0b11110);
    assert_eq!(handheld.keys(), 1 << 5 | 1 << 10);
    assert_eq!(handheld.row_conflicts(), 0);
}

#[test]
fn a_key_wakes_a_core_that_sleeps_for_a_pin_interrupt() {
    let mut program = scanner();
    // Over the end of the scanner's loop: row 1 stays driven, falling edges of column 0 (pin 7) interrupt.
    program.bytes.truncate(program.bytes.len() - 2);
    program.write(GPIO_OE_SET, 1 << (ROW_PIN + 1));
    program.write(IO_BANK0 + 0xF0, !0).write(IO_BANK0 + 0x100, 4 << 28).write(NVIC_ISER, 1 << 13);
    program.write(RAM + 8, 1).op(WFE).op(SELF);
    program.handler(16 + 13).copy(IO_BANK0 + 0x120, RAM + 12).write(IO_BANK0 + 0xF0, 4 << 28).op(BX_LR);
    let mut handheld = program.start(Options::default());
    handheld.run_for(ms(500));
    assert_eq!((handheld.ram(RAM + 8), handheld.ram(RAM + 12)), (1, 0));
    handheld.press(5);
    handheld.run_for(Duration::from_micros(50));
    assert_eq!(handheld.ram(RAM + 12), 4 << 28);
}

#[test]
fn the_led_pin_is_decoded_whoever_drives_it() {
    let mut program = Program::new();
    program.write(IO_BANK0 + 8 * LED_PIN + 4, 5).write(GPIO_OE_SET, 1 << LED_PIN);
    program.write(GPIO_OUT_XOR, 1 << LED_PIN).op(0x6008).op(WFE).op(SELF);
    let mut handheld = program.start(Options::default());
    handheld.run_for(ms(1));
    // One pulse is no frame: it is too short a frame, 300 us later.
    assert_eq!(handheld.frames(), 0);
    let last = handheld.wire_faults().last().map(|fault| fault.kind);
    assert_eq!(last, Some(crate::WireFaultKind::Bits(1)));
}

fn with_watchdog(load: u32) -> Program {
    let mut program = Program::new();
    program.copy(WATCHDOG_CTRL + 0x08, RAM + 8);
    program.write(WATCHDOG_TICK, 1 << 9 | 12).write(WATCHDOG_LOAD, load).write(WATCHDOG_CTRL, 1 << 30);
    program
}

#[test]
fn the_watchdog_ends_a_hang_with_interrupts_off_and_ram_is_kept() {
    let mut program = with_watchdog(20_000);
    program.write(RAM + 0x100, 77).op(CPSID).op(SELF);
    let mut handheld = program.start(Options::default());
    handheld.run_for(ms(9));
    assert_eq!((handheld.resets().len(), handheld.ram(RAM + 8)), (0, 0));
    handheld.run_for(ms(4));
    let [Reset { at, cause: ResetCause::Watchdog }] = *handheld.resets() else {
        panic!("one reset: {:?}", handheld.resets());
    };
    assert!((ms(10)..ms(11)).contains(&at), "{at:?}");
    assert_eq!((handheld.ram(RAM + 8), handheld.ram(RAM + 0x100)), (1, 77));
    handheld.run_for(ms(10));
    assert_eq!(handheld.resets().len(), 2);
}

#[test]
fn a_fault_runs_its_handler_and_a_fault_in_that_locks_up_until_the_watchdog() {
    let mut program = with_watchdog(20_000);
    program.op(UDF).op(SELF);
    program.handler(3).write(RAM, 1).op(0xBE00).write(RAM, 2).op(SELF);
    let mut handheld = program.start(Options::default());
    handheld.run_for(ms(5));
    assert_eq!(handheld.ram(RAM), 1, "in the handler, but not behind its breakpoint");
    handheld.run_for(ms(10));
    assert_eq!(handheld.resets().len(), 1);
}

#[test]
fn a_read_from_nowhere_is_a_fault() {
    let mut program = Program::new();
    program.load(1, 0x9000_0000).op(0x6808).op(SELF);
    program.handler(3).write(RAM, 1).op(SELF);
    let mut handheld = program.start(Options::default());
    handheld.run_for(ms(1));
    assert_eq!(handheld.ram(RAM), 1);
}

#[test]
fn mishaps_hit_a_program_that_knows_nothing_of_them() {
    let mut program = with_watchdog(20_000);
    program.op(WFE).op(SELF);
    program.handler(3).write(RAM, 1).op(SELF);
    let mut handheld = program.start(Options::default());
    handheld.run_for(ms(1));
    assert!(!handheld.inflict(crate::Mishap::Panic("no such function")));
    assert!(handheld.inflict(crate::Mishap::Hang));
    handheld.run_for(ms(5));
    assert_eq!((handheld.ram(RAM), handheld.resets().len()), (0, 0));
    assert!(handheld.effort().awake > 6_500 * 4, "it spins");
    handheld.run_for(ms(5));
    assert_eq!(handheld.resets().len(), 1);
    assert!(handheld.inflict(crate::Mishap::Fault));
    handheld.run_for(ms(1));
    assert_eq!(handheld.ram(RAM), 1);
}

#[test]
fn an_urgent_interrupt_breaks_into_a_less_urgent_handler() {
    // Interrupts 26 and 27, which only software raises; 27 is the more urgent.
    let mut program = Program::new();
    program.write(NVIC_IPR6, 0x40 << 24 | 0x80 << 16).write(NVIC_ISER, 0b11 << 26).write(NVIC_ISPR, 1 << 26);
    program.write(RAM, 1).op(SELF);
    program.handler(16 + 26).write(NVIC_ISPR, 1 << 27).copy(RAM + 4, RAM + 8).write(RAM + 12, 3).op(BX_LR);
    program.handler(16 + 27).write(NVIC_ISPR, 1 << 26).write(RAM + 4, 2).op(BX_LR);
    let mut handheld = program.start(Options::default());
    handheld.run_for(ms(1));
    // Each raises the other for ever, so the thread never gets on; what 26 copies shows that 27 came in between.
    assert_eq!((handheld.ram(RAM), handheld.ram(RAM + 8), handheld.ram(RAM + 12)), (0, 2, 3));
}

/// Erases a sector and programs a page of it with four bytes, through the boot ROM.
fn saver() -> Program {
    let mut program = Program::new();
    program.write(RAM + 0x100, 0x4433_2211).op(CPSID);
    program.call(rom::address(b"RE"), [0x1F_0000, 4096, 0]).write(RAM, 1);
    program.call(rom::address(b"RP"), [0x1F_0000, RAM + 0x100, 4]).copy(0x101F_0000, RAM + 4).op(WFE).op(SELF);
    program
}

#[test]
fn flash_takes_its_time_and_keeps_its_content() {
    let old = Options { flash: Some(vec![0; 2 << 20]), ..Options::default() };
    let mut handheld = saver().start(old);
    handheld.run_for(ms(44));
    assert_eq!((handheld.ram(RAM), handheld.flash().operations()), (0, 0));
    handheld.run_for(ms(2));
    assert_eq!((handheld.ram(RAM), handheld.ram(RAM + 4)), (1, 0x4433_2211));
    assert_eq!((handheld.flash().erases()[0x1F0], handheld.flash().programs()), (1, 1));
    assert_eq!(handheld.unsafe_flash_operations(), 0);
    let image = handheld.power_off();
    assert_eq!(image[0x1E_FFFF..0x1F_0005], [0, 0x11, 0x22, 0x33, 0x44, 0xFF]);

    let slow = FlashTimes { erase: ms(400), program: ms(3) };
    let mut handheld = saver().start(Options { flash_times: slow, ..Options::default() });
    handheld.run_for(ms(399));
    assert_eq!(handheld.flash().operations(), 0);
    handheld.run_for(ms(5));
    assert_eq!(handheld.flash().operations(), 2);
}

#[test]
fn a_power_cut_tears_the_operation_it_hits() {
    let start = || saver().start(Options { flash: Some(vec![0; 2 << 20]), ..Options::default() });
    for (cut, erased, operations) in [
        (PowerCut::Operation { after: 0, fraction: 0.5, seed: 1 }, 0.4..0.6, 0),
        (PowerCut::At { time: ms(9), seed: 1 }, 0.15..0.25, 0),
        (PowerCut::Operation { after: 1, fraction: 0.5, seed: 1 }, 0.99..1.0, 1),
    ] {
        let mut handheld = start();
        handheld.cut_power(cut);
        handheld.run_for(ms(100));
        assert_eq!(handheld.death(), Some(Death::PowerCut), "{cut:?}");
        assert_eq!(handheld.flash().operations(), operations);
        let before = handheld.now();
        handheld.run_for(ms(100));
        assert_eq!(handheld.now(), before, "dead");
        let image = handheld.power_off();
        let ones: u32 = image[0x1F_0000..0x1F_1000].iter().map(|byte| byte.count_ones()).sum();
        assert!(erased.contains(&(f64::from(ones) / 32768.0)), "{cut:?}: {ones} of 32768");
    }
}

#[test]
fn sleep_costs_no_cycles_and_a_jump_to_nowhere_is_the_end() {
    let mut program = Program::new();
    program.op(WFE).op(SELF);
    let mut handheld = program.start(Options::default());
    handheld.run_for(ms(10_000));
    assert!(handheld.effort().awake < 10 && handheld.effort().cycles > 60_000_000);

    let mut program = Program::new();
    program.call(0x3001, [0; 3]);
    let mut handheld = program.start(Options::default());
    assert!(!handheld.run_until(ms(1), |_| false));
    assert_eq!(handheld.death(), Some(Death::BootRom));
}

#[test]
fn the_same_inputs_give_the_same_run() {
    let run = || {
        let mut handheld = scanner().start(Options::default());
        handheld.schedule_bouncing(ms(1), 7, true, crate::Bounce::default(), 5);
        handheld.run_for(ms(3));
        (handheld.now(), handheld.effort(), handheld.ram(RAM), handheld.ram(RAM + 4))
    };
    assert_eq!(run(), run());
}
