//! The handheld as a test uses it: power, time, keys and LEDs.

use crate::bounce::Bounce;
use crate::chip::ChipState;
use crate::fault_injection::InjectedFault;
use crate::firmware::Firmware;
use crate::flash::Flash;
use crate::frame::Frame;
use crate::led_timing::WireTimes;
use crate::machine::{Machine, StopReason};
use crate::matrix::CELLS;
use crate::options::Options;
use crate::power_cut::PowerCut;
use crate::supply::Supply;
use crate::watchdog::ResetCause;
use crate::ws2812::{FrameCorruption, WireFault};
use core::time::Duration;
use rand_core::Rng;

/// An emulated handheld that is switched on. All times are emulated times since power-on.
pub struct Handheld {
    pub(crate) machine: Machine,
    /// Number of edges scheduled so far. It keeps edges with the same time in their order.
    scheduled: u64,
}

impl core::fmt::Debug for Handheld {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let mut out = f.debug_struct("Handheld");
        out.field("now", &self.now()).field("frames", &self.frames()).field("stop_reason", &self.stop_reason());
        out.finish_non_exhaustive()
    }
}

impl Handheld {
    /// Switches a handheld on. The flash has the content that `options` gives, and then the firmware is programmed.
    pub fn power_on(firmware: &Firmware, mut options: Options) -> Self {
        let mut flash = Flash::new(options.flash.take().unwrap_or_default(), firmware.chip().flash_size());
        flash.install(firmware);
        let chip = ChipState::new(&options, firmware.chip());
        let machine = Machine::new(firmware.clone(), flash, chip, &options);
        Self { machine, scheduled: 0 }
    }

    /// A word of RAM. Only for the tests of this crate, whose small programs report their results in RAM.
    #[cfg(test)]
    pub(crate) fn ram(&self, address: u32) -> u32 {
        self.machine.chip_model.peek32(address)
    }

    /// Whether a word of RAM has a value.
    #[cfg(test)]
    pub(crate) fn ram_is(&self, address: u32, value: u32) -> bool {
        self.ram(address) == value
    }

    /// Switches the handheld off. Returns the content of the flash.
    pub fn power_off(self) -> Vec<u8> {
        self.machine.flash.into_image()
    }

    /// Schedules a power cut. The handheld is stopped from then on. A new schedule replaces the old one.
    pub fn cut_power(&mut self, cut: PowerCut) {
        self.machine.cut = Some(cut);
    }

    /// Changes the power supply.
    pub fn set_supply(&mut self, supply: Supply) {
        self.machine.chip.supply = supply;
        self.machine.chip.pins.has_vbus = supply.has_vbus();
        self.machine.pins_changed();
    }

    /// The present VSYS in millivolts.
    pub fn vsys(&self) -> u32 {
        self.machine.chip.vsys(self.machine.now(), self.machine.work.is_some())
    }

    /// Makes the next conversions of the ADC fail (injected fault).
    pub fn fail_conversions(&mut self, conversions: u32) {
        self.machine.chip.adc.failing = conversions;
    }

    /// Updates the firmware as with BOOTSEL held at power-on and a UF2 file copied over USB. The saves are kept. The
    /// boot ROM ends with a watchdog reset, so the new firmware finds REASON set (as after a timeout) and SCRATCH
    /// empty. The update takes no emulated time. A stopped handheld runs again.
    pub fn update(&mut self, firmware: &Firmware) {
        self.machine.stop_reason = None;
        self.machine.cut = None;
        self.machine.update(firmware);
    }

    /// Resets the chip through SYSRESETREQ, as a debug probe does. RAM and SCRATCH keep their content. REASON keeps its
    /// value on the RP2040 and is cleared on the RP2350. Does nothing if the handheld is stopped.
    pub fn probe_reset(&mut self) {
        if self.stop_reason().is_none() {
            self.machine.reset(ResetCause::System);
        }
    }

