//! The handheld of the page: power, keys, lights, and the figures of the page's scope.
//!
//! All times are emulated, in milliseconds since power-on. A key that is down stays down when the power is switched.
//! Lights have the colours that were sent to the LEDs, and are dark while the LED supply is off.
//!
//! There is one handheld for each chip, each with its own flash. The current handheld is the one whose firmware was
//! loaded last.

use core::time::Duration;

use emulator::{CELLS, Firmware, Flash, Frame, Handheld, Options};
use flash_image::Chip;
use lights_out::wiring::Wiring;

use crate::file::{self, FileError, Trial};
use crate::saves::{self, SavesError};

/// The time after which recorded frames are processed. A program may send a hundred frames in a millisecond.
const SLICE: Duration = Duration::from_millis(50);
/// A press without a new frame within this time is not a move, so it has no latency.
const MAX_LATENCY: Duration = Duration::from_millis(50);

/// The figures that the page reads after each slice of time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Figures {
    /// Milliseconds since power-on.
    pub now: f64,
    /// Frames since power-on.
    pub frames: f64,
    /// Core cycles since power-on.
    pub cycles: f64,
    /// Core cycles without sleep since power-on.
    pub awake: f64,
    /// The current of the LEDs in milliamperes.
    pub led_current: f64,
    /// Milliseconds from the last press to the end of the first frame that shows it; 0 before the first press.
    pub latency: f64,
    /// 0: off, 1: on, 2: dormant, 3: in the boot ROM.
    pub state: f64,
    /// Flash sectors erased and pages programmed since power-on.
    pub flash_operations: f64,
    /// Resets since power-on.
    pub resets: f64,
}

/// A press that no frame has shown yet.
#[derive(Clone, Copy, Debug)]
struct Press {
    at: Duration,
    leds_before: [[u8; 3]; CELLS],
}

/// The handhelds of the page, one of which is the current one.
#[derive(Debug, Default)]
pub struct Session {
    firmware: Option<Firmware>,
    /// The page's own firmware for each chip. If the user opens the same firmware as a UF2 file, its log can still be
    /// decoded.
    own: [Option<Firmware>; Chip::ALL.len()],
    handheld: Option<Handheld>,
    trial: Option<Trial>,
    /// The flash image of each handheld that is off.
    flash: [Option<Vec<u8>>; Chip::ALL.len()],
    keys: u32,
    leds: [[u8; 3]; CELLS],
    /// Whether the LED supply has been on. A firmware that never drives its pin is for a board without the switch.
    is_supply_used: bool,
    press: Option<Press>,
    figures: Figures,
}

impl Session {
    /// Stores the page's own firmware for its chip. It is trusted and needs no trial. Nothing else changes.
    pub fn add_own_firmware(&mut self, file: &[u8]) -> Result<(), FileError> {
        let firmware = file::read(file, self.chip())?;
        let chip = firmware.chip();
        self.own[chip as usize] = Some(firmware);
        Ok(())
    }

    /// Loads the firmware that was [stored](Self::add_own_firmware) for a chip. Returns whether there is one. Then the
    /// handheld is off and its memory unchanged.
    pub fn load_own(&mut self, chip: Chip) -> bool {
        let own = self.own[chip as usize].clone();
        own.map(|firmware| self.insert(firmware)).is_some()
    }

    /// Starts the [trial](Self::run_trial) of a firmware file for either chip. The current handheld continues to run.
    pub fn begin_trial(&mut self, file: &[u8]) -> Result<(), FileError> {
        self.trial = None;
        self.trial = Some(Trial::begin(file, self.chip())?);
        Ok(())
    }

    /// Runs the firmware on trial for this time. Returns `None` until the trial is decided. After a success the
    /// firmware is loaded, its handheld is off and the memory unchanged. After an error nothing has changed.
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

    /// The chip of the current handheld.
    pub fn chip(&self) -> Chip {
        self.firmware.as_ref().map_or(Chip::Rp2040, Firmware::chip)
    }

    /// Whether the firmware file contains the texts of its log messages. A UF2 file does not.
    pub fn has_log(&self) -> bool {
        self.firmware.as_ref().is_some_and(Firmware::has_log)
    }

    /// Switches on. Without a firmware nothing happens. `seed` replaces the noise of the ring oscillator.
    pub fn power_on(&mut self, seed: u64) {
        self.power_off();
        let Some(firmware) = &self.firmware else { return };
        let flash = self.flash[firmware.chip() as usize].take();
        let options = Options { flash, seed, supply_switch: false, ..Options::default() };
        let mut handheld = Handheld::power_on(firmware, options);
        handheld.record_frames();
        (0..CELLS).filter(|cell| self.keys >> cell & 1 == 1).for_each(|cell| handheld.press(cell));
        self.handheld = Some(handheld);
        self.update(&[]);
    }

