//! The emulated time of all parts except the core.
//!
//! The core runs ahead of the peripherals, at most to the next event that can interrupt it. The peripherals **catch
//! up** before the core accesses one of them, and when the core stops running. While the core sleeps, only the
//! peripherals advance.
//!
//! A running PIO program is stepped tick by tick, and the edges of the LED pin go to the decoder with their exact time.
//! Two rules make this fast:
//! - A state machine that is stalled on an empty FIFO does nothing until the FIFO is written. When all state machines
//!   of a block are stalled, the block is idle and needs no stepping. That is the usual state between frames.
//! - When a single state machine runs, as it does for a frame, its delay cycles are skipped in one step, and the DMA is
//!   checked again only when the FIFO requests of that state machine change.

use crate::chip::CoreBusView;
use crate::chip_interface::ChipBus;
use crate::memory_power::AccessKind;
use crate::register_trace::RegisterAccess;

/// Cycles between two checks of the DMA, and the words that it can transfer in that time.
const DMA_EVERY: u64 = 32;

/// Largest number of PIO blocks of a chip.
pub(crate) const BLOCKS: usize = 3;

/// The progress of a PIO block.
#[derive(Clone, Debug, Default)]
pub(crate) struct Activity {
    /// Whether the block needs stepping.
    pub is_running: bool,
    /// Stall cycles of each state machine when data last arrived.
    stalls: [u64; 4],
    /// Progress of the clock divider, in 1/256 cycles.
    phase: u32,
    /// Remaining delay ticks of the only enabled state machine.
    delay: u32,
}

/// The only enabled state machine of a running PIO block.
#[derive(Clone, Copy)]
struct SoleMachine {
    block: usize,
    machine: usize,
    /// Clock divider, in units of 1/256.
    divider: u32,
    /// The delay bits in the upper half of an instruction.
    delay_mask: u32,
}

/// The DMA requests of a state machine's FIFOs: TX (for data to send) and RX (received data can be read).
type FifoRequests = (bool, bool);

