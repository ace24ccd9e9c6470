//! Files that a visitor opens on the page: firmware, and memory files of a handheld.

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
/// A firmware for each chip that only loops: `b .`
static IDLE_FIRMWARE: LazyLock<[Vec<u8>; 2]> = LazyLock::new(|| Chip::ALL.map(|chip| uf2_of(chip, &[0xFE, 0xE7], 0)));

/// The input is a file that is opened on the page: once unchanged, and once with the correct checksum of a memory file,
/// which mutations would almost never have. An accepted memory file is in the flash and can be exported again. A
/// refused file changes nothing.
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
    check_memory_file(input);
    if let Some((content, _)) = input.split_last_chunk::<4>() {
        check_memory_file(&[content, &CRC32.checksum(content).to_le_bytes()].concat());
    }
}

fn check_memory_file(file: &[u8]) {
    let decoded = saves::decode(file);
    let chip = decoded.as_ref().map_or(Chip::Rp2040, |(chip, _)| *chip);
    let mut session = Session::default();
    session.add_own_firmware(&IDLE_FIRMWARE[chip as usize]).expect("a firmware");
    assert!(session.load_own(chip));
    let fresh = session.memory();
    let taken = session.set_memory(file);
    let (chip, image) = match decoded {
        Ok(decoded) => decoded,
        Err(error) => {
            expect_one_line(&error.to_string());
            assert_eq!(taken, Err(error));
            assert_eq!(session.memory(), fresh, "a refused file changes nothing");
            return;
        }
    };
    assert_eq!(taken, Ok(()));
    assert_eq!(image.len(), chip.flash_size());
    let erased = vec![ERASED; chip.flash_size()];
    assert!(saves::decode(&saves::encode(chip, &image, &erased)) == Ok((chip, image.clone())), "an exported file");

    // An exported file can be opened again and is exported unchanged, with the power off or on.
    let kept = session.memory();
    assert!(kept.starts_with(saves::magic(chip)));
    assert_eq!(session.set_memory(&kept), Ok(()));
    assert!(session.memory() == kept, "an exported file is opened again");
    session.power_on(1);
    session.run(Duration::from_millis(10));
    let running = session.memory();
    session.power_off();
    assert!(session.memory() == running, "switching off changes nothing");
    let (_, after) = saves::decode(&running).expect("an exported file");
    // The firmware is in the first sector.
    assert!(after[flash_image::SECTOR..] == image[flash_image::SECTOR..], "this firmware writes nothing");
}
