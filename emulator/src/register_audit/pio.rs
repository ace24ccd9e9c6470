//! The PIO: state machine 0 of the first block, which sends data to the LEDs.

use super::Source::{Both, Descriptions};
use super::{Register, one, row};

const CTRL: Register = row(
    one(0x000),
    "CTRL",
    Descriptions,
    "SM_ENABLE keeps its value; SM_RESTART and CLKDIV_RESTART clear themselves. A restart clears shift counters, ISR, \
     delay, waits, stalled forced instructions, and sticky pin writes; it does not change OSR, X and Y, and on the \
     RP2040, by the description, the PC. (The RP2350's description does not mention the PC.) A stopped machine \
     executes an instruction that is written to INSTR",
    "a restart sets PC, X, Y and OSR to 0; the alias that clears bits restarts too; the pins are released when the \
     last machine stops",
    "PC, X, Y and OSR are restored on both chips, the alias restarts nothing, and the pins keep their state",
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
    "the full and empty flags of the FIFOs, four bits each. A FIFO that is joined to the other reads as full and empty",
    "as described",
    "the flags of a joined FIFO were not checked",
);

const FIFO: Register = row(
    one(0x010),
    "TXF0",
    Descriptions,
    "a write to a full FIFO is dropped and sets a bit in FDEBUG",
    "dropped, without FDEBUG",
    "FDEBUG is not modelled: the firmware does not read it",
)
.tests(&["dma_accesses_are_recorded"]);

const MEMORY: &str = "write only; a machine executes a new instruction at once";
const MEMORY_UPSTREAM: &str = "as described. But MOV to OSR and ISR does not change the shift counters, and PUSH \
     IFFULL and PULL IFEMPTY test the FIFO instead of the counters";
const MEMORY_OURS: &str = "not corrected: the PIO program has none of these instructions";
const WIRE: &[&str] = &["led_pulses_are_within_every_data_sheet"];

const MACHINE: Register = row(
    (0x0C8, 0x0DC),
    "SM0_CLKDIV, EXECCTRL, SHIFTCTRL, INSTR, PINCTRL",
    Descriptions,
    "SHIFTCTRL: a change of FJOIN empties both FIFOs. An instruction in INSTR is executed at once, also by a stopped \
     machine",
    "FJOIN as described; a forced instruction changes the pins only when a machine is started",
    "a forced instruction changes the pins at once",
)
.tests(&["joining_fifos_empties_both", "pins_keep_their_state_while_machines_are_stopped"]);

/// Rows of the RP2040. The fault screen puts its program at the end of the instruction memory.
pub(super) const RP2040: &[Register] = &[
    CTRL,
    FSTAT,
    FIFO,
    row((0x048, 0x0C4), "INSTR_MEM0 to 31", Descriptions, MEMORY, MEMORY_UPSTREAM, MEMORY_OURS).tests(WIRE),
    MACHINE,
];

/// Rows of the RP2350.
pub(super) const RP2350: &[Register] = &[
    CTRL,
    FSTAT,
    FIFO,
    row((0x048, 0x054), "INSTR_MEM0 to 3", Descriptions, MEMORY, MEMORY_UPSTREAM, MEMORY_OURS).tests(WIRE),
    MACHINE,
    row(
        one(0x168),
        "GPIOBASE",
        Both,
        "0 or 16: the first of the 32 pins of a block",
        "as described",
        "nothing to correct; a Pico 2 has 30 pins, so the value stays 0",
    ),
];
