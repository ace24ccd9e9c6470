//! Tests of the real firmware on the emulated handheld. Each test runs on both chips: its argument is the chip, and its
//! full name ends with `rp2040` or `rp2350`.
//!
//! - The file: [`image`] (format), [`placement`] (memories that the program runs from), [`registers`] (accessed
//!   registers).
//! - Play: [`play`] and [`modes`] (scenarios), [`log`], [`keys`] (unusual key presses), [`timing`] (latencies).
//! - For makers: [`selftest`], [`teaching`], [`boards`] (Picos with and without radio, and clones).
//! - Saves and power: [`power`] (power cuts, saves, sleep), [`erases`] (slow flash), [`battery`] (voltages from full to
//!   empty), [`brown_out`] (batteries that fail).
//! - Faults: [`faults`] (crashes and hangs), [`startup`] (faults before the first frame), [`silicon`] (parts at the
//!   limits of their data sheets).
//!
//! [`support`] is shared by these modules.

/// Registers a test for both chips, as `NAME::rp2040` and `NAME::rp2350`. Crates for parametrised tests would add their
/// own words and numbers to these names, which people type as filters.
macro_rules! on_each_chip {
    ($name:ident) => {
        mod $name {
            #[test]
            fn rp2040() {
                super::$name(flash_image::Chip::Rp2040);
            }

            #[test]
            fn rp2350() {
                super::$name(flash_image::Chip::Rp2350);
            }
        }
    };
}
pub(crate) use on_each_chip;

mod battery;
mod boards;
mod brown_out;
mod erases;
mod faults;
mod image;
mod keys;
mod log;
mod modes;
pub(crate) mod placement;
mod play;
mod power;
mod registers;
mod selftest;
mod silicon;
mod startup;
pub(crate) mod support;
mod teaching;
mod timing;
