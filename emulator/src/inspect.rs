//! What a logic analyser, a debug probe and an ear find out about a handheld.

use crate::chip::Probe;
use crate::flash::{Flash, Unit};
use crate::flash_access::{FlashAccess, FlashUse};
use crate::flash_cache::{Cache, CacheUse};
use crate::handheld::Handheld;
use crate::logs::LogLine;
use crate::memory_power::PoweredDownAccess;
use crate::meter::{Calls, CoreUse};
use crate::register_trace::RegisterUse;
use crate::restart::Reset;
use core::time::Duration;
use std::collections::BTreeMap;

/// How much the core has done: cycles in all, and those in which it did not sleep. And what it has cost to emulate the
/// rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Cycles of the system clock since power-on.
    pub cycles: u64,
    /// Those in which the core ran, or waited for the flash.
    pub awake: u64,
    /// Steps in which everything but the core was emulated: ticks of PIO, words of the DMA, and whatever ends a run of
    /// the core. Each takes about as long as twenty instructions.
    pub steps: u64,
}

impl Effort {
    /// The share of the time from `earlier` to now in which the core was awake, 0 to 1.
    pub fn share_since(self, earlier: Self) -> f64 {
        let cycles = self.cycles.saturating_sub(earlier.cycles).max(1);
        self.awake.saturating_sub(earlier.awake) as f64 / cycles as f64
    }
}

impl Handheld {
    // --- Pins and sound -----------------------------------------------------------------------------------------------

    /// The level of a pin; pins that do not exist are low.
    pub fn pin(&self, pin: u32) -> bool {
        self.machine.chip.levels().checked_shr(pin).unwrap_or(0) & 1 != 0
    }

    /// Puts a logic analyser on these pins (bit = pin), from now on; it forgets what it saw before. On the LED wire it costs
    /// speed.
    pub fn probe_pins(&mut self, mask: u32) {
        self.machine.chip.probe = Some(Probe { mask, changes: Vec::new() });
        self.machine.pins_changed();
        self.machine.listen();
    }

    /// What the logic analyser has seen since it was put on: the levels of its pins at first, and whenever one of them
    /// changed (the first million times).
    pub fn probed(&self) -> impl ExactSizeIterator<Item = (Duration, u32)> {
        let changes = self.machine.chip.probe.as_ref().map_or(&[][..], |probe| &probe.changes);
        changes.iter().map(|&(at, levels)| (Duration::from_nanos(at), levels))
    }

    /// The same, and takes the logic analyser off.
    pub fn take_probed(&mut self) -> Vec<(Duration, u32)> {
        let changes = self.probed().collect();
        self.machine.chip.probe = None;
        changes
    }

    /// The tone of the piezo in Hz: what its pin does, which may begin later than the firmware thinks.
    pub fn tone(&self) -> Option<u32> {
        self.machine.chip.tone
    }

    /// Every change of the tone so far (the newest 32,768 at least).
    pub fn tones(&self) -> &[(Duration, Option<u32>)] {
        &self.machine.tones
    }

    /// The same, since the last call of this.
    pub fn take_tones(&mut self) -> Vec<(Duration, Option<u32>)> {
        core::mem::take(&mut self.machine.tones)
    }

    // --- Inside -------------------------------------------------------------------------------------------------------

    /// The log so far, through all resets (the newest 4 MB at least).
    pub fn logs(&self) -> &[LogLine] {
        &self.machine.log.lines
    }

    /// The same, since the last call of this.
    pub fn take_logs(&mut self) -> Vec<LogLine> {
        self.machine.log.take_lines()
    }

    /// The resets so far (the first ten thousand).
    pub fn resets(&self) -> &[Reset] {
        &self.machine.resets
    }

    /// How many resets there were in all.
    pub fn reset_count(&self) -> u64 {
        self.machine.reset_count
    }

    /// Whether the chip is in dormant sleep, its clocks stopped.
    pub fn is_dormant(&self) -> bool {
        self.machine.chip.dormant
    }

    /// The flash chip.
    pub fn flash(&self) -> &Flash {
        &self.machine.flash
    }

    /// Whether the flash is being erased or programmed: nothing runs from it meanwhile.
    pub fn flash_is_busy(&self) -> bool {
        self.machine.work.is_some()
    }

