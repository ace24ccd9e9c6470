//! A small program for either chip, with all that its boot ROM asks for.

use flash_image::{Chip, Image, elf, uf2};

/// Where the program begins, from the start of flash: behind the vectors and the IMAGE_DEF of either chip.
const CODE: usize = 0x200;
/// Where the IMAGE_DEF of an RP2350 is.
const IMAGE_DEF_AT: usize = 0x180;
/// A program for secure ARM, in a ring of one block.
const IMAGE_DEF: [u32; 5] = [0xFFFF_DED3, 0x1021_0142, 0x0000_01FF, 0, 0xAB12_3579];
/// Stack and reset, and the handlers of all exceptions and interrupts.
const VECTORS: usize = 16 + 52;

/// The UF2 file of a program. Reset leads to its first byte, every other exception to the byte at `handler`.
pub(crate) fn uf2_of(chip: Chip, program: &[u8], handler: usize) -> Vec<u8> {
    let start = chip.flash().start;
    let mut flash = vec![0; CODE];
    put(&mut flash, chip.vectors(), &[0x2004_0000, (start + CODE as u32) | 1]);
    let room = if chip == Chip::Rp2350 { VECTORS } else { 16 + 26 };
    put(&mut flash, chip.vectors() + 8, &vec![(start + (CODE + handler) as u32) | 1; room - 2]);
    if chip == Chip::Rp2350 {
        put(&mut flash, IMAGE_DEF_AT, &IMAGE_DEF);
    }
    flash.extend(program);
    let elf = elf::of_segments(&[(start, &flash)]).expect("a small file");
    uf2::write(&Image::from_elf(&elf).expect("it lies in flash"))
}

/// Writes words at a place.
fn put(bytes: &mut [u8], at: usize, words: &[u32]) {
    for (place, word) in bytes[at..].chunks_exact_mut(4).zip(words) {
        place.copy_from_slice(&word.to_le_bytes());
    }
}
