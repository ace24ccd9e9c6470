//! The bus as the core sees it: it maps addresses to memory, flash, peripherals and SIO.
//!
//! `registers` implements peripheral registers. Accesses to the private registers of the core do not pass this bus. The
//! core reports them afterwards by its trace functions.

use super::chip_bus::Rp2350Bus;
use super::instructions;
use super::private::PrivateWrite;
use crate::chip::CoreBusView;
use crate::memory_access::{is_gpio_in, is_peripheral};
use crate::register_trace::RegisterAccess;
use rp2350_emu::Bus;
use rp2350_emu::core::CoreBus;
use rp2350_emu::threaded::CoreAtomics;
use std::sync::Arc;

/// The program counter that the emulator crate reports when it leaves an exception.
const EXCEPTION_EXIT: u32 = 0xFFFF_FFFD;
/// Upper bits of the addresses for maintenance of the flash cache. A write to such an address executes the operation.
const XIP_MAINTENANCE: u32 = 0x18;

/// Whether there is a peripheral at an address on the APB or AHB, and an access of `size` bytes there is aligned. Any
/// other access is a bus fault. The emulator crate would store a word for each accessed address, and panics at the end
/// of some blocks.
fn is_mapped(address: u32, size: u32) -> bool {
    let mapped = match address {
        0x4000_0000..0x4017_0000 => true,
        0x5000_0000..0x5080_0000 => address & 0xFFFF < 0x4000,
        _ => false,
    };
    mapped && address & (size - 1) == 0
}

/// Whether an address is in the region of the core's private registers and of vendor registers. An access that reaches
/// the bus is a fault: the core handles its private registers itself, and the chip has no vendor registers. The
/// emulator crate has its boot RAM there, and panics at its end.
#[inline]
fn is_private(address: u32) -> bool {
    address >> 28 == 0xE
}

fn is_writable(address: u32, size: u32) -> bool {
    if is_peripheral(address) { is_mapped(address, size) } else { !is_private(address) }
}

/// Whether an access to the flash cache used as RAM is unaligned. The emulator crate panics if such an access extends
/// past the end, so it is executed byte by byte.
fn is_split(address: u32, size: u32) -> bool {
    const CACHE_AS_RAM: u32 = 0x1C;
    address >> 24 == CACHE_AS_RAM && address & (size - 1) != 0
}

impl CoreBusView<'_, Rp2350Bus> {
    /// The address of a location in the emulator crate, which lacks the uncached alias of the flash.
    #[inline]
    fn without_alias(address: u32) -> u32 {
        if address >> 26 == 0x14 >> 2 { address & !(4 << 24) } else { address }
    }

    /// Makes the current access a bus fault.
    #[cold]
    pub(super) fn fault(&mut self, address: u32) {
        self.bus.emulated.atomics.set_bus_fault(0, address);
    }

    /// The result of a read of `size` bytes that does not come from the memory of the emulator crate.
    #[inline]
    fn read_special(&mut self, address: u32, size: u32) -> Option<u32> {
        if is_peripheral(address) {
            if !is_mapped(address, size) {
                self.fault(address);
                return Some(0);
            }
            self.catch_up();
            return self.read_peripheral(address);
        }
        if is_gpio_in(address) {
            self.sample_pins();
        } else if is_private(address) {
            self.fault(address);
            return Some(0);
        } else if self.chip.memory.any_off() {
            return self.read_powered_down(address);
        }
        None
    }

    /// Changes the outputs of SIO.
    fn drive(&mut self, change: impl FnOnce(&mut Bus)) {
        self.catch_up();
        self.settle_pins();
        change(&mut self.bus.emulated);
        self.pins_changed();
    }

    /// Writes a register of SIO. The offsets from 0x010 are GPIO_OUT and GPIO_OE with their SET, CLR and XOR registers.
    fn write_sio(&mut self, address: u32, value: u32) {
        if (0x010..0x050).contains(&(address & 0xFFF)) {
            self.drive(|bus| bus.write32(address, value, 0));
        } else {
            self.bus.emulated.write32(address, value, 0);
        }
    }
}

