//! Pending interrupts, and whether the core takes one.
//!
//! Interrupt lines are levels. A line that is high makes its interrupt pending unless its handler is active. The lines
//! are sampled whenever the core stops running. The interrupt lines of the emulator crate (DMA, timers, PIO) are not
//! used.

use super::EXCEPTION;
use super::chip_bus::Rp2350Bus;
use crate::chip::CoreBusView;
use rp2350_emu::CortexM33;
use std::sync::atomic::{AtomicU32, Ordering};

/// Interrupt numbers. PIO has two for each block.
const PWM: u32 = 8;
const DMA: u32 = 10;
const PIO: u32 = 15;
const PINS: u32 = 21;
const ADC: u32 = 35;

/// The two words of an interrupt register as one number.
fn combine(words: &[AtomicU32; 2]) -> u64 {
    u64::from(words[1].load(Ordering::Relaxed)) << 32 | u64::from(words[0].load(Ordering::Relaxed))
}

/// The interrupts that are enabled.
fn enabled(core: &CortexM33) -> u64 {
    combine(&core.ppb.nvic_iser)
}

/// The interrupts that are pending and enabled.
pub(super) fn pending(core: &CortexM33) -> u64 {
    combine(&core.ppb.nvic_ispr) & enabled(core)
}

/// Whether no exception is taken as long as only registers and memory change, if PRIMASK is `masked`.
pub(super) fn is_undisturbed(core: &CortexM33, masked: bool) -> bool {
    const NMI_PENDSV_OR_SYSTICK: u32 = 1 << 31 | 1 << 28 | 1 << 26;
    let mut lines = pending(core);
    let others = core.ppb.icsr & NMI_PENDSV_OR_SYSTICK;
    if others == 0 && (lines == 0 || masked || core.regs.faultmask & 1 != 0) {
        return true;
    }
    let active = core.regs.xpsr & EXCEPTION;
    if others != 0 || active == 0 {
        return false;
    }
    let priority = core.ppb.exception_priority(active as u16);
    while lines != 0 {
        if core.ppb.exception_priority(16 + lines.trailing_zeros() as u16) < priority {
            return false;
        }
        lines &= lines - 1;
    }
    true
}

/// Sets the pending bits of these interrupts.
pub(super) fn pend(core: &CortexM33, lines: u64) {
    for (word, lines) in core.ppb.nvic_ispr.iter().zip([lines as u32, (lines >> 32) as u32]) {
        if lines != 0 {
            word.fetch_or(lines, Ordering::Relaxed);
        }
    }
}

/// Samples the interrupt lines. A line that is high makes its interrupt pending unless its handler is active.
pub(super) fn raise(core: &CortexM33, view: &mut CoreBusView<'_, Rp2350Bus>) {
    let now = view.now();
    let mut lines = u64::from(view.chip.timer.poll(now));
    for (block, pio) in view.bus.emulated.pio.iter().enumerate() {
        if pio.any_sm_enabled() {
            lines |= u64::from(pio.int0_ints_rp2350() != 0) << (PIO + 2 * block as u32);
            lines |= u64::from(pio.int1_ints_rp2350() != 0) << (PIO + 1 + 2 * block as u32);
        }
    }
    lines |= u64::from(view.bus.dma_interrupts()) << DMA;
    lines |= u64::from(view.chip.pins.interrupt()) << PINS;
    let cycle = view.cycle();
    lines |= u64::from(view.chip.pwm.interrupt(cycle)) << PWM;
    if view.chip.adc.is_interrupt_enabled() {
        let levels = view.chip.analogue_levels(now);
        lines |= u64::from(view.chip.adc.interrupt(now, &levels)) << ADC;
    }
    if lines != 0 {
        pend(core, lines & !combine(&core.ppb.nvic_iabr));
    }
}
