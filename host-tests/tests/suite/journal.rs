//! The journal loses no save, whenever the power is cut. `LIGHTS_OUT_LONG=1` runs the long form.

use crc::{CRC_32_ISO_HDLC, Crc};
use lights_out::journal::{Error, IgnoredRecords, Journal, MAX_PAYLOAD, Tidied};
use player::mock_flash::{Cut, MockFlash, SECTOR};
use rand_core::Rng;
use rand_pcg::Pcg32;

use crate::support::is_long_campaign;

pub(super) const SECTORS: usize = 15;
const CHECKSUM: Crc<u32> = Crc::<u32>::new(&CRC_32_ISO_HDLC);

pub(super) fn open(flash: &mut MockFlash) -> (Journal, Option<Vec<u8>>) {
    let end = flash.size();
    open_between(flash, 0, end)
}

fn open_between(flash: &mut MockFlash, start: u32, end: u32) -> (Journal, Option<Vec<u8>>) {
    let mut payload = [0; MAX_PAYLOAD];
    let (journal, length) = Journal::open(flash, start, end, &mut payload).expect("the mock flash can always be read");
    (journal, length.map(|length| payload[..length].to_vec()))
}

/// The payload of the n-th save. Its bytes differ from those of all other saves.
pub(super) fn payload(n: u32) -> Vec<u8> {
    let mut rng = Pcg32::new(n.into(), 9);
    let length = 4 + rng.next_u32() as usize % 300;
    n.to_le_bytes().into_iter().chain((4..length).map(|_| rng.next_u32() as u8)).collect()
}

/// Saves as the firmware does. A sector is erased if there is no blank slot, and also ahead of time if `quiet`.
pub(super) fn save(journal: &mut Journal, flash: &mut MockFlash, n: u32, quiet: bool) -> Result<(), ()> {
    save_bytes(journal, flash, &payload(n), quiet)
}

/// Saves any payload. An error is a power cut.
pub(super) fn save_bytes(journal: &mut Journal, flash: &mut MockFlash, payload: &[u8], quiet: bool) -> Result<(), ()> {
    let mut result = journal.append(flash, payload);
    while result == Err(Error::Full) {
        match journal.tidy(flash) {
            Ok(Tidied::Erased | Tidied::AlreadyBlank) => result = journal.append(flash, payload),
            Ok(Tidied::Nothing) => panic!("no blank slot, and nothing to erase"),
            Err(_) => return Err(()),
        }
    }
    result.map_err(|_| ())?;
    if quiet && !journal.is_ready() {
        journal.tidy(flash).map_err(|_| ())?;
    }
    Ok(())
}

#[test]
fn last_save_is_found_again() {
    let mut flash = MockFlash::new(SECTORS);
    let (mut journal, found) = open(&mut flash);
    assert_eq!(found, None);
    for n in 0..1000 {
        save(&mut journal, &mut flash, n, n % 3 == 0).unwrap();
        assert_eq!(open(&mut flash).1, Some(payload(n)), "save {n}");
        if n % 7 == 0 {
            journal = open(&mut flash).0;
        }
    }
}

/// A Pico has its saves in the second of its 2 MB, a Pico 2 in the last of its 4 MB. In this test a megabyte has the
/// size of one journal.
#[test]
fn journal_is_read_only_from_its_own_range() {
    let mega = (SECTORS * SECTOR) as u32;
    let mut pico = MockFlash::new(2 * SECTORS);
    let (mut journal, _) = open_between(&mut pico, mega, 2 * mega);
    for n in 0..100 {
        save(&mut journal, &mut pico, n, true).unwrap();
    }
    let [program, saves] = [&pico.bytes[..mega as usize], &pico.bytes[mega as usize..]];
    let flash_of = |parts: [&[u8]; 4]| MockFlash { bytes: parts.concat(), ..MockFlash::new(4 * SECTORS) };
    let blank = vec![0xFF; mega as usize];

    // Saves that are moved to the end of the larger flash are read, and more saves follow.
    let mut moved = flash_of([program, &blank, &blank, saves]);
    let (mut journal, found) = open_between(&mut moved, 3 * mega, 4 * mega);
    assert_eq!(found, Some(payload(99)));
    save(&mut journal, &mut moved, 100, true).unwrap();
    assert_eq!(open_between(&mut moved, 3 * mega, 4 * mega).1, Some(payload(100)));
    // Saves at the address of the other chip are not found, in either direction.
    let mut whole = flash_of([program, saves, &blank, &blank]);
    assert_eq!(open_between(&mut whole, 3 * mega, 4 * mega).1, None);
    let mut half = MockFlash { bytes: moved.bytes[..2 * mega as usize].to_vec(), ..MockFlash::new(2 * SECTORS) };
    assert_eq!(open_between(&mut half, mega, 2 * mega).1, None);
}

