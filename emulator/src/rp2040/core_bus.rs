//! The bus as the core sees it: it maps addresses to memory, flash, peripherals and SIO.
//!
//! `registers` implements peripheral registers. This module implements memory that is powered down (a read returns
//! random bits), the wait states of the flash cache, and the sampling of the pins at a read of GPIO_IN.

use crate::chip::CoreBusView;
use crate::memory_access::{is_gpio_in, is_peripheral};
use crate::register_trace::RegisterAccess;
use crate::watchdog::ResetCause;
use rp2040_emu::Bus;
use rp2040_emu::bus::ppb::Ppb;
use rp2040_emu::core::{CoreBus, Nvic};

/// The register that flushes the flash cache.
const XIP_FLUSH: u32 = 0x1400_0004;
/// The program counter that the emulator crate reports when it enters an exception.
const EXCEPTION_ENTRY: u32 = 0xFFFF_FFFE;
/// The program counter that the emulator crate reports when it leaves an exception.
const EXCEPTION_EXIT: u32 = 0xFFFF_FFFD;

impl CoreBus for CoreBusView<'_, Bus> {
    fn read8(&mut self, address: u32) -> u8 {
        self.note(address, RegisterAccess::Read);
        if is_peripheral(address) {
            self.catch_up();
            if let Some(word) = self.read_peripheral(address) {
                return (word >> (8 * (address & 3))) as u8;
            }
        } else if is_gpio_in(address) {
            self.sample_pins();
        } else if self.chip.memory.any_off()
            && let Some(random_bits) = self.read_powered_down(address)
        {
            return random_bits as u8;
        }
        self.wait_for_data(address);
        self.bus.read8(address)
    }

    fn read16(&mut self, address: u32) -> u16 {
        self.note(address, RegisterAccess::Read);
        if is_peripheral(address) {
            self.catch_up();
            if let Some(word) = self.read_peripheral(address) {
                return (word >> (8 * (address & 2))) as u16;
            }
        } else if is_gpio_in(address) {
            self.sample_pins();
        } else if self.chip.memory.any_off()
            && let Some(random_bits) = self.read_powered_down(address)
        {
            return random_bits as u16;
        }
        self.wait_for_data(address);
        self.bus.read16(address)
    }

    #[inline]
    fn read32(&mut self, address: u32) -> u32 {
        self.note(address, RegisterAccess::Read);
        if is_peripheral(address) {
            self.catch_up();
            if let Some(word) = self.read_peripheral(address) {
                return word;
            }
        } else if is_gpio_in(address) {
            self.sample_pins();
        } else if self.chip.memory.any_off()
            && let Some(random_bits) = self.read_powered_down(address)
        {
            return random_bits;
        }
        self.wait_for_data(address);
        self.bus.read32(address)
    }

    fn write8(&mut self, address: u32, value: u8) {
        self.note(address, RegisterAccess::Write);
        if is_peripheral(address) {
            // The bus repeats a narrow value over the whole word.
            self.catch_up();
            self.write_peripheral(address & !3, u32::from(value) * 0x0101_0101);
        } else if !(self.chip.memory.any_off() && self.is_write_lost(address)) {
            self.bus.write8(address, value);
        }
    }

    fn write16(&mut self, address: u32, value: u16) {
        self.note(address, RegisterAccess::Write);
        if is_peripheral(address) {
            self.catch_up();
            self.write_peripheral(address & !3, u32::from(value) * 0x0001_0001);
        } else if !(self.chip.memory.any_off() && self.is_write_lost(address)) {
            self.bus.write16(address, value);
        }
    }

    #[inline]
    fn write32(&mut self, address: u32, value: u32) {
        self.note(address, RegisterAccess::Write);
        match address >> 28 {
            4 | 5 => {
                self.catch_up();
                self.write_peripheral(address, value);
            }
            0xD => self.write_sio(address, value),
            0xE => {
                // AIRCR: SYSRESETREQ with its key.
                if address == 0xE000_ED0C && value & 0xFFFF_0004 == 0x05FA_0004 {
                    self.chip.reset = Some(ResetCause::System);
                    self.chip.stop = true;
                }
                if !self.write_nvic(address, value) {
                    self.bus.write32(address, value);
                }
            }
            _ if self.chip.memory.any_off() && self.is_write_lost(address) => {}
            _ => {
                if address == XIP_FLUSH {
                    self.chip.flush_cache();
                }
                self.bus.write32(address, value);
            }
        }
    }

    #[inline]
    fn set_active_pc(&mut self, pc: u32) {
        // The exit from an exception sets the event flag, which ends WFE.
        if pc == EXCEPTION_EXIT {
            self.bus.event_flag[0] = true;
        }
        self.chip.entered |= pc == EXCEPTION_ENTRY;
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
        self.chip.stop |= waiting;
    }

    fn signal_sev(&mut self) {
        self.bus.signal_sev();
    }
}
