//! Compares the fast interpreter with the emulator crates: every instruction, with random registers and memory.

use crate::common_instructions::{Core, DirectMemory, SystemState};
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
/// How often each instruction is executed.
const TRIES: u32 = 6;

/// A random register value. Most are addresses in the data. Others are unaligned, addresses of a peripheral or of SIO,
/// small numbers for shifts, or any number.
fn random_register(random: &mut Pcg32) -> u32 {
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

/// A Cortex-M0+ that is about to execute the instruction at [`CODE`].
struct TrialM0 {
    emulator: Emulator,
}

impl TrialM0 {
    fn new() -> Self {
        Self { emulator: Emulator::new(Config::default()) }
    }

    /// Sets up a state that depends only on the seed.
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
            // Some are addresses of code, for loads of the program counter.
            bus.memory.sram_write32((DATA & 0xFFFF) + offset, random_register(random));
        }
        core.invalidate_decode_cache_entries(&[CODE, CODE + 2]);
        for register in &mut core.regs.r {
            *register = random_register(random);
        }
        core.regs.r[13] = DATA + 0x100 + (random.next_u32() & 0xFC);
        core.regs.r[15] = CODE;
        core.regs.xpsr = random.next_u32() & 0xF000_0000 | 1 << 24;
        core.regs.primask = random.next_u32() & 1;
    }

    fn run_fast(&mut self, budget: u64) -> u64 {
        let Emulator { bus, cores, .. } = &mut self.emulator;
        let written = &mut bus.pending_cache_invalidations;
        let memory =
            DirectMemory { content: &mut bus.memory, written, decoded: None, sram: 264 * 1024, flash: 2 << 20 };
        let registers = &mut cores[0].regs;
        let system =
            SystemState { primask: &mut registers.primask, is_exception_pending: false, spinlocks: &mut bus.sio };
        Core::<false>::new(&mut registers.r, &mut registers.xpsr, memory, Some(system)).run(budget)
    }

    /// The state that an instruction can change: registers, flags, PRIMASK, spinlocks, and address and value of each
    /// write.
    fn state(&self) -> ([u32; 16], [u32; 3], Vec<(u32, u16)>) {
        let Emulator { bus, cores, .. } = &self.emulator;
        let written = bus.pending_cache_invalidations.iter();
        let written = written.map(|&at| (at, bus.memory.sram_read16(at & 0x00FF_FFFE))).collect();
        let registers = &cores[0].regs;
        (registers.r, [registers.xpsr, registers.primask, bus.sio.spinlock_bits()], written)
    }
}

/// Whether rp2040-emu must execute an instruction for any state of the registers.
fn is_unsupported(op: u16) -> bool {
    match op {
        // CPS except for PRIMASK, BKPT, hints, SVC, `b .`, and undefined instructions.
        0xB662 | 0xB672 => false,
        0xB100..0xB200 | 0xB300..0xB400 | 0xB600..0xBA00 | 0xBA80..0xBAC0 | 0xBB00..0xBC00 | 0xBE00..=0xBEFF => true,
        0xBF01..0xC000 | 0xDE00..0xE000 | 0xE7FE | 0xE800..0xF000 | 0xF800.. => true,
        // Empty register lists.
        _ => op & 0xFF == 0 && matches!(op >> 8, 0xB4 | 0xBC | 0xC0..=0xCF),
    }
}

