//! The RP2350, on the emulator `rp2350-emu`: what only this chip has, and what its emulator leaves out or has wrong.
//!
//! Core 0 is a Cortex-M33; core 1 and the RISC-V cores do not run. The emulator's core runs against a bus of our own:
//! - `instructions` gives it known instructions for those that it takes for others;
//! - `private` does what it drops of writes to its private registers;
//! - `core_bus` tells where an address goes, `registers` what is there, `wires` what the common half wants of it;
//! - `interrupts` tells which of them are pending, and whether the core would take one;
//! - `rom` is the stand-in for the boot ROM.
//!
//! Each of them names what is wrong upstream, and `tests` has a little program for each. Not mended, because the core keeps it to itself:
//! a byte read of a private register gives 0, a priority that is read back is its rank, BASEPRI tells only eight levels apart.

mod core_bus;
pub(crate) mod instructions;
mod interrupts;
mod private;
mod registers;
pub(crate) mod rom;
#[cfg(test)]
mod tests;
mod wires;

use crate::chip::{ChipState, View};
use crate::chip_interface::{Chip, Outcome, Position, Silicon};
use crate::common_instructions::{Core, DecodedCode, Reach, System};
use crate::memory_power::AccessKind;
use crate::profiler::{Meter, Moment};
use flash_image::image_def;
use private::Priorities;
use rp2350_emu::core::CoreBus;
use rp2350_emu::memory::{ROM_SIZE, SRAM_SIZE, bank_for_address};
use rp2350_emu::threaded::CoreAtomics;
use rp2350_emu::{Bus, CortexM33};
use std::sync::Arc;
use wires::Wires;

/// Where the vectors are: at the start of flash.
const VECTORS: u32 = 0x1000_0000;
/// Bytes of its flash.
const FLASH: usize = Chip::Rp2350.flash_size();
/// `b .`, which goes on until something interrupts it.
const LOOP: u16 = 0xE7FE;
/// The exception number of the fault handler, in the program status register.
const HARD_FAULT: u32 = 3;
const EXCEPTION: u32 = 0x1FF;

/// Core, memory and registers.
pub(crate) struct Rp2350 {
    core: CortexM33,
    wires: Wires,
    priorities: Priorities,
    decoded: DecodedCode,
}

impl Rp2350 {
    /// With its boot ROM, and nothing in its flash.
    pub fn new() -> Self {
        let atomics = Arc::new(CoreAtomics::default());
        let mut bus = Bus::with_atomics(Arc::clone(&atomics));
        bus.load_bootrom(&rom::image());
        Self {
            core: CortexM33::new(0, atomics),
            wires: Wires::new(bus),
            priorities: Priorities::default(),
            decoded: DecodedCode::new(SRAM_SIZE),
        }
    }

    fn view<'a>(&'a mut self, chip: &'a mut ChipState) -> View<'a, Wires> {
        View { bus: &mut self.wires, chip }
    }

    /// In the fault handler, or in what came of a fault in it.
    fn is_in_fault(&self) -> bool {
        self.core.regs.xpsr & EXCEPTION == HARD_FAULT
    }
}

impl Silicon for Rp2350 {
    fn load_flash(&mut self, image: &[u8]) {
        self.wires.emulated.load_flash(image);
        self.core.invalidate_decode_cache_regions(self.wires.emulated.pending_invalidation_regions);
        self.wires.emulated.pending_invalidation_regions = 0;
    }

