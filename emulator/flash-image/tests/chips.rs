//! Two chips: detection of a file's chip, the conditions of each boot ROM, and one UF2 file for both.

use std::collections::BTreeSet;
use std::{env, fs};

use flash_image::uf2::{self, Uf2Error};
use flash_image::{Chip, Image, ImageError, SECTOR, elf};

const BASE: u32 = 0x1000_0000;
/// An IMAGE_DEF as embassy-rp and the pico-sdk write it: first marker, IMAGE_TYPE (a program for secure ARM on the
/// RP2350), last item, distance 0 (a ring of one block), last marker.
const IMAGE_DEF: [u32; 5] = [0xFFFF_DED3, 0x1021_0142, 0x0000_01FF, 0, 0xAB12_3579];
/// The offset of the IMAGE_DEF in the tests: after the vectors.
const BLOCK_OFFSET: usize = 0x110;

/// A program of `size` bytes with a vector table and a block at these offsets.
fn program(size: usize, vectors: usize, block: Option<(usize, &[u32])>) -> Vec<u8> {
    let mut bytes = vec![0; size];
    let mut put = |at: usize, words: &[u32]| {
        words.iter().enumerate().for_each(|(n, word)| bytes[at + 4 * n..][..4].copy_from_slice(&word.to_le_bytes()));
    };
    put(vectors, &[0x2004_0000, BASE + 0x201]);
    if let Some((at, words)) = block {
        put(at, words);
    }
    bytes
}

/// The firmware whose path is in this environment variable.
fn firmware(variable: &str) -> Image {
    let path = env::var_os(variable).unwrap_or_else(|| panic!("{variable} is not set: run `cargo host-tests`"));
    let elf = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    Image::from_elf(&elf).expect("a firmware")
}

fn image(bytes: &[u8]) -> Image {
    Image::from_elf(&elf::of_segments(&[(BASE, bytes)]).expect("an ELF file")).expect("an image")
}

fn rp2040() -> Image {
    image(&program(9000, 0x100, None))
}

fn rp2350() -> Image {
    image(&program(5000, 0, Some((BLOCK_OFFSET, &IMAGE_DEF))))
}

#[test]
fn image_def_decides_which_chip_an_image_is_for() {
    for (image, chip, size) in [(rp2040(), Chip::Rp2040, 2 << 20), (rp2350(), Chip::Rp2350, 4 << 20)] {
        assert_eq!(image.chip(), chip);
        assert_eq!(image.flash().len(), size);
        assert_eq!(image.check_start(), Ok(()), "{chip}");
    }
    let wrong_vectors = image(&program(5000, 0x100, Some((0x40, &IMAGE_DEF))));
    assert_eq!(wrong_vectors.check_start(), Err(ImageError::NoVectors(Chip::Rp2350)));
}

#[test]
fn firmware_starts_on_its_chip_and_keeps_the_saves() {
    let images = [firmware("LIGHTS_OUT_ELF"), firmware("LIGHTS_OUT_PICO2_ELF")];
    assert_eq!(images.each_ref().map(Image::chip), Chip::ALL);
    let file = uf2::write_all(&images);
    for image in images {
        assert_eq!(image.check_start(), Ok(()), "{}", image.chip());
        let saves = image.chip().flash().end - (1 << 20);
        assert!(image.pages().all(|(page, _)| page < saves), "an update would erase the saves");
        assert_eq!(uf2::read_for(&file, image.chip()), Ok(image));
    }
}

#[test]
fn image_def_is_searched_like_the_boot_rom_does() {
    let chip = |at: usize, words: &[u32]| image(&program(9000, 0, Some((at, words)))).chip();
    let with = |at: usize, word: u32| {
        let mut words = IMAGE_DEF;
        words[at] = word;
        chip(BLOCK_OFFSET, &words)
    };
    assert_eq!(chip(4096 - 4, &IMAGE_DEF), Chip::Rp2350, "it may begin with the last word of the first 4 KB");
    assert_eq!(chip(4096, &IMAGE_DEF), Chip::Rp2040);
    assert_eq!(chip(BLOCK_OFFSET + 2, &IMAGE_DEF), Chip::Rp2040, "a block is word-aligned");
    for (at, word) in [
        (0, 0xFFFF_DED2),
        (1, 0x1121_0142),
        (1, 0x0021_0142),
        (1, 0x1011_0142),
        (1, 0x1022_0142),
        (1, 0x9021_0142),
        (1, 0x1021_0143),
        (1, 0x1021_0242),
        (2, 0x0000_02FF),
        (3, 4),
        (4, 0xAB12_3578),
    ] {
        assert_eq!(with(at, word), Chip::Rp2040, "word {at} as {word:#010x}");
    }
    // Like the pico-sdk: a second block at the end of the program, which points back to the first.
    let ring = |back: i32| {
        let mut bytes =
            program(9000, 0, Some((BLOCK_OFFSET, &[0xFFFF_DED3, 0x1021_0142, 0x0000_01FF, 8000, 0xAB12_3579])));
        let second = [0xFFFF_DED3, 0x0000_01FE, 0x0000_01FF, back as u32, 0xAB12_3579_u32];
        bytes[BLOCK_OFFSET + 8000..][..20].copy_from_slice(second.map(u32::to_le_bytes).as_flattened());
        image(&bytes).chip()
    };
    assert_eq!(ring(-8000), Chip::Rp2350);
    assert_eq!(ring(0), Chip::Rp2040, "the ring is not closed");
    assert_eq!(ring(-8004), Chip::Rp2040);
    assert_eq!(ring(i32::MIN), Chip::Rp2040);
}