#[test]
fn m0_instructions_have_the_same_result_and_cycles() {
    let (mut fast, mut exact) = (TrialM0::new(), TrialM0::new());
    let mut random = Pcg32::seed_from_u64(1);
    let mut executed = 0;
    for op in 0..=u16::MAX {
        let mut declined = 0;
        for _ in 0..TRIES {
            let (seed, second) = (random.next_u64(), random.next_u32() as u16);
            let halves = [op, if second & 1 == 0 { second } else { second | 0xD000 }];
            fast.prepare(seed, halves);
            exact.prepare(seed, halves);
            let before = fast.state();
            let cycles = fast.run_fast(1);
            if cycles == 0 {
                declined += 1;
                assert_eq!(fast.state(), before, "{op:04x} was declined but changed the state");
                continue;
            }
            let Emulator { bus, cores, .. } = &mut exact.emulator;
            let exact_cycles = cores[0].step(bus);
            assert_eq!(fast.state(), exact.state(), "{op:04x} {:04x}, seed {seed}", halves[1]);
            assert_eq!(cycles, u64::from(exact_cycles), "cycles of {op:04x}");
            executed += 1;
        }
        assert!(!is_unsupported(op) || declined == TRIES, "{op:04x} is not supported but was executed");
        // Data processing uses only registers, so it is always executed.
        assert!(op >> 10 > 0b010000 || declined == 0, "{op:04x} was declined");
    }
    assert!(executed > TRIES * 40_000, "only {executed} were executed");
}

/// A Cortex-M33 that is about to execute the instruction at [`CODE`].
struct TrialM33 {
    core: CortexM33,
    bus: Bus,
}

type StateM33 = ([u32; 16], [u32; 4], Vec<(u32, u16)>);

impl TrialM33 {
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
            bus.memory.sram_write32((DATA & 0xFFFF) + offset, random_register(random));
        }
        for register in &mut core.regs.r {
            *register = random_register(random);
        }
        core.regs.r[13] = DATA + 0x100 + (random.next_u32() & 0xFC);
        core.regs.r[15] = CODE;
        core.regs.xpsr = random.next_u32() & 0xF000_0000 | 1 << 24;
        core.regs.msp = core.regs.r[13];
        (core.regs.primask, core.regs.faultmask, core.regs.control) = (random.next_u32() & 1, 0, 0);
        CoreBus::set_last_fetch_addr(bus, CODE - 2 * (1 + (random.next_u32() & 7)));
    }

    fn state(&self) -> StateM33 {
        let written = self.bus.pending_cache_invalidations.iter();
        let written = written.map(|&at| (at, self.bus.memory.sram_read16(at & 0x00FF_FFFE))).collect();
        let registers = &self.core.regs;
        let others =
            [registers.xpsr, registers.primask, self.bus.sio.spinlock_bits(), CoreBus::last_fetch_addr(&self.bus)];
        (registers.r, others, written)
    }

    fn run_fast(&mut self, budget: u64) -> u64 {
        let Self { core, bus } = self;
        let last = CoreBus::last_fetch_addr(bus);
        let written = &mut bus.pending_cache_invalidations;
        let memory = DirectMemory { content: &mut bus.memory, written, decoded: None, sram: 520 * 1024, flash: 4096 };
        let registers = &mut core.regs;
        let system =
            SystemState { primask: &mut registers.primask, is_exception_pending: false, spinlocks: &mut bus.sio };
        let mut common = Core::<true>::new(&mut registers.r, &mut registers.xpsr, memory, Some(system));
        common.last = last;
        let cycles = common.run(budget);
        let last = common.last;
        CoreBus::set_last_fetch_addr(bus, last);
        cycles
    }

    /// Executes one instruction, or a whole IT block, with the emulator crate.
    fn step_exact(&mut self) -> u64 {
        let before = self.core.cycles();
        self.core.step_no_atomics(&mut self.bus);
        while self.core.it_state() & 0xF != 0 {
            self.core.step_no_atomics(&mut self.bus);
        }
        self.core.cycles() - before
    }
}

