//! The RP2040, on the emulator `rp2040-emu`: what only this chip has, and what its emulator leaves out.
//!
//! The emulator's core runs against a bus of our own: `core_bus` tells where an address goes, `registers` what is there, `interrupts` which of them are taken. `rom` is the
//! stand-in for the boot ROM.

mod core_bus;
mod interrupts;
mod registers;
pub(crate) mod rom;

use crate::chip::{ChipState, View};
use crate::chip_interface::{Chip, ChipBus, Outcome, PioBlock, Position, Silicon, is_dma_target};
use crate::common_instructions::{Core, DecodedCode, Reach, System};
use crate::gpio::{PinInterrupts, PinSettings, pins_where};
use crate::memory_power::AccessKind;
use crate::profiler::{Meter, Moment};
use rp2040_emu::bus::DMA_BASE;
use rp2040_emu::dma::NUM_CHANNELS;
use rp2040_emu::{Bus, Config, CortexM0Plus, Emulator, ROM_SIZE, SRAM_SIZE, bank_for_address};

/// Where the vector table is in flash, behind the second-stage boot loader.
const VECTORS: u32 = 0x100;

/// A register of the DMA that stops channels.
const CHANNEL_ABORT: u32 = DMA_BASE + 0x444;

/// Bytes of its flash.
const FLASH: usize = Chip::Rp2040.flash_size();

/// Core, memory and registers.
pub(crate) struct Rp2040 {
    emulator: Emulator,
    decoded: DecodedCode,
    /// Bytes that a long copy of the boot ROM has done so far.
    copied: u32,
}

impl Rp2040 {
    /// With its boot ROM, and nothing in its flash.
    pub fn new() -> Self {
        let mut emulator = Emulator::new(Config::default());
        emulator.load_bootrom(&rom::image());
        Self { emulator, decoded: DecodedCode::new(SRAM_SIZE), copied: 0 }
    }

    fn view<'a>(&'a mut self, chip: &'a mut ChipState) -> View<'a, Bus> {
        View { bus: &mut self.emulator.bus, chip }
    }

    fn core(&self) -> &CortexM0Plus {
        &self.emulator.cores[0]
    }
}

impl Silicon for Rp2040 {
    fn load_flash(&mut self, image: &[u8]) {
        self.emulator.load_flash(image);
    }

    fn boot(&mut self, chip: &mut ChipState) -> bool {
        self.emulator.reset();
        self.copied = 0;
        self.emulator.direct_boot_from_flash(VECTORS);
        self.view(chip).restarted();
        true
    }

