//! Tests of the whole emulator with short programs in Thumb code, without the firmware.
//!
//! A program reports its results by writing to RAM. Registers are named as in the data sheet.

mod common_instructions;
mod flash;
mod hostile;
mod keys;
mod led_chain;
mod pins;
mod pwm;
mod random_programs;
mod resets;
mod sleep;
mod supply;

use crate::rp2040::rom;
use crate::{Chip, Firmware, FlashTimes, Handheld, Options, PowerCut, Reset, ResetCause, StopReason};
use core::time::Duration;
use flash_image::elf::{ElfContent, LogSection, Segment, Symbol, SymbolSection};
use lights_out::wiring::Wiring;

const ROW_PIN: u32 = Wiring::REFERENCE.rows[0] as u32;
const COLUMN_PIN: u32 = Wiring::REFERENCE.columns[0] as u32;
const LED_PIN: u32 = Wiring::REFERENCE.leds as u32;
pub(crate) const RAM: u32 = 0x2000_0000;
const GPIO_IN: u32 = 0xD000_0004;
const GPIO_OUT_XOR: u32 = 0xD000_001C;
const GPIO_OE_SET: u32 = 0xD000_0024;
const GPIO_OE_CLR: u32 = 0xD000_0028;
const IO_BANK0: u32 = 0x4001_4000;
const PADS_BANK0: u32 = 0x4001_C000;
const WATCHDOG_CTRL: u32 = 0x4005_8000;
const WATCHDOG_LOAD: u32 = 0x4005_8004;
const WATCHDOG_TICK: u32 = 0x4005_802C;
const PSM_WDSEL: u32 = 0x4001_0008;
const NVIC_ISER: u32 = 0xE000_E100;
const NVIC_ISPR: u32 = 0xE000_E200;
const NVIC_IPR6: u32 = 0xE000_E418;
/// `b .`, an endless loop.
pub(crate) const SELF: u16 = 0xE7FE;
pub(crate) const WFE: u16 = 0xBF20;
const UDF: u16 = 0xDE00;
pub(crate) const CPSID: u16 = 0xB672;
pub(crate) const BX_LR: u16 = 0x4770;

/// A program: a vector table, and code to which instructions are appended.
pub(crate) struct Program {
    chip: Chip,
    /// The offset of the vector table in flash.
    origin: usize,
    pub(crate) bytes: Vec<u8>,
}

impl Program {
    /// A program for the RP2040: vectors for 16 exceptions and 32 interrupts, then the reset handler.
    pub(crate) fn new() -> Self {
        Self::with_vectors(Chip::Rp2040, 0x100, 48, &[])
    }

    /// A program for the RP2350: vectors for 16 exceptions and 52 interrupts, an IMAGE_DEF, then the reset handler.
    pub(crate) fn for_rp2350() -> Self {
        Self::with_vectors(Chip::Rp2350, 0, 68, &[0xFFFF_DED3, 0x1021_0142, 0x0000_01FF, 0, 0xAB12_3579])
    }

    /// A program with these words after the vectors. The stack is in the middle of RAM.
    fn with_vectors(chip: Chip, origin: usize, vectors: usize, words: &[u32]) -> Self {
        let mut program = Self { chip, origin, bytes: vec![0; origin + 4 * vectors] };
        words.iter().for_each(|word| program.bytes.extend(word.to_le_bytes()));
        program.vector(0, RAM + 0x2_0000);
        program.handler(1);
        program
    }

    fn vector(&mut self, index: usize, value: u32) {
        self.bytes[self.origin + 4 * index..][..4].copy_from_slice(&value.to_le_bytes());
    }

    /// Makes the following code the handler of an exception.
    pub(crate) fn handler(&mut self, exception: usize) -> &mut Self {
        self.vector(exception, (0x1000_0000 + self.bytes.len() as u32) | 1);
        self
    }

    /// Appends an instruction of one halfword.
    pub(crate) fn op(&mut self, code: u16) -> &mut Self {
        self.bytes.extend(code.to_le_bytes());
        self
    }

