//! The IMAGE_DEF, by which the RP2350's boot ROM knows what it may start; it starts nothing without one.
//!
//! It is one of the blocks that the ROM looks for in the first 4 KB of flash, at any word. A block is
//!
//! ```text
//! first marker | items | last item: 0xFF, the number of words of the items | distance to the next block | last marker
//! ```
//! and each item begins with a byte for its kind and one or two for its length in words. The blocks are a ring: the last one leads
//! back to the first, which may be the same, as in our firmware. One of them has to have the item that says what kind of image this is.

const MARKERS: [u32; 2] = [0xFFFF_DED3, 0xAB12_3579];
/// Where the boot ROM looks.
const SEARCHED: usize = 4096;
/// No block has more words, and no firmware more blocks.
const MOST_WORDS: usize = 160;
const MOST_BLOCKS: usize = 16;
/// The kinds of items: the last one, and that of the image. The highest bit of a kind says that the length takes two bytes.
const LAST: u8 = 0xFF;
const IMAGE_TYPE: u8 = 0x42;
const LONG: u8 = 0x80;
/// The flags of an image for us: a program (bits 0 to 3), secure (4 and 5), for ARM (8 to 10), RP2350 (12 to 14), and not to be given
/// up unless it says in time that it works (15).
const RP2350_PROGRAM: u16 = 0x1021;

/// Whether the boot ROM of an RP2350 would start what is in a flash. `word` gives the word at an offset there, if there is one.
pub fn is_present(word: impl Fn(usize) -> Option<u32>) -> bool {
    // The first block that is one is where the ring begins.
    let Some(first) = (0..SEARCHED).step_by(4).find(|&at| Block::at(&word, at).is_some()) else { return false };
    let (mut at, mut is_program) = (first, false);
    for _ in 0..MOST_BLOCKS {
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
    /// Where the next one is from here, in bytes.
    next: i32,
}

impl Block {
    /// The block at this place, if there is one.
    fn at(flash: impl Fn(usize) -> Option<u32>, place: usize) -> Option<Self> {
        let word = |index: usize| flash(place.checked_add(4 * index)?);
        if word(0)? != MARKERS[0] {
            return None;
        }
        let (mut index, mut image_type) = (1, None);
        while index < MOST_WORDS {
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
            // An item without length would never end.
            index += length.max(1);
        }
        None
    }
}
