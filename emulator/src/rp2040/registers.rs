//! Peripheral registers as the core sees them: those of the emulator crate, with corrections.
//!
//! - Before a read or a write, the emulated time of the peripherals catches up with the core.
//! - Timer, watchdog, PWM, ADC, pin interrupts, the crystal's start-up time, the ring oscillator's random bit, the
//!   power of memories and dormant sleep are implemented in this crate. The emulator crate lacks them or implements
//!   them only as storage.
//! - A peripheral that is put into reset is cleared, which the emulator crate does not do.
//! - The six interrupts that only software raises (26 to 31) can be enabled and made pending.

use super::chip_bus::CHANNEL_ABORT;
use super::rom::UNMAPPED;
use crate::chip::{CoreBusView, alias};
use crate::oscillators::PLL_RESET_VALUES;
use crate::pio_corrections;
use rand_core::Rng;
use rp2040_emu::Bus;
use rp2040_emu::bus::peripheral_dispatch::{RESET_ADC, RESET_PWM, RESET_TIMER};
use rp2040_emu::bus::{
    ADC_BASE, CLOCKS_BASE, DMA_BASE, I2C0_BASE, I2C1_BASE, IO_BANK0_BASE, PADS_BANK0_BASE, PIO0_BASE, PIO1_BASE,
    PLL_SYS_BASE, PLL_USB_BASE, PSM_BASE, PWM_BASE, RESETS_BASE, ROSC_BASE, SPI0_BASE, SPI1_BASE, SYSCFG_BASE,
    TIMER_BASE, UART0_BASE, UART1_BASE, WATCHDOG_BASE, XOSC_BASE,
};
use rp2040_emu::peripherals::i2c::IC_DATA_CMD;
use rp2040_emu::peripherals::spi::SSPDR;
use rp2040_emu::peripherals::uart::UARTDR;

/// The word in the register DORMANT that stops XOSC or ROSC.
const COMA: u32 = 0x636F_6D61;
/// Offsets in IO_BANK0: raw interrupts, interrupt status for core 0, and status for the end of dormant sleep.
const INTR: u32 = 0x0F0;
const CORE0_STATUS: u32 = 0x120;
const WAKE_STATUS: u32 = 0x180;
/// Offset in SYSCFG.
const MEMPOWERDOWN: u32 = 0x18;
/// Offsets in CLOCKS: CTRL of clk_ref and of clk_sys.
const CLOCK_REF: u32 = 0x30;
const CLOCK_SYS: u32 = 0x3C;
/// Offset in PSM.
const WDSEL: u32 = 0x08;
/// Offsets in XOSC and ROSC.
const XOSC_DORMANT: u32 = 0x08;
const ROSC_DORMANT: u32 = 0x0C;
const ROSC_DIV: u32 = 0x10;
/// Bits of the RESETS block.
const RESET_DMA: u32 = 1 << 2;
const RESET_PLL: [u32; 2] = [1 << 12, 1 << 13];
const RESET_IO_BANK0: u32 = 1 << 5;
const RESET_PADS_BANK0: u32 = 1 << 8;
const RESET_PIO: [u32; 2] = [1 << 10, 1 << 11];

/// Whether there is a peripheral at an address on the APB or AHB. An access to any other address is a bus fault. The
/// emulator crate would store a word for each address that was written.
fn is_mapped(address: u32) -> bool {
    match address {
        0x4000_0000..0x4007_0000 => true,
        0x5000_0000..0x5050_0000 => address & 0xFFFF < 0x4000,
        _ => false,
    }
}

/// Whether a register sends data to a bus with nothing connected. The emulator crate would store all sent data.
fn is_unconnected(base: u32, offset: u32) -> bool {
    match base {
        UART0_BASE | UART1_BASE => offset == UARTDR,
        SPI0_BASE | SPI1_BASE => offset == SSPDR,
        I2C0_BASE | I2C1_BASE => offset == IC_DATA_CMD,
        _ => false,
    }
}