impl<B: ChipBus> CoreBusView<'_, B> {
    /// Advances the peripherals to the time of the core.
    pub(crate) fn catch_up(&mut self) {
        let cycles = core::mem::take(&mut self.chip.ahead);
        if cycles > 0 {
            self.pass(cycles, false);
        }
    }

    /// Advances everything except the core by `cycles`. With `to_event`, it stops earlier when the DMA finishes.
    /// Returns the cycles that have passed.
    pub(crate) fn pass(&mut self, cycles: u64, to_event: bool) -> u64 {
        let passed = if self.chip.is_busy() {
            self.pass_stepwise(cycles, to_event)
        } else {
            self.chip.clock.advance(cycles);
            cycles
        };
        self.bus.advance(passed);
        passed
    }

    /// Lets cycles pass while PIO or DMA is busy, from one tick of a state machine to the next.
    ///
    /// A block with one enabled state machine is stepped only at the ticks of that machine: meanwhile the divider of
    /// the machine is set to 1, and the clock is divided here. The emulator crate would count each cycle up to the
    /// tick, which is sixteen times the work for the LED program.
    fn pass_stepwise(&mut self, cycles: u64, to_event: bool) -> u64 {
        let machines: [Option<SoleMachine>; BLOCKS] = core::array::from_fn(|block| self.sole_machine(block));
        for sole in machines.iter().flatten() {
            self.bus.pio_mut()[sole.block].sm[sole.machine].write_clkdiv(1 << 16);
        }
        let passed = self.step_pio_and_dma(&machines, cycles, to_event);
        for (block, sole) in machines.into_iter().enumerate() {
            if let Some(SoleMachine { machine, divider, .. }) = sole {
                self.bus.pio_mut()[block].sm[machine].write_clkdiv(divider << 8);
            }
            if self.chip.pio[block].is_running && self.is_block_stalled(block) {
                self.chip.pio[block].is_running = false;
            }
        }
        passed
    }

    /// Steps PIO and DMA for `cycles`. Returns the cycles that have passed: fewer if `to_event` is set and the DMA
    /// finishes earlier.
    fn step_pio_and_dma(&mut self, machines: &[Option<SoleMachine>; BLOCKS], cycles: u64, to_event: bool) -> u64 {
        let mut passed = 0;
        let mut until_dma = 0;
        // The requests of the only running state machine at the last check, if the DMA could transfer nothing for them.
        let mut refused: Option<FifoRequests> = None;
        while passed < cycles {
            self.chip.steps += 1;
            if self.chip.dma && until_dma == 0 {
                until_dma = DMA_EVERY;
                if refused.is_none() || refused != self.only_running(machines).map(|sole| self.requests(sole)) {
                    let waits = self.serve_dma(DMA_EVERY);
                    if to_event && !self.chip.dma {
                        break;
                    }
                    refused = self.only_running(machines).filter(|_| waits).map(|sole| self.requests(sole));
                }
            }
            let left = cycles - passed;
            let Some(sole) = self.only_running(machines) else {
                refused = None;
                let step = self.step_all(machines, left.min(if self.chip.dma { until_dma } else { u64::MAX }));
                passed += step;
                until_dma = until_dma.saturating_sub(step);
                continue;
            };
            let is_refused = refused == Some(self.requests(sole));
            let most = if self.chip.dma && !is_refused { left.min(until_dma) } else { left };
            let step = self.step_sole_machine(sole, most, refused.filter(|_| is_refused));
            passed += step;
            // Refused requests need no check. The checks of other requests stay at the same cycles as without this
            // rule.
            until_dma =
                until_dma.checked_sub(step).unwrap_or_else(|| (DMA_EVERY - (step - until_dma) % DMA_EVERY) % DMA_EVERY);
        }
        passed
    }

    /// The only enabled state machine of a block, if the block is running and has only one.
    fn sole_machine(&mut self, block: usize) -> Option<SoleMachine> {
        const PINCTRL: u32 = 0x0DC;
        const NEXT_MACHINE: u32 = 0x18;
        if !self.chip.pio[block].is_running {
            return None;
        }
        let pio = self.bus.pio_mut().get_mut(block)?;
        let enabled = pio.sm_enabled_mask();
        let machine = enabled.trailing_zeros() as usize;
        let divider = (enabled.count_ones() == 1).then(|| pio.sm[machine].read_clkdiv() >> 8)?;
        let side_set_bits = pio.read32(PINCTRL + NEXT_MACHINE * machine as u32) >> 29;
        let delay_mask = (1 << 5_u32.saturating_sub(side_set_bits)) - 1;
        (divider >= 256).then_some(SoleMachine { block, machine, divider, delay_mask })
    }

    /// The sole machine of a block, if no other block is running.
    fn only_running(&self, machines: &[Option<SoleMachine>; BLOCKS]) -> Option<SoleMachine> {
        let mut running = (0..BLOCKS).filter(|block| self.chip.pio[*block].is_running);
        let block = running.next()?;
        machines[block].filter(|_| running.next().is_none())
    }

    /// The present requests of a state machine's FIFOs.
    fn requests(&self, SoleMachine { block, machine, .. }: SoleMachine) -> FifoRequests {
        let pio = &self.bus.pio()[block];
        (pio.tx_dreq(machine), pio.rx_dreq(machine))
    }

    /// Advances all running blocks to the next tick, by at most `most` cycles. Returns the cycles that have passed.
    fn step_all(&mut self, machines: &[Option<SoleMachine>; BLOCKS], most: u64) -> u64 {
        let mut step = most;
        for (activity, sole) in self.chip.pio.iter().zip(machines).filter(|(activity, _)| activity.is_running) {
            let ticks = sole.map_or(1, |sole| sole.divider.saturating_sub(activity.phase).div_ceil(256));
            step = step.min(u64::from(ticks).max(1));
        }
        self.chip.clock.advance(step);
        for (block, sole) in machines.iter().enumerate() {
            let activity = &mut self.chip.pio[block];
            if activity.is_running {
                activity.phase += 256 * step as u32;
                if activity.phase >= sole.map_or(0, |sole| sole.divider) {
                    activity.phase -= sole.map_or(activity.phase, |sole| sole.divider);
                    activity.delay = 0;
                    self.step_block(block);
                }
            }
        }
        step
    }

    /// Lets `cycles` pass for the only running state machine, or fewer if its requests change from the `refused` ones.
    /// Returns the cycles that have passed.
    fn step_sole_machine(&mut self, sole: SoleMachine, cycles: u64, refused: Option<FifoRequests>) -> u64 {
        let SoleMachine { block, machine, divider, delay_mask } = sole;
        let mut left = cycles;
        while left > 0 {
            let activity = &mut self.chip.pio[block];
            let phase = activity.phase;
            if activity.delay > 0 && phase < divider {
                left -= self.skip_delay(sole, left);
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
                // The instruction was executed and did not stall.
                self.chip.pio[block].delay = u32::from(instruction >> 8) & delay_mask;
            }
            if refused.is_some_and(|refused| refused != self.requests(sole)) {
                break;
            }
        }
        cycles - left
    }

    /// Lets the delay of the only running state machine pass in one step of at most `most` cycles: no pin changes
    /// during a delay. Returns the cycles that have passed.
    fn skip_delay(&mut self, SoleMachine { block, machine, divider, .. }: SoleMachine, most: u64) -> u64 {
        let activity = &mut self.chip.pio[block];
        let (phase, divider) = (u64::from(activity.phase), u64::from(divider));
        let whole = (u64::from(activity.delay) * divider - phase).div_ceil(256);
        let step = whole.min(most);
        let ticks = if whole <= most { activity.delay } else { ((phase + 256 * step) / divider) as u32 };
        activity.phase = (phase + 256 * step - u64::from(ticks) * divider) as u32;
        activity.delay -= ticks;
        self.chip.clock.advance(step);
        let pio = &mut self.bus.pio_mut()[block];
        let program = *pio.instr_mem();
        for _ in 0..ticks {
            // Counts the delay down; no flag and no pin changes.
            pio.sm[machine].execute_cycle(&program, &mut 0, 0, &mut 0, &mut 0);
        }
        step
    }

    /// One tick of a PIO block. An edge of the LED pin alone goes straight to the decoder. If another pin changes, or
    /// the logic analyser records the LED pin, all pins are updated.
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
        let is_recorded = self.chip.analyser.as_ref().is_some_and(|analyser| analyser.mask >> pin & 1 == 1);
        if is_recorded || (before.0 ^ after.0 | before.1 ^ after.1) & others != 0 {
            self.pins_changed();
        } else if self.chip.pins.led_block() == Some(block) {
            self.chip.chain.edge(self.chip.clock.now_ns(), after.0 & after.1 & 1 << pin != 0);
        }
    }

    /// Whether all enabled state machines of the block have stalled on an empty FIFO since data last arrived.
    fn is_block_stalled(&mut self, block: usize) -> bool {
        const FSTAT: u32 = 0x004;
        let stalls = self.chip.pio[block].stalls;
        let pio = &mut self.bus.pio_mut()[block];
        let empty = pio.read32(FSTAT) >> 24;
        (0..4).all(|index| {
            let machine = &pio.sm[index];
            let instruction = pio.instr_mem()[usize::from(machine.pc()) & 31];
            // OUT and PULL wait only for the FIFO.
            let needs_data = instruction >> 13 == 0b011 || instruction >> 13 == 0b100 && instruction & 0x80 != 0;
            !machine.enabled() || needs_data && empty >> index & 1 != 0 && machine.stall_cycles > stalls[index]
        })
    }

    /// Makes a PIO block run again after a write to its registers or FIFOs.
    pub(crate) fn wake_block(&mut self, block: usize) {
        let machines = &self.bus.pio()[block].sm;
        let activity = &mut self.chip.pio[block];
        activity.is_running = true;
        activity.delay = 0;
        activity.stalls = core::array::from_fn(|index| machines[index].stall_cycles);
    }

    /// Transfers up to `most` words. Returns whether a transfer is unfinished and waits for a request.
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
                // A block without an enabled state machine does nothing with its data.
                if self.bus.pio()[block].any_sm_enabled() {
                    self.wake_block(block);
                }
            }
        }
        false
    }

    /// Records the accesses that the DMA is about to make.
    fn watch_dma(&mut self) {
        let now = self.now();
        for address in self.bus.dma_addresses() {
            self.note(address, RegisterAccess::Dma);
            self.chip.memory.check_access(address, AccessKind::Dma, now);
            self.chip.flash_guard.note(address, AccessKind::Dma, now);
        }
    }
}
