//! Corrections of the PIO in the emulator crates (`picoem-common` 0.2.2, the same for both chips). They are applied
//! before and after each write to a PIO register.
//!
//! - **SM_RESTART.** Data sheet: it clears the shift counters, the input shift register, the delay, a stalled or forced
//!   instruction and a wait for an interrupt, and nothing else, so the program continues where it was. Emulator crate:
//!   it also sets the program counter, X, Y and the output shift register to 0. So these are read before the write and
//!   restored after it.
//! - **Restart bits.** Data sheet: they clear themselves, so the alias that clears bits has no effect on them. Emulator
//!   crate: that alias restarts.
//! - **Pins.** Data sheet: the block has a level and a direction register with a bit for each pin. They do not change
//!   while a state machine is stopped, and an instruction that is forced on a stopped state machine changes them at
//!   once. Emulator crate: all pins are released when the last state machine is stopped, a forced instruction takes
//!   effect when a state machine is started, the bits start as 1, and each state machine stores its own side-set value.
//!
//! The state of a state machine is private to the emulator crate. So it is accessed by forced instructions, as a
//! program can do it, with pin levels that are supplied here.

use crate::bits::bits;
use crate::chip_interface::PioBlock;

const CTRL: u32 = 0x000;
/// Registers of the first state machine.
const EXECCTRL: u32 = 0x0CC;
const SHIFTCTRL: u32 = 0x0D0;
const INSTR: u32 = 0x0D8;
const PINCTRL: u32 = 0x0DC;
/// Bytes from the registers of one state machine to those of the next.
const NEXT_MACHINE: u32 = 0x18;
const MACHINES: u32 = 4;
/// SM_RESTART and CLKDIV_RESTART in CTRL.
const RESTARTS: u32 = 0xFF0;
/// The alias that clears bits of a register.
const CLEAR: u32 = 3;
/// PINCTRL in which OUT and MOV write all pins and there is no side-set.
const ALL_PINS: u32 = 32 << 20;
/// Position of the number of side-set bits in PINCTRL.
const SIDE_SET_COUNT: u32 = 29;
/// EXECCTRL: a forced instruction is stalled.
const EXEC_STALLED: u32 = 1 << 31;
/// EXECCTRL: side-set is optional.
const SIDE_EN: u32 = 1 << 30;
/// EXECCTRL: side-set sets pin directions.
const SIDE_PINDIR: u32 = 1 << 29;
/// SHIFTCTRL of the RP2350: number of pins that MOV reads; 0 means all.
const IN_COUNT: u32 = 0x1F;
/// Instructions: `jmp 0`, `nop`, and `mov` with its destinations and sources.
const JMP: u16 = 0x0000;
const NOP: u16 = 0xA042;
const MOV: u16 = 0xA000;
const TO_PINS: u16 = 0 << 5;
const TO_X: u16 = 1 << 5;
const TO_Y: u16 = 2 << 5;
const TO_DIRECTIONS: u16 = 3 << 5;
const TO_OSR: u16 = 7 << 5;
const FROM_PINS: u16 = 0;
const FROM_X: u16 = 1;
const FROM_Y: u16 = 2;
const FROM_OSR: u16 = 7;

/// Output levels and directions of the pins of a block, bit = pin.
type Pads = (u32, u32);

/// The registers of a state machine that SM_RESTART does not change.
#[derive(Clone, Copy, Debug)]
struct KeptRegisters {
    pc: u8,
    x: u32,
    y: u32,
    osr: u32,
}

/// A write to a register of a block, with the state before it that must be restored after it.
#[derive(Debug)]
pub(crate) struct Write {
    offset: u32,
    /// The corrected value that must be written.
    pub value: u32,
    pads: Pads,
    enabled: u8,
    restarted: [Option<KeptRegisters>; MACHINES as usize],
}

impl Write {
    /// Must be called before the write. `kind` is the alias of the bus: 0 write, 1 xor, 2 set, 3 clear.
    pub(crate) fn before(pio: &mut PioBlock, offset: u32, value: u32, kind: u32) -> Self {
        let value = if offset == CTRL && kind == CLEAR { value & !RESTARTS } else { value };
        let mut restarted = [None; MACHINES as usize];
        if offset == CTRL {
            for machine in bits(value >> 4 & 0xF) {
                restarted[machine] = Some(with_all_pins(pio, machine as u32, |pio| KeptRegisters {
                    pc: pio.sm[machine].pc(),
                    x: force(pio, machine, MOV | TO_PINS | FROM_X, 0),
                    y: force(pio, machine, MOV | TO_PINS | FROM_Y, 0),
                    osr: force(pio, machine, MOV | TO_PINS | FROM_OSR, 0),
                }));
            }
        }
        Self { offset, value, pads: (pio.pad_out, pio.pad_oe), enabled: pio.sm_enabled_mask(), restarted }
    }

