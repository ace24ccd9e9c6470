//! Measurements on a handheld: logic analyser, sound, log, flash, cycle counts, profiler and register trace.

use crate::flash::{Flash, Unit};
use crate::flash_access::{FlashAccess, FlashUse};
use crate::flash_cache::{Cache, CacheUse};
use crate::handheld::Handheld;
use crate::logic_analyser::LogicAnalyser;
use crate::memory_power::PoweredDownAccess;
use crate::profiler::{Calls, CoreUse};
use crate::register_trace::RegisterUse;
use crate::reset::Reset;
use crate::rtt_log::LogLine;
use core::time::Duration;
use std::collections::BTreeMap;

/// Cycle counters of the core, and the cost of emulating everything else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CycleCounts {
    /// Cycles of the system clock since power-on.
    pub cycles: u64,
    /// Cycles in which the core ran or waited for the flash.
    pub awake: u64,
    /// Emulation steps of everything except the core: ticks of PIO, words of the DMA, and steps of the machine. Each
    /// takes about as long to emulate as twenty instructions.
    pub steps: u64,
}

impl CycleCounts {
    /// The share of cycles since `earlier` in which the core was awake, 0 to 1.
    pub fn awake_share_since(self, earlier: Self) -> f64 {
        let cycles = self.cycles.saturating_sub(earlier.cycles).max(1);
        self.awake.saturating_sub(earlier.awake) as f64 / cycles as f64
    }
}

impl Handheld {
    // --- Pins and sound ---------------------------------------------------------------------------------------------

    /// The level of a pin; `false` for a pin that does not exist.
    pub fn pin(&self, pin: u32) -> bool {
        self.machine.chip.levels().checked_shr(pin).unwrap_or(0) & 1 != 0
    }

    /// Connects a logic analyser to these pins (bit = pin) and starts a new recording. Costs speed on the LED data
    /// line.
    pub fn start_logic_analyser(&mut self, mask: u32) {
        self.machine.chip.analyser = Some(LogicAnalyser::new(mask));
        self.machine.pins_changed();
        self.machine.update_tone();
    }

    /// The recording of the logic analyser: the levels of its pins at the start and after each change (the first
    /// million samples).
    pub fn logic_samples(&self) -> impl ExactSizeIterator<Item = (Duration, u32)> {
        let samples = self.machine.chip.analyser.as_ref().map_or(&[][..], |analyser| &analyser.samples);
        samples.iter().map(|&(at, levels)| (Duration::from_nanos(at), levels))
    }

    /// Disconnects the logic analyser and returns its recording.
    pub fn stop_logic_analyser(&mut self) -> Vec<(Duration, u32)> {
        let samples = self.logic_samples().collect();
        self.machine.chip.analyser = None;
        samples
    }

    /// The frequency at the piezo's pin in Hz. It can start later than the firmware's write to the PWM registers.
    pub fn tone(&self) -> Option<u32> {
        self.machine.chip.tone
    }

    /// All changes of the tone so far (at least the newest 32,768).
    pub fn tones(&self) -> &[(Duration, Option<u32>)] {
        &self.machine.tones
    }

    /// Takes the changes of the tone since the last call.
    pub fn take_tones(&mut self) -> Vec<(Duration, Option<u32>)> {
        core::mem::take(&mut self.machine.tones)
    }

    // --- Log, resets and flash --------------------------------------------------------------------------------------

    /// The log so far, across all resets (at least the newest 4 MB).
    pub fn logs(&self) -> &[LogLine] {
        &self.machine.log.lines
    }

    /// Takes the log lines since the last call.
    pub fn take_logs(&mut self) -> Vec<LogLine> {
        self.machine.log.take_lines()
    }

    /// The resets so far (the first ten thousand).
    pub fn resets(&self) -> &[Reset] {
        &self.machine.resets
    }

    /// Number of all resets so far.
    pub fn reset_count(&self) -> u64 {
        self.machine.reset_count
    }

    /// Whether the chip is in dormant sleep, with its clocks stopped.
    pub fn is_dormant(&self) -> bool {
        self.machine.chip.dormant
    }

    /// The flash chip.
    pub fn flash(&self) -> &Flash {
        &self.machine.flash
    }

    /// Whether the flash is being erased or programmed. It cannot be read meanwhile.
    pub fn is_flash_busy(&self) -> bool {
        self.machine.work.is_some()
    }

    /// Whether a sector is being erased.
    pub fn is_flash_erasing(&self) -> bool {
        self.machine.work.as_ref().is_some_and(|work| matches!(work.unit, Some(Unit::Erase { .. })))
    }

