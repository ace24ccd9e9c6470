//! SIO, and the core's private registers.
//!
//! MSPLIM of the Cortex-M33 has no address. Upstream compares the stack with it when an exception is entered, but not
//! when code moves the stack pointer; a chip does both, with a UsageFault. Where that is taken as a HardFault on the
//! same stack, the handler's own pushes fault as well and lock the core up, unless CCR.STKOFHFNMIGN is set.

use super::Source::{Both, Known};
use super::{Register, one, row};

const SAME: &str = "as the data sheet";
const RIGHT: &str = "nothing to correct";

const CPUID: Register = row(one(0x000), "CPUID", Both, "0 for core 0", SAME, RIGHT);
const INPUTS: Register = row(
    one(0x004),
    "GPIO_IN",
    Known,
    "the pins' levels after a synchroniser of two cycles",
    "no pulls, no board",
    "looked at at the very moment of the read, without the two cycles",
)
.tests(&["a_key_is_seen_at_once_and_only_through_its_row", "pulls_and_pin_interrupts_are_there"]);
const OUTPUTS: &str = "GPIO_OUT and GPIO_OE with SET and CLR of their own; SIO has no aliases. They keep their \
     values whoever has the pin";
const OUTPUTS_OURS: &str = "the board follows at once";
const SPINLOCK: Register = row(
    one(0x17C),
    "SPINLOCK31",
    Both,
    "a read claims the lock: its bit, or 0 if it is taken; a write of anything frees it. RP2350-E2: some locks are \
     written by accesses to other registers of SIO; number 31, embassy-rp's, is not among them",
    SAME,
    RIGHT,
);

/// Rows of SIO of the RP2040.
pub const SIO_RP2040: &[Register] = &[
    CPUID,
    INPUTS,
    row((0x014, 0x028), "GPIO_OUT_SET, CLR, GPIO_OE_SET, CLR", Both, OUTPUTS, SAME, OUTPUTS_OURS)
        .tests(&["a_key_is_seen_at_once_and_only_through_its_row"]),
    SPINLOCK,
];

/// Rows of SIO of the RP2350, which has registers for pins from 32 on between.
pub const SIO_RP2350: &[Register] = &[
    CPUID,
    INPUTS,
    row((0x018, 0x040), "GPIO_OUT_SET, CLR, GPIO_OE_SET, CLR", Both, OUTPUTS, SAME, OUTPUTS_OURS)
        .tests(&["pulls_and_pin_interrupts_are_there"]),
    SPINLOCK,
];

const ENABLES: &str = "ISER and ICER enable and disable, ISPR and ICPR make pending and not, by ones. A line that is \
     still high makes its interrupt pending again";
const PRIORITIES: &str =
    "a byte each: its two upper bits on the RP2040, four on the RP2350. A lower number breaks into a higher";
const VECTORS: &str = "ICSR: VECTACTIVE, what is pending. VTOR: where the vectors are, aligned to 256 bytes";
const RESET: &str = "SYSRESETREQ with its key resets the cores. On the RP2040 nothing else";
const RESET_OURS: &str =
    "resets as the watchdog does, and keeps SCRATCH: that peripherals of the RP2040 would go on is not modelled";
const PREEMPTION: &[&str] = &["an_urgent_interrupt_breaks_into_a_less_urgent_handler"];
const LINES: &str = "lines are looked at again";

/// Rows of the private registers of the Cortex-M0+.
pub const PPB_RP2040: &[Register] = &[
    row(one(0xE100), "ISER", Known, ENABLES, "without 26 to 31, of which none is ever cleared", "all 32")
        .tests(PREEMPTION),
    row(one(0xE180), "ICER", Known, ENABLES, "without 26 to 31", "all 32"),
    row(one(0xE200), "ISPR", Known, ENABLES, "without 26 to 31", "all 32").tests(PREEMPTION),
    row(one(0xE280), "ICPR", Known, ENABLES, "without 26 to 31", "all 32; lines are looked at again")
        .tests(&["a_rise_interrupts_when_it_is_over"]),
    row((0xE408, 0xE418), "IPR2 to 6", Known, PRIORITIES, "no preemption", "preemption").tests(PREEMPTION),
    row((0xED04, 0xED08), "ICSR, VTOR", Known, VECTORS, SAME, RIGHT),
    row(one(0xED0C), "AIRCR", Known, RESET, "nothing", RESET_OURS)
        .tests(&["a_probe_s_reset_keeps_what_the_last_one_left"]),
];

/// Rows of the private registers of the Cortex-M33.
pub const PPB_RP2350: &[Register] = &[
    row(one(0xE008), "ACTLR", Known, "EXTEXCLALL and the like", "storage", "not looked at"),
    row((0xE100, 0xE104), "ISER0, 1", Known, ENABLES, SAME, RIGHT)
        .tests(&["interrupts_that_wait_are_enabled_by_the_emulator"]),
    row(one(0xE180), "ICER0", Known, ENABLES, SAME, RIGHT),
    row(one(0xE280), "ICPR0", Known, ENABLES, SAME, LINES),
    row(
        (0xE408, 0xE430),
        "IPR2 to 12",
        Known,
        PRIORITIES,
        "bytes are dropped, three bits",
        "sixteen levels by rank; eight in use at most",
    )
    .tests(&["an_urgent_interrupt_breaks_into_a_less_urgent_handler_on_each_of_sixteen_levels"]),
    row((0xED04, 0xED08), "ICSR, VTOR", Known, VECTORS, "VECTACTIVE is 0", "VECTACTIVE"),
    row(one(0xED0C), "AIRCR", Known, RESET, "nothing", RESET_OURS).tests(&["a_reset_request_resets_and_memory_stays"]),
    row(
        one(0xED24),
        "SHCSR",
        Known,
        "enables the faults that would else be HardFaults",
        "faults are HardFaults, whether enabled or not",
        "not corrected: our handler is the same for all",
    ),
    row(
        one(0xED88),
        "CPACR",
        Known,
        "CP10 and CP11 switch the floating point unit on, CP0 the GPIO coprocessor",
        SAME,
        RIGHT,
    ),
    row(one(0xEF00), "STIR", Known, "makes an interrupt pending by its number", "missing", "there")
        .tests(&["software_raises_an_interrupt_by_its_number"]),
];
