//! The options of a handheld: its parts, its supply and its initial flash content.

use crate::flash::FlashTimes;
use crate::flash_cache::FlashCache;
use crate::matrix::MatrixLines;
use crate::supply::Supply;
use crate::vsys_pin::PicoBoard;
use core::time::Duration;
use lights_out::layout::Layout;
use lights_out::wiring::Wiring;

/// The parts of a handheld, its supply, and its initial flash content.
#[derive(Clone, Debug)]
pub struct Options {
    /// The pin assignment.
    pub wiring: Wiring,
    /// The cell of each contact and of each LED position, and the colour order of the LEDs. Tests use cells.
    pub layout: Layout,
    /// The kind of board, which determines the parts at GP24, GP25 and GP29.
    pub board: PicoBoard,
    /// Resistance of the pull-down and the pull-up at GP29, in ohms: 50 to 80 kohm by the data sheet.
    pub pad_pull: u32,
    /// Filter capacitor at GP29, in picofarads: 1 nF on the Picos.
    pub vsys_filter: u32,
    /// A diode at every key. Without diodes, closed keys conduct both ways and cause ghosts.
    pub diodes: bool,
    /// Lines of the matrix that a bad solder joint disconnects.
    pub open: MatrixLines,
    /// Rise time of a released line of the matrix: a pull-up of 50 to 80 kOhm charges the capacitance of the line. 2 us
    /// on a small board, 12 us and more with the long wires of arcade buttons.
    pub rise: Duration,
    /// The gap between frames that the LEDs need.
    pub latch: Duration,
    /// The power supply.
    pub supply: Supply,
    /// A switch in the supply of the LEDs. Without it, they always have supply.
    pub supply_switch: bool,
    /// Time from switching the LED supply on until the LEDs can receive: a load switch with slow rise takes 12 to 19
    /// ms.
    pub supply_rise: Duration,
    /// Content of the flash before the firmware is programmed, for example from
    /// [`Handheld::power_off`](crate::Handheld::power_off); `None`: an erased chip.
    pub flash: Option<Vec<u8>>,
    /// How long flash operations take.
    pub flash_times: FlashTimes,
    /// The cache between core and flash. `None`: flash is as fast as RAM.
    pub flash_cache: Option<FlashCache>,
    /// Time from power-on, or from a reset, to the firmware's first instruction: the boot ROM and, on the RP2040, the
    /// second-stage bootloader.
    pub boot_rom: Duration,
    /// Time from switching the crystal on to its first oscillation. The delay in the register STARTUP follows.
    pub crystal_start: Duration,
    /// Number of failed starts of the crystal before the first successful one.
    pub crystal_failures: u32,
    /// Seed of everything random: the bits of the ring oscillator, the noise of the ADC, the chatter of slow edges.
    pub seed: u64,
}

impl Default for Options {
    /// The reference hardware with ideal parts, supplied by USB.
    fn default() -> Self {
        Self {
            wiring: Wiring::REFERENCE,
            layout: Layout::REFERENCE,
            board: PicoBoard::Plain,
            pad_pull: 65_000,
            vsys_filter: 1_000,
            diodes: true,
            open: MatrixLines::default(),
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
