//! The machine: runs the core and everything around it from event to event.
//!
//! Each turn of [`Machine::turn`] does one thing: settles what is due (switch edges, watchdog, power cut, resets), then
//! either runs the core until something could interrupt it, or, when the core waits (asleep, or in a flash operation of
//! the boot ROM), lets time pass to the next event. A turn ends between two instructions, so a run ends at most a few
//! cycles late and the next one begins where it ended. The same calls give the same run, to the cycle; cutting a run into
//! other pieces can move the start of a DMA transfer by some 0.2 us.

use crate::chip::{ChipState, View};
use crate::firmware::Firmware;
use crate::flash::{Flash, FlashTimes};
use crate::logs::Log;
use crate::memory_power::AccessKind;
use crate::meter::{Meter, Moment};
use crate::mishap::{self, Mishap};
use crate::options::Options;
use crate::outage::{PowerCut, Work};
use crate::restart::Reset;
use crate::rom::{self, Outcome};
use core::time::Duration;
use rp2040_emu::{Config, Emulator, ROM_SIZE};

/// Cycles the core may run ahead while PIO or DMA work: the delay of their interrupts, at most.
const STEP_BUSY: u64 = 32;
/// The same while the core sleeps; the end of a DMA transfer is never late.
const SLEEP_BUSY: u64 = 250;
/// The same while nothing else happens: bounds what one turn does, events end it earlier.
const STEP_IDLE: u64 = 10_000;
/// Nanoseconds between two looks at the log while the core does not sleep.
const LOG_EVERY: u64 = 500_000;
/// Why nothing runs any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Death {
    /// The power was cut as planned.
    PowerCut,
    /// The firmware has gone to the boot ROM and will not come back: USB boot, or a jump to nowhere.
    BootRom,
}

/// Chip, board and their history.
pub(crate) struct Machine {
    pub firmware: Firmware,
    pub emulator: Emulator,
    pub chip: ChipState,
    pub flash: Flash,
    pub times: FlashTimes,
    /// How long the boot ROM takes, in ns, and when it starts the firmware.
    pub boot_rom: u64,
    pub starts: u64,
    pub work: Option<Work>,
    pub cut: Option<PowerCut>,
    pub death: Option<Death>,
    pub resets: Vec<Reset>,
    pub log: Log,
    next_log: u64,
    pub meter: Meter,
    /// Cycles in which the core did not sleep.
    pub awake: u64,
    /// The flash was written while an interrupt could have run code from it.
    pub unsafe_flash: u64,
    pub tones: Vec<(Duration, Option<u32>)>,
}

impl Machine {
    pub fn new(firmware: Firmware, flash: Flash, chip: ChipState, options: &Options) -> Self {
        let mut emulator = Emulator::new(Config::default());
        emulator.load_bootrom(&rom::image());
        emulator.load_flash(flash.image());
        let log = Log::new(firmware.symbol("_SEGGER_RTT").map(|symbol| symbol.address));
        let mut machine = Self {
            firmware,
            emulator,
            chip,
            flash,
            times: options.flash_times,
            boot_rom: u64::try_from(options.boot_rom.as_nanos()).unwrap_or(0),
            starts: 0,
            work: None,
            cut: None,
            death: None,
            resets: Vec::new(),
            log,
            next_log: 0,
            meter: Meter::default(),
            awake: 0,
            unsafe_flash: 0,
            tones: Vec::new(),
        };
        machine.boot();
        machine
    }

