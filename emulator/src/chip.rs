//! The state of the chip and the board that both chips have in common, and the levels of the pins.
//!
//! An emulator crate supplies the core, memory, DMA, PIO and register storage. Its own step loop is not used, for two
//! reasons: it stops PIO and DMA while the core sleeps, and it offers no way to replace a register. Instead the core
//! runs on the bus of this crate, [`CoreBusView`]. The parts of that bus:
//! - this file: the state ([`ChipState`]), the pins and the piezo;
//! - `peripheral_time`: how time passes for the timer, PIO, DMA and the LED wire;
//! - `memory_access`: flash cache, powered-down memories and GPIO_IN;
//! - `core_bus` of each chip: address decoding;
//! - `registers` of each chip: the registers of the peripherals;
//! - `interrupts` of each chip: the interrupt lines to the core.

use crate::adc::{Adc, InputVoltages};
use crate::chip_interface::{Chip, ChipBus, ChipParameters};
use crate::clock::Clock;
use crate::flash_access::FlashGuard;
use crate::flash_cache::Cache;
use crate::gpio::Pins;
use crate::logic_analyser::LogicAnalyser;
use crate::matrix::Matrix;
use crate::memory_power::MemoryPower;
use crate::options::Options;
use crate::peripheral_time::{Activity, BLOCKS};
use crate::pio_corrections;
use crate::pwm::Pwm;
use crate::register_trace::RegisterTrace;
use crate::ring_oscillator::{RingOscillator, UPSTREAM_HZ};
use crate::supply::{Supply, board_milliamps};
use crate::timer::Timer;
use crate::vsys_pin::VsysPin;
use crate::watchdog::{ResetCause, Watchdog};
use crate::ws2812::{Chain, ChainKind};
use lights_out::wiring::{PicoPins, Wiring};
use rand_pcg::Pcg32;
use std::collections::BTreeMap;

/// The new value of a register after a write to one of its aliases: 0 write, 1 xor, 2 set, 3 clear.
pub(crate) fn alias(old: u32, value: u32, alias: u32) -> u32 {
    match alias {
        1 => old ^ value,
        2 => old | value,
        3 => old & !value,
        _ => value,
    }
}

/// Everything that is modelled in this crate: the replaced peripherals, the board and its parts.
#[derive(Debug)]
pub(crate) struct ChipState {
    pub clock: Clock,
    /// Cycles by which the core is ahead of the peripherals.
    pub ahead: u64,
    /// The core has entered an exception.
    pub entered: bool,
    /// The core must stop running after this instruction.
    pub stop: bool,
    pub matrix: Matrix,
    /// Scheduled edges of keys: cell and state, by time in ns and then by order of scheduling.
    pub edges: BTreeMap<(u64, u64), (usize, bool)>,
    pub pins: Pins,
    /// When the levels of the pins were last computed, ns since power-on.
    pins_at: u64,
    pub analyser: Option<LogicAnalyser>,
    pub trace: RegisterTrace,
    pub row_conflicts: u64,
    /// Whether a pin switches the supply of the LEDs. Without the switch, the supply is always on.
    supply_switch: bool,
    pub chain: Chain,
    pub supply: Supply,
    pub adc: Adc,
    /// The pin at which the ADC measures VSYS.
    pub vsys_pin: VsysPin,
    pub timer: Timer,
    /// Cycles of the reference clock per tick of the timer; 0: no ticks.
    pub tick_cycles: u32,
    pub watchdog: Watchdog,
    /// The flash cache, if it is modelled.
    pub flash_cache: Option<Cache>,
    pub flash_guard: FlashGuard,
    pub memory: MemoryPower,
    pub pwm: Pwm,
    /// The cycle of the next PWM event, as [`ChipState::next_pwm_event`] computed it.
    pub pwm_due: Option<u64>,
    /// Interrupts that a test raises: interrupt lines by the cycle at which they become pending.
    pub raised: BTreeMap<u64, u64>,
    /// A reset that the firmware requested.
    pub reset: Option<ResetCause>,
    /// Dormant sleep: the clocks are stopped.
    pub dormant: bool,
    /// When the crystal is stable, ns since power-on; `None` while it is off.
    pub crystal: Option<u64>,
    /// From switching the crystal on to its first oscillation, in ns.
    pub crystal_start: u64,
    /// How often the crystal was switched on.
    pub crystal_starts: u32,
    /// Number of crystal starts that fail before the first successful one (injected fault).
    pub crystal_failures: u32,
    /// A fault in the fault handler has locked up the core.
    pub locked_up: bool,
    pub ring: RingOscillator,
    /// When each PLL (system, USB) has locked, ns since power-on; `None` while it is off.
    pub pll_locks: [Option<u64>; 2],
    /// How often a clock was switched to a source that was not running.
    pub invalid_clock_sources: u64,
    pub kind: Chip,
    pub random: Pcg32,
    pub pio: [Activity; BLOCKS],
    /// A DMA channel may be busy.
    pub dma: bool,
    /// Emulation steps: ticks of PIO, words of the DMA and steps of the machine.
    pub steps: u64,
    /// Injected fault: the DMA transfers nothing.
    pub dma_stopped: bool,
    /// The registers of the PWM or its pins may have changed.
    pub sound_changed: bool,
    /// Frequency of the piezo in Hz.
    pub tone: Option<u32>,
}

