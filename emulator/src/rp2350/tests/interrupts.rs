//! Faults of rp2350-emu 0.2.6: `core/mod.rs` drops byte writes to the private registers, so that all priorities are 0.
//! `bus/ppb.rs` has three bits of a priority where the chip has four, no STIR, no VECTACTIVE, and a reset request
//! without effect. In `lib.rs` an interrupt does not end WFE.

use super::*;
use crate::ResetCause;

const PRIORITY: u32 = 0xE000_E400;
const ICSR: u32 = 0xE000_ED04;
const AIRCR: u32 = 0xE000_ED0C;
const STIR: u32 = 0xE000_EF00;

fn bit(interrupt: u32) -> u32 {
    1 << (interrupt - 32)
}

/// Whether the second spare interrupt preempts the handler of the first, which makes it pending. `store` is the
/// instruction that writes the priorities in r0 to the address in r1.
fn preempts(store: u16, size: u32, priorities: [u32; 2]) -> bool {
    let mut program = Program::for_rp2350();
    let at = PRIORITY + SPARE[0];
    if size == 1 {
        program.load(0, priorities[0]).load(1, at).op(store).load(0, priorities[1]).load(1, at + 1).op(store);
    } else {
        program.load(0, priorities[0] << 16 | priorities[1] << 24).load(1, at & !3).op(store);
    }
    program.write(NVIC_ISER[1], bit(SPARE[0]) | bit(SPARE[1])).write(NVIC_ISPR[1], bit(SPARE[0])).op(SELF);
    program.handler(16 + SPARE[0] as usize).write(NVIC_ISPR[1], bit(SPARE[1])).copy(RAM + 4, RAM).op(BX_LR);
    program.handler(16 + SPARE[1] as usize).write(RAM + 4, 1).op(BX_LR);
    let handheld = run(&mut program);
    assert_eq!(handheld.ram(RAM + 4), 1, "the second handler runs during or after the first");
    handheld.ram(RAM) == 1
}

#[test]
fn preemption_works_on_each_of_sixteen_levels() {
    const STRB: u16 = 0x7008;
    const STR: u16 = 0x6008;
    for (store, size) in [(STRB, 1), (STR, 4)] {
        for level in (0x10..0x100).step_by(0x10) {
            assert!(preempts(store, size, [level, level - 0x10]), "{level:#x}");
            assert!(!preempts(store, size, [level - 0x10, level]), "{level:#x}");
            assert!(!preempts(store, size, [level, level | 0xF]), "only four bits are compared");
        }
    }
}

#[test]
fn stir_makes_an_interrupt_pending() {
    let mut program = Program::for_rp2350();
    program.write(NVIC_ISER[1], bit(SPARE[1])).write(STIR, SPARE[1]).write(RAM + 4, 1).op(SELF);
    program.handler(16 + SPARE[1] as usize).copy(RAM + 4, RAM + 8).copy(ICSR, RAM).op(BX_LR);
    let handheld = run(&mut program);
    let [active, after, before] = words(&handheld, 0);
    assert_eq!((active & 0x1FF, after, before), (16 + SPARE[1], 1, 0), "VECTACTIVE of ICSR is the active exception");
}

#[test]
fn reset_request_resets_and_memory_is_kept() {
    let mut program = Program::for_rp2350();
    program.copy(RAM, RAM + 4).write(RAM, 7).write(AIRCR, 0x05FA_0004).op(SELF);
    let mut handheld = program.start(Options::default());
    handheld.run_for(Duration::from_micros(20));
    assert_eq!((handheld.resets()[0].cause, handheld.ram(RAM + 4)), (ResetCause::System, 7));
}

/// A program that sleeps until an alarm in 100 us.
fn sleeper(masked: bool) -> Program {
    let mut program = registers::with_timer();
    program.write(registers::TIMER0 + 0x40, 1).write(NVIC_ISER[0], 1).write(registers::TIMER0 + 0x10, 100);
    if masked {
        program.op(CPSID);
    }
    // The first WFE may end at once because of an earlier event.
    program.op(WFE).op(WFE).copy(registers::TIMER0 + 0x28, RAM).op(SELF);
    program.handler(16).write(registers::TIMER0 + 0x3C, 1).op(BX_LR);
    program
}

#[test]
fn interrupt_that_is_taken_ends_wfe() {
    let handheld = run(&mut sleeper(false));
    assert!((100..110).contains(&handheld.ram(RAM)), "{}", handheld.ram(RAM));
    assert_eq!(run(&mut sleeper(true)).ram(RAM), 0, "a masked interrupt does not end WFE");
}

#[test]
fn exception_exit_sets_the_event_flag() {
    let mut program = Program::for_rp2350();
    program.write(NVIC_ISER[1], bit(SPARE[0])).op(WFE).write(NVIC_ISPR[1], bit(SPARE[0]));
    program.op(WFE).write(RAM, 1).op(WFE).write(RAM + 4, 1).op(SELF);
    program.handler(16 + SPARE[0] as usize).op(BX_LR);
    // The first WFE ends only by an interrupt from outside.
    let mut handheld = program.start(Options::default());
    handheld.run_for(ms(1));
    assert_eq!(words(&handheld, 0), [0, 0]);
    handheld.raise_interrupt_at(SPARE[0], handheld.cycle_counts().cycles);
    handheld.run_for(ms(1));
    assert_eq!(words(&handheld, 0), [1, 0], "two exceptions set the event flag once");
}
