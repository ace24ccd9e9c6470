//! The three levels that tasks run at. A level interrupts those below it at any instruction.
//!
//! 1. [`SCAN`]: the keys, which must never be late.
//! 2. [`PLAY`]: game, lights and sound, which answer the player.
//! 3. The thread: storage, battery and watchdog. Storage blocks it for up to 400 ms while the flash erases a sector.

use core::mem::MaybeUninit;

use embassy_executor::{Executor, InterruptExecutor, SendSpawner, Spawner};
use embassy_rp::interrupt;
use embassy_rp::interrupt::{InterruptExt, Priority};

static SCAN: InterruptExecutor = InterruptExecutor::new();
static PLAY: InterruptExecutor = InterruptExecutor::new();

#[interrupt]
unsafe fn SWI_IRQ_0() {
    // SAFETY: this is the handler of the interrupt that the executor was started on, and nothing else calls it.
    unsafe { SCAN.on_interrupt() }
}

#[interrupt]
unsafe fn SWI_IRQ_1() {
    // SAFETY: as above.
    unsafe { PLAY.on_interrupt() }
}

/// Where tasks are spawned, one spawner per level.
pub struct Levels {
    pub scan: SendSpawner,
    pub play: SendSpawner,
    pub thread: Spawner,
}

/// Starts all levels, lets `begin` spawn the tasks, and never returns.
pub fn run(begin: impl FnOnce(Levels)) -> ! {
    // The timer's interrupt has priority 0. Those of pins and DMA only wake tasks and are short: they must not wait for a
    // poll of the game. The RP2040 has four priorities and the RP2350 sixteen; counted from the top they are the same.
    interrupt::IO_IRQ_BANK0.set_priority(Priority::P1);
    interrupt::DMA_IRQ_0.set_priority(Priority::P1);
    interrupt::SWI_IRQ_0.set_priority(Priority::P2);
    interrupt::SWI_IRQ_1.set_priority(Priority::P3);
    let scan = SCAN.start(interrupt::SWI_IRQ_0);
    let play = PLAY.start(interrupt::SWI_IRQ_1);
    let mut executor = MaybeUninit::uninit();
    let executor: *mut Executor = executor.write(Executor::new());
    // SAFETY: this function never returns, so what is on its stack lives for ever.
    unsafe { &mut *executor }.run(|thread| begin(Levels { scan, play, thread }))
}
