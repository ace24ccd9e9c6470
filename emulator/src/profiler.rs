//! The profiler: cycle counts of function calls, stack high-water mark, and times with interrupts disabled.
//!
//! While functions are watched, the profiler gets the state of the core before each instruction at which a watched call
//! can begin or end ([`Profiler::stops_at`]), and before and after everything that can enter or leave an exception
//! handler. While the core itself is watched ([`CoreUse`]), it gets the state before every instruction.
//!
//! A call lasts from the first instruction of the function until the program counter is at the return address and the
//! stack pointer has its old value. Cycles in handlers that interrupt the call are subtracted: tasks run in interrupt
//! handlers too, so a call belongs to the exception in which it began. These are emulated cycles: a taken branch counts
//! one cycle too many, and flash has no wait states unless its cache is modelled.

use crate::firmware::Symbol;

/// The calls of the functions of a watch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Calls {
    /// Cycles of each finished call, in the order of their ends.
    pub cycles: Vec<u64>,
    /// Start of each finished call, in cycles of the system clock since power-on, in the same order.
    pub began: Vec<u64>,
}

/// Stack use and interrupt masking of the core since [`Handheld::watch_core`](crate::Handheld::watch_core).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CoreUse {
    /// Stack high-water mark: the lowest value of the stack pointer before any instruction.
    pub lowest_stack: u32,
    /// Longest time with interrupts disabled (PRIMASK set) and without a flash operation, in cycles.
    pub masked: u64,
    /// Longest time with interrupts disabled in which flash was programmed but not erased, in cycles.
    pub masked_program: u64,
    /// Longest time with interrupts disabled in which flash was erased, in cycles.
    pub masked_erase: u64,
}

impl CoreUse {
    const NOTHING: Self = Self { lowest_stack: u32::MAX, masked: 0, masked_program: 0, masked_erase: 0 };
}

impl Calls {
    /// Cycles of the longest call.
    pub fn max(&self) -> Option<u64> {
        self.cycles.iter().copied().max()
    }

    /// Cycles of the shortest call.
    pub fn min(&self) -> Option<u64> {
        self.cycles.iter().copied().min()
    }

    /// Mean of the cycles of all calls.
    pub fn mean(&self) -> Option<f64> {
        (!self.cycles.is_empty()).then(|| self.cycles.iter().sum::<u64>() as f64 / self.cycles.len() as f64)
    }
}

/// The state of the core before an instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CoreState {
    pub pc: u32,
    pub lr: u32,
    pub sp: u32,
    /// The number of the active exception; 0 in thread mode.
    pub exception: u32,
    /// Whether interrupts are disabled.
    pub masked: bool,
    /// Cycles of the system clock since power-on.
    pub cycles: u64,
}

/// A watched call that has not returned yet.
#[derive(Debug)]
struct OpenCall {
    watch: usize,
    /// The return address.
    back: u32,
    sp: u32,
    began: u64,
    /// The exception in which the call began.
    exception: u32,
    /// Cycles since then in other exceptions, with their entry and exit.
    interrupted: u64,
}

/// The flash operation during a time with interrupts disabled. An erase outranks a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum FlashWork {
    None,
    Program,
    Erase,
}

/// The watch of the core.
#[derive(Debug)]
struct CoreWatch {
    seen: CoreUse,
    /// When interrupts were disabled, in cycles, and the flash operation since then.
    masked: Option<(u64, FlashWork)>,
}

impl CoreWatch {
    fn at(&mut self, now: CoreState) {
        self.seen.lowest_stack = self.seen.lowest_stack.min(now.sp);
        if now.masked {
            self.masked.get_or_insert((now.cycles, FlashWork::None));
        } else if let Some((began, work)) = self.masked.take() {
            let longest = match work {
                FlashWork::None => &mut self.seen.masked,
                FlashWork::Program => &mut self.seen.masked_program,
                FlashWork::Erase => &mut self.seen.masked_erase,
            };
            *longest = (*longest).max(now.cycles - began);
        }
    }
}

/// All watches.
#[derive(Debug, Default)]
pub(crate) struct Profiler {
    watches: Vec<(Vec<u32>, Calls)>,
    open: Vec<OpenCall>,
    last: Option<CoreState>,
    core: Option<CoreWatch>,
}

impl Profiler {
    /// Whether anything is watched.
    pub(crate) fn is_on(&self) -> bool {
        !self.watches.is_empty() || self.core.is_some()
    }

    /// Whether the core itself is watched. Then [`Profiler::at`] is called before every instruction.
    pub(crate) fn is_core_watched(&self) -> bool {
        self.core.is_some()
    }

    /// Whether the instruction at this address can begin or end a watched call.
    pub(crate) fn stops_at(&self, pc: u32) -> bool {
        self.open.last().is_some_and(|open| open.back == pc)
            || self.watches.iter().any(|(functions, _)| functions.contains(&pc))
    }

    /// Starts a new watch of the core.
    pub(crate) fn watch_core(&mut self) {
        self.core = Some(CoreWatch { seen: CoreUse::NOTHING, masked: None });
    }

    /// The result of the watch of the core.
    pub(crate) fn core_use(&self) -> Option<&CoreUse> {
        self.core.as_ref().map(|core| &core.seen)
    }

    /// Records the start of a flash operation.
    pub(crate) fn flash_operation_started(&mut self, kind: FlashWork) {
        if let Some((_, work)) = self.core.as_mut().and_then(|core| core.masked.as_mut()) {
            *work = kind.max(*work);
        }
    }

