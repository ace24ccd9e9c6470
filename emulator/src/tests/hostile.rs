//! Programs that mean harm: none of them stops the emulated time, takes memory without end, or makes the emulator
//! panic.
//!
//! A run that does not end is told by its turns: none takes more of them than there are cycles.

use super::*;
use crate::{LogLine, Mishap};
use rand_core::Rng;
use rand_pcg::Pcg32;

const CHIPS: [Chip; 2] = [Chip::Rp2040, Chip::Rp2350];
const MOV_LR_R4: u16 = 0x46A6;
const MOV_LR_R5: u16 = 0x46AE;
const BX_R4: u16 = 0x4720;
const WFI: u16 = 0xBF30;
const DMA: u32 = 0x5000_0000;
/// The last address that the RP2350's emulator has boot RAM at.
const BOOT_RAM_END: u32 = 0xF000_0000;

fn program_for(chip: Chip) -> Program {
    match chip {
        Chip::Rp2040 => Program::new(),
        Chip::Rp2350 => Program::for_rp2350(),
    }
}

/// Where a flash function is in the boot ROM.
fn rom_function(chip: Chip, code: &[u8; 2]) -> u32 {
    match chip {
        Chip::Rp2040 => rom::address(code),
        Chip::Rp2350 => crate::rp2350::rom::address(code).expect("a known code"),
    }
}

/// All peripherals work.
fn release(program: &mut Program) {
    let resets = if program.chip == Chip::Rp2040 { 0x4000_C000 } else { 0x4002_0000 };
    program.write(resets + 0x3000, !0);
}

/// Runs for a while; a run that would not end fails.
fn run(handheld: &mut Handheld, time: Duration) {
    let most = 1_000 + handheld.effort().cycles + time.as_micros() as u64 * 400;
    let mut turns = 0;
    handheld.run_until(time, |_| {
        turns += 1;
        assert!(turns < most, "time stands still");
        false
    });
}

/// The program goes on after whatever it has done: it writes 1 to RAM, or 2 where that was a fault.
fn ends(mut program: Program) -> u32 {
    program.write(RAM, 1).op(SELF);
    program.handler(3).write(RAM, 2).op(SELF);
    let mut handheld = program.start(Options::default());
    run(&mut handheld, ms(5));
    handheld.ram(RAM)
}

#[test]
fn a_flash_call_of_nothing_takes_time() {
    for chip in CHIPS {
        for code in [b"RE", b"RP", b"FC", b"IF"] {
            for times in [
                FlashTimes::default(),
                FlashTimes { erase: Duration::ZERO, program: Duration::ZERO, ..FlashTimes::default() },
            ] {
                let mut program = program_for(chip);
                program.load(0, 0).load(1, 0).load(2, 0).load(4, rom_function(chip, code));
                // It returns to itself.
                program.op(MOV_LR_R4).op(BX_R4);
                let mut handheld = program.start(Options { flash_times: times, ..Options::default() });
                run(&mut handheld, ms(2));
                assert!(handheld.now() >= ms(2));
            }
        }
    }
}

#[test]
fn a_flash_call_of_4_gb_is_one_pass_over_the_chip() {
    for chip in CHIPS {
        let mut program = program_for(chip);
        program.call(rom_function(chip, b"RP"), [0, RAM, u32::MAX]).write(RAM, 1).op(SELF);
        let page = Duration::from_micros(1);
        let flash_times = FlashTimes { erase: page, program: page, ..FlashTimes::default() };
        let mut handheld = program.start(Options { flash_times, ..Options::default() });
        run(&mut handheld, ms(1));
        assert!(handheld.flash_is_busy() && handheld.flash().programs() < 1_100);
        run(&mut handheld, ms(30));
        assert_eq!(handheld.flash().programs(), (chip.flash_size() / 256) as u64);
    }
}

#[test]
fn a_copy_of_4_gb_does_not_outlast_the_run() {
    for code in [b"MS", b"MC"] {
        let mut program = Program::new();
        program.call(rom::address(code), [RAM, RAM, u32::MAX]).op(SELF);
        program.handler(3).write(RAM, 1).op(SELF);
        let mut handheld = program.start(Options::default());
        handheld.run_for(ms(1));
        assert!(handheld.now() < ms(3), "{:?}", handheld.now());
        handheld.run_for(ms(100));
        assert_eq!(handheld.ram(RAM), 1, "a fault where RAM ends");
    }
}

