//! Execution of instructions: common ones by the fast interpreter, all others by the emulator crate.

use super::{EXCEPTION, FLASH};
use crate::chip::CoreBusView;
use crate::common_instructions::{Core, DecodedCode, DirectMemory, LOOP, SystemState};
use crate::memory_power::AccessKind;
use crate::profiler::{CoreState, Profiler};
use rp2040_emu::{Bus, CortexM0Plus, SRAM_SIZE};

/// The state of the core before its next instruction.
pub(super) fn core_state(core: &CortexM0Plus, view: &CoreBusView<'_, Bus>) -> CoreState {
    CoreState {
        pc: core.regs.pc(),
        lr: core.regs.r[14],
        sp: core.regs.r[13],
        exception: core.regs.xpsr & EXCEPTION,
        masked: core.regs.primask & 1 != 0,
        cycles: view.cycle(),
    }
}

/// Executes common instructions with the fast interpreter. Returns their cycles. With a profiler, it stops at the
/// addresses for which [`Profiler::stops_at`] is true.
pub(super) fn run_common(
    core: &mut CortexM0Plus,
    view: &mut CoreBusView<'_, Bus>,
    decoded: &DecodedCode,
    profiler: Option<&Profiler>,
    budget: u64,
) -> u64 {
    let is_exception_pending = !view.is_undisturbed(false);
    let has_no_waits = view.chip.flash_cache.is_none();
    let memory = DirectMemory {
        content: &mut view.bus.memory,
        written: &mut view.bus.pending_cache_invalidations,
        // The model of the flash cache counts instructions that the core decodes again, so every write is recorded
        // while the cache is modelled.
        decoded: has_no_waits.then_some(decoded),
        sram: SRAM_SIZE,
        flash: if has_no_waits && !view.chip.flash_guard.is_on() { FLASH } else { 0 },
    };
    let registers = &mut core.regs;
    // The profiler measures changes of PRIMASK, and a trace records accesses to the spinlocks.
    let is_watched = profiler.is_some() || view.chip.trace.is_on();
    let primask = &mut registers.primask;
    let system = (!is_watched).then_some(SystemState { primask, is_exception_pending, spinlocks: &mut view.bus.sio });
    let mut common = Core::<false>::new(&mut registers.r, &mut registers.xpsr, memory, system);
    let cycles = match profiler {
        Some(profiler) => common.run_to(budget, |pc| profiler.stops_at(pc)),
        None => common.run(budget),
    };
    drop_decoded(core, view.bus);
    cycles
}

/// Executes one instruction with the emulator crate. Returns whether the core halts, waits or must stop.
pub(super) fn step(
    core: &mut CortexM0Plus,
    view: &mut CoreBusView<'_, Bus>,
    decoded: &mut DecodedCode,
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
    // The emulator crate enters an exception only when none is active, so hide active exceptions of lower priority.
    let mut hidden = 0;
    if view.bus.ppb[0].active != 0 && view.bus.nvics[0].pending_and_enabled() != 0 && view.is_preempted() {
        hidden = core::mem::take(&mut view.bus.ppb[0].active);
    }
    let cycles = core.step(view);
    view.bus.ppb[0].active |= hidden;
    if core::mem::take(&mut view.chip.entered) {
        // The entry clears the pending bit. The emulator crate does not do that for interrupts 26 to 31.
        let exception = core.regs.xpsr & EXCEPTION;
        view.bus.nvics[0].pending &= !(1u32.checked_shl(exception.wrapping_sub(16)).unwrap_or(0));
    }
    drop_decoded(core, view.bus);
    view.chip.ahead += u64::from(cycles);
    if core.regs.pc() == pc && cycles > 0 && view.bus.memory.peek32(pc) as u16 == LOOP {
        // `b .` runs until the end of the budget or an interrupt.
        view.chip.ahead += end.saturating_sub(view.cycle());
    }
    // After a step of no cycles, the caller decides how to proceed.
    core.is_halted() || view.chip.stop || cycles == 0
}

/// Notifies the core, which caches decoded instructions, of written halfwords.
pub(super) fn drop_decoded(core: &mut CortexM0Plus, bus: &mut Bus) {
    if !bus.pending_cache_invalidations.is_empty() {
        core.invalidate_decode_cache_entries(&bus.pending_cache_invalidations);
        bus.pending_cache_invalidations.clear();
    }
}
