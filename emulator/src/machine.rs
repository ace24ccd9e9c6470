//! The machine: runs the chip and the board from event to event.
//!
//! Each call of [`Machine::step`] first processes all due events: edges of keys, watchdog, power cut, resets. Then it
//! runs the core up to the next event that can interrupt it. While the core waits, it lets time pass to the next event
//! instead. The core waits while it sleeps, and during a flash operation of the boot ROM. Interrupts are taken in both
//! cases.
//!
//! A step ends between two instructions, so a run ends at most a few cycles late, and the next run starts where the
//! last one ended. The same calls give the same run, to the cycle. If the same time is split into runs in another way,
//! the start of a DMA transfer can move by about 0.2 us.

use crate::chip::ChipState;
use crate::chip_interface::{ChipModel, ChipParameters, RomCallResult};
use crate::fault_injection::{self, InjectedFault};
use crate::firmware::Firmware;
use crate::flash::{Flash, FlashTimes};
use crate::flash_operation::FlashOperation;
use crate::options::Options;
use crate::power_cut::PowerCut;
use crate::profiler::Profiler;
use crate::reset::Reset;
use crate::rtt_log::LogReader;
use crate::supply::BROWN_OUT;
use crate::watchdog::ResetCause;
use core::time::Duration;

/// Limit of the cycles that the core runs ahead while PIO or DMA is busy. It is also the largest delay of their
/// interrupts.
const STEP_BUSY: u64 = 32;
/// Limit of a step while the core sleeps and PIO or DMA is busy. The end of a DMA transfer ends the step earlier.
const SLEEP_BUSY: u64 = 250;
/// Limit of the cycles that the core runs in one step otherwise. Events end the step earlier.
const STEP_IDLE: u64 = 10_000;
/// Longest time between two reads of the log while the core does not sleep, in ns.
const LOG_EVERY: u64 = 500_000;
/// Shortest time between two updates of the tone, in cycles: a PWM slice can wrap at every cycle.
const PWM_EVERY: u64 = 8;
/// Limit of the recorded changes of the tone. Beyond it the older half is removed.
const MOST_TONES: usize = 1 << 16;
/// Limit of consecutive steps that take no time.
const TIMELESS_STEPS: u32 = 8;

/// Why a handheld is stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// The scheduled power cut.
    PowerCut,
    /// The voltage of the battery was too low.
    BrownOut,
    /// The core is in the boot ROM and does not return: it jumped to an invalid address, or the flash has no image that
    /// can start.
    BootRom,
    /// The firmware has reset the chip into the boot ROM's USB mode, as BOOTSEL does.
    /// [`Handheld::update`](crate::Handheld::update) ends it.
    UsbBoot {
        /// Whether the USB drive for UF2 files appears. The firmware can disable it.
        has_drive: bool,
    },
}

/// Chip, board and the records of a run.
pub(crate) struct Machine {
    pub firmware: Firmware,
    pub chip_model: Box<dyn ChipModel>,
    pub chip: ChipState,
    pub flash: Flash,
    pub times: FlashTimes,
    /// How long the boot ROM takes to start the firmware, in ns.
    pub boot_rom: u64,
    /// When the boot ROM starts the firmware, ns since power-on.
    pub starts: u64,
    /// The flash operation in progress.
    pub work: Option<FlashOperation>,
    /// The scheduled power cut.
    pub cut: Option<PowerCut>,
    pub stop_reason: Option<StopReason>,
    /// The first ten thousand resets.
    pub resets: Vec<Reset>,
    /// Number of all resets.
    pub reset_count: u64,
    pub log: LogReader,
    /// When the log is read next, ns since power-on.
    next_log: u64,
    /// Number of steps since the time last advanced.
    timeless_steps: u32,
    pub profiler: Profiler,
    /// Cycles in which the core did not sleep.
    pub awake: u64,
    /// The lowest VSYS at the start of a flash operation, in millivolts.
    pub lowest_write: Option<u32>,
    /// Changes of the piezo's frequency in Hz.
    pub tones: Vec<(Duration, Option<u32>)>,
}

