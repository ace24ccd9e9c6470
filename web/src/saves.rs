//! The memory file: the content of the flash without the firmware.
//!
//! It holds only the sectors that differ from a freshly programmed chip, each without the erased bytes at its end: a
//! few kilobytes instead of two or four megabytes. All numbers are little endian:
//!
//! | bytes      | content                                                                        |
//! | ---------- | ------------------------------------------------------------------------------ |
//! | 16         | [`magic`], which depends on the chip                                           |
//! | 2          | number of sectors                                                              |
//! | per sector | sector number (2), length (2, 0 to 4096), the bytes; the rest is erased        |
//! | 4          | CRC-32 of everything before it                                                 |
//!
//! Any bytes can be read: the result is a chip and its image, or an error. The firmware saves at the end of the flash,
//! whose address differs between the chips. So a file is for one chip only, and names it.

use core::fmt;

use crc::{CRC_32_ISO_HDLC, Crc, NoTable};
use flash_image::{Chip, ERASED, SECTOR};

/// The CRC of zip and PNG files. Without a table, because the files are small and rare.
const CRC32: Crc<u32, NoTable> = Crc::<u32, NoTable>::new(&CRC_32_ISO_HDLC);

/// The length of [`magic`] in bytes.
const MAGIC_LENGTH: usize = 16;

/// The first bytes of the file of a chip.
pub const fn magic(chip: Chip) -> &'static [u8; MAGIC_LENGTH] {
    match chip {
        Chip::Rp2040 => b"LightsOutFlash1\n",
        Chip::Rp2350 => b"LightsOutFlash2\n",
    }
}

/// The reason why a file is not a memory file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SavesError {
    /// It does not begin like a memory file.
    OtherFile,
    /// It begins like a memory file, but it is incomplete or was changed.
    Damaged,
}

impl fmt::Display for SavesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OtherFile => "This is not a memory file of the handheld.",
            Self::Damaged => "This memory file is damaged: it is incomplete or was changed.",
        })
    }
}

impl std::error::Error for SavesError {}

/// The memory file of a flash image. `firmware` is the image of the freshly programmed chip.
pub fn encode(chip: Chip, image: &[u8], firmware: &[u8]) -> Vec<u8> {
    let sectors: Vec<(usize, &[u8])> = (0..)
        .zip(image.chunks(SECTOR).zip(firmware.chunks(SECTOR)))
        .filter(|(_, (now, fresh))| now != fresh)
        .map(|(number, (now, _))| (number, now))
        .collect();
    let mut file = magic(chip).to_vec();
    file.extend((sectors.len() as u16).to_le_bytes());
    for (number, bytes) in sectors {
        let length = bytes.iter().rposition(|&byte| byte != ERASED).map_or(0, |last| last + 1);
        file.extend((number as u16).to_le_bytes());
        file.extend((length as u16).to_le_bytes());
        file.extend(&bytes[..length]);
    }
    file.extend(CRC32.checksum(&file).to_le_bytes());
    file
}

/// The chip and the flash image of a file. Bytes that the file does not contain are erased.
pub fn decode(file: &[u8]) -> Result<(Chip, Vec<u8>), SavesError> {
    let chip = Chip::ALL.into_iter().find(|&chip| file.starts_with(magic(chip))).ok_or(SavesError::OtherFile)?;
    // No valid file is longer. The limit also bounds the time that the checksum takes.
    if file.len() > max_length(chip) {
        return Err(SavesError::Damaged);
    }
    let (content, checksum) = file.split_last_chunk::<4>().ok_or(SavesError::Damaged)?;
    if CRC32.checksum(content) != u32::from_le_bytes(*checksum) {
        return Err(SavesError::Damaged);
    }
    let mut rest = content.get(MAGIC_LENGTH..).ok_or(SavesError::Damaged)?;
    let mut image = vec![ERASED; chip.flash_size()];
    for _ in 0..take_number(&mut rest)? {
        let number = take_number(&mut rest)?;
        let length = take_number(&mut rest)?;
        let bytes = rest.split_off(..length).ok_or(SavesError::Damaged)?;
        let sector = image.chunks_exact_mut(SECTOR).nth(number).ok_or(SavesError::Damaged)?;
        sector.get_mut(..bytes.len()).ok_or(SavesError::Damaged)?.copy_from_slice(bytes);
    }
    if rest.is_empty() { Ok((chip, image)) } else { Err(SavesError::Damaged) }
}

