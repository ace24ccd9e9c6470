//! The file for drag and drop: UF2, made from the firmware's ELF file, and a checker for it.
//!
//! A UF2 file is a row of blocks of 512 bytes, each complete in itself, because a computer may write them to the drive in
//! any order: eight words of head (two magic numbers, flags, target address, payload size, number of the block, number
//! of blocks, the family of the chip), 476 bytes of which we use the first 256, and a last magic number. All words are
//! little endian. That the payload is 256 bytes, on a page of 256 bytes in flash, is what the RP2040's boot ROM takes;
//! it restarts when it has seen each number once. It erases by sectors of 4 KB, and an erratum of the chip (RP2040-E14) can
//! lose data in a sector of which only some pages are in the file: so every sector that is touched is given whole. The
//! sectors of the saves, which no block names, are left as they are: an update keeps them.
//!
//! The load segments of an ELF file begin and end anywhere. They are laid into pages; what no segment fills is 0xFF, as in
//! erased flash. Two segments that claim one byte are an error.

use std::collections::BTreeMap;
use std::fmt;

use object::Endianness;
use object::elf::{EM_ARM, PT_LOAD};
use object::read::elf::{ElfFile32, FileHeader, ProgramHeader};

/// The first two words of a block and the last.
pub const MAGIC: [u32; 3] = [0x0A32_4655, 0x9E5D_5157, 0x0AB1_6F30];
/// The only flag we set: the word at 28 is the chip's family.
pub const FAMILY_PRESENT: u32 = 0x0000_2000;
/// The RP2040.
pub const RP2040: u32 = 0xE48B_FF56;
/// Bytes of a block.
pub const BLOCK: usize = 512;
/// Bytes of flash in a block: one page.
pub const PAGE: usize = 256;
/// Bytes of flash that are erased together.
pub const SECTOR: usize = 4096;
/// Where flash is, and how much of it.
pub const FLASH: std::ops::Range<u32> = 0x1000_0000..0x1020_0000;

const HEAD: usize = 32;
/// Where the last word of a block is.
const TAIL: usize = BLOCK - 4;
const ERASED: u8 = 0xFF;

/// The firmware as pages of flash: address, content.
pub type Pages = BTreeMap<u32, [u8; PAGE]>;

/// Why a file is no firmware to make a UF2 file of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElfError {
    /// It is not a 32-bit ELF file for ARM, or it is damaged.
    NotArmElf,
    /// A part of it, at this address, is not for flash.
    OutsideFlash(u32),
    /// Two of its parts claim the byte at this address.
    Overlap(u32),
    /// There is nothing in it for flash.
    Empty,
}

impl fmt::Display for ElfError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotArmElf => f.write_str("not a 32-bit ELF file for ARM"),
            Self::OutsideFlash(address) => write!(f, "what it loads at {address:#010x} is not for the Pico's flash"),
            Self::Overlap(address) => write!(f, "two of its parts claim {address:#010x}"),
            Self::Empty => f.write_str("there is nothing in it for the flash"),
        }
    }
}

impl std::error::Error for ElfError {}

/// What is wrong with a UF2 file; the first number is the block's place in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Uf2Error {
    /// The file is empty, or its length is not a multiple of 512.
    Length(usize),
    /// A magic number is not there.
    Magic(usize),
    /// Flags that the boot ROM would skip the block for, or that we do not set.
    Flags(usize, u32),
    /// Another chip's family.
    Family(usize, u32),
    /// A payload of another size than a page.
    Payload(usize, u32),
    /// An address that is not at the start of a page of flash.
    Address(usize, u32),
    /// Its number, or the number of blocks, is not what its place says.
    Count(usize),
    /// The bytes behind the payload are not zero.
    Padding(usize),
    /// Its page was written by a block before.
    Repeated(usize, u32),
    /// The file has some pages of a sector, but not this one.
    PartialSector(u32),
}

impl fmt::Display for Uf2Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length(length) => write!(f, "{length} bytes are not a row of blocks"),
            Self::Magic(block) => write!(f, "block {block}: wrong magic number"),
            Self::Flags(block, flags) => write!(f, "block {block}: flags {flags:#010x}"),
            Self::Family(block, family) => write!(f, "block {block}: family {family:#010x} is not the RP2040"),
            Self::Payload(block, size) => write!(f, "block {block}: payload of {size} bytes"),
            Self::Address(block, address) => write!(f, "block {block}: {address:#010x} is no page of flash"),
            Self::Count(block) => write!(f, "block {block}: wrongly numbered"),
            Self::Padding(block) => write!(f, "block {block}: its padding is not zero"),
            Self::Repeated(block, address) => write!(f, "block {block}: {address:#010x} was written before"),
            Self::PartialSector(address) => write!(f, "{address:#010x} is missing, though its sector is written"),
        }
    }
}

