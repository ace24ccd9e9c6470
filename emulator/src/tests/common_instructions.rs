//! The quick way through common instructions against that of the emulators: every instruction, on registers and memory at random.

use crate::common_instructions::{Core, Reach, System};
use crate::rp2350::instructions;
use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg32;
use rp2040_emu::{Config, CortexM0Plus, Emulator};
use rp2350_emu::core::CoreBus;
use rp2350_emu::threaded::CoreAtomics;
use rp2350_emu::{Bus, CortexM33};
use std::sync::Arc;

const CODE: u32 = 0x2000_1000;
const DATA: u32 = 0x2000_2000;
const DATA_SIZE: u32 = 0x400;
/// How often each instruction is tried.
const TRIES: u32 = 6;

/// Registers: mostly near the data, some odd, some at a peripheral or at SIO, some anything, some small, for shifts.
fn some_register(random: &mut Pcg32) -> u32 {
    let value = random.next_u32();
    match value >> 28 {
        0..7 => DATA + (value & 0x3FC),
        7..9 => DATA + (value & 0x3FF),
        9 if value & 1 == 0 => 0x4005_4000 + (value & 0x3C),
        9 if value & 2 == 0 => 0xD000_0000,
        9 => 0xD000_0000 + (value & 0x1FC),
        10 => 0x1000_0000 + (value & 0xFFF),
        11..13 => value & 0x3F,
        _ => random.next_u32(),
    }
}

/// A core that is about to execute what stands at [`CODE`].
struct Trial {
    emulator: Emulator,
}

impl Trial {
    fn new() -> Self {
        Self { emulator: Emulator::new(Config::default()) }
    }

    /// The same state for the same seed.
    fn prepare(&mut self, seed: u64, halves: [u16; 2]) {
        let random = &mut Pcg32::seed_from_u64(seed);
        let Emulator { bus, cores, .. } = &mut self.emulator;
        let core = &mut cores[0];
        if core.is_halted() || core.regs.xpsr & 0x1FF != 0 {
            *core = CortexM0Plus::new();
        }
        bus.ppb[0].active = 0;
        bus.wfe_waiting[0] = false;
        bus.pending_cache_invalidations.clear();
        bus.memory.sram_write16(CODE & 0xFFFF, halves[0]);
        bus.memory.sram_write16((CODE & 0xFFFF) + 2, halves[1]);
        for offset in (0..DATA_SIZE).step_by(4) {
            // Among them addresses of code, for what loads the program counter.
            bus.memory.sram_write32((DATA & 0xFFFF) + offset, some_register(random));
        }
        core.invalidate_decode_cache_entries(&[CODE, CODE + 2]);
        for register in &mut core.regs.r {
            *register = some_register(random);
        }
        core.regs.r[13] = DATA + 0x100 + (random.next_u32() & 0xFC);
        core.regs.r[15] = CODE;
        core.regs.xpsr = random.next_u32() & 0xF000_0000 | 1 << 24;
        core.regs.primask = random.next_u32() & 1;
    }

    fn run_quickly(&mut self, budget: u64) -> u64 {
        let Emulator { bus, cores, .. } = &mut self.emulator;
        let written = &mut bus.pending_cache_invalidations;
        let reach = Reach { memory: &mut bus.memory, written, decoded: None, sram: 264 * 1024, flash: 2 << 20 };
        let registers = &mut cores[0].regs;
        let system = System { primask: &mut registers.primask, waiting: false, locks: &mut bus.sio };
        Core::<false>::new(&mut registers.r, &mut registers.xpsr, reach, Some(system)).run(budget)
    }

    /// All that an instruction can change: registers, flags, the mask, spinlocks, and what was written, with its address.
    fn state(&self) -> ([u32; 16], [u32; 3], Vec<(u32, u16)>) {
        let Emulator { bus, cores, .. } = &self.emulator;
        let written = bus.pending_cache_invalidations.iter();
        let written = written.map(|&at| (at, bus.memory.sram_read16(at & 0x00FF_FFFE))).collect();
        let registers = &cores[0].regs;
        (registers.r, [registers.xpsr, registers.primask, bus.sio.spinlock_bits()], written)
    }
}

/// What is left to rp2040-emu, whatever the registers are.
fn is_uncommon(op: u16) -> bool {
    match op {
        // CPS of anything but PRIMASK, BKPT, hints, SVC, what waits for ever, and what there is not.
        0xB662 | 0xB672 => false,
        0xB100..0xB200 | 0xB300..0xB400 | 0xB600..0xBA00 | 0xBA80..0xBAC0 | 0xBB00..0xBC00 | 0xBE00..=0xBEFF => true,
        0xBF01..0xC000 | 0xDE00..0xE000 | 0xE7FE | 0xE800..0xF000 | 0xF800.. => true,
        // Lists of no register.
        _ => op & 0xFF == 0 && matches!(op >> 8, 0xB4 | 0xBC | 0xC0..=0xCF),
    }
}

