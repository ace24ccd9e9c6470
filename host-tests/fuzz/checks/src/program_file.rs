//! A small program for either chip, with everything that the boot ROM needs.

use flash_image::{Chip, Image, elf, uf2};

/// The offset of the program in flash: after the vectors and the IMAGE_DEF of both chips.
const CODE: usize = 0x200;
/// The offset of the IMAGE_DEF of an RP2350.
const IMAGE_DEF_AT: usize = 0x180;
/// The IMAGE_DEF of a program for secure ARM, in a block loop of one block.
const IMAGE_DEF: [u32; 5] = [0xFFFF_DED3, 0x1021_0142, 0x0000_01FF, 0, 0xAB12_3579];
/// The number of vectors of an RP2350: stack, reset, and the handlers of all exceptions and interrupts.
const VECTORS: usize = 16 + 52;

/// The UF2 file of a program. The reset vector points to its first byte, every other vector to the byte at `handler`.
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
    uf2::write(&Image::from_elf(&elf).expect("a program in flash"))
}

/// Writes words at an offset.
fn put(bytes: &mut [u8], at: usize, words: &[u32]) {
    for (target, word) in bytes[at..].chunks_exact_mut(4).zip(words) {
        target.copy_from_slice(&word.to_le_bytes());
    }
}
