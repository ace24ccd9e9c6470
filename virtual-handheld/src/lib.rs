//! The virtual handheld: the real firmware in an emulated RP2040, wired to 25 keys and 25 LEDs.
//!
//! For tests, and for the web page. A test holds it as a player does and sees what a player or a logic analyser would:
//! keys, lights, the tone, flash that survives a power cut. It sees the firmware's log and counts its cycles, but never
//! reaches into its memory.
//!
//! ```no_run
//! use core::time::Duration;
//! use virtual_handheld::{Firmware, Handheld, Options};
//!
//! let elf = std::fs::read("target/thumbv6m-none-eabi/release/lights-out")?;
//! let firmware = Firmware::from_elf(&elf)?;
//! let mut handheld = Handheld::power_on(&firmware, Options::default());
//! handheld.run_for(Duration::from_secs(1));
//! handheld.press(12);
//! let frame = handheld.run_to_next_frame(Duration::from_millis(10)).expect("the lights answer");
//! println!("{:025b}, {} mA", frame.lit(), frame.milliamps());
//! let flash = handheld.power_off();
//! let again = Handheld::power_on(&firmware, Options { flash: Some(flash), ..Options::default() });
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Deterministic: the same ELF, options and calls give the same frames, to the nanosecond.
//!
//! Not modelled: core 1, USB, SysTick, flash read other than through the memory window (no DMA streaming), the time the
//! real boot ROM takes before it starts the firmware. The ADC gives a fixed sequence.
//!
//! # The tour
//! From outside in: [`Handheld`] is what a test holds. The machine behind it goes from event to event; the chip lets time
//! pass for the peripherals and overlays what the emulator `rp2040-emu` leaves out or simplifies (timer, watchdog, pin interrupts, pulls, the
//! crystal's start-up, dormant sleep, random bits); a stand-in boot ROM does the flash functions. Pure models around them:
//! the key matrix with its diodes or sneak paths, [`Bounce`], the decoder of the LED wire, the [`Flash`] chip, the clock.
//! [`Firmware`] reads the ELF file once for all.

mod bounce;
mod chip;
mod clock;
mod firmware;
mod flash;
mod gpio;
mod handheld;
mod logs;
mod machine;
mod matrix;
mod meter;
mod mishap;
mod outage;
mod passing;
mod registers;
mod rom;
#[cfg(test)]
mod tests;
mod timer;
mod watchdog;
mod ws2812;

pub use bounce::Bounce;
pub use firmware::{Firmware, FirmwareError, Symbol};
pub use flash::{FLASH_SIZE, Flash, FlashTimes, PAGE, SECTOR};
pub use handheld::{Effort, Handheld, Options};
pub use logs::{Level, LogLine};
pub use machine::{Death, Reset};
pub use matrix::{CELLS, COLUMNS, Lines, ROWS};
pub use meter::{Calls, CoreUse};
pub use mishap::Mishap;
pub use outage::PowerCut;
pub use watchdog::ResetCause;
pub use ws2812::{Frame, Rgb, WireFault, WireFaultKind};
