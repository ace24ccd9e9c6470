//! The handheld as a tester holds it: keys to press, lights to look at, a battery to pull.

use crate::bounce::Bounce;
use crate::chip::ChipState;
use crate::firmware::Firmware;
use crate::flash::Flash;
use crate::frame::Frame;
use crate::machine::{Death, Machine};
use crate::matrix::CELLS;
use crate::mishap::Mishap;
use crate::options::Options;
use crate::outage::PowerCut;
use crate::supply::Supply;
use crate::watchdog::ResetCause;
use crate::wire_times::WireTimes;
use crate::ws2812::{Spoil, WireFault};
use core::time::Duration;
use rand_core::Rng;

/// A handheld that is switched on. All times are since power-on, in emulated time.
pub struct Handheld {
    pub(crate) machine: Machine,
    /// Numbers the scheduled edges, so that those of one moment keep their order.
    scheduled: u64,
}

impl core::fmt::Debug for Handheld {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let mut out = f.debug_struct("Handheld");
        out.field("now", &self.now()).field("frames", &self.frames()).field("death", &self.death());
        out.finish_non_exhaustive()
    }
}

impl Handheld {
    /// Switches on. The flash holds the firmware, over what `options` says was there before.
    pub fn power_on(firmware: &Firmware, mut options: Options) -> Self {
        let mut flash = Flash::new(options.flash.take().unwrap_or_default(), firmware.chip().flash_size());
        flash.install(firmware);
        let chip = ChipState::new(&options, firmware.chip());
        let machine = Machine::new(firmware.clone(), flash, chip, &options);
        Self { machine, scheduled: 0 }
    }

    /// A word of RAM, for the tests of this crate: its little programs have no other way to tell what they saw.
    #[cfg(test)]
    pub(crate) fn ram(&self, address: u32) -> u32 {
        self.machine.silicon.peek32(address)
    }

    /// Whether a word of RAM has a value.
    #[cfg(test)]
    pub(crate) fn ram_is(&self, address: u32, value: u32) -> bool {
        self.ram(address) == value
    }

    /// Switches off; gives what stays in the flash.
    pub fn power_off(self) -> Vec<u8> {
        self.machine.flash.into_image()
    }

    /// Plans a power cut; the handheld is dead from then on. A new plan replaces the old one.
    pub fn cut_power(&mut self, cut: PowerCut) {
        self.machine.cut = Some(cut);
    }

    /// Feeds it by something else from now on.
    pub fn set_supply(&mut self, supply: Supply) {
        self.machine.chip.supply = supply;
        self.machine.chip.pins.has_vbus = supply.has_vbus();
        self.machine.pins_changed();
    }

    /// VSYS at this moment, in millivolts.
    pub fn vsys(&self) -> u32 {
        self.machine.chip.vsys(self.machine.now(), self.machine.work.is_some())
    }

    /// Lets so many conversions of the analogue converter fail, from the next one on.
    pub fn fail_conversions(&mut self, conversions: u32) {
        self.machine.chip.adc.failing = conversions;
    }

    /// Plugs the handheld in with BOOTSEL held and gives it a firmware by USB. Saves stay. The boot ROM leaves by its own
    /// watchdog, so the new firmware finds REASON set (as after a timeout) and SCRATCH empty. The time of it all is not
    /// modelled; what was dead comes to life.
    pub fn update(&mut self, firmware: &Firmware) {
        self.machine.death = None;
        self.machine.cut = None;
        self.machine.update(firmware);
    }

    /// A debug probe resets the chip through SYSRESETREQ: RAM, SCRATCH and REASON stay as they are. Nothing for a dead
    /// handheld.
    pub fn probe_reset(&mut self) {
        if self.death().is_none() {
            self.machine.reset(ResetCause::System);
        }
    }

    /// Makes an interrupt pending at a cycle of the system clock to come, as counted by [`Handheld::effort`], or at the end
    /// of the instruction that is at work then. `line` is the interrupt's number (0 to 3: the timer's alarms). While the chip
    /// is dormant no cycles pass.
    pub fn raise_interrupt_at(&mut self, line: u32, cycle: u64) {
        *self.machine.chip.raised.entry(cycle).or_default() |= 1u64.checked_shl(line).unwrap_or(0);
    }

    /// Ends [`Mishap::DmaStops`]: the DMA goes on with what it was doing.
    pub fn restart_dma(&mut self) {
        self.machine.chip.dma_stopped = false;
        self.machine.chip.dma = true;
    }

    /// Lets something go wrong inside the firmware, now. Gives whether it could: not while the handheld is dead, dormant or
    /// writing its flash, and no panic if the firmware has been built without that function.
    pub fn inflict(&mut self, mishap: Mishap<'_>) -> bool {
        self.machine.inflict(mishap)
    }

    /// Why nothing runs any more, if so.
    pub fn death(&self) -> Option<Death> {
        self.machine.death
    }

    // --- Time ---------------------------------------------------------------------------------------------------------

    /// Time since power-on.
    pub fn now(&self) -> Duration {
        Duration::from_nanos(self.machine.now())
    }

    /// Lets so much time pass. A dead handheld does nothing.
    pub fn run_for(&mut self, time: Duration) {
        let target = self.machine.now().saturating_add(time.as_nanos() as u64);
        self.machine.run(target);
    }