impl CoreBusView<'_, Bus> {
    /// The value of a peripheral register that this crate implements, or `None` for one of the emulator crate.
    pub(super) fn read_peripheral(&mut self, address: u32) -> Option<u32> {
        let now = self.now();
        let offset = address & 0xFFC;
        match address & 0xFFFF_C000 {
            WATCHDOG_BASE => Some(self.chip.watchdog.read(offset, now)),
            PSM_BASE if offset == WDSEL => Some(self.chip.watchdog.selected()),
            TIMER_BASE if !self.bus.resets.is_held(RESET_TIMER) => Some(self.chip.timer.read(offset, now)),
            IO_BANK0_BASE => {
                self.settle_pins();
                let bank = (offset >> 2 & 3) as usize;
                match offset & !0xF {
                    INTR => Some(self.chip.pins.raw(bank)),
                    CORE0_STATUS => Some(self.chip.pins.core_status(bank)),
                    WAKE_STATUS => Some(self.chip.pins.wake_status(bank)),
                    _ => None,
                }
            }
            XOSC_BASE if offset == 0x04 => {
                let stable = self.chip.crystal.is_some_and(|at| at <= now);
                Some(u32::from(self.chip.crystal.is_some()) << 12 | u32::from(stable) << 31)
            }
            PWM_BASE if !self.bus.resets.is_held(RESET_PWM) => {
                let cycle = self.cycle();
                Some(self.chip.pwm.read(offset, cycle))
            }
            ADC_BASE if !self.bus.resets.is_held(RESET_ADC) => {
                let levels = self.chip.analogue_levels(now);
                Some(self.chip.adc.read(offset, now, &levels))
            }
            // In the emulator crate a PLL locks after cycles of the system clock, which is slow after dormant sleep.
            base @ (PLL_SYS_BASE | PLL_USB_BASE) if offset == 0 => {
                let locked = self.chip.is_locked(usize::from(base == PLL_USB_BASE), now);
                Some(self.bus.read32(address) & !(1 << 31) | u32::from(locked) << 31)
            }
            SYSCFG_BASE if offset == MEMPOWERDOWN => Some(self.chip.memory.read()),
            ROSC_BASE if offset == 0x1C => Some(self.chip.random.next_u32() & 1),
            _ if !is_mapped(address) => {
                self.fault();
                Some(0)
            }
            _ => None,
        }
    }

    /// Makes the current access a bus fault.
    fn fault(&mut self) {
        self.bus.read8(UNMAPPED);
    }

    /// Writes a peripheral register for the core.
    pub(super) fn write_peripheral(&mut self, address: u32, value: u32) {
        let now = self.now();
        let kind = address >> 12 & 3;
        let offset = address & 0xFFF;
        self.chip.stop = true;
        self.settle_pins();
        let base = if address >> 28 == 5 { address & 0xFFFF_0000 } else { address & 0xFFFF_C000 };
        if self.write_overlay(base, offset, value, kind, now) || is_unconnected(base, offset) {
            return;
        }
        if !is_mapped(address) {
            return self.fault();
        }
        self.prepare_write(base, offset, value, kind, now);
        if let Some(block) = [PIO0_BASE, PIO1_BASE].iter().position(|pio| *pio == base) {
            let write = pio_corrections::Write::before(&mut self.bus.pio[block], offset, value, kind);
            self.bus.write32(address, write.value);
            write.after(&mut self.bus.pio[block]);
        } else {
            self.bus.write32(address, value);
        }
        self.complete_write(base, offset, now);
    }

    /// Writes a register that this crate implements. Returns whether it is one.
    fn write_overlay(&mut self, base: u32, offset: u32, value: u32, kind: u32, now: u64) -> bool {
        match base {
            WATCHDOG_BASE => {
                self.chip.watchdog.write(offset, value, kind, now);
                // The watchdog's tick generator is also that of the timer.
                self.chip.tick_cycles = self.chip.watchdog.tick_cycles();
            }
            PSM_BASE if offset == WDSEL => self.chip.watchdog.select(value, kind),
            TIMER_BASE if !self.bus.resets.is_held(RESET_TIMER) => self.chip.timer.write(offset, value, kind, now),
            PWM_BASE => {
                if !self.bus.resets.is_held(RESET_PWM) {
                    let cycle = self.cycle();
                    self.chip.pwm.write(offset, value, kind, cycle);
                    self.pins_changed();
                    self.chip.sound_changed = true;
                }
            }
            ADC_BASE => {
                if !self.bus.resets.is_held(RESET_ADC) {
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

    /// The effects of a write that come before the write to the register of the emulator crate.
    fn prepare_write(&mut self, base: u32, offset: u32, value: u32, kind: u32, now: u64) {
        match base {
            IO_BANK0_BASE if offset & !0xF == INTR => self.chip.pins.acknowledge((offset >> 2 & 3) as usize, value),
            RESETS_BASE if offset == 0 => {
                let state = self.bus.resets.state;
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
            XOSC_BASE if offset == 0 => {
                let (control, startup) = (self.bus.xosc_regs.ctrl, self.bus.xosc_regs.startup);
                self.chip.control_crystal(control, startup, now);
                self.check_clocks(now);
            }
            CLOCKS_BASE if matches!(offset, CLOCK_REF | CLOCK_SYS) => self.check_clocks(now),
            PLL_SYS_BASE | PLL_USB_BASE => {
                let [power, multiplier] = [4, 8].map(|at| self.bus.read32(base + at));
                self.chip.pll_changed(usize::from(base == PLL_USB_BASE), power, multiplier, now);
                self.check_clocks(now);
            }
            PIO0_BASE | PIO1_BASE => {
                self.wake_block(usize::from(base == PIO1_BASE));
                self.pins_changed();
            }
            DMA_BASE => self.chip.dma = true,
            _ => {}
        }
    }

    /// Updates the clocks after a change of a clock or of its source.
    fn check_clocks(&mut self, now: u64) {
        let [reference, system] = [CLOCK_REF, CLOCK_SYS].map(|register| self.bus.read32(CLOCKS_BASE + register));
        self.chip.clocks_selected(reference, system, now);
    }

    /// Clears the peripherals that are about to be put into reset.
    fn clear_held(&mut self, held: u32, now: u64) {
        if held >> RESET_TIMER & 1 != 0 {
            self.chip.timer.reset(now);
        }
        if held >> RESET_PWM & 1 != 0 {
            let cycle = self.cycle();
            self.chip.pwm.reset(cycle);
        }
        if held >> RESET_ADC & 1 != 0 {
            self.chip.adc.reset();
        }
        if held & RESET_DMA != 0 {
            self.bus.write32(CHANNEL_ABORT, 0xFFF);
        }
        for (base, bit) in [PLL_SYS_BASE, PLL_USB_BASE].into_iter().zip(RESET_PLL) {
            if held & bit != 0 {
                PLL_RESET_VALUES.iter().for_each(|(offset, value)| self.bus.write32(base + offset, *value));
                self.chip.pll_locks[usize::from(base == PLL_USB_BASE)] = None;
                self.check_clocks(now);
            }
        }
        for (block, bit) in self.bus.pio.iter_mut().zip(RESET_PIO) {
            if held & bit != 0 {
                block.reset();
                pio_corrections::clear_pins(block);
            }
        }
        if held & RESET_IO_BANK0 != 0 {
            self.bus.io_bank0.reset();
        }
        if held & RESET_PADS_BANK0 != 0 {
            self.bus.pads_bank0.reset();
        }
        self.pins_configured();
    }

    /// Writes a register of SIO.
    pub(super) fn write_sio(&mut self, address: u32, value: u32) {
        // GPIO_OUT and GPIO_OE with their SET, CLR and XOR registers.
        if (0x010..0x030).contains(&(address & 0xFFF)) {
            self.catch_up();
            self.settle_pins();
            self.bus.write32(address, value);
            self.pins_changed();
        } else {
            self.bus.write32(address, value);
        }
    }

    /// Writes one of the four set and clear registers of the interrupt controller, of which rp2040-emu ignores the
    /// upper six bits. Returns whether the address is one of them.
    pub(super) fn write_nvic(&mut self, address: u32, value: u32) -> bool {
        let nvic = &mut self.bus.nvics[0];
        match address {
            0xE000_E100 => nvic.enabled |= value,
            0xE000_E180 => nvic.enabled &= !value,
            0xE000_E200 => nvic.pending |= value,
            0xE000_E280 => nvic.pending &= !value,
            _ => return false,
        }
        true
    }
}
