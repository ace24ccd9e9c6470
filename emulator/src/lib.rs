//! The emulated handheld: the real firmware on an emulated Pico or Pico 2 with 25 keys and 25 LEDs.
//!
//! The tests and the web page use this crate. The emulated handheld boots the same ELF or UF2 file as a real Pico. The
//! file determines the chip, RP2040 or RP2350. A test uses only the outside of the handheld, like a player with a logic
//! analyser: it presses keys, reads LEDs, sound and flash, and cuts the power. It can also read the firmware's log and
//! count cycles, but it does not read or write the firmware's memory.
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
//! let frame = handheld.run_to_next_frame(Duration::from_millis(10)).expect("a frame after the press");
//! println!("{:025b}, {} mA", frame.lit(), frame.milliamps());
//! let flash = handheld.power_off();
//! let again = Handheld::power_on(&firmware, Options { flash: Some(flash), ..Options::default() });
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Runs are deterministic: the same file, options and calls give the same frames, to the nanosecond.
//!
//! # What is modelled
//! The parts have the imperfections of real ones. [`Options`] sets most of them; the default is the reference hardware.
//! - **Boards**: Pico and Pico 2 with and without radio, and boards of other makers; any wiring, any assignment of keys
//!   and LEDs to cells, any colour order.
//! - **Keys**: contact bounce, ghosts on boards without diodes, bad solder joints, slowly rising columns, and inputs
//!   that chatter without a Schmitt trigger.
//! - **LEDs**: a supply that rises slowly, frames lost without supply, bit times checked against three data sheets,
//!   corrupted frames.
//! - **Flash**: erase and program times, erase counters for each sector, operations torn by a power cut, and the flash
//!   cache on request.
//! - **Battery**: voltage drop under the load of LEDs, flash and inrush current, down to the brown-out.
//! - **Chip**: timer, watchdog, pins with pulls and interrupts, PWM, PIO and DMA cycle by cycle, ADC with noise,
//!   start-up of the crystal, dormant sleep, powered-down memories, the time of the boot ROM, and resets by the
//!   watchdog, a debug probe and an update over USB. For the RP2350 also the image checks of its boot ROM, isolated
//!   pads and erratum E9.
//!
//! Not modelled: core 1, the RISC-V cores, security and OTP of the RP2350, USB, UART, SPI, I2C, SysTick, DMA other than
//! between memory and PIO, flash reads other than through the XIP window (no DMA streaming), analogue voltages other
//! than VSYS, temperature and wear of parts. A taken branch counts one cycle too many.
//!
//! # The emulator crates, and their corrections
//! The crates `rp2040-emu` and `rp2350-emu` supply core, memory, DMA, PIO and register storage. This crate replaces or
//! corrects, from outside, every difference from the data sheet that the firmware can notice, because a test against a
//! wrong model proves nothing. The crates themselves are not changed, and their versions are pinned. For example, the
//! crates stop PIO and DMA while the core sleeps, have no pulls and no pin interrupts, invent the samples of the ADC,
//! derive the timer from the wrong clock, and restart a PIO state machine at the wrong instruction.
//!
//! [`register_audit`] lists every register that the firmware uses: its behaviour by the data sheet, its behaviour in
//! the emulator crates, the correction, and the test of the correction. A test traces the firmware and fails if it uses
//! a register that is not listed.
//!
//! # How time passes
//! Time is counted in cycles of the system clock and in nanoseconds since power-on (`clock`). It passes only in
//! [`Handheld::run_for`] and its variants, which call `Machine::step` until the target time:
//! 1. A step processes all due events: edges of keys, scheduled interrupts, resets, power cuts.
//! 2. It computes the time of the next event: an alarm of the timer, a key, the watchdog, the PWM, the ADC.
//! 3. If the core is awake, it runs up to that event. The core runs ahead of the peripherals. They catch up before the
//!    core accesses one of them, and at the end of the step (`peripheral_time`).
//! 4. If the core sleeps, or waits for a flash operation, time advances to the event at once. So idle time costs nearly
//!    nothing.
//!
//! The boot ROM is not emulated instruction by instruction. Its functions are Rust code that takes the emulated time of
//! the original.
//!
//! # How tests use it
//! - Keys: [`Handheld::press`] and [`Handheld::release`] act at once, [`Handheld::schedule`] and
//!   [`Handheld::schedule_bouncing`] at a time.
//! - Time: [`Handheld::run_for`], [`Handheld::run_until`] a condition, [`Handheld::run_to_next_frame`].
//! - Results: [`Handheld::frame`], [`Handheld::tone`], [`Handheld::flash`], [`Handheld::logs`], [`Handheld::resets`].
//! - Faults: [`Handheld::cut_power`], [`Handheld::set_supply`], [`Handheld::inject_fault`],
//!   [`Handheld::corrupt_next_frame`].
//! - Measurements: [`Handheld::cycle_counts`], [`Handheld::watch_calls`], [`Handheld::watch_core`],
//!   [`Handheld::start_logic_analyser`].
//!
//! The tests of this crate need no firmware. Models of single parts have unit tests in their files. The folder `tests`
//! has small programs in Thumb code that check the whole machine against the data sheet.
//!
//! # Modules
//! From outside to inside:
//! - [`Handheld`] is the interface for tests, with [`Options`] and [`Firmware`]. Its measurements are in
//!   `instrumentation`: logic analyser, log, cycle counts.
//! - `machine` runs everything from event to event. `reset` has boot, resets and dormant sleep, `flash_operation` the
//!   operations of the flash, `power_cut` their interruption, `fault_injection` the faults that a test can inject.
//! - `chip_interface` has the traits that a chip implements. The folders `rp2040` and `rp2350` implement them on their
//!   emulator crates.
//! - `chip` has the state that both chips have in common, `peripheral_time` the time of PIO and DMA, `memory_access`
//!   the core's path to memory, `pio_corrections` the corrections of PIO. `common_instructions` executes the frequent
//!   instructions fast.
//! - Models of single parts: `gpio`, `matrix` and [`Bounce`]; `ws2812`, `led_timing` and [`Frame`]; `timer`,
//!   `watchdog`, `pwm`, `adc`, `vsys_pin`, `memory_power`, `clock`, `ring_oscillator`, `oscillators`; [`Supply`];
//!   [`Flash`], `flash_access` and `flash_cache`.
//! - `rtt_log` reads the log. `defmt_formats` and `defmt_validation` check each message before it is decoded.
//!   `logic_analyser` records pins, `profiler` counts cycles, `register_trace` records register accesses.
//!
//! # Malicious programs
//! The web page runs any file that a visitor opens, and a panic or an endless call would end the page. So no number
//! from a program or a file is trusted: addresses, lengths and counts are checked where they are read, and everything
//! that grows has a limit. No program can stop the emulated time: see `Machine::step`. Accesses at which the emulator
//! crates panic, or which they would store without limit, do not reach them: see `core_bus` and `registers` of each
//! chip.

