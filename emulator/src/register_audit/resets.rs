//! What resets what: RESETS, the power-on state machine, and the regulator.

use super::Source::{Both, Descriptions, Known};
use super::{Register, one, row};

const RESET: &str = "a bit holds a block in reset, with all its registers at their reset values; RESET_DONE tells \
     that the registers of a block that was released can be used, some cycles later";
const RESET_UPSTREAM: &str = "clears nothing; RESET_DONE at once";
const RESET_OURS: &str = "PIO, PWM, ADC, timer, PLLs, pins and pads are cleared and the DMA is stopped; other blocks \
     keep their registers. RESET_DONE still comes at once, so that code that does not wait for it would pass";

/// Rows of RESETS, whose bits differ.
pub const RESETS: &[Register] = &[
    row(one(0x00), "RESET", Descriptions, RESET, RESET_UPSTREAM, RESET_OURS)
        .tests(&["registers_begin_as_the_data_sheet_says", "a_pll_in_reset_loses_its_settings"]),
    row(one(0x08), "RESET_DONE", Descriptions, RESET, RESET_UPSTREAM, RESET_OURS),
];

const FORCE: &str = "holds a stage of the start on or off: embassy-rp resets core 1 with it";
const FORCE_OURS: &str = "not modelled: core 1 does not run";
const WDSEL: &str = "stages that the watchdog resets, from bit 0 on. RP2040: ROSC, XOSC, CLOCKS, RESETS, BUSFABRIC, \
     ROM, SRAM0 to 5, XIP, VREG_AND_CHIP_RESET, SIO, PROC0, PROC1. RP2350: PROC_COLD, OTP, ROSC, XOSC, RESETS, \
     CLOCKS, PSM_READY, BUSFABRIC, ROM, BOOTRAM, SRAM0 to 9, XIP, SIO, ACCESSCTRL, PROC0, PROC1. A stage that is \
     reset takes all behind it along. Begins as 0: then nothing is reset. embassy-rp writes 0x1FFFC: on the RP2040 \
     all but the oscillators, on the RP2350 the oscillators too";
const WDSEL_OURS: &str = "without a stage up to PROC0 nothing happens; the oscillators are reset where XOSC or a \
     stage before it is. Whatever else is selected, all the rest of the chip is reset";
const WDSEL_ROW: Register = row(one(0x08), "WDSEL", Both, WDSEL, "storage", WDSEL_OURS)
    .tests(&["it_resets_only_what_is_selected", "the_crystal_stops_with_a_reset_that_selects_it"]);

/// Rows of PSM of the RP2040.
pub const PSM_RP2040: &[Register] =
    &[row((0x00, 0x04), "FRCE_ON, FRCE_OFF", Descriptions, FORCE, "storage", FORCE_OURS), WDSEL_ROW];

/// Rows of PSM of the RP2350.
pub const PSM_RP2350: &[Register] =
    &[row(one(0x04), "FRCE_OFF", Descriptions, FORCE, "storage", FORCE_OURS), WDSEL_ROW];

const VOLTAGE_OURS: &str = "not modelled: the chip runs at any core voltage; cells that give way are modelled by VSYS";

/// Rows of VREG_AND_CHIP_RESET of the RP2040.
pub const VREG: &[Register] = &[row(
    (0x00, 0x04),
    "VREG, BOD",
    Descriptions,
    "VREG: EN, VSEL, ROK when the voltage is reached. BOD: EN, VSEL, the voltage below which the chip is reset",
    "storage",
    VOLTAGE_OURS,
)];

/// Rows of POWMAN of the RP2350.
pub const POWMAN: &[Register] = &[row(
    (0x0C, 0x1C),
    "VREG, BOD",
    Known,
    "a write needs 0x5AFE in its upper half, else BADPASSWD is set and nothing happens. VREG.UPDATE_IN_PROGRESS \
     while the voltage changes",
    "storage",
    VOLTAGE_OURS,
)];