impl ChipState {
    /// The state at power-on.
    pub(crate) fn new(options: &Options, kind: Chip) -> Self {
        let rise = u64::try_from(options.rise.as_nanos()).unwrap_or(u64::MAX / 2);
        let mut pins = Pins::new(options.wiring, options.board, rise, options.seed);
        pins.has_vbus = options.supply.has_vbus();
        Self {
            // The first boot sets the frequency.
            clock: Clock::new(1),
            ahead: 0,
            entered: false,
            stop: false,
            matrix: Matrix::new(options.diodes, options.open, options.layout.keys),
            edges: BTreeMap::new(),
            pins,
            pins_at: 0,
            supply_switch: options.supply_switch,
            analyser: None,
            trace: RegisterTrace::default(),
            row_conflicts: 0,
            chain: Chain::new(ChainKind {
                latch: options.latch,
                leds: options.layout.leds,
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
            invalid_clock_sources: 0,
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

    /// The pin assignment.
    pub(crate) fn wiring(&self) -> &Wiring {
        self.pins.wiring()
    }

    /// When a pin next changes without the firmware: the edge of a key, or the end of a slow rise. In ns since
    /// power-on.
    pub(crate) fn next_pin_event(&self) -> Option<u64> {
        let edge = self.edges.first_key_value().map(|((at, _), _)| *at);
        edge.into_iter().chain(self.pins.next_rise()).min()
    }

    /// When the next interrupt that a test raises becomes pending, ns since power-on.
    pub(crate) fn next_raised(&self) -> Option<u64> {
        let cycle = *self.raised.first_key_value()?.0;
        Some(self.clock.ns_after(cycle.saturating_sub(self.clock.cycles())))
    }

    /// When the next PWM event is due, ns since power-on.
    pub(crate) fn next_pwm(&self) -> Option<u64> {
        Some(self.clock.ns_after(self.pwm_due?.saturating_sub(self.clock.cycles())))
    }

    /// The present levels of all pins, bit = pin.
    pub(crate) fn levels(&self) -> u32 {
        let pwm = self.pins.pwm();
        self.pins.levels() & !pwm | self.pwm.levels(pwm, self.clock.cycles())
    }

    /// The present VSYS in millivolts.
    pub(crate) fn vsys(&self, now: u64, is_flash_busy: bool) -> u32 {
        let load = board_milliamps(self.dormant, is_flash_busy) + self.chain.milliamps(now);
        self.supply.vsys(load)
    }

    /// The voltages at the inputs of the ADC: about a third of VSYS at one of them, 0 at the others.
    pub(crate) fn analogue_levels(&mut self, now: u64) -> InputVoltages {
        const FIRST: u8 = 26;
        let vsys = self.vsys(now, false);
        let vsys_level = self.vsys_pin.level(now, vsys);
        core::array::from_fn(|channel| {
            let pin = FIRST + channel as u8;
            let level = if pin == PicoPins::ALL.vsys { vsys_level } else { 0 };
            (channel == 4 || self.pins.is_analogue(pin)).then_some(level)
        })
    }

    /// Starts dormant sleep: the clocks are stopped until a pin wakes the chip.
    pub(crate) fn enter_dormant(&mut self) {
        self.dormant = true;
        self.memory.enter_dormant();
    }

    /// Empties the flash cache, if it is modelled.
    pub(crate) fn flush_cache(&mut self) {
        if let Some(cache) = &mut self.flash_cache {
            cache.flush();
        }
    }

    /// The frequency at the piezo's pin in Hz.
    pub(crate) fn piezo(&self) -> Option<u32> {
        let pin = u32::from(self.wiring().piezo);
        let connected = self.pins.pwm() >> pin & 1 != 0;
        self.pwm.tone(pin, self.clock.cycles(), self.clock.hz()).filter(|_| connected)
    }

    /// The cycle of the next PWM event: the piezo's tone changes, a wrap raises an interrupt, or a pin that the logic
    /// analyser records may change.
    pub(crate) fn next_pwm_event(&self) -> Option<u64> {
        let cycle = self.clock.cycles();
        let recorded = self.analyser.as_ref().map_or(0, |analyser| analyser.mask) & self.pins.pwm();
        let tone = self.pwm.next_tone(self.wiring().piezo.into(), cycle);
        [tone, self.pwm.next_interrupt(cycle), self.pwm.next_toggle(recorded, cycle)].into_iter().flatten().min()
    }

    /// Whether PIO or DMA is busy, so that time must pass in small steps.
    pub(crate) fn is_busy(&self) -> bool {
        self.dma || self.pio.iter().any(|block| block.is_running)
    }
}

/// The bus on which the core runs: the bus of the emulator crate, with the models of this crate on top.
pub(crate) struct CoreBusView<'a, B> {
    pub bus: &'a mut B,
    pub chip: &'a mut ChipState,
}

impl<B: ChipBus> CoreBusView<'_, B> {
    /// The time of the core, ns since power-on.
    pub(crate) fn now(&self) -> u64 {
        self.chip.clock.ns_after(self.chip.ahead)
    }

    /// The time of the core in cycles of the system clock since power-on.
    pub(crate) fn cycle(&self) -> u64 {
        self.chip.clock.cycles() + self.chip.ahead
    }

    /// Resets the modelled peripherals after a reset of the chip.
    pub(crate) fn restarted(&mut self) {
        (self.chip.ahead, self.chip.tick_cycles) = (0, 0);
        self.chip.pio = Default::default();
        self.bus.pio_mut().iter_mut().for_each(pio_corrections::clear_pins);
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

    /// Updates all clock frequencies after a write to a clock register. A system clock that does not run keeps its last
    /// frequency.
    pub(crate) fn clocks_changed(&mut self) {
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

    /// Updates the pins after a write to function selects, pads or pin interrupts.
    pub(crate) fn pins_configured(&mut self) {
        self.chip.pins.configure(self.bus.pin_settings());
        self.pins_changed();
        self.chip.sound_changed = true;
    }

    /// Updates the pins after a write to pin interrupts only. The firmware does that at every scan of the keys.
    pub(crate) fn pin_interrupts_configured(&mut self) {
        self.chip.pins.configure_interrupts(self.bus.pin_interrupts());
        self.pins_changed();
        self.chip.sound_changed = true;
    }

    /// Applies all pin changes that are due up to now, each at its own time: edges of keys and ends of slow rises. Must
    /// be called before anything else that drives a pin changes.
    pub(crate) fn settle_pins(&mut self) {
        let now = self.now();
        while let Some(at) = self.chip.next_pin_event().filter(|at| *at <= now) {
            while let Some(entry) = self.chip.edges.first_entry().filter(|entry| entry.key().0 <= at) {
                let (cell, closed) = entry.remove();
                self.chip.matrix.set(cell, closed);
            }
            self.pins_changed_at(at);
        }
    }

    /// Updates the levels of the pins after something that drives a pin has changed.
    pub(crate) fn pins_changed(&mut self) {
        self.settle_pins();
        self.pins_changed_at(self.now());
    }

    /// Computes the levels of all pins at `ns` and passes them on to LED supply, LED wire and logic analyser.
    fn pins_changed_at(&mut self, ns: u64) {
        // An edge that was scheduled for a time in the past takes effect now.
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
        if let Some(analyser) = &mut chip.analyser {
            analyser.record(ns, levels);
        }
        self.bus.set_inputs(chip.pins.inputs());
    }
}
