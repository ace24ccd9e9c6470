//! What the flash remembers besides the firmware, as a small file.
//!
//! Only the sectors that differ from the freshly programmed chip are kept, each without the erased bytes at its end:
//! a few kilobytes instead of two or four megabytes. All numbers are little endian:
//!
//! | bytes | what                                                                             |
//! | ----- | -------------------------------------------------------------------------------- |
//! | 16    | [`magic`], which tells the chip: 1 for that of a Pico, 2 for that of a Pico 2     |
//! | 2     | number of sectors                                                                |
//! | each  | sector number (2), length (2, 0 to 4096), so many bytes; the rest is erased      |
//! | 4     | CRC-32 of everything before it                                                   |
//!
//! Reading is total: any bytes give a chip and its image, or a reason why not. The end of the flash, where the firmware saves, is elsewhere
//! on each chip, so what one remembers would be nothing to the other: a file is for one chip and says so.

use core::fmt;

use crc::{CRC_32_ISO_HDLC, Crc, NoTable};
use flash_image::{Chip, ERASED, SECTOR};

/// The CRC of zip and PNG files. Without a table: a few kilobytes, now and then, are no work.
const CRC32: Crc<u32, NoTable> = Crc::<u32, NoTable>::new(&CRC_32_ISO_HDLC);

/// Bytes of [`magic`].
const MAGIC: usize = 16;

/// How the file of a chip begins.
pub const fn magic(chip: Chip) -> &'static [u8; MAGIC] {
    match chip {
        Chip::Rp2040 => b"LightsOutFlash1\n",
        Chip::Rp2350 => b"LightsOutFlash2\n",
    }
}

/// Why a file is no memory of a handheld.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SavesError {
    /// It does not begin like one.
    OtherFile,
    /// It begins like one, but has been cut off or changed.
    Damaged,
}

impl fmt::Display for SavesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OtherFile => "This is not a memory file of the handheld.",
            Self::Damaged => "This memory file is damaged: it has been cut off or changed.",
        })
    }
}

impl std::error::Error for SavesError {}

/// The file for a chip's flash image, beside what the firmware itself puts there.
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

/// The chip and the flash image of a file: what no sector tells is erased.
pub fn decode(file: &[u8]) -> Result<(Chip, Vec<u8>), SavesError> {
    let chip = Chip::ALL.into_iter().find(|&chip| file.starts_with(magic(chip))).ok_or(SavesError::OtherFile)?;
    // No file that was written is longer, and the sum of a longer one takes as long as it is.
    if file.len() > longest(chip) {
        return Err(SavesError::Damaged);
    }
    let (content, sum) = file.split_last_chunk::<4>().ok_or(SavesError::Damaged)?;
    if CRC32.checksum(content) != u32::from_le_bytes(*sum) {
        return Err(SavesError::Damaged);
    }
    let mut rest = content.get(MAGIC..).ok_or(SavesError::Damaged)?;
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

/// Bytes of the file in which each sector has changed, to its end.
const fn longest(chip: Chip) -> usize {
    MAGIC + 2 + chip.flash_size() / SECTOR * (4 + SECTOR) + 4
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
    fn only_what_is_not_the_firmware_is_kept_and_comes_back_for_its_chip() {
        for chip in Chip::ALL {
            let (image, firmware) = example(chip);
            let file = encode(chip, &image, &firmware);
            assert_eq!(file.len(), 16 + 2 + (4 + SECTOR) + (4 + 3) + 4);
            let (of, back) = decode(&file).unwrap();
            assert_eq!((of, back.len()), (chip, chip.flash_size()));
            assert_eq!(back[5000..], image[5000..]);
            assert_eq!(back[..5000], [0xFF; 5000]);
            assert_eq!(encode(chip, &firmware, &firmware).len(), 22);
        }
    }

    #[test]
    fn a_file_cut_off_anywhere_is_refused() {
        let file = example_file();
        for length in 0..file.len() {
            let expected = if length < 16 { SavesError::OtherFile } else { SavesError::Damaged };
            assert_eq!(decode(&file[..length]), Err(expected));
        }
    }

    #[test]
    fn a_changed_bit_is_refused() {
        let file = example_file();
        for at in (16..file.len()).step_by(97) {
            let mut changed = file.clone();
            changed[at] ^= 0x10;
            assert_eq!(decode(&changed), Err(SavesError::Damaged));
        }
        assert_eq!(decode(b"PK\x03\x04 something else altogether"), Err(SavesError::OtherFile));
    }

    #[test]
    fn the_longest_file_is_read_and_a_longer_one_is_not() {
        for chip in Chip::ALL {
            let size = chip.flash_size();
            let file = encode(chip, &vec![1; size], &vec![ERASED; size]);
            assert_eq!((file.len(), decode(&file).is_ok()), (longest(chip), true));
        }
        // The same sector again and again, with a sum that is right.
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
    fn what_one_chip_remembers_is_not_taken_for_the_other() {
        let mut file = example_file();
        file[..16].copy_from_slice(magic(Chip::Rp2350));
        assert_eq!(decode(&file), Err(SavesError::Damaged), "the chip is in the sum");
        file[14] = b'3';
        assert_eq!(decode(&file), Err(SavesError::OtherFile), "of a chip that is not known");
    }

    #[test]
    fn a_sector_beyond_the_chip_or_too_long_is_refused_though_its_sum_is_right() {
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
