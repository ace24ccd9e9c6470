//! The real firmware on the emulated handheld.

use std::sync::OnceLock;
use std::time::Duration;

use emulator::{Bounce, Firmware, Handheld};
use flash_image::Chip;
use lights_out::board::{Cell, Cells};

use crate::{Device, Dice, Player, ms, us};

/// The ELF file of the firmware for a chip, as `cargo host-tests` has built it.
///
/// # Panics
/// If the environment variable `LIGHTS_OUT_ELF` or `LIGHTS_OUT_PICO2_ELF` does not name a file.
pub fn firmware_file(chip: Chip) -> Vec<u8> {
    let variable = match chip {
        Chip::Rp2040 => "LIGHTS_OUT_ELF",
        Chip::Rp2350 => "LIGHTS_OUT_PICO2_ELF",
    };
    let path = std::env::var_os(variable).unwrap_or_else(|| {
        panic!("{variable} must name the firmware. Run the tests by `cargo host-tests`, which builds it.")
    });
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The firmware for a chip. Its file is read once.
pub fn firmware(chip: Chip) -> &'static Firmware {
    static FIRMWARE: [OnceLock<Firmware>; Chip::ALL.len()] = [const { OnceLock::new() }; Chip::ALL.len()];
    FIRMWARE[chip as usize].get_or_init(|| {
        Firmware::from_elf(&firmware_file(chip)).unwrap_or_else(|error| panic!("the firmware for the {chip}: {error}"))
    })
}

impl Device for Handheld {
    fn set_key(&mut self, key: Cell, closed: bool) {
        if closed {
            self.press(key.index());
        } else {
            self.release(key.index());
        }
    }

    fn wait(&mut self, time: Duration) {
        self.run_for(time);
    }

    fn led_colours(&self) -> Vec<[u8; 3]> {
        self.frame().map_or_else(Vec::new, |frame| frame.leds.iter().map(|led| [led.r, led.g, led.b]).collect())
    }

    fn lit(&self) -> Cells {
        Cells::from_bits(self.frame().map_or(0, |frame| frame.lit()))
    }
}

impl Player<Handheld> {
    /// Schedules a tap of a key whose contact bounces, on the press and on the release 30 ms later. Returns the time of
    /// the first contact, which is in the future: the caller has to wait.
    pub fn tap_bouncing(&mut self, key: Cell, dice: &mut Dice) -> Duration {
        let contact = self.device.now() + us(100);
        for (at, closed) in [(contact, true), (contact + ms(30), false)] {
            self.device.schedule_bouncing(at, key.index(), closed, &Bounce::default(), dice.rng());
        }
        contact
    }

    /// The number of log lines that contain these words.
    pub fn count_logs(&self, words: &str) -> usize {
        self.device.logs().iter().filter(|line| line.text.contains(words)).count()
    }
}
