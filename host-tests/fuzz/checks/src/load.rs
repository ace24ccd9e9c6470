//! What is loaded from a flash of any contents, with saves of newer versions in it.

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
/// The link in a slot: a number, a slot and a checksum, at its end.
const LINK: usize = 12;
const LINK_AT: usize = SLOT - LINK;
/// A version that is newer than any for years to come.
const NEWER: u8 = 200;
const MOST_RECORDS: usize = 40;
/// So many saves, and as many again after a power cut in them.
const SAVES: u32 = 100;
/// The journal keeps nothing behind a number that is higher. A real journal never counts up to it: its flash is worn out
/// before.
const LAST_TO_KEEP: u32 = u32::MAX / 2;
/// More rounds than any save has that is made up here.
const FIRST_ROUND: u32 = 1000;

/// The input is the contents of a flash of 3 to 15 sectors: records of this version and of newer ones, with links or without, and any
/// bytes; then where the power is cut in the saves that follow. Whatever it is, each save is found again, no save of a newer
/// version that was kept is lost, and no result gets worse.
pub fn load(input: &[u8]) {
    // Where the input ends, the rest is zeros.
    let _ = play(&mut Unstructured::new(input));
}

fn play(input: &mut Unstructured<'_>) -> Result<()> {
    let mut flash = MockFlash::new(input.int_in_range(3..=15)?);
    let slots = (flash.bytes.len() / SLOT) as u32;
    let mut written: Vec<(u32, u32)> = Vec::new();
    for _ in 0..input.int_in_range(0..=MOST_RECORDS)? {
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
    let saved = save_on(&first, &mut flash, FIRST_ROUND);
    assert!(saved == FIRST_ROUND + SAVES || flash.dead, "only a power cut keeps a save from being written");
    flash = flash.revived();
    let second = Opened::of(&mut flash);
    assert!(saved == FIRST_ROUND || [saved, saved + 1].contains(&second.rounds()), "{} of {saved}", second.rounds());
    second.expect_no_loss_since(&first);
    let saved = save_on(&second, &mut flash, saved + 1);
    let last = Opened::of(&mut flash);
    assert_eq!(last.rounds(), saved, "the last save");
    last.expect_no_loss_since(&second);
    Ok(())
}

/// Saves on with what was opened, counting rounds; the last one that was acknowledged.
fn save_on(opened: &Opened, flash: &mut MockFlash, round: u32) -> u32 {
    let mut journal = opened.loaded.journal.clone();
    let mut snapshot = opened.loaded.snapshot.clone().unwrap_or_else(|| Game::new(0, 1).snapshot());
    for round in round..round + SAVES {
        snapshot.records.rounds = round + 1;
        if !save(&mut journal, flash, Save::of(&snapshot).expect("it fits").bytes()) {
            return round;
        }
        if round.is_multiple_of(16) {
            // Sleep. If the power is cut meanwhile, the next save finds out.
            while journal.tidy(flash).is_ok_and(|tidied| tidied != Tidied::Nothing) {}
        }
    }
    round + SAVES
}

/// Fills a slot; the number of its record, if it is one.
fn fill(slot: &mut [u8], input: &mut Unstructured<'_>) -> Result<u32> {
    let number: u32 = if input.ratio(7, 8)? { input.arbitrary::<u8>()?.into() } else { input.arbitrary()? };
    // The saves that follow do not count past the last number that is kept.
    let is_counted_past = number <= LAST_TO_KEEP && LAST_TO_KEEP - number < 4 * SAVES;
    let number = if is_counted_past { number - 4 * SAVES } else { number };
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

/// The link to a record, given by number and slot, from the record of a number.
fn link((kept, slot): (u32, u32), from: u32) -> [u8; LINK] {
    let checksum = CHECKSUM.checksum([kept, slot, from].map(u32::to_le_bytes).as_flattened());
    let mut link = [0; LINK];
    link.copy_from_slice([kept, slot, checksum].map(u32::to_le_bytes).as_flattened());
    link
}

/// What was loaded, with the bytes of what is kept from now on.
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
            kept.push(bytes[..length.expect("the newest is kept")].to_vec());
        }
        // What is let go comes first.
        for index in in_flash - (loaded.kept - kept.len())..in_flash {
            let length = loaded.journal.kept(flash, index, &mut bytes).expect("the power is on");
            kept.push(bytes[..length.expect("what is kept is whole")].to_vec());
        }
        Self { loaded, kept }
    }

    /// As the newest save has it.
    fn rounds(&self) -> u32 {
        self.loaded.snapshot.as_ref().map_or(0, |snapshot| snapshot.records.rounds)
    }

    fn expect_no_loss_since(&self, before: &Self) {
        let mut newer = before.kept.iter().filter(|kept| is_newer(kept));
        assert!(newer.all(|kept| self.kept.contains(kept)), "a save of a newer version is lost");
        let Some(Snapshot { records: old, .. }) = &before.loaded.snapshot else { return };
        let new = &self.loaded.snapshot.as_ref().expect("there was a save before").records;
        for level in 0..level_boards::COUNT {
            if let Some(moves) = old.best_moves(level) {
                assert!(new.best_moves(level).is_some_and(|best| best <= moves), "level {level}");
            }
        }
        assert!(new.best_action >= old.best_action);
        assert!(old.slots.iter().zip(&new.slots).all(|(old, new)| old.is_none() || new.is_some()), "a drawing is lost");
    }
}
