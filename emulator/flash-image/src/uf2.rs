//! UF2, the file that is dragged onto a Pico or a Pico 2: written, and read back.
//!
//! A UF2 file is a row of blocks of 512 bytes, each complete in itself, because a computer may write them to the drive in
//! any order: eight words of head (two magic numbers, flags, target address, payload size, number of the block, number
//! of blocks, the family of the chip), 476 bytes of which we use the first 256, and a last magic number. All words are
//! little endian. That the payload is 256 bytes, on a page of 256 bytes in flash, is what the boot ROMs take;
//! they restart when they have seen each number once. The RP2040's erases by sectors of 4 KB, and an erratum of the chip (RP2040-E14) can
//! lose data in a sector of which only some pages are in the file: so every sector that is touched is written whole.
//!
//! **One file for several chips** is their files, one behind the other: a boot ROM takes the blocks of its own family and ignores all
//! others, and so each part is numbered by itself. [`write_all`] puts the RP2040 first. Its ROM restarts a second after its last block, and the
//! RP2350's half a second after: so long it goes on swallowing what is not for it, and who copies the file sees no error. For the
//! erratum RP2350-E10 other tools put a block of the family "absolute" in front; we do not. It helps only where the flash has a
//! partition table, which a handheld has not; and it erases the last sector of the flash, where the saves are.
//!
//! Reading is as strict as the boot ROM and no stricter, so that files of other tools can be read. Whether a file is just
//! what we write is told by writing it again.
//!
//! By hand: a block is nine numbers and a page, and the crates for it only write.

use std::collections::BTreeSet;
use std::fmt;

use crate::Chip;
use crate::image::{Image, PAGE};

/// The first two words of a block and the last.
const MAGIC: [u32; 3] = [0x0A32_4655, 0x9E5D_5157, 0x0AB1_6F30];
/// Flags: the block is not for flash; the word at 28 is the chip's family.
const NOT_MAIN_FLASH: u32 = 0x0000_0001;
const FAMILY_PRESENT: u32 = 0x0000_2000;
/// Bytes of a block.
pub const BLOCK: usize = 512;

const HEAD: usize = 32;
/// Where the last word of a block is.
const TAIL: usize = BLOCK - 4;

/// What is wrong with a UF2 file; the first number is the block's place in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Uf2Error {
    /// The file is empty, or its length is not a multiple of 512.
    Length(usize),
    /// A magic number is not there.
    Magic(usize),
    /// The family of no chip that we know.
    Family(usize, u32),
    /// No family: the boot ROMs ignore such a block.
    NoFamily(usize),
    /// Nothing in it is for this chip.
    Nothing(Chip),
    /// A payload of another size than a page.
    Payload(usize, u32),
    /// An address that is not at the start of a page.
    Unaligned(usize, u32),
    /// An address that is not in flash.
    OutsideFlash(usize, u32),
    /// Its number, or the number of blocks, is not what its place says.
    Count(usize),
    /// Its page was written by a block before.
    Repeated(usize, u32),
}

impl fmt::Display for Uf2Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length(length) => write!(f, "{length} bytes are not a row of blocks"),
            Self::Magic(block) => write!(f, "block {block}: wrong magic number"),
            Self::Family(block, family) => {
                write!(f, "block {block}: family {family:#010x} is neither RP2040 nor RP2350")
            }
            Self::NoFamily(block) => write!(f, "block {block}: it does not say for which chip it is"),
            Self::Nothing(chip) => write!(f, "nothing in it is for the {chip}"),
            Self::Payload(block, size) => write!(f, "block {block}: payload of {size} bytes"),
            Self::Unaligned(block, address) => write!(f, "block {block}: {address:#010x} does not begin a page"),
            Self::OutsideFlash(block, address) => write!(f, "block {block}: {address:#010x} is not in flash"),
            Self::Count(block) => write!(f, "block {block}: wrongly numbered"),
            Self::Repeated(block, address) => write!(f, "block {block}: {address:#010x} was written before"),
        }
    }
}

