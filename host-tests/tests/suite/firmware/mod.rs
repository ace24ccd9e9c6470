//! The real firmware, in an emulated chip: the same tests for each, by the module above that this one stands in.
//!
//! [`image`] is the file, [`placement`] where it runs; [`play`] and [`modes`] play it; [`selftest`] and [`teaching`] are for
//! makers; [`log`] reads what it tells; [`silicon`] has parts as unkind as real ones, [`erases`] a flash that takes its time;
//! [`keys`] has ghosts and wild fingers; [`timing`] how fast it is; [`power`] power cuts, saves and sleep; [`battery`] cells that
//! sag and die; [`boards`] Picos and clones; [`faults`] crashes and hangs, [`startup`] those before the first picture. [`support`] is
//! what several of these need.

mod battery;
mod boards;
mod erases;
mod faults;
mod image;
mod keys;
mod log;
mod modes;
pub mod placement;
mod play;
mod power;
mod registers;
mod selftest;
mod silicon;
mod startup;
pub mod support;
mod teaching;
mod timing;

use super::CHIP;
