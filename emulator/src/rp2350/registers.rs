//! Peripheral registers as the core sees them: those of the emulator crate, with corrections.
//!
//! Before a read or a write, the emulated time of the peripherals catches up with the core. This crate implements:
//! - **watchdog**: that of the emulator crate counts once per quantum, has no REASON and resets nothing;
//! - **timer, PWM, ADC**, with the same model as for the RP2040;
//! - **pin interrupts**: only storage in the emulator crate;
//! - **crystal and PLLs**: in the emulator crate the crystal is always stable, and the PLLs lock by a count that only
//!   its own main loop increments;
//! - **ring oscillator**: the emulator crate has STATUS and RANDOMBIT one register too low, at the offsets of the
//!   RP2040;
//! - **BOOTRAM**: at another address in the emulator crate;
//! - **MEMPOWERDOWN** and **dormant sleep**: missing in the emulator crate;
//! - **RESETS**: a block that is put into reset is cleared, which the emulator crate does not do.

use super::chip_bus::{CORE0, Rp2350Bus, SET, WAKE};
use super::rom::BX_LR;
use crate::chip::{CoreBusView, alias};
use crate::oscillators::PLL_RESET_VALUES;
use crate::pio_corrections;
use rand_core::Rng;
use rp2350_emu::dma::DMA_BASE;
use rp2350_emu::peripherals::adc::ADC_BASE;
use rp2350_emu::peripherals::io_bank0::IO_BANK0_BASE;
use rp2350_emu::peripherals::pads_bank0::PADS_BANK0_BASE;
use rp2350_emu::peripherals::pwm::PWM_BASE;
use rp2350_emu::peripherals::ticks::{DOMAIN_STRIDE, DOMAIN_TIMER0, DOMAIN_WATCHDOG, TICKS_BASE};
use rp2350_emu::peripherals::timer::TIMER0_BASE;
use rp2350_emu::peripherals::watchdog::WATCHDOG_BASE;

const SYSCFG_BASE: u32 = 0x4000_8000;
const CLOCKS_BASE: u32 = 0x4001_0000;
const PSM_BASE: u32 = 0x4001_8000;
const RESETS_BASE: u32 = 0x4002_0000;
const XOSC_BASE: u32 = 0x4004_8000;
const PLL_BASES: [u32; 2] = [0x4005_0000, 0x4005_8000];
const BOOTRAM_BASE: u32 = 0x400E_0000;
const ROSC_BASE: u32 = 0x400E_8000;
const PIO_BASES: [u32; 3] = [0x5020_0000, 0x5030_0000, 0x5040_0000];

/// The word in the register DORMANT that stops XOSC or ROSC.
const COMA: u32 = 0x636F_6D61;
/// Offsets of registers.
const MEMPOWERDOWN: u32 = 0x10;
const WDSEL: u32 = 0x08;
const INTR: u32 = 0x230;
const ROSC_DORMANT: u32 = 0x10;
const ROSC_DIV: u32 = 0x14;
/// CTRL of clk_ref and of clk_sys.
const CLOCK_REF: u32 = 0x30;
const CLOCK_SYS: u32 = 0x3C;
const ROSC_STATUS: u32 = 0x1C;
const ROSC_RANDOMBIT: u32 = 0x20;
const XOSC_STATUS: u32 = 0x04;
const XOSC_DORMANT: u32 = 0x08;
const XOSC_STARTUP: u32 = 0x0C;
/// Bits of the RESETS block.
const RESET_ADC: u32 = 1;
const RESET_DMA: u32 = 1 << 2;
const RESET_IO_BANK0: u32 = 1 << 6;
const RESET_PADS_BANK0: u32 = 1 << 9;
const RESET_PIO: [u32; 3] = [1 << 11, 1 << 12, 1 << 13];
const RESET_PLL: [u32; 2] = [1 << 14, 1 << 15];
const RESET_PWM: u32 = 1 << 16;
const RESET_TIMER0: u32 = 1 << 23;
/// The extra cycles of an access to a slow peripheral, as the emulator crate counts them.
const READ_WAIT: u32 = 2;
const WRITE_WAIT: u32 = 3;

/// The index of a register among four registers from the offset `first` on.
fn bank(offset: u32, first: u32) -> Option<usize> {
    (first..first + 16).contains(&offset).then(|| ((offset - first) / 4) as usize)
}

/// The offset of a timer register on the RP2040. The RP2350 has LOCKED and SOURCE before the interrupt registers.
fn timer_offset(offset: u32) -> u32 {
    match offset {
        0x34 | 0x38 => 0x2C,
        0x3C.. => offset - 8,
        _ => offset,
    }
}

