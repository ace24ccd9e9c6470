//! Oscillators, PLLs and clock generators.

use super::Source::{Both, Descriptions, Known};
use super::{Register, one, row};

const CRYSTAL_OURS: &str = "a delay until the crystal oscillates, if a test sets one, then the count in STARTUP; a \
     test can let the crystal fail. Dormant sleep stops the crystal, and afterwards the count starts again";

/// Rows of XOSC, the same on both chips except for the effect of undefined codes.
pub(super) const XOSC: &[Register] = &[
    row(
        one(0x00),
        "CTRL",
        Descriptions,
        "ENABLE is 0xFAB, DISABLE 0xD1E. Any other code enables the crystal on the RP2040 and has no effect on the \
         RP2350. FREQ_RANGE is 0xAA0, 1 to 15 MHz, and fixed on the RP2040. DISABLE while the chip runs on the crystal \
         may lock up the chip",
        "storage; on the RP2350 always stable",
        CRYSTAL_OURS,
    )
    .tests(&[
        "wrong_code_enables_the_rp2040_crystal",
        "wrong_code_does_not_change_the_crystal",
        "failed_crystal_starts_when_enabled_again",
        "clock_source_that_stops_is_reported",
    ]),
    row(
        one(0x04),
        "STATUS",
        Descriptions,
        "ENABLED is set at once, STABLE when the crystal oscillates and the STARTUP delay is over; BADWRITE",
        "stable at once",
        "ENABLED and STABLE; BADWRITE and FREQ_RANGE read as 0",
    )
    .tests(&["crystal_and_pll_take_their_start_up_times"]),
    row(
        one(0x0C),
        "STARTUP",
        Descriptions,
        "DELAY in units of 256 periods of the crystal; X4 multiplies it by four. The reset value is 0xC4, 4.2 ms. The \
         delay counts periods, so a crystal that does not oscillate is never stable",
        "storage",
        CRYSTAL_OURS,
    )
    .tests(&["crystal_is_stable_after_its_start_up_delay", "crystal_delay_can_be_multiplied_by_four"]),
];

const RING: &str = "CTRL: ENABLE, FREQ_RANGE; FREQA and FREQB set drive strengths. The frequency has a wide tolerance: \
     1.8 to 12 MHz on the RP2040, 4.6 to 19.6 MHz on the RP2350";
const RING_UPSTREAM: &str = "storage; always 6.5 MHz";
const RING_OURS: &str = "the nominal 6.5 MHz of the RP2040 and 11 MHz of the RP2350, multiplied by the reset value of \
     the divider and divided by its current value. FREQ_RANGE, drive strengths, tolerance and ENABLE have no effect. \
     Not modelled: on the RP2350 from stepping A3 on, the boot ROM leaves DIV at 2, clk_sys four times as fast, and \
     clk_ref divided by 4";
const DIV: &str = "RP2040: 0xAA0 + divider, where 0 means 32 and any other value means 31; the reset value is 16. \
     RP2350: 0xAA00 + divider, where 0 means 128 and any other value means 128. The RP2350's register description \
     gives a reset value of 32. But its text states that DIV 2 is four times as fast as 11 MHz, which means a reset \
     value of 8. So the 0xAA0 that embassy-rp writes for dormant sleep means 32 on the RP2040 and 128 on the RP2350";
const DIV_TESTS: &[&str] = &["divider_register_sets_the_frequency", "system_clock_follows_the_ring_oscillator_divider"];
const RANDOM: &str =
    "the oscillator's output at the time of the read; not random if it is stopped or synchronous to the bus";
const RANDOM_OURS: &str = "independent random bits from the seed of the run, at any read rate";
const COMA: &str = "\"coma\" stops the oscillator until a pin wakes the chip; an invalid word means \"wake\". Before \
     the write, interrupts must be set up and PLLs stopped";
const COMA_OURS: &str = "dormant sleep. It is not checked that the PLLs are off";
const STATUS: &str = "STABLE, DIV_RUNNING, ENABLED, BADWRITE";

/// Rows of ROSC of the RP2040.
pub(super) const ROSC_RP2040: &[Register] = &[
    row((0x00, 0x08), "CTRL, FREQA, FREQB", Both, RING, RING_UPSTREAM, RING_OURS),
    row(one(0x0C), "DORMANT", Descriptions, COMA, "nothing", COMA_OURS)
        .tests(&["powered_down_memory_keeps_its_content_in_dormant"]),
    row(one(0x10), "DIV", Descriptions, DIV, RING_UPSTREAM, "divides").tests(DIV_TESTS),
    row(one(0x18), "STATUS", Descriptions, STATUS, "always stable", "nothing to correct"),
    row(one(0x1C), "RANDOMBIT", Descriptions, RANDOM, "always 0", RANDOM_OURS)
        .tests(&["ring_oscillator_gives_random_bits"]),
];

