//! The bus of the emulator crate with additions: its state after a reset, and the access of the chip-independent code
//! to pins, PIO and DMA.
//!
//! In the emulator crate a reset does not change clocks, pads and pins, and pads start at 0. So a reset here creates a
//! new bus, which keeps only the memory, and sets the state that the boot ROM leaves: the clocks run from the ring
//! oscillator, the pads are isolated, and most blocks are held in reset.

use super::private::PrivateWrite;
use crate::bits::bits;
use crate::chip_interface::{Chip, ChipBus, PioBlock, is_dma_target};
use crate::gpio::{PINS, PinInterrupts, PinSettings, pins_where};
use rp2350_emu::Bus;
use rp2350_emu::dma::DMA_BASE;
use rp2350_emu::peripherals::io_bank0::IO_BANK0_BASE;
use rp2350_emu::peripherals::pads_bank0::PADS_BANK0_BASE;
use rp2350_emu::threaded::CoreAtomics;
use std::sync::Arc;
use std::sync::atomic::Ordering;

const CLOCK_REF_CONTROL: u32 = 0x4001_0030;
const CLOCK_SYS_CONTROL: u32 = 0x4001_003C;
/// The reset value of a pin's function: none. The reset value of a pad: isolated, pull-down and Schmitt trigger on,
/// input off.
const NO_FUNCTION: u32 = 0x1F;
const PAD_RESET: u32 = 0x116;
/// The blocks that the boot ROM is assumed to release from reset (not measured): BUSCTRL, IO_QSPI, JTAG, PADS_QSPI, the
/// PLLs, SYSCFG and SYSINFO.
const RELEASED: u32 = 1 << 1 | 1 << 7 | 1 << 8 | 1 << 10 | 0b11 << 14 | 0b11 << 20;
const ALL_HELD: u32 = 0x1FFF_FFFF;
/// The number of pins for which the chip has registers.
const ALL_PINS: u32 = 48;
/// Offsets in IO_BANK0 of the interrupt registers for core 0 and for the end of dormant sleep. Each set has the
/// registers for enabled interrupts, forced interrupts and status, in this order.
pub(super) const CORE0: u32 = 0x248;
pub(super) const WAKE: u32 = 0x2D8;
/// The distance between the registers of two kinds in a set, and the end of all sets.
pub(super) const SET: u32 = 0x18;
const INTERRUPTS_END: u32 = 0x320;
/// The layout of the DMA registers: the size for each channel, then the interrupt registers, with the size for each
/// line.
const DMA_CHANNEL: u32 = 0x40;
const DMA_INTERRUPTS: u32 = 0x400;
const DMA_LINE: u32 = 0x10;
const DMA_INTERRUPTS_END: u32 = 0x440;
/// The control register of a channel whose write does not start the channel, and two of its bits.
const CONTROL: u32 = 0x10;
const ENABLED: u32 = 1;
const BUSY: u32 = 1 << 26;

/// The bus of the emulator crate, with the state that this crate adds.
pub(super) struct Rp2350Bus {
    pub emulated: Bus,
    /// The address of the instruction that the core executes.
    pub fetched: u32,
    /// Writes to private registers that are not yet completed.
    pub private: Vec<PrivateWrite>,
    /// The DMA channels that the firmware has set up. The others are not polled.
    dma_channels: u32,
    /// The DMA interrupt lines that the firmware has set up. The others are not polled.
    dma_lines: u32,
}

impl Rp2350Bus {
    /// The state before the first reset.
    pub(super) fn new(emulated: Bus) -> Self {
        Self { emulated, fetched: 0, private: Vec::new(), dma_channels: 0, dma_lines: 0 }
    }