/// Lets a channel of the DMA move words from one place to another, for ever.
fn with_dma(chip: Chip, from: u32, to: u32, size: u32) -> Program {
    let mut program = program_for(chip);
    release(&mut program);
    let control = 1 | size << 2 | 63 << if chip == Chip::Rp2040 { 15 } else { 17 };
    program.write(DMA, from).write(DMA + 4, to).write(DMA + 8, 0x0FFF_FFFF).write(DMA + 0x0C, control);
    program
}

#[test]
fn what_the_dma_writes_in_sleep_is_not_kept() {
    for chip in CHIPS {
        let mut program = with_dma(chip, RAM, RAM + 0x1000, 2);
        program.op(CPSID).op(WFI).op(SELF);
        let mut handheld = program.start(Options::default());
        run(&mut handheld, ms(3));
        assert!(handheld.machine.silicon.unseen_writes() < 1_000, "{chip}");
        assert!(handheld.effort().awake < 10_000, "it sleeps");
    }
}

#[test]
fn the_dma_reaches_memory_and_pio_only() {
    let places = [
        0x4003_4000,
        0x4003_8000,
        0x4007_0000,
        0x4005_4000,
        0x400E_0FFE,
        0x4800_0000,
        0x5000_0000,
        0x5000_0042,
        0x5010_0FFE,
        0x5FFF_FFFE,
        0x1C00_3FFE,
        0xD000_0000,
        0xE000_ED0C,
        0xEFFF_FFFE,
        0xFFFF_FFFE,
        0x2007_FFFE,
        0x2008_1FFE,
        0x3000_0001,
    ];
    for chip in CHIPS {
        for place in places {
            for size in 0..3 {
                assert_eq!(ends(with_dma(chip, RAM, place, size)), 1, "{chip}: {size} to {place:#x}");
                assert_eq!(ends(with_dma(chip, place, RAM + 0x100, size)), 1, "{chip}: {size} from {place:#x}");
            }
        }
    }
}

#[test]
fn accesses_at_the_edges_of_memory_are_faults_at_most() {
    // Loads and stores of a word, a halfword and a byte, of several words, and of two.
    let instructions = [0x6808, 0x6008, 0x8808, 0x8008, 0x7808, 0x7008, 0xC90C, 0xC10C];
    let edges = [
        0x4000,
        0x8000,
        0x1020_0000,
        0x1040_0000,
        0x1400_0000,
        0x1500_4000,
        0x1C00_4000,
        0x2004_2000,
        0x2008_2000,
        0x2100_0000,
        0x4007_0000,
        0x400E_1000,
        0x4013_4000,
        0x4017_0000,
        0x5000_1000,
        0x5010_1000,
        0x5011_0000,
        0x5020_1000,
        0x6000_0000,
        0xD000_0200,
        0xE000_0000,
        0xE000_E440,
        0xE004_2000,
        BOOT_RAM_END,
        0,
    ];
    for chip in CHIPS {
        for edge in edges {
            let mut program = program_for(chip);
            release(&mut program);
            // The fault handler goes on behind the instruction.
            for (instruction, before) in instructions.iter().flat_map(|op| (0..5).map(move |before| (*op, before))) {
                program.load(1, u32::wrapping_sub(edge, before)).op(instruction);
            }
            program.write(RAM, 1).op(SELF);
            program.handler(3).op(0x9906).op(0x3102).op(0x9106).op(BX_LR);
            let mut handheld = program.start(Options::default());
            run(&mut handheld, ms(5));
        }
    }
}

#[test]
fn addresses_without_a_peripheral_are_not_remembered() {
    for chip in CHIPS {
        for place in [0x4008_0000 + 0x10_0000, 0x4800_0000, 0x5090_0000, 0x5000_5000, 0x5FFF_FFFC] {
            let mut program = program_for(chip);
            program.write(place, 1);
            assert_eq!(ends(program), 2, "{chip}: {place:#x}");
        }
    }
}

#[test]
fn what_is_sent_to_a_uart_is_not_kept() {
    let mut program = Program::new();
    release(&mut program);
    for uart in [0x4003_4000, 0x4003_8000] {
        program.write(uart + 0x30, 0x301).load(0, 0x55).load(1, uart);
        // As a word, a halfword and a byte.
        program.op(0x6008).op(0x8008).op(0x7008).copy(uart + 0x18, RAM + 0x10);
    }
    program.op(SELF);
    let mut handheld = program.start(Options::default());
    run(&mut handheld, ms(1));
    // The flags tell of a transmitter that is empty.
    assert_eq!(handheld.ram(RAM + 0x10) & (1 << 7 | 1 << 3), 1 << 7);
}

