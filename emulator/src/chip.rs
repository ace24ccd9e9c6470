//! The chip around its core: what it knows beside the emulator's own state, and the levels that follow.
//!
//! An emulator supplies the core, memory, DMA, PIO and register storage. Its own step loop is not used, because it
//! freezes PIO and DMA while the core sleeps and because nothing could be overlaid on a register. Instead the core runs
//! against a [`View`], a bus of our own. It has a common half and one for each chip:
//! - this file: the state ([`ChipState`]), pins and the piezo;
//! - `elapse`: how time reaches timer, PIO, DMA and the LED wire;
//! - a chip's `core_bus`: where an address that the core reads or writes goes;
//! - a chip's `registers`: what it finds there if that is a peripheral;
//! - a chip's `interrupts`: which of them the core takes.

use crate::adc::{Adc, Levels};
use crate::clock::Clock;
use crate::elapse::{Activity, BLOCKS};
use crate::flash_access::FlashGuard;
use crate::flash_cache::Cache;
use crate::gpio::Pins;
use crate::matrix::Matrix;
use crate::memory_power::MemoryPower;
use crate::options::Options;
use crate::pio;
use crate::pwm::Pwm;
use crate::register_trace::RegisterTrace;
use crate::ring_oscillator::{RingOscillator, UPSTREAM_HZ};
use crate::silicon::{Chip, ChipBus, Facts};
use crate::supply::{Supply, board_milliamps};
use crate::timer::Timer;
use crate::vsys_pin::VsysPin;
use crate::watchdog::{ResetCause, Watchdog};
use crate::ws2812::{Chain, ChainKind};
use lights_out::wiring::{PicoPins, Wiring};
use rand_pcg::Pcg32;
use std::collections::BTreeMap;

/// The aliases of a register: 0 write, 1 xor, 2 set, 3 clear.
pub(crate) fn alias(old: u32, value: u32, alias: u32) -> u32 {
    match alias {
        1 => old ^ value,
        2 => old | value,
        3 => old & !value,
        _ => value,
    }
}

/// Changes that a logic analyser keeps.
const MOST_CHANGES: usize = 1 << 20;

/// A logic analyser on some pins.
#[derive(Debug)]
pub(crate) struct Probe {
    /// The pins, bit = pin.
    pub mask: u32,
    /// Their levels, whenever one has changed: ns since power-on, and levels.
    pub changes: Vec<(u64, u32)>,
}

/// Everything beside core, memory and the emulator's own peripherals.
#[derive(Debug)]
pub(crate) struct ChipState {
    pub clock: Clock,
    /// Cycles that the core has run ahead of the peripherals.
    pub ahead: u64,
    /// The core has entered an exception.
    pub entered: bool,
    /// The core must give control back after this instruction.
    pub stop: bool,
    pub matrix: Matrix,
    /// Switch edges to come, by time and then by order of scheduling: cell and state.
    pub edges: BTreeMap<(u64, u64), (usize, bool)>,
    pub pins: Pins,
    /// When their levels were last worked out, ns since power-on.
    pins_at: u64,
    pub probe: Option<Probe>,
    pub trace: RegisterTrace,
    pub row_conflicts: u64,
    /// The LEDs' supply hangs on its pin.
    supply_switch: bool,
    pub chain: Chain,
    pub supply: Supply,
    pub adc: Adc,
    /// The pin at which it measures VSYS.
    pub vsys_pin: VsysPin,
    pub timer: Timer,
    /// Cycles of the reference clock from one tick of the timer to the next; 0: none.
    pub tick_cycles: u32,
    pub watchdog: Watchdog,
    /// The cache before the flash, if it is modelled.
    pub flash_cache: Option<Cache>,
    pub flash_guard: FlashGuard,
    pub memory: MemoryPower,
    pub pwm: Pwm,
    /// The cycle at which the PWM next does something that anybody looks at.
    pub pwm_due: Option<u64>,
    /// Interrupts that a test raises: lines by the cycle at which they become pending.
    pub raised: BTreeMap<u64, u64>,
    /// A reset that the firmware asked for.
    pub reset: Option<ResetCause>,
    /// The oscillator was told to stop.
    pub dormant: bool,
    /// When the crystal is stable, ns since power-on; `None` while it is off.
    pub crystal: Option<u64>,
    /// From switching it on to its first swing, in ns; how often it was switched on; and how often that leads to nothing at first.
    pub crystal_start: u64,
    pub crystal_starts: u32,
    pub crystal_failures: u32,
    /// A fault in the fault handler has locked up the core.
    pub locked_up: bool,
    pub ring: RingOscillator,
    /// When each PLL (of the system, of USB) has locked, ns since power-on; `None` while it is off.
    pub pll_locks: [Option<u64>; 2],
    /// How often a clock was switched to a source that did not run.
    pub dead_clocks: u64,
    pub kind: Chip,
    pub random: Pcg32,
    pub pio: [Activity; BLOCKS],
    /// A DMA channel may be at work.
    pub dma: bool,
    /// Ticks of PIO and words of the DMA, and turns of the machine.
    pub steps: u64,
    /// A mishap: the DMA does nothing any more.
    pub dma_stopped: bool,
    /// The registers of the PWM or its pins may have changed.
    pub sound_changed: bool,
    pub tone: Option<u32>,
}

