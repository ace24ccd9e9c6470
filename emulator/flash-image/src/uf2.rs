//! UF2, the file format that is dragged onto a Pico or a Pico 2: writing and reading.
//!
//! A UF2 file is a sequence of blocks of 512 bytes. Each block is complete in itself, because a computer may write the
//! blocks to the drive in any order. A block has eight words of header (two magic numbers, flags, target address,
//! payload size, block number, number of blocks, family ID of the chip), 476 bytes of data, and a final magic number.
//! All words are little endian. The boot ROMs accept only a payload of 256 bytes at the address of a flash page, so the
//! remaining 220 data bytes are padding. A boot ROM restarts when it has received each block number once. The boot ROM
//! of the RP2040 erases by sectors of 4 KB. By the erratum RP2040-E14, data can be lost in a sector of which the file
//! contains only some pages. So a file contains all pages of every used sector.
//!
//! **A file for several chips** is the concatenation of their files. A boot ROM takes the blocks of its own family and
//! ignores all others, so the blocks of each family have their own numbers. [`write_all`] puts the RP2040 first. Its
//! boot ROM restarts one second after its last block, the RP2350's half a second after its last block. Until then, the
//! boot ROM accepts and ignores the blocks of the other family, so the computer reports no error. For the erratum
//! RP2350-E10, other tools add a block of the family "absolute" at the start. We do not: the block is needed only with
//! a partition table in flash, which a handheld does not have, and it erases the last sector of the flash, where the
//! saves are.
//!
//! The reader is as strict as the boot ROM and not stricter, so that it accepts files of other tools. To check that a
//! file is exactly what this module writes, read it, write it again and compare.
//!
//! Written by hand because the crates for UF2 only write it.

use std::collections::BTreeSet;
use std::fmt;

use crate::Chip;
use crate::image::{Image, PAGE};

/// The first two words of a block and its last word.
const MAGIC: [u32; 3] = [0x0A32_4655, 0x9E5D_5157, 0x0AB1_6F30];
/// Flag: the block is not for flash.
const NOT_MAIN_FLASH: u32 = 0x0000_0001;
/// Flag: the word at offset 28 is the family ID.
const FAMILY_PRESENT: u32 = 0x0000_2000;
/// The size of a block, in bytes.
pub const BLOCK: usize = 512;

/// The size of a block's header, in bytes.
const HEADER: usize = 32;
/// The offset of a block's last word.
const LAST_WORD: usize = BLOCK - 4;

/// The reason why a UF2 file is not valid. The first number is the block's index in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Uf2Error {
    /// The file is empty, or its length is not a multiple of 512.
    Length(usize),
    /// A magic number is wrong.
    Magic(usize),
    /// The family ID is that of an unknown chip.
    Family(usize, u32),
    /// The block has no family ID. The boot ROMs ignore such a block.
    NoFamily(usize),
    /// The file has no block for this chip.
    Nothing(Chip),
    /// The payload is not one page.
    Payload(usize, u32),
    /// The address is not the start of a page.
    Unaligned(usize, u32),
    /// The address is not in flash.
    OutsideFlash(usize, u32),
    /// The block number or the number of blocks is wrong.
    Count(usize),
    /// An earlier block has the same address.
    Repeated(usize, u32),
}

impl fmt::Display for Uf2Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length(length) => write!(f, "{length} bytes are not a whole number of blocks"),
            Self::Magic(block) => write!(f, "block {block}: wrong magic number"),
            Self::Family(block, family) => {
                write!(f, "block {block}: family {family:#010x} is neither RP2040 nor RP2350")
            }
            Self::NoFamily(block) => write!(f, "block {block}: no family ID"),
            Self::Nothing(chip) => write!(f, "no block is for the {chip}"),
            Self::Payload(block, size) => write!(f, "block {block}: payload of {size} bytes"),
            Self::Unaligned(block, address) => write!(f, "block {block}: {address:#010x} is not the start of a page"),
            Self::OutsideFlash(block, address) => write!(f, "block {block}: {address:#010x} is not in flash"),
            Self::Count(block) => write!(f, "block {block}: wrong block number or number of blocks"),
            Self::Repeated(block, address) => write!(f, "block {block}: {address:#010x} is in an earlier block"),
        }
    }
}

impl std::error::Error for Uf2Error {}

