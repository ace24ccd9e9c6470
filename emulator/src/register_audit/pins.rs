//! Functions, interrupts and pads of the pins.

use super::Source::{Both, Descriptions, Known};
use super::{Register, row};

const FUNCTION: &str = "STATUS is read only; CTRL.FUNCSEL gives the pin to a block, 31 to none, which is how it \
     begins. OUTOVER, OEOVER, INOVER and IRQOVER can invert or force";
const FUNCTION_UPSTREAM: &str = "storage; STATUS follows little of it";
const FUNCTION_OURS: &str =
    "levels follow the block that has the pin; overrides are left out, the firmware leaves them 0";
const LATCH: &str = "four bits a pin: level low, level high, edge low, edge high. Levels follow the pin; edges stay \
     until ones are written";
const STORAGE: &str = "storage";
const LATCH_OURS: &str = "levels and latched edges, also while nothing is enabled";
const ENABLE: &str = "INTE and INTF enable and force, INTS = INTR & INTE | INTF; DORMANT_WAKE_* are the same for the \
     end of dormant sleep";
const ENABLE_OURS: &str = "worked out from pins and latches; core 0 and DORMANT_WAKE only";

/// Rows of IO_BANK0 of the RP2040.
pub const IO_RP2040: &[Register] = &[
    row((0x014, 0x0CC), "GPIO2_CTRL to GPIO25_CTRL", Descriptions, FUNCTION, FUNCTION_UPSTREAM, FUNCTION_OURS)
        .tests(&["the_led_pin_is_decoded_whoever_drives_it", "registers_begin_as_the_data_sheet_says"]),
    row((0x0F0, 0x0F4), "INTR0, 1", Both, LATCH, STORAGE, LATCH_OURS)
        .tests(&["edges_are_latched_until_acknowledged_and_levels_follow"]),
    row((0x100, 0x12C), "PROC0_INTEx, INTSx", Both, ENABLE, STORAGE, ENABLE_OURS)
        .tests(&["a_key_wakes_a_core_that_sleeps_for_a_pin_interrupt"]),
    row((0x160, 0x16C), "DORMANT_WAKE_INTEx", Both, ENABLE, STORAGE, ENABLE_OURS)
        .tests(&["memory_that_is_off_keeps_its_content_through_dormant_sleep"]),
];

/// Rows of IO_BANK0 of the RP2350.
pub const IO_RP2350: &[Register] = &[
    row((0x014, 0x0CC), "GPIO2_CTRL to GPIO25_CTRL", Descriptions, FUNCTION, FUNCTION_UPSTREAM, FUNCTION_OURS)
        .tests(&["a_pad_begins_isolated_and_without_input"]),
    row((0x230, 0x234), "INTR0, 1", Both, LATCH, STORAGE, LATCH_OURS).tests(&["pulls_and_pin_interrupts_are_there"]),
    row((0x248, 0x284), "PROC0_INTEx, INTSx", Both, ENABLE, STORAGE, ENABLE_OURS)
        .tests(&["pulls_and_pin_interrupts_are_there"]),
    row((0x2D8, 0x2E4), "DORMANT_WAKE_INTEx", Both, ENABLE, STORAGE, ENABLE_OURS)
        .tests(&["dormant_sleep_lasts_until_a_pin_ends_it_and_memory_keeps_its_content"]),
];

/// Rows of PADS_BANK0 of the RP2040.
pub const PADS_RP2040: &[Register] = &[row(
    (0x00C, 0x078),
    "GPIO2 to GPIO29",
    Both,
    "begins as 0x56: input enabled, pull-down and Schmitt trigger on, 4 mA. OD comes before every output enable. A \
     pull is 50 to 80 kOhm",
    "storage with that reset value; pulls, IE and OD do nothing",
    "pulls, Schmitt trigger, slow rise, input enable and output disable. Drive strength and slew rate are left out, \
     and so is that both pulls together keep the level",
)
.tests(&[
    "registers_begin_as_the_data_sheet_says",
    "a_pad_may_keep_input_and_output_from_its_pin",
    "pads_of_the_rp2040_pull_down_from_reset",
    "a_slow_edge_chatters_without_a_schmitt_trigger",
])];

/// Rows of PADS_BANK0 of the RP2350.
pub const PADS_RP2350: &[Register] = &[row(
    (0x00C, 0x078),
    "GPIO2 to GPIO29",
    Known,
    "begins as 0x116: isolated, no input, pull-down and Schmitt trigger on. While ISO is set the pad keeps output, \
     output enable and pulls as they were. A reset of the chip by watchdog or software sets ISO, but resets the \
     latches no more than dormant sleep does: pins keep what they had until the firmware sets them up. Erratum E9: \
     with its input on and no pull-up, a pin that was high stays at 2.2 V",
    "begins as 0, pulls and ISO do nothing",
    "the reset value, input enable, output disable, pulls, E9. An isolated pad is let go: what it kept through a \
     reset by the watchdog is not modelled",
)
.tests(&["a_pad_begins_isolated_and_without_input", "erratum_e9_holds_a_pin_high_that_nothing_pulls_up"])];