    pub fn view(&mut self) -> View<'_> {
        View { bus: &mut self.emulator.bus, chip: &mut self.chip }
    }

    pub fn now(&self) -> u64 {
        self.chip.clock.now_ns()
    }

    /// Lets something go wrong; gives whether it could.
    pub fn inflict(&mut self, mishap: Mishap<'_>) -> bool {
        let mut view = View { bus: &mut self.emulator.bus, chip: &mut self.chip };
        let started = view.now() >= self.starts;
        let alive = self.death.is_none() && self.work.is_none() && !view.chip.dormant && started;
        alive && mishap::inflict(mishap, &self.firmware, &mut self.emulator.cores[0], &mut view)
    }

    /// Runs until `target` ns since power-on, or the end.
    pub fn run(&mut self, target: u64) {
        while self.death.is_none() && self.now() < target {
            self.turn(target);
        }
        self.read_log();
        self.view().pins_changed();
        let now = self.now();
        self.chip.chain.until(now);
    }

    /// One thing, not beyond `target` ns (but at least one instruction).
    pub fn turn(&mut self, target: u64) {
        let mut view = self.view();
        view.settle_pins();
        view.raise_planned();
        if self.chip.pwm_due.is_some_and(|due| due <= self.chip.clock.cycles()) {
            self.view().pins_changed();
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
            return self.cut_power();
        }
        let edge = self.chip.next_pin_event();
        let chip = &self.chip;
        let [raised, pwm] = [chip.next_raised(), chip.next_pwm()];
        let stops = [edge, chip.timer.next(), chip.watchdog.deadline(), raised, pwm, self.cut_time()];
        let stop = stops.into_iter().flatten().fold(target, u64::min);
        if now < self.starts {
            self.wait_awake(stop.min(self.starts));
        } else if self.chip.dormant {
            self.stay_dormant(edge.unwrap_or(target).min(target).min(self.cut_time().unwrap_or(target)));
        } else if let Some(ends) = self.work.as_ref().map(|work| work.ends) {
            self.wait_for_flash(stop, ends);
        } else if self.is_asleep() {
            let cycles = self.chip.clock.cycles_until(stop);
            self.idle(cycles);
        } else if self.emulator.cores[0].regs.pc() < ROM_SIZE as u32 {
            self.call_rom();
        } else {
            self.run_core(stop.min(self.next_log));
        }
    }

    /// The core waits for an interrupt or an event that has not come; wakes it if one has.
    fn is_asleep(&mut self) -> bool {
        if self.emulator.cores[0].is_halted() || self.emulator.bus.wfe_waiting[0] {
            // A key may have been pressed since time last passed.
            self.view().raise_interrupts();
        }
        let bus = &mut self.emulator.bus;
        let core = &mut self.emulator.cores[0];
        let interrupt = bus.nvics[0].pending_and_enabled() != 0;
        if core.is_halted() {
            // A fault in the fault handler locks the core up: only a reset helps. WFI sleeps until an interrupt.
            if interrupt && !core.is_in_hardfault() {
                core.wake();
            }
        } else if bus.wfe_waiting[0] {
            let taken = interrupt && core.regs.primask & 1 == 0;
            if core::mem::take(&mut bus.event_flag[0]) || taken {
                bus.wfe_waiting[0] = false;
            }
        }
        core.is_halted() || bus.wfe_waiting[0]
    }

    /// Lets at most `cycles` pass without the core.
    pub fn idle(&mut self, cycles: u64) {
        let busy = self.chip.is_busy() || self.chip.others;
        let most = if busy { SLEEP_BUSY } else { u64::from(u32::MAX) };
        let cycles = cycles.min(most).max(1);
        let mut view = self.view();
        view.pass(cycles, true);
        view.raise_interrupts();
    }

    /// Lets time pass up to `until` while the core is busy with something that is not emulated.
    pub fn wait_awake(&mut self, until: u64) {
        let before = self.chip.clock.cycles();
        let cycles = self.chip.clock.cycles_until(until);
        self.idle(cycles);
        self.awake += self.chip.clock.cycles() - before;
    }

    fn run_core(&mut self, stop: u64) {
        let budget = self.chip.clock.cycles_until(stop).min(if self.chip.is_busy() { STEP_BUSY } else { STEP_IDLE });
        let before = self.chip.clock.cycles();
        let metering = self.meter.is_on();
        let core = &mut self.emulator.cores[0];
        let mut view = View { bus: &mut self.emulator.bus, chip: &mut self.chip };
        let end = before + budget.max(1);
        view.chip.stop = false;
        // Nothing interrupts the fault handler; not showing it what is pending spares the core looking at every step.
        let in_fault = core.is_in_hardfault();
        let held = if in_fault { core::mem::take(&mut view.bus.nvics[0].pending) } else { 0 };
        loop {
            if metering {
                self.meter.at(Moment {
                    pc: core.regs.pc(),
                    lr: core.regs.r[14],
                    sp: core.regs.r[13],
                    handler: core.regs.xpsr & 0x1FF != 0,
                    masked: core.regs.primask & 1 != 0,
                    cycles: view.chip.clock.cycles() + view.chip.ahead,
                });
            }
            let pc = core.regs.pc();
            if view.chip.memory.any_off() {
                let now = view.now();
                view.chip.memory.touch(pc, AccessKind::Fetch, now);
            }
            view.fetch(pc);
            // The core enters an exception only when none is at work: hide those that a more urgent one may interrupt.
            let mut hidden = 0;
            if view.bus.ppb[0].active != 0 && view.bus.nvics[0].pending_and_enabled() != 0 && view.is_preempted() {
                hidden = core::mem::take(&mut view.bus.ppb[0].active);
            }
            let cycles = core.step(&mut view);
            view.bus.ppb[0].active |= hidden;
            if core::mem::take(&mut view.chip.entered) {
                // Entering clears the pending bit; the emulator forgets that for interrupts 26 to 31.
                let exception = core.regs.xpsr & 0x1FF;
                view.bus.nvics[0].pending &= !(1u32.checked_shl(exception.wrapping_sub(16)).unwrap_or(0));
            }
            // The core caches decoded instructions; what it has just written may be one.
            if !view.bus.pending_cache_invalidations.is_empty() {
                core.invalidate_decode_cache_entries(&view.bus.pending_cache_invalidations);
                view.bus.pending_cache_invalidations.clear();
            }
            view.chip.ahead += u64::from(cycles);
            let over = core.is_halted() || view.chip.stop;
            let pc_now = core.regs.pc();
            if pc_now == pc && cycles > 0 && view.bus.memory.peek32(pc) as u16 == rom::LOOP {
                // `b .` goes on until something interrupts it.
                let now = view.chip.clock.cycles() + view.chip.ahead;
                view.chip.ahead += end.saturating_sub(now);
            }
            if over || pc_now < ROM_SIZE as u32 || view.chip.clock.cycles() + view.chip.ahead >= end {
                break;
            }
        }
        view.bus.nvics[0].pending |= held;
        // An ISB asks for the whole cache to be dropped: not needed, entries are dropped as they are written.
        view.bus.pending_invalidation_regions = 0;
        view.catch_up();
        view.raise_interrupts();
        view.clocks_changed();
        self.awake += self.chip.clock.cycles() - before;
        if core::mem::take(&mut self.chip.sound_changed) {
            self.listen();
        }
    }

    /// Looks at the PWM, and when it will be worth to look again.
    pub fn listen(&mut self) {
        let mut view = self.view();
        let tone = view.tone();
        view.chip.pwm_due = view.next_pwm_event();
        if tone != self.chip.tone {
            self.chip.tone = tone;
            self.tones.push((Duration::from_nanos(self.now()), tone));
        }
    }

    fn call_rom(&mut self) {
        if self.chip.memory.any_off() {
            let (pc, now) = (self.emulator.cores[0].regs.pc(), self.now());
            self.chip.memory.touch(pc, AccessKind::Fetch, now);
        }
        let core = &mut self.emulator.cores[0];
        let pc = core.regs.pc();
        match rom::run(pc, &mut core.regs, &mut self.emulator.bus) {
            Outcome::Return(cycles) => {
                self.emulator.cores[0].invalidate_decode_cache_entries(&self.emulator.bus.pending_cache_invalidations);
                self.emulator.bus.pending_cache_invalidations.clear();
                self.view().pass(cycles, false);
                self.awake += cycles;
                self.return_from_rom();
            }
            Outcome::Flushed(cycles) => {
                self.chip.flush_cache();
                self.view().pass(cycles, false);
                self.awake += cycles;
                self.return_from_rom();
            }
            Outcome::Flash(units) => self.begin_work(units),
            Outcome::Gone => self.death = Some(Death::BootRom),
        }
    }

    pub fn return_from_rom(&mut self) {
        let registers = &mut self.emulator.cores[0].regs;
        let back = registers.r[14] & !1;
        registers.set_pc(back);
    }

    pub fn read_log(&mut self) {
        let now = self.now();
        self.log.drain(&mut self.emulator.bus, &self.firmware, now);
    }
}
