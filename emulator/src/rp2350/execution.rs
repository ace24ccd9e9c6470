//! Execution of instructions: common ones by the fast interpreter, all others by the emulator crate.

use super::chip_bus::Rp2350Bus;
use super::private::{self, Priorities};
use super::{EXCEPTION, FLASH, interrupts};
use crate::chip::CoreBusView;
use crate::common_instructions::{Core, DecodedCode, DirectMemory, LOOP, SystemState};
use crate::memory_power::AccessKind;
use crate::profiler::{CoreState, Profiler};
use rp2350_emu::CortexM33;
use rp2350_emu::core::CoreBus;
use rp2350_emu::memory::SRAM_SIZE;

/// The state of the core before its next instruction.
pub(super) fn core_state(core: &CortexM33, view: &CoreBusView<'_, Rp2350Bus>) -> CoreState {
    CoreState {
        pc: core.regs.pc(),
        lr: core.regs.r[14],
        sp: core.regs.r[13],
        exception: core.regs.xpsr & EXCEPTION,
        masked: core.regs.primask & 1 != 0,
        cycles: view.cycle(),
    }
}

/// Executes common instructions with the fast interpreter, unless the core is inside an IT block. Returns their cycles.
/// With a profiler, it stops at the addresses for which [`Profiler::stops_at`] is true.
pub(super) fn run_common(
    core: &mut CortexM33,
    view: &mut CoreBusView<'_, Rp2350Bus>,
    decoded: &DecodedCode,
    profiler: Option<&Profiler>,
    budget: u64,
) -> u64 {
    if core.it_state() & 0xF != 0 {
        return 0;
    }
    let bus = &mut view.bus.emulated;
    let last = CoreBus::last_fetch_addr(bus);
    let has_no_waits = view.chip.flash_cache.is_none();
    let flash = if has_no_waits && !view.chip.flash_guard.is_on() { FLASH } else { 0 };
    let decoded = has_no_waits.then_some(decoded);
    let written = &mut bus.pending_cache_invalidations;
    let memory = DirectMemory { content: &mut bus.memory, written, decoded, sram: SRAM_SIZE, flash };
    // The profiler measures changes of PRIMASK, and a trace records accesses to the spinlocks.
    let is_exception_pending = !interrupts::is_undisturbed(core, false);
    let registers = &mut core.regs;
    let is_watched = profiler.is_some() || view.chip.trace.is_on();
    let system = (!is_watched).then_some(SystemState {
        primask: &mut registers.primask,
        is_exception_pending,
        spinlocks: &mut bus.sio,
    });
    let mut common = Core::<true>::new(&mut registers.r, &mut registers.xpsr, memory, system);
    common.last = last;
    let cycles = match profiler {
        Some(profiler) => common.run_to(budget, |pc| profiler.stops_at(pc)),
        None => common.run(budget),
    };
    let last = common.last;
    CoreBus::set_last_fetch_addr(bus, last);
    drop_decoded(core, view.bus);
    cycles
}

/// Executes one instruction with the emulator crate. Returns whether the core halts, waits or must stop.
pub(super) fn step(
    core: &mut CortexM33,
    view: &mut CoreBusView<'_, Rp2350Bus>,
    decoded: &mut DecodedCode,
    priorities: &mut Priorities,
    end: u64,
) -> bool {
    let pc = core.regs.pc();
    if view.chip.memory.any_off() {
        let now = view.now();
        view.chip.memory.check_access(pc, AccessKind::Fetch, now);
    }
    (view.chip.flash_guard.pc, view.chip.flash_guard.in_handler) = (pc, core.regs.xpsr & EXCEPTION != 0);
    view.fetch(pc);
    decoded.note(pc);
    let before = core.cycles();
    core.step_no_atomics(view);
    let cycles = core.cycles() - before;
    view.chip.ahead += cycles;
    drop_decoded(core, view.bus);
    // VECTACTIVE, which the emulator crate leaves at 0.
    core.ppb.icsr = core.ppb.icsr & !EXCEPTION | core.regs.xpsr & EXCEPTION;
    if !view.bus.private.is_empty() {
        for write in core::mem::take(&mut view.bus.private) {
            private::complete_write(write, core, view.chip, priorities);
        }
    }
    if core.regs.pc() == pc && cycles > 0 && view.bus.emulated.memory.peek32(pc) as u16 == LOOP {
        // `b .` runs until the end of the budget or an interrupt.
        view.chip.ahead += end.saturating_sub(view.cycle());
    }
    // After a step of no cycles, the caller decides how to proceed.
    core.is_halted() || core.is_wfe_waiting() || view.chip.stop || cycles == 0
}

/// Notifies the core, which caches decoded instructions, of written halfwords.
pub(super) fn drop_decoded(core: &mut CortexM33, bus: &mut Rp2350Bus) {
    let written = &mut bus.emulated.pending_cache_invalidations;
    if !written.is_empty() {
        core.invalidate_decode_cache_entries(written);
        written.clear();
    }
}
