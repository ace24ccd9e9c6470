//! Loading from a flash with any content, with saves of newer versions.

use arbitrary::{Result, Unstructured};
use crc::{CRC_32_ISO_HDLC, Crc};
use lights_out::game::Game;
use lights_out::journal::{Journal, MAX_LINKED_PAYLOAD, MAX_PAYLOAD, SLOT, Tidied};
use lights_out::level_boards;
use lights_out::load::{Loaded, load as load_from};
use lights_out::save::{Save, Snapshot, is_newer};
use player::mock_flash::{Cut, MockFlash};

use crate::journal::{save, write_record};

const CHECKSUM: Crc<u32> = Crc::<u32>::new(&CRC_32_ISO_HDLC);
/// The size of a link, at the end of a slot: a number, a slot and a checksum.
const LINK: usize = 12;
const LINK_AT: usize = SLOT - LINK;
/// A version far beyond the current one.
const NEWER: u8 = 200;
/// The largest number of records.
const MAX_RECORDS: usize = 40;
/// The number of saves before and after the power cut.
const SAVES: u32 = 100;
/// Above this number the journal keeps no other save. A real journal never reaches it: the flash is worn out before.
const LAST_TO_KEEP: u32 = u32::MAX / 2;
/// More rounds than in any generated save.
const FIRST_ROUND: u32 = 1000;

/// The input is the content of a flash of 3 to 15 sectors (records of this version and of newer ones, with or without
/// links, and any bytes), and the time of a power cut in the saves that follow. Each save is found again, no kept save
/// of a newer version is lost, and no result gets worse.
pub fn load(input: &[u8]) {
    // After the end of the input, all values are 0.
    let _ = play(&mut Unstructured::new(input));
}

fn play(input: &mut Unstructured<'_>) -> Result<()> {
    let mut flash = MockFlash::new(input.int_in_range(3..=15)?);
    let slots = (flash.bytes.len() / SLOT) as u32;
    let mut written: Vec<(u32, u32)> = Vec::new();
    for _ in 0..input.int_in_range(0..=MAX_RECORDS)? {
        let slot = input.int_in_range(0..=slots - 1)?;
        let slot = if input.arbitrary()? { slot & !7 } else { slot };
        let bytes = &mut flash.bytes[slot as usize * SLOT..][..SLOT];
        let number = fill(bytes, input)?;
        if input.arbitrary()? {
            let to =
                if input.ratio(7, 8)? && !written.is_empty() { *input.choose(&written)? } else { input.arbitrary()? };
            bytes[LINK_AT..].copy_from_slice(&link(to, number));
        }
        written.push((number, slot));
    }
    let cut = Cut {
        after: input.int_in_range(0..=300)?,
        progress: usize::from(input.arbitrary::<u16>()?) % (SLOT + 1),
        seed: input.arbitrary()?,
    };

    let first = Opened::of(&mut flash);
    flash.cut = Some(cut);
    let saved = save_repeatedly(&first, &mut flash, FIRST_ROUND);
    assert!(saved == FIRST_ROUND + SAVES || flash.is_off, "a save fails only at a power cut");
    flash = flash.with_power_restored();
    let second = Opened::of(&mut flash);
    assert!(saved == FIRST_ROUND || [saved, saved + 1].contains(&second.rounds()), "{} of {saved}", second.rounds());
    second.expect_no_loss_since(&first);
    let saved = save_repeatedly(&second, &mut flash, saved + 1);
    let last = Opened::of(&mut flash);
    assert_eq!(last.rounds(), saved, "the last save");
    last.expect_no_loss_since(&second);
    Ok(())
}

/// Saves repeatedly with an increasing number of rounds. Returns the number in the last acknowledged save.
fn save_repeatedly(opened: &Opened, flash: &mut MockFlash, round: u32) -> u32 {
    let mut journal = opened.loaded.journal.clone();
    let mut snapshot = opened.loaded.snapshot.clone().unwrap_or_else(|| Game::new(0, 1).snapshot());
    for round in round..round + SAVES {
        snapshot.records.rounds = round + 1;
        if !save(&mut journal, flash, Save::of(&snapshot).expect("it fits").bytes()) {
            return round;
        }
        if round.is_multiple_of(16) {
            // The handheld sleeps. After a power cut here, the next save fails.
            while journal.tidy(flash).is_ok_and(|tidied| tidied != Tidied::Nothing) {}
        }
    }
    round + SAVES
}

