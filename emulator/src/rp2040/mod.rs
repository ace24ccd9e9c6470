//! The RP2040, on the emulator crate `rp2040-emu`: the properties of this chip, and additions to the emulator crate.
//!
//! The core of the emulator crate runs on the bus of this crate:
//! - `execution` runs instructions;
//! - `core_bus` maps addresses to memory, flash, peripherals and SIO;
//! - `registers` implements peripheral registers;
//! - `interrupts` decides which interrupts are taken;
//! - `chip_bus` gives the chip-independent code access to pins, PIO and DMA;
//! - `rom` replaces the boot ROM, and `float` its floating-point functions.

mod chip_bus;
mod core_bus;
mod execution;
mod float;
mod interrupts;
mod registers;
pub(crate) mod rom;

use crate::chip::{ChipState, CoreBusView};
use crate::chip_interface::{Chip, ChipModel, Position, RomCallResult};
use crate::common_instructions::DecodedCode;
use crate::memory_power::AccessKind;
use crate::profiler::Profiler;
use execution::{core_state, drop_decoded, run_common, step};
use rp2040_emu::{Bus, Config, CortexM0Plus, Emulator, ROM_SIZE, SRAM_SIZE, bank_for_address};

/// The offset of the vector table in flash, after the second-stage bootloader.
const VECTORS: u32 = 0x100;
/// The exception number in the program status register.
const EXCEPTION: u32 = 0x1FF;
/// The size of the flash, in bytes.
const FLASH: usize = Chip::Rp2040.flash_size();

/// The core, the memory and the registers.
pub(crate) struct Rp2040 {
    emulator: Emulator,
    decoded: DecodedCode,
    /// The number of bytes that a long copy of the boot ROM has copied so far.
    copied: u32,
}

impl Rp2040 {
    /// A chip with its boot ROM and an erased flash.
    pub(crate) fn new() -> Self {
        let mut emulator = Emulator::new(Config::default());
        emulator.load_bootrom(&rom::image());
        Self { emulator, decoded: DecodedCode::new(SRAM_SIZE), copied: 0 }
    }

    fn view<'a>(&'a mut self, chip: &'a mut ChipState) -> CoreBusView<'a, Bus> {
        CoreBusView { bus: &mut self.emulator.bus, chip }
    }

    fn core(&self) -> &CortexM0Plus {
        &self.emulator.cores[0]
    }
}

impl ChipModel for Rp2040 {
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

    fn run_core(&mut self, chip: &mut ChipState, profiler: &mut Profiler, budget: u64) {
        let is_profiled = profiler.is_on();
        let core = &mut self.emulator.cores[0];
        let mut view = CoreBusView { bus: &mut self.emulator.bus, chip };
        let end = view.chip.clock.cycles() + budget;
        view.chip.stop = false;
        // No interrupt is taken in the fault handler. With the pending interrupts hidden, the core does not check them
        // at each step.
        let in_fault = core.is_in_hardfault();
        let hidden = if in_fault { core::mem::take(&mut view.bus.nvics[0].pending) } else { 0 };
        loop {
            if is_profiled {
                profiler.at(core_state(core, &view));
            }
            let is_fast = !profiler.is_core_watched() && !view.chip.memory.any_off();
            if is_fast && view.is_undisturbed(core.regs.primask & 1 != 0) {
                let budget = end.saturating_sub(view.cycle());
                let cycles = run_common(core, &mut view, &self.decoded, is_profiled.then_some(&*profiler), budget);
                view.chip.ahead += cycles;
                if view.cycle() >= end || core.regs.pc() < ROM_SIZE as u32 {
                    break;
                }
                if is_profiled && cycles > 0 {
                    profiler.at(core_state(core, &view));
                }
            }
            let is_stopped = step(core, &mut view, &mut self.decoded, end);
            if is_stopped || core.regs.pc() < ROM_SIZE as u32 || view.cycle() >= end {
                break;
            }
        }
        view.bus.nvics[0].pending |= hidden;
        // An ISB requests to drop the whole decode cache. This is not needed: entries are dropped when they are
        // written.
        view.bus.pending_invalidation_regions = 0;
        view.catch_up();
        view.raise_interrupts();
        view.clocks_changed();
    }

    fn is_asleep(&mut self, chip: &mut ChipState) -> bool {
        if self.core().is_halted() || self.emulator.bus.wfe_waiting[0] {
            // A key may have been pressed since the last time step.
            self.view(chip).raise_interrupts();
        }
        let bus = &mut self.emulator.bus;
        let core = &mut self.emulator.cores[0];
        let interrupt = bus.nvics[0].pending_and_enabled() != 0;
        if core.is_halted() {
            // A fault in the fault handler locks up the core until a reset. WFI sleeps until an interrupt.
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
        // The DMA may have written code while the core did not run.
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
        Position { pc: registers.pc(), stack: registers.r[13], exception: registers.xpsr & EXCEPTION }
    }

    /// The Cortex-M0+ has no stack limit register.
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

    fn call_rom(&mut self, chip: &mut ChipState) -> RomCallResult {
        let core = &mut self.emulator.cores[0];
        let pc = core.regs.pc();
        if chip.memory.any_off() {
            let now = chip.clock.now_ns();
            chip.memory.check_access(pc, AccessKind::Fetch, now);
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

    fn write_ram(&mut self, address: u32, bytes: &[u8]) {
        for (address, &byte) in (address..).zip(bytes) {
            self.emulator.bus.write8(address, byte);
        }
        drop_decoded(&mut self.emulator.cores[0], &mut self.emulator.bus);
    }

    fn registers(&mut self) -> &mut [u32; 16] {
        &mut self.emulator.cores[0].regs.r
    }

    fn can_inject_fault(&self) -> bool {
        true
    }

    fn end_sleep(&mut self) {
        self.copied = 0;
        self.emulator.bus.wfe_waiting[0] = false;
        let core = &mut self.emulator.cores[0];
        if core.is_halted() && !core.is_in_hardfault() {
            core.wake();
        }
    }

    #[cfg(test)]
    fn pending_invalidations(&self) -> usize {
        self.emulator.bus.pending_cache_invalidations.len()
    }
}

/// The bit in MEMPOWERDOWN of the memory at an address: 0 to 5 for the SRAM banks, 6 for the USB RAM, 7 for the boot
/// ROM. The addresses of the first four banks are interleaved by words.
pub(crate) fn memory(address: u32) -> Option<u32> {
    const USB_RAM: u32 = 6;
    const ROM: u32 = 7;
    const USB_RAM_BASE: u32 = 0x5010_0000;
    match address >> 24 {
        0x00 => ((address as usize) < ROM_SIZE).then_some(ROM),
        // The alias of the first four banks without interleaving.
        0x21 => (address & 0x00FF_FFFF < 0x4_0000).then_some(address >> 16 & 3),
        0x20 | 0x22 | 0x23 => bank_for_address(address).map(u32::from),
        _ => (address & 0xFFFF_0000 == USB_RAM_BASE).then_some(USB_RAM),
    }
}
