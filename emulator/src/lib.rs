//! The virtual handheld: the real firmware in an emulated Pico or Pico 2, wired to 25 keys and 25 LEDs. Which chip it is, RP2040 or RP2350, is told
//! by the firmware.
//!
//! For tests, and for the web page. A test holds it as a player does and sees what a player or a logic analyser would:
//! keys, lights, the tone, flash that survives a power cut. It sees the firmware's log and counts its cycles, but never
//! reaches into its memory.
//!
//! ```no_run
//! use core::time::Duration;
//! use emulator::{Firmware, Handheld, Options};
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
//! # What is modelled
//! The parts are as unkind as real ones; each can be set in [`Options`].
//! - **A board** with a radio or without, or another maker's, that is wired by the plan, or anyhow: keys and lights in any places, any order of colours.
//! - **Keys** that bounce, diodes or ghosts, bad joints; columns that rise as slowly as a pull-up charges them, and chatter
//!   where the pad has no Schmitt trigger.
//! - **LEDs** that hear nothing until their supply has risen, forget their picture without it, and are one of three kinds with
//!   data sheets of their own; frames that noise spoils on their way.
//! - **Flash** that takes its time with interrupts off, wears out sector by sector, and is torn by a power cut; its cache, if
//!   asked for.
//! - **Cells** that sag under what the LEDs, the flash and the filling of capacitors draw, until the power breaks down.
//! - **The chip**, either of two: microsecond timer, watchdog, pin interrupts and their latches, pulls, the PWM's counters, PIO and DMA cycle by
//!   cycle, the analogue converter with its noise, the crystal's start-up, dormant sleep, memories that are switched off, the boot
//!   ROM's time, and all kinds of reset: by the watchdog, by a probe, by an update over USB. Of the RP2350 also what its boot ROM
//!   asks of an image, pads that are isolated, and its erratum E9.
//!
//! Not modelled: core 1, the RISC-V cores, security and OTP of the RP2350, USB, UART, SPI, I2C, SysTick, DMA to and
//! from anything but memory and PIO, flash read other than through the memory window (no DMA streaming), analogue
//! levels other than that of the supply, the heat and wear of parts. Branches that are taken count one cycle too many.
//!
//! # The tour
//! From outside in:
//! - [`Handheld`] is what a test holds, built by [`Options`] and running a [`Firmware`]; `inspect` is what a logic analyser, a
//!   probe and an ear find out about it.
//! - The `machine` behind it goes from event to event; `restart` has its ends and beginnings, `outage` its flash work and power
//!   cuts, `mishap` what goes wrong on purpose.
//! - `silicon` says what is a chip's own: core, bus, registers, boot ROM. The folders `rp2040` and `rp2350` have it, on the emulators
//!   `rp2040-emu` and `rp2350-emu`, and mend what those leave out or have wrong.
//! - The `chip` is what there is beside core and memory, whichever chip it is; `elapse` is how time reaches PIO and DMA, `access` what
//!   the core meets on its way to memory, and `common_instructions` runs what touches only registers and memory.
//! - Pure models, which need nothing of all that: `gpio`, `matrix` and [`Bounce`]; `ws2812` with `wire_times` and [`Frame`];
//!   `timer`, `watchdog`, `pwm`, `adc`, `memory_power`, `clock`, `ring_oscillator`, `oscillators`; [`Supply`]; [`Flash`],
//!   `flash_access` and `flash_cache`.
//! - [`register_audit`] is the table of all registers that the firmware touches, `register_trace` the record of it.
//! - `logs` and `meter` watch the firmware; `log_check` looks at each log message before it is decoded.
//!
//! # Programs that mean harm The web page runs whatever file a visitor brings, and a panic or a call without end would
//! be the end of the page. So no number that a program or a file brings is trusted: addresses, lengths and counts are
//! checked where they come in, and each thing that grows has a bound. Emulated time moves on whatever a program does:
//! see `Machine::turn`. Accesses that the emulators panic at, or keep for ever, do not reach them: see each chip's
//! `core_bus` and `registers`.

mod access;
mod adc;
mod bits;
mod bounce;
mod chip;
mod clock;
mod common_instructions;
mod elapse;
mod firmware;
mod flash;
mod flash_access;
mod flash_cache;
mod frame;
mod gpio;
mod handheld;
mod inspect;
mod log_check;
mod logs;
mod machine;
mod matrix;
mod memory_power;
mod meter;
mod mishap;
mod options;
mod oscillators;
mod outage;
mod pio;
mod pwm;
pub mod register_audit;
mod register_trace;
mod restart;
mod ring_oscillator;
mod rp2040;
mod rp2350;
mod silicon;
mod supply;
#[cfg(test)]
mod tests;
mod timer;
mod vsys_pin;
mod watchdog;
mod wire_times;
mod ws2812;

pub use bounce::Bounce;
pub use firmware::{Firmware, FirmwareError, Symbol};
pub use flash::{Flash, FlashTimes, PAGE, SECTOR};
pub use flash_access::{FlashAccess, FlashUse};
pub use flash_cache::{CacheUse, FlashCache};
pub use frame::{Frame, Rgb};
pub use handheld::Handheld;
pub use inspect::Effort;
pub use logs::{Level, LogLine};
pub use machine::Death;
pub use matrix::{CELLS, COLUMNS, Lines, ROWS};
pub use memory_power::{AccessKind, PoweredDownAccess};
pub use meter::{Calls, CoreUse};
pub use mishap::Mishap;
pub use options::Options;
pub use outage::PowerCut;
pub use register_trace::RegisterUse;
pub use restart::Reset;
pub use silicon::Chip;
pub use supply::Supply;
pub use vsys_pin::PicoBoard;
pub use watchdog::ResetCause;
pub use wire_times::{BitTime, DataSheet, Extremes, WireTimes};
pub use ws2812::{Spoil, WireFault, WireFaultKind};
