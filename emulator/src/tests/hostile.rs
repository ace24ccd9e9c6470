//! Hostile programs: none of them stops the emulated time, uses unlimited memory, or makes the emulator panic.
//!
//! An endless run is detected by the number of its steps, which must not be larger than the number of cycles.

use super::*;

pub(super) const CHIPS: [Chip; 2] = [Chip::Rp2040, Chip::Rp2350];
const MOV_LR_R4: u16 = 0x46A6;
const MOV_LR_R5: u16 = 0x46AE;
const BX_R4: u16 = 0x4720;
pub(super) const WFI: u16 = 0xBF30;
pub(super) const DMA: u32 = 0x5000_0000;
/// The end of the boot RAM in the RP2350's emulator crate.
const BOOT_RAM_END: u32 = 0xF000_0000;

pub(super) fn program_for(chip: Chip) -> Program {
    match chip {
        Chip::Rp2040 => Program::new(),
        Chip::Rp2350 => Program::for_rp2350(),
    }
}

/// The address of a function of the boot ROM.
fn rom_function(chip: Chip, code: &[u8; 2]) -> u32 {
    match chip {
        Chip::Rp2040 => rom::address(code),
        Chip::Rp2350 => crate::rp2350::rom::address(code).expect("a known code"),
    }
}

/// Releases all peripherals from reset.
pub(super) fn release(program: &mut Program) {
    let resets = if program.chip == Chip::Rp2040 { 0x4000_C000 } else { 0x4002_0000 };
    program.write(resets + 0x3000, !0);
}

/// Runs for some time. A run in which the time stops fails.
pub(super) fn run(handheld: &mut Handheld, time: Duration) {
    let max_steps = 1_000 + handheld.cycle_counts().cycles + time.as_micros() as u64 * 400;
    let mut steps = 0;
    handheld.run_until(time, |_| {
        steps += 1;
        assert!(steps < max_steps, "the emulated time has stopped");
        false
    });
}

/// Runs a program to its end. Returns 1, or 2 after a fault.
fn result_of(mut program: Program) -> u32 {
    program.write(RAM, 1).op(SELF);
    program.handler(3).write(RAM, 2).op(SELF);
    let mut handheld = program.start(Options::default());
    run(&mut handheld, ms(5));
    handheld.ram(RAM)
}

#[test]
fn flash_call_of_length_0_takes_time() {
    for chip in CHIPS {
        for code in [b"RE", b"RP", b"FC", b"IF"] {
            for times in [
                FlashTimes::default(),
                FlashTimes { erase: Duration::ZERO, program: Duration::ZERO, ..FlashTimes::default() },
            ] {
                let mut program = program_for(chip);
                program.load(0, 0).load(1, 0).load(2, 0).load(4, rom_function(chip, code));
                // The function returns to itself.
                program.op(MOV_LR_R4).op(BX_R4);
                let mut handheld = program.start(Options { flash_times: times, ..Options::default() });
                run(&mut handheld, ms(2));
                assert!(handheld.now() >= ms(2));
            }
        }
    }
}

#[test]
fn flash_call_of_4_gb_covers_the_chip_once() {
    for chip in CHIPS {
        let mut program = program_for(chip);
        program.call(rom_function(chip, b"RP"), [0, RAM, u32::MAX]).write(RAM, 1).op(SELF);
        let page = Duration::from_micros(1);
        let flash_times = FlashTimes { erase: page, program: page, ..FlashTimes::default() };
        let mut handheld = program.start(Options { flash_times, ..Options::default() });
        run(&mut handheld, ms(1));
        assert!(handheld.is_flash_busy() && handheld.flash().programs() < 1_100);
        run(&mut handheld, ms(30));
        assert_eq!(handheld.flash().programs(), (chip.flash_size() / 256) as u64);
    }
}

#[test]
fn copy_of_4_gb_ends_with_the_run() {
    for code in [b"MS", b"MC"] {
        let mut program = Program::new();
        program.call(rom::address(code), [RAM, RAM, u32::MAX]).op(SELF);
        program.handler(3).write(RAM, 1).op(SELF);
        let mut handheld = program.start(Options::default());
        handheld.run_for(ms(1));
        assert!(handheld.now() < ms(3), "{:?}", handheld.now());
        handheld.run_for(ms(100));
        assert_eq!(handheld.ram(RAM), 1, "a fault at the end of RAM");
    }
}

/// A program that starts an endless DMA transfer between two addresses.
fn with_dma(chip: Chip, from: u32, to: u32, size: u32) -> Program {
    let mut program = program_for(chip);
    release(&mut program);
    let control = 1 | size << 2 | 63 << if chip == Chip::Rp2040 { 15 } else { 17 };
    program.write(DMA, from).write(DMA + 4, to).write(DMA + 8, 0x0FFF_FFFF).write(DMA + 0x0C, control);
    program
}