impl CoreBusView<'_, Rp2350Bus> {
    /// Whether a block is held in reset.
    fn is_held(&self, block: u32) -> bool {
        self.bus.emulated.resets_state & block != 0
    }

    /// The value of a peripheral register that this crate implements, or `None` for one of the emulator crate.
    pub(super) fn read_peripheral(&mut self, address: u32) -> Option<u32> {
        let now = self.now();
        let offset = address & 0xFFC;
        let waits = self.bus.emulated.extra_wait_states();
        let value = match address & 0xFFFF_C000 {
            WATCHDOG_BASE => self.chip.watchdog.read(offset, now),
            PSM_BASE if offset == WDSEL => self.chip.watchdog.selected(),
            TIMER0_BASE if !self.is_held(RESET_TIMER0) => self.chip.timer.read(timer_offset(offset), now),
            IO_BANK0_BASE => {
                self.settle_pins();
                let pins = &self.chip.pins;
                bank(offset, INTR)
                    .map(|bank| pins.raw(bank))
                    .or_else(|| bank(offset, CORE0 + 2 * SET).map(|bank| pins.core_status(bank)))
                    .or_else(|| bank(offset, WAKE + 2 * SET).map(|bank| pins.wake_status(bank)))?
            }
            XOSC_BASE if offset == XOSC_STATUS => {
                let stable = self.chip.crystal.is_some_and(|at| at <= now);
                u32::from(self.chip.crystal.is_some()) << 12 | u32::from(stable) << 31
            }
            ROSC_BASE if offset == ROSC_STATUS => 1 << 31 | 1 << 12,
            ROSC_BASE if offset == ROSC_RANDOMBIT => self.chip.random.next_u32() & 1,
            PWM_BASE if !self.is_held(RESET_PWM) => {
                let cycle = self.cycle();
                self.chip.pwm.read(offset, cycle)
            }
            ADC_BASE if !self.is_held(RESET_ADC) => {
                let levels = self.chip.analogue_levels(now);
                self.chip.adc.read(offset, now, &levels)
            }
            SYSCFG_BASE if offset == MEMPOWERDOWN => self.chip.memory.read(),
            BOOTRAM_BASE => u32::from(BX_LR) * 0x0001_0001,
            base if offset == 0 && PLL_BASES.contains(&base) => {
                let pll = usize::from(base == PLL_BASES[1]);
                let locked = self.chip.is_locked(pll, now);
                self.bus.emulated.read32(address, 0) & !(1 << 31) | u32::from(locked) << 31
            }
            _ => return None,
        };
        self.bus.set_waits(waits + READ_WAIT);
        Some(value)
    }

    /// Writes a peripheral register for the core.
    pub(super) fn write_peripheral(&mut self, address: u32, value: u32) {
        let now = self.now();
        let kind = address >> 12 & 3;
        let offset = address & 0xFFF;
        self.chip.stop = true;
        self.settle_pins();
        let base = if address >> 28 == 5 { address & 0xFFFF_0000 } else { address & 0xFFFF_C000 };
        let waits = self.bus.emulated.extra_wait_states();
        if self.write_overlay(base, offset, value, kind, now) {
            return self.bus.set_waits(waits + WRITE_WAIT);
        }
        self.prepare_write(base, offset, value, kind, now);
        self.bus.set_waits(waits);
        if let Some(block) = PIO_BASES.iter().position(|pio| *pio == base) {
            let bus = &mut self.bus.emulated;
            let write = pio_corrections::Write::before(&mut bus.pio[block], offset, value, kind);
            bus.write32(address, write.value, 0);
            write.after(&mut bus.pio[block]);
        } else {
            self.bus.emulated.write32(address, value, 0);
        }
        let waits = self.bus.emulated.extra_wait_states();
        self.complete_write(base, offset, now);
        // The accesses of `complete_write` are not accesses of the core.
        self.bus.set_waits(waits);
    }

    /// The effects of a write that come before the write to the register of the emulator crate.
    fn prepare_write(&mut self, base: u32, offset: u32, value: u32, kind: u32, now: u64) {
        match base {
            IO_BANK0_BASE => {
                if let Some(bank) = bank(offset, INTR) {
                    self.chip.pins.acknowledge(bank, value);
                }
            }
            RESETS_BASE if offset == 0 => {
                let state = self.bus.emulated.resets_state;
                self.clear_held(alias(state, value, kind) & !state, now);
            }
            ROSC_BASE if offset == ROSC_DIV => self.chip.ring.write_divider(value),
            XOSC_BASE if offset == XOSC_DORMANT && value == COMA => self.chip.enter_dormant(),
            ROSC_BASE if offset == ROSC_DORMANT && value == COMA => self.chip.enter_dormant(),
            _ => {}
        }
    }

    /// The effects of a write that come after the write to the register of the emulator crate.
    fn complete_write(&mut self, base: u32, offset: u32, now: u64) {
        match base {
            IO_BANK0_BASE if offset >= INTR => self.pin_interrupts_configured(),
            IO_BANK0_BASE | PADS_BANK0_BASE => self.pins_configured(),
            RESETS_BASE => self.pins_configured(),
            XOSC_BASE if offset == 0 => {
                let [control, startup] = [0, XOSC_STARTUP].map(|at| self.bus.emulated.read32(XOSC_BASE + at, 0));
                self.chip.control_crystal(control, startup, now);
                self.check_clocks(now);
            }
            CLOCKS_BASE if matches!(offset, CLOCK_REF | CLOCK_SYS) => self.check_clocks(now),
            TICKS_BASE => self.ticks_changed(now),
            DMA_BASE => {
                self.chip.dma = true;
                self.bus.dma_written(offset);
            }
            _ => {
                if let Some(block) = PIO_BASES.iter().position(|pio| *pio == base) {
                    self.wake_block(block);
                    self.pins_changed();
                } else if let Some(pll) = PLL_BASES.iter().position(|pll| *pll == base) {
                    let [power, multiplier] = [4, 8].map(|at| self.bus.emulated.read32(base + at, 0));
                    self.chip.pll_changed(pll, power, multiplier, now);
                    self.check_clocks(now);
                }
            }
        }
    }

    /// Writes a register that this crate implements. Returns whether it is one.
    fn write_overlay(&mut self, base: u32, offset: u32, value: u32, kind: u32, now: u64) -> bool {
        match base {
            WATCHDOG_BASE => self.chip.watchdog.write(offset, value, kind, now),
            PSM_BASE if offset == WDSEL => self.chip.watchdog.select(value, kind),
            TIMER0_BASE => {
                if !self.is_held(RESET_TIMER0) {
                    self.chip.timer.write(timer_offset(offset), value, kind, now);
                }
            }
            PWM_BASE => {
                if !self.is_held(RESET_PWM) {
                    let cycle = self.cycle();
                    self.chip.pwm.write(offset, value, kind, cycle);
                    self.pins_changed();
                    self.chip.sound_changed = true;
                }
            }
            ADC_BASE => {
                if !self.is_held(RESET_ADC) {
                    let levels = self.chip.analogue_levels(now);
                    self.chip.adc.write(offset, value, kind, now, &levels);
                }
            }
            SYSCFG_BASE if offset == MEMPOWERDOWN => {
                let value = alias(self.chip.memory.read(), value, kind);
                self.chip.memory.write(value);
            }
            _ => return false,
        }
        true
    }

    /// Updates the clocks after a change of a clock or of its source.
    fn check_clocks(&mut self, now: u64) {
        let [reference, system] =
            [CLOCK_REF, CLOCK_SYS].map(|register| self.bus.emulated.read32(CLOCKS_BASE + register, 0));
        self.chip.clocks_selected(reference, system, now);
    }

    /// Updates the ticks of timer and watchdog after a write to TICKS.
    fn ticks_changed(&mut self, now: u64) {
        let [timer, watchdog] = [DOMAIN_TIMER0, DOMAIN_WATCHDOG].map(|domain| {
            let at = TICKS_BASE + domain as u32 * DOMAIN_STRIDE;
            let [control, cycles] = [at, at + 4].map(|register| self.bus.emulated.read32(register, 0));
            if control & 1 != 0 { cycles & 0x1FF } else { 0 }
        });
        self.chip.tick_cycles = timer;
        self.chip.watchdog.set_ticks(watchdog, now);
    }

    /// Clears the peripherals that are about to be put into reset.
    fn clear_held(&mut self, held: u32, now: u64) {
        const CHANNEL_ABORT: u32 = DMA_BASE + 0x464;
        if held & RESET_TIMER0 != 0 {
            self.chip.timer.reset(now);
        }
        if held & RESET_PWM != 0 {
            let cycle = self.cycle();
            self.chip.pwm.reset(cycle);
        }
        if held & RESET_ADC != 0 {
            self.chip.adc.reset();
        }
        if held & RESET_DMA != 0 {
            self.bus.emulated.write32(CHANNEL_ABORT, 0xFFFF, 0);
        }
        for (pll, base) in PLL_BASES.into_iter().enumerate().filter(|(pll, _)| held & RESET_PLL[*pll] != 0) {
            PLL_RESET_VALUES.iter().for_each(|(offset, value)| self.bus.emulated.write32(base + offset, *value, 0));
            self.chip.pll_locks[pll] = None;
            self.check_clocks(now);
        }
        for (block, bit) in self.bus.emulated.pio.iter_mut().zip(RESET_PIO) {
            if held & bit != 0 {
                block.reset();
                pio_corrections::clear_pins(block);
            }
        }
        if held & RESET_IO_BANK0 != 0 {
            self.bus.clear_pins();
        }
        if held & RESET_PADS_BANK0 != 0 {
            self.bus.clear_pads();
        }
    }
}
