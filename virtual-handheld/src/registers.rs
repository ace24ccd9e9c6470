//! What the core finds at an address: the emulator's bus, with overlays.
//!
//! On the way to the emulator
//! - the peripherals catch up before one of them is read or written;
//! - GPIO_IN is answered from the levels on the board at that very moment;
//! - timer, watchdog, pin interrupts, the crystal's start-up time, the ring oscillator's random bit, dormant sleep and
//!   the core's reset request are done here, because the emulator has them not at all or only as storage;
//! - holding a peripheral in reset clears it, which the emulator does not do;
//! - the six interrupts that only software raises (26 to 31) can be enabled and raised.
//!
//! What happens after a write (a PIO block wakes, levels change) follows the write.

use crate::chip::{View, alias};
use crate::watchdog::ResetCause;
use rand_core::Rng;
use rp2040_emu::bus::peripheral_dispatch::RESET_TIMER;
use rp2040_emu::bus::ppb::Ppb;
use rp2040_emu::bus::{
    ADC_BASE, DMA_BASE, I2C0_BASE, I2C1_BASE, IO_BANK0_BASE, PADS_BANK0_BASE, PIO0_BASE, PIO1_BASE, PWM_BASE,
    RESETS_BASE, ROSC_BASE, SPI0_BASE, SPI1_BASE, TIMER_BASE, UART0_BASE, UART1_BASE, WATCHDOG_BASE, XOSC_BASE,
};
use rp2040_emu::core::{CoreBus, Nvic};

/// XOSC and ROSC are told to stop by this word.
const COMA: u32 = 0x636F_6D61;
/// Frequency of the crystal.
const CRYSTAL_HZ: u64 = 12_000_000;
/// What the core publishes as its program counter when it enters an exception, and when it leaves one.
const EXCEPTION_ENTRY: u32 = 0xFFFF_FFFE;
const EXCEPTION_EXIT: u32 = 0xFFFF_FFFD;
/// Bits of the RESETS block.
const RESET_DMA: u32 = 1 << 2;
const RESET_IO_BANK0: u32 = 1 << 5;
const RESET_PADS_BANK0: u32 = 1 << 8;
const RESET_PIO: [u32; 2] = [1 << 10, 1 << 11];