#[test]
fn dma_writes_during_sleep_are_not_accumulated() {
    for chip in CHIPS {
        let mut program = with_dma(chip, RAM, RAM + 0x1000, 2);
        program.op(CPSID).op(WFI).op(SELF);
        let mut handheld = program.start(Options::default());
        run(&mut handheld, ms(3));
        assert!(handheld.machine.chip_model.pending_invalidations() < 1_000, "{chip}");
        assert!(handheld.cycle_counts().awake < 10_000, "the core sleeps");
    }
}

#[test]
fn dma_accesses_only_memory_and_pio() {
    let addresses = [
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
        for address in addresses {
            for size in 0..3 {
                assert_eq!(result_of(with_dma(chip, RAM, address, size)), 1, "{chip}: {size} to {address:#x}");
                assert_eq!(
                    result_of(with_dma(chip, address, RAM + 0x100, size)),
                    1,
                    "{chip}: {size} from {address:#x}"
                );
            }
        }
    }
}

#[test]
fn accesses_at_the_ends_of_memory_do_not_panic() {
    // Loads and stores of a word, a halfword, a byte and several words.
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
            // The fault handler continues after the instruction.
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
fn write_without_a_peripheral_is_a_fault() {
    for chip in CHIPS {
        for address in [0x4008_0000 + 0x10_0000, 0x4800_0000, 0x5090_0000, 0x5000_5000, 0x5FFF_FFFC] {
            let mut program = program_for(chip);
            program.write(address, 1);
            assert_eq!(result_of(program), 2, "{chip}: {address:#x}");
        }
    }
}

#[test]
fn data_sent_to_a_uart_is_not_stored() {
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
    // The flags show an empty transmitter.
    assert_eq!(handheld.ram(RAM + 0x10) & (1 << 7 | 1 << 3), 1 << 7);
}

#[test]
fn endless_resets_end_with_the_run_and_are_counted() {
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
fn fault_in_the_fault_handler_does_not_stop_time() {
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
fn chip_with_erased_first_sector_does_not_panic() {
    for chip in CHIPS {
        let mut program = program_for(chip);
        // The function returns to a loop in RAM, because it erases the program.
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
fn pio_steps_are_counted_while_the_core_sleeps() {
    for chip in CHIPS {
        let mut program = program_for(chip);
        release(&mut program);
        let blocks = if chip == Chip::Rp2040 { 2 } else { 3 };
        for block in (0..blocks).map(|block| 0x5020_0000 + 0x10_0000 * block) {
            // All state machines execute `mov pins, !null`, `mov pins, null`, and then the rest of the instruction
            // memory.
            program.write(block + 0x48, 0xA00B).write(block + 0x4C, 0xA003).write(block, 0xF);
        }
        program.op(CPSID).op(WFI).op(SELF);
        let mut handheld = program.start(Options::default());
        run(&mut handheld, ms(2));
        let cycle_counts = handheld.cycle_counts();
        assert!(cycle_counts.steps > cycle_counts.cycles / 2, "{cycle_counts:?}");
    }
}

#[test]
fn number_of_stored_tones_is_limited() {
    let mut program = Program::new();
    release(&mut program);
    let piezo = u32::from(Wiring::REFERENCE.piezo);
    let slice = 0x4005_0000 + 0x14 * (piezo / 2 % 8);
    program.write(IO_BANK0 + 8 * piezo + 4, 4).write(slice + 0x10, 100).write(slice + 0x0C, 50 | 50 << 16);
    // Enables and disables the slice in an endless loop.
    program.load(0, 1).load(2, 0).load(1, slice).op(0x6008).op(0x600A).op(0xE7FC);
    let mut handheld = program.start(Options::default());
    run(&mut handheld, ms(200));
    let tones = handheld.tones().len();
    assert!((1_000..=1 << 16).contains(&tones), "{tones}");
    assert_eq!((handheld.take_tones().len(), handheld.tones().len()), (tones, 0));
}

#[test]
fn pwm_wrap_at_every_cycle_does_not_stop_time() {
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
fn logic_analyser_keeps_at_most_a_million_changes() {
    let mut program = Program::new();
    program.write(IO_BANK0 + 8 * ROW_PIN + 4, 5).write(GPIO_OE_SET, 1 << ROW_PIN);
    program.load(0, 1 << ROW_PIN).load(1, GPIO_OUT_XOR).op(0x6008).op(0xE7FD);
    let mut handheld = program.start(Options::default());
    handheld.start_logic_analyser(1 << ROW_PIN);
    run(&mut handheld, ms(1_000));
    assert!((500_000..=1 << 20).contains(&handheld.logic_samples().len()), "{}", handheld.logic_samples().len());
}
