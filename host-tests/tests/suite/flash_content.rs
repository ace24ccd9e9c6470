//! Flash with random content: damaged records, records that no journal wrote, other data. The journal always opens and
//! saves.

use lights_out::journal::Journal;
use player::mock_flash::{Cut, MockFlash, SECTOR};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::journal::{open, payload, plant, save};
use crate::newer_saves::link;
use crate::support::{cases, is_long_campaign};

const SLOT: usize = 512;
const SAVES: u32 = 100;

/// A part of the flash content before the journal is opened.
#[derive(Clone, Debug)]
enum Piece {
    /// A complete record with a correct checksum.
    Record { slot: usize, number: u32 },
    /// A record of which only this many bytes were programmed.
    Torn { slot: usize, number: u32, whole: usize },
    /// A complete record with a link to the record of another slot. `behind` is the difference of their numbers.
    Linked { slot: usize, number: u32, to: usize, behind: u32 },
    /// Random bytes at any address.
    Bytes { at: usize, bytes: Vec<u8> },
    /// A sector without a blank slot.
    Zeros { sector: usize },
}

/// Record numbers that are close to each other and to all boundaries.
fn number() -> impl Strategy<Value = u32> {
    let border = prop_oneof![Just(0_u32), Just(0x8000), Just(0x1_0000), Just(0x7FFF_FFFF), Just(u32::MAX - 0x8000)];
    prop_oneof![
        3 => (border, 0..60_u32, any::<bool>()).prop_map(|(border, far, is_above)| match is_above {
            true => border.wrapping_add(far),
            false => border.wrapping_sub(far),
        }),
        1 => any::<u32>(),
    ]
}

/// Slots. Half of them are the first of their sectors: the journal searches there.
fn slot() -> impl Strategy<Value = usize> {
    (0..15 * 8_usize, any::<bool>()).prop_map(|(slot, is_first)| if is_first { slot & !7 } else { slot })
}

fn piece() -> impl Strategy<Value = Piece> {
    prop_oneof![
        6 => (slot(), number()).prop_map(|(slot, number)| Piece::Record { slot, number }),
        2 => (slot(), number(), 0..60_usize).prop_map(|(slot, number, whole)| Piece::Torn { slot, number, whole }),
        3 => (slot(), number(), slot(), 0..4_u32)
            .prop_map(|(slot, number, to, behind)| Piece::Linked { slot, number, to, behind }),
        2 => (0..15 * SECTOR, vec(any::<u8>(), 1..600)).prop_map(|(at, bytes)| Piece::Bytes { at, bytes }),
        1 => (0..15_usize).prop_map(|sector| Piece::Zeros { sector }),
    ]
}

fn put(flash: &mut MockFlash, piece: &Piece) {
    let size = flash.bytes.len();
    let within = |slot: usize| slot % (size / SLOT);
    match piece {
        Piece::Record { slot, number } => plant(flash, within(*slot), *number, &payload(*number)),
        Piece::Torn { slot, number, whole } => {
            let blank = MockFlash::new(1);
            let mut record = blank.clone();
            plant(&mut record, 0, *number, &payload(*number));
            record.bytes[*whole..SLOT].copy_from_slice(&blank.bytes[*whole..SLOT]);
            flash.bytes[within(*slot) * SLOT..][..SLOT].copy_from_slice(&record.bytes[..SLOT]);
        }
        Piece::Linked { slot, number, to, behind } => {
            let kept = number.wrapping_sub(*behind);
            plant(flash, within(*to), kept, &payload(kept));
            plant(flash, within(*slot), *number, &payload(*number));
            link(flash, within(*slot), kept, within(*to) as u32);
        }
        Piece::Bytes { at, bytes } => {
            let at = at % size;
            let length = bytes.len().min(size - at);
            flash.bytes[at..][..length].copy_from_slice(&bytes[..length]);
        }
        Piece::Zeros { sector } => flash.bytes[sector * SECTOR % size..][..SECTOR].fill(0),
    }
}