impl std::error::Error for Uf2Error {}

/// The pages that an ELF file loads into flash.
pub fn pages(elf: &[u8]) -> Result<Pages, ElfError> {
    let file = ElfFile32::<Endianness>::parse(elf).map_err(|_| ElfError::NotArmElf)?;
    let endian = file.endian();
    if file.elf_header().e_machine(endian) != EM_ARM {
        return Err(ElfError::NotArmElf);
    }
    let mut bytes: BTreeMap<u32, u8> = BTreeMap::new();
    for segment in file.elf_program_headers().iter().filter(|segment| segment.p_type(endian) == PT_LOAD) {
        let content = segment.data(endian, elf).map_err(|()| ElfError::NotArmElf)?;
        let start = segment.p_paddr(endian);
        for (offset, &byte) in content.iter().enumerate() {
            let address = u32::try_from(offset).ok().and_then(|offset| start.checked_add(offset));
            let address = address.filter(|address| FLASH.contains(address)).ok_or(ElfError::OutsideFlash(start))?;
            if bytes.insert(address, byte).is_some() {
                return Err(ElfError::Overlap(address));
            }
        }
    }
    let mut pages = Pages::new();
    for (address, byte) in bytes {
        let offset = address % PAGE as u32;
        if !pages.contains_key(&(address - offset)) {
            pages.extend(sector(address).map(|page| (page, [ERASED; PAGE])));
        }
        if let Some(page) = pages.get_mut(&(address - offset)) {
            page[offset as usize] = byte;
        }
    }
    if pages.is_empty() { Err(ElfError::Empty) } else { Ok(pages) }
}

/// The pages of the sector that an address is in.
fn sector(address: u32) -> impl Iterator<Item = u32> {
    let start = address - address % SECTOR as u32;
    (start..start + SECTOR as u32).step_by(PAGE)
}

/// The UF2 file of these pages, lowest address first.
pub fn encode(pages: &Pages) -> Vec<u8> {
    let count = pages.len() as u32;
    let mut file = Vec::with_capacity(pages.len() * BLOCK);
    for (number, (&address, content)) in pages.iter().enumerate() {
        let mut block = [0; BLOCK];
        let head = [MAGIC[0], MAGIC[1], FAMILY_PRESENT, address, PAGE as u32, number as u32, count, RP2040];
        for (place, word) in block.chunks_exact_mut(4).zip(head) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        block[HEAD..HEAD + PAGE].copy_from_slice(content);
        block[TAIL..].copy_from_slice(&MAGIC[2].to_le_bytes());
        file.extend(block);
    }
    file
}

/// Checks a UF2 file block by block against the specification and what the boot ROM takes; gives the pages in it.
pub fn decode(file: &[u8]) -> Result<Pages, Uf2Error> {
    let (blocks, rest) = file.as_chunks::<BLOCK>();
    if blocks.is_empty() || !rest.is_empty() {
        return Err(Uf2Error::Length(file.len()));
    }
    let mut pages = Pages::new();
    for (place, block) in blocks.iter().enumerate() {
        let word = |at: usize| u32::from_le_bytes([block[at], block[at + 1], block[at + 2], block[at + 3]]);
        if [word(0), word(4), word(TAIL)] != MAGIC {
            return Err(Uf2Error::Magic(place));
        }
        let [flags, address, size, number, count, family] = [8, 12, 16, 20, 24, 28].map(word);
        if flags != FAMILY_PRESENT {
            return Err(Uf2Error::Flags(place, flags));
        }
        if family != RP2040 {
            return Err(Uf2Error::Family(place, family));
        }
        if size != PAGE as u32 {
            return Err(Uf2Error::Payload(place, size));
        }
        if !FLASH.contains(&address) || address % PAGE as u32 != 0 {
            return Err(Uf2Error::Address(place, address));
        }
        if number as usize != place || count as usize != blocks.len() {
            return Err(Uf2Error::Count(place));
        }
        if block[HEAD + PAGE..TAIL].iter().any(|&byte| byte != 0) {
            return Err(Uf2Error::Padding(place));
        }
        let mut page = [0; PAGE];
        page.copy_from_slice(&block[HEAD..HEAD + PAGE]);
        if pages.insert(address, page).is_some() {
            return Err(Uf2Error::Repeated(place, address));
        }
    }
    match pages.keys().flat_map(|&page| sector(page)).find(|page| !pages.contains_key(page)) {
        Some(missing) => Err(Uf2Error::PartialSector(missing)),
        None => Ok(pages),
    }
}