/// The length of a file with all sectors of the chip in full.
const fn max_length(chip: Chip) -> usize {
    MAGIC_LENGTH + 2 + chip.flash_size() / SECTOR * (4 + SECTOR) + 4
}

fn take_number(rest: &mut &[u8]) -> Result<usize, SavesError> {
    let (number, after) = rest.split_first_chunk::<2>().ok_or(SavesError::Damaged)?;
    *rest = after;
    Ok(u16::from_le_bytes(*number).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example(chip: Chip) -> (Vec<u8>, Vec<u8>) {
        let size = chip.flash_size();
        let mut firmware = vec![0xFF; size];
        firmware[..5000].fill(7);
        let mut image = firmware.clone();
        image[size - SECTOR..][..3].copy_from_slice(b"abc");
        image[size - 2 * SECTOR..][..SECTOR].fill(0);
        (image, firmware)
    }

    fn example_file() -> Vec<u8> {
        let (image, firmware) = example(Chip::Rp2040);
        encode(Chip::Rp2040, &image, &firmware)
    }

    #[test]
    fn changed_sectors_are_kept_without_the_firmware() {
        for chip in Chip::ALL {
            let (image, firmware) = example(chip);
            let file = encode(chip, &image, &firmware);
            assert_eq!(file.len(), 16 + 2 + (4 + SECTOR) + (4 + 3) + 4);
            let (decoded_chip, back) = decode(&file).unwrap();
            assert_eq!((decoded_chip, back.len()), (chip, chip.flash_size()));
            assert_eq!(back[5000..], image[5000..]);
            assert_eq!(back[..5000], [0xFF; 5000]);
            assert_eq!(encode(chip, &firmware, &firmware).len(), 22);
        }
    }

    #[test]
    fn incomplete_file_is_refused() {
        let file = example_file();
        for length in 0..file.len() {
            let expected = if length < 16 { SavesError::OtherFile } else { SavesError::Damaged };
            assert_eq!(decode(&file[..length]), Err(expected));
        }
    }

    #[test]
    fn file_with_a_changed_bit_is_refused() {
        let file = example_file();
        for at in (16..file.len()).step_by(97) {
            let mut changed = file.clone();
            changed[at] ^= 0x10;
            assert_eq!(decode(&changed), Err(SavesError::Damaged));
        }
        assert_eq!(decode(b"PK\x03\x04 something else altogether"), Err(SavesError::OtherFile));
    }

    #[test]
    fn longest_file_is_read_and_a_longer_one_is_not() {
        for chip in Chip::ALL {
            let size = chip.flash_size();
            let file = encode(chip, &vec![1; size], &vec![ERASED; size]);
            assert_eq!((file.len(), decode(&file).is_ok()), (max_length(chip), true));
        }
        // One sector more than there are, with a valid checksum.
        let mut file = magic(Chip::Rp2040).to_vec();
        let count = Chip::Rp2040.flash_size() / SECTOR + 1;
        file.extend((count as u16).to_le_bytes());
        for _ in 0..count {
            file.extend([0, 0, 0, 0x10]);
            file.resize(file.len() + SECTOR, 7);
        }
        file.extend(CRC32.checksum(&file).to_le_bytes());
        assert_eq!(decode(&file), Err(SavesError::Damaged));
    }

    #[test]
    fn file_for_one_chip_is_not_read_for_the_other() {
        let mut file = example_file();
        file[..16].copy_from_slice(magic(Chip::Rp2350));
        assert_eq!(decode(&file), Err(SavesError::Damaged), "the checksum includes the chip");
        file[14] = b'3';
        assert_eq!(decode(&file), Err(SavesError::OtherFile), "an unknown chip");
    }

    #[test]
    fn invalid_sector_with_a_valid_checksum_is_refused() {
        let cases =
            [(Chip::Rp2040, 512u16, 1u16), (Chip::Rp2040, 0xFFFF, 0), (Chip::Rp2350, 1024, 1), (Chip::Rp2350, 3, 4097)];
        for (chip, number, length) in cases {
            let mut file = magic(chip).to_vec();
            for value in [1, number, length] {
                file.extend(value.to_le_bytes());
            }
            file.resize(file.len() + usize::from(length), 1);
            file.extend(CRC32.checksum(&file).to_le_bytes());
            assert_eq!(decode(&file), Err(SavesError::Damaged));
        }
    }
}