    /// Schedules an interrupt: it becomes pending at a cycle of the system clock, as counted by
    /// [`Handheld::cycle_counts`], or at the end of the instruction that runs then. `line` is the number of the
    /// interrupt (0 to 3: the timer's alarms). No cycles pass while the chip is dormant.
    pub fn raise_interrupt_at(&mut self, line: u32, cycle: u64) {
        *self.machine.chip.raised.entry(cycle).or_default() |= 1u64.checked_shl(line).unwrap_or(0);
    }

    /// Ends [`InjectedFault::DmaStall`]: the DMA continues its transfers.
    pub fn resume_dma(&mut self) {
        self.machine.chip.dma_stopped = false;
        self.machine.chip.dma = true;
    }

    /// Injects a fault into the firmware, now. Returns whether that was possible. It is not possible while the handheld
    /// is stopped, dormant, in its boot ROM or in a flash operation. A panic is not possible if the firmware was built
    /// without the panic function.
    pub fn inject_fault(&mut self, fault: InjectedFault<'_>) -> bool {
        self.machine.inject_fault(fault)
    }

    /// Why the handheld is stopped; `None` while it runs.
    pub fn stop_reason(&self) -> Option<StopReason> {
        self.machine.stop_reason
    }

    // --- Time -------------------------------------------------------------------------------------------------------

    /// The emulated time since power-on.
    pub fn now(&self) -> Duration {
        Duration::from_nanos(self.machine.now())
    }

    /// Runs the handheld for `time`. Does nothing if the handheld is stopped.
    pub fn run_for(&mut self, time: Duration) {
        let target = self.machine.now().saturating_add(time.as_nanos() as u64);
        self.machine.run(target);
    }

    /// Runs to a cycle of the system clock, as counted by [`Handheld::cycle_counts`], or to the end of the instruction
    /// that runs then. No cycles pass while the chip is dormant, so there is a timeout of one second.
    pub fn run_to_cycle(&mut self, cycle: u64) {
        let timeout = self.machine.now().saturating_add(1_000_000_000);
        let left = |machine: &Machine| cycle.saturating_sub(machine.chip.clock.cycles());
        while left(&self.machine) > 0 && self.machine.stop_reason.is_none() && self.machine.now() < timeout {
            // The frequency may change meanwhile, so the target time is computed again for each step.
            let target = self.machine.chip.clock.ns_after(left(&self.machine));
            self.machine.step(target.min(timeout));
        }
        self.machine.run(0);
    }

    /// Runs until the condition is true, for `timeout` at most. Returns whether it is true. The condition is evaluated
    /// after every step: some instructions, or a part of a sleep.
    pub fn run_until(&mut self, timeout: Duration, mut condition: impl FnMut(&Self) -> bool) -> bool {
        let target = self.machine.now().saturating_add(timeout.as_nanos() as u64);
        loop {
            if condition(self) {
                self.machine.run(0);
                return true;
            }
            if self.machine.stop_reason.is_some() || self.machine.now() >= target {
                self.machine.run(0);
                return condition(self);
            }
            self.machine.step(target);
        }
    }

    /// Runs until the next complete frame has arrived, for `timeout` at most.
    pub fn run_to_next_frame(&mut self, timeout: Duration) -> Option<Frame> {
        let before = self.frames();
        self.run_until(timeout, |handheld| handheld.frames() > before);
        if self.frames() > before { self.frame().cloned() } else { None }
    }

    // --- Keys -------------------------------------------------------------------------------------------------------

    /// Closes the key of a cell, now and without bounce. Ignored if the cell does not exist.
    pub fn press(&mut self, cell: usize) {
        self.set_key(cell, true);
    }

    /// Opens the key of a cell, now and without bounce. Ignored if the cell does not exist.
    pub fn release(&mut self, cell: usize) {
        self.set_key(cell, false);
    }

