//! The machine: runs the core and everything around it from event to event.
//!
//! Each turn of [`Machine::turn`] does one thing: settles what is due (switch edges, watchdog, power cut, resets), then
//! either runs the core until something could interrupt it, or, when the core waits (asleep, or in a flash operation of
//! the boot ROM, which an interrupt may break into), lets time pass to the next event. A turn ends between two instructions, so a run ends at most a few
//! cycles late and the next one begins where it ended. The same calls give the same run, to the cycle; cutting a run into
//! other pieces can move the start of a DMA transfer by some 0.2 us.

use crate::chip::ChipState;
use crate::firmware::Firmware;
use crate::flash::{Flash, FlashTimes};
use crate::logs::Log;
use crate::meter::Meter;
use crate::mishap::{self, Mishap};
use crate::options::Options;
use crate::outage::{PowerCut, Work};
use crate::restart::Reset;
use crate::silicon::{Facts, Outcome, Silicon};
use crate::supply::BROWN_OUT;
use crate::watchdog::ResetCause;
use core::time::Duration;

/// Cycles the core may run ahead while PIO or DMA work: the delay of their interrupts, at most.
const STEP_BUSY: u64 = 32;
/// The same while the core sleeps; the end of a DMA transfer is never late.
const SLEEP_BUSY: u64 = 250;
/// The same while nothing else happens: bounds what one turn does, events end it earlier.
const STEP_IDLE: u64 = 10_000;
/// Nanoseconds between two looks at the log while the core does not sleep.
const LOG_EVERY: u64 = 500_000;
/// Cycles between two looks at the PWM at least: a slice can wrap at every one of them.
const PWM_EVERY: u64 = 8;
/// Changes of the tone that are kept; the older half is forgotten where there are more.
const MOST_TONES: usize = 1 << 16;
/// Turns in a row that may take no time.
const IDLE_TURNS: u32 = 8;

/// Why nothing runs any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Death {
    /// The power was cut as planned.
    PowerCut,
    /// The cells gave way.
    BrownOut,
    /// The firmware has gone to the boot ROM and will not come back: a jump to nowhere, or nothing that could be started.
    BootRom,
    /// The firmware has reset the chip into the boot ROM's USB mode, as BOOTSEL does. [`Handheld::update`](crate::Handheld::update)
    /// ends it.
    UsbBoot {
        /// Whether the drive for UF2 files appears: it can be left out.
        has_drive: bool,
    },
}

/// Chip, board and their history.
pub(crate) struct Machine {
    pub firmware: Firmware,
    pub silicon: Box<dyn Silicon>,
    pub chip: ChipState,
    pub flash: Flash,
    pub times: FlashTimes,
    /// How long the boot ROM takes, in ns, and when it starts the firmware.
    pub boot_rom: u64,
    pub starts: u64,
    pub work: Option<Work>,
    pub cut: Option<PowerCut>,
    pub death: Option<Death>,
    /// The first resets, and how many there were in all.
    pub resets: Vec<Reset>,
    pub reset_count: u64,
    pub log: Log,
    next_log: u64,
    /// Turns since time has last moved on.
    idle_turns: u32,
    pub meter: Meter,
    /// Cycles in which the core did not sleep.
    pub awake: u64,
    /// The lowest VSYS at which a flash operation was begun, in millivolts.
    pub lowest_write: Option<u32>,
    pub tones: Vec<(Duration, Option<u32>)>,
}

impl Machine {
    pub fn new(firmware: Firmware, flash: Flash, chip: ChipState, options: &Options) -> Self {
        let mut silicon = firmware.chip().silicon();
        silicon.load_flash(flash.image());
        let log = Log::new(firmware.symbol("_SEGGER_RTT").map(|symbol| symbol.address));
        let mut machine = Self {
            firmware,
            silicon,
            chip,
            flash,
            times: options.flash_times,
            boot_rom: u64::try_from(options.boot_rom.as_nanos()).unwrap_or(0),
            starts: 0,
            work: None,
            cut: None,
            death: None,
            resets: Vec::new(),
            reset_count: 0,
            log,
            next_log: 0,
            idle_turns: 0,
            meter: Meter::default(),
            awake: 0,
            lowest_write: None,
            tones: Vec::new(),
        };
        machine.boot();
        machine
    }

    /// Something that drives a pin has changed just now.
    pub fn pins_changed(&mut self) {
        self.silicon.pins_changed(&mut self.chip);
    }

    pub fn now(&self) -> u64 {
        self.chip.clock.now_ns()
    }

    /// Lets something go wrong; gives whether it could.
    pub fn inflict(&mut self, mishap: Mishap<'_>) -> bool {
        let started = self.now() >= self.starts;
        if self.death.is_some() || self.work.is_some() || self.chip.dormant || !started {
            return false;
        }
        while !self.silicon.may_go_astray() {
            self.silicon.run_core(&mut self.chip, &mut self.meter, 1);
        }
        mishap::inflict(mishap, &self.firmware, &mut *self.silicon, &mut self.chip)
    }

    /// Runs until `target` ns since power-on, or the end.
    pub fn run(&mut self, target: u64) {
        while self.death.is_none() && self.now() < target {
            self.turn(target);
        }
        self.read_log();
        self.pins_changed();
        let now = self.now();
        self.chip.chain.until(now);
    }