/// Fills a slot. Returns the number of its record, if it is a record.
fn fill(slot: &mut [u8], input: &mut Unstructured<'_>) -> Result<u32> {
    let number: u32 = if input.ratio(7, 8)? { input.arbitrary::<u8>()?.into() } else { input.arbitrary()? };
    // The following saves do not count beyond the last number that is kept.
    let is_too_close = number <= LAST_TO_KEEP && LAST_TO_KEEP - number < 4 * SAVES;
    let number = if is_too_close { number - 4 * SAVES } else { number };
    match input.int_in_range(0..=3)? {
        0 => {
            let mut snapshot = Game::new(0, 1).snapshot();
            snapshot.records.solved(input.int_in_range(0..=9)?, input.arbitrary::<u8>()?.into());
            snapshot.records.best_action = input.arbitrary::<u8>()?.into();
            write_record(slot, number, Save::of(&snapshot).expect("it fits").bytes());
        }
        1 => {
            let length = usize::from(input.arbitrary::<u16>()?) % MAX_LINKED_PAYLOAD;
            let mut payload = vec![input.arbitrary()?; length + 1];
            payload[0] = NEWER;
            write_record(slot, number, &payload);
        }
        2 => {
            let length = usize::from(input.arbitrary::<u16>()?) % (MAX_PAYLOAD + 1);
            write_record(slot, number, &vec![input.arbitrary()?; length]);
        }
        _ => {
            let length = usize::from(input.arbitrary::<u8>()?).min(input.len());
            slot[..length].copy_from_slice(input.bytes(length)?);
        }
    }
    Ok(number)
}

/// The link to a record (number and slot) from the record with the number `from`.
fn link((kept, slot): (u32, u32), from: u32) -> [u8; LINK] {
    let checksum = CHECKSUM.checksum([kept, slot, from].map(u32::to_le_bytes).as_flattened());
    let mut link = [0; LINK];
    link.copy_from_slice([kept, slot, checksum].map(u32::to_le_bytes).as_flattened());
    link
}

/// The loaded data, and the payloads of the kept saves.
struct Opened {
    loaded: Loaded,
    kept: Vec<Vec<u8>>,
}

impl Opened {
    fn of(flash: &mut MockFlash) -> Self {
        let (mut bytes, end) = ([0; MAX_PAYLOAD], flash.size());
        let loaded = load_from(flash, 0, end).expect("the power is on");
        let mut kept = Vec::new();
        let in_flash = loaded.journal.kept_count();
        if loaded.kept > in_flash {
            let (_, length) = Journal::open(flash, 0, end, &mut bytes).expect("the power is on");
            kept.push(bytes[..length.expect("the newest save")].to_vec());
        }
        // The saves that are no longer needed come first.
        for index in in_flash - (loaded.kept - kept.len())..in_flash {
            let length = loaded.journal.kept(flash, index, &mut bytes).expect("the power is on");
            kept.push(bytes[..length.expect("a complete record")].to_vec());
        }
        Self { loaded, kept }
    }

    /// The number of rounds in the newest save.
    fn rounds(&self) -> u32 {
        self.loaded.snapshot.as_ref().map_or(0, |snapshot| snapshot.records.rounds)
    }

    fn expect_no_loss_since(&self, before: &Self) {
        let mut newer = before.kept.iter().filter(|kept| is_newer(kept));
        assert!(newer.all(|kept| self.kept.contains(kept)), "a save of a newer version is lost");
        let Some(Snapshot { records: old, .. }) = &before.loaded.snapshot else { return };
        let new = &self.loaded.snapshot.as_ref().expect("a save").records;
        for level in 0..level_boards::COUNT {
            if let Some(moves) = old.best_moves(level) {
                assert!(new.best_moves(level).is_some_and(|best| best <= moves), "level {level}");
            }
        }
        assert!(new.best_action >= old.best_action);
        assert!(old.slots.iter().zip(&new.slots).all(|(old, new)| old.is_none() || new.is_some()), "a drawing is lost");
    }
}