    fn run_core(&mut self, chip: &mut ChipState, meter: &mut Meter, budget: u64) {
        let metering = meter.is_on();
        let core = &mut self.emulator.cores[0];
        let mut view = View { bus: &mut self.emulator.bus, chip };
        let end = view.chip.clock.cycles() + budget;
        view.chip.stop = false;
        // Nothing interrupts the fault handler; not showing it what is pending spares the core looking at every step.
        let in_fault = core.is_in_hardfault();
        let held = if in_fault { core::mem::take(&mut view.bus.nvics[0].pending) } else { 0 };
        loop {
            if metering {
                meter.at(moment(core, &view));
            }
            let is_fast = !meter.follows_core() && !view.chip.memory.any_off();
            if is_fast && view.is_undisturbed(core.regs.primask & 1 != 0) {
                let budget = end.saturating_sub(view.cycle());
                let waiting = !view.is_undisturbed(false);
                let without_waiting = view.chip.flash_cache.is_none();
                let is_flash_free = without_waiting && !view.chip.flash_guard.is_on();
                let written = &mut view.bus.pending_cache_invalidations;
                let reach = Reach {
                    memory: &mut view.bus.memory,
                    written,
                    // The cache of the flash counts what the core decodes again, so there every write is noted.
                    decoded: without_waiting.then_some(&self.decoded),
                    sram: SRAM_SIZE,
                    flash: if is_flash_free { FLASH } else { 0 },
                };
                let registers = &mut core.regs;
                // A meter looks at the mask, and a trace at the spinlocks.
                let system = (!metering && !view.chip.trace.is_on()).then_some(System {
                    primask: &mut registers.primask,
                    waiting,
                    locks: &mut view.bus.sio,
                });
                let mut common = Core::<false>::new(&mut registers.r, &mut registers.xpsr, reach, system);
                let cycles = if metering { common.run_to(budget, |pc| meter.stops_at(pc)) } else { common.run(budget) };
                view.chip.ahead += cycles;
                drop_decoded(core, view.bus);
                if view.cycle() >= end || core.regs.pc() < ROM_SIZE as u32 {
                    break;
                }
                if metering && cycles > 0 {
                    meter.at(moment(core, &view));
                }
            }
            let pc = core.regs.pc();
            if view.chip.memory.any_off() {
                let now = view.now();
                view.chip.memory.touch(pc, AccessKind::Fetch, now);
            }
            (view.chip.flash_guard.pc, view.chip.flash_guard.in_handler) = (pc, core.regs.xpsr & 0x1FF != 0);
            view.fetch(pc);
            self.decoded.note(pc);
            // The core enters an exception only when none is at work: hide those that a more urgent one may interrupt.
            let mut hidden = 0;
            if view.bus.ppb[0].active != 0 && view.bus.nvics[0].pending_and_enabled() != 0 && view.is_preempted() {
                hidden = core::mem::take(&mut view.bus.ppb[0].active);
            }
            let cycles = core.step(&mut view);
            view.bus.ppb[0].active |= hidden;
            if core::mem::take(&mut view.chip.entered) {
                // Entering clears the pending bit; the emulator forgets that for interrupts 26 to 31.
                let exception = core.regs.xpsr & 0x1FF;
                view.bus.nvics[0].pending &= !(1u32.checked_shl(exception.wrapping_sub(16)).unwrap_or(0));
            }
            drop_decoded(core, view.bus);
            view.chip.ahead += u64::from(cycles);
            // A step that takes no time is for the machine to look at.
            let over = core.is_halted() || view.chip.stop || cycles == 0;
            let pc_now = core.regs.pc();
            if pc_now == pc && cycles > 0 && view.bus.memory.peek32(pc) as u16 == rom::LOOP {
                // `b .` goes on until something interrupts it.
                let now = view.chip.clock.cycles() + view.chip.ahead;
                view.chip.ahead += end.saturating_sub(now);
            }
            if over || pc_now < ROM_SIZE as u32 || view.chip.clock.cycles() + view.chip.ahead >= end {
                break;
            }
        }
        view.bus.nvics[0].pending |= held;
        // An ISB asks for the whole cache to be dropped: not needed, entries are dropped as they are written.
        view.bus.pending_invalidation_regions = 0;
        view.catch_up();
        view.raise_interrupts();
        view.clocks_changed();
    }

    fn is_asleep(&mut self, chip: &mut ChipState) -> bool {
        if self.core().is_halted() || self.emulator.bus.wfe_waiting[0] {
            // A key may have been pressed since time last passed.
            self.view(chip).raise_interrupts();
        }
        let bus = &mut self.emulator.bus;
        let core = &mut self.emulator.cores[0];
        let interrupt = bus.nvics[0].pending_and_enabled() != 0;
        if core.is_halted() {
            // A fault in the fault handler locks the core up: only a reset helps. WFI sleeps until an interrupt.
            chip.locked_up |= core.is_in_hardfault();
            if interrupt && !core.is_in_hardfault() {
                core.wake();
            }
        } else if bus.wfe_waiting[0] {
            let taken = interrupt && core.regs.primask & 1 == 0;
            if core::mem::take(&mut bus.event_flag[0]) || taken {
                bus.wfe_waiting[0] = false;
            }
        }
        core.is_halted() || bus.wfe_waiting[0]
    }

    fn pass(&mut self, chip: &mut ChipState, cycles: u64, to_event: bool) {
        self.view(chip).pass(cycles, to_event);
        // What the DMA has written while the core did not run.
        drop_decoded(&mut self.emulator.cores[0], &mut self.emulator.bus);
    }

    fn raise_interrupts(&mut self, chip: &mut ChipState) {
        self.view(chip).raise_interrupts();
    }

    fn pend(&mut self, lines: u64) {
        self.emulator.bus.nvics[0].pending |= lines as u32;
    }

    fn position(&self) -> Position {
        let registers = &self.core().regs;
        Position { pc: registers.pc(), stack: registers.r[13], exception: registers.xpsr & 0x1FF }
    }

    /// The Cortex-M0+ has none.
    fn stack_limit(&self) -> u32 {
        0
    }

