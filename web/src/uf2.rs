//! UF2, the file that is dragged onto a Pico: blocks of 512 bytes, each with an address and up to 476 bytes for it.
//!
//! The handheld is programmed from ELF files, so the blocks become one ELF file of one segment. Symbols and log messages
//! are not in a UF2, so such a firmware runs without a log.

use virtual_handheld::FLASH_SIZE;

/// What begins a block (two words) and ends it.
const START: [u32; 2] = [0x0A32_4655, 0x9E5D_5157];
const END: u32 = 0x0AB1_6F30;
const BLOCK: usize = 512;
const MOST_DATA: usize = 476;
/// Flags: the block is not for flash; the block names a family of chips.
const NOT_MAIN_FLASH: u32 = 0x0000_0001;
const FAMILY_PRESENT: u32 = 0x0000_2000;
/// The RP2040.
const FAMILY: u32 = 0xE48B_FF56;
const FLASH_BASE: u32 = 0x1000_0000;

/// Why a UF2 file is none for the handheld.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Uf2Error {
    /// It has been cut off or changed.
    Damaged,
    /// It is for another chip.
    OtherChip,
    /// It writes outside the 2 MB of flash.
    OutsideFlash,
}

/// Whether a file begins like one.
pub fn is_uf2(file: &[u8]) -> bool {
    word(file, 0) == Some(START[0]) && word(file, 4) == Some(START[1])
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|word| u32::from_le_bytes(*word))
}

/// The file as an ELF file.
pub fn to_elf(file: &[u8]) -> Result<Vec<u8>, Uf2Error> {
    let (blocks, rest) = file.as_chunks::<BLOCK>();
    let mut image = vec![0xFF; FLASH_SIZE];
    let mut written = 0;
    for block in blocks {
        let header: [u32; 8] = core::array::from_fn(|index| word(block, 4 * index).unwrap_or_default());
        let [start, second, flags, address, length, _, total, family] = header;
        let whole = [start, second] == START && word(block, BLOCK - 4) == Some(END);
        if !whole || length as usize > MOST_DATA || total as usize != blocks.len() || !rest.is_empty() {
            return Err(Uf2Error::Damaged);
        }
        if flags & FAMILY_PRESENT != 0 && family != FAMILY {
            return Err(Uf2Error::OtherChip);
        }
        if flags & NOT_MAIN_FLASH != 0 {
            continue;
        }
        let data = &block[32..32 + length as usize];
        let at = address.checked_sub(FLASH_BASE).ok_or(Uf2Error::OutsideFlash)? as usize;
        let place = at.checked_add(data.len()).and_then(|end| image.get_mut(at..end)).ok_or(Uf2Error::OutsideFlash)?;
        place.copy_from_slice(data);
        written = written.max(at + data.len());
    }
    Ok(elf(&image[..written]))
}

/// An ELF file of one segment at the start of flash.
fn elf(data: &[u8]) -> Vec<u8> {
    let mut file = b"\x7fELF\x01\x01\x01".to_vec();
    file.resize(16, 0);
    // Executable for ARM, version 1, entry 0, program headers at 52, no sections.
    for half in [2u16, 40, 1, 0, 0, 0, 52, 0, 0, 0, 0, 0, 52, 32, 1, 40, 0, 0] {
        file.extend(half.to_le_bytes());
    }
    // PT_LOAD: offset, virtual and physical address, bytes in the file and in memory, flags, alignment.
    for word in [1, 84, FLASH_BASE, FLASH_BASE, data.len() as u32, data.len() as u32, 5, 4] {
        file.extend(word.to_le_bytes());
    }
    file.extend(data);
    file
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use virtual_handheld::{Firmware, FirmwareError};

    /// Flash bytes as a UF2 file, 256 to a block as usual.
    pub fn uf2(bytes: &[u8], base: u32, family: u32) -> Vec<u8> {
        let blocks = bytes.chunks(256);
        let total = blocks.len() as u32;
        let mut file = Vec::new();
        for (number, data) in (0..).zip(blocks) {
            for word in [START[0], START[1], FAMILY_PRESENT, base + 256 * number, 256, number, total, family] {
                file.extend(word.to_le_bytes());
            }
            file.extend(data);
            file.resize(file.len().next_multiple_of(BLOCK) - 4, 0);
            file.extend(END.to_le_bytes());
        }
        file
    }

    pub fn program() -> Vec<u8> {
        let mut bytes = vec![7; 0x100];
        bytes.extend(0x2004_0000u32.to_le_bytes());
        bytes.extend(0x1000_0121u32.to_le_bytes());
        bytes.resize(0x300, 9);
        bytes
    }

    #[test]
    fn blocks_become_flash() {
        let file = uf2(&program(), FLASH_BASE, FAMILY);
        assert!(is_uf2(&file));
        let firmware = Firmware::from_elf(&to_elf(&file).unwrap()).unwrap();
        assert_eq!(firmware.image()[..0x300], program());
        assert_eq!(firmware.image()[0x300..], [0xFF; FLASH_SIZE - 0x300]);
    }

    #[test]
    fn files_for_other_chips_and_other_places_are_refused() {
        const RP2350: u32 = 0xE48B_FF59;
        assert_eq!(to_elf(&uf2(&program(), FLASH_BASE, RP2350)), Err(Uf2Error::OtherChip));
        assert_eq!(to_elf(&uf2(&program(), 0x2000_0000, FAMILY)), Err(Uf2Error::OutsideFlash));
        assert_eq!(to_elf(&uf2(&program(), 0x0FFF_FF00, FAMILY)), Err(Uf2Error::OutsideFlash));
        assert_eq!(to_elf(&uf2(&program(), FLASH_BASE + FLASH_SIZE as u32 - 256, FAMILY)), Err(Uf2Error::OutsideFlash));
    }

    #[test]
    fn damaged_files_are_refused() {
        let file = uf2(&program(), FLASH_BASE, FAMILY);
        assert_eq!(to_elf(&file[..file.len() - 1]), Err(Uf2Error::Damaged));
        assert_eq!(to_elf(&file[..BLOCK]), Err(Uf2Error::Damaged), "a block is missing");
        let mut changed = file.clone();
        changed[BLOCK - 1] ^= 1;
        assert_eq!(to_elf(&changed), Err(Uf2Error::Damaged));
        let mut changed = file;
        changed[17] = 0xFF;
        assert_eq!(to_elf(&changed), Err(Uf2Error::Damaged), "a length beyond the block");
        assert!(!is_uf2(b"\x7fELF") && !is_uf2(&[]));
        let empty = to_elf(&[]).unwrap();
        assert_eq!(Firmware::from_elf(&empty).err(), Some(FirmwareError::NoVectors));
    }
}
