//! The format of a slot: a record, and after it the link to a record that is kept.
//!
//! ```text
//! 0       number of the record
//! 4       length of the payload
//! 8       checksum (CRC-32) of number, length and payload
//! 12      payload; its first byte is the version of the save
//! 500     link: number of the record that is kept
//! 504     link: slot of the record that is kept
//! 508     link: checksum of these two and the number of this record
//! ```
//! All numbers have 32 bits, least significant byte first. The first version of the firmware wrote the same records
//! without links. A record whose payload extends into the last 12 bytes has no link.
//!
//! The format of links and the position of the version must never change: every firmware has to keep the records that
//! a newer one has kept.

use crc::{CRC_32_ISO_HDLC, Crc};

/// The size of a slot: a record with its header and its link.
pub const SLOT: usize = 512;
/// The longest payload.
pub const MAX_PAYLOAD: usize = SLOT - HEADER;
/// The longest payload of a record with a link.
pub const MAX_LINKED_PAYLOAD: usize = LINK_AT - HEADER;

/// Number, length, checksum.
pub(super) const HEADER: usize = 4 + 4 + 4;
/// Number, slot, checksum.
const LINK: usize = 4 + 4 + 4;
/// The position of the link in a slot.
pub(super) const LINK_AT: usize = SLOT - LINK;
/// A byte of flash that is erased.
pub(super) const BLANK: u8 = 0xFF;

/// The numbers of records of one journal differ by less than this: the whole ring is erased many times in this number
/// of saves.
const MAX_DISTANCE: u32 = 1 << 15;
/// Numbers below this may have wrapped around. It is twice the distance, so that the records from before are erased by
/// then.
pub(super) const WRAP_RANGE: u32 = 2 * MAX_DISTANCE;

const CHECKSUM: Crc<u32> = Crc::<u32>::new(&CRC_32_ISO_HDLC);

/// A record in flash. Ordered by number, then by slot.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Record {
    /// Increases with every save.
    pub(super) number: u32,
    pub(super) slot: u32,
}

impl Record {
    /// Whether this record can be of the same journal as a newer one.
    pub(super) fn is_behind(self, newer: Self) -> bool {
        newer.number.wrapping_sub(self.number) < MAX_DISTANCE
    }

    /// This record with its number counted from `origin`.
    pub(super) fn counted_from(self, origin: u32) -> Self {
        Self { number: self.number.wrapping_sub(origin), ..self }
    }

    /// The bytes of a link to this record, for a record with `number`.
    pub(super) fn link_from(self, number: u32) -> [u8; LINK] {
        let mut link = [0; LINK];
        link[..4].copy_from_slice(&self.number.to_le_bytes());
        link[4..8].copy_from_slice(&self.slot.to_le_bytes());
        let checksum = link_checksum(&link, number);
        link[8..].copy_from_slice(&checksum.to_le_bytes());
        link
    }
}

/// The bytes of a slot with this record, and how many of them must be written.
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

/// The payload of a slot, if its record is valid.
pub(super) fn payload_of(slot: &[u8; SLOT]) -> Option<&[u8]> {
    let length = length_of(slot);
    let payload = slot.get(HEADER..HEADER.checked_add(length)?)?;
    (checksum(slot, length) == word(slot, 8)).then_some(payload)
}

/// The record that a valid record links to, if it has a link.
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
