//! The functions that the page's script calls.
//!
//! Arguments and results are numbers. Bytes pass through two buffers in WebAssembly's memory, one for each direction.
//! An address is valid until the next call, because the memory may move when it grows.
//!
//! All calls come from one thread, the page's worker, so one session in a cell is enough.

use std::cell::RefCell;
use std::panic;
use std::sync::{Mutex, Once};
use std::time::Duration;

use flash_image::Chip;

use crate::session::Session;
use crate::{puzzles, saves};

#[derive(Default)]
struct State {
    session: Session,
    input: Vec<u8>,
    output: Vec<u8>,
}

thread_local! {
    static STATE: RefCell<State> = RefCell::default();
}

/// The message of the panic that ended this module. It is outside the cell, which the panic may have left borrowed.
static PANIC_MESSAGE: Mutex<String> = Mutex::new(String::new());

fn with_state<T>(act: impl FnOnce(&mut State) -> T) -> T {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        panic::set_hook(Box::new(|panic| {
            if let Ok(mut message) = PANIC_MESSAGE.lock() {
                *message = panic.to_string();
            }
        }));
    });
    STATE.with_borrow_mut(act)
}

/// The length of the panic message; 0 without a panic.
#[unsafe(no_mangle)]
extern "C" fn panic_message_length() -> usize {
    PANIC_MESSAGE.lock().map_or(0, |message| message.len())
}

/// The address of the panic message.
#[unsafe(no_mangle)]
extern "C" fn panic_message() -> *const u8 {
    PANIC_MESSAGE.lock().map_or(std::ptr::null(), |message| message.as_ptr())
}

impl State {
    /// Stores bytes for the script. Returns their number.
    fn set_output(&mut self, bytes: impl Into<Vec<u8>>) -> usize {
        self.output = bytes.into();
        self.output.len()
    }

    /// Stores the message of an error for the script. Returns its length, or 0 for success.
    fn set_result<E: ToString>(&mut self, result: Result<(), E>) -> usize {
        self.set_output(result.err().map(|error| error.to_string()).unwrap_or_default())
    }
}

/// Makes room for `length` bytes, the input of the next call. Returns their address.
#[unsafe(no_mangle)]
extern "C" fn input(length: usize) -> *mut u8 {
    with_state(|state| {
        state.input = vec![0; length];
        state.input.as_mut_ptr()
    })
}

/// The address of the bytes whose number the last call returned.
#[unsafe(no_mangle)]
extern "C" fn output() -> *const u8 {
    with_state(|state| state.output.as_ptr())
}

/// The chip with this number, as [`chip`] returns it.
fn chip_of(number: u32) -> Option<Chip> {
    Chip::ALL.into_iter().find(|&chip| number_of(chip) == number)
}

fn number_of(chip: Chip) -> u32 {
    match chip {
        Chip::Rp2040 => 2040,
        Chip::Rp2350 => 2350,
    }
}

/// Stores the input as the page's own firmware for its chip. Returns the length of an error message, or 0.
#[unsafe(no_mangle)]
extern "C" fn add_own_firmware() -> usize {
    with_state(|state| {
        let result = state.session.add_own_firmware(&std::mem::take(&mut state.input));
        state.set_result(result)
    })
}

/// Loads the page's own firmware for a chip. Returns whether there is one.
#[unsafe(no_mangle)]
extern "C" fn load_own(chip: u32) -> bool {
    with_state(|state| chip_of(chip).is_some_and(|chip| state.session.load_own(chip)))
}

/// Starts the trial of the firmware in the input. Returns the length of an error message, or 0.
#[unsafe(no_mangle)]
extern "C" fn begin_trial() -> usize {
    with_state(|state| {
        let result = state.session.begin_trial(&std::mem::take(&mut state.input));
        state.set_result(result)
    })
}

/// Runs the firmware on trial for this number of milliseconds. Returns -1 until the trial is decided, then the length
/// of an error message, or 0.
#[unsafe(no_mangle)]
extern "C" fn run_trial(milliseconds: f64) -> i32 {
    with_state(|state| match state.session.run_trial(duration(milliseconds)) {
        None => -1,
        Some(result) => state.set_result(result) as i32,
    })
}

/// The chip of the current handheld: 2040 or 2350.
#[unsafe(no_mangle)]
extern "C" fn chip() -> u32 {
    with_state(|state| number_of(state.session.chip()))
}

/// Whether the firmware file contains the texts of its log messages.
#[unsafe(no_mangle)]
extern "C" fn has_log() -> bool {
    with_state(|state| state.session.has_log())
}