#[test]
fn tidy_journal_saves_many_times_without_an_erase() {
    let mut flash = MockFlash::new(SECTORS);
    let (mut journal, _) = open(&mut flash);
    (0..500).for_each(|n| save(&mut journal, &mut flash, n, true).unwrap());
    while journal.tidy(&mut flash).unwrap() != Tidied::Nothing {}
    assert!(journal.is_ready());
    let erases = flash.erases.clone();
    let in_a_row = (500..).take_while(|&n| journal.append(&mut flash, &payload(n)).is_ok()).count();
    assert_eq!(flash.erases, erases);
    assert!(in_a_row >= (SECTORS - 2) * SECTOR / 512, "only {in_a_row}");
}

#[test]
fn too_long_save_is_refused() {
    let mut flash = MockFlash::new(SECTORS);
    let (mut journal, _) = open(&mut flash);
    assert_eq!(journal.append(&mut flash, &[0; MAX_PAYLOAD + 1]), Err(Error::TooLong));
    journal.append(&mut flash, &[7; MAX_PAYLOAD]).unwrap();
    assert_eq!(open(&mut flash).1, Some(vec![7; MAX_PAYLOAD]));
}

#[test]
fn wear_is_even_over_100_000_saves() {
    let mut flash = MockFlash::new(SECTORS);
    let (mut journal, _) = open(&mut flash);
    for n in 0..100_000 {
        save(&mut journal, &mut flash, n, n % 5 == 0).unwrap();
        if n % 10_000 == 0 {
            journal = open(&mut flash).0;
        }
    }
    let (least, most) = (flash.erases.iter().min().unwrap(), flash.erases.iter().max().unwrap());
    println!("100,000 saves: each sector was erased {least} to {most} times");
    assert!(most - least <= 2);
}

#[test]
fn random_flash_content_is_an_empty_journal() {
    let mut rng = Pcg32::new(3, 3);
    for round in 0..200 {
        let mut flash = MockFlash::new(4);
        let density = rng.next_u32() % 9;
        for byte in &mut flash.bytes {
            *byte = if rng.next_u32() % 8 < density { rng.next_u32() as u8 } else { 0xFF };
        }
        let (mut journal, found) = open(&mut flash);
        assert_eq!(found, None, "round {round}");
        for n in 0..40 {
            save(&mut journal, &mut flash, n, true).unwrap();
        }
        assert_eq!(open(&mut flash).1, Some(payload(39)));
    }
}

#[test]
fn torn_first_record_does_not_hide_its_successor() {
    for cut_at in [12, 20, 60] {
        let mut flash = MockFlash::new(SECTORS);
        let (mut journal, _) = open(&mut flash);
        // Fills the first sector. The next save begins another sector, and the power is cut while its header is
        // programmed.
        (0..SECTOR as u32 / 512).for_each(|n| journal.append(&mut flash, &payload(n)).unwrap());
        flash.cut = Some(Cut { after: flash.operations, progress: cut_at, seed: 3 });
        assert!(journal.append(&mut flash, &payload(100)).is_err());
        let mut flash = flash.with_power_restored();
        let (mut journal, found) = open(&mut flash);
        assert_eq!(found, Some(payload(SECTOR as u32 / 512 - 1)));
        journal.append(&mut flash, &payload(101)).unwrap();
        assert_eq!(open(&mut flash).1, Some(payload(101)));
    }
}

/// Writes a record with any number into any slot. A journal does not write such records.
pub(super) fn plant(flash: &mut MockFlash, slot: usize, number: u32, payload: &[u8]) {
    let mut record = [number, payload.len() as u32].map(u32::to_le_bytes).as_flattened().to_vec();
    let mut digest = CHECKSUM.digest();
    digest.update(&record);
    digest.update(payload);
    record.extend(digest.finalize().to_le_bytes());
    record.extend(payload);
    flash.bytes[512 * slot..][..record.len()].copy_from_slice(&record);
}