    fn is_interrupted(&mut self, chip: &mut ChipState) -> bool {
        let masked = self.core().regs.primask & 1 != 0;
        let view = self.view(chip);
        !view.is_undisturbed(masked)
    }

    fn settle_pins(&mut self, chip: &mut ChipState) {
        self.view(chip).settle_pins();
    }

    fn pins_changed(&mut self, chip: &mut ChipState) {
        self.view(chip).pins_changed();
    }

    fn is_in_rom(&self) -> bool {
        self.core().regs.pc() < ROM_SIZE as u32
    }

    fn call_rom(&mut self, chip: &mut ChipState) -> Outcome {
        let core = &mut self.emulator.cores[0];
        let pc = core.regs.pc();
        if chip.memory.any_off() {
            let now = chip.clock.now_ns();
            chip.memory.touch(pc, AccessKind::Fetch, now);
        }
        let outcome = rom::run(pc, &mut core.regs, &mut self.emulator.bus, &mut self.copied);
        drop_decoded(core, &mut self.emulator.bus);
        outcome
    }

    fn return_from_rom(&mut self) {
        let registers = &mut self.emulator.cores[0].regs;
        registers.set_pc(registers.r[14] & !1);
    }

    fn peek32(&self, address: u32) -> u32 {
        self.emulator.bus.peek32(address)
    }

    fn peek8(&self, address: u32) -> u8 {
        self.emulator.bus.memory.peek8(address)
    }

    fn poke32(&mut self, address: u32, value: u32) {
        self.emulator.bus.poke32(address, value);
    }

    fn plant(&mut self, address: u32, bytes: &[u8]) {
        for (address, &byte) in (address..).zip(bytes) {
            self.emulator.bus.write8(address, byte);
        }
        drop_decoded(&mut self.emulator.cores[0], &mut self.emulator.bus);
    }

    fn registers(&mut self) -> &mut [u32; 16] {
        &mut self.emulator.cores[0].regs.r
    }

    fn may_go_astray(&self) -> bool {
        true
    }

    fn rouse(&mut self) {
        self.copied = 0;
        self.emulator.bus.wfe_waiting[0] = false;
        let core = &mut self.emulator.cores[0];
        if core.is_halted() && !core.is_in_hardfault() {
            core.wake();
        }
    }

    #[cfg(test)]
    fn unseen_writes(&self) -> usize {
        self.emulator.bus.pending_cache_invalidations.len()
    }
}

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
        /// Output disable and input enable; and what an analogue input wants of them. A pull only moves its level.
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
        /// Interrupt registers in IO_BANK0, four of a kind: enabled, then forced.
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
            // The first of them is the one that moves a word.
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
        // The emulator's own count of cycles: its PLLs lock by it.
        self.advance_lazy_scheduled(cycles);
    }
}

/// The bit in MEMPOWERDOWN of the memory that an address is in: 0 to 5 the SRAM banks, 6 the RAM of USB, 7 the boot ROM. The
/// first four banks share their addresses word by word.
pub(crate) fn memory(address: u32) -> Option<u32> {
    const USB_RAM: u32 = 6;
    const ROM: u32 = 7;
    const USB_RAM_BASE: u32 = 0x5010_0000;
    match address >> 24 {
        0x00 => ((address as usize) < ROM_SIZE).then_some(ROM),
        // The other view of the first four banks, one after the other.
        0x21 => (address & 0x00FF_FFFF < 0x4_0000).then_some(address >> 16 & 3),
        0x20 | 0x22 | 0x23 => bank_for_address(address).map(u32::from),
        _ => (address & 0xFFFF_0000 == USB_RAM_BASE).then_some(USB_RAM),
    }
}

/// What the core is about to do.
fn moment(core: &CortexM0Plus, view: &View<'_, Bus>) -> Moment {
    Moment {
        pc: core.regs.pc(),
        lr: core.regs.r[14],
        sp: core.regs.r[13],
        handler: core.regs.xpsr & 0x1FF != 0,
        masked: core.regs.primask & 1 != 0,
        cycles: view.cycle(),
    }
}

/// The core caches decoded instructions; what has just been written may be one.
fn drop_decoded(core: &mut CortexM0Plus, bus: &mut Bus) {
    if !bus.pending_cache_invalidations.is_empty() {
        core.invalidate_decode_cache_entries(&bus.pending_cache_invalidations);
        bus.pending_cache_invalidations.clear();
    }
}
