//! A fast interpreter for the instructions that a core executes most of the time.
//!
//! Nearly all instructions use only registers and memory. The emulator crates execute one instruction at a time and
//! check for interrupts and faults at each. That takes about 30 ns, which would be most of the time of every test. This
//! interpreter executes such instructions one after another without these checks. [`Core::run`] stops before an
//! instruction with any other effect (a peripheral access, an exception, an access that faults, an undefined
//! instruction). The emulator crate then executes that instruction. The instructions of a critical section are executed
//! here too: see `system`.
//!
//! The Cortex-M0+ of the RP2040 and the Cortex-M33 of the RP2350 have the short instructions in common, but not their
//! cycle counts. The long instructions, in `long`, and the conditional ones, in `conditional`, exist only on the M33.
//!
//! Results and cycle counts are exactly those of the emulator crates. A test compares them for every instruction.

mod branch;
mod calculation;
mod conditional;
mod load_store;
mod long;
mod memory;
mod short;
mod system;

pub(crate) use memory::{DecodedCode, DirectMemory};
pub(crate) use system::SystemState;

const SP: usize = 13;
const LR: usize = 14;
const PC: usize = 15;

/// `b .`, an endless loop. [`Core::run`] stops before it, so that the emulator can skip the waiting time.
pub(crate) const LOOP: u16 = 0xE7FE;

/// The registers and the memory that instructions work on.
pub(crate) struct Core<'a, const M33: bool> {
    r: &'a mut [u32; 16],
    psr: &'a mut u32,
    memory: DirectMemory<'a>,
    /// `None` while changes of the interrupt mask are measured. The emulator crate then executes these instructions.
    system: Option<SystemState<'a>>,
    /// The cycles of the budget that were left when the current instruction began.
    left: u64,
    /// The address of the last halfword that was fetched. Only the M33 needs it, for its cycle count.
    pub(crate) last: u32,
}

/// The extra cycles after a jump to `pc`. The emulator crate of the RP2350 adds a wait cycle for two of eight banks.
fn jump_cycles(pc: u32) -> u64 {
    u64::from(pc & 0x000F_FFFF < 0x8_0000 && pc >> 2 & 3 == 2)
}

impl<'a, const M33: bool> Core<'a, M33> {
    /// An interpreter on the registers and the program status register of a core.
    pub(crate) fn new(
        r: &'a mut [u32; 16],
        psr: &'a mut u32,
        memory: DirectMemory<'a>,
        system: Option<SystemState<'a>>,
    ) -> Self {
        Self { r, psr, memory, system, left: 0, last: 0 }
    }

    /// Executes instructions until `cycles` have passed or until the next instruction is not supported here. Returns
    /// the cycles that passed. The caller ensures that no interrupt would be taken and that no IT block is active.
    pub(crate) fn run(&mut self, cycles: u64) -> u64 {
        let mut pc = self.r[PC];
        let mut passed = 0;
        while passed < cycles {
            self.left = cycles - passed;
            let Some((taken, next)) = self.step(pc) else { break };
            passed += taken;
            pc = next;
        }
        self.r[PC] = pc;
        passed
    }

    /// Like [`Core::run`], but stops after at least one instruction when `stops` is true for the next address.
    pub(crate) fn run_to(&mut self, cycles: u64, stops: impl Fn(u32) -> bool) -> u64 {
        // With no budget left, no delay loop is executed as a whole, so it cannot pass an address that stops.
        self.left = 0;
        let mut pc = self.r[PC];
        let mut passed = 0;
        while passed < cycles {
            let Some((taken, next)) = self.step(pc) else { break };
            passed += taken;
            pc = next;
            if stops(pc) {
                break;
            }
        }
        self.r[PC] = pc;
        passed
    }

    /// Executes the instruction at `pc`. Returns its cycles and the address of the next instruction, or `None` if
    /// nothing was changed. The program counter register is not updated.
    #[inline(always)]
    fn step(&mut self, pc: u32) -> Option<(u64, u32)> {
        let op = self.read16(pc)?;
        if !M33 {
            return self.execute(op, pc);
        }
        let jumped = pc != self.last.wrapping_add(2) && pc != self.last.wrapping_add(4);
        let (cycles, next) = if op >= 0xE800 {
            let done = self.execute_long(op, pc)?;
            self.last = pc.wrapping_add(2);
            done
        } else if op & 0xFF00 == 0xBF00 && op & 0xF != 0 {
            self.execute_it_block(op, pc)?
        } else {
            let done = self.execute(op, pc)?;
            self.last = pc;
            done
        };
        Some((if jumped { cycles + jump_cycles(pc) } else { cycles }, next))
    }
}