impl ChipState {
    pub fn new(options: &Options, kind: Chip) -> Self {
        let rise = u64::try_from(options.rise.as_nanos()).unwrap_or(u64::MAX / 2);
        let mut pins = Pins::new(options.wiring, options.board, rise, options.seed);
        pins.has_vbus = options.supply.has_vbus();
        Self {
            // Its frequency comes with the first boot.
            clock: Clock::new(1),
            ahead: 0,
            entered: false,
            stop: false,
            matrix: Matrix::new(options.diodes, options.open, options.layout.keys),
            edges: BTreeMap::new(),
            pins,
            pins_at: 0,
            supply_switch: options.supply_switch,
            probe: None,
            trace: RegisterTrace::default(),
            row_conflicts: 0,
            chain: Chain::new(ChainKind {
                latch: options.latch,
                lights: options.layout.lights,
                supply_rise: options.supply_rise,
            }),
            supply: options.supply,
            adc: Adc::new(options.seed, kind.adc_fifo()),
            vsys_pin: VsysPin::new(options.board, options.pad_pull, options.vsys_filter),
            timer: Timer::default(),
            tick_cycles: 0,
            watchdog: Watchdog::new(kind),
            flash_cache: options.flash_cache.map(|cache| Cache::new(cache, kind)),
            flash_guard: FlashGuard::default(),
            memory: MemoryPower::new(kind),
            pwm: Pwm::new(kind.pwm_slices()),
            pwm_due: None,
            raised: BTreeMap::new(),
            reset: None,
            dormant: false,
            crystal: None,
            crystal_start: u64::try_from(options.crystal_start.as_nanos()).unwrap_or(u64::MAX),
            crystal_starts: 0,
            crystal_failures: options.crystal_failures,
            locked_up: false,
            ring: RingOscillator::new(kind),
            pll_locks: [None; 2],
            dead_clocks: 0,
            kind,
            random: Pcg32::new(options.seed, 0x05c),
            pio: Default::default(),
            dma: false,
            steps: 0,
            dma_stopped: false,
            sound_changed: true,
            tone: None,
        }
    }

    /// Which pin does what.
    pub fn wiring(&self) -> &Wiring {
        self.pins.wiring()
    }

    /// When a pin next changes by itself: a switch that moves, or a line that has risen. In ns since power-on.
    pub fn next_pin_event(&self) -> Option<u64> {
        let edge = self.edges.first_key_value().map(|((at, _), _)| *at);
        edge.into_iter().chain(self.pins.next_rise()).min()
    }

