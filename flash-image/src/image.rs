//! The image itself, and how an ELF file becomes one.
//!
//! The load segments of an ELF file begin and end anywhere. They are laid into flash by their physical addresses; what
//! no segment fills is 0xFF, as in erased flash. Two segments that claim one byte are an error. Flash is erased by
//! sectors, so an image knows which of them it touches: all others, those of the saves among them, stay as they are.

use std::fmt;
use std::ops::Range;

use object::Endianness;
use object::elf::{EM_ARM, PT_LOAD};
use object::read::elf::{ElfFile32, FileHeader, ProgramHeader};

/// Where flash is, and how much of it a Pico has.
pub const FLASH: Range<u32> = 0x1000_0000..0x1020_0000;
/// Bytes of flash.
pub const FLASH_SIZE: usize = (FLASH.end - FLASH.start) as usize;
/// Bytes that are programmed together.
pub const PAGE: usize = 256;
/// Bytes that are erased together.
pub const SECTOR: usize = 4096;
/// A byte where nothing is.
pub const ERASED: u8 = 0xFF;

const SECTORS: usize = FLASH_SIZE / SECTOR;
/// The vector table stands behind the second stage boot loader, which is a page.
const VECTORS: usize = PAGE;

/// Why a file is no firmware for a Pico.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImageError {
    /// It is not a 32-bit ELF file for ARM, or it is damaged.
    NotArmElf,
    /// A part of it, at this address, is not for flash.
    OutsideFlash(u32),
    /// Two of its parts claim the byte at this address.
    Overlap(u32),
    /// It has nothing for flash, or no vector table behind the 256 bytes of the second stage boot loader.
    NoVectors,
}

impl fmt::Display for ImageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotArmElf => f.write_str("not a 32-bit ELF file for ARM"),
            Self::OutsideFlash(address) => write!(f, "what it loads at {address:#010x} is not for the 2 MB of flash"),
            Self::Overlap(address) => write!(f, "two of its parts claim {address:#010x}"),
            Self::NoVectors => f.write_str("no vector table at flash offset 0x100"),
        }
    }
}

impl std::error::Error for ImageError {}

/// What a firmware puts into flash.
#[derive(Clone, PartialEq, Eq)]
pub struct Image {
    flash: Vec<u8>,
    touched: [bool; SECTORS],
}

impl fmt::Debug for Image {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Image").field("pages", &self.pages().count()).finish_non_exhaustive()
    }
}

impl Default for Image {
    fn default() -> Self {
        Self { flash: vec![ERASED; FLASH_SIZE], touched: [false; SECTORS] }
    }
}

impl Image {
    /// Reads an ELF file, as cargo leaves it in the target folder.
    pub fn from_elf(elf: &[u8]) -> Result<Self, ImageError> {
        let file = ElfFile32::<Endianness>::parse(elf).map_err(|_| ImageError::NotArmElf)?;
        let endian = file.endian();
        if file.elf_header().e_machine(endian) != EM_ARM {
            return Err(ImageError::NotArmElf);
        }
        let mut image = Self::default();
        let mut taken: Vec<Range<u32>> = Vec::new();
        for segment in file.elf_program_headers().iter().filter(|segment| segment.p_type(endian) == PT_LOAD) {
            let content = segment.data(endian, elf).map_err(|()| ImageError::NotArmElf)?;
            if content.is_empty() {
                continue;
            }
            let start = segment.p_paddr(endian);
            image.lay(start, content)?;
            // It lies in flash, so its end is a number.
            let place = start..start + content.len() as u32;
            if let Some(other) = taken.iter().find(|other| other.start < place.end && place.start < other.end) {
                return Err(ImageError::Overlap(other.start.max(place.start)));
            }
            taken.push(place);
        }
        Ok(image)
    }

    /// Lays bytes into flash.
    pub(crate) fn lay(&mut self, address: u32, content: &[u8]) -> Result<(), ImageError> {
        let outside = ImageError::OutsideFlash(address);
        let start = address.checked_sub(FLASH.start).ok_or(outside)? as usize;
        let end = start.checked_add(content.len()).ok_or(outside)?;
        self.flash.get_mut(start..end).ok_or(outside)?.copy_from_slice(content);
        self.touched[start / SECTOR..end.div_ceil(SECTOR)].fill(true);
        Ok(())
    }

    /// The whole flash after programming, where it was erased before.
    pub fn flash(&self) -> &[u8] {
        &self.flash
    }

    /// The same, for keeps.
    pub fn into_flash(self) -> Vec<u8> {
        self.flash
    }

    /// The pages of all sectors that are touched, lowest first: address and content.
    pub fn pages(&self) -> impl Iterator<Item = (u32, &[u8; PAGE])> {
        let (pages, _) = self.flash.as_chunks::<PAGE>();
        let touched = |index: &usize| self.touched[index * PAGE / SECTOR];
        (0..pages.len()).filter(touched).map(|index| (FLASH.start + (index * PAGE) as u32, &pages[index]))
    }

    /// That there is something to start: the first vector is the stack pointer, the second the reset handler, in flash
    /// and with its Thumb bit set.
    pub fn check_vectors(&self) -> Result<(), ImageError> {
        let word = |at: usize| u32::from_le_bytes(std::array::from_fn(|byte| self.flash[VECTORS + at + byte]));
        let (stack, reset) = (word(0), word(4));
        let good = stack >> 24 == 0x20 && FLASH.contains(&reset) && reset & 1 == 1;
        if good { Ok(()) } else { Err(ImageError::NoVectors) }
    }
}
