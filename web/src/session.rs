//! One visitor's handheld: switched on or off, with its keys, its lights, and what the page's scope shows.
//!
//! All times are emulated, in milliseconds since power-on. Keys stay down through switching on and off, because fingers
//! do. Lights are as the wire brought them, and dark while their supply is off.
//!
//! There is a handheld for each chip, with a flash of its own, and one of them is in the visitor's hands: the one whose firmware was loaded
//! last.

use core::time::Duration;

use emulator::{CELLS, Firmware, Flash, Frame, Handheld, Options};
use flash_image::Chip;
use lights_out::wiring::Wiring;

use crate::file::{self, FileError, Trial};
use crate::saves::{self, SavesError};

/// The pictures of so much time are looked at together: a program may send a hundred in a millisecond.
const SLICE: Duration = Duration::from_millis(50);
/// A press that no new picture follows within this time has no latency: it was not a move.
const NO_ANSWER: Duration = Duration::from_millis(50);

/// What the page looks at after each slice of time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Figures {
    /// Milliseconds since power-on.
    pub now: f64,
    /// Pictures since power-on.
    pub frames: f64,
    /// Cycles of the core since power-on.
    pub cycles: f64,
    /// Those in which it did not sleep.
    pub awake: f64,
    /// Milliamperes of the LEDs.
    pub led_current: f64,
    /// Milliseconds from the last press to the end of the picture that answered it; 0 is "none yet".
    pub latency: f64,
    /// 0 off, 1 on, 2 in dormant sleep, 3 gone to the boot ROM.
    pub state: f64,
    /// Flash sectors erased and pages programmed since power-on.
    pub flash_operations: f64,
    /// Resets since power-on.
    pub resets: f64,
}

/// A press that waits for its picture.
#[derive(Clone, Copy, Debug)]
struct Press {
    at: Duration,
    shown: [[u8; 3]; CELLS],
}

/// A visitor's handheld.
#[derive(Debug, Default)]
pub struct Session {
    firmware: Option<Firmware>,
    /// The page's own, for each chip. It may come again as a UF2 file: then its log can be read all the same.
    own: [Option<Firmware>; Chip::ALL.len()],
    handheld: Option<Handheld>,
    trial: Option<Trial>,
    /// The flash of each chip while it is off.
    flash: [Option<Vec<u8>>; Chip::ALL.len()],
    keys: u32,
    leds: [[u8; 3]; CELLS],
    /// The LED supply has been on: a firmware that never drives its pin is one for a board without the switch.
    supply_driven: bool,
    press: Option<Press>,
    figures: Figures,
}

impl Session {
    /// Takes the page's own firmware for one of the chips, which is known to be good and is not tried. Nothing else changes.
    pub fn learn(&mut self, file: &[u8]) -> Result<(), FileError> {
        let firmware = file::read(file, self.chip())?;
        let chip = firmware.chip();
        self.own[chip as usize] = Some(firmware);
        Ok(())
    }

    /// Loads what was [learned](Self::learn) for a chip; whether anything was. The handheld is off afterwards and its memory as it was.
    pub fn load_own(&mut self, chip: Chip) -> bool {
        let own = self.own[chip as usize].clone();
        own.map(|firmware| self.insert(firmware)).is_some()
    }

    /// Takes a firmware file, for whichever chip it is, to be [tried](Self::run_trial). The handheld goes on as it was.
    pub fn begin_trial(&mut self, file: &[u8]) -> Result<(), FileError> {
        self.trial = None;
        self.trial = Some(Trial::begin(file, self.chip())?);
        Ok(())
    }

    /// Lets time pass for the firmware on trial. Nothing is given until it is decided. Then the firmware is loaded, the handheld is off
    /// and its memory as it was; or, with the reason, nothing has changed.
    pub fn run_trial(&mut self, time: Duration) -> Option<Result<(), FileError>> {
        let verdict = self.trial.as_mut()?.run(time)?;
        self.trial = None;
        Some(verdict.map(|firmware| {
            let own = self.own[firmware.chip() as usize].as_ref();
            let same = own.filter(|own| !firmware.has_log() && firmware.image() == own.image()).cloned();
            self.insert(same.unwrap_or(firmware));
        }))
    }

