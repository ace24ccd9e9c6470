//! The journal in a flash with any content.

use arbitrary::{Result, Unstructured};
use crc::{CRC_32_ISO_HDLC, Crc};
use lights_out::journal::{Error, Journal, MAX_PAYLOAD, SLOT, Tidied};
use player::mock_flash::{Cut, MockFlash, SECTOR};

const CHECKSUM: Crc<u32> = Crc::<u32>::new(&CRC_32_ISO_HDLC);
/// The size of a record header: number, length and checksum.
const HEADER: usize = 12;
/// The largest number of records that are written before the journal is opened.
const MAX_RECORDS: usize = 40;
/// The largest number of events after that.
const MAX_EVENTS: usize = 40;

/// The input is the content of a flash of 3 to 6 sectors, and a list of events: saves, erases, power cycles, power
/// cuts. The next power-on finds the last acknowledged save. After a power cut it finds the complete new save or the
/// save before it.
pub fn journal(input: &[u8]) {
    // The events end with the input.
    let _ = play(&mut Unstructured::new(input));
}

fn play(input: &mut Unstructured<'_>) -> Result<()> {
    let mut flash = MockFlash::new(input.int_in_range(3..=6)?);
    let slots = (flash.bytes.len() / SLOT) as u8;
    for _ in 0..input.int_in_range(0..=MAX_RECORDS)? {
        let slot = usize::from(input.int_in_range(0..=slots - 1)?);
        write_slot(&mut flash.bytes[slot * SLOT..][..SLOT], input)?;
    }

    let (mut journal, mut newest) = open(&mut flash);
    for count in 0..MAX_EVENTS {
        if input.is_empty() {
            break;
        }
        match input.int_in_range(0..=3)? {
            0 => drop(journal.tidy(&mut flash).expect("the power is on")),
            1 => {
                let (opened, found) = open(&mut flash);
                assert_eq!(found, newest, "after a power cycle");
                journal = opened;
            }
            kind => {
                let payload = vec![count as u8; usize::from(input.arbitrary::<u8>()?) % MAX_PAYLOAD];
                if kind == 3 {
                    flash.cut = Some(Cut {
                        after: input.int_in_range(0..=2)?,
                        progress: usize::from(input.arbitrary::<u8>()?),
                        seed: count as u64,
                    });
                }
                let is_saved = save(&mut journal, &mut flash, &payload);
                assert!(is_saved || flash.is_off, "a save fails only at a power cut");
                flash = flash.with_power_restored();
                let (opened, found) = open(&mut flash);
                assert!(found.as_ref() == Some(&payload) || !is_saved && found == newest, "found {found:?}");
                newest = found;
                // With a power cycle, or in the same session.
                if !is_saved || input.arbitrary()? {
                    journal = opened;
                }
            }
        }
    }
    Ok(())
}

/// Fills a slot with a complete record of any number, or with any bytes at any address.
fn write_slot(slot: &mut [u8], input: &mut Unstructured<'_>) -> Result<()> {
    if input.ratio(3, 4)? {
        let number: u32 = if input.arbitrary()? { input.arbitrary::<u8>()?.into() } else { input.arbitrary()? };
        let length = usize::from(input.arbitrary::<u16>()?) % (MAX_PAYLOAD + 1);
        write_record(slot, number, &vec![input.arbitrary()?; length]);
    } else {
        let at = usize::from(input.arbitrary::<u16>()?) % SLOT;
        let length = usize::from(input.arbitrary::<u8>()?).min(SLOT - at).min(input.len());
        slot[at..][..length].copy_from_slice(input.bytes(length)?);
    }
    Ok(())
}

/// Fills a slot with a complete record.
pub(crate) fn write_record(slot: &mut [u8], number: u32, payload: &[u8]) {
    slot[..4].copy_from_slice(&number.to_le_bytes());
    slot[4..8].copy_from_slice(&(payload.len() as u32).to_le_bytes());
    slot[HEADER..][..payload.len()].copy_from_slice(payload);
    let mut digest = CHECKSUM.digest();
    digest.update(&slot[..8]);
    digest.update(payload);
    slot[8..HEADER].copy_from_slice(&digest.finalize().to_le_bytes());
}

fn open(flash: &mut MockFlash) -> (Journal, Option<Vec<u8>>) {
    let (mut payload, end) = ([0; MAX_PAYLOAD], flash.size());
    let (journal, length) = Journal::open(flash, 0, end, &mut payload).expect("the power is on");
    (journal, length.map(|length| payload[..length].to_vec()))
}

/// Saves as the firmware does. Sectors are erased if there is no blank slot. Returns whether the save was acknowledged.
pub(crate) fn save(journal: &mut Journal, flash: &mut MockFlash, payload: &[u8]) -> bool {
    // For one save, no sector is erased twice.
    for _ in 0..=flash.bytes.len() / SECTOR {
        match journal.append(flash, payload) {
            Ok(()) => return true,
            Err(Error::Full) => match journal.tidy(flash) {
                Ok(Tidied::Erased | Tidied::AlreadyBlank) => {}
                Ok(Tidied::Nothing) => panic!("no blank slot, and nothing to erase"),
                Err(_) => return false,
            },
            Err(_) => return false,
        }
    }
    panic!("no blank slot after all sectors were erased")
}