#[test]
fn every_instruction_does_the_same_in_as_many_cycles() {
    let (mut quick, mut exact) = (Trial::new(), Trial::new());
    let mut random = Pcg32::seed_from_u64(1);
    let mut executed = 0;
    for op in 0..=u16::MAX {
        let mut declined = 0;
        for _ in 0..TRIES {
            let (seed, second) = (random.next_u64(), random.next_u32() as u16);
            let halves = [op, if second & 1 == 0 { second } else { second | 0xD000 }];
            quick.prepare(seed, halves);
            exact.prepare(seed, halves);
            let before = quick.state();
            let cycles = quick.run_quickly(1);
            if cycles == 0 {
                declined += 1;
                assert_eq!(quick.state(), before, "{op:04x} was declined, so nothing has happened");
                continue;
            }
            let Emulator { bus, cores, .. } = &mut exact.emulator;
            let exact_cycles = cores[0].step(bus);
            assert_eq!(quick.state(), exact.state(), "{op:04x} {:04x}, seed {seed}", halves[1]);
            assert_eq!(cycles, u64::from(exact_cycles), "cycles of {op:04x}");
            executed += 1;
        }
        assert!(!is_uncommon(op) || declined == TRIES, "{op:04x} is not for us");
        // Calculations never leave the registers.
        assert!(op >> 10 > 0b010000 || declined == 0, "{op:04x} was declined");
    }
    assert!(executed > TRIES * 40_000, "only {executed} were executed");
}

/// The same for the other chip.
struct Trial33 {
    core: CortexM33,
    bus: Bus,
}

type State33 = ([u32; 16], [u32; 4], Vec<(u32, u16)>);

impl Trial33 {
    fn new() -> Self {
        let atomics = Arc::new(CoreAtomics::default());
        let mut bus = Bus::with_atomics(Arc::clone(&atomics));
        bus.load_flash(&[0x5A; 4096]);
        Self { core: CortexM33::new(0, atomics), bus }
    }

    fn prepare(&mut self, seed: u64, halves: &[u16; 6]) {
        let random = &mut Pcg32::seed_from_u64(seed);
        let Self { core, bus } = self;
        bus.pending_cache_invalidations.clear();
        for (offset, half) in (0..).step_by(2).zip(halves) {
            bus.memory.sram_write16((CODE & 0xFFFF) + offset, *half);
            core.invalidate_decode_cache_entries(&[CODE + offset]);
        }
        for offset in (0..DATA_SIZE).step_by(4) {
            bus.memory.sram_write32((DATA & 0xFFFF) + offset, some_register(random));
        }
        for register in &mut core.regs.r {
            *register = some_register(random);
        }
        core.regs.r[13] = DATA + 0x100 + (random.next_u32() & 0xFC);
        core.regs.r[15] = CODE;
        core.regs.xpsr = random.next_u32() & 0xF000_0000 | 1 << 24;
        core.regs.msp = core.regs.r[13];
        (core.regs.primask, core.regs.faultmask, core.regs.control) = (random.next_u32() & 1, 0, 0);
        CoreBus::set_last_fetch_addr(bus, CODE - 2 * (1 + (random.next_u32() & 7)));
    }

    fn state(&self) -> State33 {
        let written = self.bus.pending_cache_invalidations.iter();
        let written = written.map(|&at| (at, self.bus.memory.sram_read16(at & 0x00FF_FFFE))).collect();
        let registers = &self.core.regs;
        let others =
            [registers.xpsr, registers.primask, self.bus.sio.spinlock_bits(), CoreBus::last_fetch_addr(&self.bus)];
        (registers.r, others, written)
    }

    fn run_quickly(&mut self, budget: u64) -> u64 {
        let Self { core, bus } = self;
        let last = CoreBus::last_fetch_addr(bus);
        let written = &mut bus.pending_cache_invalidations;
        let reach = Reach { memory: &mut bus.memory, written, decoded: None, sram: 520 * 1024, flash: 4096 };
        let registers = &mut core.regs;
        let system = System { primask: &mut registers.primask, waiting: false, locks: &mut bus.sio };
        let mut common = Core::<true>::new(&mut registers.r, &mut registers.xpsr, reach, Some(system));
        common.last = last;
        let cycles = common.run(budget);
        let last = common.last;
        CoreBus::set_last_fetch_addr(bus, last);
        cycles
    }

    /// One instruction, or IT with all that depends on it.
    fn run_exactly(&mut self) -> u64 {
        let before = self.core.cycles();
        self.core.step_no_atomics(&mut self.bus);
        while self.core.it_state() & 0xF != 0 {
            self.core.step_no_atomics(&mut self.bus);
        }
        self.core.cycles() - before
    }
}