#[test]
fn resets_for_ever_end_with_the_run_and_are_counted() {
    for chip in CHIPS {
        let mut program = program_for(chip);
        program.write(0xE000_ED0C, 0x05FA_0004).op(SELF);
        let mut handheld = program.start(Options::default());
        run(&mut handheld, ms(20));
        assert!(handheld.reset_count() > 1_000, "{}", handheld.reset_count());
        assert!(handheld.resets().len() <= 10_000);
    }
}

#[test]
fn a_fault_in_the_fault_handler_waits_for_ever() {
    for chip in CHIPS {
        // No stack, no vectors, handlers in the boot ROM.
        for (stack, handler) in [(0, 0), (RAM + 4, 0x101), (0xFFFF_FFFC, 0x201), (0xF000_0000, 0x1000_0001)] {
            let mut program = program_for(chip);
            program.op(UDF);
            (2..16).for_each(|exception| program.vector(exception, handler));
            program.vector(0, stack);
            let mut handheld = program.start(Options::default());
            run(&mut handheld, ms(2));
        }
    }
}

#[test]
fn a_chip_that_has_wiped_its_flash_starts_into_nothing() {
    for chip in CHIPS {
        let mut program = program_for(chip);
        // It returns to a loop in RAM, because the flash is gone.
        program.write(RAM + 0x100, SELF.into()).load(4, rom_function(chip, b"RE")).load(5, RAM + 0x101);
        program.op(MOV_LR_R5).load(0, 0).load(1, 0x1000).op(BX_R4);
        let mut handheld = program.start(Options::default());
        run(&mut handheld, ms(60));
        handheld.probe_reset();
        run(&mut handheld, ms(5));
        assert_eq!(handheld.flash().image()[..4], [0xFF; 4], "{chip}");
    }
}

#[test]
fn steps_are_counted_whatever_they_are_for() {
    for chip in CHIPS {
        let mut program = program_for(chip);
        release(&mut program);
        let blocks = if chip == Chip::Rp2040 { 2 } else { 3 };
        for block in (0..blocks).map(|block| 0x5020_0000 + 0x10_0000 * block) {
            // All state machines: `mov pins, !null` and `mov pins, null`, or whatever is behind.
            program.write(block + 0x48, 0xA00B).write(block + 0x4C, 0xA003).write(block, 0xF);
        }
        program.op(CPSID).op(WFI).op(SELF);
        let mut handheld = program.start(Options::default());
        run(&mut handheld, ms(2));
        let effort = handheld.effort();
        assert!(effort.steps > effort.cycles / 2, "{effort:?}");
    }
}

#[test]
fn tones_without_end_are_forgotten() {
    let mut program = Program::new();
    release(&mut program);
    let piezo = u32::from(Wiring::REFERENCE.piezo);
    let slice = 0x4005_0000 + 0x14 * (piezo / 2 % 8);
    program.write(IO_BANK0 + 8 * piezo + 4, 4).write(slice + 0x10, 100).write(slice + 0x0C, 50 | 50 << 16);
    // Enables and disables it for ever.
    program.load(0, 1).load(2, 0).load(1, slice).op(0x6008).op(0x600A).op(0xE7FC);
    let mut handheld = program.start(Options::default());
    run(&mut handheld, ms(200));
    let tones = handheld.tones().len();
    assert!((1_000..=1 << 16).contains(&tones), "{tones}");
    assert_eq!((handheld.take_tones().len(), handheld.tones().len()), (tones, 0));
}

#[test]
fn a_slice_that_wraps_at_every_cycle_does_not_hold_time() {
    for chip in CHIPS {
        let mut program = program_for(chip);
        release(&mut program);
        let (pwm, line) = if chip == Chip::Rp2040 { (0x4005_0000, 0xA4) } else { (0x400A_8000, 0xF8) };
        program.write(pwm + 0x10, 0).write(pwm, 1).write(pwm + line, 0xFF).op(CPSID).op(WFI).op(SELF);
        let mut handheld = program.start(Options::default());
        run(&mut handheld, ms(2));
    }
}

