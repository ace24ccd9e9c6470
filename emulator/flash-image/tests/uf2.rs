//! UF2 files: each block is compared with the specification, and the file is booted. `chips.rs` tests files for two
//! chips.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::time::Duration;

use emulator::{Firmware, Handheld, Options};
use flash_image::uf2::{self, Uf2Error};
use flash_image::{Chip, Image, ImageError, elf};

const BASE: u32 = 0x1000_0000;
const FLASH_SIZE: usize = 2 * 1024 * 1024;
const END: u32 = BASE + FLASH_SIZE as u32;

fn firmware_elf() -> Vec<u8> {
    let path = env::var_os("LIGHTS_OUT_ELF").expect("LIGHTS_OUT_ELF is not set: run `cargo host-tests`");
    fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn firmware_uf2() -> Vec<u8> {
    uf2::write(&Image::from_elf(&firmware_elf()).expect("a firmware"))
}

fn image(segments: &[(u32, &[u8])]) -> Result<Image, ImageError> {
    Image::from_elf(&elf::of_segments(segments).expect("an ELF file"))
}

/// Whether a file is exactly what `uf2::write` writes: it is read and written again.
fn is_ours(file: &[u8]) -> bool {
    uf2::read(file).is_ok_and(|image| uf2::write(&image) == file)
}

/// The content of an erased flash after a file was written to it, without use of the code under test.
fn flash_of(file: &[u8]) -> Vec<u8> {
    let mut flash = vec![0xFF; FLASH_SIZE];
    for block in file.chunks(512) {
        let address = u32::from_le_bytes(block[12..16].try_into().expect("four bytes"));
        let offset = (address - BASE) as usize;
        flash[offset..offset + 256].copy_from_slice(&block[32..288]);
    }
    flash
}

#[test]
fn blocks_agree_with_specification_and_boot_rom() {
    let file = firmware_uf2();
    assert_eq!(file.len() % 512, 0);
    let count = (file.len() / 512) as u32;
    let mut last = None;
    for (number, block) in file.chunks(512).enumerate() {
        let word = |at: usize| u32::from_le_bytes(block[at..at + 4].try_into().expect("four bytes"));
        assert_eq!(&block[..4], b"UF2\n", "first magic number of block {number}");
        assert_eq!(word(4), 0x9E5D_5157, "second magic number of block {number}");
        assert_eq!(word(8), 0x2000, "flags of block {number}: only the family ID is present");
        assert_eq!(word(16), 256, "payload of block {number}");
        assert_eq!(word(20), number as u32);
        assert_eq!(word(24), count);
        assert_eq!(word(28), 0xE48B_FF56, "family of block {number}: RP2040");
        assert_eq!(block[288..508], [0; 220], "padding of block {number}");
        assert_eq!(word(508), 0x0AB1_6F30, "last magic number of block {number}");
        let address = word(12);
        assert_eq!(address % 256, 0, "block {number} is page-aligned");
        assert!((BASE..BASE + FLASH_SIZE as u32).contains(&address), "block {number} is in flash");
        assert!(last.is_none_or(|last| last < address), "each page once, the lowest first");
        last = Some(address);
    }
    // Whole sectors, because of the erratum RP2040-E14.
    let mut pages = BTreeMap::<u32, u32>::new();
    file.chunks(512).for_each(|block| {
        *pages.entry(u32::from_le_bytes(block[12..16].try_into().expect("four")) / 4096).or_default() += 1
    });
    assert!(pages.values().all(|&pages| pages == 16));
}

#[test]
fn file_contains_the_firmware_and_keeps_the_saves() {
    let file = firmware_uf2();
    let image = Image::from_elf(&firmware_elf()).expect("a firmware");
    assert!(flash_of(&file) == image.flash(), "the flash after the drag differs from the ELF file");
    assert_eq!(uf2::read(&file), Ok(image.clone()));
    assert_eq!(image.check_start(), Ok(()));
    let saves = END - 64 * 1024;
    assert!(image.pages().all(|(page, _)| page < saves), "an update would erase the saves");
}

#[test]
fn uf2_file_boots_like_the_elf_file() {
    let from_uf2 = Firmware::from_uf2(&firmware_uf2()).expect("a good file");
    let from_elf = Firmware::from_elf(&firmware_elf()).expect("a firmware");
    let [mut dragged, mut probed] =
        [from_uf2, from_elf].map(|firmware| Handheld::power_on(&firmware, Options::default()));
    for handheld in [&mut dragged, &mut probed] {
        handheld.run_for(Duration::from_secs(2));
        assert!(handheld.stop_reason().is_none() && handheld.resets().is_empty());
        assert_eq!(handheld.wire_faults(), []);
    }
    assert!(dragged.frames() > 0);
    assert_eq!(dragged.frame().map(|frame| frame.lit()), probed.frame().map(|frame| frame.lit()));
}

#[test]
fn corrupted_block_is_detected() {
    let file = uf2::write(&image(&[(BASE, &[7; 5000])]).expect("an image"));
    assert!(is_ours(&file));
    for block in [0, 512 * 17, file.len() - 512] {
        for at in (0..32).chain(288..512) {
            for bit in 0..8 {
                let mut file = file.clone();
                file[block + at] ^= 1 << bit;
                assert!(!is_ours(&file), "byte {at} of the block at {block}, bit {bit}");
            }
        }
    }
    let expected = uf2::read(&file);
    for at in [32, 100, 287] {
        let mut file = file.clone();
        file[512 + at] ^= 0x10;
        assert_ne!(uf2::read(&file), expected, "the format has no checksum, but the content differs");
    }
}

#[test]
fn each_error_of_a_file_is_reported() {
    let good = uf2::write(&image(&[(BASE, &[7; 5000])]).expect("an image"));
    assert_eq!(good.len(), 32 * 512);
    assert!(uf2::is_uf2(&good) && !uf2::is_uf2(b"\x7fELF") && !uf2::is_uf2(&[]));
    let with = |at: usize, value: u32| {
        let mut file = good.clone();
        file[at..at + 4].copy_from_slice(&value.to_le_bytes());
        uf2::read(&file).unwrap_err()
    };
    let second = 512;
    assert_eq!(with(second, 0), Uf2Error::Magic(1));
    assert_eq!(with(second + 508, 0), Uf2Error::Magic(1));
    assert_eq!(with(second + 28, 0xE48B_FF57), Uf2Error::Family(1, 0xE48B_FF57));
    assert_eq!(with(second + 28, 0xE48B_FF59), Uf2Error::Count(2), "a block of the other chip leaves a gap");
    assert_eq!(with(second + 8, 0), Uf2Error::NoFamily(1));
    assert_eq!(with(second + 16, 476), Uf2Error::Payload(1, 476));
    assert_eq!(with(second + 12, BASE + 1), Uf2Error::Unaligned(1, BASE + 1));
    assert_eq!(with(second + 12, 0x2000_0000), Uf2Error::OutsideFlash(1, 0x2000_0000));
    assert_eq!(with(second + 12, END), Uf2Error::OutsideFlash(1, END));
    assert_eq!(with(second + 12, BASE - 256), Uf2Error::OutsideFlash(1, BASE - 256));
    assert_eq!(with(second + 12, BASE), Uf2Error::Repeated(1, BASE));
    assert_eq!(with(second + 20, 2), Uf2Error::Count(1));
    assert_eq!(with(second + 24, 31), Uf2Error::Count(1));
    assert_eq!(uf2::read(&good[..511]), Err(Uf2Error::Length(511)));
    assert_eq!(uf2::read(&[]), Err(Uf2Error::Length(0)));
    assert_eq!(uf2::read(&good[..512]), Err(Uf2Error::Count(1)), "the rest is missing");
    assert_eq!(uf2::read_for(&good, Chip::Rp2350), Err(Uf2Error::Nothing(Chip::Rp2350)));
}

#[test]
fn files_of_other_tools_are_read_like_a_pico_does() {
    let good = uf2::write(&image(&[(BASE, &[7; 300])]).expect("an image"));
    // A block that is not for flash is skipped. A sector may be incomplete.
    let mut file = good[..2 * 512].to_vec();
    for block in file.chunks_mut(512) {
        block[24..28].copy_from_slice(&2u32.to_le_bytes());
    }
    let image = uf2::read(&file).expect("a good file");
    assert_eq!(image.flash()[..300], [7; 300]);
    file[512 + 8] = 1;
    let image = uf2::read(&file).expect("a good file");
    assert_eq!(image.flash()[..256], [7; 256]);
    assert_eq!(image.flash()[256..], [0xFF; FLASH_SIZE - 256]);
}

#[test]
fn segments_may_begin_and_end_at_any_address() {
    // Two segments in one page, and one segment two sectors later.
    let image = image(&[(BASE + 0x2F0, &[3; 8]), (BASE, &[1; 0x2F0]), (BASE + 0x20FE, &[4; 4])]).expect("an image");
    let flash = flash_of(&uf2::write(&image));
    assert_eq!(flash, image.flash());
    assert_eq!(flash[..0x2F0], [1; 0x2F0]);
    assert_eq!(flash[0x2F0..0x2F8], [3; 8]);
    assert!(flash[0x2F8..0x20FE].iter().all(|&byte| byte == 0xFF));
    assert_eq!(flash[0x20FE..0x2102], [4; 4]);
    assert_eq!(image.pages().count(), 32, "two sectors; the sector between them is not used");
}

#[test]
fn file_that_is_not_a_firmware_is_refused() {
    assert_eq!(Image::from_elf(b"MZ"), Err(ImageError::NotArmElf));
    assert_eq!(Image::from_elf(&[0x7F; 4096]), Err(ImageError::NotArmElf));
    let mut other_machine = elf::of_segments(&[(BASE, &[1])]).expect("an ELF file");
    other_machine[18] = 62;
    assert_eq!(Image::from_elf(&other_machine), Err(ImageError::NotArmElf));
    assert_eq!(image(&[(BASE, &[1; 300]), (BASE + 299, &[2; 4])]), Err(ImageError::Overlap(BASE + 299)));
    for outside in [0x2000_0000, END - 2, BASE - 1, 0xFFFF_FFFE] {
        assert_eq!(image(&[(outside, &[1; 4])]), Err(ImageError::OutsideFlash(outside)));
    }
    let cut = elf::of_segments(&[(BASE, &[1; 64])]).expect("an ELF file");
    assert_eq!(Image::from_elf(&cut[..cut.len() - 1]), Err(ImageError::NotArmElf));
}

#[test]
fn image_without_valid_vectors_cannot_start() {
    let vectors = |stack: u32, reset: u32| [stack.to_le_bytes(), reset.to_le_bytes()].concat();
    let check = |at: u32, bytes: &[u8]| image(&[(BASE + at, bytes)]).and_then(|image| image.check_start());
    assert_eq!(check(0x100, &vectors(0x2004_0000, BASE + 0x121)), Ok(()));
    assert_eq!(check(0x104, &vectors(0x2004_0000, BASE + 0x121)), Err(ImageError::NoVectors(Chip::Rp2040)));
    assert_eq!(
        check(0x100, &vectors(0x2004_0000, BASE + 0x120)),
        Err(ImageError::NoVectors(Chip::Rp2040)),
        "no Thumb bit"
    );
    assert_eq!(check(0x100, &vectors(0x2004_0000, 0x2000_0001)), Err(ImageError::NoVectors(Chip::Rp2040)));
    assert_eq!(Image::new(Chip::Rp2040).check_start(), Err(ImageError::NoVectors(Chip::Rp2040)));
}
