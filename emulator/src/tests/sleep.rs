//! Dormant sleep and memory that is powered down.

use super::{CPSID, Program, RAM, SELF, ms};
use crate::{AccessKind, Handheld, Options};
use core::time::Duration;

const MEMPOWERDOWN: u32 = 0x4000_4018;
const ROSC_DORMANT: u32 = 0x4006_000C;
const COMA: u32 = 0x636F_6D61;
const IO_BANK0: u32 = 0x4001_4000;
const NVIC_ISER: u32 = 0xE000_E100;
const STR_R0_R1: u16 = 0x6008;
const STR_R2_R3: u16 = 0x601A;
const STR_R4_R1: u16 = 0x600C;
const BX_LR: u16 = 0x4770;

/// A program that enters dormant sleep like embassy-rp does: it powers memories down, writes "coma", and powers
/// memories up again, with all values in registers. Interrupt 0 is enabled. With `wakes`, a low level of column 0 (pin
/// 7), which has no pull-up, ends the sleep.
fn sleeper(masked: bool, wakes: bool) -> Program {
    let mut program = Program::new();
    program.write(NVIC_ISER, 1);
    if wakes {
        program.write(IO_BANK0 + 0x160, 1 << 28);
    }
    program.write(RAM + 0x40, 0x1234_5678).write(RAM + 0x44, 0x9ABC_DEF0);
    program.load(0, 0xFF).load(1, MEMPOWERDOWN).load(2, COMA).load(3, ROSC_DORMANT).load(4, 0);
    if masked {
        program.op(CPSID);
    }
    program.op(STR_R0_R1).op(STR_R2_R3).op(STR_R4_R1);
    program.copy(RAM + 0x40, RAM + 0x48).copy(RAM + 0x44, RAM + 0x4C).write(RAM, 1).op(SELF);
    program.handler(16).write(RAM + 4, 1).op(BX_LR);
    program
}

fn words(handheld: &mut Handheld) -> [u32; 3] {
    [0, 0x48, 0x4C].map(|at| handheld.ram(RAM + at))
}

#[test]
fn powered_down_memory_keeps_its_content_in_dormant() {
    let mut handheld = sleeper(false, false).start(Options::default());
    assert_eq!(handheld.powered_down_memories_in_sleep(), None);
    handheld.run_for(ms(1));
    assert!(handheld.is_dormant());
    assert_eq!((handheld.powered_down_memories(), handheld.powered_down_memories_in_sleep()), (0xFF, Some(0xFF)));
    handheld.run_for(ms(1_000));
    assert_eq!((handheld.is_dormant(), words(&mut handheld)), (true, [0, 0, 0]));
    let mut handheld = sleeper(false, true).start(Options::default());
    handheld.run_for(ms(1));
    assert_eq!((handheld.is_dormant(), words(&mut handheld)), (false, [1, 0x1234_5678, 0x9ABC_DEF0]));
    assert_eq!(handheld.powered_down_accesses(), []);
    assert_eq!((handheld.powered_down_memories(), handheld.powered_down_memories_in_sleep()), (0, Some(0xFF)));
}

#[test]
fn interrupt_while_entering_dormant_has_no_stack() {
    let mut asleep = sleeper(false, false).start(Options::default());
    assert!(asleep.run_until(ms(1), Handheld::is_dormant));
    let sleep_cycle = asleep.cycle_counts().cycles;
    for masked in [false, true] {
        let mut hits = 0;
        for cycle in sleep_cycle - 20..sleep_cycle + 20 {
            let mut handheld = sleeper(masked, true).start(Options::default());
            handheld.raise_interrupt_at(0, cycle);
            handheld.run_for(ms(1));
            let accesses = handheld.powered_down_accesses();
            if let Some(first) = accesses.first() {
                hits += 1;
                assert_eq!((first.kind, first.address), (AccessKind::Write, RAM + 0x2_0000 - 32));
            } else {
                assert_eq!(words(&mut handheld), [1, 0x1234_5678, 0x9ABC_DEF0]);
                assert!(masked || handheld.ram(RAM + 4) == 1, "the interrupt is taken before or after the sleep");
            }
        }
        assert!(if masked { hits == 0 } else { (1..8).contains(&hits) }, "{hits} cycles without a stack");
    }
}

#[test]
fn powered_down_memory_reads_random_and_loses_writes() {
    let mut program = Program::new();
    program.write(RAM + 0x18, 5).write(MEMPOWERDOWN, 0b100);
    program.copy(RAM + 0x18, RAM + 0x14).write(RAM + 0x18, 6).write(MEMPOWERDOWN, 0).op(SELF);
    let mut handheld = program.start(Options::default());
    handheld.run_for(Duration::from_micros(100));
    let accesses: Vec<_> =
        handheld.powered_down_accesses().iter().map(|access| (access.kind, access.address)).collect();
    assert_eq!(accesses, [(AccessKind::Read, RAM + 0x18), (AccessKind::Write, RAM + 0x18)]);
    assert_eq!(handheld.ram(RAM + 0x18), 5);
    assert_ne!(handheld.ram(RAM + 0x14), 5);
}

#[test]
fn code_in_powered_down_memory_does_not_run() {
    let mut program = Program::new();
    program.write(RAM + 0x10, BX_LR.into()).write(MEMPOWERDOWN, 1).call(RAM + 0x11, [0; 3]).write(RAM + 4, 1).op(SELF);
    let mut handheld = program.start(Options::default());
    handheld.run_for(Duration::from_micros(100));
    let first = handheld.powered_down_accesses().first().map(|access| (access.kind, access.address));
    assert_eq!((first, handheld.ram(RAM + 4)), (Some((AccessKind::Fetch, RAM + 0x10)), 0));
}

#[test]
fn dma_access_to_powered_down_memory_is_reported() {
    const DMA: u32 = 0x5000_0000;
    const UNPACED: u32 = 0x3F << 15;
    let mut program = Program::new();
    program.write(0x4000_C000 | 0x3000, 1 << 2).write(MEMPOWERDOWN, 0b10);
    program.write(DMA, RAM).write(DMA + 4, RAM + 0x24).write(DMA + 8, 1).write(DMA + 0xC, UNPACED | 2 << 2 | 1);
    program.op(SELF);
    let mut handheld = program.start(Options::default());
    handheld.run_for(ms(1));
    let accesses = handheld.powered_down_accesses();
    assert!(
        accesses.iter().any(|access| (access.kind, access.address) == (AccessKind::Dma, RAM + 0x24)),
        "{accesses:?}"
    );
}