impl Machine {
    /// Switches the chip on.
    pub(crate) fn new(firmware: Firmware, flash: Flash, chip: ChipState, options: &Options) -> Self {
        let mut chip_model = firmware.chip().chip_model();
        chip_model.load_flash(flash.image());
        let log = LogReader::new(firmware.symbol("_SEGGER_RTT").map(|symbol| symbol.address));
        let mut machine = Self {
            firmware,
            chip_model,
            chip,
            flash,
            times: options.flash_times,
            boot_rom: u64::try_from(options.boot_rom.as_nanos()).unwrap_or(0),
            starts: 0,
            work: None,
            cut: None,
            stop_reason: None,
            resets: Vec::new(),
            reset_count: 0,
            log,
            next_log: 0,
            timeless_steps: 0,
            profiler: Profiler::default(),
            awake: 0,
            lowest_write: None,
            tones: Vec::new(),
        };
        machine.boot();
        machine
    }

    /// Updates the levels of the pins after something that drives a pin has changed.
    pub(crate) fn pins_changed(&mut self) {
        self.chip_model.pins_changed(&mut self.chip);
    }

    /// Nanoseconds since power-on.
    pub(crate) fn now(&self) -> u64 {
        self.chip.clock.now_ns()
    }

    /// Injects a fault. Returns whether that was possible.
    pub(crate) fn inject_fault(&mut self, fault: InjectedFault<'_>) -> bool {
        let started = self.now() >= self.starts;
        if self.stop_reason.is_some() || self.work.is_some() || self.chip.dormant || !started {
            return false;
        }
        while !self.chip_model.can_inject_fault() {
            self.chip_model.run_core(&mut self.chip, &mut self.profiler, 1);
        }
        fault_injection::inject_fault(fault, &self.firmware, &mut *self.chip_model, &mut self.chip)
    }

    /// Runs until `target` ns since power-on, or until the handheld is stopped.
    pub(crate) fn run(&mut self, target: u64) {
        while self.stop_reason.is_none() && self.now() < target {
            self.step(target);
        }
        self.read_log();
        self.pins_changed();
        let now = self.now();
        self.chip.chain.end_frame_after_gap(now);
    }

    /// Processes the next event, at most up to `target` ns (but at least one instruction). Some steps take no time,
    /// such as a reset or the end of a flash operation. A program that consists of such steps only would stop the
    /// emulated time, and the run would never end. So a cycle passes after a few of them.
    pub(crate) fn step(&mut self, target: u64) {
        let before = self.now();
        self.chip.steps += 1;
        self.process_due_events();
        if !self.process_reset_or_power_loss() {
            self.run_to_next_event(target);
        }
        if self.now() > before {
            self.timeless_steps = 0;
        } else {
            self.timeless_steps += 1;
            if self.timeless_steps >= TIMELESS_STEPS {
                self.idle(1);
                self.timeless_steps = 0;
            }
        }
    }

    /// Processes due edges of keys, scheduled interrupts, changes of the tone, and the log.
    fn process_due_events(&mut self) {
        self.chip_model.settle_pins(&mut self.chip);
        self.raise_scheduled();
        if self.chip.pwm_due.is_some_and(|due| due <= self.chip.clock.cycles()) {
            self.pins_changed();
            self.update_tone();
        }
        let now = self.now();
        if now >= self.next_log {
            self.read_log();
            self.next_log = now + LOG_EVERY;
        }
    }

    /// Processes a due reset, power cut or brown-out. Returns whether there was one.
    fn process_reset_or_power_loss(&mut self) -> bool {
        let now = self.now();
        if let Some(cause) = self.chip.reset.take().or_else(|| self.chip.watchdog.due(now)) {
            self.reset(cause);
        } else if self.cut_time().is_some_and(|time| time <= now) {
            self.cut_power(StopReason::PowerCut);
        } else if !self.chip.supply.has_vbus() && self.chip.vsys(now, self.work.is_some()) < BROWN_OUT {
            self.cut_power(StopReason::BrownOut);
        } else {
            return false;
        }
        true
    }

    /// Runs the core, or lets time pass while it waits, up to the next event or `target`.
    fn run_to_next_event(&mut self, target: u64) {
        let now = self.now();
        let edge = self.chip.next_pin_event();
        let chip = &self.chip;
        let [raised, pwm] = [chip.next_raised(), chip.next_pwm()];
        let events = [edge, chip.timer.next(), chip.watchdog.deadline(), raised, pwm, chip.adc.next(), self.cut_time()];
        let stop = events.into_iter().flatten().fold(target, u64::min);
        if now < self.starts {
            self.wait_awake(stop.min(self.starts));
        } else if self.chip.dormant {
            self.stay_dormant(edge.unwrap_or(target).min(target).min(self.cut_time().unwrap_or(target)));
        } else if let Some(ends) =
            self.work.as_ref().filter(|work| work.caller == self.chip_model.position()).map(|work| work.ends)
        {
            self.wait_for_flash(stop, ends);
        } else if self.chip_model.is_asleep(&mut self.chip) {
            let cycles = self.chip.clock.cycles_until(stop);
            self.idle(cycles);
        } else if self.chip_model.is_in_rom() {
            self.call_rom();
        } else {
            self.run_core(stop.min(self.next_log));
        }
    }

