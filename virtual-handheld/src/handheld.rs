//! The handheld as a tester holds it: keys to press, lights to look at, a battery to pull.

use crate::bounce::Bounce;
use crate::chip::{Around, Probe};
use crate::firmware::Firmware;
use crate::flash::{FLASH_SIZE, Flash, FlashTimes};
use crate::gpio::SUPPLY_PIN;
use crate::logs::LogLine;
use crate::machine::{Death, Machine, Reset};
use crate::matrix::{CELLS, Lines, Matrix};
use crate::meter::{Calls, CoreUse};
use crate::mishap::Mishap;
use crate::outage::PowerCut;
use crate::ws2812::{Chain, Frame, WireFault};
use core::time::Duration;

/// How the handheld is built, and what it starts with.
#[derive(Clone, Debug)]
pub struct Options {
    /// A diode at every key. Without, closed keys conduct both ways and ghosts appear.
    pub diodes: bool,
    /// Lines of the matrix that a bad joint has disconnected.
    pub open: Lines,
    /// What the flash held when the last handheld was switched off; `None` is a chip fresh from programming. The
    /// firmware's own bytes are written over it, as a programmer would.
    pub flash: Option<Vec<u8>>,
    /// How long the flash takes.
    pub flash_times: FlashTimes,
    /// The silence that the LED chain asks for between frames.
    pub latch: Duration,
    /// Where the ring oscillator's random bits come from.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            diodes: true,
            open: Lines::default(),
            flash: None,
            flash_times: FlashTimes::default(),
            latch: Duration::from_micros(300),
            seed: 0,
        }
    }
}

/// How much the core has done: cycles in all, and those in which it did not sleep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Cycles of the system clock since power-on.
    pub cycles: u64,
    /// Those in which the core ran, or waited for the flash.
    pub awake: u64,
}

impl Effort {
    /// The share of the time from `earlier` to now in which the core was awake, 0 to 1.
    pub fn share_since(self, earlier: Self) -> f64 {
        let cycles = self.cycles.saturating_sub(earlier.cycles).max(1);
        self.awake.saturating_sub(earlier.awake) as f64 / cycles as f64
    }
}

/// A handheld that is switched on. All times are since power-on, in emulated time.
pub struct Handheld {
    machine: Machine,
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
    pub fn power_on(firmware: &Firmware, options: Options) -> Self {
        let mut image = options.flash.unwrap_or_default();
        image.resize(FLASH_SIZE, 0xFF);
        let end = firmware.image().iter().rposition(|&byte| byte != 0xFF).map_or(0, |last| last + 1);
        image[..end].copy_from_slice(&firmware.image()[..end]);
        let matrix = Matrix::new(options.diodes, options.open);
        let around = Around::new(matrix, Chain::new(options.latch), options.seed);
        let machine = Machine::new(firmware.clone(), Flash::new(image), around, options.flash_times);
        Self { machine, scheduled: 0 }
    }

    /// A word of RAM, for the tests of this crate: its little programs have no other way to tell what they saw.
    #[cfg(test)]
    pub(crate) fn ram(&mut self, address: u32) -> u32 {
        self.machine.view().bus.peek32(address)
    }

    /// Switches off; gives what stays in the flash.
    pub fn power_off(self) -> Vec<u8> {
        self.machine.flash.into_image()
    }

    /// Plans a power cut; the handheld is dead from then on. A new plan replaces the old one.
    pub fn cut_power(&mut self, cut: PowerCut) {
        self.machine.cut = Some(cut);
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
        self.machine.around.matrix.set(cell, closed);
        self.machine.view().pins_changed();
    }

    /// The closed switches, bit = cell.
    pub fn keys(&self) -> u32 {
        self.machine.around.matrix.closed()
    }

    /// Closes or opens a switch at a moment to come (or at once, if it is past).
    pub fn schedule(&mut self, at: Duration, cell: usize, closed: bool) {
        if cell < CELLS {
            self.scheduled += 1;
            let key = (at.as_nanos() as u64, self.scheduled);
            self.machine.around.edges.insert(key, (cell, closed));
        }
    }

    /// Presses or releases with a bounce, from `at` on; `seed` picks the waveform.
    pub fn schedule_bouncing(&mut self, at: Duration, cell: usize, closed: bool, bounce: Bounce, seed: u64) {
        for (moment, state) in bounce.edges(seed, at, closed) {
            self.schedule(moment, cell, state);
        }
    }

