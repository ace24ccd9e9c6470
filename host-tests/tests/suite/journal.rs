//! Nothing is lost: the journal under every cut that a battery can make. `LIGHTS_OUT_LONG=1` makes it longer.

use crc::{CRC_32_ISO_HDLC, Crc};
use lights_out::journal::{Error, GivenUp, Journal, MAX_PAYLOAD, Tidied};
use player::mock_flash::{Cut, MockFlash, SECTOR};
use rand_core::Rng;
use rand_pcg::Pcg32;

use crate::support::long_form;

pub const SECTORS: usize = 15;
const CHECKSUM: Crc<u32> = Crc::<u32>::new(&CRC_32_ISO_HDLC);

pub fn open(flash: &mut MockFlash) -> (Journal, Option<Vec<u8>>) {
    let end = flash.size();
    open_between(flash, 0, end)
}

fn open_between(flash: &mut MockFlash, start: u32, end: u32) -> (Journal, Option<Vec<u8>>) {
    let mut payload = [0; MAX_PAYLOAD];
    let (journal, length) = Journal::open(flash, start, end, &mut payload).expect("reading needs no power here");
    (journal, length.map(|length| payload[..length].to_vec()))
}

/// The n-th save: its length and bytes differ from all others.
pub fn payload(n: u32) -> Vec<u8> {
    let mut rng = Pcg32::new(n.into(), 9);
    let length = 4 + rng.next_u32() as usize % 300;
    n.to_le_bytes().into_iter().chain((4..length).map(|_| rng.next_u32() as u8)).collect()
}

/// Saves as the firmware does: erases ahead when it may, and when it must.
pub fn save(journal: &mut Journal, flash: &mut MockFlash, n: u32, quiet: bool) -> Result<(), ()> {
    save_bytes(journal, flash, &payload(n), quiet)
}