    /// Runs to a cycle of the system clock, as counted by [`Handheld::effort`], or to the end of the instruction that is at work then. While
    /// the chip is dormant no cycles pass, and this gives up after a second.
    pub fn run_to_cycle(&mut self, cycle: u64) {
        let patience = self.machine.now().saturating_add(1_000_000_000);
        let left = |machine: &Machine| cycle.saturating_sub(machine.chip.clock.cycles());
        while left(&self.machine) > 0 && self.machine.death.is_none() && self.machine.now() < patience {
            // The frequency may change on the way, so the moment is worked out again at every turn.
            let target = self.machine.chip.clock.ns_after(left(&self.machine));
            self.machine.turn(target.min(patience));
        }
        self.machine.run(0);
    }

    /// Runs until the condition holds, for `timeout` at most; gives whether it does. The condition is looked at after
    /// every few instructions, or every step of a sleep.
    pub fn run_until(&mut self, timeout: Duration, mut condition: impl FnMut(&Self) -> bool) -> bool {
        let target = self.machine.now().saturating_add(timeout.as_nanos() as u64);
        loop {
            if condition(self) {
                self.machine.run(0);
                return true;
            }
            if self.machine.death.is_some() || self.machine.now() >= target {
                self.machine.run(0);
                return condition(self);
            }
            self.machine.turn(target);
        }
    }

    /// Runs until the next whole frame has arrived, for `timeout` at most.
    pub fn run_to_next_frame(&mut self, timeout: Duration) -> Option<Frame> {
        let before = self.frames();
        self.run_until(timeout, |handheld| handheld.frames() > before);
        if self.frames() > before { self.frame().cloned() } else { None }
    }

    // --- Keys ---------------------------------------------------------------------------------------------------------

    /// Closes the switch of a cell, now and without a bounce. Cells that do not exist are ignored.
    pub fn press(&mut self, cell: usize) {
        self.set_key(cell, true);
    }

    /// Opens it.
    pub fn release(&mut self, cell: usize) {
        self.set_key(cell, false);
    }

    fn set_key(&mut self, cell: usize, closed: bool) {
        self.machine.chip.matrix.set(cell, closed);
        self.machine.pins_changed();
    }

    /// The closed switches, bit = cell.
    pub fn keys(&self) -> u32 {
        self.machine.chip.matrix.closed()
    }

    /// Closes or opens a switch at a moment to come (or at once, if it is past).
    pub fn schedule(&mut self, at: Duration, cell: usize, closed: bool) {
        if cell < CELLS {
            self.scheduled += 1;
            let key = (at.as_nanos() as u64, self.scheduled);
            self.machine.chip.edges.insert(key, (cell, closed));
        }
    }

    /// Presses or releases with a bounce, from `at` on; the random numbers pick the waveform.
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

    /// How often closed keys have tied a row driven high to one driven low: a short that a board without diodes suffers.
    pub fn row_conflicts(&self) -> u64 {
        self.machine.chip.row_conflicts
    }

    // --- Lights -------------------------------------------------------------------------------------------------------

    /// What the lights show: the newest frame whose 600 bits have all arrived. `None` while the LEDs have no supply, and
    /// from then on until they get a frame: they have forgotten the last one.
    pub fn frame(&self) -> Option<&Frame> {
        self.machine.chip.chain.shown()
    }

    /// How many whole frames have arrived.
    pub fn frames(&self) -> u64 {
        self.machine.chip.chain.frames()
    }

    /// How many whole frames were sent to LEDs whose supply had not yet risen when the frame began, or broke down before
    /// its end. Nobody sees them, and [`Handheld::frames`] does not count them.
    pub fn lost_frames(&self) -> u64 {
        self.machine.chip.chain.lost()
    }

    /// Spoils the next frame that the LEDs hear on its way to them.
    pub fn spoil_next_frame(&mut self, how: Spoil) {
        self.machine.chip.chain.spoil(how);
    }

    /// Starts a list of all frames from now on (the first 262,144 until they are taken).
    pub fn record_frames(&mut self) {
        self.machine.chip.chain.record();
    }

    /// The frames recorded since the last call; recording goes on.
    pub fn take_frames(&mut self) -> Vec<Frame> {
        self.machine.chip.chain.take_recorded()
    }

    /// What was wrong on the LED wire so far (the first thousand faults).
    pub fn wire_faults(&self) -> &[WireFault] {
        self.machine.chip.chain.faults()
    }

    /// How many faults there were on the LED wire in all.
    pub fn wire_fault_count(&self) -> u64 {
        self.machine.chip.chain.fault_count()
    }

    /// Forgets the faults of the wire, after something that was bound to cause one.
    pub fn clear_wire_faults(&mut self) {
        self.machine.chip.chain.clear_faults();
    }

    /// The shortest silence between two frames so far.
    pub fn shortest_gap(&self) -> Option<Duration> {
        self.machine.chip.chain.shortest_gap()
    }

    /// The extreme lengths of the bits on the LED wire so far.
    pub fn wire_times(&self) -> WireTimes {
        self.machine.chip.chain.times()
    }

    /// Whether the switch in the supply of the LEDs is on. They listen a while later: see [`Handheld::leds_listen`].
    pub fn led_supply(&self) -> bool {
        self.pin(self.machine.chip.wiring().supply.into())
    }

    /// Whether the supply of the LEDs has risen, so that they hear what is sent.
    pub fn leds_listen(&self) -> bool {
        self.machine.chip.chain.listens(self.machine.now())
    }
}
