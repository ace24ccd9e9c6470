//! The RP2350, on the emulator crate `rp2350-emu`: the properties of this chip, and corrections of the emulator crate.
//!
//! Core 0 is a Cortex-M33. Core 1 and the RISC-V cores are not emulated. The core of the emulator crate runs on the bus
//! of this crate:
//! - `execution` runs instructions;
//! - `instructions` replaces instructions that the emulator crate decodes wrongly;
//! - `private` completes writes to private registers of the core;
//! - `core_bus` maps addresses to memory, flash, peripherals and SIO;
//! - `registers` implements peripheral registers;
//! - `chip_bus` gives the chip-independent code access to pins, PIO and DMA;
//! - `interrupts` decides which interrupts are pending, and whether the core takes one;
//! - `rom` replaces the boot ROM.
//!
//! Each module names the faults of the emulator crate that it corrects, and `tests` has a short program for each. Three
//! faults remain, because the registers are private to the core: a byte read of a private register returns 0, a
//! priority is read back as its rank, and BASEPRI distinguishes only eight levels.

mod chip_bus;
mod core_bus;
mod execution;
pub(crate) mod instructions;
mod interrupts;
mod private;
mod registers;
pub(crate) mod rom;
#[cfg(test)]
mod tests;

use crate::chip::{ChipState, CoreBusView};
use crate::chip_interface::{Chip, ChipModel, Position, RomCallResult};
use crate::common_instructions::DecodedCode;
use crate::memory_power::AccessKind;
use crate::profiler::Profiler;
use chip_bus::Rp2350Bus;
use execution::{core_state, drop_decoded, run_common, step};
use flash_image::image_def;
use private::Priorities;
use rp2350_emu::memory::{ROM_SIZE, SRAM_SIZE, bank_for_address};
use rp2350_emu::threaded::CoreAtomics;
use rp2350_emu::{Bus, CortexM33};
use std::sync::Arc;

/// The address of the vector table: the start of flash.
const VECTORS: u32 = 0x1000_0000;
/// The size of the flash, in bytes.
const FLASH: usize = Chip::Rp2350.flash_size();
/// The exception number in the program status register.
const EXCEPTION: u32 = 0x1FF;
/// The exception number of the fault handler.
const HARD_FAULT: u32 = 3;

/// The core, the memory and the registers.
pub(crate) struct Rp2350 {
    core: CortexM33,
    bus: Rp2350Bus,
    priorities: Priorities,
    decoded: DecodedCode,
}

impl Rp2350 {
    /// A chip with its boot ROM and an erased flash.
    pub(crate) fn new() -> Self {
        let atomics = Arc::new(CoreAtomics::default());
        let mut bus = Bus::with_atomics(Arc::clone(&atomics));
        bus.load_bootrom(&rom::image());
        Self {
            core: CortexM33::new(0, atomics),
            bus: Rp2350Bus::new(bus),
            priorities: Priorities::default(),
            decoded: DecodedCode::new(SRAM_SIZE),
        }
    }

    fn view<'a>(&'a mut self, chip: &'a mut ChipState) -> CoreBusView<'a, Rp2350Bus> {
        CoreBusView { bus: &mut self.bus, chip }
    }

    /// Whether the core is in the fault handler, or locked up after a fault in it.
    fn is_in_fault(&self) -> bool {
        self.core.regs.xpsr & EXCEPTION == HARD_FAULT
    }
}

impl ChipModel for Rp2350 {
    fn load_flash(&mut self, image: &[u8]) {
        self.bus.emulated.load_flash(image);
        self.core.invalidate_decode_cache_regions(self.bus.emulated.pending_invalidation_regions);
        self.bus.emulated.pending_invalidation_regions = 0;
    }

    fn boot(&mut self, chip: &mut ChipState) -> bool {
        let atomics = Arc::new(CoreAtomics::default());
        self.bus.reset(Arc::clone(&atomics));
        self.priorities = Priorities::default();
        let memory = &self.bus.emulated.memory;
        let [stack, start] = [0, 4].map(|at| memory.peek32(VECTORS + at));
        let startable = image_def::is_present(|at| (at < FLASH).then(|| memory.peek32(VECTORS + at as u32)));
        self.core = CortexM33::new(0, atomics);
        self.core.ppb.vtor = VECTORS;
        self.core.regs.msp = stack;
        self.core.regs.r[13] = stack;
        self.core.regs.set_pc(start & !1);
        self.view(chip).restarted();
        startable
    }