/// Rows of ROSC of the RP2350.
pub(super) const ROSC_RP2350: &[Register] = &[
    row((0x00, 0x08), "CTRL, FREQA, FREQB", Both, RING, RING_UPSTREAM, RING_OURS),
    row(one(0x10), "DORMANT", Descriptions, COMA, "nothing", COMA_OURS)
        .tests(&["dormant_sleep_ends_by_a_pin_and_memory_is_kept"]),
    row(one(0x14), "DIV", Both, DIV, RING_UPSTREAM, "divides").tests(DIV_TESTS),
    row(one(0x1C), "STATUS", Descriptions, STATUS, "one register too low", "at the offset of the chip")
        .tests(&["rosc_status_and_random_bit_have_the_right_offsets"]),
    row(one(0x20), "RANDOMBIT", Descriptions, RANDOM, "one register too low", RANDOM_OURS)
        .tests(&["rosc_status_and_random_bit_have_the_right_offsets"]),
];

/// Rows of PLL_SYS and PLL_USB, the same on both chips.
pub(super) const PLL: &[Register] = &[
    row(
        one(0x00),
        "CS",
        Both,
        "REFDIV, BYPASS; LOCK is set some time after the VCO was enabled. The reference frequency, from the crystal, \
         must be 5 to 800 MHz",
        "RP2040: locks after 2000 cycles of the system clock. RP2350: locks by private state that only its main loop \
         advances",
        "locks after 15 us, a value that we have not measured; no lock while off, in reset, or without a stable \
         crystal. REFDIV and BYPASS are not checked",
    )
    .tests(&["pll_lock_time_is_independent_of_the_system_clock", "pll_without_a_crystal_never_locks"]),
    row(
        (0x04, 0x0C),
        "PWR, FBDIV_INT, PRIM",
        Both,
        "PD, VCOPD, DSMPD, POSTDIVPD; the reset value is 0x2D, all off. FBDIV 16 to 320, VCO 750 to 1600 MHz. A new \
         FBDIV unlocks the PLL",
        "accepts any values",
        "it is not checked that the VCO is in its range and the post dividers are on; a new FBDIV keeps the lock",
    )
    .tests(&["pll_in_reset_loses_its_settings"]),
];

const GLITCHLESS: &str = "CTRL.SRC of clk_ref and clk_sys switches without a glitch, but not at once: SELECTED has one \
     bit set after the switch, and may be 0 before. A switch to a source that does not run never completes, and the \
     chip stops. AUXSRC switches with glitches, so it must not be changed in use";
const GLITCHLESS_UPSTREAM: &str = "switches at once, even if the source does not run";
const GLITCHLESS_OURS: &str = "still switches at once, but reports a source that does not run or stops while it is in \
     use; the tests require that there is none. Changes of AUXSRC in use are not reported";
const AUXILIARY: &str = "CTRL.ENABLE and AUXSRC, which switches with glitches; no SRC, and SELECTED is always 1";
const AUXILIARY_OURS: &str = "PIO, PWM and ADC do not depend on them: the ADC always has 48 MHz";
const RESUS: &str = "if enabled, clk_sys switches back to clk_ref when it stops; the reset value is off";
const RESUS_OURS: &str = "not modelled: the firmware leaves it off";
const SOURCES: &[&str] = &[
    "clock_without_its_source_is_reported",
    "rp2040_reports_a_clock_without_its_source",
    "clock_source_that_stops_is_reported",
];

/// Rows of CLOCKS of the RP2040.
pub(super) const CLOCKS_RP2040: &[Register] = &[
    row((0x30, 0x44), "CLK_REF_*, CLK_SYS_*", Descriptions, GLITCHLESS, GLITCHLESS_UPSTREAM, GLITCHLESS_OURS)
        .tests(SOURCES),
    row(
        (0x48, 0x70),
        "CLK_PERI_*, CLK_USB_*, CLK_ADC_*, CLK_RTC_*",
        Descriptions,
        AUXILIARY,
        "storage",
        AUXILIARY_OURS,
    ),
    row(one(0x78), "CLK_SYS_RESUS_CTRL", Known, RESUS, "storage", RESUS_OURS),
];

/// Rows of CLOCKS of the RP2350.
pub(super) const CLOCKS_RP2350: &[Register] = &[
    row((0x30, 0x44), "CLK_REF_*, CLK_SYS_*", Descriptions, GLITCHLESS, GLITCHLESS_UPSTREAM, GLITCHLESS_OURS)
        .tests(SOURCES),
    row((0x48, 0x70), "CLK_PERI_*, CLK_USB_*, CLK_ADC_*", Descriptions, AUXILIARY, "storage", AUXILIARY_OURS),
    row(one(0x84), "CLK_SYS_RESUS_CTRL", Known, RESUS, "storage", RESUS_OURS),
];
