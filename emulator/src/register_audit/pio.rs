//! The programmable IO: state machine 0 of the first block, which sends to the LEDs.

use super::Source::{Both, Descriptions};
use super::{Register, one, row};

const CTRL: Register = row(
    one(0x000),
    "CTRL",
    Descriptions,
    "SM_ENABLE stays; SM_RESTART and CLKDIV_RESTART clear themselves. A restart clears shift counters, ISR, delay, \
     waits, forced instructions that stall, and sticky pin writes; it leaves OSR, X and Y alone, and on the RP2040 \
     the PC by name. (The RP2350's description no longer names the PC.) A machine that is stopped runs what is \
     written to INSTR",
    "a restart sets PC, X, Y and OSR to 0; the alias that clears bits restarts too; pins are let go when the last \
     machine stops",
    "PC, X, Y and OSR are put back on both chips, the alias clears nothing, pins are held",
)
.tests(&[
    "restart_keeps_pc_x_y_and_osr",
    "restart_clears_counters_isr_and_stalls",
    "clearing_restart_bits_restarts_nothing",
    "pins_keep_their_state_while_machines_are_stopped",
]);

const FSTAT: Register = row(
    one(0x004),
    "FSTAT",
    Descriptions,
    "which FIFOs are full and empty, four bits each. One that is joined away reads as both",
    "as described",
    "what a FIFO that is joined away reads as is not looked at",
);

const FIFO: Register = row(
    one(0x010),
    "TXF0",
    Descriptions,
    "a write to a full FIFO is dropped, and noted in FDEBUG",
    "dropped, without FDEBUG",
    "FDEBUG is left out: the program does not read it",
)
.tests(&["what_the_dma_reaches_is_noted"]);

const MEMORY: &str = "write only; a machine finds a new instruction at once";
const MEMORY_UPSTREAM: &str = "as described. Not so are MOV to OSR and ISR, PUSH IFFULL and PULL IFEMPTY, which \
     leave counters alone or look at the FIFO";
const MEMORY_OURS: &str = "not corrected: none of these is in the program";
const WIRE: &[&str] = &["the_pulses_on_the_wire_are_inside_every_data_sheet"];

const MACHINE: Register = row(
    (0x0C8, 0x0DC),
    "SM0_CLKDIV, EXECCTRL, SHIFTCTRL, INSTR, PINCTRL",
    Descriptions,
    "SHIFTCTRL: a change of FJOIN empties both FIFOs. INSTR runs at once, also on a machine that is stopped",
    "FJOIN as described; a forced instruction shows at the pins only when a machine is started",
    "pins follow a forced instruction at once",
)
.tests(&["joining_fifos_empties_both", "pins_keep_their_state_while_machines_are_stopped"]);

/// Rows of the RP2040. The fault screen loads its program at the end of the instruction memory.
pub const RP2040: &[Register] = &[
    CTRL,
    FSTAT,
    FIFO,
    row((0x048, 0x0C4), "INSTR_MEM0 to 31", Descriptions, MEMORY, MEMORY_UPSTREAM, MEMORY_OURS).tests(WIRE),
    MACHINE,
];

/// Rows of the RP2350.
pub const RP2350: &[Register] = &[
    CTRL,
    FSTAT,
    FIFO,
    row((0x048, 0x054), "INSTR_MEM0 to 3", Descriptions, MEMORY, MEMORY_UPSTREAM, MEMORY_OURS).tests(WIRE),
    MACHINE,
    row(
        one(0x168),
        "GPIOBASE",
        Both,
        "0 or 16: which 32 pins a block sees",
        "as described",
        "nothing to correct; a Pico 2 has 30 pins, so it stays 0",
    ),
];