    /// When a test raises the next interrupt, ns since power-on.
    pub fn next_raised(&self) -> Option<u64> {
        let cycle = *self.raised.first_key_value()?.0;
        Some(self.clock.ns_after(cycle.saturating_sub(self.clock.cycles())))
    }

    /// When the PWM next does something that anybody looks at, ns since power-on.
    pub fn next_pwm(&self) -> Option<u64> {
        Some(self.clock.ns_after(self.pwm_due?.saturating_sub(self.clock.cycles())))
    }

    /// Levels of all pins as they are at this moment, bit = pin.
    pub fn levels(&self) -> u32 {
        let pwm = self.pins.pwm();
        self.pins.levels() & !pwm | self.pwm.levels(pwm, self.clock.cycles())
    }

    /// VSYS in millivolts at this moment.
    pub fn vsys(&self, now: u64, flash_works: bool) -> u32 {
        let load = board_milliamps(self.dormant, flash_works) + self.chain.milliamps(now);
        self.supply.vsys(load)
    }

    /// What the analogue converter finds at its inputs: about a third of VSYS at one of them, and nothing at the others.
    pub fn analogue_levels(&mut self, now: u64) -> Levels {
        const FIRST: u8 = 26;
        let vsys = self.vsys(now, false);
        let vsys_level = self.vsys_pin.level(now, vsys);
        core::array::from_fn(|channel| {
            let pin = FIRST + channel as u8;
            let level = if pin == PicoPins::ALL.vsys { vsys_level } else { 0 };
            (channel == 4 || self.pins.is_analogue(pin)).then_some(level)
        })
    }

    /// An oscillator is told to stop: the clocks stand still until a pin starts them again.
    pub fn fall_asleep(&mut self) {
        self.dormant = true;
        self.memory.fall_asleep();
    }

    /// The cache before the flash forgets all it has.
    pub fn flush_cache(&mut self) {
        if let Some(cache) = &mut self.flash_cache {
            cache.flush();
        }
    }

    /// The piezo's tone in Hz: what its pin really does.
    pub fn piezo(&self) -> Option<u32> {
        let pin = u32::from(self.wiring().piezo);
        let connected = self.pins.pwm() >> pin & 1 != 0;
        self.pwm.tone(pin, self.clock.cycles(), self.clock.hz()).filter(|_| connected)
    }

    /// When the PWM next does something that anybody looks at: the piezo's tone changes, a wrap interrupts, or a pin that the
    /// logic analyser is on may change.
    pub fn next_pwm_event(&self) -> Option<u64> {
        let cycle = self.clock.cycles();
        let probed = self.probe.as_ref().map_or(0, |probe| probe.mask) & self.pins.pwm();
        let tone = self.pwm.next_tone(self.wiring().piezo.into(), cycle);
        [tone, self.pwm.next_interrupt(cycle), self.pwm.next_toggle(probed, cycle)].into_iter().flatten().min()
    }

    /// Something beyond the core is at work, so time must pass in small steps.
    pub fn is_busy(&self) -> bool {
        self.dma || self.pio.iter().any(|block| block.moving)
    }
}

/// The bus as the core sees it.
pub(crate) struct View<'a, B> {
    pub bus: &'a mut B,
    pub chip: &'a mut ChipState,
}

