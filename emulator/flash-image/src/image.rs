//! The image itself, and how an ELF file becomes one.
//!
//! The load segments of an ELF file begin and end anywhere. They are laid into flash by their physical addresses; what
//! no segment fills is 0xFF, as in erased flash. Two segments that claim one byte are an error. Flash is erased by
//! sectors, so an image knows which of them it touches: all others, those of the saves among them, stay as they are.
//!
//! Which chip a file is for is told by what its boot ROM would find: what has an IMAGE_DEF is for the RP2350.

use std::collections::BTreeMap;
use std::fmt;

use object::Endianness;
use object::elf::{EM_ARM, PT_LOAD};
use object::read::elf::{ElfFile32, FileHeader, ProgramHeader};

use crate::{Chip, image_def};

/// Bytes that are programmed together.
pub const PAGE: usize = 256;
/// Bytes that are erased together.
pub const SECTOR: usize = 4096;
/// A byte where nothing is.
pub const ERASED: u8 = 0xFF;

/// Why a file is no firmware for a Pico.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImageError {
    /// It is not a 32-bit ELF file for ARM, or it is damaged.
    NotArmElf,
    /// A part of it, at this address, is not for flash.
    OutsideFlash(u32),
    /// Two of its parts claim the byte at this address.
    Overlap(u32),
    /// It has nothing for flash, or no vector table where this chip looks for it.
    NoVectors(Chip),
    /// The boot ROM of the RP2350 would not start it.
    NoImageDef,
}

impl fmt::Display for ImageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotArmElf => f.write_str("not a 32-bit ELF file for ARM"),
            Self::OutsideFlash(address) => write!(f, "what it loads at {address:#010x} is not for the chip's flash"),
            Self::Overlap(address) => write!(f, "two of its parts claim {address:#010x}"),
            Self::NoVectors(chip) => write!(f, "no vector table at flash offset {:#x}", chip.vectors()),
            Self::NoImageDef => f.write_str("no IMAGE_DEF for the RP2350 in the first 4 KB of flash"),
        }
    }
}

impl std::error::Error for ImageError {}

/// What a firmware puts into flash.
#[derive(Clone, PartialEq, Eq)]
pub struct Image {
    chip: Chip,
    flash: Vec<u8>,
    /// For each sector.
    touched: Vec<bool>,
}

impl fmt::Debug for Image {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Image").field("chip", &self.chip).field("pages", &self.pages().count()).finish_non_exhaustive()
    }
}

impl Image {
    /// An image of nothing, for this chip.
    pub fn new(chip: Chip) -> Self {
        let size = chip.flash_size();
        Self { chip, flash: vec![ERASED; size], touched: vec![false; size / SECTOR] }
    }

    /// Reads an ELF file, as cargo leaves it in the target folder.
    pub fn from_elf(elf: &[u8]) -> Result<Self, ImageError> {
        let file = ElfFile32::<Endianness>::parse(elf).map_err(|_| ImageError::NotArmElf)?;
        let endian = file.endian();
        if file.elf_header().e_machine(endian) != EM_ARM {
            return Err(ImageError::NotArmElf);
        }
        // With the most room, until it is known which chip it is.
        let mut image = Self::new(Chip::Rp2350);
        // Where the segments so far begin and end. None of them overlap, so a new one needs to be compared with one of
        // them.
        let mut taken: BTreeMap<u32, u32> = BTreeMap::new();
        for segment in file.elf_program_headers().iter().filter(|segment| segment.p_type(endian) == PT_LOAD) {
            let content = segment.data(endian, elf).map_err(|()| ImageError::NotArmElf)?;
            if content.is_empty() {
                continue;
            }
            let start = segment.p_paddr(endian);
            image.lay(start, content)?;
            // It lies in flash, so its end is a number.
            let end = start + content.len() as u32;
            if let Some((&other, _)) = taken.range(..end).next_back().filter(|(_, other_end)| start < **other_end) {
                return Err(ImageError::Overlap(other.max(start)));
            }
            taken.insert(start, end);
        }
        if !image.has_image_def() {
            image.chip = Chip::Rp2040;
            if let Some(place) = taken.iter().find(|(_, end)| **end > image.chip.flash().end) {
                return Err(ImageError::OutsideFlash(*place.0));
            }
            image.flash.truncate(image.chip.flash_size());
            image.touched.truncate(image.chip.flash_size() / SECTOR);
        }
        Ok(image)
    }

    /// The chip that it is for.
    pub fn chip(&self) -> Chip {
        self.chip
    }

    /// Lays bytes into flash.
    pub(crate) fn lay(&mut self, address: u32, content: &[u8]) -> Result<(), ImageError> {
        let outside = ImageError::OutsideFlash(address);
        let start = address.checked_sub(self.chip.flash().start).ok_or(outside)? as usize;
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
        let start = self.chip.flash().start;
        (0..pages.len()).filter(touched).map(move |index| (start + (index * PAGE) as u32, &pages[index]))
    }

    fn has_image_def(&self) -> bool {
        image_def::is_present(|at| Some(u32::from_le_bytes(*self.flash.get(at..)?.first_chunk()?)))
    }

    /// That the boot ROM finds something to start. The first vector is the stack pointer, the second the reset handler, in flash
    /// and with its Thumb bit set; and an RP2350 wants its IMAGE_DEF.
    pub fn check_start(&self) -> Result<(), ImageError> {
        let vector = |number: usize| {
            let at = self.chip.vectors() + 4 * number;
            u32::from_le_bytes(std::array::from_fn(|byte| self.flash[at + byte]))
        };
        let (stack, reset) = (vector(0), vector(1));
        if stack >> 24 != 0x20 || !self.chip.flash().contains(&reset) || reset & 1 == 0 {
            return Err(ImageError::NoVectors(self.chip));
        }
        if self.chip == Chip::Rp2350 && !self.has_image_def() {
            return Err(ImageError::NoImageDef);
        }
        Ok(())
    }
}