    fn run_core(&mut self, chip: &mut ChipState, profiler: &mut Profiler, budget: u64) {
        let is_profiled = profiler.is_on();
        let core = &mut self.core;
        let mut view = CoreBusView { bus: &mut self.bus, chip };
        let end = view.chip.clock.cycles() + budget;
        view.chip.stop = false;
        core.ppb.update_latest_cycles(view.cycle());
        loop {
            if is_profiled {
                profiler.at(core_state(core, &view));
            }
            let is_fast = !profiler.is_core_watched() && !view.chip.memory.any_off();
            if is_fast && interrupts::is_undisturbed(core, core.regs.primask & 1 != 0) {
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
            let is_stopped = step(core, &mut view, &mut self.decoded, &mut self.priorities, end);
            if is_stopped || core.regs.pc() < ROM_SIZE as u32 || view.cycle() >= end {
                break;
            }
        }
        // An ISB requests to drop the whole decode cache. This is not needed: entries are dropped when they are
        // written.
        view.bus.emulated.pending_invalidation_regions = 0;
        view.catch_up();
        interrupts::raise(core, &mut view);
        view.clocks_changed();
    }

    fn is_asleep(&mut self, chip: &mut ChipState) -> bool {
        if !self.core.is_halted() && !self.core.is_wfe_waiting() {
            return false;
        }
        // A key may have been pressed since the last time step.
        self.raise_interrupts(chip);
        let interrupt = interrupts::pending(&self.core) != 0;
        let atomics = &self.bus.emulated.atomics;
        if self.core.is_halted() {
            // A fault in the fault handler locks up the core until a reset. WFI sleeps until an interrupt.
            chip.locked_up |= self.is_in_fault();
            if interrupt && !self.is_in_fault() {
                self.core.wake();
            }
        } else if atomics.event_flag_consume(0) || interrupt && self.core.regs.primask & 1 == 0 {
            // In the emulator crate only an event ends WFE. An interrupt that is taken must end it too.
            atomics.clear_wfe_waiting(0);
        }
        self.core.is_halted() || self.core.is_wfe_waiting()
    }

    fn pass(&mut self, chip: &mut ChipState, cycles: u64, to_event: bool) {
        self.view(chip).pass(cycles, to_event);
        // The DMA may have written code while the core did not run.
        drop_decoded(&mut self.core, &mut self.bus);
    }

    fn raise_interrupts(&mut self, chip: &mut ChipState) {
        interrupts::raise(&self.core, &mut CoreBusView { bus: &mut self.bus, chip });
    }

    fn pend(&mut self, lines: u64) {
        interrupts::pend(&self.core, lines);
    }

    fn position(&self) -> Position {
        let registers = &self.core.regs;
        Position { pc: registers.pc(), stack: registers.r[13], exception: registers.xpsr & EXCEPTION }
    }

    fn stack_limit(&self) -> u32 {
        self.core.regs.msplim
    }

    fn is_interrupted(&mut self, _: &mut ChipState) -> bool {
        !interrupts::is_undisturbed(&self.core, self.core.regs.primask & 1 != 0)
    }

    fn settle_pins(&mut self, chip: &mut ChipState) {
        self.view(chip).settle_pins();
    }

    fn pins_changed(&mut self, chip: &mut ChipState) {
        self.view(chip).pins_changed();
    }

    fn is_in_rom(&self) -> bool {
        self.core.regs.pc() < ROM_SIZE as u32
    }

    fn call_rom(&mut self, chip: &mut ChipState) -> RomCallResult {
        let pc = self.core.regs.pc();
        if chip.memory.any_off() {
            let now = chip.clock.now_ns();
            chip.memory.check_access(pc, AccessKind::Fetch, now);
        }
        rom::run(pc, &mut self.core.regs)
    }

    fn return_from_rom(&mut self) {
        self.core.regs.set_pc(self.core.regs.r[14] & !1);
    }

    fn peek32(&self, address: u32) -> u32 {
        self.bus.emulated.memory.peek32(address)
    }

    fn peek8(&self, address: u32) -> u8 {
        self.bus.emulated.memory.peek8(address)
    }

    fn poke32(&mut self, address: u32, value: u32) {
        self.bus.emulated.memory.poke32(address, value);
    }

    fn write_ram(&mut self, address: u32, bytes: &[u8]) {
        for (address, &byte) in (address..).zip(bytes) {
            self.bus.emulated.write8(address, byte, 0);
        }
        drop_decoded(&mut self.core, &mut self.bus);
    }

    fn registers(&mut self) -> &mut [u32; 16] {
        &mut self.core.regs.r
    }

    /// Not inside an IT block.
    fn can_inject_fault(&self) -> bool {
        self.core.it_state() & 0xF == 0
    }

    fn end_sleep(&mut self) {
        self.bus.emulated.atomics.clear_wfe_waiting(0);
        if self.core.is_halted() && !self.is_in_fault() {
            self.core.wake();
        }
    }

    #[cfg(test)]
    fn pending_invalidations(&self) -> usize {
        self.bus.emulated.pending_cache_invalidations.len()
    }
}

/// The bit in MEMPOWERDOWN of the memory at an address: 0 to 9 for the SRAM banks, 10 for the USB RAM, 11 for the boot
/// ROM, 12 for the boot RAM. The addresses of the first eight banks are interleaved by words.
pub(crate) fn memory(address: u32) -> Option<u32> {
    const USB_RAM: u32 = 10;
    const ROM: u32 = 11;
    const BOOT_RAM: u32 = 12;
    match address {
        0..0x8000 => Some(ROM),
        0x2000_0000..0x2100_0000 => bank_for_address(address).map(u32::from),
        0x400E_0000..0x400E_4000 => Some(BOOT_RAM),
        0x5010_0000..0x5011_0000 => Some(USB_RAM),
        _ => None,
    }
}