impl<B: ChipBus> View<'_, B> {
    /// The moment the core is at.
    pub fn now(&self) -> u64 {
        self.chip.clock.ns_after(self.chip.ahead)
    }

    /// The same in cycles of the system clock.
    pub fn cycle(&self) -> u64 {
        self.chip.clock.cycles() + self.chip.ahead
    }

    /// The chip was reset: whatever was known of it is looked at again.
    pub fn restarted(&mut self) {
        (self.chip.ahead, self.chip.tick_cycles) = (0, 0);
        self.chip.pio = Default::default();
        self.bus.pio_mut().iter_mut().for_each(pio::clear_pins);
        (self.chip.dma, self.chip.dma_stopped) = (false, false);
        self.chip.dormant = false;
        self.chip.pll_locks = [None; 2];
        self.chip.sound_changed = true;
        self.chip.memory.write(0);
        (self.chip.flash_guard.is_closed, self.chip.flash_guard.is_busy) = (false, false);
        self.chip.flush_cache();
        let cycle = self.cycle();
        self.chip.pwm.reset(cycle);
        self.chip.adc.reset();
        self.clocks_changed();
        let now = self.now();
        self.chip.timer.reset(now);
        self.pins_configured();
    }

    /// The firmware may have chosen other clocks. (A clock that does not run leaves the last frequency.)
    pub fn clocks_changed(&mut self) {
        let (system, reference) = self.bus.frequencies();
        let [system, reference] =
            [system, reference].map(|hz| if hz == UPSTREAM_HZ { self.chip.ring.hz() } else { hz });
        if system != 0 {
            self.chip.clock.set_frequency(system);
        }
        let now = self.now();
        self.chip.timer.set_rate(reference, self.chip.tick_cycles, now);
        self.chip.watchdog.set_reference(reference, now);
    }

    /// The firmware has written function selects, pads or interrupts of pins.
    pub fn pins_configured(&mut self) {
        self.chip.pins.configure(self.bus.pin_settings());
        self.pins_changed();
        self.chip.sound_changed = true;
    }

    /// The firmware has written interrupts of pins, and nothing else of them. It does so at every scan.
    pub fn pin_interrupts_configured(&mut self) {
        self.chip.pins.configure_interrupts(self.bus.pin_interrupts());
        self.pins_changed();
        self.chip.sound_changed = true;
    }

    /// What the pins do by themselves up to now, each at its moment: switches that are due change, lines have risen. Whoever
    /// changes what drives a pin calls this before.
    pub fn settle_pins(&mut self) {
        let now = self.now();
        while let Some(at) = self.chip.next_pin_event().filter(|at| *at <= now) {
            while let Some(entry) = self.chip.edges.first_entry().filter(|entry| entry.key().0 <= at) {
                let (cell, closed) = entry.remove();
                self.chip.matrix.set(cell, closed);
            }
            self.pins_changed_at(at);
        }
    }

    /// Something that drives a pin has changed just now.
    pub fn pins_changed(&mut self) {
        self.settle_pins();
        self.pins_changed_at(self.now());
    }

    /// Works out the levels on the board again; the supply of the LEDs and their wire may be among them.
    fn pins_changed_at(&mut self, ns: u64) {
        // A switch that was scheduled for the past changes now.
        let ns = ns.max(self.chip.pins_at);
        self.chip.pins_at = ns;
        let cycle = self.cycle();
        let chip = &mut *self.chip;
        let conflict = chip.pins.conflict;
        let pwm = if chip.pins.pwm() != 0 { chip.pwm.levels(chip.pins.pwm(), cycle) } else { 0 };
        chip.pins.refresh(self.bus, &chip.matrix, pwm, ns);
        chip.row_conflicts += u64::from(chip.pins.conflict && !conflict);
        let drive = chip.pins.vsys_drive();
        if drive != chip.vsys_pin.drive() {
            let vsys = chip.vsys(ns, false);
            chip.vsys_pin.set_drive(drive, ns, vsys);
        }
        let levels = chip.pins.levels();
        let wiring = chip.pins.wiring();
        chip.chain.supply(ns, !chip.supply_switch || levels >> wiring.supply & 1 != 0);
        chip.chain.edge(ns, levels >> wiring.leds & 1 != 0);
        if let Some(Probe { mask, changes }) = &mut chip.probe {
            let levels = levels & *mask;
            if changes.len() < MOST_CHANGES && changes.last().is_none_or(|(_, last)| *last != levels) {
                changes.push((ns, levels));
            }
        }
        self.bus.set_inputs(chip.pins.inputs());
    }
}