    /// How often closed keys have tied a row driven high to one driven low: a short that a board without diodes suffers.
    pub fn row_conflicts(&self) -> u64 {
        self.machine.around.row_conflicts
    }

    // --- Lights -------------------------------------------------------------------------------------------------------

    /// The newest frame whose 600 bits have all arrived.
    pub fn frame(&self) -> Option<&Frame> {
        self.machine.around.chain.newest()
    }

    /// How many whole frames have arrived.
    pub fn frames(&self) -> u64 {
        self.machine.around.chain.frames()
    }

    /// Starts a list of all frames from now on.
    pub fn record_frames(&mut self) {
        self.machine.around.chain.record();
    }

    /// The frames recorded since the last call; recording goes on.
    pub fn take_frames(&mut self) -> Vec<Frame> {
        self.machine.around.chain.take_recorded()
    }

    /// What was wrong on the LED wire so far (the first thousand faults).
    pub fn wire_faults(&self) -> &[WireFault] {
        self.machine.around.chain.faults()
    }

    /// How many faults there were on the LED wire in all.
    pub fn wire_fault_count(&self) -> u64 {
        self.machine.around.chain.fault_count()
    }

    /// Forgets the faults of the wire, after something that was bound to cause one.
    pub fn clear_wire_faults(&mut self) {
        self.machine.around.chain.clear_faults();
    }

    /// The shortest silence between two frames so far.
    pub fn shortest_gap(&self) -> Option<Duration> {
        self.machine.around.chain.shortest_gap()
    }

    /// Whether the supply of the LEDs is switched on.
    pub fn led_supply(&self) -> bool {
        self.pin(SUPPLY_PIN)
    }

    // --- Pins and sound -----------------------------------------------------------------------------------------------

    /// The level of a pin; pins that do not exist are low.
    pub fn pin(&self, pin: u32) -> bool {
        self.machine.around.pins.levels().checked_shr(pin).unwrap_or(0) & 1 != 0
    }

    /// Puts a logic analyser on these pins (bit = pin), from now on; it forgets what it saw before. Not for the LED wire,
    /// which has a decoder of its own.
    pub fn probe_pins(&mut self, mask: u32) {
        self.machine.around.probe = Some(Probe { mask, changes: Vec::new() });
        self.machine.view().pins_changed();
    }

    /// What the logic analyser has seen since it was put on: the levels of its pins at first, and whenever one of them changed.
    pub fn probed(&self) -> impl ExactSizeIterator<Item = (Duration, u32)> {
        let changes = self.machine.around.probe.as_ref().map_or(&[][..], |probe| &probe.changes);
        changes.iter().map(|&(at, levels)| (Duration::from_nanos(at), levels))
    }

    /// The tone of the piezo in Hz.
    pub fn tone(&self) -> Option<u32> {
        self.machine.around.tone
    }

    /// Every change of the tone so far.
    pub fn tones(&self) -> &[(Duration, Option<u32>)] {
        &self.machine.tones
    }

    // --- Inside -------------------------------------------------------------------------------------------------------

    /// The log so far, through all resets.
    pub fn logs(&self) -> &[LogLine] {
        &self.machine.log.lines
    }

    /// The resets so far.
    pub fn resets(&self) -> &[Reset] {
        &self.machine.resets
    }

    /// Whether the chip is in dormant sleep, its clocks stopped.
    pub fn is_dormant(&self) -> bool {
        self.machine.around.dormant
    }

    /// The flash chip.
    pub fn flash(&self) -> &Flash {
        &self.machine.flash
    }

    /// Flash operations that were started with interrupts on: an interrupt would have run code from a chip that is busy.
    pub fn unsafe_flash_operations(&self) -> u64 {
        self.machine.unsafe_flash
    }

    /// Cycles of the system clock since power-on, and how many of them the core was awake.
    pub fn effort(&self) -> Effort {
        Effort { cycles: self.machine.around.clock.cycles(), awake: self.machine.awake }
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

    /// When the crystal is (or was) stable after it was last switched on, since power-on; `None` while it is off.
    pub fn crystal_stable(&self) -> Option<Duration> {
        self.machine.around.crystal.map(Duration::from_nanos)
    }
}
