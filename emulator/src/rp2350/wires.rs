//! The emulator's bus, with what it needs beside: how it begins after a reset, and what the common half wants of it.
//!
//! Upstream a reset leaves clocks, pads and pins as they were, and pads begin with 0. So a reset makes a new bus here, which takes over only the
//! memory, and is brought into the state that the boot ROM leaves: on the ring oscillator, pads isolated, most blocks held in reset.

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
/// After a reset a pin has no function; a pad is isolated, pulls down, has a Schmitt trigger and no input.
const NO_FUNCTION: u32 = 0x1F;
const PAD_RESET: u32 = 0x116;
/// What the boot ROM is taken to have released, which nobody has measured for us: BUSCTRL, IO_QSPI, JTAG, PADS_QSPI, the PLLs, SYSCFG and SYSINFO.
const RELEASED: u32 = 1 << 1 | 1 << 7 | 1 << 8 | 1 << 10 | 0b11 << 14 | 0b11 << 20;
const ALL_HELD: u32 = 0x1FFF_FFFF;
/// Pins that the chip has registers for.
const ALL_PINS: u32 = 48;
/// Interrupt registers in IO_BANK0: of core 0, and those that end dormant sleep; enabled, forced and status follow each other.
pub const CORE0: u32 = 0x248;
pub const WAKE: u32 = 0x2D8;
/// Bytes from one register of a kind to the first of the next kind, and the end of all.
pub const SET: u32 = 0x18;
const INTERRUPTS_END: u32 = 0x320;
/// Registers of the DMA: so many bytes for each channel, and behind them so many for each interrupt line.
const DMA_CHANNEL: u32 = 0x40;
const DMA_INTERRUPTS: u32 = 0x400;
const DMA_LINE: u32 = 0x10;
const DMA_INTERRUPTS_END: u32 = 0x440;
/// The control register of a channel that does not start it, and two of its bits.
const CONTROL: u32 = 0x10;
const ENABLED: u32 = 1;
const BUSY: u32 = 1 << 26;

/// The bus of the emulator, and what passes between it and the core.
pub struct Wires {
    pub emulated: Bus,
    /// The instruction that the core is at.
    pub fetched: u32,
    /// Writes to its private registers that have not been looked at.
    pub private: Vec<PrivateWrite>,
    /// Channels of the DMA, and interrupt lines of it, that the firmware has ever set up: the others need not be looked at.
    dma_channels: u32,
    dma_lines: u32,
}

impl Wires {
    /// As before the first reset.
    pub fn new(emulated: Bus) -> Self {
        Self { emulated, fetched: 0, private: Vec::new(), dma_channels: 0, dma_lines: 0 }
    }

    /// The chip is reset: everything but memory.
    pub fn reset(&mut self, atomics: Arc<CoreAtomics>) {
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

    /// The firmware has written a register of the DMA.
    pub fn dma_written(&mut self, offset: u32) {
        match offset {
            0..DMA_INTERRUPTS => self.dma_channels |= 1 << (offset / DMA_CHANNEL),
            DMA_INTERRUPTS..DMA_INTERRUPTS_END => self.dma_lines |= 1 << ((offset - DMA_INTERRUPTS) / DMA_LINE),
            _ => {}
        }
    }

    /// The interrupt lines of the DMA that are high.
    pub fn dma_interrupts(&mut self) -> u32 {
        const STATUS: u32 = 0x0C;
        let status = DMA_BASE + DMA_INTERRUPTS + STATUS;
        let high = |line: &usize| self.emulated.read32(status + DMA_LINE * *line as u32, 0) != 0;
        bits(self.dma_lines).filter(high).fold(0, |lines, line| lines | 1 << line)
    }

    /// Whether the DMA reaches what a channel reads and writes next. If not, it is stopped, and can no longer be
    /// started by another: that may happen within the emulator, where nobody looks at its addresses again.
    fn is_reached(&mut self, channel: u32, control: u32) -> bool {
        const CHANNEL_ABORT: u32 = DMA_BASE + 0x464;
        let registers = DMA_BASE + DMA_CHANNEL * channel;
        let size = 1 << (control >> 2 & 3).min(2);
        let reached =
            [0, 4].into_iter().all(|at| is_dma_target(Chip::Rp2350, self.emulated.read32(registers + at, 0), size));
        if !reached {
            self.emulated.write32(CHANNEL_ABORT, 1 << channel, 0);
            self.emulated.write32(registers + CONTROL, control & !ENABLED, 0);
        }
        reached
    }

    /// The cycles that the instruction at work waits for the bus.
    pub fn set_waits(&mut self, cycles: u32) {
        self.emulated.reset_extra_wait_states();
        self.emulated.add_extra_wait_states(cycles);
    }

    /// IO_BANK0 is reset.
    pub fn clear_pins(&mut self) {
        for pin in 0..ALL_PINS {
            self.emulated.write32(IO_BANK0_BASE + 4 + 8 * pin, NO_FUNCTION, 0);
        }
        for register in (CORE0..INTERRUPTS_END).step_by(4) {
            self.emulated.write32(IO_BANK0_BASE + register, 0, 0);
        }
    }

    /// PADS_BANK0 is reset.
    pub fn clear_pads(&mut self) {
        for pin in 0..ALL_PINS {
            self.emulated.write32(PADS_BANK0_BASE + 4 + 4 * pin, PAD_RESET, 0);
        }
    }
}

impl ChipBus for Wires {
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
        /// Output disable and input enable; and what an analogue input wants of them. A pull only moves its level.
        const DIGITAL: u32 = 0b1100_0000;
        const ANALOGUE: u32 = 1 << 7;
        let bus = &mut self.emulated;
        let mut row = |first: u32, step: u32| -> [u32; PINS] {
            core::array::from_fn(|pin| bus.read32(first + step * pin as u32, 0))
        };
        let pads = row(PADS_BANK0_BASE + 4, 4);
        let functions = row(IO_BANK0_BASE + 4, 8);
        // An isolated pad holds what it was when it was isolated: after a reset, nothing.
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
            if control & (ENABLED | BUSY) == 0 || !self.is_reached(channel, control) {
                continue;
            }
            let works = control & BUSY != 0;
            busy |= works;
            ready |= works && requests >> (control >> 17 & 0x3F) & 1 != 0;
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

    /// Nothing of the emulator's own goes by cycles here: what does is not public.
    fn advance(&mut self, _cycles: u64) {}
}
