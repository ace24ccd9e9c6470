//! RESETS, the power-on state machine, and the voltage regulator.

use super::Source::{Both, Descriptions, Known};
use super::{Register, one, row};

const RESET: &str = "a bit holds a block in reset, with all its registers at their reset values. RESET_DONE is set \
     some cycles after the release, when the registers of the block can be used";
const RESET_UPSTREAM: &str = "clears nothing; RESET_DONE at once";
const RESET_OURS: &str = "PIO, PWM, ADC, timer, PLLs, pins and pads are cleared, and the DMA is stopped; other blocks \
     keep their registers. RESET_DONE is still set at once, so code that does not wait for it would pass";

/// Rows of RESETS of both chips. The bits differ.
pub(super) const RESETS: &[Register] = &[
    row(one(0x00), "RESET", Descriptions, RESET, RESET_UPSTREAM, RESET_OURS)
        .tests(&["reset_values_agree_with_the_data_sheet", "pll_in_reset_loses_its_settings"]),
    row(one(0x08), "RESET_DONE", Descriptions, RESET, RESET_UPSTREAM, RESET_OURS),
];

const FORCE: &str = "forces a stage of the power-on state machine on or off; embassy-rp resets core 1 with it";
const FORCE_OURS: &str = "not modelled: core 1 is not emulated";
const WDSEL: &str = "stages that the watchdog resets, from bit 0 on. RP2040: ROSC, XOSC, CLOCKS, RESETS, BUSFABRIC, \
     ROM, SRAM0 to 5, XIP, VREG_AND_CHIP_RESET, SIO, PROC0, PROC1. RP2350: PROC_COLD, OTP, ROSC, XOSC, RESETS, \
     CLOCKS, PSM_READY, BUSFABRIC, ROM, BOOTRAM, SRAM0 to 9, XIP, SIO, ACCESSCTRL, PROC0, PROC1. The reset of a \
     stage also resets all later stages. The reset value is 0: no stage is reset. embassy-rp writes 0x1FFFC: on the \
     RP2040 all except the oscillators, on the RP2350 the oscillators too";
const WDSEL_OURS: &str = "without a stage up to PROC0 there is no reset; the oscillators are reset if XOSC or an \
     earlier stage is selected. Any selection resets all the rest of the chip";
const WDSEL_ROW: Register = row(one(0x08), "WDSEL", Both, WDSEL, "storage", WDSEL_OURS)
    .tests(&["only_selected_stages_are_reset", "crystal_stops_with_a_reset_that_selects_it"]);

/// Rows of PSM of the RP2040.
pub(super) const PSM_RP2040: &[Register] =
    &[row((0x00, 0x04), "FRCE_ON, FRCE_OFF", Descriptions, FORCE, "storage", FORCE_OURS), WDSEL_ROW];

/// Rows of PSM of the RP2350.
pub(super) const PSM_RP2350: &[Register] =
    &[row(one(0x04), "FRCE_OFF", Descriptions, FORCE, "storage", FORCE_OURS), WDSEL_ROW];

const VOLTAGE_OURS: &str = "not modelled: the chip runs at any core voltage; an empty battery is modelled by VSYS";

/// Rows of VREG_AND_CHIP_RESET of the RP2040.
pub(super) const VREG: &[Register] = &[row(
    (0x00, 0x04),
    "VREG, BOD",
    Descriptions,
    "VREG: EN, VSEL, and ROK when the voltage is reached. BOD: EN, and VSEL, the voltage below which the chip is reset",
    "storage",
    VOLTAGE_OURS,
)];

/// Rows of POWMAN of the RP2350.
pub(super) const POWMAN: &[Register] = &[row(
    (0x0C, 0x1C),
    "VREG, BOD",
    Known,
    "a write needs 0x5AFE in its upper half; otherwise BADPASSWD is set and the write has no effect. \
     VREG.UPDATE_IN_PROGRESS is set while the voltage changes",
    "storage",
    VOLTAGE_OURS,
)];