    /// Starts a watch of several functions together. Returns the number of the watch.
    pub(crate) fn watch<'a>(&mut self, functions: impl Iterator<Item = &'a Symbol>) -> usize {
        self.watches.push((functions.map(|function| function.address).collect(), Calls::default()));
        self.watches.len() - 1
    }

    /// The calls that a watch has counted.
    pub(crate) fn calls(&self, watch: usize) -> Option<&Calls> {
        self.watches.get(watch).map(|(_, calls)| calls)
    }

    /// Drops all open calls after a reset of the chip.
    pub(crate) fn abandon(&mut self) {
        self.open.clear();
        self.last = None;
        if let Some(core) = &mut self.core {
            core.masked = None;
        }
    }

    /// Processes the state of the core before its next instruction.
    pub(crate) fn at(&mut self, now: CoreState) {
        if let Some(last) = self.last.replace(now) {
            let is_interrupted = |open: &&mut OpenCall| [last.exception, now.exception] != [open.exception; 2];
            for open in self.open.iter_mut().filter(is_interrupted) {
                open.interrupted += now.cycles - last.cycles;
            }
        }
        if let Some(core) = &mut self.core {
            core.at(now);
        }
        while let Some(open) = self.open.last().filter(|open| open.back == now.pc && open.sp == now.sp) {
            let calls = &mut self.watches[open.watch].1;
            calls.cycles.push(now.cycles - open.began - open.interrupted);
            calls.began.push(open.began);
            self.open.pop();
        }
        for (watch, (functions, _)) in self.watches.iter().enumerate() {
            if functions.contains(&now.pc) {
                self.open.push(OpenCall {
                    watch,
                    back: now.lr & !1,
                    sp: now.sp,
                    began: now.cycles,
                    exception: now.exception,
                    interrupted: 0,
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn symbol(address: u32) -> Symbol {
        Symbol { name: String::new(), address, size: 0, is_function: true }
    }

    #[test]
    fn call_is_counted_without_interrupt_cycles() {
        let mut profiler = Profiler::default();
        let watch = profiler.watch([symbol(0x100)].iter());
        let mut see =
            |pc, lr, sp, exception, cycles| profiler.at(CoreState { pc, lr, sp, exception, masked: false, cycles });
        see(0x50, 0, 80, 0, 0);
        see(0x100, 0x55, 80, 0, 10);
        see(0x102, 0x55, 72, 0, 12);
        see(0x900, 0xFFFF_FFF9, 40, 16, 28);
        see(0x902, 0xFFFF_FFF9, 40, 16, 30);
        see(0x104, 0x55, 72, 0, 42);
        see(0x54, 0x55, 80, 0, 45);
        see(0x56, 0x55, 80, 0, 46);
        let calls = profiler.calls(watch).expect("the watch exists");
        // 35 cycles from call to return, minus 30 from the entry of the handler to its exit.
        assert_eq!((&calls.cycles[..], &calls.began[..]), (&[5][..], &[10][..]));
        assert_eq!((calls.min(), calls.max(), calls.mean()), (Some(5), Some(5), Some(5.0)));
    }

    #[test]
    fn call_by_a_handler_is_counted_without_nested_handlers() {
        let mut profiler = Profiler::default();
        let watch = profiler.watch([symbol(0x100)].iter());
        let mut see =
            |pc, lr, exception, cycles| profiler.at(CoreState { pc, lr, sp: 80, exception, masked: false, cycles });
        see(0x100, 0x55, 43, 10);
        see(0x900, 0xFFFF_FFF1, 16, 20);
        see(0x104, 0x55, 43, 50);
        see(0x54, 0x55, 43, 55);
        assert_eq!(profiler.calls(watch).map(|calls| calls.cycles.clone()), Some(vec![5]));
    }

    #[test]
    fn inner_call_of_a_recursion_ends_first() {
        let mut profiler = Profiler::default();
        let watch = profiler.watch([symbol(0x100)].iter());
        let mut see = |pc, lr, sp, cycles| profiler.at(CoreState { pc, lr, sp, exception: 0, masked: false, cycles });
        see(0x100, 0x51, 80, 0);
        see(0x100, 0x111, 60, 10);
        see(0x110, 0x111, 60, 14);
        see(0x50, 0x111, 80, 20);
        assert_eq!(profiler.calls(watch).map(|calls| calls.cycles.clone()), Some(vec![4, 20]));
        assert_eq!(profiler.calls(7), None);
    }

    #[test]
    fn core_watch_records_stack_and_masked_times() {
        let mut profiler = Profiler::default();
        assert!(!profiler.is_on() && profiler.core_use().is_none());
        profiler.watch_core();
        assert!(profiler.is_on());
        let mut see = |masked, sp, cycles, work: Option<FlashWork>| {
            profiler.at(CoreState { pc: 0, lr: 0, sp, exception: 0, masked, cycles });
            work.into_iter().for_each(|work| profiler.flash_operation_started(work));
        };
        see(false, 80, 0, Some(FlashWork::Erase));
        see(true, 72, 10, None);
        see(true, 64, 20, None);
        see(false, 80, 35, None);
        see(true, 76, 40, Some(FlashWork::Program));
        see(false, 76, 140, None);
        see(true, 76, 200, Some(FlashWork::Erase));
        see(true, 76, 500, Some(FlashWork::Program));
        see(false, 76, 1200, None);
        let expected = CoreUse { lowest_stack: 64, masked: 25, masked_program: 100, masked_erase: 1000 };
        assert_eq!(profiler.core_use(), Some(&expected));
        profiler.watch_core();
        assert_eq!(profiler.core_use(), Some(&CoreUse::NOTHING));
    }
}
