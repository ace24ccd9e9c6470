//! What the core meets on its way to memory: a cache that has to be filled first, memory that is switched off, and pins that are looked
//! at at the very moment they are read.

use crate::chip::View;
use crate::memory_power::AccessKind;
use crate::register_trace::Touch;
use crate::silicon::ChipBus;

impl<B: ChipBus> View<'_, B> {
    /// The core executes what is at `pc`: it waits for the flash if the line is not in the cache. An instruction of two halves
    /// may be in two lines.
    #[inline]
    pub fn fetch(&mut self, pc: u32) {
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

    /// The core reads data from memory, and waits for it if it is in flash and not in the cache.
    #[inline]
    pub fn wait_for_data(&mut self, address: u32) {
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

    /// What the core reads from an address in a memory that is off: rubbish, the same again at the same moment.
    pub fn rubbish(&mut self, address: u32) -> Option<u32> {
        let now = self.now();
        self.chip
            .memory
            .touch(address, AccessKind::Read, now)
            .then(|| address.wrapping_mul(0x9E37_79B9) ^ now as u32 ^ 0xA5A5_A5A5)
    }

    /// Whether a write goes to a memory that is off, and is lost.
    pub fn is_lost(&mut self, address: u32) -> bool {
        let now = self.now();
        self.chip.memory.touch(address, AccessKind::Write, now)
    }

    /// The core touches an address: noted if anybody wants to know, and if there is a register.
    #[inline]
    pub fn note(&mut self, address: u32, touch: Touch) {
        if self.chip.trace.is_on() {
            self.chip.trace.note(B::CHIP, address, touch);
        }
    }

    /// GPIO_IN is about to be read.
    pub fn look_at_pins(&mut self) {
        self.settle_pins();
        let levels = self.chip.pins.read_levels(self.now());
        self.bus.set_inputs(levels);
    }
}

/// Whether an address is a peripheral on the APB or AHB.
#[inline]
pub(crate) fn is_peripheral(address: u32) -> bool {
    matches!(address >> 28, 4 | 5)
}

/// GPIO_IN, the only SIO register that depends on the board. (The RP2350 has a second one, for pins that a Pico does not have.)
#[inline]
pub(crate) fn is_gpio_in(address: u32) -> bool {
    address & 0xFFFF_FFFC == 0xD000_0004
}