#[test]
fn m33_instructions_have_the_same_result_and_cycles() {
    let (mut fast, mut exact) = (TrialM33::new(), TrialM33::new());
    let mut random = Pcg32::seed_from_u64(2);
    let (mut executed, mut long) = (0, 0);
    for op in 0..=u16::MAX {
        // More tries for long instructions, whose second halfword is random.
        for _ in 0..if op >= 0xE800 { 4 * TRIES } else { TRIES } {
            let seed = random.next_u64();
            let mut halves = [0; 6].map(|_: u16| random.next_u32() as u16);
            halves[0] = op;
            if op >> 8 == 0xBF {
                // In an IT block, mostly short data processing instructions.
                halves[1..]
                    .iter_mut()
                    .for_each(|half| *half &= [0x43FF, 0xFFFF, 0x43FF, 0x7FFF][usize::from(*half & 3)]);
            }
            fast.prepare(seed, &halves);
            // The emulator crate gets corrected instructions, as in the emulated chip.
            let mut corrected = halves;
            corrected[0] = instructions::first([halves[0], halves[1]]);
            if op >= 0xE800 {
                corrected[1] = instructions::second([halves[0], halves[1]]);
            }
            exact.prepare(seed, &corrected);
            let before = fast.state();
            let cycles = fast.run_fast(1);
            if cycles == 0 {
                assert_eq!(fast.state(), before, "{halves:04x?} was declined but changed the state");
                continue;
            }
            let exact_cycles = exact.step_exact();
            assert_eq!(fast.state(), exact.state(), "{halves:04x?}, seed {seed}");
            assert_eq!(cycles, exact_cycles, "cycles of {halves:04x?}");
            executed += 1;
            long += u32::from(op >= 0xE800);
        }
    }
    assert!(executed > TRIES * 40_000 && long > TRIES * 3_000, "only {executed} were executed, {long} of them long");
}

/// A delay loop, the register that it counts down, and the start value.
fn random_delay(random: &mut Pcg32) -> ([u16; 2], usize, u32) {
    let register = random.next_u32() % 8;
    let count = random.next_u32();
    let count = if count.is_multiple_of(8) { count } else { count >> 8 & 0x3F };
    ([0x3801 | (register as u16) << 8, 0xD1FD], register as usize, count)
}

#[test]
fn delay_loop_ends_in_the_same_state_and_cycle() {
    let (mut fast, mut exact) = (TrialM0::new(), TrialM0::new());
    let (mut fast_m33, mut exact_m33) = (TrialM33::new(), TrialM33::new());
    let mut random = Pcg32::seed_from_u64(3);
    for _ in 0..2_000 {
        let (halves, register, count) = random_delay(&mut random);
        let (seed, budget) = (random.next_u64(), u64::from(1 + random.next_u32() % 300));
        for trial in [&mut fast, &mut exact] {
            trial.prepare(seed, halves);
            trial.emulator.cores[0].regs.r[register] = count;
        }
        let mut cycles = 0;
        while cycles < budget {
            let Emulator { bus, cores, .. } = &mut exact.emulator;
            cycles += u64::from(cores[0].step(bus));
        }
        assert_eq!(fast.run_fast(budget), cycles, "{count} rounds, {budget} cycles");
        assert_eq!(fast.state(), exact.state(), "{count} rounds, {budget} cycles");
        for trial in [&mut fast_m33, &mut exact_m33] {
            trial.prepare(seed, &[halves[0], halves[1], 0, 0, 0, 0]);
            trial.core.regs.r[register] = count;
        }
        let mut cycles = 0;
        while cycles < budget {
            cycles += exact_m33.step_exact();
        }
        assert_eq!(fast_m33.run_fast(budget), cycles, "{count} rounds, {budget} cycles on the M33");
        assert_eq!(fast_m33.state(), exact_m33.state(), "{count} rounds, {budget} cycles on the M33");
    }
}

#[test]
fn cpsie_with_pending_exception_is_not_executed() {
    const ENABLE: u16 = 0xB662;
    let mut trial = TrialM0::new();
    for is_exception_pending in [false, true] {
        trial.prepare(1, [ENABLE, 0]);
        let Emulator { bus, cores, .. } = &mut trial.emulator;
        let written = &mut bus.pending_cache_invalidations;
        let memory =
            DirectMemory { content: &mut bus.memory, written, decoded: None, sram: 264 * 1024, flash: 2 << 20 };
        let registers = &mut cores[0].regs;
        registers.primask = 1;
        let system = SystemState { primask: &mut registers.primask, is_exception_pending, spinlocks: &mut bus.sio };
        let cycles = Core::<false>::new(&mut registers.r, &mut registers.xpsr, memory, Some(system)).run(1);
        assert_eq!((cycles, registers.primask), if is_exception_pending { (0, 1) } else { (1, 0) });
    }
}
