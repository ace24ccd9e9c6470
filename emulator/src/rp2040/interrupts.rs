//! Pending interrupts and preemption.
//!
//! Interrupt lines are levels. A line that is high makes its interrupt pending unless its handler is active. The lines
//! are sampled whenever the core stops running. The emulator crate does not implement preemption of a handler by an
//! interrupt of higher priority. [`CoreBusView::is_preempted`] detects that case.

use crate::bits::bits;
use crate::chip::CoreBusView;
use rp2040_emu::Bus;
use rp2040_emu::bus::DMA_BASE;

impl CoreBusView<'_, Bus> {
    /// Samples the interrupt lines. A line that is high makes its interrupt pending unless its handler is active.
    pub(super) fn raise_interrupts(&mut self) {
        const DMA_STATUS: [u32; 2] = [DMA_BASE + 0x40C, DMA_BASE + 0x41C];
        let now = self.now();
        let mut lines = self.chip.timer.poll(now);
        for (block, pio) in self.bus.pio.iter().enumerate() {
            if pio.any_sm_enabled() {
                lines |= u32::from(pio.int0_ints_rp2040() != 0) << (7 + 2 * block);
                lines |= u32::from(pio.int1_ints_rp2040() != 0) << (8 + 2 * block);
            }
        }
        lines |= u32::from(self.bus.read32(DMA_STATUS[0]) != 0) << 11;
        lines |= u32::from(self.bus.read32(DMA_STATUS[1]) != 0) << 12;
        lines |= u32::from(self.chip.pins.interrupt()) << 13;
        let cycle = self.cycle();
        lines |= u32::from(self.chip.pwm.interrupt(cycle)) << 4;
        if self.chip.adc.is_interrupt_enabled() {
            let levels = self.chip.analogue_levels(now);
            lines |= u32::from(self.chip.adc.interrupt(now, &levels)) << 22;
        }
        let active = (self.bus.ppb[0].active >> 16) as u32;
        self.bus.nvics[0].pending |= lines & !active;
    }

    /// Whether no exception is taken as long as only registers and memory change.
    pub(super) fn is_undisturbed(&self, masked: bool) -> bool {
        const PENDSV_OR_SYSTICK: u32 = 1 << 28 | 1 << 26;
        let (nvic, ppb) = (&self.bus.nvics[0], &self.bus.ppb[0]);
        let is_pending = nvic.pending_and_enabled() != 0 || ppb.icsr & PENDSV_OR_SYSTICK != 0;
        masked || !is_pending || ppb.any_active() && !self.is_preempted()
    }

    /// Whether a pending interrupt has a higher priority (a lower number) than every active exception.
    pub(super) fn is_preempted(&self) -> bool {
        let (nvic, ppb) = (&self.bus.nvics[0], &self.bus.ppb[0]);
        let active = bits(ppb.active).map(|exception| match exception {
            0..16 => ppb.exception_priority(exception as u16),
            _ => i16::from(nvic.priority[(exception - 16) & 31]),
        });
        let pending = bits(nvic.pending_and_enabled()).map(|line| i16::from(nvic.priority[line]));
        active.min().unwrap_or(i16::MAX) > pending.min().unwrap_or(i16::MAX)
    }
}
