//! Fault injection: panics, faults and hangs in a firmware that contains no test code.
//!
//! A correct firmware never panics, faults or hangs, so its handling of these cases cannot be tested through keys. The
//! emulator changes the program counter between two instructions instead. The core continues in a few bytes of code
//! that were written below its stack, or at the start of the panic function with a message as its argument. Nothing
//! else in the firmware changes. Another fault stops the DMA controller, so that one task never continues.

use crate::chip::ChipState;
use crate::chip_interface::ChipModel;
use crate::firmware::Firmware;

/// `udf #0`: an undefined instruction.
const UNDEFINED: u16 = 0xDE00;
/// `cpsid i`: disables interrupts.
const INTERRUPTS_OFF: u16 = 0xB672;
/// `b .`: an endless loop.
const SELF: u16 = 0xE7FE;
/// Bytes below the stack that are used for code and arguments.
const ROOM: u32 = 256;
/// The source file that the panic message names.
const FILE: &[u8] = b"injected\0";

/// A fault that a test injects into the running firmware.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InjectedFault<'a> {
    /// The running code panics with this message (its first 100 bytes).
    Panic(&'a str),
    /// The running code executes an undefined instruction.
    Fault,
    /// The running code enters an endless loop with interrupts disabled.
    Hang,
    /// The DMA transfers nothing until the next reset or [`Handheld::resume_dma`](crate::Handheld::resume_dma).
    DmaStall,
}

/// Injects the fault. `false`: a panic is not possible, because the firmware has no panic function or has not copied it
/// to RAM yet.
pub(crate) fn inject_fault(
    fault: InjectedFault<'_>,
    firmware: &Firmware,
    chip_model: &mut dyn ChipModel,
    chip: &mut ChipState,
) -> bool {
    let code = match fault {
        InjectedFault::DmaStall => {
            chip.dma_stopped = true;
            return true;
        }
        InjectedFault::Fault => [UNDEFINED, SELF],
        InjectedFault::Hang => [INTERRUPTS_OFF, SELF],
        InjectedFault::Panic(_) => [SELF; 2],
    };
    let place = chip_model.registers()[13].wrapping_sub(ROOM) & !7;
    let mut target = place;
    if let InjectedFault::Panic(message) = fault {
        // `core::panicking::panic(message: &'static str)`, with the caller's `Location` as a hidden argument.
        let Some(function) = firmware.symbol("core::panicking::panic") else { return false };
        // The boot stage runs from flash and copies the program to RAM. It cannot panic: its code calls no function,
        // and the panic function and its constants are not in RAM before the copy ends.
        let is_boot_stage = is_in_flash(chip_model.registers()[15]) && !is_in_flash(function.address);
        if is_boot_stage {
            return false;
        }
        target = function.address;
        let message = &message.as_bytes()[..message.floor_char_boundary(100)];
        let [text, file] = [place + 32, place + 160];
        let location = [file, FILE.len() as u32 - 1, 1, 1].map(u32::to_le_bytes);
        chip_model.write_ram(text, message);
        chip_model.write_ram(file, FILE);
        chip_model.write_ram(place + 8, location.as_flattened());
        chip_model.registers()[..3].copy_from_slice(&[text, message.len() as u32, place + 8]);
    }
    chip_model.write_ram(place, code.map(u16::to_le_bytes).as_flattened());
    chip_model.registers()[13..].copy_from_slice(&[place, place | 1, target]);
    chip_model.end_sleep();
    true
}

/// Whether the code at an address is in flash. Otherwise it is in RAM. The same on both chips.
fn is_in_flash(address: u32) -> bool {
    address >> 28 == 1
}