/// Whether a file begins with the magic numbers of UF2.
pub fn is_uf2(file: &[u8]) -> bool {
    file.starts_with(&MAGIC[0].to_le_bytes()) && file[4..].starts_with(&MAGIC[1].to_le_bytes())
}

/// The UF2 file of an image, the lowest address first.
pub fn write(image: &Image) -> Vec<u8> {
    let count = image.pages().count() as u32;
    let mut file = Vec::with_capacity(count as usize * BLOCK);
    for (number, (address, content)) in (0..).zip(image.pages()) {
        let mut block = [0; BLOCK];
        let header = [MAGIC[0], MAGIC[1], FAMILY_PRESENT, address, PAGE as u32, number, count, image.chip().family()];
        for (bytes, word) in block.chunks_exact_mut(4).zip(header) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        block[HEADER..HEADER + PAGE].copy_from_slice(content);
        block[LAST_WORD..].copy_from_slice(&MAGIC[2].to_le_bytes());
        file.extend(block);
    }
    file
}

/// One UF2 file of several images, one for each chip. The older chip comes first.
pub fn write_all(images: &[Image]) -> Vec<u8> {
    let of = |chip| images.iter().filter(move |image| image.chip() == chip);
    Chip::ALL.into_iter().flat_map(of).flat_map(write).collect()
}

/// Reads the image for the oldest chip that the file is for.
pub fn read(file: &[u8]) -> Result<Image, Uf2Error> {
    let older = read_for(file, Chip::Rp2040);
    if let Err(Uf2Error::Nothing(_)) = older { read_for(file, Chip::Rp2350) } else { older }
}

/// Reads the image that a board with this chip would program.
pub fn read_for(file: &[u8], chip: Chip) -> Result<Image, Uf2Error> {
    let (blocks, rest) = file.as_chunks::<BLOCK>();
    if blocks.is_empty() || !rest.is_empty() {
        return Err(Uf2Error::Length(file.len()));
    }
    let mut image = Image::new(chip);
    let mut written = BTreeSet::new();
    // The number of blocks for this chip so far, and the number in the file's headers.
    let (mut seen, mut expected) = (0, None);
    for (index, block) in blocks.iter().enumerate() {
        let Header { flags, address, size, number, count, family } = Header::read(index, block)?;
        if family != chip.family() {
            if Chip::ALL.iter().any(|other| family == other.family()) {
                continue;
            }
            return Err(Uf2Error::Family(index, family));
        }
        if number != seen || *expected.get_or_insert(count) != count {
            return Err(Uf2Error::Count(index));
        }
        seen += 1;
        if flags & NOT_MAIN_FLASH != 0 {
            continue;
        }
        if size != PAGE as u32 {
            return Err(Uf2Error::Payload(index, size));
        }
        if !chip.flash().contains(&address) {
            return Err(Uf2Error::OutsideFlash(index, address));
        }
        if address % PAGE as u32 != 0 {
            return Err(Uf2Error::Unaligned(index, address));
        }
        if !written.insert(address) {
            return Err(Uf2Error::Repeated(index, address));
        }
        image.insert(address, &block[HEADER..HEADER + PAGE]).map_err(|_| Uf2Error::OutsideFlash(index, address))?;
    }
    match expected {
        None => Err(Uf2Error::Nothing(chip)),
        Some(count) if count == seen => Ok(image),
        Some(_) => Err(Uf2Error::Count(blocks.len())),
    }
}

/// The header of a block, without the magic numbers.
struct Header {
    flags: u32,
    address: u32,
    size: u32,
    number: u32,
    count: u32,
    family: u32,
}

impl Header {
    /// Reads the header of the block with this index.
    fn read(index: usize, block: &[u8; BLOCK]) -> Result<Self, Uf2Error> {
        let word = |at: usize| u32::from_le_bytes([block[at], block[at + 1], block[at + 2], block[at + 3]]);
        if [word(0), word(4), word(LAST_WORD)] != MAGIC {
            return Err(Uf2Error::Magic(index));
        }
        let [flags, address, size, number, count, family] = [8, 12, 16, 20, 24, 28].map(word);
        if flags & FAMILY_PRESENT == 0 {
            return Err(Uf2Error::NoFamily(index));
        }
        Ok(Self { flags, address, size, number, count, family })
    }
}
