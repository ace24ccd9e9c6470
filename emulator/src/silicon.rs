//! What is the chip's, and what all chips have in common.
//!
//! A [`Silicon`] is one kind of chip as the machine sees it: a core that runs, sleeps, and calls its boot ROM; registers; memory. Each
//! lies in a folder of its own (`rp2040`, `rp2350`) and stands on an emulator of its own. All else (keys, wire, flash, supply, the
//! models of timer, watchdog, PWM and converter, and what a test does with them) is common and does not know which chip it is.
//!
//! A [`ChipBus`] is the smaller half of it: what the common part of the chip, in `chip` and `elapse`, wants of the emulator's bus.
//! Programs spend their time there, so it is bound when the crate is compiled; a [`Silicon`] is called some times in a
//! microsecond at most.

use crate::chip::ChipState;
use crate::flash::FlashCall;
use crate::gpio::{PinInterrupts, PinSettings};
use crate::meter::Meter;
use crate::rp2040::{self, Rp2040};
use crate::rp2350::{self, Rp2350};
pub use flash_image::Chip;
pub(crate) use rp2350_emu::pio::PioBlock;

/// What is known of a chip before there is one.
pub(crate) trait Facts {
    /// Slices of its PWM.
    fn pwm_slices(self) -> usize;

    /// Samples that the FIFO of its analogue converter holds.
    fn adc_fifo(self) -> usize;

    /// The bit in MEMPOWERDOWN of the memory that an address is in.
    fn memory(self, address: u32) -> Option<u32>;

    /// The bits of that register that mean something.
    fn memories(self) -> u32;

    /// A new one.
    fn silicon(self) -> Box<dyn Silicon>;
}

impl Facts for Chip {
    fn pwm_slices(self) -> usize {
        match self {
            Self::Rp2040 => 8,
            Self::Rp2350 => 12,
        }
    }

    fn adc_fifo(self) -> usize {
        match self {
            Self::Rp2040 => 4,
            Self::Rp2350 => 8,
        }
    }

    fn memory(self, address: u32) -> Option<u32> {
        match self {
            Self::Rp2040 => rp2040::memory(address),
            Self::Rp2350 => rp2350::memory(address),
        }
    }

    fn memories(self) -> u32 {
        match self {
            Self::Rp2040 => 0xFF,
            Self::Rp2350 => 0x1FFF,
        }
    }

    fn silicon(self) -> Box<dyn Silicon> {
        match self {
            Self::Rp2040 => Box::new(Rp2040::new()),
            Self::Rp2350 => Box::new(Rp2350::new()),
        }
    }
}

/// What a call of a function in the boot ROM comes to.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Done; return to the caller after so many cycles.
    Return(u64),
    /// The same, and the flash cannot be read by address any more.
    Closed(u64),
    /// The same, and it can be read again; the cache before it is empty.
    Flushed(u64),
    /// A part is done and took so many cycles; the function is called again for the rest.
    Continue(u64),
    /// The flash works on this, then return.
    Flash(FlashCall),
    /// The chip is reset, as the firmware wants it.
    Reboot,
    /// The chip is reset into the boot ROM's USB mode, with the drive for UF2 files or without it.
    UsbBoot {
        /// Whether the drive is there.
        has_drive: bool,
    },
    /// The chip has left the firmware for good: a place in ROM that is no function.
    Gone,
}

/// A place in a run of the program: after an interrupt the core is there again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    pub pc: u32,
    pub stack: u32,
    /// The number of the exception at work, or 0.
    pub exception: u32,
}

/// One kind of chip: its core, its bus, its boot ROM.
pub(crate) trait Silicon {
    /// This is in the flash now.
    fn load_flash(&mut self, image: &[u8]);

    /// The chip begins anew, up to the firmware's first instruction. `false`: the boot ROM finds nothing that it would start.
    fn boot(&mut self, chip: &mut ChipState) -> bool;

    /// Runs the core until `budget` cycles have passed, or something happens that the machine has to look at; then all else has
    /// caught up.
    fn run_core(&mut self, chip: &mut ChipState, meter: &mut Meter, budget: u64);

    /// The core waits for an interrupt or an event that has not come; wakes it if one has.
    fn is_asleep(&mut self, chip: &mut ChipState) -> bool;

    /// Lets cycles pass for everything but the core: all of them, unless `to_event` is set and the DMA has finished something
    /// before.
    fn pass(&mut self, chip: &mut ChipState, cycles: u64, to_event: bool);

