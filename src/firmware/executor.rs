//! The executors, one for each of the three task priorities. A task preempts all tasks of lower priority.
//!
//! 1. [`SCAN`]: the keys, which have the shortest deadline.
//! 2. [`PLAY`]: game, LEDs and sound, which respond to the player.
//! 3. [`THREAD`]: storage, battery and watchdog. Storage blocks it for up to 400 ms while the flash erases a sector.

use embassy_executor::{Executor, InterruptExecutor, SendSpawner, Spawner};
use embassy_rp::interrupt;
use embassy_rp::interrupt::{InterruptExt, Priority};
use static_cell::StaticCell;

static SCAN: InterruptExecutor = InterruptExecutor::new();
static PLAY: InterruptExecutor = InterruptExecutor::new();
static THREAD: StaticCell<Executor> = StaticCell::new();

#[interrupt]
unsafe fn SWI_IRQ_0() {
    // SAFETY: the executor was started on this interrupt, and only the interrupt calls this handler.
    unsafe { SCAN.on_interrupt() }
}

#[interrupt]
unsafe fn SWI_IRQ_1() {
    // SAFETY: the executor was started on this interrupt, and only the interrupt calls this handler.
    unsafe { PLAY.on_interrupt() }
}

/// The spawners, one per priority.
pub(crate) struct Spawners {
    pub scan: SendSpawner,
    pub play: SendSpawner,
    pub thread: Spawner,
}

/// Starts all executors, lets `spawn_tasks` spawn the tasks, and never returns.
pub(crate) fn run(spawn_tasks: impl FnOnce(Spawners)) -> ! {
    // The timer interrupt has priority 0. The interrupts of pins and DMA only wake tasks. They are short, so they
    // preempt all tasks. The RP2040 has four priorities and the RP2350 sixteen; the first four mean the same on both.
    interrupt::IO_IRQ_BANK0.set_priority(Priority::P1);
    interrupt::DMA_IRQ_0.set_priority(Priority::P1);
    interrupt::SWI_IRQ_0.set_priority(Priority::P2);
    interrupt::SWI_IRQ_1.set_priority(Priority::P3);
    let scan = SCAN.start(interrupt::SWI_IRQ_0);
    let play = PLAY.start(interrupt::SWI_IRQ_1);
    THREAD.init_with(Executor::new).run(|thread| spawn_tasks(Spawners { scan, play, thread }))
}