    fn insert(&mut self, firmware: Firmware) {
        self.power_off();
        self.firmware = Some(firmware);
    }

    /// The chip of the handheld in hand: the one that the firmware is for.
    pub fn chip(&self) -> Chip {
        self.firmware.as_ref().map_or(Chip::Rp2040, Firmware::chip)
    }

    /// Whether the firmware brought the words of its log: a UF2 file has none.
    pub fn has_log(&self) -> bool {
        self.firmware.as_ref().is_some_and(Firmware::has_log)
    }

    /// Switches on; without a firmware nothing happens. `seed` stands for the noise of the ring oscillator.
    pub fn power_on(&mut self, seed: u64) {
        self.power_off();
        let Some(firmware) = &self.firmware else { return };
        let flash = self.flash[firmware.chip() as usize].take();
        let options = Options { flash, seed, supply_switch: false, ..Options::default() };
        let mut handheld = Handheld::power_on(firmware, options);
        handheld.record_frames();
        (0..CELLS).filter(|cell| self.keys >> cell & 1 == 1).for_each(|cell| handheld.press(cell));
        self.handheld = Some(handheld);
        self.look(&[]);
    }

    /// Switches off. The flash stays.
    pub fn power_off(&mut self) {
        if let Some(handheld) = self.handheld.take() {
            self.flash[self.chip() as usize] = Some(handheld.power_off());
        }
        self.supply_driven = false;
        self.leds = [[0; 3]; CELLS];
        self.press = None;
        self.figures = Figures::default();
    }

    /// Presses or releases a key.
    pub fn set_key(&mut self, cell: usize, down: bool) {
        if cell >= CELLS || down == (self.keys >> cell & 1 == 1) {
            return;
        }
        self.keys ^= 1 << cell;
        let Some(handheld) = &mut self.handheld else { return };
        if down {
            handheld.press(cell);
            self.press = Some(Press { at: handheld.now(), shown: self.leds });
        } else {
            handheld.release(cell);
        }
    }

    /// The keys that are down, bit = cell.
    pub fn keys(&self) -> u32 {
        self.keys
    }

    /// Lets time pass.
    pub fn run(&mut self, time: Duration) {
        let mut left = time;
        // At least once, so that no time at all is looked at too.
        loop {
            let slice = left.min(SLICE);
            left -= slice;
            let Some(handheld) = &mut self.handheld else { return };
            handheld.run_for(slice);
            let frames = handheld.take_frames();
            self.look(&frames);
            if left.is_zero() {
                return;
            }
        }
    }

    fn look(&mut self, frames: &[Frame]) {
        let Some(handheld) = &self.handheld else { return };
        self.supply_driven |= handheld.led_supply();
        let dark = self.supply_driven && !handheld.led_supply();
        for frame in frames {
            self.leds = channels(frame);
            if let Some(press) = self.press
                && frame.started >= press.at
                && self.leds != press.shown
            {
                self.figures.latency = milliseconds(frame.ended - press.at);
                self.press = None;
            }
        }
        if self.press.is_some_and(|press| handheld.now() > press.at + NO_ANSWER) {
            self.press = None;
        }
        if dark {
            self.leds = [[0; 3]; CELLS];
        }
        let effort = handheld.effort();
        self.figures = Figures {
            now: milliseconds(handheld.now()),
            frames: handheld.frames() as f64,
            cycles: effort.cycles as f64,
            awake: effort.awake as f64,
            led_current: match handheld.frame() {
                Some(frame) if !dark => f64::from(frame.milliamps() - BOARD_CURRENT),
                _ => 0.0,
            },
            state: if handheld.death().is_some() {
                3.0
            } else if handheld.is_dormant() {
                2.0
            } else {
                1.0
            },
            flash_operations: handheld.flash().operations() as f64,
            resets: handheld.reset_count() as f64,
            ..self.figures
        };
    }