    /// Loads a register with a value, which is a word in the code after a branch over it. A NOP before it aligns the
    /// word if necessary.
    pub(crate) fn load(&mut self, register: u16, value: u32) -> &mut Self {
        if !self.bytes.len().is_multiple_of(4) {
            self.op(0xBF00);
        }
        self.op(0x4800 | register << 8).op(0xE001);
        self.bytes.extend(value.to_le_bytes());
        self
    }

    /// Writes a word to an address. Changes r0 and r1.
    pub(crate) fn write(&mut self, address: u32, value: u32) -> &mut Self {
        self.load(0, value).load(1, address).op(0x6008)
    }

    /// Copies a word. Changes r0 to r2.
    pub(crate) fn copy(&mut self, from: u32, to: u32) -> &mut Self {
        self.load(1, from).load(2, to).op(0x6808).op(0x6010)
    }

    /// Calls an address with three arguments. Changes r0 to r4.
    pub(crate) fn call(&mut self, address: u32, arguments: [u32; 3]) -> &mut Self {
        self.load(0, arguments[0]).load(1, arguments[1]).load(2, arguments[2]).load(4, address).op(0x47A0)
    }

    pub(crate) fn firmware(&self) -> Firmware {
        Firmware::from_image(self.chip, self.bytes.clone())
    }

    /// Starts the program in a handheld whose boot ROM takes no time.
    pub(crate) fn start(&self, options: Options) -> Handheld {
        Handheld::power_on(&self.firmware(), Options { boot_rom: Duration::ZERO, ..options })
    }
}

