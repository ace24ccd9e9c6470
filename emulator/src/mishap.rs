//! Mishaps: what a test cannot provoke by keys, done to a firmware that knows nothing of it.
//!
//! A sound firmware never panics, faults or hangs, so its way of dealing with that could not be tried without code in it
//! that is there for the test alone. Instead the core is made to go astray between two of its instructions: it finds itself
//! in a few bytes of code that were put below its stack, or at the start of the panic function with a message to tell.
//! The rest of the firmware is as it was. A DMA controller that no longer moves anything leaves one task waiting for ever.

use crate::chip::ChipState;
use crate::firmware::Firmware;
use crate::silicon::Silicon;

/// `udf #0`, `cpsid i` and `b .`.
const UNDEFINED: u16 = 0xDE00;
const INTERRUPTS_OFF: u16 = 0xB672;
const SELF: u16 = 0xE7FE;
/// Bytes taken from below the stack.
const ROOM: u32 = 256;
/// What the panic message names as its place.
const FILE: &[u8] = b"mishap\0";

/// Something that goes wrong inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mishap<'a> {
    /// The code that is running panics, with a message (the first 100 bytes are told).
    Panic(&'a str),
    /// The code that is running meets an instruction that does not exist.
    Fault,
    /// The code that is running goes into an endless loop with interrupts off.
    Hang,
    /// The DMA moves nothing any more, until the next reset or [`Handheld::restart_dma`](crate::Handheld::restart_dma).
    DmaStops,
}

/// Lets it happen. `false`: it cannot, because the firmware has no panic function of its own, or has not copied it to
/// RAM yet.
pub(crate) fn inflict(
    mishap: Mishap<'_>,
    firmware: &Firmware,
    silicon: &mut dyn Silicon,
    chip: &mut ChipState,
) -> bool {
    let code = match mishap {
        Mishap::DmaStops => {
            chip.dma_stopped = true;
            return true;
        }
        Mishap::Fault => [UNDEFINED, SELF],
        Mishap::Hang => [INTERRUPTS_OFF, SELF],
        Mishap::Panic(_) => [SELF; 2],
    };
    let place = silicon.registers()[13].wrapping_sub(ROOM) & !7;
    let mut target = place;
    if let Mishap::Panic(message) = mishap {
        // `core::panicking::panic(message: &'static str)`, with its caller's `Location` as a hidden argument.
        let Some(function) = firmware.symbol("core::panicking::panic") else { return false };
        // The boot stage runs from flash and copies the program to RAM. It cannot panic: its code calls no function, and
        // the panic function and its constants are not in RAM before the copy ends.
        let is_boot_stage = is_in_flash(silicon.registers()[15]) && !is_in_flash(function.address);
        if is_boot_stage {
            return false;
        }
        target = function.address;
        let message = &message.as_bytes()[..message.floor_char_boundary(100)];
        let [text, file] = [place + 32, place + 160];
        let location = [file, FILE.len() as u32 - 1, 1, 1].map(u32::to_le_bytes);
        silicon.plant(text, message);
        silicon.plant(file, FILE);
        silicon.plant(place + 8, location.as_flattened());
        silicon.registers()[..3].copy_from_slice(&[text, message.len() as u32, place + 8]);
    }
    silicon.plant(place, code.map(u16::to_le_bytes).as_flattened());
    silicon.registers()[13..].copy_from_slice(&[place, place | 1, target]);
    silicon.rouse();
    true
}

/// Whether an address of code is in flash, on both chips; otherwise it is in RAM.
fn is_in_flash(address: u32) -> bool {
    address >> 28 == 1
}