impl CoreBus for CoreBusView<'_, Rp2350Bus> {
    fn read8(&mut self, address: u32, core: u8) -> u8 {
        self.note(address, RegisterAccess::Read);
        if let Some(word) = self.read_special(address, 1) {
            return (word >> (8 * (address & 3))) as u8;
        }
        self.wait_for_data(address);
        self.bus.emulated.read8(Self::without_alias(address), core)
    }

    /// Reads a halfword. The core fetches instructions with this function too.
    fn read16(&mut self, address: u32, core: u8) -> u16 {
        self.note(address, RegisterAccess::Read);
        if let Some(word) = self.read_special(address, 2) {
            return (word >> (8 * (address & 2))) as u16;
        }
        let fetched = self.bus.fetched;
        let bus = &mut self.bus.emulated;
        match address.wrapping_sub(fetched) {
            0 => instructions::first([fetched, fetched.wrapping_add(2)].map(|at| bus.read16(at, core))),
            2 => instructions::second([fetched, address].map(|at| bus.read16(at, core))),
            _ => {
                self.wait_for_data(address);
                self.bus.emulated.read16(Self::without_alias(address), core)
            }
        }
    }

    #[inline]
    fn read32(&mut self, address: u32, core: u8) -> u32 {
        self.note(address, RegisterAccess::Read);
        if let Some(word) = self.read_special(address, 4) {
            return word;
        }
        self.wait_for_data(address);
        self.bus.emulated.read32(Self::without_alias(address), core)
    }

    fn write8(&mut self, address: u32, value: u8, core: u8) {
        self.note(address, RegisterAccess::Write);
        if !is_writable(address, 1) {
            self.fault(address);
        } else if is_peripheral(address) {
            // The bus repeats a narrow value over the whole word.
            self.catch_up();
            self.write_peripheral(address & !3, u32::from(value) * 0x0101_0101);
        } else if !(self.chip.memory.any_off() && self.is_write_lost(address)) {
            self.bus.emulated.write8(address, value, core);
        }
    }

    fn write16(&mut self, address: u32, value: u16, core: u8) {
        self.note(address, RegisterAccess::Write);
        if !is_writable(address, 2) {
            self.fault(address);
        } else if is_peripheral(address) {
            self.catch_up();
            self.write_peripheral(address & !3, u32::from(value) * 0x0001_0001);
        } else if is_split(address, 2) {
            for (at, byte) in (0..).zip(value.to_le_bytes()) {
                self.write8(address.wrapping_add(at), byte, core);
            }
        } else if !(self.chip.memory.any_off() && self.is_write_lost(address)) {
            self.bus.emulated.write16(address, value, core);
        }
    }

    #[inline]
    fn write32(&mut self, address: u32, value: u32, core: u8) {
        self.note(address, RegisterAccess::Write);
        match address >> 28 {
            4 | 5 if is_mapped(address, 4) => {
                self.catch_up();
                self.write_peripheral(address, value);
            }
            4 | 5 | 0xE => self.fault(address),
            0xD => self.write_sio(address, value),
            _ if self.chip.memory.any_off() && self.is_write_lost(address) => {}
            _ if address >> 24 == XIP_MAINTENANCE => self.chip.flush_cache(),
            _ if is_split(address, 4) => {
                for (at, byte) in (0..).zip(value.to_le_bytes()) {
                    self.write8(address.wrapping_add(at), byte, core);
                }
            }
            _ => self.bus.emulated.write32(address, value, core),
        }
    }

    #[inline]
    fn set_active_pc(&mut self, pc: u32, _: u8) {
        self.bus.fetched = pc;
        // The exit from an exception sets the event flag, which ends WFE. The emulator crate does not do that.
        if pc == EXCEPTION_EXIT {
            self.bus.emulated.atomics.set_event_flag(0);
        }
    }

    fn bus_fault(&self, core: u8) -> bool {
        CoreBus::bus_fault(&self.bus.emulated, core)
    }

    fn bus_fault_addr(&self, core: u8) -> u32 {
        CoreBus::bus_fault_addr(&self.bus.emulated, core)
    }

    fn clear_bus_fault(&mut self, core: u8) {
        CoreBus::clear_bus_fault(&mut self.bus.emulated, core);
    }

    fn set_burst_mode(&mut self, on: bool) {
        CoreBus::set_burst_mode(&mut self.bus.emulated, on);
    }

    fn add_extra_wait_states(&mut self, n: u32) {
        self.bus.emulated.add_extra_wait_states(n);
    }

    fn take_extra_wait_states(&mut self) -> u32 {
        self.bus.emulated.take_extra_wait_states()
    }

    fn atomics(&self) -> &Arc<CoreAtomics> {
        &self.bus.emulated.atomics
    }

    fn gpio_read_out(&self) -> u32 {
        self.bus.emulated.sio.gpio_out
    }

    fn gpio_write_out(&mut self, value: u32) {
        self.drive(|bus| bus.sio.gpio_out = value);
    }

    fn gpio_set_out(&mut self, mask: u32) {
        self.drive(|bus| bus.sio.gpio_out |= mask);
    }

    fn gpio_clear_out(&mut self, mask: u32) {
        self.drive(|bus| bus.sio.gpio_out &= !mask);
    }

    fn gpio_xor_out(&mut self, mask: u32) {
        self.drive(|bus| bus.sio.gpio_out ^= mask);
    }

    fn gpio_read_oe(&self) -> u32 {
        self.bus.emulated.sio.gpio_oe
    }

    fn gpio_write_oe(&mut self, value: u32) {
        self.drive(|bus| bus.sio.gpio_oe = value);
    }

    fn gpio_set_oe(&mut self, mask: u32) {
        self.drive(|bus| bus.sio.gpio_oe |= mask);
    }

    fn gpio_clear_oe(&mut self, mask: u32) {
        self.drive(|bus| bus.sio.gpio_oe &= !mask);
    }

    fn gpio_xor_oe(&mut self, mask: u32) {
        self.drive(|bus| bus.sio.gpio_oe ^= mask);
    }

    fn gpio_read_in(&self) -> u32 {
        self.chip.pins.read_levels(self.now())
    }

    fn extra_wait_states(&self) -> u32 {
        self.bus.emulated.extra_wait_states()
    }

    fn reset_extra_wait_states(&mut self) {
        self.bus.emulated.reset_extra_wait_states();
    }

    fn last_fetch_addr(&self) -> u32 {
        CoreBus::last_fetch_addr(&self.bus.emulated)
    }

    fn set_last_fetch_addr(&mut self, address: u32) {
        CoreBus::set_last_fetch_addr(&mut self.bus.emulated, address);
    }

    /// The trace reports accesses to the private registers, which do not pass this bus.
    fn mmio_trace_enabled(&self) -> bool {
        true
    }

    fn emit_mmio_trace(&mut self, direction: char, size: u32, address: u32, value: u32, _: u8) {
        if address >> 28 != 0xE {
            return;
        }
        self.note(address, if direction == 'W' { RegisterAccess::Write } else { RegisterAccess::Read });
        if direction == 'W' {
            self.bus.private.push(PrivateWrite { size, address, value });
            self.chip.stop = true;
        }
    }
}