/// An ELF file of a program that is an endless loop, with a log of these formats (tag and text). The first format has
/// the number 1.
pub(crate) fn elf_with_log(encoding: &str, formats: &[(&str, &str)]) -> Vec<u8> {
    let mut program = Program::new();
    program.op(SELF);
    let content = &program.bytes;
    let flags = object::elf::PF_R | object::elf::PF_X;
    let (address, size_in_memory) = (0x1000_0000, content.len() as u32);
    let segment = Segment { address, load_address: address, size_in_memory, flags, content };
    let encoding = format!("_defmt_encoding_ = {encoding}");
    let messages: Vec<String> = (1..)
        .zip(formats)
        .map(|(number, (tag, data))| {
            format!(r#"{{"package":"p","tag":"defmt_{tag}","data":"{data}","disambiguator":"{number}"}}"#)
        })
        .collect();
    let symbol = |name, section, value| {
        let info = object::elf::STB_GLOBAL << 4 | object::elf::STT_OBJECT;
        Symbol { name, section, value, size: 1, info, other: 0 }
    };
    let mut symbols =
        vec![symbol("_defmt_version_ = 4", SymbolSection::Absolute, 0), symbol(&encoding, SymbolSection::Absolute, 0)];
    symbols.extend((1..).zip(&messages).map(|(number, name)| symbol(name, SymbolSection::Log, number)));
    let log = Some(LogSection { address: 0, content: &[0; 64] });
    ElfContent { segments: vec![segment], log, symbols, ..ElfContent::default() }.write().expect("an ELF file")
}

pub(crate) fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

#[test]
fn led_pin_is_decoded_when_sio_drives_it() {
    let mut program = Program::new();
    program.write(IO_BANK0 + 8 * LED_PIN + 4, 5).write(GPIO_OE_SET, 1 << LED_PIN);
    program.write(GPIO_OUT_XOR, 1 << LED_PIN).op(0x6008).op(WFE).op(SELF);
    let mut handheld = program.start(Options::default());
    handheld.run_for(ms(1));
    // 300 us after one pulse, it counts as a frame of one bit.
    assert_eq!(handheld.frames(), 0);
    let last = handheld.wire_faults().last().map(|fault| fault.kind);
    assert_eq!(last, Some(crate::WireFaultKind::Bits(1)));
}

/// A program that starts the watchdog with a timeout of `load` times 0.5 us. With the ring oscillator's 6.5 MHz, a tick
/// of 13 cycles is 2 us.
fn with_watchdog(load: u32) -> Program {
    let mut program = Program::new();
    program.copy(WATCHDOG_CTRL + 0x08, RAM + 8);
    program.write(PSM_WDSEL, 0x1_FFFC).write(WATCHDOG_TICK, 1 << 9 | 13).write(WATCHDOG_LOAD, load / 2);
    program.write(WATCHDOG_CTRL, 1 << 30);
    program
}

#[test]
fn watchdog_resets_a_hang_and_ram_is_kept() {
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
fn fault_in_the_handler_locks_up_until_watchdog_reset() {
    let mut program = with_watchdog(20_000);
    program.op(UDF).op(SELF);
    program.handler(3).write(RAM, 1).op(0xBE00).write(RAM, 2).op(SELF);
    let mut handheld = program.start(Options::default());
    handheld.run_for(ms(5));
    assert_eq!(handheld.ram(RAM), 1, "the handler stops at its breakpoint");
    assert!(handheld.has_locked_up());
    handheld.run_for(ms(10));
    assert_eq!(handheld.resets().len(), 1);
}

#[test]
fn read_from_unmapped_address_is_a_fault() {
    let mut program = Program::new();
    program.load(1, 0x9000_0000).op(0x6808).op(SELF);
    program.handler(3).write(RAM, 1).op(SELF);
    let mut handheld = program.start(Options::default());
    handheld.run_for(ms(1));
    assert_eq!(handheld.ram(RAM), 1);
    assert!(!handheld.has_locked_up());
}

#[test]
fn injected_faults_need_no_support_by_the_program() {
    let mut program = with_watchdog(20_000);
    program.op(WFE).op(SELF);
    program.handler(3).write(RAM, 1).op(SELF);
    let mut handheld = program.start(Options::default());
    handheld.run_for(ms(1));
    assert!(!handheld.inject_fault(crate::InjectedFault::Panic("no such function")));
    assert!(handheld.inject_fault(crate::InjectedFault::Hang));
    handheld.run_for(ms(5));
    assert_eq!((handheld.ram(RAM), handheld.resets().len()), (0, 0));
    assert!(handheld.cycle_counts().awake > 6_500 * 4, "the core runs");
    handheld.run_for(ms(5));
    assert_eq!(handheld.resets().len(), 1);
    assert!(handheld.inject_fault(crate::InjectedFault::Fault));
    handheld.run_for(ms(1));
    assert_eq!(handheld.ram(RAM), 1);
}

#[test]
fn interrupt_of_higher_priority_preempts_a_handler() {
    // Interrupts 26 and 27, which only software raises. 27 has the higher priority.
    let mut program = Program::new();
    program.write(NVIC_IPR6, 0x40 << 24 | 0x80 << 16).write(NVIC_ISER, 0b11 << 26).write(NVIC_ISPR, 1 << 26);
    program.write(RAM, 1).op(SELF);
    program.handler(16 + 26).write(NVIC_ISPR, 1 << 27).copy(RAM + 4, RAM + 8).write(RAM + 12, 3).op(BX_LR);
    program.handler(16 + 27).write(NVIC_ISPR, 1 << 26).write(RAM + 4, 2).op(BX_LR);
    let mut handheld = program.start(Options::default());
    handheld.run_for(ms(1));
    // Each handler makes the other interrupt pending, so the thread never continues. The value that handler 26 copies
    // shows that handler 27 preempted it.
    assert_eq!((handheld.ram(RAM), handheld.ram(RAM + 8), handheld.ram(RAM + 12)), (0, 2, 3));
}

#[test]
fn core_that_sleeps_is_not_awake() {
    let mut program = Program::new();
    program.op(WFE).op(SELF);
    let mut handheld = program.start(Options::default());
    handheld.run_for(ms(10_000));
    assert!(handheld.cycle_counts().awake < 10 && handheld.cycle_counts().cycles > 60_000_000);
}

#[test]
fn jump_to_invalid_rom_address_stops_the_handheld() {
    let mut program = Program::new();
    program.call(0x3001, [0; 3]);
    let mut handheld = program.start(Options::default());
    assert!(!handheld.run_until(ms(1), |_| false));
    assert_eq!(handheld.stop_reason(), Some(StopReason::BootRom));
}