/// Saves repeatedly. Each save is found after a power cycle.
fn expect_saves(flash: &mut MockFlash, saves: u32) {
    for n in 1000..1000 + saves {
        let (mut journal, _) = open(flash);
        save(&mut journal, flash, n, n % 3 == 0).unwrap();
        assert_eq!(open(flash).1, Some(payload(n)), "save {n}");
    }
}

#[test]
fn wrapped_numbers_lose_no_save() {
    for number in [u32::MAX, u32::MAX - 1, u32::MAX - 20, u32::MAX - 0x8000, u32::MAX - 0x1_0000, 0x7FFF_FFFF] {
        let mut flash = MockFlash::new(SECTORS);
        plant(&mut flash, 0, number, &payload(1));
        assert_eq!(open(&mut flash).1, Some(payload(1)));
        expect_saves(&mut flash, 300);
    }
}

#[test]
fn records_with_any_numbers_lose_no_save() {
    let mut rng = Pcg32::new(77, 1);
    let near = [0, 1, 2, 7, 8, 0x7FFE, 0x7FFF, 0x8000, 0x8001, 0xFFFE, 0xFFFF, 0x1_0000, 0x1_0001];
    for _ in 0..300 {
        let mut flash = MockFlash::new(SECTORS);
        let slots = SECTORS * SECTOR / 512;
        for _ in 0..1 + rng.next_u32() % 20 {
            let far = near[rng.next_u32() as usize % near.len()];
            let number = match rng.next_u32() % 4 {
                0 => rng.next_u32(),
                1 => far,
                2 => u32::MAX - far,
                _ => 0x8000_0000 + far,
            };
            let slot = rng.next_u32() as usize % slots;
            let slot = if rng.next_u32().is_multiple_of(2) { slot & !7 } else { slot };
            plant(&mut flash, slot, number, &payload(slot as u32));
        }
        expect_saves(&mut flash, 20);
    }
}

#[test]
fn number_too_far_ahead_hides_no_save() {
    let mut flash = MockFlash::new(SECTORS);
    plant(&mut flash, 24, 1, &payload(1));
    plant(&mut flash, 31, 9, &payload(9));
    assert_eq!(open(&mut flash).1, Some(payload(1)));
    expect_saves(&mut flash, 20);
}

#[test]
fn older_save_is_dropped_if_there_is_no_room() {
    let mut flash = MockFlash::new(SECTORS);
    // The sector of the newest save has no blank slot. The save before is in the next sector, where a journal never
    // writes it.
    flash.bytes[..SECTOR].fill(0);
    flash.bytes[..512].fill(0xFF);
    plant(&mut flash, 0, 10, &payload(10));
    plant(&mut flash, 8, 9, &payload(9));
    (2..SECTORS).for_each(|sector| flash.bytes[sector * SECTOR + 100] = 0);
    let (journal, found) = open(&mut flash);
    assert_eq!(found, Some(payload(10)));
    assert_eq!(journal.ignored(), IgnoredRecords { before: true, ..IgnoredRecords::default() });
    expect_saves(&mut flash, 200);
    assert_eq!(open(&mut flash).0.ignored(), IgnoredRecords::default());
}

/// Slots can become unusable while the journal is open.
#[test]
fn save_before_newest_is_dropped_to_make_room() {
    let mut flash = MockFlash::new(3);
    let (mut journal, _) = open(&mut flash);
    (0..8).for_each(|n| journal.append(&mut flash, &payload(n)).unwrap());
    // The second sector has to be skipped, and the third has room for one save only.
    flash.bytes[SECTOR + 100] = 0;
    journal.append(&mut flash, &payload(8)).unwrap();
    flash.bytes[2 * SECTOR + 512..].fill(0);
    assert_eq!(journal.append(&mut flash, &payload(9)), Err(Error::Full));
    save(&mut journal, &mut flash, 9, false).unwrap();
    assert_eq!(open(&mut flash).1, Some(payload(9)));
}