mod adc;
mod bits;
mod bounce;
mod chip;
mod chip_interface;
mod clock;
mod common_instructions;
mod defmt_formats;
mod defmt_validation;
mod fault_injection;
mod firmware;
mod flash;
mod flash_access;
mod flash_cache;
mod flash_operation;
mod frame;
mod gpio;
mod handheld;
mod instrumentation;
mod led_timing;
mod logic_analyser;
mod machine;
mod matrix;
mod memory_access;
mod memory_power;
mod options;
mod oscillators;
mod peripheral_time;
mod pio_corrections;
mod power_cut;
mod profiler;
mod pwm;
pub mod register_audit;
mod register_trace;
mod reset;
mod ring_oscillator;
mod rp2040;
mod rp2350;
mod rtt_log;
mod supply;
#[cfg(test)]
mod tests;
mod timer;
mod vsys_pin;
mod watchdog;
mod ws2812;

pub use bounce::Bounce;
pub use chip_interface::Chip;
pub use fault_injection::InjectedFault;
pub use firmware::{Firmware, FirmwareError, Symbol};
pub use flash::{Flash, FlashTimes, PAGE, SECTOR};
pub use flash_access::{FlashAccess, FlashUse};
pub use flash_cache::{CacheUse, FlashCache};
pub use frame::{Frame, Rgb};
pub use handheld::Handheld;
pub use instrumentation::CycleCounts;
pub use led_timing::{BitTime, DataSheet, Extremes, WireTimes};
pub use machine::StopReason;
pub use matrix::{CELLS, COLUMNS, MatrixLines, ROWS};
pub use memory_power::{AccessKind, PoweredDownAccess};
pub use options::Options;
pub use power_cut::PowerCut;
pub use profiler::{Calls, CoreUse};
pub use register_trace::RegisterUse;
pub use reset::Reset;
pub use rtt_log::{LogLevel, LogLine};
pub use supply::Supply;
pub use vsys_pin::PicoBoard;
pub use watchdog::ResetCause;
pub use ws2812::{FrameCorruption, WireFault, WireFaultKind};