#[test]
fn the_logic_analyser_keeps_a_million_changes() {
    let mut program = Program::new();
    program.write(IO_BANK0 + 8 * ROW_PIN + 4, 5).write(GPIO_OE_SET, 1 << ROW_PIN);
    program.load(0, 1 << ROW_PIN).load(1, GPIO_OUT_XOR).op(0x6008).op(0xE7FD);
    let mut handheld = program.start(Options::default());
    handheld.probe_pins(1 << ROW_PIN);
    run(&mut handheld, ms(1_000));
    assert!((500_000..=1 << 20).contains(&handheld.probed().len()), "{}", handheld.probed().len());
}

/// A program of random instructions, with random numbers in its registers, some of them addresses of something.
fn random_program(chip: Chip, random: &mut Pcg32) -> Program {
    let address = |random: &mut Pcg32| {
        let bases = [
            RAM,
            RAM + 0x4_1FF0,
            RAM + 0x8_1FF0,
            0x1000_0000,
            0x1400_0000,
            0x1800_0000,
            0x1C00_3FF0,
            0xD000_0000,
            0xE000_E000,
            0xE000_ED00,
            0x4000_8000,
            0x4000_C000,
            0x4001_4000,
            0x4002_8000,
            0x4005_0000,
            0x4005_4000,
            0x4005_8000,
            0x4006_0000,
            0x400A_8000,
            0x400B_0000,
            0x400D_0000,
            0x4010_8000,
            DMA,
            DMA,
            0x5000_0400,
            0x5010_0000,
            0x5011_0000,
            0x5020_0000,
            0x5020_0048,
            0x5020_00C8,
            0x5030_0000,
            0x5040_0000,
            0,
            0x100,
            0x200,
            0x400,
        ];
        let base = bases[random.next_u32() as usize % bases.len()];
        match random.next_u32() % 10 {
            0 => random.next_u32(),
            // Any register of any peripheral.
            8 => 0x4000_0000 + random.next_u32() % 0x5C * 0x4000 + random.next_u32() % 80 * 4,
            9 => 0x4000_0000 + random.next_u32() % 0x5C * 0x4000 + random.next_u32() % 0x4000,
            1 => base + random.next_u32() % 0x4000,
            2 => base + random.next_u32() % 64,
            _ => base + random.next_u32() % 64 * 4,
        }
    };
    let number = |random: &mut Pcg32| match random.next_u32() % 4 {
        0 => random.next_u32(),
        1 => 1 << (random.next_u32() % 32),
        2 => random.next_u32() % 256,
        _ => address(random),
    };
    let mut program = program_for(chip);
    release(&mut program);
    for _ in 0..40 {
        let (place, value) = (address(random), number(random));
        match random.next_u32() % 10 {
            0..6 => _ = program.write(place, value),
            6 => _ = program.copy(place, RAM + 0x40),
            7 => {
                let arguments = core::array::from_fn(|_| number(random));
                program.call(0x101 + random.next_u32() % 0x40 * 4, arguments);
            }
            8 => _ = program.op(random.next_u32() as u16),
            _ => {
                (0..7).for_each(|register| _ = program.load(register, number(random)));
                (0..4).for_each(|_| _ = program.op(random.next_u32() as u16));
            }
        }
    }
    program.op([WFI, WFE, SELF, 0x4770][random.next_u32() as usize % 4]).op(0xE7FD);
    // Most faults go on behind the instruction, the others wherever chance has it.
    program.handler(3).op(0x9906).op(0x3102).op(0x9106).op(BX_LR);
    for exception in [2, 4, 5, 6, 11, 14, 15, 16, 20, 27, 37] {
        program.handler(exception).op(random.next_u32() as u16).op(BX_LR);
    }
    program
}

#[test]
fn random_programs_harm_nobody() {
    for chip in CHIPS {
        for seed in 0..100 {
            let mut random = Pcg32::new(seed, 0xbad);
            let program = random_program(chip, &mut random);
            let mut handheld = program.start(Options { seed, supply_switch: false, ..Options::default() });
            handheld.record_frames();
            run(&mut handheld, Duration::from_micros(700));
            handheld.press(12);
            handheld.inflict(Mishap::Fault);
            run(&mut handheld, Duration::from_micros(300));
            let _: &[LogLine] = handheld.logs();
        }
    }
}
