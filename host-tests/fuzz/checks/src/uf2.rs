//! UF2 files that a visitor opens on the page.

use emulator::{Firmware, FirmwareError};
use flash_image::uf2::{self, BLOCK, Uf2Error};
use flash_image::{Chip, ERASED, Image, PAGE};

use crate::expect_one_line;

/// The input is a UF2 file. The flash of an accepted file has the content that a boot ROM programs, and the file can be
/// written again.
pub fn uf2(input: &[u8]) {
    let images = Chip::ALL.map(|chip| uf2::read_for(input, chip));
    for (chip, image) in Chip::ALL.into_iter().zip(&images) {
        match image {
            Ok(image) => check_accepted(input, chip, image),
            Err(error) => {
                expect_one_line(&error.to_string());
                assert_eq!(Firmware::from_uf2_for(input, chip).err(), Some(FirmwareError::Uf2(*error)));
            }
        }
    }
    let [older, newer] = images;
    let any = if matches!(older, Err(Uf2Error::Nothing(_))) { &newer } else { &older };
    assert_eq!(&uf2::read(input), any);
    if let (Ok(older), Ok(newer)) = (&older, &newer)
        && has_pages(older)
        && has_pages(newer)
    {
        let file = uf2::write_all(&[newer.clone(), older.clone()]);
        assert_eq!(uf2::read_for(&file, Chip::Rp2040).as_ref(), Ok(older));
        assert_eq!(uf2::read_for(&file, Chip::Rp2350).as_ref(), Ok(newer));
    }
}

fn check_accepted(file: &[u8], chip: Chip, image: &Image) {
    assert_eq!(image.chip(), chip);
    assert!(image.flash() == programmed_by_boot_rom(file, chip), "the flash differs from the blocks");
    if has_pages(image) {
        assert_eq!(uf2::read_for(&uf2::write(image), chip).as_ref(), Ok(image));
    }
    match (Firmware::from_uf2_for(file, chip), image.check_start()) {
        (Ok(firmware), Ok(())) => assert!(firmware.image() == image.flash() && !firmware.has_log()),
        (firmware, start) => assert_eq!(firmware.err(), start.err().map(FirmwareError::Image)),
    }
}

/// Whether the image has any content. An empty image has no UF2 file.
fn has_pages(image: &Image) -> bool {
    image.pages().next().is_some()
}

/// The flash content that the boot ROM of a chip programs, computed without the code under test.
fn programmed_by_boot_rom(file: &[u8], chip: Chip) -> Vec<u8> {
    let mut flash = vec![ERASED; chip.flash_size()];
    for block in file.chunks_exact(BLOCK) {
        let word = |at: usize| u32::from_le_bytes(block[at..at + 4].try_into().expect("four bytes"));
        let (flags, address, family) = (word(8), word(12), word(28));
        if flags & 1 == 0 && family == chip.family() {
            let at = (address - chip.flash().start) as usize;
            flash[at..at + PAGE].copy_from_slice(&block[32..32 + PAGE]);
        }
    }
    flash
}