    /// Looks at the interrupt lines.
    fn raise_interrupts(&mut self, chip: &mut ChipState);

    /// Makes these interrupts pending.
    fn pend(&mut self, lines: u64);

    /// Where the core is.
    fn position(&self) -> Position;

    /// The lowest address that the stack may reach, where the core has a register for it; 0: no limit.
    fn stack_limit(&self) -> u32;

    /// Whether the core enters an exception handler before its next instruction.
    fn is_interrupted(&mut self, chip: &mut ChipState) -> bool;

    /// What the pins do by themselves up to now.
    fn settle_pins(&mut self, chip: &mut ChipState);

    /// Something that drives a pin has changed just now.
    fn pins_changed(&mut self, chip: &mut ChipState);

    /// Whether the core is at a function of the boot ROM.
    fn is_in_rom(&self) -> bool;

    /// Does what that function does.
    fn call_rom(&mut self, chip: &mut ChipState) -> Outcome;

    /// Back to its caller.
    fn return_from_rom(&mut self);

    /// A word of memory, without any effect.
    fn peek32(&self, address: u32) -> u32;

    /// A byte of memory, without any effect.
    fn peek8(&self, address: u32) -> u8;

    /// A probe writes a word of RAM.
    fn poke32(&mut self, address: u32, value: u32);

    /// Puts code or data into RAM.
    fn plant(&mut self, address: u32, bytes: &[u8]);

    /// The core's sixteen registers; the last is that of the next instruction.
    fn registers(&mut self) -> &mut [u32; 16];

    /// Whether a core that is at one place may as well be at another: not in the middle of something that its registers do not
    /// tell.
    fn may_go_astray(&self) -> bool;

    /// Whatever the core was waiting for, it waits no longer.
    fn rouse(&mut self);

    /// Writes to memory that the core has not been told of, for the tests of this crate.
    #[cfg(test)]
    fn unseen_writes(&self) -> usize;
}

/// The bus of an emulator, as far as the common half of a chip needs it.
pub(crate) trait ChipBus {
    /// Whose bus it is.
    const CHIP: Chip;

    /// The blocks of state machines.
    fn pio(&self) -> &[PioBlock];

    /// The same, to be stepped.
    fn pio_mut(&mut self) -> &mut [PioBlock];

    /// The halfword at an address in memory.
    fn opcode(&self, address: u32) -> u16;

    /// The pins that SIO drives, and their levels.
    fn outputs(&self) -> (u32, u32);

    /// The levels that SIO reads.
    fn set_inputs(&mut self, levels: u32);

    /// Function selects, pads and interrupts, as the registers have them.
    fn pin_settings(&mut self) -> PinSettings;

    /// Of these the interrupts alone: those to core 0, and those that end dormant sleep.
    fn pin_interrupts(&mut self) -> [PinInterrupts; 2];

    /// Frequencies of the system clock and of the reference clock, in Hz; 0 while one does not run.
    fn frequencies(&self) -> (u32, u32);

    /// Whether a channel of the DMA is at work, and whether one of them can move a word now. A channel whose next word
    /// is where the DMA does not reach is stopped, as after a bus error: see [`is_dma_target`].
    fn dma_state(&mut self) -> (bool, bool);

    /// Where the channels that are at work read and write next.
    fn dma_addresses(&mut self) -> Vec<u32>;

    /// Every channel that can moves a word.
    fn tick_dma(&mut self);

    /// So many cycles have passed.
    fn advance(&mut self, cycles: u64);
}

/// Whether the DMA reaches so many bytes at an address: memory, and the PIO blocks. Of other peripherals it would reach
/// the emulator's own, past the overlays that are in their place.
pub(crate) fn is_dma_target(chip: Chip, address: u32, size: u32) -> bool {
    let (rom, sram) = match chip {
        Chip::Rp2040 => (rp2040_emu::ROM_SIZE, rp2040_emu::SRAM_SIZE),
        Chip::Rp2350 => (rp2350_emu::memory::ROM_SIZE, rp2350_emu::memory::SRAM_SIZE),
    };
    let reached = match address >> 28 {
        0 => (address as usize) < rom,
        1 => true,
        2 => ((address & 0x00FF_FFFF) as usize) < sram,
        5 => (0x5020_0000..0x5050_0000).contains(&address) && address & 0xF_FFFF < 0x4000,
        _ => false,
    };
    reached && address & (size - 1) == 0
}