impl View<'_> {
    /// A peripheral register as the core reads it: overlays first.
    fn read_peripheral(&mut self, address: u32) -> Option<u32> {
        let now = self.now();
        let offset = address & 0xFFC;
        match address & 0xFFFF_C000 {
            WATCHDOG_BASE => Some(self.around.watchdog.read(offset, now)),
            TIMER_BASE if !self.bus.resets.is_held(RESET_TIMER) => Some(self.around.timer.read(offset, now)),
            IO_BANK0_BASE => {
                self.apply_edges();
                self.around.pins.read(self.bus, offset)
            }
            XOSC_BASE if offset == 0x04 => {
                let stable = self.around.crystal.is_some_and(|at| at <= now);
                Some(u32::from(self.around.crystal.is_some()) << 12 | u32::from(stable) << 31)
            }
            ROSC_BASE if offset == 0x1C => Some(self.around.random.next_u32() & 1),
            _ => None,
        }
    }

    /// The core has written a peripheral register: overlays first, then what follows from it.
    fn write_peripheral(&mut self, address: u32, value: u32) {
        let now = self.now();
        let kind = address >> 12 & 3;
        let offset = address & 0xFFF;
        self.around.stop = true;
        let base = if address >> 28 == 5 { address & 0xFFFF_0000 } else { address & 0xFFFF_C000 };
        match base {
            WATCHDOG_BASE => {
                self.around.watchdog.write(offset, value, kind, now);
                return;
            }
            TIMER_BASE if !self.bus.resets.is_held(RESET_TIMER) => {
                self.around.timer.write(offset, value, kind, now);
                return;
            }
            IO_BANK0_BASE => self.around.pins.acknowledge(offset, value),
            RESETS_BASE if offset == 0 => {
                let state = self.bus.resets.state;
                self.clear_held(alias(state, value, kind) & !state, now);
            }
            XOSC_BASE | ROSC_BASE => {
                let coma = if base == XOSC_BASE { 0x08 } else { 0x0C };
                self.around.dormant |= offset == coma && value == COMA;
            }
            _ => {}
        }
        self.bus.write32(address, value);
        match base {
            IO_BANK0_BASE | PADS_BANK0_BASE => {
                self.around.pins.configure(self.bus);
                self.pins_changed();
                self.around.sound_changed = true;
            }
            XOSC_BASE => self.crystal_changed(now),
            PIO0_BASE | PIO1_BASE => {
                self.wake_block(usize::from(base == PIO1_BASE));
                self.pins_changed();
            }
            DMA_BASE => self.around.dma = true,
            PWM_BASE => {
                self.around.others = true;
                self.around.sound_changed = true;
            }
            UART0_BASE | UART1_BASE | SPI0_BASE | SPI1_BASE | I2C0_BASE | I2C1_BASE | ADC_BASE => {
                self.around.others = true;
            }
            _ => {}
        }
    }

    /// The crystal needs the time in its STARTUP register (units of 256 periods) from being enabled to being stable.
    fn crystal_changed(&mut self, now: u64) {
        const ENABLE: u32 = 0xFAB << 12;
        if self.bus.xosc_regs.ctrl & 0x00FF_F000 != ENABLE {
            self.around.crystal = None;
        } else if self.around.crystal.is_none() {
            let periods = u64::from(self.bus.xosc_regs.startup & 0x3FFF) * 256;
            self.around.crystal = Some(now + periods * 1_000_000_000 / CRYSTAL_HZ);
        }
    }

    /// These peripherals are about to be put into reset.
    fn clear_held(&mut self, held: u32, now: u64) {
        const CHANNEL_ABORT: u32 = DMA_BASE + 0x444;
        if held >> RESET_TIMER & 1 != 0 {
            self.around.timer.reset(now);
        }
        if held & RESET_DMA != 0 {
            self.bus.write32(CHANNEL_ABORT, 0xFFF);
        }
        for (pio, bit) in self.bus.pio.iter_mut().zip(RESET_PIO) {
            if held & bit != 0 {
                pio.reset();
            }
        }
        if held & RESET_IO_BANK0 != 0 {
            self.bus.io_bank0.reset();
        }
        if held & RESET_PADS_BANK0 != 0 {
            self.bus.pads_bank0.reset();
        }
        self.around.pins.configure(self.bus);
        self.pins_changed();
        self.around.sound_changed = true;
    }

    fn write_sio(&mut self, address: u32, value: u32) {
        // GPIO_OUT and GPIO_OE with their set, clear and xor forms.
        if (0x010..0x030).contains(&(address & 0xFFF)) {
            self.catch_up();
            self.bus.write32(address, value);
            self.pins_changed();
        } else {
            self.bus.write32(address, value);
        }
    }

    /// The four set and clear registers of the interrupt controller; the emulator ignores their upper six bits.
    fn write_nvic(&mut self, address: u32, value: u32) -> bool {
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

/// Whether an address is a peripheral on the APB or AHB.
fn is_peripheral(address: u32) -> bool {
    matches!(address >> 28, 4 | 5)
}

/// GPIO_IN, the only SIO register that depends on the board.
fn is_gpio_in(address: u32) -> bool {
    address & 0xFFFF_FFFC == 0xD000_0004
}

impl CoreBus for View<'_> {
    fn read8(&mut self, address: u32) -> u8 {
        if is_peripheral(address) {
            self.catch_up();
            if let Some(word) = self.read_peripheral(address) {
                return (word >> (8 * (address & 3))) as u8;
            }
        } else if is_gpio_in(address) {
            self.apply_edges();
        }
        self.bus.read8(address)
    }

    fn read16(&mut self, address: u32) -> u16 {
        if is_peripheral(address) {
            self.catch_up();
            if let Some(word) = self.read_peripheral(address) {
                return (word >> (8 * (address & 2))) as u16;
            }
        } else if is_gpio_in(address) {
            self.apply_edges();
        }
        self.bus.read16(address)
    }

    #[inline]
    fn read32(&mut self, address: u32) -> u32 {
        if is_peripheral(address) {
            self.catch_up();
            if let Some(word) = self.read_peripheral(address) {
                return word;
            }
        } else if is_gpio_in(address) {
            self.apply_edges();
        }
        self.bus.read32(address)
    }

    fn write8(&mut self, address: u32, value: u8) {
        if is_peripheral(address) {
            // The bus repeats a narrow value over the whole word.
            self.catch_up();
            self.write_peripheral(address & !3, u32::from(value) * 0x0101_0101);
        } else {
            self.bus.write8(address, value);
        }
    }

    fn write16(&mut self, address: u32, value: u16) {
        if is_peripheral(address) {
            self.catch_up();
            self.write_peripheral(address & !3, u32::from(value) * 0x0001_0001);
        } else {
            self.bus.write16(address, value);
        }
    }

    #[inline]
    fn write32(&mut self, address: u32, value: u32) {
        match address >> 28 {
            4 | 5 => {
                self.catch_up();
                self.write_peripheral(address, value);
            }
            0xD => self.write_sio(address, value),
            0xE => {
                // AIRCR: SYSRESETREQ with its key.
                if address == 0xE000_ED0C && value & 0xFFFF_0004 == 0x05FA_0004 {
                    self.around.reset = Some(ResetCause::System);
                    self.around.stop = true;
                }
                if !self.write_nvic(address, value) {
                    self.bus.write32(address, value);
                }
            }
            _ => self.bus.write32(address, value),
        }
    }

    #[inline]
    fn set_active_pc(&mut self, pc: u32) {
        // Leaving an exception sets the event that WFE waits for.
        if pc == EXCEPTION_EXIT {
            self.bus.event_flag[0] = true;
        }
        self.around.entered |= pc == EXCEPTION_ENTRY;
    }

    fn bus_fault(&self) -> bool {
        self.bus.bus_fault()
    }

    fn bus_fault_addr(&self) -> u32 {
        self.bus.bus_fault_addr()
    }

    fn clear_bus_fault(&mut self) {
        self.bus.clear_bus_fault();
    }

    fn ppb(&self, core: usize) -> &Ppb {
        &self.bus.ppb[core]
    }

    fn ppb_mut(&mut self, core: usize) -> &mut Ppb {
        &mut self.bus.ppb[core]
    }

    fn nvic(&self, core: usize) -> &Nvic {
        &self.bus.nvics[core]
    }

    fn nvic_mut(&mut self, core: usize) -> &mut Nvic {
        &mut self.bus.nvics[core]
    }

    fn active_core(&self) -> usize {
        0
    }

    fn event_flag(&self, core: usize) -> bool {
        self.bus.event_flag[core]
    }

    fn consume_event_flag(&mut self, core: usize) -> bool {
        core::mem::take(&mut self.bus.event_flag[core])
    }

    fn set_wfe_waiting(&mut self, core: usize, waiting: bool) {
        self.bus.wfe_waiting[core] = waiting;
        self.around.stop |= waiting;
    }

    fn signal_sev(&mut self) {
        self.bus.signal_sev();
    }
}
