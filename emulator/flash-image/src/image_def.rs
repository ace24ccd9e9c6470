//! The IMAGE_DEF, which describes a program to the RP2350's boot ROM. Without it, the boot ROM does not start the
//! program.
//!
//! The boot ROM searches the first 4 KB of flash for blocks, which are word-aligned. The format of a block is
//!
//! ```text
//! first marker | items | last item: 0xFF, the number of words of the items | distance to the next block | last marker
//! ```
//! Each item begins with one byte for its kind and one or two bytes for its length in words. The blocks form a ring:
//! the last block points to the first. In our firmware there is one block, which points to itself. A block with the
//! item IMAGE_TYPE is an IMAGE_DEF.

const MARKERS: [u32; 2] = [0xFFFF_DED3, 0xAB12_3579];
/// The boot ROM searches this many bytes from the start of flash.
const SEARCH_SIZE: usize = 4096;
/// The maximum number of words of a block.
const MAX_WORDS: usize = 160;
/// The maximum number of blocks of a firmware.
const MAX_BLOCKS: usize = 16;
/// Kind of the last item of a block.
const LAST: u8 = 0xFF;
/// Kind of the item with the flags of the image.
const IMAGE_TYPE: u8 = 0x42;
/// The bit of an item's kind that means a length of two bytes.
const LONG: u8 = 0x80;
/// The flags of our images: executable (bits 0 to 3), secure (4 and 5), ARM (8 to 10), RP2350 (12 to 14), no "try
/// before you buy" (15).
const RP2350_PROGRAM: u16 = 0x1021;

/// Whether the flash contains an IMAGE_DEF that the boot ROM of an RP2350 accepts. `word` returns the word at an offset
/// from the start of flash, or `None` after its end.
pub fn is_present(word: impl Fn(usize) -> Option<u32>) -> bool {
    // The ring begins with the first valid block.
    let Some(first) = (0..SEARCH_SIZE).step_by(4).find(|&at| Block::at(&word, at).is_some()) else { return false };
    let (mut at, mut is_program) = (first, false);
    for _ in 0..MAX_BLOCKS {
        let Some(block) = Block::at(&word, at) else { return false };
        is_program |= block.image_type == Some(RP2350_PROGRAM);
        at = at.wrapping_add_signed(block.next as isize);
        if at == first {
            return is_program;
        }
    }
    false
}

struct Block {
    image_type: Option<u16>,
    /// The distance to the next block, in bytes.
    next: i32,
}

impl Block {
    /// The block at this offset, if there is one.
    fn at(flash: impl Fn(usize) -> Option<u32>, offset: usize) -> Option<Self> {
        let word = |index: usize| flash(offset.checked_add(4 * index)?);
        if word(0)? != MARKERS[0] {
            return None;
        }
        let (mut index, mut image_type) = (1, None);
        while index < MAX_WORDS {
            let [kind, length, more, flags] = word(index)?.to_le_bytes();
            let length = usize::from(length) + if kind & LONG != 0 { 256 * usize::from(more) } else { 0 };
            match kind {
                LAST if length == index - 1 && word(index + 2)? == MARKERS[1] => {
                    return Some(Self { image_type, next: word(index + 1)? as i32 });
                }
                LAST => return None,
                IMAGE_TYPE => image_type = Some(u16::from_le_bytes([more, flags])),
                _ => {}
            }
            // An item of length 0 would cause an endless loop.
            index += length.max(1);
        }
        None
    }
}