    /// Resets everything except memory.
    pub(super) fn reset(&mut self, atomics: Arc<CoreAtomics>) {
        let fresh = Bus::with_atomics(atomics);
        let old = core::mem::replace(&mut self.emulated, fresh);
        self.emulated.memory = old.memory;
        self.emulated.set_flash_loaded(true);
        self.clear_pins();
        self.clear_pads();
        let bus = &mut self.emulated;
        bus.write32(CLOCK_REF_CONTROL, 0, 0);
        bus.write32(CLOCK_SYS_CONTROL, 0, 0);
        bus.resets_state = ALL_HELD & !RELEASED;
        self.private.clear();
        (self.dma_channels, self.dma_lines) = (0, 0);
    }

    /// Records that the firmware has written a DMA register.
    pub(super) fn dma_written(&mut self, offset: u32) {
        match offset {
            0..DMA_INTERRUPTS => self.dma_channels |= 1 << (offset / DMA_CHANNEL),
            DMA_INTERRUPTS..DMA_INTERRUPTS_END => self.dma_lines |= 1 << ((offset - DMA_INTERRUPTS) / DMA_LINE),
            _ => {}
        }
    }

    /// The DMA interrupt lines that are high.
    pub(super) fn dma_interrupts(&mut self) -> u32 {
        const STATUS: u32 = 0x0C;
        let status = DMA_BASE + DMA_INTERRUPTS + STATUS;
        let high = |line: &usize| self.emulated.read32(status + DMA_LINE * *line as u32, 0) != 0;
        bits(self.dma_lines).filter(high).fold(0, |lines, line| lines | 1 << line)
    }

    /// Whether the DMA can access the next addresses of a channel. If not, the channel is aborted and disabled. It is
    /// disabled because the emulator crate could start it again by chaining, without a check of its addresses.
    fn check_channel(&mut self, channel: u32, control: u32) -> bool {
        const CHANNEL_ABORT: u32 = DMA_BASE + 0x464;
        let registers = DMA_BASE + DMA_CHANNEL * channel;
        let size = 1 << (control >> 2 & 3).min(2);
        let is_accessible =
            [0, 4].into_iter().all(|at| is_dma_target(Chip::Rp2350, self.emulated.read32(registers + at, 0), size));
        if !is_accessible {
            self.emulated.write32(CHANNEL_ABORT, 1 << channel, 0);
            self.emulated.write32(registers + CONTROL, control & !ENABLED, 0);
        }
        is_accessible
    }

    /// Sets the wait cycles of the current instruction.
    pub(super) fn set_waits(&mut self, cycles: u32) {
        self.emulated.reset_extra_wait_states();
        self.emulated.add_extra_wait_states(cycles);
    }

    /// Resets IO_BANK0.
    pub(super) fn clear_pins(&mut self) {
        for pin in 0..ALL_PINS {
            self.emulated.write32(IO_BANK0_BASE + 4 + 8 * pin, NO_FUNCTION, 0);
        }
        for register in (CORE0..INTERRUPTS_END).step_by(4) {
            self.emulated.write32(IO_BANK0_BASE + register, 0, 0);
        }
    }

    /// Resets PADS_BANK0.
    pub(super) fn clear_pads(&mut self) {
        for pin in 0..ALL_PINS {
            self.emulated.write32(PADS_BANK0_BASE + 4 + 4 * pin, PAD_RESET, 0);
        }
    }
}

impl ChipBus for Rp2350Bus {
    const CHIP: Chip = Chip::Rp2350;

    fn pio(&self) -> &[PioBlock] {
        &self.emulated.pio
    }

    fn pio_mut(&mut self) -> &mut [PioBlock] {
        &mut self.emulated.pio
    }

    fn opcode(&self, address: u32) -> u16 {
        self.emulated.memory.peek32(address) as u16
    }

    fn outputs(&self) -> (u32, u32) {
        (self.emulated.sio.gpio_oe, self.emulated.sio.gpio_out)
    }

    fn set_inputs(&mut self, levels: u32) {
        self.emulated.gpio_in.store(levels, Ordering::Relaxed);
    }

