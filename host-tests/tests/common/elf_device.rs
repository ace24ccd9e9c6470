//! The real firmware, on the virtual handheld.

use std::sync::OnceLock;
use std::time::Duration;

use lights_out::board::Cell;
use virtual_handheld::{Firmware, Handheld, Options};

use super::words::{Device, Player};

/// The firmware that `cargo host-tests` has built.
pub fn firmware() -> &'static Firmware {
    static FIRMWARE: OnceLock<Firmware> = OnceLock::new();
    FIRMWARE.get_or_init(|| {
        let path = std::env::var_os("LIGHTS_OUT_ELF")
            .expect("LIGHTS_OUT_ELF names the firmware: run the tests by `cargo host-tests`, which builds it");
        let elf = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        Firmware::from_elf(&elf).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    })
}

/// A handheld just switched on.
pub fn switched_on(options: Options) -> Player<ElfDevice> {
    Player(ElfDevice(Handheld::power_on(firmware(), options)))
}

pub struct ElfDevice(pub Handheld);

impl Device for ElfDevice {
    fn set_key(&mut self, key: Cell, closed: bool) {
        if closed {
            self.0.press(key.index());
        } else {
            self.0.release(key.index());
        }
    }

    fn wait(&mut self, time: Duration) {
        self.0.run_for(time);
    }

    fn lit(&self) -> u32 {
        self.0.frame().map_or(0, |frame| frame.lit())
    }

    fn picture(&self) -> Vec<[u8; 3]> {
        self.0.frame().map_or_else(Vec::new, |frame| frame.leds.iter().map(|led| [led.r, led.g, led.b]).collect())
    }
}
