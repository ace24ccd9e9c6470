//! SIO, and the core's private registers.
//!
//! MSPLIM of the Cortex-M33 has no address. The emulator crate compares the stack pointer with it at the entry of an
//! exception, but not when code changes the stack pointer. A chip does both, and raises a UsageFault. If that becomes a
//! HardFault on the same stack, the pushes of its handler fault as well and lock up the core, unless CCR.STKOFHFNMIGN
//! is set.

use super::Source::{Both, Known};
use super::{Register, one, row};

const SAME: &str = "as described";
const RIGHT: &str = "nothing to correct";

const CPUID: Register = row(one(0x000), "CPUID", Both, "0 for core 0", SAME, RIGHT);
const INPUTS: Register = row(
    one(0x004),
    "GPIO_IN",
    Known,
    "the levels of the pins after a synchroniser of two cycles",
    "no pulls, no board",
    "the levels at the time of the read, without the two cycles",
)
.tests(&["key_is_read_at_once_and_only_through_its_row", "pull_up_reads_high_and_falling_edge_interrupts"]);
const OUTPUTS: &str = "GPIO_OUT and GPIO_OE with their own SET and CLR registers; SIO has no aliases. They keep their \
     values while another block is selected for the pin";
const OUTPUTS_OURS: &str = "the levels on the board change at once";
const SPINLOCK: Register = row(
    one(0x17C),
    "SPINLOCK31",
    Both,
    "a read claims the lock and returns its bit, or 0 if the lock is already claimed; a write of any value releases \
     it. RP2350-E2: accesses to other registers of SIO write some locks, but not number 31, which embassy-rp uses",
    SAME,
    RIGHT,
);

/// Rows of SIO of the RP2040.
pub(super) const SIO_RP2040: &[Register] = &[
    CPUID,
    INPUTS,
    row((0x014, 0x028), "GPIO_OUT_SET, CLR, GPIO_OE_SET, CLR", Both, OUTPUTS, SAME, OUTPUTS_OURS)
        .tests(&["key_is_read_at_once_and_only_through_its_row"]),
    SPINLOCK,
];

/// Rows of SIO of the RP2350. Its offsets differ, because it also has registers for the pins from 32 on.
pub(super) const SIO_RP2350: &[Register] = &[
    CPUID,
    INPUTS,
    row((0x018, 0x040), "GPIO_OUT_SET, CLR, GPIO_OE_SET, CLR", Both, OUTPUTS, SAME, OUTPUTS_OURS)
        .tests(&["pull_up_reads_high_and_falling_edge_interrupts"]),
    SPINLOCK,
];

const ENABLES: &str = "written ones enable (ISER), disable (ICER), set pending (ISPR) and clear pending (ICPR). A line \
     that is still high makes its interrupt pending again";
const PRIORITIES: &str =
    "one byte each: its two upper bits on the RP2040, four on the RP2350. A lower number preempts a higher number";
const VECTORS: &str = "ICSR: VECTACTIVE, pending exceptions. VTOR: the address of the vectors, aligned to 256 bytes";
const RESET: &str = "SYSRESETREQ with its key resets the cores, and on the RP2040 nothing else";
const RESET_OURS: &str =
    "resets like the watchdog and keeps SCRATCH; that the peripherals of the RP2040 continue to run is not modelled";
const PREEMPTION: &[&str] = &["interrupt_of_higher_priority_preempts_a_handler"];
const LINES: &str = "the interrupt lines are sampled again";

/// Rows of the private registers of the Cortex-M0+.
pub(super) const PPB_RP2040: &[Register] = &[
    row(one(0xE100), "ISER", Known, ENABLES, "without 26 to 31, which are never cleared", "all 32").tests(PREEMPTION),
    row(one(0xE180), "ICER", Known, ENABLES, "without 26 to 31", "all 32"),
    row(one(0xE200), "ISPR", Known, ENABLES, "without 26 to 31", "all 32").tests(PREEMPTION),
    row(one(0xE280), "ICPR", Known, ENABLES, "without 26 to 31", "all 32; the interrupt lines are sampled again")
        .tests(&["rising_edge_interrupts_at_the_end_of_the_rise"]),
    row((0xE408, 0xE418), "IPR2 to 6", Known, PRIORITIES, "no preemption", "preemption").tests(PREEMPTION),
    row((0xED04, 0xED08), "ICSR, VTOR", Known, VECTORS, SAME, RIGHT),
    row(one(0xED0C), "AIRCR", Known, RESET, "nothing", RESET_OURS).tests(&["probe_reset_keeps_reason_and_scratch"]),
];

/// Rows of the private registers of the Cortex-M33.
pub(super) const PPB_RP2350: &[Register] = &[
    row(one(0xE008), "ACTLR", Known, "EXTEXCLALL and similar bits", "storage", "not checked"),
    row((0xE100, 0xE104), "ISER0, 1", Known, ENABLES, SAME, RIGHT)
        .tests(&["cpsie_with_pending_exception_is_not_executed"]),
    row(one(0xE180), "ICER0", Known, ENABLES, SAME, RIGHT),
    row(one(0xE280), "ICPR0", Known, ENABLES, SAME, LINES),
    row(
        (0xE408, 0xE430),
        "IPR2 to 12",
        Known,
        PRIORITIES,
        "byte writes are dropped; three bits",
        "sixteen levels by rank; at most eight in use",
    )
    .tests(&["preemption_works_on_each_of_sixteen_levels"]),
    row((0xED04, 0xED08), "ICSR, VTOR", Known, VECTORS, "VECTACTIVE is 0", "VECTACTIVE"),
    row(one(0xED0C), "AIRCR", Known, RESET, "nothing", RESET_OURS).tests(&["reset_request_resets_and_memory_is_kept"]),
    row(
        one(0xED24),
        "SHCSR",
        Known,
        "enables the faults that are otherwise HardFaults",
        "all faults are HardFaults",
        "not corrected: the firmware has one handler for all faults",
    ),
    row(
        one(0xED88),
        "CPACR",
        Known,
        "CP10 and CP11 enable the floating point unit, CP0 the GPIO coprocessor",
        SAME,
        RIGHT,
    ),
    row(one(0xEF00), "STIR", Known, "makes an interrupt pending by its number", "missing", "implemented")
        .tests(&["stir_makes_an_interrupt_pending"]),
];