#[test]
fn every_instruction_of_the_m33_does_the_same_in_as_many_cycles() {
    let (mut quick, mut exact) = (Trial33::new(), Trial33::new());
    let mut random = Pcg32::seed_from_u64(2);
    let (mut executed, mut long) = (0, 0);
    for op in 0..=u16::MAX {
        // The second half matters for the long ones.
        for _ in 0..if op >= 0xE800 { 4 * TRIES } else { TRIES } {
            let seed = random.next_u64();
            let mut halves = [0; 6].map(|_: u16| random.next_u32() as u16);
            halves[0] = op;
            if op >> 8 == 0xBF {
                // What follows IT: mostly short, and mostly what only calculates.
                halves[1..]
                    .iter_mut()
                    .for_each(|half| *half &= [0x43FF, 0xFFFF, 0x43FF, 0x7FFF][usize::from(*half & 3)]);
            }
            quick.prepare(seed, &halves);
            // What the emulator takes for another instruction, it is given as in the chip.
            let mut corrected = halves;
            corrected[0] = instructions::first([halves[0], halves[1]]);
            if op >= 0xE800 {
                corrected[1] = instructions::second([halves[0], halves[1]]);
            }
            exact.prepare(seed, &corrected);
            let before = quick.state();
            let cycles = quick.run_quickly(1);
            if cycles == 0 {
                assert_eq!(quick.state(), before, "{halves:04x?} was declined, so nothing has happened");
                continue;
            }
            let exact_cycles = exact.run_exactly();
            assert_eq!(quick.state(), exact.state(), "{halves:04x?}, seed {seed}");
            assert_eq!(cycles, exact_cycles, "cycles of {halves:04x?}");
            executed += 1;
            long += u32::from(op >= 0xE800);
        }
    }
    assert!(executed > TRIES * 40_000 && long > TRIES * 3_000, "only {executed} were executed, {long} of them long");
}

/// A delay loop that counts a register down, and what to count from.
fn some_delay(random: &mut Pcg32) -> ([u16; 2], usize, u32) {
    let register = random.next_u32() % 8;
    let count = random.next_u32();
    let count = if count.is_multiple_of(8) { count } else { count >> 8 & 0x3F };
    ([0x3801 | (register as u16) << 8, 0xD1FD], register as usize, count)
}

#[test]
fn delay_loop_ends_in_the_same_state_and_cycle() {
    let (mut quick, mut exact) = (Trial::new(), Trial::new());
    let (mut quick33, mut exact33) = (Trial33::new(), Trial33::new());
    let mut random = Pcg32::seed_from_u64(3);
    for _ in 0..2_000 {
        let (halves, register, count) = some_delay(&mut random);
        let (seed, budget) = (random.next_u64(), u64::from(1 + random.next_u32() % 300));
        for trial in [&mut quick, &mut exact] {
            trial.prepare(seed, halves);
            trial.emulator.cores[0].regs.r[register] = count;
        }
        let mut cycles = 0;
        while cycles < budget {
            let Emulator { bus, cores, .. } = &mut exact.emulator;
            cycles += u64::from(cores[0].step(bus));
        }
        assert_eq!(quick.run_quickly(budget), cycles, "{count} rounds, {budget} cycles");
        assert_eq!(quick.state(), exact.state(), "{count} rounds, {budget} cycles");
        for trial in [&mut quick33, &mut exact33] {
            trial.prepare(seed, &[halves[0], halves[1], 0, 0, 0, 0]);
            trial.core.regs.r[register] = count;
        }
        let mut cycles = 0;
        while cycles < budget {
            cycles += exact33.run_exactly();
        }
        assert_eq!(quick33.run_quickly(budget), cycles, "{count} rounds, {budget} cycles on the M33");
        assert_eq!(quick33.state(), exact33.state(), "{count} rounds, {budget} cycles on the M33");
    }
}

#[test]
fn interrupts_that_wait_are_enabled_by_the_emulator() {
    const ENABLE: u16 = 0xB662;
    let mut trial = Trial::new();
    for waiting in [false, true] {
        trial.prepare(1, [ENABLE, 0]);
        let Emulator { bus, cores, .. } = &mut trial.emulator;
        let written = &mut bus.pending_cache_invalidations;
        let reach = Reach { memory: &mut bus.memory, written, decoded: None, sram: 264 * 1024, flash: 2 << 20 };
        let registers = &mut cores[0].regs;
        registers.primask = 1;
        let system = System { primask: &mut registers.primask, waiting, locks: &mut bus.sio };
        let cycles = Core::<false>::new(&mut registers.r, &mut registers.xpsr, reach, Some(system)).run(1);
        assert_eq!((cycles, registers.primask), if waiting { (0, 1) } else { (1, 0) });
    }
}