    /// Must be called after the write.
    pub(crate) fn after(self, pio: &mut PioBlock) {
        if self.offset == CTRL {
            for (machine, kept) in self.restarted.into_iter().enumerate() {
                let Some(KeptRegisters { pc, x, y, osr }) = kept else { continue };
                with_all_pins(pio, machine as u32, |pio| {
                    force(pio, machine, MOV | TO_X | FROM_PINS, x);
                    force(pio, machine, MOV | TO_Y | FROM_PINS, y);
                    // In the emulator crate this does not change the shift counter, which means "empty" after a
                    // restart. That is correct.
                    force(pio, machine, MOV | TO_OSR | FROM_PINS, osr);
                    force(pio, machine, JMP | u16::from(pc), 0);
                });
            }
            hold(pio, self.pads, self.enabled);
        } else if let Some(machine) = instruction_of(self.offset)
            && !pio.any_sm_enabled()
        {
            show_forced(pio, machine, self.value as u16);
        }
    }
}

/// Resets the pins of a block: all pins are low inputs.
pub(crate) fn clear_pins(pio: &mut PioBlock) {
    set_pads(pio, (0, 0));
}

/// The state machine whose INSTR register is at `offset`.
fn instruction_of(offset: u32) -> Option<u32> {
    let past = offset.checked_sub(INSTR)?;
    (past % NEXT_MACHINE == 0 && past / NEXT_MACHINE < MACHINES).then_some(past / NEXT_MACHINE)
}

/// Calls `act` while OUT and MOV of a state machine access all pins and it has no side-set.
fn with_all_pins<T>(pio: &mut PioBlock, machine: u32, act: impl FnOnce(&mut PioBlock) -> T) -> T {
    let [pins, shift] = [PINCTRL, SHIFTCTRL].map(|register| register + NEXT_MACHINE * machine);
    let [old_pins, old_shift] = [pins, shift].map(|register| pio.read32(register));
    pio.write32(pins, ALL_PINS, 0);
    pio.write32(shift, old_shift & !IN_COUNT, 0);
    let result = act(pio);
    pio.write32(pins, old_pins, 0);
    pio.write32(shift, old_shift, 0);
    result
}

/// Forces an instruction on a state machine, with `inputs` as the levels of the pins. Returns the output levels.
fn force(pio: &mut PioBlock, machine: usize, instruction: u16, inputs: u32) -> u32 {
    let program = *pio.instr_mem();
    let mut outputs = 0;
    pio.sm[machine].force_execute(instruction, &program, &mut 0, inputs, &mut outputs, &mut 0);
    outputs
}

/// Sets the pins of a block, through a state machine that is disabled and not stalled. There is one if the firmware
/// uses fewer than four.
fn set_pads(pio: &mut PioBlock, pads: Pads) {
    let is_free = |machine: &u32| !pio.sm[*machine as usize].enabled();
    let free: Vec<u32> = (0..MACHINES).rev().filter(is_free).collect();
    let machine = free.into_iter().find(|machine| pio.read32(EXECCTRL + NEXT_MACHINE * machine) & EXEC_STALLED == 0);
    if let Some(machine) = machine {
        with_all_pins(pio, machine, |pio| {
            let x = force(pio, machine as usize, MOV | TO_PINS | FROM_X, 0);
            for (value, destination) in [(pads.0, TO_PINS), (pads.1, TO_DIRECTIONS)] {
                force(pio, machine as usize, MOV | TO_X | FROM_PINS, value);
                pio.write32(INSTR + NEXT_MACHINE * machine, u32::from(MOV | destination | FROM_X), 0);
            }
            force(pio, machine as usize, MOV | TO_X | FROM_PINS, x);
        });
    }
    (pio.pad_out, pio.pad_oe) = pads;
}

