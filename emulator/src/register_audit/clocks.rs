//! Oscillators, PLLs and clock generators.

use super::Source::{Both, Descriptions, Known};
use super::{Register, one, row};

const CRYSTAL_OURS: &str = "a delay of its own until it swings, if a test asks for one, then the count in STARTUP; a \
     test may let it fail. Dormant sleep stops it, and the count passes again";

/// Rows of XOSC, the same on both chips but for codes that do not exist.
pub const XOSC: &[Register] = &[
    row(
        one(0x00),
        "CTRL",
        Descriptions,
        "ENABLE is 0xFAB, DISABLE 0xD1E. Another code switches the crystal on in the RP2040, and changes nothing in \
         the RP2350. FREQ_RANGE is 0xAA0, 1 to 15 MHz, and fixed in the RP2040. DISABLE while the chip runs on it \
         may lock the chip up",
        "storage; on the RP2350 always stable",
        CRYSTAL_OURS,
    )
    .tests(&[
        "a_wrong_code_switches_the_rp2040_s_crystal_on",
        "a_wrong_code_leaves_the_crystal_as_it_was",
        "a_crystal_that_failed_starts_when_switched_on_again",
        "a_source_that_stops_under_its_clock_is_told",
    ]),
    row(
        one(0x04),
        "STATUS",
        Descriptions,
        "ENABLED at once, STABLE when it runs and STARTUP is over; BADWRITE",
        "stable at once",
        "ENABLED and STABLE; BADWRITE and FREQ_RANGE read as 0",
    )
    .tests(&["the_crystal_takes_the_time_in_its_register_and_the_pll_its_own"]),
    row(
        one(0x0C),
        "STARTUP",
        Descriptions,
        "DELAY in units of 256 periods of the crystal; X4 makes it four times as long. Begins as 0xC4, 4.2 ms. It \
         counts periods: a crystal that does not swing is never stable",
        "storage",
        CRYSTAL_OURS,
    )
    .tests(&[
        "a_crystal_is_stable_its_delay_after_its_first_swing",
        "the_delay_of_the_crystal_may_be_four_times_as_long",
    ]),
];

const RING: &str = "CTRL: ENABLE, FREQ_RANGE; FREQA and FREQB set drive strengths. The frequency is not exact: 1.8 \
     to 12 MHz on the RP2040, 4.6 to 19.6 MHz on the RP2350";
const RING_UPSTREAM: &str = "storage; always 6.5 MHz";
const RING_OURS: &str = "the nominal 6.5 MHz of the RP2040 and 11 MHz of the RP2350, times the divider after a \
     reset, by the divider that is set. FREQ_RANGE, drive strengths, tolerance and switching it off do not count. \
     RP2350 from stepping A3 on: the boot ROM leaves DIV at 2, clk_sys four times as fast and clk_ref divided by 4, \
     which is not modelled";
const DIV: &str = "RP2040: 0xAA0 + divider, where 0 means 32 and any other value 31; begins as 16. RP2350: 0xAA00 + \
     divider, where 0 means 128 and any other value 128. Its register description says that it begins as 32, but its \
     text that DIV 2 is four times as fast as 11 MHz, which makes it 8. So the 0xAA0 that embassy-rp writes for \
     dormant sleep means 32 and 128";
const DIV_TESTS: &[&str] =
    &["ring_oscillator_runs_at_what_its_divider_says", "the_chip_runs_as_fast_as_its_ring_oscillator"];
const RANDOM: &str = "the oscillator's output at the moment of the read: poor if it is stopped or in step with the bus";
const RANDOM_OURS: &str = "random bits from the seed of the run, each of its own, however fast they are read";
const COMA: &str = "\"coma\" stops it until a pin wakes the chip; an invalid word means \"wake\". Interrupts must be \
     set up, and PLLs stopped, before";
const COMA_OURS: &str = "dormant sleep. Whether the PLLs are off is not looked at";
const STATUS: &str = "STABLE, DIV_RUNNING, ENABLED, BADWRITE";

/// Rows of ROSC of the RP2040.
pub const ROSC_RP2040: &[Register] = &[
    row((0x00, 0x08), "CTRL, FREQA, FREQB", Both, RING, RING_UPSTREAM, RING_OURS),
    row(one(0x0C), "DORMANT", Descriptions, COMA, "nothing", COMA_OURS)
        .tests(&["memory_that_is_off_keeps_its_content_through_dormant_sleep"]),
    row(one(0x10), "DIV", Descriptions, DIV, RING_UPSTREAM, "divides").tests(DIV_TESTS),
    row(one(0x18), "STATUS", Descriptions, STATUS, "always stable", "nothing to correct"),
    row(one(0x1C), "RANDOMBIT", Descriptions, RANDOM, "always 0", RANDOM_OURS)
        .tests(&["ring_oscillator_gives_random_bits"]),
];

