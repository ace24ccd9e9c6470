//! What the page's script calls. Numbers go in and out; bytes go through two buffers in WebAssembly's memory, one for
//! each direction. An address is good until the next call, because memory may move when it grows.
//!
//! Everything runs on the one thread of the page's worker, so one session in a cell is enough.

use std::cell::RefCell;
use std::panic;
use std::sync::{Mutex, Once};
use std::time::Duration;

use flash_image::Chip;

use crate::session::Session;
use crate::{puzzles, saves};

#[derive(Default)]
struct Page {
    session: Session,
    input: Vec<u8>,
    output: Vec<u8>,
}

thread_local! {
    static PAGE: RefCell<Page> = RefCell::default();
}

/// What a panic said. It ends everything else here, so it has a place of its own.
static LAST_WORDS: Mutex<String> = Mutex::new(String::new());

fn with<T>(act: impl FnOnce(&mut Page) -> T) -> T {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        panic::set_hook(Box::new(|panic| {
            if let Ok(mut words) = LAST_WORDS.lock() {
                *words = panic.to_string();
            }
        }));
    });
    PAGE.with_borrow_mut(act)
}

/// The length of what a panic said.
#[unsafe(no_mangle)]
pub extern "C" fn last_words_length() -> usize {
    LAST_WORDS.lock().map_or(0, |words| words.len())
}

/// Where that is.
#[unsafe(no_mangle)]
pub extern "C" fn last_words() -> *const u8 {
    LAST_WORDS.lock().map_or(std::ptr::null(), |words| words.as_ptr())
}

impl Page {
    /// Leaves bytes for the script, and gives their number.
    fn tell(&mut self, bytes: impl Into<Vec<u8>>) -> usize {
        self.output = bytes.into();
        self.output.len()
    }

    /// The length of the message of an error, or 0 for success.
    fn outcome<E: ToString>(&mut self, result: Result<(), E>) -> usize {
        self.tell(result.err().map(|error| error.to_string()).unwrap_or_default())
    }
}

/// Room for `length` bytes that the next call is about.
#[unsafe(no_mangle)]
pub extern "C" fn input(length: usize) -> *mut u8 {
    with(|page| {
        page.input = vec![0; length];
        page.input.as_mut_ptr()
    })
}

/// Where the bytes are whose number the last call gave.
#[unsafe(no_mangle)]
pub extern "C" fn output() -> *const u8 {
    with(|page| page.output.as_ptr())
}

/// The chip of a number, as [`chip`] tells it.
fn chip_of(number: u32) -> Option<Chip> {
    Chip::ALL.into_iter().find(|&chip| number_of(chip) == number)
}

fn number_of(chip: Chip) -> u32 {
    match chip {
        Chip::Rp2040 => 2040,
        Chip::Rp2350 => 2350,
    }
}

/// Takes the input for the page's own firmware for one of the chips; gives the length of an error message, or 0.
#[unsafe(no_mangle)]
pub extern "C" fn learn() -> usize {
    with(|page| {
        let result = page.session.learn(&std::mem::take(&mut page.input));
        page.outcome(result)
    })
}

/// Loads what was learned for a chip; whether anything was.
#[unsafe(no_mangle)]
pub extern "C" fn load_own(chip: u32) -> bool {
    with(|page| chip_of(chip).is_some_and(|chip| page.session.load_own(chip)))
}

/// Takes the input for a firmware to be tried; gives the length of an error message, or 0.
#[unsafe(no_mangle)]
pub extern "C" fn begin_trial() -> usize {
    with(|page| {
        let result = page.session.begin_trial(&std::mem::take(&mut page.input));
        page.outcome(result)
    })
}

/// Lets milliseconds pass for the firmware on trial; gives -1 until it is decided, then the length of an error message, or 0.
#[unsafe(no_mangle)]
pub extern "C" fn run_trial(milliseconds: f64) -> i32 {
    with(|page| match page.session.run_trial(duration(milliseconds)) {
        None => -1,
        Some(result) => page.outcome(result) as i32,
    })
}

/// The chip of the handheld in hand: 2040 or 2350.
#[unsafe(no_mangle)]
pub extern "C" fn chip() -> u32 {
    with(|page| number_of(page.session.chip()))
}

/// Whether the firmware brought the words of its log.
#[unsafe(no_mangle)]
pub extern "C" fn has_log() -> bool {
    with(|page| page.session.has_log())
}