    /// The lights, three bytes each, red first, as they came over the wire.
    pub fn leds(&self) -> &[[u8; 3]; CELLS] {
        &self.leds
    }

    /// What the scope shows.
    pub fn figures(&self) -> &Figures {
        &self.figures
    }

    /// The log since the last call: time in seconds, level, text and place, between tabs, one message a line.
    pub fn take_log(&mut self) -> String {
        let new = self.handheld.as_mut().map(Handheld::take_logs).unwrap_or_default();
        // A message of several lines stays one: the page shows it as it is told.
        let clean = |text: &str| text.replace('\t', " ").replace('\n', "\u{2028}");
        new.iter()
            .map(|line| {
                let place = line.place.as_deref().unwrap_or_default();
                format!("{:.3}\t{:?}\t{}\t{}\n", line.at.as_secs_f64(), line.level, clean(&line.text), clean(place))
            })
            .collect()
    }

    /// Changes of the tone since the last call: pairs of time in milliseconds and frequency in Hz, 0 for silence.
    pub fn take_tones(&mut self) -> Vec<f64> {
        let new = self.handheld.as_mut().map(Handheld::take_tones).unwrap_or_default();
        new.iter().flat_map(|(at, tone)| [milliseconds(*at), f64::from(tone.unwrap_or(0))]).collect()
    }

    /// Puts a logic analyser on all lines of the board.
    pub fn start_trace(&mut self) {
        if let Some(handheld) = &mut self.handheld {
            handheld.probe_pins(LINES.iter().fold(0, |mask, pin| mask | 1 << pin));
        }
    }

    /// What it has seen, as pairs of time in milliseconds and levels; it is taken off. Bits are lines: five rows, five columns, the
    /// LED wire, the LEDs' supply, the piezo.
    pub fn take_trace(&mut self) -> Vec<f64> {
        let changes = self.handheld.as_mut().map(Handheld::take_probed).unwrap_or_default();
        let lines = |pins: u32| (0..).zip(LINES).fold(0, |lines, (line, pin)| lines | (pins >> pin & 1) << line);
        changes.into_iter().flat_map(|(at, pins)| [milliseconds(at), f64::from(lines(pins))]).collect()
    }

    /// What the flash of the handheld in hand remembers, as a [file](saves).
    pub fn memory(&self) -> Vec<u8> {
        let chip = self.chip();
        let off = self.flash[chip as usize].as_deref();
        let image = self.handheld.as_ref().map(|handheld| Flash::image(handheld.flash())).or(off);
        match (image, &self.firmware) {
            (Some(image), Some(firmware)) => saves::encode(chip, image, firmware.image()),
            _ => saves::encode(chip, &[], &[]),
        }
    }

    /// Gives another memory to the flash of the chip that the file is for. If that is the one in hand, it is off afterwards; a broken
    /// file changes nothing.
    pub fn set_memory(&mut self, file: &[u8]) -> Result<(), SavesError> {
        let (chip, image) = saves::decode(file)?;
        if chip == self.chip() {
            self.power_off();
        }
        self.flash[chip as usize] = Some(image);
        Ok(())
    }

    /// Forgets everything but the firmware of the handheld in hand. It is off afterwards.
    pub fn erase_memory(&mut self) {
        self.power_off();
        self.flash[self.chip() as usize] = None;
    }
}

/// The pins of the lines that the logic analyser looks at.
const LINES: [u8; 13] = {
    let Wiring { rows: [a, b, c, d, e], columns: [f, g, h, i, j], leds, supply, piezo } = Wiring::REFERENCE;
    [a, b, c, d, e, f, g, h, i, j, leds, supply, piezo]
};

/// What [`Frame::milliamps`] counts for the Pico itself.
const BOARD_CURRENT: f32 = 25.0;

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn channels(frame: &Frame) -> [[u8; 3]; CELLS] {
    frame.leds.map(|led| [led.r, led.g, led.b])
}
