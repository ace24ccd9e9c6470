//! Counting cycles: of chosen functions, from their first instruction to their return.
//!
//! While something is watched, the machine shows the core to the meter: before each instruction where the meter stops
//! ([`Meter::stops_at`]), and before and after everything that could enter or leave a handler. While the core itself is
//! followed, it shows the core before every instruction.
//! A call is open from the function's first instruction until the program counter is at the return address with the
//! stack where it was. Cycles spent in interrupt handlers meanwhile are left out; a function that is itself called by a
//! handler keeps them. These are emulated cycles: taken branches count one too many, and flash has no wait states
//! unless its cache is modelled.
//!
//! On demand the meter also follows the core itself ([`CoreUse`]): how deep the stack went, and for how long interrupts
//! were held off.

use crate::firmware::Symbol;

/// The calls of the functions that a watch covers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Calls {
    /// Cycles of each finished call, in the order of their ends.
    pub cycles: Vec<u64>,
    /// When each of them began, in cycles of the system clock since power-on, in the same order.
    pub began: Vec<u64>,
}

/// What the core has been seen to do since [`Handheld::watch_core`](crate::Handheld::watch_core).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CoreUse {
    /// The lowest value of the stack pointer before any instruction, so the exact end of what the stack used.
    pub lowest_stack: u32,
    /// The longest time with interrupts off (PRIMASK set) in which the flash was neither programmed nor erased, in cycles.
    pub masked: u64,
    /// The longest in which flash was programmed, but not erased.
    pub masked_program: u64,
    /// The longest in which flash was erased.
    pub masked_erase: u64,
}

impl CoreUse {
    const NOTHING: Self = Self { lowest_stack: u32::MAX, masked: 0, masked_program: 0, masked_erase: 0 };
}

impl Calls {
    /// The longest call.
    pub fn max(&self) -> Option<u64> {
        self.cycles.iter().copied().max()
    }

    /// The shortest call.
    pub fn min(&self) -> Option<u64> {
        self.cycles.iter().copied().min()
    }

    /// The mean.
    pub fn mean(&self) -> Option<f64> {
        (!self.cycles.is_empty()).then(|| self.cycles.iter().sum::<u64>() as f64 / self.cycles.len() as f64)
    }
}

/// What the core is about to do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moment {
    pub pc: u32,
    pub lr: u32,
    pub sp: u32,
    /// In an interrupt or fault handler.
    pub handler: bool,
    /// Interrupts are off.
    pub masked: bool,
    pub cycles: u64,
}

#[derive(Debug)]
struct Open {
    watch: usize,
    back: u32,
    sp: u32,
    began: u64,
    /// Handler cycles at the start, for a call from outside a handler.
    handlers: Option<u64>,
}

/// What the flash has done in a time with interrupts off; the greater counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum FlashWork {
    None,
    Program,
    Erase,
}

/// Follows the core.
#[derive(Debug)]
struct CoreWatch {
    seen: CoreUse,
    /// Since when interrupts are off, and what the flash has done meanwhile.
    masked: Option<(u64, FlashWork)>,
}

