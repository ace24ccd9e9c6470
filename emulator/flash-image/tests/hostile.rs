//! Hostile files: each is refused or read, in a time proportional to its length.

use flash_image::uf2::{self, BLOCK};
use flash_image::{Chip, Image, ImageError, elf};

const BASE: u32 = 0x1000_0000;

/// An ELF file with `count` segments of one byte at every other address, the highest first, and one more at `last`. The
/// file header has no room for this number of segments, so it is in the first section header.
fn with_many_segments(count: u32, last: u32) -> Vec<u8> {
    let mut file = elf::of_segments(&[(BASE, &[0])]).expect("an ELF file");
    let table = file.len() as u32;
    let sections = u32::from_le_bytes(file[32..36].try_into().expect("four bytes")) as usize;
    file[28..32].copy_from_slice(&table.to_le_bytes());
    file[44..46].copy_from_slice(&u16::MAX.to_le_bytes());
    file[sections + 28..][..4].copy_from_slice(&(count + 1).to_le_bytes());
    let addresses = (0..count).rev().map(|index| BASE + 2 * index).chain([last]);
    for address in addresses {
        // A load segment of the file's first byte: type, offset, address twice, size twice, flags, alignment.
        file.extend([1, 0, address, address, 1, 1, 5, 1].map(u32::to_le_bytes).as_flattened());
    }
    file
}

#[test]
fn half_a_million_segments_are_read_quickly() {
    const COUNT: u32 = 500_000;
    let image = Image::from_elf(&with_many_segments(COUNT, BASE + 1)).expect("an image");
    assert_eq!(image.flash()[..4], [0x7F, 0x7F, 0x7F, 0xFF]);
    for last in [BASE, BASE + COUNT, BASE + 2 * (COUNT - 1)] {
        assert_eq!(Image::from_elf(&with_many_segments(COUNT, last)).err(), Some(ImageError::Overlap(last)));
    }
}

#[test]
fn more_segments_than_a_header_can_count_are_refused() {
    let segments = vec![(BASE, [0].as_slice()); 0xFFFF];
    assert!(elf::of_segments(&segments[1..]).is_ok());
    assert_eq!(elf::of_segments(&segments), Err(elf::FileTooLarge));
    assert_eq!(flash_image::strip(&with_many_segments(100_000, BASE)), Err(ImageError::NotArmElf));
}

#[test]
fn overlap_is_found_in_any_order_of_segments() {
    let of = |segments: &[(u32, &[u8])]| Image::from_elf(&elf::of_segments(segments).expect("an ELF file")).err();
    let (long, short): (&[u8], &[u8]) = (&[1; 100], &[2; 10]);
    assert_eq!(of(&[(BASE, long), (BASE + 50, short)]), Some(ImageError::Overlap(BASE + 50)));
    assert_eq!(of(&[(BASE + 50, short), (BASE, long)]), Some(ImageError::Overlap(BASE + 50)));
    assert_eq!(of(&[(BASE + 95, short), (BASE, long)]), Some(ImageError::Overlap(BASE + 95)));
    assert_eq!(of(&[(BASE, long), (BASE, long)]), Some(ImageError::Overlap(BASE)));
    assert_eq!(of(&[(BASE, long), (BASE + 100, short), (BASE + 200, long)]), None);
    assert_eq!(of(&[(0xFFFF_FFF0, long)]), Some(ImageError::OutsideFlash(0xFFFF_FFF0)));
}

#[test]
fn any_number_in_a_uf2_header_is_read_without_panic() {
    let image = Image::from_elf(&elf::of_segments(&[(BASE, &[7; 5000])]).expect("an ELF file")).expect("an image");
    let good = uf2::write(&image);
    for at in (8..32).step_by(4) {
        for value in [0, 1, 0xFF, 0x2000_0000, 0x7FFF_FFFF, 0xFFFF_FF00, u32::MAX] {
            let mut file = good.clone();
            file[BLOCK + at..][..4].copy_from_slice(&value.to_le_bytes());
            for chip in Chip::ALL {
                let _ = uf2::read_for(&file, chip);
            }
        }
    }
}