/// Rows of ROSC of the RP2350.
pub const ROSC_RP2350: &[Register] = &[
    row((0x00, 0x08), "CTRL, FREQA, FREQB", Both, RING, RING_UPSTREAM, RING_OURS),
    row(one(0x10), "DORMANT", Descriptions, COMA, "nothing", COMA_OURS)
        .tests(&["dormant_sleep_lasts_until_a_pin_ends_it_and_memory_keeps_its_content"]),
    row(one(0x14), "DIV", Both, DIV, RING_UPSTREAM, "divides").tests(DIV_TESTS),
    row(one(0x1C), "STATUS", Descriptions, STATUS, "one register too low", "where the chip has it")
        .tests(&["the_ring_oscillator_s_status_and_random_bits_are_where_the_chip_has_them"]),
    row(one(0x20), "RANDOMBIT", Descriptions, RANDOM, "one register too low", RANDOM_OURS)
        .tests(&["the_ring_oscillator_s_status_and_random_bits_are_where_the_chip_has_them"]),
];

/// Rows of PLL_SYS and PLL_USB, the same on both chips.
pub const PLL: &[Register] = &[
    row(
        one(0x00),
        "CS",
        Both,
        "REFDIV, BYPASS; LOCK some time after the VCO was switched on. Its reference, the crystal, must be 5 to 800 \
         MHz",
        "RP2040: locks after 2000 cycles of the system clock. RP2350: by private state that nobody moves on",
        "15 us, not measured by us; no lock while off, in reset, or without a stable crystal. REFDIV and BYPASS are \
         not looked at",
    )
    .tests(&["a_pll_locks_in_a_time_of_its_own", "a_pll_without_a_crystal_never_locks"]),
    row(
        (0x04, 0x0C),
        "PWR, FBDIV_INT, PRIM",
        Both,
        "PD, VCOPD, DSMPD, POSTDIVPD; begin as 0x2D, all off. FBDIV 16 to 320, VCO 750 to 1600 MHz. A new FBDIV \
         unlocks",
        "any values give a frequency",
        "whether the VCO is in its range, and the post dividers are on, is not looked at; a new FBDIV keeps the lock",
    )
    .tests(&["a_pll_in_reset_loses_its_settings"]),
];

const GLITCHLESS: &str = "CTRL.SRC of clk_ref and clk_sys switches without a glitch, and not at once: SELECTED has \
     one bit set when it has, and may be 0 before. To a source that does not run it never does, and the chip stands \
     still. AUXSRC switches with glitches, so not while it is in use";
const GLITCHLESS_UPSTREAM: &str = "switches at once, whether or not the source runs";
const GLITCHLESS_OURS: &str = "still switches at once, but a source that does not run, or stops under its clock, is \
     told, for tests to find none. Changes of AUXSRC in use are not";
const AUXILIARY: &str = "CTRL.ENABLE and AUXSRC, which switches with glitches; no SRC, and SELECTED is always 1";
const AUXILIARY_OURS: &str = "PIO, PWM and ADC do not look at them: ADC has its 48 MHz always";
const RESUS: &str = "clk_sys goes back to clk_ref when it stops, if enabled; begins off";
const RESUS_OURS: &str = "not modelled: the firmware leaves it off";
const SOURCES: &[&str] = &[
    "a_clock_without_its_source_is_told",
    "a_clock_without_its_source_is_told_on_the_rp2040",
    "a_source_that_stops_under_its_clock_is_told",
];

/// Rows of CLOCKS of the RP2040.
pub const CLOCKS_RP2040: &[Register] = &[
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
pub const CLOCKS_RP2350: &[Register] = &[
    row((0x30, 0x44), "CLK_REF_*, CLK_SYS_*", Descriptions, GLITCHLESS, GLITCHLESS_UPSTREAM, GLITCHLESS_OURS)
        .tests(SOURCES),
    row((0x48, 0x70), "CLK_PERI_*, CLK_USB_*, CLK_ADC_*", Descriptions, AUXILIARY, "storage", AUXILIARY_OURS),
    row(one(0x84), "CLK_SYS_RESUS_CTRL", Known, RESUS, "storage", RESUS_OURS),
];