impl CoreWatch {
    fn at(&mut self, now: Moment) {
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
pub(crate) struct Meter {
    watches: Vec<(Vec<u32>, Calls)>,
    open: Vec<Open>,
    handlers: u64,
    last: Option<Moment>,
    core: Option<CoreWatch>,
}

impl Meter {
    /// Whether anything is watched.
    pub fn is_on(&self) -> bool {
        !self.watches.is_empty() || self.core.is_some()
    }

    /// Whether the core itself is followed: then every instruction counts.
    pub fn follows_core(&self) -> bool {
        self.core.is_some()
    }

    /// Whether the instruction at this address may begin or end a call that is watched.
    pub fn stops_at(&self, pc: u32) -> bool {
        self.open.last().is_some_and(|open| open.back == pc)
            || self.watches.iter().any(|(functions, _)| functions.contains(&pc))
    }

    /// Follows the core from now on; what was seen before is forgotten.
    pub fn watch_core(&mut self) {
        self.core = Some(CoreWatch { seen: CoreUse::NOTHING, masked: None });
    }

    /// What the core did.
    pub fn core_use(&self) -> Option<&CoreUse> {
        self.core.as_ref().map(|core| &core.seen)
    }

    /// The flash begins to work, with the core waiting for it.
    pub fn flash_works(&mut self, kind: FlashWork) {
        if let Some((_, work)) = self.core.as_mut().and_then(|core| core.masked.as_mut()) {
            *work = kind.max(*work);
        }
    }

    /// Watches some functions as one; gives the number of the watch.
    pub fn watch<'a>(&mut self, functions: impl Iterator<Item = &'a Symbol>) -> usize {
        self.watches.push((functions.map(|function| function.address).collect(), Calls::default()));
        self.watches.len() - 1
    }

    /// What a watch has seen.
    pub fn calls(&self, watch: usize) -> Option<&Calls> {
        self.watches.get(watch).map(|(_, calls)| calls)
    }

    /// The chip was reset: open calls never return.
    pub fn abandon(&mut self) {
        self.open.clear();
        self.last = None;
        if let Some(core) = &mut self.core {
            core.masked = None;
        }
    }

    /// The next instruction.
    pub fn at(&mut self, now: Moment) {
        if let Some(last) = self.last.filter(|last| last.handler) {
            self.handlers += now.cycles - last.cycles;
        }
        self.last = Some(now);
        if let Some(core) = &mut self.core {
            core.at(now);
        }
        while let Some(open) = self.open.last().filter(|open| open.back == now.pc && open.sp == now.sp) {
            let handlers = open.handlers.map_or(0, |before| self.handlers - before);
            let calls = &mut self.watches[open.watch].1;
            calls.cycles.push(now.cycles - open.began - handlers);
            calls.began.push(open.began);
            self.open.pop();
        }
        for (watch, (functions, _)) in self.watches.iter().enumerate() {
            if functions.contains(&now.pc) {
                self.open.push(Open {
                    watch,
                    back: now.lr & !1,
                    sp: now.sp,
                    began: now.cycles,
                    handlers: (!now.handler).then_some(self.handlers),
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
    fn a_call_is_counted_without_the_interrupt_in_it() {
        let mut meter = Meter::default();
        let watch = meter.watch([symbol(0x100)].iter());
        let mut see = |pc, lr, sp, handler, cycles| meter.at(Moment { pc, lr, sp, handler, masked: false, cycles });
        see(0x50, 0, 80, false, 0);
        see(0x100, 0x55, 80, false, 10);
        see(0x102, 0x55, 72, false, 12);
        see(0x900, 0xFFFF_FFF9, 40, true, 28);
        see(0x902, 0xFFFF_FFF9, 40, true, 30);
        see(0x104, 0x55, 72, false, 42);
        see(0x54, 0x55, 80, false, 45);
        see(0x56, 0x55, 80, false, 46);
        let calls = meter.calls(watch).expect("the watch exists");
        // 35 cycles from call to return, 14 of them from the handler's first instruction to its end.
        assert_eq!((&calls.cycles[..], &calls.began[..]), (&[21][..], &[10][..]));
        assert_eq!((calls.min(), calls.max(), calls.mean()), (Some(21), Some(21), Some(21.0)));
    }

    #[test]
    fn recursion_closes_from_the_inside() {
        let mut meter = Meter::default();
        let watch = meter.watch([symbol(0x100)].iter());
        let mut see = |pc, lr, sp, cycles| meter.at(Moment { pc, lr, sp, handler: false, masked: false, cycles });
        see(0x100, 0x51, 80, 0);
        see(0x100, 0x111, 60, 10);
        see(0x110, 0x111, 60, 14);
        see(0x50, 0x111, 80, 20);
        assert_eq!(meter.calls(watch).map(|calls| calls.cycles.clone()), Some(vec![4, 20]));
        assert_eq!(meter.calls(7), None);
    }

    #[test]
    fn the_core_is_followed_once_asked_for() {
        let mut meter = Meter::default();
        assert!(!meter.is_on() && meter.core_use().is_none());
        meter.watch_core();
        assert!(meter.is_on());
        let mut see = |masked, sp, cycles, work: Option<FlashWork>| {
            meter.at(Moment { pc: 0, lr: 0, sp, handler: false, masked, cycles });
            work.into_iter().for_each(|work| meter.flash_works(work));
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
        assert_eq!(meter.core_use(), Some(&expected));
        meter.watch_core();
        assert_eq!(meter.core_use(), Some(&CoreUse::NOTHING));
    }
}
