//! The microsecond timer, the watchdog, and their tick generators.

use super::Source::{Both, Descriptions};
use super::{Register, one, row};

const ALARMS: &str = "a write to ALARMx arms it. The alarm fires once, when the lower 32 bits are equal, so an alarm \
     that is already past fires 71 minutes later. ARMED shows the armed alarms; writing ones disarms them";
const UPSTREAM_TIME: &str = "counts cycles of the system clock, which dormant sleep changes";
const OURS_TIME: &str = "this crate implements the whole block; it counts the ticks";
const ALARM_ROW: Register = row((0x010, 0x020), "ALARM0, ARMED", Descriptions, ALARMS, UPSTREAM_TIME, OURS_TIME)
    .tests(&["alarm_fires_once_and_stays_raised_until_cleared", "alarm_in_the_past_fires_after_the_lower_half_wraps"]);
const COUNT: &str = "the count; a read has no side effect";
const INTERRUPTS: &str = "INTR stays set until ones are written; INTE enables interrupts";
const INTERRUPT_TESTS: &[&str] = &["alarm_fires_once_and_stays_raised_until_cleared"];

/// Rows of the RP2040's TIMER.
pub(super) const TIMER_RP2040: &[Register] = &[
    ALARM_ROW,
    row((0x024, 0x028), "TIMERAWH, TIMERAWL", Descriptions, COUNT, UPSTREAM_TIME, OURS_TIME)
        .tests(&["counter_follows_the_tick_rate"]),
    row((0x034, 0x038), "INTR, INTE", Descriptions, INTERRUPTS, UPSTREAM_TIME, OURS_TIME).tests(INTERRUPT_TESTS),
];

/// Rows of the RP2350's TIMER0, which has LOCKED and SOURCE before its interrupt registers.
pub(super) const TIMER_RP2350: &[Register] = &[
    ALARM_ROW,
    row((0x024, 0x028), "TIMERAWH, TIMERAWL", Descriptions, COUNT, UPSTREAM_TIME, OURS_TIME)
        .tests(&["timer_0_counts_its_ticks"]),
    row((0x03C, 0x040), "INTR, INTE", Descriptions, INTERRUPTS, UPSTREAM_TIME, OURS_TIME).tests(INTERRUPT_TESTS),
];

const UPSTREAM: &str = "RP2040: writes are ignored. RP2350: counts once per quantum, no REASON, resets nothing";
const OURS: &str = "this crate implements the whole block";

const CTRL: Register = row(
    one(0x000),
    "CTRL",
    Descriptions,
    "ENABLE, without which the watchdog is paused; TRIGGER; PAUSE_* for debuggers; TIME is the remaining count. WDSEL \
     of PSM selects the stages to reset",
    UPSTREAM,
    "this crate implements the whole block; the pauses for a debugger are storage",
)
.tests(&["feeding_moves_the_deadline_and_disabling_removes_it", "rp2040_times_out_after_load_half_microseconds"]);
const LOAD: Register = row(
    one(0x004),
    "LOAD",
    Descriptions,
    "24 bits, in ticks. A write restarts the count. RP2040-E1: each tick decrements the count by two",
    UPSTREAM,
    OURS,
)
.tests(&["rp2040_times_out_after_load_half_microseconds", "rp2350_counts_single_ticks_of_the_ticks_block"]);
const REASON: Register = row(
    one(0x008),
    "REASON",
    Descriptions,
    "TIMER or FORCE after a watchdog reset, 0 after a hardware reset. RP2350: SYSRESETREQ clears it",
    UPSTREAM,
    "this crate implements the whole block. The RP2040 keeps REASON through SYSRESETREQ",
)
.tests(&["scratch_and_reason_survive_a_reset", "system_reset_clears_reason_on_the_rp2350_only"]);
const SCRATCH: Register = row(
    (0x00C, 0x018),
    "SCRATCH0 to 3",
    Both,
    "words that survive every reset of the chip, except for a power cycle and the RUN pin",
    UPSTREAM,
    OURS,
)
.tests(&["scratch_and_reason_survive_a_reset"]);

/// Rows of the WATCHDOG of the RP2040.
pub(super) const WATCHDOG_RP2040: &[Register] = &[
    CTRL,
    LOAD,
    REASON,
    SCRATCH,
    row(
        one(0x02C),
        "TICK",
        Descriptions,
        "CYCLES of clk_ref per tick, for watchdog and timer; ENABLE, RUNNING, COUNT",
        "writes are ignored",
        "timer and watchdog count these ticks and stop without them; COUNT reads as 0",
    )
    .tests(&["no_reset_without_ticks", "tick_length_follows_clk_ref"]),
];

/// Rows of the WATCHDOG of the RP2350.
pub(super) const WATCHDOG_RP2350: &[Register] = &[CTRL, LOAD, REASON, SCRATCH];

const TICK: &str = "CTRL.ENABLE starts and stops a tick every CYCLES of clk_ref; RUNNING";
const TICK_OURS: &str = "timer 0 and watchdog count these ticks and stop without them";

/// Rows of the RP2350's TICKS: CTRL and CYCLES of two of its generators.
pub(super) const TICKS: &[Register] = &[
    row((0x018, 0x01C), "TIMER0_CTRL, TIMER0_CYCLES", Descriptions, TICK, "storage", TICK_OURS)
        .tests(&["timer_0_counts_its_ticks"]),
    row((0x030, 0x034), "WATCHDOG_CTRL, WATCHDOG_CYCLES", Descriptions, TICK, "storage", TICK_OURS)
        .tests(&["watchdog_resets_the_chip_and_sets_reason"]),
];