#[test]
fn only_rp2350_has_more_than_2_mb_of_flash() {
    let above = (BASE + (2 << 20), [7; 16].as_slice());
    let of = |first: &[u8]| Image::from_elf(&elf::of_segments(&[(BASE, first), above]).expect("an ELF file"));
    assert_eq!(of(&program(5000, 0x100, None)), Err(ImageError::OutsideFlash(above.0)));
    assert_eq!(of(&program(5000, 0, Some((BLOCK_OFFSET, &IMAGE_DEF)))).map(|image| image.chip()), Ok(Chip::Rp2350));
}

#[test]
fn each_chip_takes_its_own_blocks_of_a_common_file() {
    let (older, newer) = (rp2040(), rp2350());
    let file = uf2::write_all(&[newer.clone(), older.clone()]);
    assert_eq!(
        file,
        [uf2::write(&older), uf2::write(&newer)].concat(),
        "the older chip is first, and each chip has its own block numbers"
    );
    assert_eq!(uf2::read_for(&file, Chip::Rp2040).as_ref(), Ok(&older));
    assert_eq!(uf2::read_for(&file, Chip::Rp2350).as_ref(), Ok(&newer));
    assert_eq!(uf2::read(&file).as_ref(), Ok(&older));
    // The blocks of the two families may be mixed, if the blocks of each family are in order.
    let (blocks, _) = file.as_chunks::<512>();
    let (first, second) = blocks.split_at(48);
    let mixed: Vec<u8> = first.chunks(3).zip(second.chunks(2)).flat_map(|(a, b)| [b, a].concat().concat()).collect();
    assert_eq!(mixed.len(), file.len());
    assert_eq!(uf2::read_for(&mixed, Chip::Rp2040), Ok(older));
    assert_eq!(uf2::read_for(&mixed, Chip::Rp2350), Ok(newer));
}

/// The flash after a file was dragged onto a board, or `None` if the boot ROM does not restart.
///
/// This follows the source code of both boot ROMs. A boot ROM takes a block of its own family with one page of flash.
/// It starts again when the number of blocks changes, and it restarts when it has received each block number.
fn flash_after_drag(file: &[u8], family: u32) -> Option<Vec<u8>> {
    let (mut flash, mut total, mut seen) = (vec![0xFF; 4 << 20], 0, BTreeSet::new());
    let mut restarts = false;
    for block in file.chunks(512) {
        let word = |at: usize| u32::from_le_bytes(block[at..at + 4].try_into().expect("four bytes"));
        if (word(8), word(16), word(28)) != (0x2000, 256, family) {
            continue;
        }
        assert!(!restarts, "a block after the restart");
        if word(24) != total {
            total = word(24);
            seen.clear();
        }
        assert!(word(20) < total);
        if seen.insert(word(20)) {
            let at = (word(12) - BASE) as usize;
            // The boot ROM of the RP2040 counts sectors by block numbers.
            if word(20) % 16 == 0 {
                assert_eq!(at % SECTOR, 0);
            }
            flash[at..at + 256].copy_from_slice(&block[32..288]);
        }
        restarts = seen.len() == total as usize;
    }
    restarts.then_some(flash)
}

#[test]
fn both_boot_roms_program_the_image_and_restart() {
    let file = uf2::write_all(&[rp2040(), rp2350()]);
    for image in [rp2040(), rp2350()] {
        let flash = flash_after_drag(&file, image.chip().family()).expect("a restart");
        assert!(flash[..image.flash().len()] == *image.flash(), "{}", image.chip());
    }
    assert_eq!(flash_after_drag(&file, 0xE48B_FF57), None);
}

#[test]
fn file_for_one_chip_is_refused_for_the_other() {
    let newer = rp2350();
    let file = uf2::write(&newer);
    assert_eq!(uf2::read(&file), Ok(newer), "the only chip of the file");
    assert_eq!(uf2::read_for(&file, Chip::Rp2040), Err(Uf2Error::Nothing(Chip::Rp2040)));
}
