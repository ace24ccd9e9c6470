//! The firmware: takes the chip apart into one set of resources per task, starts the tasks, and gets out of the way.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
mod firmware;

/// The firmware cannot run on a computer; whoever tries is told what does.
#[cfg(not(target_os = "none"))]
fn main() {
    eprintln!("lights-out is firmware for a Raspberry Pi Pico.");
    eprintln!("  cargo run --release   flashes one through a debug probe");
    eprintln!("  cargo host-tests      runs every test on this computer");
    std::process::exit(2);
}