/// Saves once. Before some of the saves the power is switched off and on.
fn save_next(journal: &mut Journal, flash: &mut MockFlash, n: u32, reopens: u32) -> Result<(), ()> {
    if n % 8 < reopens {
        *journal = open(flash).0;
    }
    save(journal, flash, n, n.is_multiple_of(3))
}

proptest! {
    #![proptest_config(cases(if is_long_campaign() { 100_000 } else { 600 }))]

    #[test]
    fn any_flash_content_gives_a_working_journal(
        sectors in 3..=15_usize,
        pieces in vec(piece(), 0..30),
        reopens in 0..9_u32,
        (after, progress, seed) in (0..12_u32, 0..400_usize, any::<u64>()),
    ) {
        let mut flash = MockFlash::new(sectors);
        pieces.iter().for_each(|piece| put(&mut flash, piece));
        let (mut journal, found) = open(&mut flash);
        prop_assert_eq!(&open(&mut flash).1, &found, "opening does not change the flash");
        for n in 0..SAVES {
            save_next(&mut journal, &mut flash, n, reopens).unwrap();
            prop_assert_eq!(open(&mut flash).1, Some(payload(n)), "save {}", n);
        }

        flash.cut = Some(Cut { after: flash.operations + after, progress, seed });
        let cut = (SAVES..).find(|&n| save_next(&mut journal, &mut flash, n, reopens).is_err()).unwrap();
        let mut flash = flash.with_power_restored();
        let (mut journal, found) = open(&mut flash);
        prop_assert!(found == Some(payload(cut)) || found == Some(payload(cut - 1)), "after a cut in save {}", cut);
        for n in cut + 1..cut + 1 + SAVES {
            save_next(&mut journal, &mut flash, n, reopens).unwrap();
            prop_assert_eq!(open(&mut flash).1, Some(payload(n)), "save {} after the cut", n);
        }
    }
}

/// The newest record (32737) is in the sector that begins with 32735, because the numbers appear to have wrapped
/// around. Another sector begins with 32736. The record with the highest number is foreign. After its erase, 32736 must
/// not become the newest record.
#[test]
fn sector_head_between_newest_records_is_foreign() {
    let mut flash = MockFlash::new(9);
    for (slot, number) in [(64, 32_735), (66, 32_737), (8, 32_736), (16, 0xFFFF_7FE0)] {
        plant(&mut flash, slot, number, &payload(number));
    }
    let (mut journal, found) = open(&mut flash);
    assert_eq!((found, journal.ignored().foreign_sectors), (Some(payload(32_737)), 2));
    for n in 0..SAVES {
        save(&mut journal, &mut flash, n, false).unwrap();
        assert_eq!(open(&mut flash).1, Some(payload(n)), "save {n}");
    }
}

/// A power cut while foreign records are erased, also before the first save.
#[test]
fn cut_among_foreign_records_leaves_a_journal() {
    for after in 0..6 {
        for progress in 0..11 {
            let mut flash = MockFlash::new(4);
            for (slot, number) in [(0, u32::MAX), (8, 70_000), (16, 0x8000_0000), (24, 140_000)] {
                plant(&mut flash, slot, number, &payload(number));
            }
            let (mut journal, found) = open(&mut flash);
            assert_eq!((found, journal.ignored().foreign_sectors), (Some(payload(u32::MAX)), 3));
            flash.cut = Some(Cut { after, progress, seed: progress as u64 });
            let cut = (0..).find(|&n| save(&mut journal, &mut flash, n, true).is_err()).unwrap();
            let mut flash = flash.with_power_restored();
            let found = open(&mut flash).1;
            let before = if cut == 0 { u32::MAX } else { cut - 1 };
            assert!(found == Some(payload(cut)) || found == Some(payload(before)), "cut {after}, {progress}");
            let (mut journal, _) = open(&mut flash);
            (100..200).for_each(|n| save(&mut journal, &mut flash, n, true).unwrap());
            assert_eq!(open(&mut flash).1, Some(payload(199)));
        }
    }
}
