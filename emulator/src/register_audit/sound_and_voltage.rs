//! The PWM, which makes the sound, and the analogue converter, which measures the supply.

use super::Source::{Both, Descriptions};
use super::{Register, one, row};

/// Rows of the PWM: slice 7, at the same place in both chips.
pub const PWM: &[Register] = &[row(
    (0x8C, 0x9C),
    "CH7: CSR, DIV, CTR, CC, TOP",
    Both,
    "CSR: EN, PH_CORRECT, inversion, and what makes it count. CC and TOP take effect at the next wrap. Disabling \
     keeps CTR, and a CTR beyond a smaller TOP runs on to 0xFFFF. PH_ADV and PH_RET move the phase of a slice that \
     runs",
    "underflows when TOP shrinks",
    "the whole block is ours; counting edges of a pin and moving the phase are left out. CC and TOP take effect at \
     once while the slice is off",
)
.tests(&[
    "a_wave_is_high_below_compare_and_wraps_behind_top",
    "the_divider_has_sixteenths",
    "a_new_wave_begins_at_the_next_wrap_of_a_running_slice",
    "a_disabled_slice_keeps_its_counter_and_may_run_on_to_the_end_of_sixteen_bits",
    "a_phase_correct_counter_goes_up_and_down",
])];

/// Rows of the ADC, the same on both chips. The FIFO (FCS and on) is modelled too, but the firmware does not use it.
pub const ADC: &[Register] = &[
    row(
        one(0x00),
        "CS",
        Both,
        "EN, then READY; START_ONCE begins a conversion, of 96 cycles of 48 MHz, and clears itself; ERR of the last \
         one, ERR_STICKY until a one is written",
        "a fixed sequence of samples",
        "the whole block is ours: noise, errors, rubbish where the pad is not set up, low samples just after EN and \
         a change of AINSEL",
    )
    .tests(&[
        "it_is_ready_a_little_after_it_was_enabled",
        "errors_are_told_and_the_sticky_one_until_it_is_cleared",
        "first_samples_are_low_after_enable_and_change_of_input",
    ]),
    row(
        one(0x04),
        "RESULT",
        Descriptions,
        "of the last conversion",
        "a fixed sequence of samples",
        "what was at the pin when the conversion began",
    )
    .tests(&["a_sample_is_what_was_at_the_pin_within_some_counts"]),
];