    fn pin_settings(&mut self) -> PinSettings {
        const FUNCTION: u32 = 0x1F;
        const FUNCTION_PWM: u32 = 4;
        const FUNCTION_SIO: u32 = 5;
        const FUNCTION_PIO: [u32; 3] = [6, 7, 8];
        const SCHMITT: u32 = 1 << 1;
        const PULL_DOWN: u32 = 1 << 2;
        const PULL_UP: u32 = 1 << 3;
        const INPUT: u32 = 1 << 6;
        const OUTPUT_DISABLE: u32 = 1 << 7;
        const ISOLATED: u32 = 1 << 8;
        /// Output disable and input enable, and their values for an analogue input. The pulls do not matter: a pull
        /// only shifts the level.
        const DIGITAL: u32 = 0b1100_0000;
        const ANALOGUE: u32 = 1 << 7;
        let bus = &mut self.emulated;
        let mut row = |first: u32, step: u32| -> [u32; PINS] {
            core::array::from_fn(|pin| bus.read32(first + step * pin as u32, 0))
        };
        let pads = row(PADS_BANK0_BASE + 4, 4);
        let functions = row(IO_BANK0_BASE + 4, 8);
        // An isolated pad keeps its state from before the isolation. After a reset that is no function.
        let function = |function| pins_where(|pin| functions[pin] & FUNCTION == function && pads[pin] & ISOLATED == 0);
        let input = pins_where(|pin| pads[pin] & (INPUT | ISOLATED) == INPUT);
        let pull_up = pins_where(|pin| pads[pin] & PULL_UP != 0);
        let [core, wake] = self.pin_interrupts();
        PinSettings {
            sio: function(FUNCTION_SIO),
            pio: FUNCTION_PIO.map(function),
            pwm: function(FUNCTION_PWM),
            pull_up,
            pull_down: pins_where(|pin| pads[pin] & PULL_DOWN != 0),
            schmitt: pins_where(|pin| pads[pin] & SCHMITT != 0),
            analogue: pins_where(|pin| pads[pin] & DIGITAL == ANALOGUE),
            input,
            output: pins_where(|pin| pads[pin] & OUTPUT_DISABLE == 0),
            sticky: input & !pull_up,
            core,
            wake,
        }
    }

    fn pin_interrupts(&mut self) -> [PinInterrupts; 2] {
        let bus = &mut self.emulated;
        let mut four = |first: u32| core::array::from_fn(|bank| bus.read32(IO_BANK0_BASE + first + 4 * bank as u32, 0));
        [CORE0, WAKE].map(|set| PinInterrupts { enabled: four(set), forced: four(set + SET) })
    }

    fn frequencies(&self) -> (u32, u32) {
        (self.emulated.sys_clk_hz(), self.emulated.ref_clk_hz())
    }

    fn dma_state(&mut self) -> (bool, bool) {
        let requests = self.emulated.collect_dreqs();
        let (mut busy, mut ready) = (false, false);
        for channel in bits(self.dma_channels).map(|channel| channel as u32) {
            let control = self.emulated.read32(DMA_BASE + DMA_CHANNEL * channel + CONTROL, 0);
            if control & (ENABLED | BUSY) == 0 || !self.check_channel(channel, control) {
                continue;
            }
            let is_busy = control & BUSY != 0;
            busy |= is_busy;
            ready |= is_busy && requests >> (control >> 17 & 0x3F) & 1 != 0;
        }
        (busy, ready)
    }

    fn dma_addresses(&mut self) -> Vec<u32> {
        let mut addresses = Vec::new();
        for channel in bits(self.dma_channels).map(|channel| DMA_BASE + DMA_CHANNEL * channel as u32) {
            if self.emulated.read32(channel + CONTROL, 0) & BUSY != 0 {
                addresses.extend([0, 4].map(|at| self.emulated.read32(channel + at, 0)));
            }
        }
        addresses
    }

    fn tick_dma(&mut self) {
        self.emulated.tick_dma();
    }

    /// Nothing to do: the parts of the emulator crate that count cycles are not public.
    fn advance(&mut self, _cycles: u64) {}
}
