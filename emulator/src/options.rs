//! How a handheld is built, and what it starts with.

use crate::flash::FlashTimes;
use crate::flash_cache::FlashCache;
use crate::matrix::Lines;
use crate::supply::Supply;
use crate::vsys_pin::PicoBoard;
use core::time::Duration;
use lights_out::layout::Layout;
use lights_out::wiring::Wiring;

/// How the handheld is built, and what it starts with.
#[derive(Clone, Debug)]
pub struct Options {
    /// Which pin does what.
    pub wiring: Wiring,
    /// Where the key of each contact and each light of the chain is, and in which order the LEDs take their colours. Whoever
    /// presses keys and looks at lights does so at their places.
    pub layout: Layout,
    /// What the board has at the pins that serve the board itself.
    pub board: PicoBoard,
    /// The pull-down and the pull-up of the pin for VSYS, in ohms: 50 to 80 kohm by the data sheet.
    pub pad_pull: u32,
    /// The filter capacitor at that pin in picofarads: 1 nF on the Picos.
    pub vsys_filter: u32,
    /// A diode at every key. Without, closed keys conduct both ways and ghosts appear.
    pub diodes: bool,
    /// Lines of the matrix that a bad joint has disconnected.
    pub open: Lines,
    /// How long the pull-up takes to raise a line of the matrix that is no longer held low: 50 to 80 kOhm and the line's
    /// capacitance, 2 us on a small board, 12 us and more with the long wires of arcade buttons.
    pub rise: Duration,
    /// The silence that the LED chain asks for between frames.
    pub latch: Duration,
    /// What feeds it all.
    pub supply: Supply,
    /// A switch in the supply of the LEDs. Without, they are always supplied.
    pub supply_switch: bool,
    /// From that switch to LEDs that listen: a load switch with slow rise takes 12 to 19 ms.
    pub supply_rise: Duration,
    /// What the flash held when the last handheld was switched off; `None` is a chip fresh from programming. The
    /// firmware's own bytes are written over it, as a programmer would.
    pub flash: Option<Vec<u8>>,
    /// How long the flash takes.
    pub flash_times: FlashTimes,
    /// The cache between core and flash. `None`: flash is as fast as RAM.
    pub flash_cache: Option<FlashCache>,
    /// From power-on, or a reset, to the firmware's first instruction: the boot ROM and, on the RP2040, the second-stage boot
    /// loader.
    pub boot_rom: Duration,
    /// From switching the crystal on to its first swing. Only from then on its STARTUP delay counts.
    pub crystal_start: Duration,
    /// How often the crystal is switched on in vain before it starts for the first time.
    pub crystal_failures: u32,
    /// Where all that is random comes from: the ring oscillator's bits, and the chatter of slow edges.
    pub seed: u64,
}

impl Default for Options {
    /// The reference hardware with good parts.
    fn default() -> Self {
        Self {
            wiring: Wiring::REFERENCE,
            layout: Layout::REFERENCE,
            board: PicoBoard::Plain,
            pad_pull: 65_000,
            vsys_filter: 1_000,
            diodes: true,
            open: Lines::default(),
            rise: Duration::from_micros(2),
            latch: Duration::from_micros(300),
            supply: Supply::Usb,
            supply_switch: true,
            supply_rise: Duration::from_millis(16),
            flash: None,
            flash_times: FlashTimes::default(),
            flash_cache: None,
            boot_rom: Duration::from_micros(6_550),
            crystal_start: Duration::ZERO,
            crystal_failures: 0,
            seed: 0,
        }
    }
}