    fn set_key(&mut self, cell: usize, closed: bool) {
        self.machine.chip.matrix.set(cell, closed);
        self.machine.pins_changed();
    }

    /// The closed keys, bit = cell.
    pub fn keys(&self) -> u32 {
        self.machine.chip.matrix.closed()
    }

    /// Closes or opens a key at a time in the future (at once if the time is in the past).
    pub fn schedule(&mut self, at: Duration, cell: usize, closed: bool) {
        if cell < CELLS {
            self.scheduled += 1;
            let key = (at.as_nanos() as u64, self.scheduled);
            self.machine.chip.edges.insert(key, (cell, closed));
        }
    }

    /// Presses or releases a key with bounce, starting at `at`. The random numbers select the waveform.
    pub fn schedule_bouncing(
        &mut self,
        at: Duration,
        cell: usize,
        closed: bool,
        bounce: &Bounce,
        random: &mut impl Rng,
    ) {
        for (moment, state) in bounce.edges(random, at, closed) {
            self.schedule(moment, cell, state);
        }
    }

    /// How often closed keys have connected a row that is driven high to one that is driven low: a short circuit,
    /// possible on a board without diodes.
    pub fn row_conflicts(&self) -> u64 {
        self.machine.chip.row_conflicts
    }

    // --- LEDs -------------------------------------------------------------------------------------------------------

    /// The frame that the LEDs show: the newest one whose 600 bits have all arrived. `None` while the LEDs have no
    /// supply and after that until the next frame, because the LEDs lose their frame without supply.
    pub fn frame(&self) -> Option<&Frame> {
        self.machine.chip.chain.shown()
    }

    /// Number of complete frames that the LEDs have received.
    pub fn frames(&self) -> u64 {
        self.machine.chip.chain.frames()
    }

    /// Number of complete frames that were lost, because the supply of the LEDs had not risen at the start of the frame
    /// or failed before its end. [`Handheld::frames`] does not count them.
    pub fn lost_frames(&self) -> u64 {
        self.machine.chip.chain.lost()
    }

    /// Corrupts the next frame that the LEDs receive (injected fault).
    pub fn corrupt_next_frame(&mut self, how: FrameCorruption) {
        self.machine.chip.chain.corrupt_next(how);
    }

    /// Starts recording all frames, at most 262,144 between two calls of [`Handheld::take_frames`].
    pub fn record_frames(&mut self) {
        self.machine.chip.chain.record();
    }

    /// Takes the frames recorded since the last call. Recording continues.
    pub fn take_frames(&mut self) -> Vec<Frame> {
        self.machine.chip.chain.take_recorded()
    }

    /// The faults on the LED wire so far (the first thousand).
    pub fn wire_faults(&self) -> &[WireFault] {
        self.machine.chip.chain.faults()
    }

    /// Number of all faults on the LED wire so far.
    pub fn wire_fault_count(&self) -> u64 {
        self.machine.chip.chain.fault_count()
    }

    /// Clears the faults of the LED wire, for a test that caused one intentionally.
    pub fn clear_wire_faults(&mut self) {
        self.machine.chip.chain.clear_faults();
    }

    /// The shortest gap between two frames so far.
    pub fn shortest_gap(&self) -> Option<Duration> {
        self.machine.chip.chain.shortest_gap()
    }

    /// The shortest and longest bit times on the LED wire so far.
    pub fn wire_times(&self) -> WireTimes {
        self.machine.chip.chain.times()
    }

    /// Whether the supply switch of the LEDs is on. The LEDs can receive a little later: see
    /// [`Handheld::can_leds_receive`].
    pub fn led_supply(&self) -> bool {
        self.pin(self.machine.chip.wiring().supply.into())
    }

    /// Whether the supply of the LEDs has risen, so that they receive frames.
    pub fn can_leds_receive(&self) -> bool {
        self.machine.chip.chain.can_receive(self.machine.now())
    }
}
