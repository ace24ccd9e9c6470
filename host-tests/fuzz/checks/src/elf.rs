//! ELF files that a visitor opens on the page.

use emulator::{Firmware, FirmwareError};
use flash_image::{Chip, ERASED, Image, strip, uf2};

use crate::{expect_one_line, program};

/// The type of a loadable segment.
const PT_LOAD: u32 = 1;

/// The input is an ELF file. The flash of an accepted file has the content of its segments. It survives a conversion to
/// UF2, and is the same without debug information. A program that can start runs for a short time, with its log.
pub fn elf(input: &[u8]) {
    let image = Image::from_elf(input);
    let firmware = Firmware::from_elf(input);
    match &image {
        Ok(image) => check_accepted(input, image, firmware),
        Err(error) => {
            expect_one_line(&error.to_string());
            assert_eq!(firmware.err(), Some(FirmwareError::Image(*error)));
        }
    }
    if let Ok(small) = strip(input) {
        assert_eq!(Image::from_elf(&small), image, "the flash content stays the same");
        assert_eq!(strip(&small).as_ref(), Ok(&small), "stripping twice changes nothing");
    }
}

fn check_accepted(file: &[u8], image: &Image, firmware: Result<Firmware, FirmwareError>) {
    assert!(image.flash() == loaded(file, image.chip()), "the flash differs from the segments");
    if image.pages().next().is_some() {
        assert_eq!(uf2::read_for(&uf2::write(image), image.chip()).as_ref(), Ok(image));
    }
    match firmware {
        Ok(firmware) => {
            assert_eq!(image.check_start(), Ok(()));
            assert!(firmware.chip() == image.chip() && firmware.image() == image.flash());
            assert!(firmware.symbols().is_sorted_by_key(|symbol| symbol.address));
            // The log is decoded while it runs, with the table in the file.
            program::run(&firmware, program::options());
        }
        Err(FirmwareError::LogTable) => assert_eq!(image.check_start(), Ok(())),
        Err(error) => assert_eq!(image.check_start().err().map(FirmwareError::Image), Some(error)),
    }
}

/// The flash content, computed from the segments without the code under test.
fn loaded(file: &[u8], chip: Chip) -> Vec<u8> {
    let big_endian = file[5] == 2;
    let word = |at: usize| {
        let bytes = file[at..at + 4].try_into().expect("four bytes");
        if big_endian { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) }
    };
    let half = |at: usize| if big_endian { word(at) >> 16 } else { word(at) & 0xFFFF } as usize;
    let (table, sections, size) = (word(28) as usize, word(32) as usize, half(42));
    // A number of segments that does not fit into 16 bits is in the first section.
    let count = if half(44) == 0xFFFF { word(sections + 28) as usize } else { half(44) };
    let mut flash = vec![ERASED; chip.flash_size()];
    // Offset 0 means that there is no table.
    for number in (0..count).filter(|_| table != 0) {
        let at = table + number * size;
        let [kind, offset, _, address, length] = [0, 4, 8, 12, 16].map(|field| word(at + field));
        if kind == PT_LOAD && length > 0 {
            let to = (address - chip.flash().start) as usize;
            let (offset, length) = (offset as usize, length as usize);
            flash[to..to + length].copy_from_slice(&file[offset..offset + length]);
        }
    }
    flash
}