/// Restores the pins after state machines were started or stopped. `before` has the machines that were enabled.
fn hold(pio: &mut PioBlock, pads: Pads, before: u8) {
    if (pio.pad_out, pio.pad_oe) != pads {
        for machine in bits(u32::from(pio.sm_enabled_mask() & !before)) {
            side_set(pio, machine, pads);
        }
        set_pads(pio, pads);
    }
}

/// Updates the pins after an instruction was forced on a state machine while none is enabled.
fn show_forced(pio: &mut PioBlock, machine: u32, instruction: u16) {
    let register = PINCTRL + NEXT_MACHINE * machine;
    let pins = pio.read32(register);
    let is_optional = pio.read32(EXECCTRL + NEXT_MACHINE * machine) & SIDE_EN != 0;
    let has_side_set = !is_optional || instruction & 1 << 12 != 0;
    if !has_side_set {
        pio.write32(register, pins & !(7 << SIDE_SET_COUNT), 0);
    }
    // The emulator crate computes the pins when a state machine is started.
    pio.set_sm_enabled(machine as usize, true);
    let pads = (pio.pad_out, pio.pad_oe);
    pio.set_sm_enabled(machine as usize, false);
    pio.write32(register, pins, 0);
    set_pads(pio, pads);
}

/// Sets the stored side-set value of a state machine to the present state of its pins.
fn side_set(pio: &mut PioBlock, machine: usize, (levels, directions): Pads) {
    let registers = NEXT_MACHINE * machine as u32;
    let [pins, execution] = [PINCTRL, EXECCTRL].map(|register| pio.read32(register + registers));
    let count = pins >> SIDE_SET_COUNT;
    let optional = u32::from(execution & SIDE_EN != 0);
    if count <= optional || count > 5 {
        return;
    }
    let pads = if execution & SIDE_PINDIR != 0 { directions } else { levels };
    let value = pads.rotate_right(pins >> 10 & 0x1F) & ((1 << (count - optional)) - 1);
    let field = value << (13 - count) | optional << 12;
    force(pio, machine, NOP | field as u16, 0);
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENABLE: u32 = 1;
    const RESTART: u32 = 1 << 4;
    const WRITE: u32 = 0;
    const SET: u32 = 2;
    const ADDR: u32 = 0x0D4;
    const TXF0: u32 = 0x010;
    const RXF0: u32 = 0x020;
    const FSTAT: u32 = 0x004;
    const PULL: u16 = 0x80A0;
    const PUSH: u16 = 0x8020;
    /// `mov x, osr`, `mov y, osr`, `mov isr, ...`, `jmp !osre 9`.
    const X_FROM_OSR: u16 = 0xA027;
    const Y_FROM_OSR: u16 = 0xA047;
    const TO_ISR: u16 = 0xA0C0;
    const JMP_IF_OSR_HAS_BITS: u16 = 0x00E0 | 9;

    fn write(pio: &mut PioBlock, offset: u32, value: u32, kind: u32) {
        let write = Write::before(pio, offset, value, kind);
        let value = write.value;
        pio.write32(offset, value, kind);
        write.after(pio);
    }

    fn run(pio: &mut PioBlock, instruction: u16) {
        write(pio, INSTR, instruction.into(), WRITE);
    }

    /// Reads a register of the first state machine through its FIFO.
    fn value(pio: &mut PioBlock, source: u16) -> u32 {
        run(pio, TO_ISR | source);
        run(pio, PUSH);
        pio.read32(RXF0)
    }

    /// A state machine at instruction 7 with values in X, Y and OSR.
    fn loaded() -> PioBlock {
        let mut pio = PioBlock::new();
        clear_pins(&mut pio);
        for (word, destination) in [(0xDEAD_BEEF, X_FROM_OSR), (0x0BAD_CAFE, Y_FROM_OSR), (0x1234_5678, NOP)] {
            pio.write32(TXF0, word, WRITE);
            run(&mut pio, PULL);
            run(&mut pio, destination);
        }
        run(&mut pio, JMP | 7);
        pio
    }

    #[test]
    fn restart_keeps_pc_x_y_and_osr() {
        for (value_written, kind) in [(RESTART, SET), (RESTART, WRITE), (RESTART | ENABLE, WRITE), (RESTART, 1)] {
            let mut pio = loaded();
            write(&mut pio, CTRL, value_written, kind);
            assert_eq!(pio.read32(ADDR), 7);
            write(&mut pio, CTRL, 0, WRITE);
            assert_eq!(
                [FROM_X, FROM_Y, FROM_OSR].map(|from| value(&mut pio, from)),
                [0xDEAD_BEEF, 0x0BAD_CAFE, 0x1234_5678]
            );
        }
    }

    #[test]
    fn restart_clears_counters_isr_and_stalls() {
        let mut pio = loaded();
        // OSR is not empty, so the jump is taken. Then `in x, 8`, and a pull from an empty FIFO.
        run(&mut pio, JMP_IF_OSR_HAS_BITS);
        assert_eq!(pio.read32(ADDR), 9);
        run(&mut pio, 0x4028);
        run(&mut pio, PULL);
        assert_ne!(pio.read32(EXECCTRL) & EXEC_STALLED, 0);
        assert_ne!((pio.sm[0].isr_value(), pio.sm[0].isr_shift_count()), (0, 0));
        write(&mut pio, CTRL, RESTART, SET);
        assert_eq!(
            (pio.sm[0].isr_value(), pio.sm[0].isr_shift_count(), pio.read32(EXECCTRL) & EXEC_STALLED),
            (0, 0, 0)
        );
        run(&mut pio, JMP | 3);
        run(&mut pio, JMP_IF_OSR_HAS_BITS);
        assert_eq!(pio.read32(ADDR), 3, "the shift counter means an empty OSR");
        assert_eq!(value(&mut pio, FROM_OSR), 0x1234_5678, "OSR keeps its value");
    }

    #[test]
    fn clearing_restart_bits_restarts_nothing() {
        let mut pio = loaded();
        run(&mut pio, 0x4028);
        write(&mut pio, CTRL, RESTARTS, CLEAR);
        assert_eq!(pio.sm[0].isr_shift_count(), 8);
    }

    /// A state machine with SET and side-set on pin 3, a loop of `jmp 0 side 1`, and one instruction in 256 cycles.
    fn with_pin() -> PioBlock {
        let mut pio = PioBlock::new();
        clear_pins(&mut pio);
        write(&mut pio, PINCTRL, 1 << 29 | 1 << 26 | 3 << 10 | 3 << 5, WRITE);
        pio.write32(0x048, 0x1000, WRITE);
        pio.write32(0x0C8, 256 << 16, WRITE);
        pio
    }

    fn pin(pio: &PioBlock) -> (u32, u32) {
        (pio.pad_out >> 3 & 1, pio.pad_oe >> 3 & 1)
    }

    #[test]
    fn pins_keep_their_state_while_machines_are_stopped() {
        let mut pio = with_pin();
        assert_eq!((pio.pad_out, pio.pad_oe), (0, 0), "low inputs after a reset");
        run(&mut pio, 0xE081);
        assert_eq!(pin(&pio), (0, 1), "a forced instruction takes effect at once");
        write(&mut pio, CTRL, ENABLE, SET);
        assert_eq!(pin(&pio), (0, 1), "a start changes no pin");
        (0..255).for_each(|_| pio.step(0));
        assert_eq!(pin(&pio), (0, 1), "no change before the first instruction");
        pio.step(0);
        assert_eq!(pin(&pio), (1, 1));
        write(&mut pio, CTRL, ENABLE, CLEAR);
        assert_eq!(pin(&pio), (1, 1), "a stop changes no pin");
        write(&mut pio, CTRL, 1 << 2, SET);
        pio.step(0);
        assert_eq!(pin(&pio), (1, 1), "another state machine does not change the pin");
        write(&mut pio, CTRL, 1 << 2, CLEAR);
        run(&mut pio, 0xE000);
        assert_eq!(pin(&pio), (0, 1), "side-set is 0 in the forced instruction");
        assert_eq!(pio.pad_out, 0);
    }

    #[test]
    fn joining_fifos_empties_both() {
        let mut pio = PioBlock::new();
        pio.write32(TXF0, 1, WRITE);
        assert_eq!(pio.read32(FSTAT) >> 24 & 1, 0);
        pio.write32(SHIFTCTRL, 1 << 30, 2);
        assert_eq!(pio.read32(FSTAT) >> 24 & 1, 1);
        pio.write32(TXF0, 1, WRITE);
        pio.write32(SHIFTCTRL, 1 << 30, 3);
        assert_eq!(pio.read32(FSTAT) >> 24 & 1, 1);
    }
}