    /// Reads of the flash by core or DMA while it could not be read (the first thousand).
    pub fn flash_access_violations(&self) -> &[FlashAccess] {
        &self.machine.chip.flash_guard.refused
    }

    /// The lowest address that the stack may reach (MSPLIM); 0 if there is no limit.
    pub fn stack_limit(&self) -> u32 {
        self.machine.chip_model.stack_limit()
    }

    /// Starts recording all fetches and reads from flash. Costs speed while code runs from flash.
    pub fn watch_flash(&mut self) {
        self.machine.chip.flash_guard.watch = Some(FlashUse::default());
    }

    /// Fetches and reads from flash since the last call of [`Handheld::watch_flash`].
    pub fn flash_use(&self) -> Option<&FlashUse> {
        self.machine.chip.flash_guard.watch.as_ref()
    }

    /// The lowest VSYS at the start of a flash operation, in millivolts; `None` if there was none.
    pub fn lowest_vsys_at_write(&self) -> Option<u32> {
        self.machine.lowest_write
    }

    // --- Core, memory and clocks ------------------------------------------------------------------------------------

    /// Cycles of the system clock since power-on, and how many of them the core was awake.
    pub fn cycle_counts(&self) -> CycleCounts {
        CycleCounts {
            cycles: self.machine.chip.clock.cycles(),
            awake: self.machine.awake,
            steps: self.machine.chip.steps,
        }
    }

    /// Accesses to memories that MEMPOWERDOWN had switched off (the first thousand).
    pub fn powered_down_accesses(&self) -> &[PoweredDownAccess] {
        self.machine.chip.memory.accesses()
    }

    /// Hits and misses of the flash cache, if [`Options::flash_cache`](crate::Options::flash_cache) is set.
    pub fn flash_cache_use(&self) -> Option<CacheUse> {
        self.machine.chip.flash_cache.as_ref().map(Cache::used)
    }

    /// Starts counting the cycles of every call of the functions whose demangled name contains `part`. Returns the
    /// number of the watch for [`Handheld::calls`], or `None` if there is no such function (it may have been inlined).
    pub fn watch_calls(&mut self, part: &str) -> Option<usize> {
        let machine = &mut self.machine;
        machine.firmware.functions(part).next()?;
        Some(machine.profiler.watch(machine.firmware.functions(part)))
    }

    /// The calls that a watch of [`Handheld::watch_calls`] has counted.
    pub fn calls(&self, watch: usize) -> Option<&Calls> {
        self.machine.profiler.calls(watch)
    }

    /// Starts recording the stack high-water mark and the times with interrupts disabled. Costs speed, as
    /// [`Handheld::watch_calls`] does.
    pub fn watch_core(&mut self) {
        self.machine.profiler.watch_core();
    }

    /// The record since the last call of [`Handheld::watch_core`].
    pub fn core_use(&self) -> Option<&CoreUse> {
        self.machine.profiler.core_use()
    }

    /// Starts recording which registers are accessed, across all resets. Costs some speed.
    pub fn trace_registers(&mut self) {
        self.machine.chip.trace.start();
    }

    /// The registers that were accessed since the first call of [`Handheld::trace_registers`], by address.
    pub fn accessed_registers(&self) -> BTreeMap<u32, RegisterUse> {
        self.machine.chip.trace.uses()
    }

    /// The present value of MEMPOWERDOWN: a bit for each memory that is switched off.
    pub fn powered_down_memories(&self) -> u32 {
        self.machine.chip.memory.read()
    }

    /// The value of MEMPOWERDOWN at the start of the last dormant sleep; `None` if there was none.
    pub fn powered_down_memories_in_sleep(&self) -> Option<u32> {
        self.machine.chip.memory.in_sleep()
    }

    /// Whether the core has ever locked up: a fault in its fault handler, which only a reset ends.
    pub fn has_locked_up(&self) -> bool {
        self.machine.chip.locked_up
    }

    /// How often the source of clk_ref or clk_sys was a crystal that was not stable, or a PLL that had not locked,
    /// after a write to a clock register. A real chip stops then.
    pub fn invalid_clock_sources(&self) -> u64 {
        self.machine.chip.invalid_clock_sources
    }

    /// When the crystal is (or was) stable after it was last switched on, as time since power-on; `None` while it is
    /// off.
    pub fn crystal_stable_at(&self) -> Option<Duration> {
        self.machine.chip.crystal.map(Duration::from_nanos)
    }
}