    /// Whether a sector is being erased.
    pub fn flash_is_erased(&self) -> bool {
        self.machine.work.as_ref().is_some_and(|work| matches!(work.unit, Some(Unit::Erase { .. })))
    }

    /// What core or DMA wanted to read from flash while it could not be read (the first thousand times).
    pub fn refused_flash_accesses(&self) -> &[FlashAccess] {
        &self.machine.chip.flash_guard.refused
    }

    /// The lowest address that the stack may reach (MSPLIM); 0 where there is no limit.
    pub fn stack_limit(&self) -> u32 {
        self.machine.silicon.stack_limit()
    }

    /// Notes from now on what is fetched and read from flash. Costs speed where that is much.
    pub fn watch_flash(&mut self) {
        self.machine.chip.flash_guard.watch = Some(FlashUse::default());
    }

    /// What was fetched and read from flash since [`Handheld::watch_flash`] was last called.
    pub fn flash_use(&self) -> Option<&FlashUse> {
        self.machine.chip.flash_guard.watch.as_ref()
    }

    /// The lowest VSYS at which a flash operation was begun, in millivolts; `None` if there was none.
    pub fn lowest_vsys_at_write(&self) -> Option<u32> {
        self.machine.lowest_write
    }

    /// Cycles of the system clock since power-on, and how many of them the core was awake.
    pub fn effort(&self) -> Effort {
        Effort { cycles: self.machine.chip.clock.cycles(), awake: self.machine.awake, steps: self.machine.chip.steps }
    }

    /// What the core has touched of memories that were switched off by MEMPOWERDOWN (the first thousand times).
    pub fn powered_down_accesses(&self) -> &[PoweredDownAccess] {
        self.machine.chip.memory.accesses()
    }

    /// How often the core has found the flash's cache to hold what it wanted, if [`Options::flash_cache`](crate::Options::flash_cache) is set.
    pub fn flash_cache_use(&self) -> Option<CacheUse> {
        self.machine.chip.flash_cache.as_ref().map(Cache::used)
    }

    /// Counts the cycles of every call, from now on, of the functions whose readable name contains `part`. Gives the number
    /// to ask [`Handheld::calls`] with, or `None` when there is no such function (it may have been inlined).
    pub fn watch_calls(&mut self, part: &str) -> Option<usize> {
        let machine = &mut self.machine;
        machine.firmware.functions(part).next()?;
        Some(machine.meter.watch(machine.firmware.functions(part)))
    }

    /// The calls that a watch has counted.
    pub fn calls(&self, watch: usize) -> Option<&Calls> {
        self.machine.meter.calls(watch)
    }

    /// Follows the core from now on: its stack, and the times with interrupts off. Costs speed, as watching calls does.
    pub fn watch_core(&mut self) {
        self.machine.meter.watch_core();
    }

    /// What the core has done since [`Handheld::watch_core`] was last called.
    pub fn core_use(&self) -> Option<&CoreUse> {
        self.machine.meter.core_use()
    }

    /// Notes from now on which registers are touched, through all resets. Costs some speed.
    pub fn trace_registers(&mut self) {
        self.machine.chip.trace.start();
    }

    /// The registers that were touched since [`Handheld::trace_registers`] was first called, by their own addresses.
    pub fn touched_registers(&self) -> BTreeMap<u32, RegisterUse> {
        self.machine.chip.trace.uses()
    }

    /// The memories that MEMPOWERDOWN has switched off at this moment, a bit for each as in that register; 0: all are on.
    pub fn memories_off(&self) -> u32 {
        self.machine.chip.memory.read()
    }

    /// The memories that were off when dormant sleep last began, the same way; `None` if it never has.
    pub fn memories_off_in_sleep(&self) -> Option<u32> {
        self.machine.chip.memory.in_sleep()
    }

    /// Whether the core has ever locked up: a fault in its fault handler, after which only a reset helps.
    pub fn has_locked_up(&self) -> bool {
        self.machine.chip.locked_up
    }

    /// How often clk_ref or clk_sys had a crystal that was not stable, or a PLL that had not locked, as its source when
    /// one of them was written. A real chip stands still then.
    pub fn dead_clocks(&self) -> u64 {
        self.machine.chip.dead_clocks
    }

    /// When the crystal is (or was) stable after it was last switched on, since power-on; `None` while it is off.
    pub fn crystal_stable(&self) -> Option<Duration> {
        self.machine.chip.crystal.map(Duration::from_nanos)
    }
}
