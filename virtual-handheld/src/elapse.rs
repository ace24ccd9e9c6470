//! How time passes for everything but the core.
//!
//! The core runs ahead of the rest of the chip, at most until the next thing that could interrupt it; before it touches a
//! peripheral, and when it gives control back, the rest **catches up**. While the core sleeps, the rest goes on alone.
//!
//! While a PIO program moves, it is stepped tick by tick and the LED pin's edges go to the decoder with their exact time.
//! A state machine that waits for data with an empty FIFO cannot do anything until someone writes to it; when all are
//! like that the block rests and time passes it by for free. That is what makes a still board fast.

use crate::chip::View;
use crate::silicon::ChipBus;

/// Cycles between two looks at the DMA, and the words it can move in that time.
const DMA_EVERY: u64 = 32;

/// PIO blocks that a chip has at most.
pub const BLOCKS: usize = 3;

/// Whether a PIO block needs stepping.
#[derive(Clone, Debug, Default)]
pub(crate) struct Activity {
    pub moving: bool,
    /// Stalled cycles of each state machine when data last came in.
    stalls: [u64; 4],
    /// Where the clock divider is, in 1/256 cycles.
    phase: u32,
}

impl<B: ChipBus> View<'_, B> {
    /// Lets the peripherals do what the core is ahead of them.
    pub fn catch_up(&mut self) {
        let cycles = core::mem::take(&mut self.chip.ahead);
        if cycles > 0 {
            self.pass(cycles, false);
        }
    }

    /// Lets cycles pass for everything but the core; gives how many have: all of them, unless `to_event` is set and
    /// the DMA has finished something before.
    pub fn pass(&mut self, cycles: u64, to_event: bool) -> u64 {
        let passed = if self.chip.is_busy() {
            self.pass_slowly(cycles, to_event)
        } else {
            self.chip.clock.advance(cycles);
            cycles
        };
        self.bus.advance(passed);
        passed
    }

    /// PIO and DMA work: from one tick of a state machine to the next.
    ///
    /// A block with one enabled state machine is stepped only at that machine's ticks: for the while its divider is set
    /// to one and the dividing is done here. The emulator would count up to each tick cycle by cycle, which for an LED
    /// program means sixteen times the work.
    fn pass_slowly(&mut self, cycles: u64, to_event: bool) -> u64 {
        let dividers: [Option<(usize, u32)>; BLOCKS] = core::array::from_fn(|block| self.divider(block));
        for (pio, divider) in self.bus.pio_mut().iter_mut().zip(dividers) {
            if let Some((machine, _)) = divider {
                pio.sm[machine].write_clkdiv(1 << 16);
            }
        }
        let mut passed = 0;
        let mut until_dma = 0;
        while passed < cycles {
            self.chip.steps += 1;
            if self.chip.dma && until_dma == 0 {
                self.serve_dma(DMA_EVERY);
                until_dma = DMA_EVERY;
                if to_event && !self.chip.dma {
                    break;
                }
            }
            let mut step = (cycles - passed).min(if self.chip.dma { until_dma } else { u64::MAX });
            for (activity, divider) in self.chip.pio.iter().zip(dividers).filter(|(activity, _)| activity.moving) {
                let ticks = divider.map_or(1, |(_, divider)| divider.saturating_sub(activity.phase).div_ceil(256));
                step = step.min(u64::from(ticks).max(1));
            }
            self.chip.clock.advance(step);
            for (block, divider) in dividers.into_iter().enumerate() {
                let activity = &mut self.chip.pio[block];
                if activity.moving {
                    activity.phase += 256 * step as u32;
                    if activity.phase >= divider.map_or(0, |(_, divider)| divider) {
                        activity.phase -= divider.map_or(activity.phase, |(_, divider)| divider);
                        self.step_block(block);
                    }
                }
            }
            passed += step;
            until_dma = until_dma.saturating_sub(step);
        }
        for (block, divider) in dividers.into_iter().enumerate() {
            if let Some((machine, divider)) = divider {
                self.bus.pio_mut()[block].sm[machine].write_clkdiv(divider << 8);
            }
            if self.chip.pio[block].moving && self.block_waits(block) {
                self.chip.pio[block].moving = false;
            }
        }
        passed
    }

    /// The only enabled state machine of a moving block, and its clock divider in units of 1/256.
    fn divider(&self, block: usize) -> Option<(usize, u32)> {
        let pio = self.bus.pio().get(block)?;
        let enabled = pio.sm_enabled_mask();
        let machine = enabled.trailing_zeros() as usize;
        let divider = (enabled.count_ones() == 1).then(|| pio.sm[machine].read_clkdiv() >> 8)?;
        (self.chip.pio[block].moving && divider >= 256).then_some((machine, divider))
    }

    /// One tick of a PIO block; an edge of the LED pin goes to the decoder, of another, or one that is probed, to the board.
    fn step_block(&mut self, block: usize) {
        let pin = self.chip.wiring().leds;
        let pio = &mut self.bus.pio_mut()[block];
        let before = (pio.pad_out, pio.pad_oe);
        pio.step(self.chip.pins.inputs());
        let after = (pio.pad_out, pio.pad_oe);
        if before == after {
            return;
        }
        let others = !(1 << pin);
        let is_probed = self.chip.probe.as_ref().is_some_and(|probe| probe.mask >> pin & 1 == 1);
        if is_probed || (before.0 ^ after.0 | before.1 ^ after.1) & others != 0 {
            self.pins_changed();
        } else if self.chip.pins.led_block() == Some(block) {
            self.chip.chain.edge(self.chip.clock.now_ns(), after.0 & after.1 & 1 << pin != 0);
        }
    }

    /// All enabled state machines of the block have stalled on an empty FIFO since data last came in.
    fn block_waits(&mut self, block: usize) -> bool {
        const FSTAT: u32 = 0x004;
        let stalls = self.chip.pio[block].stalls;
        let pio = &mut self.bus.pio_mut()[block];
        let empty = pio.read32(FSTAT) >> 24;
        (0..4).all(|index| {
            let machine = &pio.sm[index];
            let instruction = pio.instr_mem()[usize::from(machine.pc()) & 31];
            // OUT, or PULL: what waits for the FIFO and for nothing else.
            let wants_data = instruction >> 13 == 0b011 || instruction >> 13 == 0b100 && instruction & 0x80 != 0;
            !machine.enabled() || wants_data && empty >> index & 1 != 0 && machine.stall_cycles > stalls[index]
        })
    }

    /// Registers or data of a PIO block were written.
    pub fn wake_block(&mut self, block: usize) {
        let machines = &self.bus.pio()[block].sm;
        let activity = &mut self.chip.pio[block];
        activity.moving = true;
        activity.stalls = core::array::from_fn(|index| machines[index].stall_cycles);
    }

    /// Moves up to `most` words.
    fn serve_dma(&mut self, most: u64) {
        if self.chip.dma_stopped {
            self.chip.dma = false;
            return;
        }
        for _ in 0..most {
            let (busy, ready) = self.bus.dma_state();
            self.chip.dma = busy;
            if !ready {
                return;
            }
            self.chip.steps += 1;
            self.bus.tick_dma();
            (0..self.bus.pio().len()).for_each(|block| self.wake_block(block));
        }
    }
}