/// Switches on. The arguments are 64 random bits.
#[unsafe(no_mangle)]
extern "C" fn power_on(high: u32, low: u32) {
    with_state(|state| state.session.power_on(u64::from(high) << 32 | u64::from(low)));
}

/// Switches off.
#[unsafe(no_mangle)]
extern "C" fn power_off() {
    with_state(|state| state.session.power_off());
}

/// Presses or releases a key.
#[unsafe(no_mangle)]
extern "C" fn set_key(cell: usize, down: bool) {
    with_state(|state| state.session.set_key(cell, down));
}

/// Runs the handheld for this number of milliseconds.
#[unsafe(no_mangle)]
extern "C" fn run(milliseconds: f64) {
    with_state(|state| state.session.run(duration(milliseconds)));
}

fn duration(milliseconds: f64) -> Duration {
    Duration::try_from_secs_f64(milliseconds / 1e3).unwrap_or_default()
}

/// The address of the lights: 75 bytes, three for each LED.
#[unsafe(no_mangle)]
extern "C" fn leds() -> *const u8 {
    with_state(|state| state.session.leds().as_flattened().as_ptr())
}

/// The address of the figures: 64-bit floating-point numbers, in the order of [`crate::session::Figures`].
#[unsafe(no_mangle)]
extern "C" fn figures() -> *const f64 {
    with_state(|state| std::ptr::from_ref(state.session.figures()).cast())
}

/// Stores new log messages in the output. Returns their length.
#[unsafe(no_mangle)]
extern "C" fn take_log() -> usize {
    with_state(|state| {
        let log = state.session.take_log();
        state.set_output(log)
    })
}

/// Stores new changes of the tone in the output. Returns their length.
#[unsafe(no_mangle)]
extern "C" fn take_tones() -> usize {
    with_state(|state| {
        let tones = state.session.take_tones();
        state.set_output(tones.into_iter().flat_map(f64::to_le_bytes).collect::<Vec<u8>>())
    })
}

/// Connects the logic analyser to the pins.
#[unsafe(no_mangle)]
extern "C" fn start_trace() {
    with_state(|state| state.session.start_trace());
}

/// Disconnects the logic analyser and stores its trace in the output. Returns the length of the trace.
#[unsafe(no_mangle)]
extern "C" fn take_trace() -> usize {
    with_state(|state| {
        let trace = state.session.take_trace();
        state.set_output(trace.into_iter().flat_map(f64::to_le_bytes).collect::<Vec<u8>>())
    })
}

/// Stores the memory file of the current handheld in the output. Returns its length.
#[unsafe(no_mangle)]
extern "C" fn memory_file() -> usize {
    with_state(|state| {
        let file = state.session.memory();
        state.set_output(file)
    })
}

/// The chip of the memory file in the input: 2040 or 2350, or 0 if the input is not a memory file.
#[unsafe(no_mangle)]
extern "C" fn chip_of_memory_file() -> u32 {
    with_state(|state| saves::decode(&state.input).map_or(0, |(chip, _)| number_of(chip)))
}

/// Loads the memory file in the input into the flash of its chip. Returns the length of an error message, or 0.
#[unsafe(no_mangle)]
extern "C" fn load_memory_file() -> usize {
    with_state(|state| {
        let result = state.session.set_memory(&std::mem::take(&mut state.input));
        state.set_result(result)
    })
}

/// Erases the memory of the current handheld.
#[unsafe(no_mangle)]
extern "C" fn erase_memory() {
    with_state(|state| state.session.erase_memory());
}

/// Reads the input as the code of a board. The output has these fields, separated by tabs: an error message, or
/// nothing; the code; its rule and size, numbered as in the menu; its lights; its par, or nothing if it has none.
#[unsafe(no_mangle)]
extern "C" fn read_code() -> usize {
    with_state(|state| {
        let text = match puzzles::read(&String::from_utf8_lossy(&state.input)) {
            Err(error) => error.to_string(),
            Ok(puzzle) => {
                let par = puzzle.par.map(|par| par.to_string()).unwrap_or_default();
                format!("\t{}\t{}\t{}\t{}\t{par}", puzzle.code, puzzle.rule, puzzle.size, puzzle.lights)
            }
        };
        state.set_output(text)
    })
}

/// Stores the code of a level in the output, or nothing if there is no such level. Returns its length.
#[unsafe(no_mangle)]
extern "C" fn level_code(level: usize) -> usize {
    with_state(|state| state.set_output(puzzles::level(level).map(|code| code.to_string()).unwrap_or_default()))
}

/// Stores the code of the puzzle of the day in the output. Returns its length.
#[unsafe(no_mangle)]
extern "C" fn daily_code(day: u32) -> usize {
    with_state(|state| state.set_output(puzzles::of_day(day).to_string()))
}
