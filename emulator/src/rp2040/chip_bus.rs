//! The access of the chip-independent code to the bus: pins, PIO and DMA.

use crate::chip_interface::{Chip, ChipBus, PioBlock, is_dma_target};
use crate::gpio::{PinInterrupts, PinSettings, pins_where};
use rp2040_emu::Bus;
use rp2040_emu::bus::DMA_BASE;
use rp2040_emu::dma::NUM_CHANNELS;

/// The DMA register that aborts channels.
pub(super) const CHANNEL_ABORT: u32 = DMA_BASE + 0x444;

impl ChipBus for Bus {
    const CHIP: Chip = Chip::Rp2040;

    fn pio(&self) -> &[PioBlock] {
        &self.pio
    }

    fn pio_mut(&mut self) -> &mut [PioBlock] {
        &mut self.pio
    }

    fn opcode(&self, address: u32) -> u16 {
        self.memory.peek32(address) as u16
    }

    fn outputs(&self) -> (u32, u32) {
        (self.sio.gpio_oe, self.sio.gpio_out)
    }

    fn set_inputs(&mut self, levels: u32) {
        self.gpio_in = levels;
    }

    fn pin_settings(&mut self) -> PinSettings {
        const FUNCTION_PWM: u32 = 4;
        const FUNCTION_SIO: u32 = 5;
        const FUNCTION_PIO: [u32; 2] = [6, 7];
        const SCHMITT: u32 = 1 << 1;
        const PULL_DOWN: u32 = 1 << 2;
        const PULL_UP: u32 = 1 << 3;
        const INPUT: u32 = 1 << 6;
        const OUTPUT_DISABLE: u32 = 1 << 7;
        /// Output disable and input enable, and their values for an analogue input. The pulls do not matter: a pull
        /// only shifts the level.
        const DIGITAL: u32 = 0b1100_0000;
        const ANALOGUE: u32 = 1 << 7;
        let [core, wake] = self.pin_interrupts();
        let function = |function| pins_where(|pin| self.io_bank0.funcsel(pin) == function);
        let pads = &self.pads_bank0.pads;
        PinSettings {
            sio: function(FUNCTION_SIO),
            pio: [function(FUNCTION_PIO[0]), function(FUNCTION_PIO[1]), 0],
            pwm: function(FUNCTION_PWM),
            pull_up: pins_where(|pin| pads[pin] & PULL_UP != 0),
            pull_down: pins_where(|pin| pads[pin] & PULL_DOWN != 0),
            schmitt: pins_where(|pin| pads[pin] & SCHMITT != 0),
            analogue: pins_where(|pin| pads[pin] & DIGITAL == ANALOGUE),
            input: pins_where(|pin| pads[pin] & INPUT != 0),
            output: pins_where(|pin| pads[pin] & OUTPUT_DISABLE == 0),
            sticky: 0,
            core,
            wake,
        }
    }

    fn pin_interrupts(&mut self) -> [PinInterrupts; 2] {
        /// Offsets in IO_BANK0: four registers for enabled interrupts, followed by four for forced interrupts.
        const CORE0: u32 = 0x100;
        const WAKE: u32 = 0x160;
        let four = |first: u32| core::array::from_fn(|bank| self.io_bank0.read32(first + 4 * bank as u32));
        [CORE0, WAKE].map(|set| PinInterrupts { enabled: four(set), forced: four(set + 0x10) })
    }

    fn frequencies(&self) -> (u32, u32) {
        (self.sys_clk_hz(), self.ref_clk_hz())
    }

    fn dma_state(&mut self) -> (bool, bool) {
        let requests = self.collect_dreqs();
        let mut busy = false;
        for index in 0..NUM_CHANNELS {
            let channel = self.dma_channel(index);
            if !channel.busy {
                continue;
            }
            let size = 1 << (channel.ctrl >> 2 & 3).min(2);
            let ends = [channel.read_addr, channel.write_addr];
            if !ends.iter().all(|end| is_dma_target(Chip::Rp2040, *end, size)) {
                self.write32(CHANNEL_ABORT, 1 << index);
                continue;
            }
            busy = true;
            // The first channel with a request transfers the next word.
            if requests >> (channel.ctrl >> 15 & 0x3F) & 1 != 0 {
                return (true, true);
            }
        }
        (busy, false)
    }

    fn dma_addresses(&mut self) -> Vec<u32> {
        let channels = (0..NUM_CHANNELS).map(|index| self.dma_channel(index)).filter(|channel| channel.busy);
        channels.flat_map(|channel| [channel.read_addr, channel.write_addr]).collect()
    }

    fn tick_dma(&mut self) {
        self.tick_dma();
    }

    fn advance(&mut self, cycles: u64) {
        // The cycle count of the emulator crate, by which its PLLs lock.
        self.advance_lazy_scheduled(cycles);
    }
}
