//! The flash image, and its construction from an ELF file.
//!
//! The load segments of an ELF file begin and end at any address. Their physical addresses decide where they are in
//! flash. Bytes that no segment fills are 0xFF, as in erased flash. Two segments with the same byte are an error. Flash
//! is erased by sectors, so an image records which sectors it uses. All other sectors, among them those of the saves,
//! stay unchanged.
//!
//! A file with an IMAGE_DEF is for the RP2350, a file without one for the RP2040.

use std::collections::BTreeMap;
use std::fmt;

use object::Endianness;
use object::elf::{EM_ARM, PT_LOAD};
use object::read::elf::{ElfFile32, FileHeader, ProgramHeader};

use crate::{Chip, image_def};

/// The size of a flash page, the unit of programming, in bytes.
pub const PAGE: usize = 256;
/// The size of a flash sector, the unit of erasing, in bytes.
pub const SECTOR: usize = 4096;
/// The value of an erased byte.
pub const ERASED: u8 = 0xFF;

/// The reason why a file is not a firmware for a Pico.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImageError {
    /// The file is not a 32-bit ELF file for ARM, or it is damaged.
    NotArmElf,
    /// A segment, at this address, is not in flash.
    OutsideFlash(u32),
    /// Two segments contain the byte at this address.
    Overlap(u32),
    /// There is no vector table at the address where this chip expects it.
    NoVectors(Chip),
    /// The IMAGE_DEF is missing, without which the boot ROM of the RP2350 does not start a program.
    NoImageDef,
}

impl fmt::Display for ImageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotArmElf => f.write_str("not a 32-bit ELF file for ARM"),
            Self::OutsideFlash(address) => write!(f, "the segment at {address:#010x} is outside the chip's flash"),
            Self::Overlap(address) => write!(f, "two segments overlap at {address:#010x}"),
            Self::NoVectors(chip) => write!(f, "no vector table at flash offset {:#x}", chip.vectors()),
            Self::NoImageDef => f.write_str("no IMAGE_DEF for the RP2350 in the first 4 KB of flash"),
        }
    }
}

impl std::error::Error for ImageError {}

/// The flash content of a firmware.
#[derive(Clone, PartialEq, Eq)]
pub struct Image {
    chip: Chip,
    flash: Vec<u8>,
    /// For each sector, whether the firmware uses it.
    is_used: Vec<bool>,
}

impl fmt::Debug for Image {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Image").field("chip", &self.chip).field("pages", &self.pages().count()).finish_non_exhaustive()
    }
}

impl Image {
    /// An empty image for this chip.
    pub fn new(chip: Chip) -> Self {
        let size = chip.flash_size();
        Self { chip, flash: vec![ERASED; size], is_used: vec![false; size / SECTOR] }
    }

    /// Reads an ELF file, as cargo writes it to the target folder.
    pub fn from_elf(elf: &[u8]) -> Result<Self, ImageError> {
        let file = ElfFile32::<Endianness>::parse(elf).map_err(|_| ImageError::NotArmElf)?;
        let endian = file.endian();
        if file.elf_header().e_machine(endian) != EM_ARM {
            return Err(ImageError::NotArmElf);
        }
        // The chip with the larger flash, until the chip is known.
        let mut image = Self::new(Chip::Rp2350);
        // Start and end of the segments so far. They do not overlap, so a new segment is compared with only one of
        // them.
        let mut taken: BTreeMap<u32, u32> = BTreeMap::new();
        for segment in file.elf_program_headers().iter().filter(|segment| segment.p_type(endian) == PT_LOAD) {
            let content = segment.data(endian, elf).map_err(|()| ImageError::NotArmElf)?;
            if content.is_empty() {
                continue;
            }
            let start = segment.p_paddr(endian);
            image.insert(start, content)?;
            // No overflow: the segment is in flash.
            let end = start + content.len() as u32;
            if let Some((&other, _)) = taken.range(..end).next_back().filter(|(_, other_end)| start < **other_end) {
                return Err(ImageError::Overlap(other.max(start)));
            }
            taken.insert(start, end);
        }
        if !image.has_image_def() {
            image.chip = Chip::Rp2040;
            if let Some((&start, _)) = taken.iter().find(|(_, end)| **end > image.chip.flash().end) {
                return Err(ImageError::OutsideFlash(start));
            }
            image.flash.truncate(image.chip.flash_size());
            image.is_used.truncate(image.chip.flash_size() / SECTOR);
        }
        Ok(image)
    }

    /// The chip that the image is for.
    pub fn chip(&self) -> Chip {
        self.chip
    }

    /// Puts bytes into the image. An address outside flash is an error.
    pub(crate) fn insert(&mut self, address: u32, content: &[u8]) -> Result<(), ImageError> {
        let outside = ImageError::OutsideFlash(address);
        let start = address.checked_sub(self.chip.flash().start).ok_or(outside)? as usize;
        let end = start.checked_add(content.len()).ok_or(outside)?;
        self.flash.get_mut(start..end).ok_or(outside)?.copy_from_slice(content);
        self.is_used[start / SECTOR..end.div_ceil(SECTOR)].fill(true);
        Ok(())
    }

    /// The content of the whole flash after programming, if it was erased before.
    pub fn flash(&self) -> &[u8] {
        &self.flash
    }

    /// Turns the image into the content of the whole flash.
    pub fn into_flash(self) -> Vec<u8> {
        self.flash
    }

    /// Address and content of each page of all used sectors, the lowest address first.
    pub fn pages(&self) -> impl Iterator<Item = (u32, &[u8; PAGE])> {
        let (pages, _) = self.flash.as_chunks::<PAGE>();
        let is_used = |index: &usize| self.is_used[index * PAGE / SECTOR];
        let start = self.chip.flash().start;
        (0..pages.len()).filter(is_used).map(move |index| (start + (index * PAGE) as u32, &pages[index]))
    }

    fn has_image_def(&self) -> bool {
        image_def::is_present(|at| Some(u32::from_le_bytes(*self.flash.get(at..)?.first_chunk()?)))
    }

    /// Checks that the boot ROM can start the image. The first vector must be a stack pointer in RAM, the second a
    /// reset handler in flash with its Thumb bit set. An RP2350 also needs an IMAGE_DEF.
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