    fn boot(&mut self, chip: &mut ChipState) -> bool {
        let atomics = Arc::new(CoreAtomics::default());
        self.wires.reset(Arc::clone(&atomics));
        self.priorities = Priorities::default();
        let memory = &self.wires.emulated.memory;
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

    fn run_core(&mut self, chip: &mut ChipState, meter: &mut Meter, budget: u64) {
        let metering = meter.is_on();
        let core = &mut self.core;
        let mut view = View { bus: &mut self.wires, chip };
        let end = view.chip.clock.cycles() + budget;
        view.chip.stop = false;
        core.ppb.update_latest_cycles(view.cycle());
        loop {
            if metering {
                meter.at(moment(core, &view));
            }
            let is_fast = !meter.follows_core() && !view.chip.memory.any_off();
            if is_fast && interrupts::is_undisturbed(core, core.regs.primask & 1 != 0) {
                let budget = end.saturating_sub(view.cycle());
                let cycles = run_common(core, &mut view, &self.decoded, metering.then_some(&*meter), budget);
                view.chip.ahead += cycles;
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
            (view.chip.flash_guard.pc, view.chip.flash_guard.in_handler) = (pc, core.regs.xpsr & EXCEPTION != 0);
            view.fetch(pc);
            self.decoded.note(pc);
            let before = core.cycles();
            core.step_no_atomics(&mut view);
            let cycles = core.cycles() - before;
            view.chip.ahead += cycles;
            drop_decoded(core, view.bus);
            // VECTACTIVE, which the emulator leaves 0.
            core.ppb.icsr = core.ppb.icsr & !EXCEPTION | core.regs.xpsr & EXCEPTION;
            if !view.bus.private.is_empty() {
                for write in core::mem::take(&mut view.bus.private) {
                    private::follow(write, core, view.chip, &mut self.priorities);
                }
            }
            // A step that takes no time is for the machine to look at.
            let over = core.is_halted() || core.is_wfe_waiting() || view.chip.stop || cycles == 0;
            let pc_now = core.regs.pc();
            if pc_now == pc && cycles > 0 && view.bus.emulated.memory.peek32(pc) as u16 == LOOP {
                view.chip.ahead += end.saturating_sub(view.cycle());
            }
            if over || pc_now < ROM_SIZE as u32 || view.cycle() >= end {
                break;
            }
        }
        // An ISB asks for the whole cache to be dropped: not needed, entries are dropped as they are written.
        view.bus.emulated.pending_invalidation_regions = 0;
        view.catch_up();
        interrupts::raise(core, &mut view);
        view.clocks_changed();
    }

    fn is_asleep(&mut self, chip: &mut ChipState) -> bool {
        if !self.core.is_halted() && !self.core.is_wfe_waiting() {
            return false;
        }
        // A key may have been pressed since time last passed.
        self.raise_interrupts(chip);
        let interrupt = interrupts::waiting(&self.core) != 0;
        let atomics = &self.wires.emulated.atomics;
        if self.core.is_halted() {
            // A fault in the fault handler locks the core up: only a reset helps. WFI sleeps until an interrupt.
            chip.locked_up |= self.is_in_fault();
            if interrupt && !self.is_in_fault() {
                self.core.wake();
            }
        } else if atomics.event_flag_consume(0) || interrupt && self.core.regs.primask & 1 == 0 {
            // The emulator's own loop leaves WFE to events alone; an interrupt that is taken ends it too.
            atomics.clear_wfe_waiting(0);
        }
        self.core.is_halted() || self.core.is_wfe_waiting()
    }

    fn pass(&mut self, chip: &mut ChipState, cycles: u64, to_event: bool) {
        self.view(chip).pass(cycles, to_event);
        // What the DMA has written while the core did not run.
        drop_decoded(&mut self.core, &mut self.wires);
    }

    fn raise_interrupts(&mut self, chip: &mut ChipState) {
        interrupts::raise(&self.core, &mut View { bus: &mut self.wires, chip });
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

    fn call_rom(&mut self, chip: &mut ChipState) -> Outcome {
        let pc = self.core.regs.pc();
        if chip.memory.any_off() {
            let now = chip.clock.now_ns();
            chip.memory.touch(pc, AccessKind::Fetch, now);
        }
        rom::run(pc, &mut self.core.regs)
    }

    fn return_from_rom(&mut self) {
        self.core.regs.set_pc(self.core.regs.r[14] & !1);
    }

    fn peek32(&self, address: u32) -> u32 {
        self.wires.emulated.memory.peek32(address)
    }

    fn peek8(&self, address: u32) -> u8 {
        self.wires.emulated.memory.peek8(address)
    }

    fn poke32(&mut self, address: u32, value: u32) {
        self.wires.emulated.memory.poke32(address, value);
    }

    fn plant(&mut self, address: u32, bytes: &[u8]) {
        for (address, &byte) in (address..).zip(bytes) {
            self.wires.emulated.write8(address, byte, 0);
        }
        drop_decoded(&mut self.core, &mut self.wires);
    }

    fn registers(&mut self) -> &mut [u32; 16] {
        &mut self.core.regs.r
    }

    /// Not between IT and the last of the instructions that depend on it.
    fn may_go_astray(&self) -> bool {
        self.core.it_state() & 0xF == 0
    }

    fn rouse(&mut self) {
        self.wires.emulated.atomics.clear_wfe_waiting(0);
        if self.core.is_halted() && !self.is_in_fault() {
            self.core.wake();
        }
    }

    #[cfg(test)]
    fn unseen_writes(&self) -> usize {
        self.wires.emulated.pending_cache_invalidations.len()
    }
}

/// The bit in MEMPOWERDOWN of the memory that an address is in: 0 to 9 the SRAM banks, 10 the RAM of USB, 11 the boot ROM, 12 the
/// boot RAM. The first eight banks share their addresses word by word.
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

/// What the core is about to do.
fn moment(core: &CortexM33, view: &View<'_, Wires>) -> Moment {
    Moment {
        pc: core.regs.pc(),
        lr: core.regs.r[14],
        sp: core.regs.r[13],
        handler: core.regs.xpsr & EXCEPTION != 0,
        masked: core.regs.primask & 1 != 0,
        cycles: view.cycle(),
    }
}

/// Runs what touches only registers and memory, unless the core is between IT and what depends on it; gives the cycles.
/// With a meter it ends where that stops.
fn run_common(
    core: &mut CortexM33,
    view: &mut View<'_, Wires>,
    decoded: &DecodedCode,
    meter: Option<&Meter>,
    budget: u64,
) -> u64 {
    if core.it_state() & 0xF != 0 {
        return 0;
    }
    let bus = &mut view.bus.emulated;
    let last = CoreBus::last_fetch_addr(bus);
    let without_waiting = view.chip.flash_cache.is_none();
    let flash = if without_waiting && !view.chip.flash_guard.is_on() { FLASH } else { 0 };
    let decoded = without_waiting.then_some(decoded);
    let written = &mut bus.pending_cache_invalidations;
    let reach = Reach { memory: &mut bus.memory, written, decoded, sram: SRAM_SIZE, flash };
    // A meter looks at the mask, and a trace at the spinlocks.
    let waiting = !interrupts::is_undisturbed(core, false);
    let registers = &mut core.regs;
    let is_watched = meter.is_some() || view.chip.trace.is_on();
    let system = (!is_watched).then_some(System { primask: &mut registers.primask, waiting, locks: &mut bus.sio });
    let mut common = Core::<true>::new(&mut registers.r, &mut registers.xpsr, reach, system);
    common.last = last;
    let cycles = match meter {
        Some(meter) => common.run_to(budget, |pc| meter.stops_at(pc)),
        None => common.run(budget),
    };
    let last = common.last;
    CoreBus::set_last_fetch_addr(bus, last);
    drop_decoded(core, view.bus);
    cycles
}

/// The core caches decoded instructions; what has just been written may be one.
fn drop_decoded(core: &mut CortexM33, wires: &mut Wires) {
    let written = &mut wires.emulated.pending_cache_invalidations;
    if !written.is_empty() {
        core.invalidate_decode_cache_entries(written);
        written.clear();
    }
}
