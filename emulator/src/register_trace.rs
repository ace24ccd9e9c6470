//! A trace of the registers that the firmware accesses. A test compares it with the table in
//! [`register_audit`](crate::register_audit).
//!
//! Registers are all addresses on the APB and AHB, in SIO, in the core's private space, and the control of the flash
//! cache, but not memory. An access to an alias (set, clear or flip bits) counts as an access to the register itself,
//! and an access to a byte or halfword counts as one to its word.

use crate::chip_interface::Chip;
use std::collections::BTreeMap;

/// How a register was accessed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RegisterUse {
    /// The core has read it.
    pub read: bool,
    /// The core has written it, directly or through an alias.
    pub written: bool,
    /// The DMA has read or written it.
    pub by_dma: bool,
}

/// A kind of access to a register.
#[derive(Clone, Copy, Debug)]
pub(crate) enum RegisterAccess {
    Read,
    Write,
    Dma,
}

/// The trace; `None` while it is off.
#[derive(Clone, Debug, Default)]
pub(crate) struct RegisterTrace(Option<BTreeMap<u32, RegisterUse>>);

impl RegisterTrace {
    /// Starts the trace.
    pub(crate) fn start(&mut self) {
        self.0.get_or_insert_default();
    }

    /// Whether the trace is on.
    #[inline]
    pub(crate) fn is_on(&self) -> bool {
        self.0.is_some()
    }

    /// Records an access, if the address is that of a register.
    #[cold]
    pub(crate) fn note(&mut self, chip: Chip, address: u32, access: RegisterAccess) {
        let Some(uses) = self.0.as_mut().filter(|_| is_register(chip, address)) else { return };
        let used = uses.entry(own_address(address)).or_default();
        match access {
            RegisterAccess::Read => used.read = true,
            RegisterAccess::Write => used.written = true,
            RegisterAccess::Dma => used.by_dma = true,
        }
    }

    /// The recorded accesses, by address.
    pub(crate) fn uses(&self) -> BTreeMap<u32, RegisterUse> {
        self.0.clone().unwrap_or_default()
    }
}

/// Whether an address is that of a register, not of memory.
fn is_register(chip: Chip, address: u32) -> bool {
    match (chip, address >> 24) {
        (_, 0x40..0x60 | 0xD0..0xF0) => true,
        // Control of the flash cache, and the serial interface to the flash. The RP2350 has both on the APB. Its cache
        // maintenance has a separate address range.
        (Chip::Rp2040, 0x14 | 0x18) => true,
        (Chip::Rp2350, 0x18..0x1C) => true,
        _ => false,
    }
}

/// The address of the register to which an address belongs, without alias and byte offset. The USB RAM, SIO and the
/// private registers of the core have no aliases.
fn own_address(address: u32) -> u32 {
    /// Upper half of the addresses of the USB RAM.
    const USB_RAM: u32 = 0x5010;
    /// Cache maintenance of the RP2350. The address selects the operation, so all of these addresses count as one
    /// register.
    const MAINTENANCE: u32 = 0x1800_0000;
    match address >> 28 {
        4 | 5 if address >> 16 != USB_RAM => address & !0x3003,
        1 if address & 0xFF00_0000 == MAINTENANCE && address & 0x00FF_FF00 != 0 => MAINTENANCE,
        _ => address & !3,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Options;
    use crate::tests::{Program, RAM, SELF, ms};

    #[test]
    fn aliases_and_bytes_count_as_their_register() {
        assert_eq!([0x4005_B028, 0x5020_2001, 0x4001_4163].map(own_address), [0x4005_8028, 0x5020_0000, 0x4001_4160]);
        assert_eq!([0xD000_1014, 0x5010_1004, 0xE000_E403].map(own_address), [0xD000_1014, 0x5010_1004, 0xE000_E400]);
        assert_eq!([0x1800_4321, 0x1800_0010].map(own_address), [0x1800_0000, 0x1800_0010]);
    }

    #[test]
    fn memory_addresses_are_not_registers() {
        let memory = [0x0000_0010, 0x1000_0000, 0x2000_0000, 0x1300_0000];
        assert!(memory.iter().all(|address| !is_register(Chip::Rp2040, *address)));
        assert!(is_register(Chip::Rp2040, 0x1400_0004) && !is_register(Chip::Rp2350, 0x1400_0004));
    }

    /// Accesses a register on the APB through an alias, one of SIO, one of the core, and claims a spinlock.
    fn trace_of(mut program: Program, apb: u32) -> Vec<(u32, RegisterUse)> {
        program.write(apb | 0x2000, 0).copy(0xD000_0004, RAM).write(0xE000_E280, 0).copy(0xD000_017C, RAM).op(SELF);
        let mut handheld = program.start(Options::default());
        assert_eq!(handheld.accessed_registers().len(), 0);
        handheld.trace_registers();
        handheld.run_for(ms(1));
        handheld.accessed_registers().into_iter().collect()
    }

    #[test]
    fn all_accesses_of_a_program_are_recorded() {
        let read = RegisterUse { read: true, ..RegisterUse::default() };
        let written = RegisterUse { written: true, ..RegisterUse::default() };
        for (program, apb) in [(Program::new(), 0x4000_C000), (Program::for_rp2350(), 0x4002_0000)] {
            let expected = [(apb, written), (0xD000_0004, read), (0xD000_017C, read), (0xE000_E280, written)];
            assert_eq!(trace_of(program, apb), expected);
        }
    }

    #[test]
    fn dma_accesses_are_recorded() {
        // Channel 0 of the DMA copies a word to the FIFO of a state machine.
        const DMA: u32 = 0x5000_0000;
        const PIO0_TXF0: u32 = 0x5020_0010;
        let mut program = Program::new();
        program.write(0x4000_C000 | 0x3000, 1 << 2 | 1 << 10);
        program.write(DMA, RAM).write(DMA + 4, PIO0_TXF0).write(DMA + 8, 1).write(DMA + 0xC, 0x3F << 15 | 2 << 2 | 1);
        program.op(SELF);
        let mut handheld = program.start(Options::default());
        handheld.trace_registers();
        handheld.run_for(ms(1));
        let dma = RegisterUse { by_dma: true, ..RegisterUse::default() };
        assert_eq!(handheld.accessed_registers().get(&PIO0_TXF0), Some(&dma));
    }
}