/// The same with any payload. An error is a power cut.
pub fn save_bytes(journal: &mut Journal, flash: &mut MockFlash, payload: &[u8], quiet: bool) -> Result<(), ()> {
    let mut result = journal.append(flash, payload);
    while result == Err(Error::Full) {
        match journal.tidy(flash) {
            Ok(Tidied::Erased | Tidied::Looked) => result = journal.append(flash, payload),
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
fn what_was_saved_last_is_found_again() {
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

/// A Pico has its saves in the second of its 2 MB, a Pico 2 in the last of its 4: here a megabyte is a journal's sectors.
#[test]
fn saves_of_another_chip_are_the_same_in_their_place_and_nothing_elsewhere() {
    let mega = (SECTORS * SECTOR) as u32;
    let mut pico = MockFlash::new(2 * SECTORS);
    let (mut journal, _) = open_between(&mut pico, mega, 2 * mega);
    for n in 0..100 {
        save(&mut journal, &mut pico, n, true).unwrap();
    }
    let [program, saves] = [&pico.bytes[..mega as usize], &pico.bytes[mega as usize..]];
    let flash_of = |parts: [&[u8]; 4]| MockFlash { bytes: parts.concat(), ..MockFlash::new(4 * SECTORS) };
    let blank = vec![0xFF; mega as usize];

    // Moved to the end of the larger flash they are read, and go on.
    let mut moved = flash_of([program, &blank, &blank, saves]);
    let (mut journal, found) = open_between(&mut moved, 3 * mega, 4 * mega);
    assert_eq!(found, Some(payload(99)));
    save(&mut journal, &mut moved, 100, true).unwrap();
    assert_eq!(open_between(&mut moved, 3 * mega, 4 * mega).1, Some(payload(100)));
    // The smaller flash's content as it is: a fresh start, and the other way round as well.
    let mut whole = flash_of([program, saves, &blank, &blank]);
    assert_eq!(open_between(&mut whole, 3 * mega, 4 * mega).1, None);
    let mut half = MockFlash { bytes: moved.bytes[..2 * mega as usize].to_vec(), ..MockFlash::new(2 * SECTORS) };
    assert_eq!(open_between(&mut half, mega, 2 * mega).1, None);
}

#[test]
fn many_saves_follow_without_an_erase_once_it_is_tidy() {
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
fn a_save_that_does_not_fit_is_refused() {
    let mut flash = MockFlash::new(SECTORS);
    let (mut journal, _) = open(&mut flash);
    assert_eq!(journal.append(&mut flash, &[0; MAX_PAYLOAD + 1]), Err(Error::TooLong));
    journal.append(&mut flash, &[7; MAX_PAYLOAD]).unwrap();
    assert_eq!(open(&mut flash).1, Some(vec![7; MAX_PAYLOAD]));
}

#[test]
fn the_wear_is_even_over_a_hundred_thousand_saves() {
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
fn any_bytes_are_a_journal() {
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
fn a_torn_first_record_of_a_sector_does_not_hide_the_one_that_took_its_number() {
    for cut_at in [12, 20, 60] {
        let mut flash = MockFlash::new(SECTORS);
        let (mut journal, _) = open(&mut flash);
        // Fills the first sector; the next save begins another, and is cut when its header is written.
        (0..SECTOR as u32 / 512).for_each(|n| journal.append(&mut flash, &payload(n)).unwrap());
        flash.cut = Some(Cut { after: flash.operations, progress: cut_at, seed: 3 });
        assert!(journal.append(&mut flash, &payload(100)).is_err());
        let mut flash = flash.revived();
        let (mut journal, found) = open(&mut flash);
        assert_eq!(found, Some(payload(SECTOR as u32 / 512 - 1)));
        journal.append(&mut flash, &payload(101)).unwrap();
        assert_eq!(open(&mut flash).1, Some(payload(101)));
    }
}

/// Writes a record that a journal would not write there: any number, in any slot.
pub fn plant(flash: &mut MockFlash, slot: usize, number: u32, payload: &[u8]) {
    let mut record = [number, payload.len() as u32].map(u32::to_le_bytes).as_flattened().to_vec();
    let mut digest = CHECKSUM.digest();
    digest.update(&record);
    digest.update(payload);
    record.extend(digest.finalize().to_le_bytes());
    record.extend(payload);
    flash.bytes[512 * slot..][..record.len()].copy_from_slice(&record);
}

/// Each save is found again after the power was off, on and on.
fn goes_on(flash: &mut MockFlash, saves: u32) {
    for n in 1000..1000 + saves {
        let (mut journal, _) = open(flash);
        save(&mut journal, flash, n, n % 3 == 0).unwrap();
        assert_eq!(open(flash).1, Some(payload(n)), "save {n}");
    }
}

#[test]
fn numbers_wrap_around_without_a_loss() {
    for number in [u32::MAX, u32::MAX - 1, u32::MAX - 20, u32::MAX - 0x8000, u32::MAX - 0x1_0000, 0x7FFF_FFFF] {
        let mut flash = MockFlash::new(SECTORS);
        plant(&mut flash, 0, number, &payload(1));
        assert_eq!(open(&mut flash).1, Some(payload(1)));
        goes_on(&mut flash, 300);
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
        goes_on(&mut flash, 20);
    }
}

#[test]
fn a_number_too_far_ahead_never_hides_a_save() {
    let mut flash = MockFlash::new(SECTORS);
    plant(&mut flash, 24, 1, &payload(1));
    plant(&mut flash, 31, 9, &payload(9));
    assert_eq!(open(&mut flash).1, Some(payload(1)));
    goes_on(&mut flash, 20);
}

#[test]
fn an_older_save_in_the_way_is_given_up() {
    let mut flash = MockFlash::new(SECTORS);
    // Not a blank slot in the sector of the newest; the one before is in the next, where it never should be.
    flash.bytes[..SECTOR].fill(0);
    flash.bytes[..512].fill(0xFF);
    plant(&mut flash, 0, 10, &payload(10));
    plant(&mut flash, 8, 9, &payload(9));
    (2..SECTORS).for_each(|sector| flash.bytes[sector * SECTOR + 100] = 0);
    let (journal, found) = open(&mut flash);
    assert_eq!(found, Some(payload(10)));
    assert_eq!(journal.given_up(), GivenUp { before: true, ..GivenUp::default() });
    goes_on(&mut flash, 200);
    assert_eq!(open(&mut flash).0.given_up(), GivenUp::default());
}

/// Slots can be spoilt while the journal is open, too.
#[test]
fn save_before_newest_is_given_up_for_room() {
    let mut flash = MockFlash::new(3);
    let (mut journal, _) = open(&mut flash);
    (0..8).for_each(|n| journal.append(&mut flash, &payload(n)).unwrap());
    // The second sector has to be passed over, and in the third there is room for one save only.
    flash.bytes[SECTOR + 100] = 0;
    journal.append(&mut flash, &payload(8)).unwrap();
    flash.bytes[2 * SECTOR + 512..].fill(0);
    assert_eq!(journal.append(&mut flash, &payload(9)), Err(Error::Full));
    save(&mut journal, &mut flash, 9, false).unwrap();
    assert_eq!(open(&mut flash).1, Some(payload(9)));
}

#[test]
fn a_cut_while_strangers_are_erased_loses_nothing() {
    for cut_at in 0..12 {
        let mut flash = MockFlash::new(SECTORS);
        for (slot, number) in [(0, 0xC000_0000), (8, 0x4000_0000), (16, 0x8000_0000), (24, 5)] {
            plant(&mut flash, slot, number, &payload(number));
        }
        flash.cut = Some(Cut { after: flash.operations + cut_at / 4, progress: cut_at as usize % 4 * 3, seed: 5 });
        let (mut journal, found) = open(&mut flash);
        assert_eq!(found, Some(payload(0xC000_0000)));
        let saved = save(&mut journal, &mut flash, 1, false).is_ok();
        let mut flash = flash.revived();
        let found = open(&mut flash).1;
        assert_eq!(found, Some(payload(if saved { 1 } else { 0xC000_0000 })), "cut {cut_at}");
        goes_on(&mut flash, 30);
    }
}

/// After a cut while save `n` was written or the next sector was erased: the save before it, or itself, is there; and the
/// next one works, even if that is cut once more.
fn recovers(cut_flash: &MockFlash, n: u32, second_cut: Option<Cut>) -> u32 {
    let mut flash = MockFlash { cut: second_cut, ..cut_flash.revived() };
    let (mut journal, found) = open(&mut flash);
    let newest = found.expect("a save is there");
    let found_number = u32::from_le_bytes(newest[..4].try_into().unwrap());
    assert!(found_number == n || found_number + 1 == n, "save {found_number} after a cut in save {n}");
    assert_eq!(newest, payload(found_number), "and it is whole");
    let saved = save(&mut journal, &mut flash, n + 1, true).is_ok();
    let mut after = flash.revived();
    let (mut journal, found) = open(&mut after);
    let newest = found.expect("a save is there after the second cut");
    let number = u32::from_le_bytes(newest[..4].try_into().unwrap());
    assert_eq!(newest, payload(number));
    assert!(number == n + 1 || !saved && number == found_number, "save {number}");
    save(&mut journal, &mut after, n + 2, true).expect("the next save works");
    assert_eq!(open(&mut after).1, Some(payload(n + 2)));
    u32::from(second_cut.is_some())
}

#[test]
fn no_cut_at_any_byte_of_any_program_or_point_of_any_erase_loses_a_save() {
    // A small ring, so that sectors are erased often; 200 saves after it has been filled once.
    const SMALL: usize = 4;
    let mut rng = Pcg32::new(200, 5);
    let mut flash = MockFlash::new(SMALL);
    let (mut journal, _) = open(&mut flash);
    let warm_up = 40;
    (0..warm_up).for_each(|n| save(&mut journal, &mut flash, n, true).unwrap());
    let (mut cuts, mut second_cuts, mut operations) = (0_u32, 0_u32, 0_u32);
    let seeds = if long_form() { 8 } else { 1 };
    for n in warm_up..warm_up + 200 {
        // How many operations this save takes, and how finely each can be cut.
        let mut trial = flash.revived();
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
                    let mut torn = MockFlash { cut: Some(cut), ..flash.revived() };
                    assert!(save(&mut journal.clone(), &mut torn, n, true).is_err());
                    cuts_of_this = torn.last_cuts;
                    // A cut while the sector after save n is erased comes when n is written already.
                    let second = rng.next_u32().is_multiple_of(4).then(|| Cut {
                        after: rng.next_u32() % 2,
                        progress: rng.next_u32() as usize % 12,
                        seed: rng.next_u64(),
                    });
                    second_cuts += recovers(&torn, n, second);
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