    /// One thing, not beyond `target` ns (but at least one instruction). Some turns take no time, such as a reset or
    /// the end of a flash operation; a program that strings together nothing but those would stop the emulated time,
    /// and the run would never end. So a cycle passes after a few of them.
    pub fn turn(&mut self, target: u64) {
        let before = self.now();
        self.chip.steps += 1;
        self.act(target);
        if self.now() > before {
            self.idle_turns = 0;
        } else {
            self.idle_turns += 1;
            if self.idle_turns >= IDLE_TURNS {
                self.idle(1);
                self.idle_turns = 0;
            }
        }
    }

    fn act(&mut self, target: u64) {
        self.silicon.settle_pins(&mut self.chip);
        self.raise_planned();
        if self.chip.pwm_due.is_some_and(|due| due <= self.chip.clock.cycles()) {
            self.pins_changed();
            self.listen();
        }
        let now = self.now();
        if now >= self.next_log {
            self.read_log();
            self.next_log = now + LOG_EVERY;
        }
        if let Some(cause) = self.chip.reset.take().or_else(|| self.chip.watchdog.due(now)) {
            return self.reset(cause);
        }
        if self.cut_time().is_some_and(|time| time <= now) {
            return self.cut_power(Death::PowerCut);
        }
        if !self.chip.supply.has_vbus() && self.chip.vsys(now, self.work.is_some()) < BROWN_OUT {
            return self.cut_power(Death::BrownOut);
        }
        let edge = self.chip.next_pin_event();
        let chip = &self.chip;
        let [raised, pwm] = [chip.next_raised(), chip.next_pwm()];
        let stops = [edge, chip.timer.next(), chip.watchdog.deadline(), raised, pwm, chip.adc.next(), self.cut_time()];
        let stop = stops.into_iter().flatten().fold(target, u64::min);
        if now < self.starts {
            self.wait_awake(stop.min(self.starts));
        } else if self.chip.dormant {
            self.stay_dormant(edge.unwrap_or(target).min(target).min(self.cut_time().unwrap_or(target)));
        } else if let Some(ends) =
            self.work.as_ref().filter(|work| work.caller == self.silicon.position()).map(|work| work.ends)
        {
            self.wait_for_flash(stop, ends);
        } else if self.silicon.is_asleep(&mut self.chip) {
            let cycles = self.chip.clock.cycles_until(stop);
            self.idle(cycles);
        } else if self.silicon.is_in_rom() {
            self.call_rom();
        } else {
            self.run_core(stop.min(self.next_log));
        }
    }

    /// Lets at most `cycles` pass without the core.
    pub fn idle(&mut self, cycles: u64) {
        let most = if self.chip.is_busy() { SLEEP_BUSY } else { u64::from(u32::MAX) };
        let cycles = cycles.min(most).max(1);
        self.silicon.pass(&mut self.chip, cycles, true);
        self.silicon.raise_interrupts(&mut self.chip);
    }

    /// Interrupts that a test wants at this cycle become pending.
    fn raise_planned(&mut self) {
        let cycles = self.chip.clock.cycles();
        while let Some(entry) = self.chip.raised.first_entry().filter(|entry| *entry.key() <= cycles) {
            self.silicon.pend(entry.remove());
        }
    }

    /// Lets time pass up to `until` while the core is busy with something that is not emulated.
    pub fn wait_awake(&mut self, until: u64) {
        let before = self.chip.clock.cycles();
        let cycles = self.chip.clock.cycles_until(until);
        self.idle(cycles);
        self.awake += self.chip.clock.cycles() - before;
    }

    pub fn run_core(&mut self, stop: u64) {
        let budget = self.chip.clock.cycles_until(stop).min(if self.chip.is_busy() { STEP_BUSY } else { STEP_IDLE });
        let before = self.chip.clock.cycles();
        self.silicon.run_core(&mut self.chip, &mut self.meter, budget.max(1));
        self.awake += self.chip.clock.cycles() - before;
        if core::mem::take(&mut self.chip.sound_changed) {
            self.listen();
        }
    }

    /// Looks at the PWM, and when it will be worth to look again.
    pub fn listen(&mut self) {
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

    fn call_rom(&mut self) {
        match self.silicon.call_rom(&mut self.chip) {
            Outcome::Return(cycles) => self.return_from_rom(cycles),
            Outcome::Closed(cycles) => {
                self.chip.flash_guard.is_closed = true;
                self.return_from_rom(cycles);
            }
            Outcome::Flushed(cycles) => {
                self.chip.flash_guard.is_closed = false;
                self.chip.flush_cache();
                self.return_from_rom(cycles);
            }
            Outcome::Continue(cycles) => self.stay_in_rom(cycles),
            Outcome::Flash(call) => self.begin_work(call),
            Outcome::Reboot => self.chip.reset = Some(ResetCause::Forced),
            Outcome::UsbBoot { has_drive } => {
                // All pins are let go, as in any reset.
                self.reset(ResetCause::Forced);
                self.death = Some(Death::UsbBoot { has_drive });
            }
            Outcome::Gone => self.death = Some(Death::BootRom),
        }
    }

    pub fn return_from_rom(&mut self, cycles: u64) {
        self.stay_in_rom(cycles);
        self.silicon.return_from_rom();
    }

    /// A function of the boot ROM takes its time.
    fn stay_in_rom(&mut self, cycles: u64) {
        self.silicon.pass(&mut self.chip, cycles, false);
        self.awake += cycles;
    }

    pub fn read_log(&mut self) {
        let now = self.now();
        self.log.drain(&mut *self.silicon, &self.firmware, now);
    }
}