/// Switches on, with 64 random bits.
#[unsafe(no_mangle)]
pub extern "C" fn power_on(high: u32, low: u32) {
    with(|page| page.session.power_on(u64::from(high) << 32 | u64::from(low)));
}

/// Switches off.
#[unsafe(no_mangle)]
pub extern "C" fn power_off() {
    with(|page| page.session.power_off());
}

/// Presses or releases a key.
#[unsafe(no_mangle)]
pub extern "C" fn set_key(cell: usize, down: bool) {
    with(|page| page.session.set_key(cell, down));
}

/// Lets milliseconds pass.
#[unsafe(no_mangle)]
pub extern "C" fn run(milliseconds: f64) {
    with(|page| page.session.run(duration(milliseconds)));
}

fn duration(milliseconds: f64) -> Duration {
    Duration::try_from_secs_f64(milliseconds / 1e3).unwrap_or_default()
}

/// Where the 75 bytes of the lights are.
#[unsafe(no_mangle)]
pub extern "C" fn leds() -> *const u8 {
    with(|page| page.session.leds().as_flattened().as_ptr())
}

/// Where the figures are: numbers of 64 bits, in the order of [`crate::session::Figures`].
#[unsafe(no_mangle)]
pub extern "C" fn figures() -> *const f64 {
    with(|page| std::ptr::from_ref(page.session.figures()).cast())
}

/// Puts the new part of the log into the output.
#[unsafe(no_mangle)]
pub extern "C" fn take_log() -> usize {
    with(|page| {
        let log = page.session.take_log();
        page.tell(log)
    })
}

/// Puts new changes of the tone into the output.
#[unsafe(no_mangle)]
pub extern "C" fn take_tones() -> usize {
    with(|page| {
        let tones = page.session.take_tones();
        page.tell(tones.into_iter().flat_map(f64::to_le_bytes).collect::<Vec<u8>>())
    })
}

/// Puts a logic analyser on the pins.
#[unsafe(no_mangle)]
pub extern "C" fn start_trace() {
    with(|page| page.session.start_trace());
}

/// Puts what the logic analyser has seen into the output, and takes it off.
#[unsafe(no_mangle)]
pub extern "C" fn take_trace() -> usize {
    with(|page| {
        let trace = page.session.take_trace();
        page.tell(trace.into_iter().flat_map(f64::to_le_bytes).collect::<Vec<u8>>())
    })
}

/// Puts what the flash of the handheld in hand remembers into the output.
#[unsafe(no_mangle)]
pub extern "C" fn saved() -> usize {
    with(|page| {
        let file = page.session.memory();
        page.tell(file)
    })
}

/// The chip whose flash the input is what it remembers of: 2040 or 2350, or 0 if it is no such file.
#[unsafe(no_mangle)]
pub extern "C" fn chip_of_saved() -> u32 {
    with(|page| saves::decode(&page.input).map_or(0, |(chip, _)| number_of(chip)))
}

/// Takes the input for what the flash of its chip remembers; gives the length of an error message, or 0.
#[unsafe(no_mangle)]
pub extern "C" fn set_saved() -> usize {
    with(|page| {
        let result = page.session.set_memory(&std::mem::take(&mut page.input));
        page.outcome(result)
    })
}

/// Forgets what the flash of the handheld in hand remembers.
#[unsafe(no_mangle)]
pub extern "C" fn erase_saved() {
    with(|page| page.session.erase_memory());
}

/// Reads the input as a code. The output has, between tabs: the reason why it is none, or nothing; the code, its rule and size as
/// the menu counts them, its lights, and its par if it has one.
#[unsafe(no_mangle)]
pub extern "C" fn read_code() -> usize {
    with(|page| {
        let text = match puzzles::read(&String::from_utf8_lossy(&page.input)) {
            Err(error) => error.to_string(),
            Ok(puzzle) => {
                let par = puzzle.par.map(|par| par.to_string()).unwrap_or_default();
                format!("\t{}\t{}\t{}\t{}\t{par}", puzzle.code, puzzle.rule, puzzle.size, puzzle.lights)
            }
        };
        page.tell(text)
    })
}

/// Puts the code of a level into the output; nothing if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn level_code(level: usize) -> usize {
    with(|page| page.tell(puzzles::level(level).map(|code| code.to_string()).unwrap_or_default()))
}

/// Puts the code of the puzzle of a day into the output.
#[unsafe(no_mangle)]
pub extern "C" fn daily_code(day: u32) -> usize {
    with(|page| page.tell(puzzles::of_day(day).to_string()))
}
