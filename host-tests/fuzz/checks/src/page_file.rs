//! Files that a visitor opens on the page: firmware, and memories of a handheld.

use std::sync::LazyLock;
use std::time::Duration;

use crc::{CRC_32_ISO_HDLC, Crc};
use flash_image::{Chip, ERASED};
use web::file::{self, FileError};
use web::saves;
use web::session::Session;

use crate::expect_one_line;
use crate::program_file::uf2_of;

const CRC32: Crc<u32> = Crc::<u32>::new(&CRC_32_ISO_HDLC);
/// A firmware for each chip that does nothing: `b .`
static NOTHING: LazyLock<[Vec<u8>; 2]> = LazyLock::new(|| Chip::ALL.map(|chip| uf2_of(chip, &[0xFE, 0xE7], 0)));

/// The input is a file that is opened on the page, once as it is and once with the checksum that a memory would have: no mutation gets
/// past that otherwise. A memory that is accepted is in the flash, and comes back from there; one that is refused changes nothing.
pub fn page_file(input: &[u8]) {
    for chosen in Chip::ALL {
        match file::read(input, chosen) {
            Ok(firmware) => assert!(firmware.image().len() == firmware.chip().flash_size()),
            Err(error) => {
                expect_one_line(&error.to_string());
                let is_firmware = input.starts_with(b"\x7FELF") || input.starts_with(b"UF2\nWQ]\x9E");
                assert_eq!(error == FileError::OtherFile, !is_firmware);
            }
        }
    }
    memory(input);
    if let Some((content, _)) = input.split_last_chunk::<4>() {
        memory(&[content, &CRC32.checksum(content).to_le_bytes()].concat());
    }
}

fn memory(file: &[u8]) {
    let decoded = saves::decode(file);
    let chip = decoded.as_ref().map_or(Chip::Rp2040, |(chip, _)| *chip);
    let mut session = Session::default();
    session.learn(&NOTHING[chip as usize]).expect("a firmware");
    assert!(session.load_own(chip));
    let fresh = session.memory();
    let taken = session.set_memory(file);
    let (chip, image) = match decoded {
        Ok(decoded) => decoded,
        Err(error) => {
            expect_one_line(&error.to_string());
            assert_eq!(taken, Err(error));
            assert_eq!(session.memory(), fresh, "a broken file changes nothing");
            return;
        }
    };
    assert_eq!(taken, Ok(()));
    assert_eq!(image.len(), chip.flash_size());
    let erased = vec![ERASED; chip.flash_size()];
    assert!(saves::decode(&saves::encode(chip, &image, &erased)) == Ok((chip, image.clone())), "its own file");

    // What the session keeps is opened again and kept as it is, off or on.
    let kept = session.memory();
    assert!(kept.starts_with(saves::magic(chip)));
    assert_eq!(session.set_memory(&kept), Ok(()));
    assert!(session.memory() == kept, "opened again");
    session.power_on(1);
    session.run(Duration::from_millis(10));
    let running = session.memory();
    session.power_off();
    assert!(session.memory() == running, "off is as it was when it ran");
    let (_, after) = saves::decode(&running).expect("its own file");
    // The firmware has been programmed over the first sector.
    assert!(after[flash_image::SECTOR..] == image[flash_image::SECTOR..], "a firmware that writes nothing");
}
