//! Counting cycles: of chosen functions, from their first instruction to their return.
//!
//! The machine shows every program counter to the meter before the instruction runs, but only while something is watched.
//! A call is open from the function's first instruction until the program counter is at the return address with the
//! stack where it was. Cycles spent in interrupt handlers meanwhile are left out; a function that is itself called by a
//! handler keeps them. These are emulated cycles: taken branches count one too many, flash has no wait states.

use crate::firmware::Symbol;

/// The calls of the functions that a watch covers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Calls {
    /// Cycles of each finished call, in the order of their ends.
    pub cycles: Vec<u64>,
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

/// All watches.
#[derive(Debug, Default)]
pub(crate) struct Meter {
    watches: Vec<(Vec<u32>, Calls)>,
    open: Vec<Open>,
    handlers: u64,
    last: Option<Moment>,
}

impl Meter {
    /// Whether anything is watched.
    pub fn is_on(&self) -> bool {
        !self.watches.is_empty()
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
    }

    /// The next instruction.
    pub fn at(&mut self, now: Moment) {
        if let Some(last) = self.last.filter(|last| last.handler) {
            self.handlers += now.cycles - last.cycles;
        }
        self.last = Some(now);
        while let Some(open) = self.open.last().filter(|open| open.back == now.pc && open.sp == now.sp) {
            let handlers = open.handlers.map_or(0, |before| self.handlers - before);
            self.watches[open.watch].1.cycles.push(now.cycles - open.began - handlers);
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
        let mut see = |pc, lr, sp, handler, cycles| meter.at(Moment { pc, lr, sp, handler, cycles });
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
        assert_eq!(calls.cycles, [21]);
        assert_eq!((calls.min(), calls.max(), calls.mean()), (Some(21), Some(21), Some(21.0)));
    }

    #[test]
    fn recursion_closes_from_the_inside() {
        let mut meter = Meter::default();
        let watch = meter.watch([symbol(0x100)].iter());
        let mut see = |pc, lr, sp, cycles| meter.at(Moment { pc, lr, sp, handler: false, cycles });
        see(0x100, 0x51, 80, 0);
        see(0x100, 0x111, 60, 10);
        see(0x110, 0x111, 60, 14);
        see(0x50, 0x111, 80, 20);
        assert_eq!(meter.calls(watch).map(|calls| calls.cycles.clone()), Some(vec![4, 20]));
        assert_eq!(meter.calls(7), None);
    }
}
