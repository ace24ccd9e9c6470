//! The PWM, which drives the piezo, and the ADC, which measures the supply voltage.

use super::Source::{Both, Descriptions};
use super::{Register, one, row};

/// Rows of the PWM: slice 7, with the same offsets on both chips.
pub(super) const PWM: &[Register] = &[row(
    (0x8C, 0x9C),
    "CH7: CSR, DIV, CTR, CC, TOP",
    Both,
    "CSR: EN, PH_CORRECT, inversion, and the clock source. CC and TOP take effect at the next wrap. A disabled slice \
     keeps CTR. A CTR above a new, smaller TOP counts up to 0xFFFF. PH_ADV and PH_RET move the phase of a running \
     slice",
    "underflows when TOP becomes smaller",
    "this crate implements the whole block, except for counting edges of a pin and moving the phase. CC and TOP take \
     effect at once while the slice is off",
)
.tests(&[
    "wave_is_high_below_compare_and_wraps_after_top",
    "pwm_divider_has_sixteenths",
    "new_wave_begins_at_the_next_wrap",
    "disabled_slice_keeps_its_counter",
    "phase_correct_counter_counts_up_and_down",
])];

/// Rows of the ADC, the same on both chips. The FIFO (from FCS on) is modelled too, but the firmware does not use it.
pub(super) const ADC: &[Register] = &[
    row(
        one(0x00),
        "CS",
        Both,
        "after EN, READY is set. START_ONCE starts a conversion of 96 cycles of 48 MHz and clears itself. ERR is for \
         the last conversion; ERR_STICKY stays set until a one is written",
        "a fixed sequence of samples",
        "this crate implements the whole block: noise, errors, random samples if the pad is not set up, and low \
         samples just after EN and after a change of AINSEL",
    )
    .tests(&[
        "adc_is_ready_500_ns_after_it_is_enabled",
        "sticky_error_stays_until_it_is_cleared",
        "first_samples_are_low_after_enable_or_input_change",
    ]),
    row(
        one(0x04),
        "RESULT",
        Descriptions,
        "the result of the last conversion",
        "a fixed sequence of samples",
        "the voltage at the pin at the start of the conversion",
    )
    .tests(&["samples_differ_from_the_voltage_by_noise_only"]),
];
