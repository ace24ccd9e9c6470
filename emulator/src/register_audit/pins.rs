//! Functions, interrupts and pads of the pins.

use super::Source::{Both, Descriptions, Known};
use super::{Register, row};

const FUNCTION: &str = "STATUS is read only. CTRL.FUNCSEL selects the block that drives the pin; the reset value 31 \
     means none. OUTOVER, OEOVER, INOVER and IRQOVER can invert or force";
const FUNCTION_UPSTREAM: &str = "storage; STATUS is mostly not implemented";
const FUNCTION_OURS: &str = "levels follow the selected block; overrides are not modelled, the firmware leaves them 0";
const LATCH: &str = "four bits per pin: level low, level high, edge low, edge high. Levels follow the pin; edges stay \
     set until ones are written";
const STORAGE: &str = "storage";
const LATCH_OURS: &str = "levels and latched edges, also while nothing is enabled";
const ENABLE: &str = "INTE enables, INTF forces, INTS = INTR & INTE | INTF. DORMANT_WAKE_* are the same registers for \
     the end of dormant sleep";
const ENABLE_OURS: &str = "computed from pins and latches, for core 0 and DORMANT_WAKE only";

/// Rows of IO_BANK0 of the RP2040.
pub(super) const IO_RP2040: &[Register] = &[
    row((0x014, 0x0CC), "GPIO2_CTRL to GPIO25_CTRL", Descriptions, FUNCTION, FUNCTION_UPSTREAM, FUNCTION_OURS)
        .tests(&["led_pin_is_decoded_when_sio_drives_it", "reset_values_agree_with_the_data_sheet"]),
    row((0x0F0, 0x0F4), "INTR0, 1", Both, LATCH, STORAGE, LATCH_OURS).tests(&["edges_are_latched_and_levels_are_not"]),
    row((0x100, 0x12C), "PROC0_INTEx, INTSx", Both, ENABLE, STORAGE, ENABLE_OURS)
        .tests(&["key_press_wakes_a_core_by_pin_interrupt"]),
    row((0x160, 0x16C), "DORMANT_WAKE_INTEx", Both, ENABLE, STORAGE, ENABLE_OURS)
        .tests(&["powered_down_memory_keeps_its_content_in_dormant"]),
];

/// Rows of IO_BANK0 of the RP2350.
pub(super) const IO_RP2350: &[Register] = &[
    row((0x014, 0x0CC), "GPIO2_CTRL to GPIO25_CTRL", Descriptions, FUNCTION, FUNCTION_UPSTREAM, FUNCTION_OURS)
        .tests(&["pad_is_isolated_without_input_after_reset"]),
    row((0x230, 0x234), "INTR0, 1", Both, LATCH, STORAGE, LATCH_OURS)
        .tests(&["pull_up_reads_high_and_falling_edge_interrupts"]),
    row((0x248, 0x284), "PROC0_INTEx, INTSx", Both, ENABLE, STORAGE, ENABLE_OURS)
        .tests(&["pull_up_reads_high_and_falling_edge_interrupts"]),
    row((0x2D8, 0x2E4), "DORMANT_WAKE_INTEx", Both, ENABLE, STORAGE, ENABLE_OURS)
        .tests(&["dormant_sleep_ends_by_a_pin_and_memory_is_kept"]),
];

/// Rows of PADS_BANK0 of the RP2040.
pub(super) const PADS_RP2040: &[Register] = &[row(
    (0x00C, 0x078),
    "GPIO2 to GPIO29",
    Both,
    "reset value 0x56: input enabled, pull-down and Schmitt trigger on, 4 mA. OD overrides every output enable. A pull \
     is 50 to 80 kOhm",
    "storage with that reset value; pulls, IE and OD have no effect",
    "pulls, Schmitt trigger, slow rise, input enable and output disable. Not modelled: drive strength, slew rate, and \
     both pulls together, which keep the level",
)
.tests(&[
    "reset_values_agree_with_the_data_sheet",
    "pad_can_disable_input_and_output",
    "rp2040_pads_pull_down_after_reset",
    "slow_edge_chatters_without_a_schmitt_trigger",
])];

/// Rows of PADS_BANK0 of the RP2350.
pub(super) const PADS_RP2350: &[Register] = &[row(
    (0x00C, 0x078),
    "GPIO2 to GPIO29",
    Known,
    "reset value 0x116: isolated, no input, pull-down and Schmitt trigger on. While ISO is set, the pad keeps output, \
     output enable and pulls. A reset of the chip by watchdog or software sets ISO but does not reset these latches, \
     and neither does dormant sleep: the pins keep their state until the firmware sets them up. Erratum E9: with its \
     input on and no pull-up, a pin that was high stays at 2.2 V",
    "reset value 0; pulls and ISO have no effect",
    "the reset value, input enable, output disable, pulls, E9. An isolated pad is released: the state that it keeps \
     through a watchdog reset is not modelled",
)
.tests(&["pad_is_isolated_without_input_after_reset", "erratum_e9_keeps_a_pin_high_without_pull_up"])];
