//! The interfaces between a chip's own code and the code that both chips share.
//!
//! [`ChipModel`] is one kind of chip as the machine uses it: a core that runs, sleeps and calls its boot ROM;
//! registers; memory. The folders `rp2040` and `rp2350` implement it, each on its own emulator crate. All other code is
//! shared: keys, LED wire, flash, supply, the models of timer, watchdog, PWM and ADC, and the interface for tests.
//!
//! [`ChipBus`] is what the shared code in `chip` and `peripheral_time` needs from the bus of the emulator crate. Most
//! of the run time is spent there, so its calls are resolved at compile time (generics). [`ChipModel`] is a trait
//! object: it is called only a few times in a microsecond of emulated time.

use crate::chip::ChipState;
use crate::flash::FlashCall;
use crate::gpio::{PinInterrupts, PinSettings};
use crate::profiler::Profiler;
use crate::rp2040::{self, Rp2040};
use crate::rp2350::{self, Rp2350};
pub use flash_image::Chip;
pub(crate) use rp2350_emu::pio::PioBlock;

/// The constants in which the chips differ.
pub(crate) trait ChipParameters {
    /// Number of PWM slices.
    fn pwm_slices(self) -> usize;

    /// Capacity of the ADC's FIFO in samples.
    fn adc_fifo(self) -> usize;

    /// The bit in MEMPOWERDOWN for the memory at an address.
    fn memory(self, address: u32) -> Option<u32>;

    /// All bits of MEMPOWERDOWN that are implemented.
    fn memories(self) -> u32;

    /// Creates the model of the chip.
    fn chip_model(self) -> Box<dyn ChipModel>;
}

impl ChipParameters for Chip {
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

    fn chip_model(self) -> Box<dyn ChipModel> {
        match self {
            Self::Rp2040 => Box::new(Rp2040::new()),
            Self::Rp2350 => Box::new(Rp2350::new()),
        }
    }
}

/// The result of a call of a boot ROM function.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum RomCallResult {
    /// Done: return to the caller after this many cycles.
    Return(u64),
    /// As `Return`. From now on the flash cannot be read by address (XIP is off).
    Closed(u64),
    /// As `Return`. From now on the flash can be read by address again, and the flash cache is empty.
    Flushed(u64),
    /// A part is done and took this many cycles. The function is called again for the rest.
    Continue(u64),
    /// A flash operation follows, then the return.
    Flash(FlashCall),
    /// The firmware requested a reset of the chip.
    Reboot,
    /// The chip is reset into the boot ROM's USB mode.
    UsbBoot {
        /// Whether the USB drive for UF2 files appears.
        has_drive: bool,
    },
    /// The core jumped to an address in ROM that is not a function, and never returns to the firmware.
    NeverReturns,
}

/// A position in the run of a program. After an interrupt the core returns to the same position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    pub pc: u32,
    pub stack: u32,
    /// The number of the active exception, or 0.
    pub exception: u32,
}

/// One kind of chip: its core, its bus and its boot ROM.
pub(crate) trait ChipModel {
    /// Sets the content of the flash.
    fn load_flash(&mut self, image: &[u8]);

    /// Resets the chip up to the firmware's first instruction. `false`: the boot ROM finds no image that it can start.
    fn boot(&mut self, chip: &mut ChipState) -> bool;

    /// Runs the core for `budget` cycles, or less if an event needs the machine. At the end the peripherals have the
    /// same time as the core.
    fn run_core(&mut self, chip: &mut ChipState, profiler: &mut Profiler, budget: u64);

    /// Whether the core sleeps (WFI or WFE). Wakes the core if its interrupt or event has occurred.
    fn is_asleep(&mut self, chip: &mut ChipState) -> bool;

    /// Advances everything except the core by `cycles`. With `to_event`, it stops earlier when the DMA finishes.
    fn pass(&mut self, chip: &mut ChipState, cycles: u64, to_event: bool);

    /// Sets the pending bit of each interrupt whose line is high.
    fn raise_interrupts(&mut self, chip: &mut ChipState);

    /// Sets the pending bits of these interrupts. Bit = interrupt number.
    fn pend(&mut self, lines: u64);

    fn position(&self) -> Position;

    /// The lowest address that the stack may reach, if the core has a register for it; 0: no limit.
    fn stack_limit(&self) -> u32;

    /// Whether the core enters an exception handler before its next instruction.
    fn is_interrupted(&mut self, chip: &mut ChipState) -> bool;

    /// Applies all pin changes that are due up to now.
    fn settle_pins(&mut self, chip: &mut ChipState);

    /// Updates the levels of the pins after something that drives a pin has changed.
    fn pins_changed(&mut self, chip: &mut ChipState);

    /// Whether the core is at the start of a boot ROM function.
    fn is_in_rom(&self) -> bool;

    /// Executes the boot ROM function at which the core is.
    fn call_rom(&mut self, chip: &mut ChipState) -> RomCallResult;

    /// Returns from the boot ROM function to its caller.
    fn return_from_rom(&mut self);

    /// Reads a word of memory without side effects.
    fn peek32(&self, address: u32) -> u32;

    /// Reads a byte of memory without side effects.
    fn peek8(&self, address: u32) -> u8;

    /// Writes a word of RAM, as a debug probe does.
    fn poke32(&mut self, address: u32, value: u32);

    /// Writes code or data to RAM.
    fn write_ram(&mut self, address: u32, bytes: &[u8]);

    /// The core's sixteen registers. The last one is the program counter: the address of the next instruction.
    fn registers(&mut self) -> &mut [u32; 16];

    /// Whether the program counter can be changed now. It cannot while the core is in a state that the sixteen
    /// registers do not hold.
    fn can_inject_fault(&self) -> bool;

    /// Ends the core's sleep.
    fn end_sleep(&mut self);

    /// Number of pending cache invalidations in the emulator crate. For the tests of this crate.
    #[cfg(test)]
    fn pending_invalidations(&self) -> usize;
}

/// The bus of an emulator crate, as far as the shared code needs it.
pub(crate) trait ChipBus {
    const CHIP: Chip;

    fn pio(&self) -> &[PioBlock];

    fn pio_mut(&mut self) -> &mut [PioBlock];

    /// The halfword at an address in memory.
    fn opcode(&self, address: u32) -> u16;

    /// The output enables and the output levels of SIO, bit = pin.
    fn outputs(&self) -> (u32, u32);

    /// Sets the levels that SIO reads, bit = pin.
    fn set_inputs(&mut self, levels: u32);

    /// Function selects, pads and pin interrupts, from the registers.
    fn pin_settings(&mut self) -> PinSettings;

    /// The pin interrupts alone: those to core 0, and those that end dormant sleep.
    fn pin_interrupts(&mut self) -> [PinInterrupts; 2];

    /// Frequencies of the system clock and of the reference clock, in Hz; 0 while the clock does not run.
    fn frequencies(&self) -> (u32, u32);

    /// Whether a DMA channel is busy, and whether one of them can transfer a word now. A channel whose next address the
    /// DMA does not reach is stopped, as after a bus error: see [`is_dma_target`].
    fn dma_state(&mut self) -> (bool, bool);

    /// The next read and write addresses of all busy DMA channels.
    fn dma_addresses(&mut self) -> Vec<u32>;

    /// Transfers a word in every DMA channel that can.
    fn tick_dma(&mut self);

    /// Counts cycles for the peripherals of the emulator crate.
    fn advance(&mut self, cycles: u64);
}

/// Whether the DMA reaches `size` bytes at an address: memory and the PIO blocks. Other peripherals are excluded: the
/// DMA would reach those of the emulator crate, not the models that replace them.
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