#[test]
fn cut_during_erase_of_foreign_records_loses_nothing() {
    for cut_at in 0..12 {
        let mut flash = MockFlash::new(SECTORS);
        for (slot, number) in [(0, 0xC000_0000), (8, 0x4000_0000), (16, 0x8000_0000), (24, 5)] {
            plant(&mut flash, slot, number, &payload(number));
        }
        flash.cut = Some(Cut { after: flash.operations + cut_at / 4, progress: cut_at as usize % 4 * 3, seed: 5 });
        let (mut journal, found) = open(&mut flash);
        assert_eq!(found, Some(payload(0xC000_0000)));
        let saved = save(&mut journal, &mut flash, 1, false).is_ok();
        let mut flash = flash.with_power_restored();
        let found = open(&mut flash).1;
        assert_eq!(found, Some(payload(if saved { 1 } else { 0xC000_0000 })), "cut {cut_at}");
        expect_saves(&mut flash, 30);
    }
}

/// Checks the flash after a power cut while save `n` was written or the next sector was erased. Save `n` or the save
/// before it is found. The next save works, even if the power is cut again. Returns the number of second cuts.
fn expect_recovery(cut_flash: &MockFlash, n: u32, second_cut: Option<Cut>) -> u32 {
    let mut flash = MockFlash { cut: second_cut, ..cut_flash.with_power_restored() };
    let (mut journal, found) = open(&mut flash);
    let newest = found.expect("a save");
    let found_number = u32::from_le_bytes(newest[..4].try_into().unwrap());
    assert!(found_number == n || found_number + 1 == n, "save {found_number} after a cut in save {n}");
    assert_eq!(newest, payload(found_number), "the record is complete");
    let saved = save(&mut journal, &mut flash, n + 1, true).is_ok();
    let mut after = flash.with_power_restored();
    let (mut journal, found) = open(&mut after);
    let newest = found.expect("a save after the second cut");
    let number = u32::from_le_bytes(newest[..4].try_into().unwrap());
    assert_eq!(newest, payload(number));
    assert!(number == n + 1 || !saved && number == found_number, "save {number}");
    save(&mut journal, &mut after, n + 2, true).expect("the next save works");
    assert_eq!(open(&mut after).1, Some(payload(n + 2)));
    u32::from(second_cut.is_some())
}

#[test]
fn no_cut_in_any_flash_operation_loses_a_save() {
    // A small journal, so that sectors are erased often. 200 saves follow after it has been filled once.
    const SMALL: usize = 4;
    let mut rng = Pcg32::new(200, 5);
    let mut flash = MockFlash::new(SMALL);
    let (mut journal, _) = open(&mut flash);
    let warm_up = 40;
    (0..warm_up).for_each(|n| save(&mut journal, &mut flash, n, true).unwrap());
    let (mut cuts, mut second_cuts, mut operations) = (0_u32, 0_u32, 0_u32);
    let seeds = if is_long_campaign() { 8 } else { 1 };
    for n in warm_up..warm_up + 200 {
        // The number of flash operations of this save.
        let mut trial = flash.with_power_restored();
        let mut trial_journal = journal.clone();
        let before = trial.operations;
        save(&mut trial_journal, &mut trial, n, true).unwrap();
        let count = trial.operations - before;
        operations += count;
        for operation in 0..count {
            let mut progress = 0;
            loop {
                let mut cuts_of_this = 0;
                for _ in 0..seeds {
                    let cut = Cut { after: operation, progress, seed: rng.next_u64() };
                    let mut torn = MockFlash { cut: Some(cut), ..flash.with_power_restored() };
                    assert!(save(&mut journal.clone(), &mut torn, n, true).is_err());
                    cuts_of_this = torn.last_cuts;
                    // During the erase after save n, save n is already written.
                    let second = rng.next_u32().is_multiple_of(4).then(|| Cut {
                        after: rng.next_u32() % 2,
                        progress: rng.next_u32() as usize % 12,
                        seed: rng.next_u64(),
                    });
                    second_cuts += expect_recovery(&torn, n, second);
                    cuts += 1;
                }
                progress += 1;
                if progress >= cuts_of_this {
                    break;
                }
            }
        }
        save(&mut journal, &mut flash, n, true).unwrap();
    }
    println!(
        "{cuts} cuts in {operations} flash operations of 200 saves, {second_cuts} of them with a second cut: none lost"
    );
    assert!(cuts > 20_000 && second_cuts > 5000);
}
