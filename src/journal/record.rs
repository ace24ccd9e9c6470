//! The bytes of a slot: a record, and behind it the link to a record that is kept.
//!
//! ```text
//! 0       number of the record
//! 4       length of the payload
//! 8       checksum over the two and the payload
//! 12      payload, of which the first byte is the version of the save
//! 500     link: number of the record that is kept,
//! 504     its slot,
//! 508     checksum over the two and the number of this record
//! ```
//! Numbers have 32 bits and the least significant byte first. The first version of the firmware wrote records like this, without
//! links. A payload that reaches into the last 12 bytes leaves no room for a link.
//!
//! The format of links never changes, and neither does the place of the version: every firmware has to keep what a newer one has
//! kept before.

use crc::{CRC_32_ISO_HDLC, Crc};

/// One record, with its header and its link, fits into this.
pub const SLOT: usize = 512;
/// The longest payload.
pub const MAX_PAYLOAD: usize = SLOT - HEADER;
/// The longest payload of a record with a link.
pub const MAX_LINKED_PAYLOAD: usize = LINK_AT - HEADER;

/// Number, length, checksum.
pub(super) const HEADER: usize = 4 + 4 + 4;
/// Number, slot, checksum.
const LINK: usize = 4 + 4 + 4;
/// Where the link is in a slot.
pub(super) const LINK_AT: usize = SLOT - LINK;
/// Flash that was erased and not written since.
pub(super) const BLANK: u8 = 0xFF;

/// Records of one journal have numbers that are less than this apart: the ring is erased many times in so many saves.
const NEAR: u32 = 1 << 15;
/// Numbers below this may have wrapped around: twice as many, so that the last record from before that is long erased.
pub(super) const WRAPPED: u32 = 2 * NEAR;

const CHECKSUM: Crc<u32> = Crc::<u32>::new(&CRC_32_ISO_HDLC);

/// A record that is in flash. Ordered by number, then by place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Record {
    /// Counts up with every save.
    pub(super) number: u32,
    pub(super) slot: u32,
}

impl Record {
    /// Whether this record is of the same journal as a newer one.
    pub(super) fn is_behind(self, newer: Self) -> bool {
        newer.number.wrapping_sub(self.number) < NEAR
    }

    /// The record as it is ordered if the numbers begin at `origin`.
    pub(super) fn counted_from(self, origin: u32) -> Self {
        Self { number: self.number.wrapping_sub(origin), ..self }
    }

    /// The link to this record, in a record that has `number`.
    pub(super) fn link_from(self, number: u32) -> [u8; LINK] {
        let mut link = [0; LINK];
        link[..4].copy_from_slice(&self.number.to_le_bytes());
        link[4..8].copy_from_slice(&self.slot.to_le_bytes());
        let checksum = link_checksum(&link, number);
        link[8..].copy_from_slice(&checksum.to_le_bytes());
        link
    }
}

/// The bytes of a record: its slot, of which so many have to be written.
pub(super) fn encode(number: u32, payload: &[u8]) -> ([u8; SLOT], usize) {
    let mut bytes = [BLANK; SLOT];
    bytes[..4].copy_from_slice(&number.to_le_bytes());
    bytes[4..8].copy_from_slice(&(payload.len() as u32).to_le_bytes());
    bytes[HEADER..][..payload.len()].copy_from_slice(payload);
    let checksum = checksum(&bytes, payload.len());
    bytes[8..HEADER].copy_from_slice(&checksum.to_le_bytes());
    (bytes, HEADER + payload.len())
}

pub(super) fn number_of(header: &[u8]) -> u32 {
    word(header, 0)
}

pub(super) fn length_of(header: &[u8]) -> usize {
    word(header, 4) as usize
}

/// The payload of a slot, if what is in it is whole.
pub(super) fn payload_of(slot: &[u8; SLOT]) -> Option<&[u8]> {
    let length = length_of(slot);
    let payload = slot.get(HEADER..HEADER.checked_add(length)?)?;
    (checksum(slot, length) == word(slot, 8)).then_some(payload)
}

/// The record that a whole record links to, if it does.
pub(super) fn link_of(slot: &[u8; SLOT]) -> Option<Record> {
    let link = &slot[LINK_AT..];
    let is_link = length_of(slot) <= MAX_LINKED_PAYLOAD && link_checksum(link, number_of(slot)) == word(link, 8);
    is_link.then(|| Record { number: word(link, 0), slot: word(link, 4) })
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

fn checksum(slot: &[u8; SLOT], length: usize) -> u32 {
    let mut digest = CHECKSUM.digest();
    digest.update(&slot[..8]);
    digest.update(&slot[HEADER..][..length]);
    digest.finalize()
}

fn link_checksum(link: &[u8], number: u32) -> u32 {
    let mut digest = CHECKSUM.digest();
    digest.update(&link[..8]);
    digest.update(&number.to_le_bytes());
    digest.finalize()
}