    /// Advances everything except the core by at most `cycles`.
    pub(crate) fn idle(&mut self, cycles: u64) {
        let most = if self.chip.is_busy() { SLEEP_BUSY } else { u64::from(u32::MAX) };
        let cycles = cycles.min(most).max(1);
        self.chip_model.pass(&mut self.chip, cycles, true);
        self.chip_model.raise_interrupts(&mut self.chip);
    }

    /// Sets the pending bits of the interrupts that a test has scheduled up to this cycle.
    fn raise_scheduled(&mut self) {
        let cycles = self.chip.clock.cycles();
        while let Some(entry) = self.chip.raised.first_entry().filter(|entry| *entry.key() <= cycles) {
            self.chip_model.pend(entry.remove());
        }
    }

    /// Lets time pass up to `until` while the core is awake but not emulated: in the boot ROM, or waiting for the
    /// flash.
    pub(crate) fn wait_awake(&mut self, until: u64) {
        let before = self.chip.clock.cycles();
        let cycles = self.chip.clock.cycles_until(until);
        self.idle(cycles);
        self.awake += self.chip.clock.cycles() - before;
    }

    /// Runs the core up to `stop` ns, or less if an event needs the machine.
    pub(crate) fn run_core(&mut self, stop: u64) {
        let budget = self.chip.clock.cycles_until(stop).min(if self.chip.is_busy() { STEP_BUSY } else { STEP_IDLE });
        let before = self.chip.clock.cycles();
        self.chip_model.run_core(&mut self.chip, &mut self.profiler, budget.max(1));
        self.awake += self.chip.clock.cycles() - before;
        if core::mem::take(&mut self.chip.sound_changed) {
            self.update_tone();
        }
    }

    /// Updates the tone from the PWM and computes the next PWM event.
    pub(crate) fn update_tone(&mut self) {
        let tone = self.chip.piezo();
        let soonest = self.chip.clock.cycles() + PWM_EVERY;
        self.chip.pwm_due = self.chip.next_pwm_event().map(|due| due.max(soonest));
        if tone != self.chip.tone {
            self.chip.tone = tone;
            if self.tones.len() >= MOST_TONES {
                self.tones.drain(..MOST_TONES / 2);
            }
            self.tones.push((Duration::from_nanos(self.now()), tone));
        }
    }

    /// Executes the boot ROM function at which the core is.
    fn call_rom(&mut self) {
        match self.chip_model.call_rom(&mut self.chip) {
            RomCallResult::Return(cycles) => self.return_from_rom(cycles),
            RomCallResult::Closed(cycles) => {
                self.chip.flash_guard.is_closed = true;
                self.return_from_rom(cycles);
            }
            RomCallResult::Flushed(cycles) => {
                self.chip.flash_guard.is_closed = false;
                self.chip.flush_cache();
                self.return_from_rom(cycles);
            }
            RomCallResult::Continue(cycles) => self.stay_in_rom(cycles),
            RomCallResult::Flash(call) => self.start_flash_operation(call),
            RomCallResult::Reboot => self.chip.reset = Some(ResetCause::Forced),
            RomCallResult::UsbBoot { has_drive } => {
                // A reset releases all pins.
                self.reset(ResetCause::Forced);
                self.stop_reason = Some(StopReason::UsbBoot { has_drive });
            }
            RomCallResult::NeverReturns => self.stop_reason = Some(StopReason::BootRom),
        }
    }

    /// Lets the cycles of a boot ROM function pass and returns to its caller.
    pub(crate) fn return_from_rom(&mut self, cycles: u64) {
        self.stay_in_rom(cycles);
        self.chip_model.return_from_rom();
    }

    /// Lets the cycles of a boot ROM function pass.
    fn stay_in_rom(&mut self, cycles: u64) {
        self.chip_model.pass(&mut self.chip, cycles, false);
        self.awake += cycles;
    }

    /// Reads and decodes new log messages.
    pub(crate) fn read_log(&mut self) {
        let now = self.now();
        self.log.drain(&mut *self.chip_model, &self.firmware, now);
    }
}
