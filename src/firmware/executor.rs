//! The two executors: one that runs whenever nothing else does, and one above it, in an interrupt, for the one task that must
//! never be late.

use core::mem::MaybeUninit;

use embassy_executor::{Executor, InterruptExecutor, SendSpawner, Spawner};
use embassy_rp::interrupt;
use embassy_rp::interrupt::{InterruptExt, Priority};

/// Runs in a software interrupt.
static URGENT: InterruptExecutor = InterruptExecutor::new();

#[interrupt]
unsafe fn SWI_IRQ_0() {
    // SAFETY: this is the handler of the interrupt that the executor was started on, and nothing else calls it.
    unsafe { URGENT.on_interrupt() }
}

/// Starts both, lets `begin` spawn the tasks, and never returns.
pub fn run(begin: impl FnOnce(Spawner, SendSpawner)) -> ! {
    // Below the timer's own interrupt (level 0), so that the clock is never late either, and above those of pins and DMA (level 3, by
    // embassy-rp). The RP2040 has four levels and the RP2350 sixteen; counted from the top they are the same.
    interrupt::SWI_IRQ_0.set_priority(Priority::P2);
    let urgent = URGENT.start(interrupt::SWI_IRQ_0);
    let mut executor = MaybeUninit::uninit();
    let executor: *mut Executor = executor.write(Executor::new());
    // SAFETY: this function never returns, so what is on its stack lives for ever.
    unsafe { &mut *executor }.run(|spawner| begin(spawner, urgent))
}
