//! Accesses of the core that need more than the emulator crate's bus: flash cache misses, powered-down memories, and
//! reads of GPIO_IN, for which the pins are sampled at the time of the read.

use crate::chip::CoreBusView;
use crate::chip_interface::ChipBus;
use crate::memory_power::AccessKind;
use crate::register_trace::RegisterAccess;

impl<B: ChipBus> CoreBusView<'_, B> {
    /// Fetch of the instruction at `pc`: adds the wait cycles of a flash cache miss. A 32-bit instruction may be in two
    /// cache lines.
    #[inline]
    pub(crate) fn fetch(&mut self, pc: u32) {
        if self.chip.flash_guard.is_on() {
            let now = self.now();
            self.chip.flash_guard.note(pc, AccessKind::Fetch, now);
        }
        if let Some(cache) = &mut self.chip.flash_cache
            && cache.covers(pc)
        {
            self.chip.ahead += cache.fetch(pc);
            let is_wide = pc & 7 == 6 && self.bus.opcode(pc) >> 11 >= 0b11101;
            if is_wide {
                self.chip.ahead += cache.fetch(pc + 2);
            }
        }
    }

    /// Read of data: adds the wait cycles of a flash cache miss.
    #[inline]
    pub(crate) fn wait_for_data(&mut self, address: u32) {
        if self.chip.flash_guard.is_on() {
            let now = self.now();
            self.chip.flash_guard.note(address, AccessKind::Read, now);
        }
        if let Some(cache) = &mut self.chip.flash_cache
            && cache.covers(address)
        {
            self.chip.ahead += cache.read(address);
        }
    }

    /// The value that the core reads if the memory at this address is powered down: random, but reproducible. `None` if
    /// the memory is on.
    pub(crate) fn read_powered_down(&mut self, address: u32) -> Option<u32> {
        let now = self.now();
        self.chip
            .memory
            .check_access(address, AccessKind::Read, now)
            .then(|| address.wrapping_mul(0x9E37_79B9) ^ now as u32 ^ 0xA5A5_A5A5)
    }

    /// Whether a write is lost because the memory at this address is powered down.
    pub(crate) fn is_write_lost(&mut self, address: u32) -> bool {
        let now = self.now();
        self.chip.memory.check_access(address, AccessKind::Write, now)
    }

    /// Records an access, if the register trace is on and the address is that of a register.
    #[inline]
    pub(crate) fn note(&mut self, address: u32, access: RegisterAccess) {
        if self.chip.trace.is_on() {
            self.chip.trace.note(B::CHIP, address, access);
        }
    }

    /// Samples the pins before a read of GPIO_IN.
    pub(crate) fn sample_pins(&mut self) {
        self.settle_pins();
        let levels = self.chip.pins.read_levels(self.now());
        self.bus.set_inputs(levels);
    }
}

/// Whether an address belongs to a peripheral on the APB or AHB.
#[inline]
pub(crate) fn is_peripheral(address: u32) -> bool {
    matches!(address >> 28, 4 | 5)
}

/// Whether an address is that of GPIO_IN, the only SIO register that depends on the board. (The RP2350 has a second
/// one, for pins that a Pico 2 does not have.)
#[inline]
pub(crate) fn is_gpio_in(address: u32) -> bool {
    address & 0xFFFF_FFFC == 0xD000_0004
}