    /// Switches off. The flash keeps its content.
    pub fn power_off(&mut self) {
        if let Some(handheld) = self.handheld.take() {
            self.flash[self.chip() as usize] = Some(handheld.power_off());
        }
        self.is_supply_used = false;
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
            self.press = Some(Press { at: handheld.now(), leds_before: self.leds });
        } else {
            handheld.release(cell);
        }
    }

    /// The keys that are down; bit n is cell n.
    pub fn keys(&self) -> u32 {
        self.keys
    }

    /// Runs the current handheld for this time.
    pub fn run(&mut self, time: Duration) {
        let mut left = time;
        // At least once, so that the figures are updated even for a time of zero.
        loop {
            let slice = left.min(SLICE);
            left -= slice;
            let Some(handheld) = &mut self.handheld else { return };
            handheld.run_for(slice);
            let frames = handheld.take_frames();
            self.update(&frames);
            if left.is_zero() {
                return;
            }
        }
    }

    /// Updates lights, supply and figures with the new frames.
    fn update(&mut self, frames: &[Frame]) {
        let Some(handheld) = &self.handheld else { return };
        self.is_supply_used |= handheld.led_supply();
        let is_dark = self.is_supply_used && !handheld.led_supply();
        for frame in frames {
            self.leds = channels(frame);
            if let Some(press) = self.press
                && frame.started >= press.at
                && self.leds != press.leds_before
            {
                self.figures.latency = milliseconds(frame.ended - press.at);
                self.press = None;
            }
        }
        if self.press.is_some_and(|press| handheld.now() > press.at + MAX_LATENCY) {
            self.press = None;
        }
        if is_dark {
            self.leds = [[0; 3]; CELLS];
        }
        self.figures = Figures { latency: self.figures.latency, ..figures_of(handheld, is_dark) };
    }

    /// The lights as they were sent to the LEDs: three bytes each, red first.
    pub fn leds(&self) -> &[[u8; 3]; CELLS] {
        &self.leds
    }

    /// The figures of the page's scope.
    pub fn figures(&self) -> &Figures {
        &self.figures
    }

    /// The log messages since the last call, one a line: time in seconds, level, text and source location, separated by
    /// tabs.
    pub fn take_log(&mut self) -> String {
        let new = self.handheld.as_mut().map(Handheld::take_logs).unwrap_or_default();
        // A line break within a message becomes a line separator, which the page converts back.
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

    /// Connects the logic analyser to all signals of the board.
    pub fn start_trace(&mut self) {
        if let Some(handheld) = &mut self.handheld {
            handheld.start_logic_analyser(SIGNAL_PINS.iter().fold(0, |mask, pin| mask | 1 << pin));
        }
    }

    /// Disconnects the logic analyser. Returns its trace as pairs of time in milliseconds and levels. Each bit is a
    /// signal: five rows, five columns, the LED data wire, the LED supply, the piezo.
    pub fn take_trace(&mut self) -> Vec<f64> {
        let changes = self.handheld.as_mut().map(Handheld::stop_logic_analyser).unwrap_or_default();
        let signals =
            |pins: u32| (0..).zip(SIGNAL_PINS).fold(0, |signals, (bit, pin)| signals | (pins >> pin & 1) << bit);
        changes.into_iter().flat_map(|(at, pins)| [milliseconds(at), f64::from(signals(pins))]).collect()
    }

    /// The memory of the current handheld, as a [memory file](saves).
    pub fn memory(&self) -> Vec<u8> {
        let chip = self.chip();
        let image_when_off = self.flash[chip as usize].as_deref();
        let image = self.handheld.as_ref().map(|handheld| Flash::image(handheld.flash())).or(image_when_off);
        match (image, &self.firmware) {
            (Some(image), Some(firmware)) => saves::encode(chip, image, firmware.image()),
            _ => saves::encode(chip, &[], &[]),
        }
    }

    /// Loads a memory file into the flash of its chip. If that is the chip of the current handheld, the handheld is off
    /// afterwards. A damaged file changes nothing.
    pub fn set_memory(&mut self, file: &[u8]) -> Result<(), SavesError> {
        let (chip, image) = saves::decode(file)?;
        if chip == self.chip() {
            self.power_off();
        }
        self.flash[chip as usize] = Some(image);
        Ok(())
    }

    /// Erases the flash of the current handheld except the firmware. The handheld is off afterwards.
    pub fn erase_memory(&mut self) {
        self.power_off();
        self.flash[self.chip() as usize] = None;
    }
}

/// The figures of a handheld, without the latency.
fn figures_of(handheld: &Handheld, is_dark: bool) -> Figures {
    let cycle_counts = handheld.cycle_counts();
    Figures {
        now: milliseconds(handheld.now()),
        frames: handheld.frames() as f64,
        cycles: cycle_counts.cycles as f64,
        awake: cycle_counts.awake as f64,
        led_current: match handheld.frame() {
            Some(frame) if !is_dark => f64::from(frame.milliamps() - BOARD_CURRENT),
            _ => 0.0,
        },
        latency: 0.0,
        state: if handheld.stop_reason().is_some() {
            3.0
        } else if handheld.is_dormant() {
            2.0
        } else {
            1.0
        },
        flash_operations: handheld.flash().operations() as f64,
        resets: handheld.reset_count() as f64,
    }
}

/// The pins of the signals that the logic analyser records.
const SIGNAL_PINS: [u8; 13] = {
    let Wiring { rows: [a, b, c, d, e], columns: [f, g, h, i, j], leds, supply, piezo } = Wiring::REFERENCE;
    [a, b, c, d, e, f, g, h, i, j, leds, supply, piezo]
};

/// The share of the Pico itself in [`Frame::milliamps`].
const BOARD_CURRENT: f32 = 25.0;

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn channels(frame: &Frame) -> [[u8; 3]; CELLS] {
    frame.leds.map(|led| [led.r, led.g, led.b])
}