impl std::error::Error for Uf2Error {}

/// Whether a file begins like one.
pub fn is_uf2(file: &[u8]) -> bool {
    file.starts_with(&MAGIC[0].to_le_bytes()) && file[4..].starts_with(&MAGIC[1].to_le_bytes())
}

/// The UF2 file of an image, lowest address first.
pub fn write(image: &Image) -> Vec<u8> {
    let count = image.pages().count() as u32;
    let mut file = Vec::with_capacity(count as usize * BLOCK);
    for (number, (address, content)) in (0..).zip(image.pages()) {
        let mut block = [0; BLOCK];
        let head = [MAGIC[0], MAGIC[1], FAMILY_PRESENT, address, PAGE as u32, number, count, image.chip().family()];
        for (place, word) in block.chunks_exact_mut(4).zip(head) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        block[HEAD..HEAD + PAGE].copy_from_slice(content);
        block[TAIL..].copy_from_slice(&MAGIC[2].to_le_bytes());
        file.extend(block);
    }
    file
}

/// One file of these images, of one chip each; an older chip comes first.
pub fn write_all(images: &[Image]) -> Vec<u8> {
    let of = |chip| images.iter().filter(move |image| image.chip() == chip);
    Chip::ALL.into_iter().flat_map(of).flat_map(write).collect()
}

/// What the file makes of the oldest chip that it is for.
pub fn read(file: &[u8]) -> Result<Image, Uf2Error> {
    let older = read_for(file, Chip::Rp2040);
    if let Err(Uf2Error::Nothing(_)) = older { read_for(file, Chip::Rp2350) } else { older }
}

/// What a board with this chip would make of the file.
pub fn read_for(file: &[u8], chip: Chip) -> Result<Image, Uf2Error> {
    let (blocks, rest) = file.as_chunks::<BLOCK>();
    if blocks.is_empty() || !rest.is_empty() {
        return Err(Uf2Error::Length(file.len()));
    }
    let mut image = Image::new(chip);
    let mut written = BTreeSet::new();
    // How many of the chip's blocks there were, and how many there should be.
    let (mut seen, mut expected) = (0, None);
    for (place, block) in blocks.iter().enumerate() {
        let word = |at: usize| u32::from_le_bytes([block[at], block[at + 1], block[at + 2], block[at + 3]]);
        if [word(0), word(4), word(TAIL)] != MAGIC {
            return Err(Uf2Error::Magic(place));
        }
        let [flags, address, size, number, count, family] = [8, 12, 16, 20, 24, 28].map(word);
        if flags & FAMILY_PRESENT == 0 {
            return Err(Uf2Error::NoFamily(place));
        }
        if family != chip.family() {
            if Chip::ALL.iter().any(|other| family == other.family()) {
                continue;
            }
            return Err(Uf2Error::Family(place, family));
        }
        if number != seen || *expected.get_or_insert(count) != count {
            return Err(Uf2Error::Count(place));
        }
        seen += 1;
        if flags & NOT_MAIN_FLASH != 0 {
            continue;
        }
        if size != PAGE as u32 {
            return Err(Uf2Error::Payload(place, size));
        }
        if !chip.flash().contains(&address) {
            return Err(Uf2Error::OutsideFlash(place, address));
        }
        if address % PAGE as u32 != 0 {
            return Err(Uf2Error::Unaligned(place, address));
        }
        if !written.insert(address) {
            return Err(Uf2Error::Repeated(place, address));
        }
        image.lay(address, &block[HEAD..HEAD + PAGE]).map_err(|_| Uf2Error::OutsideFlash(place, address))?;
    }
    match expected {
        None => Err(Uf2Error::Nothing(chip)),
        Some(count) if count == seen => Ok(image),
        Some(_) => Err(Uf2Error::Count(blocks.len())),
    }
}
