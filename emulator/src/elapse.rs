//! How time passes for everything but the core.
//!
//! The core runs ahead of the rest of the chip, at most until the next thing that could interrupt it; before it touches a
//! peripheral, and when it gives control back, the rest **catches up**. While the core sleeps, the rest goes on alone.
//!
//! While a PIO program moves, it is stepped tick by tick and the LED pin's edges go to the decoder with their exact time.
//! A state machine that waits for data with an empty FIFO cannot do anything until someone writes to it; when all are
//! like that the block rests and time passes it by for free. That is what makes a still board fast. When a single state
//! machine moves, as it does for a frame, its delays pass at once, and the DMA is looked at again only when the FIFOs
//! of that machine request something else.

use crate::chip::View;
use crate::memory_power::AccessKind;
use crate::register_trace::Touch;
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
    /// Ticks in which the only state machine does nothing, because it delays.
    delay: u32,
}

/// A moving PIO block with one enabled state machine.
#[derive(Clone, Copy)]
struct Mover {
    block: usize,
    machine: usize,
    /// Its clock divider, in units of 1/256.
    divider: u32,
    /// The bits of an instruction's upper half that are its delay.
    delay_mask: u32,
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
        let movers: [Option<Mover>; BLOCKS] = core::array::from_fn(|block| self.mover(block));
        for mover in movers.iter().flatten() {
            self.bus.pio_mut()[mover.block].sm[mover.machine].write_clkdiv(1 << 16);
        }
        let mut passed = 0;
        let mut until_dma = 0;
        // What the FIFOs of the only mover requested when the DMA could not move a word for it.
        let mut refused = None;
        while passed < cycles {
            self.chip.steps += 1;
            if self.chip.dma && until_dma == 0 {
                until_dma = DMA_EVERY;
                if refused.is_none() || refused != self.only(&movers).map(|mover| self.requests(mover)) {
                    let waits = self.serve_dma(DMA_EVERY);
                    if to_event && !self.chip.dma {
                        break;
                    }
                    refused = self.only(&movers).filter(|_| waits).map(|mover| self.requests(mover));
                }
            }
            let left = cycles - passed;
            let Some(mover) = self.only(&movers) else {
                refused = None;
                let step = self.step_all(&movers, left.min(if self.chip.dma { until_dma } else { u64::MAX }));
                passed += step;
                until_dma = until_dma.saturating_sub(step);
                continue;
            };
            let is_refused = refused == Some(self.requests(mover));
            let most = if self.chip.dma && !is_refused { left.min(until_dma) } else { left };
            let step = self.step_mover(mover, most, refused.filter(|_| is_refused));
            passed += step;
            // Requests that were refused need no look; others get theirs in the same cycles as without this rule.
            until_dma =
                until_dma.checked_sub(step).unwrap_or_else(|| (DMA_EVERY - (step - until_dma) % DMA_EVERY) % DMA_EVERY);
        }
        for (block, mover) in movers.into_iter().enumerate() {
            if let Some(Mover { machine, divider, .. }) = mover {
                self.bus.pio_mut()[block].sm[machine].write_clkdiv(divider << 8);
            }
            if self.chip.pio[block].moving && self.block_waits(block) {
                self.chip.pio[block].moving = false;
            }
        }
        passed
    }

    /// The only enabled state machine of a moving block.
    fn mover(&mut self, block: usize) -> Option<Mover> {
        const PINCTRL: u32 = 0x0DC;
        const NEXT_MACHINE: u32 = 0x18;
        if !self.chip.pio[block].moving {
            return None;
        }
        let pio = self.bus.pio_mut().get_mut(block)?;
        let enabled = pio.sm_enabled_mask();
        let machine = enabled.trailing_zeros() as usize;
        let divider = (enabled.count_ones() == 1).then(|| pio.sm[machine].read_clkdiv() >> 8)?;
        let side_set_bits = pio.read32(PINCTRL + NEXT_MACHINE * machine as u32) >> 29;
        let delay_mask = (1 << 5_u32.saturating_sub(side_set_bits)) - 1;
        (divider >= 256).then_some(Mover { block, machine, divider, delay_mask })
    }

    /// The mover, if nothing else moves.
    fn only(&self, movers: &[Option<Mover>; BLOCKS]) -> Option<Mover> {
        let mut moving = (0..BLOCKS).filter(|block| self.chip.pio[*block].moving);
        let block = moving.next()?;
        movers[block].filter(|_| moving.next().is_none())
    }

    /// Whether its FIFOs want to be filled, and to be emptied.
    fn requests(&self, Mover { block, machine, .. }: Mover) -> (bool, bool) {
        let pio = &self.bus.pio()[block];
        (pio.tx_dreq(machine), pio.rx_dreq(machine))
    }

    /// Lets all moving blocks go on to the next tick, within `most` cycles. Gives the cycles that took.
    fn step_all(&mut self, movers: &[Option<Mover>; BLOCKS], most: u64) -> u64 {
        let mut step = most;
        for (activity, mover) in self.chip.pio.iter().zip(movers).filter(|(activity, _)| activity.moving) {
            let ticks = mover.map_or(1, |mover| mover.divider.saturating_sub(activity.phase).div_ceil(256));
            step = step.min(u64::from(ticks).max(1));
        }
        self.chip.clock.advance(step);
        for (block, mover) in movers.iter().enumerate() {
            let activity = &mut self.chip.pio[block];
            if activity.moving {
                activity.phase += 256 * step as u32;
                if activity.phase >= mover.map_or(0, |mover| mover.divider) {
                    activity.phase -= mover.map_or(activity.phase, |mover| mover.divider);
                    activity.delay = 0;
                    self.step_block(block);
                }
            }
        }
        step
    }

    /// Lets `cycles` pass for the only mover, or fewer if its FIFOs come to request something else than what was
    /// `refused`. Gives the cycles that have passed.
    fn step_mover(&mut self, mover: Mover, cycles: u64, refused: Option<(bool, bool)>) -> u64 {
        let Mover { block, machine, divider, delay_mask } = mover;
        let mut left = cycles;
        while left > 0 {
            let activity = &mut self.chip.pio[block];
            let phase = activity.phase;
            if activity.delay > 0 && phase < divider {
                // No pin changes before the delay is over.
                let (phase, divider) = (u64::from(phase), u64::from(divider));
                let whole = (u64::from(activity.delay) * divider - phase).div_ceil(256);
                let step = whole.min(left);
                let ticks = if whole <= left { activity.delay } else { ((phase + 256 * step) / divider) as u32 };
                activity.phase = (phase + 256 * step - u64::from(ticks) * divider) as u32;
                activity.delay -= ticks;
                self.chip.clock.advance(step);
                let pio = &mut self.bus.pio_mut()[block];
                let program = *pio.instr_mem();
                for _ in 0..ticks {
                    // Counts its delay down and touches nothing else: no flag, no pin.
                    pio.sm[machine].execute_cycle(&program, &mut 0, 0, &mut 0, &mut 0);
                }
                left -= step;
                continue;
            }
            let to_tick = u64::from(divider.saturating_sub(phase).div_ceil(256)).max(1);
            let step = to_tick.min(left);
            activity.phase += 256 * step as u32;
            self.chip.clock.advance(step);
            left -= step;
            if step < to_tick {
                break;
            }
            activity.phase -= divider;
            let pio = &self.bus.pio()[block];
            let pc = usize::from(pio.sm[machine].pc()) & 31;
            let (instruction, visits) = (pio.instr_mem()[pc], pio.sm[machine].pc_visits[pc]);
            self.step_block(block);
            if self.bus.pio()[block].sm[machine].pc_visits[pc] != visits {
                // It was executed, and did not stall.
                self.chip.pio[block].delay = u32::from(instruction >> 8) & delay_mask;
            }
            if refused.is_some_and(|refused| refused != self.requests(mover)) {
                break;
            }
        }
        cycles - left
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
        activity.delay = 0;
        activity.stalls = core::array::from_fn(|index| machines[index].stall_cycles);
    }

    /// Moves up to `most` words; gives whether more are to be moved but none is requested.
    fn serve_dma(&mut self, most: u64) -> bool {
        if self.chip.dma_stopped {
            self.chip.dma = false;
            return false;
        }
        for _ in 0..most {
            let (busy, ready) = self.bus.dma_state();
            self.chip.dma = busy;
            if !ready {
                return busy;
            }
            self.chip.steps += 1;
            if self.chip.trace.is_on() || self.chip.memory.any_off() || self.chip.flash_guard.is_on() {
                self.watch_dma();
            }
            self.bus.tick_dma();
            for block in 0..self.bus.pio().len() {
                // One without an enabled state machine has nothing to do with its data.
                if self.bus.pio()[block].any_sm_enabled() {
                    self.wake_block(block);
                }
            }
        }
        false
    }

    /// Notes what the DMA is about to touch.
    fn watch_dma(&mut self) {
        let now = self.now();
        for address in self.bus.dma_addresses() {
            self.note(address, Touch::Dma);
            self.chip.memory.touch(address, AccessKind::Dma, now);
            self.chip.flash_guard.note(address, AccessKind::Dma, now);
        }
    }
}
