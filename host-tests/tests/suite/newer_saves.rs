//! Saves of a newer firmware are kept while an older firmware runs, and their results are merged later.

use crc::{CRC_32_ISO_HDLC, Crc};
use lights_out::board::Cells;
use lights_out::game::Game;
use lights_out::game::modes::ModeKind;
use lights_out::journal::{Journal, MAX_LINKED_PAYLOAD, MAX_PAYLOAD};
use lights_out::load::{Loaded, Newest, load};
use lights_out::save::{Save, Snapshot};
use player::mock_flash::{Cut, MockFlash, SECTOR};
use player::{CoreDevice, Dice, Player, cell, ms};

use crate::journal::{SECTORS, open, payload, plant, save_bytes};

/// Writes the link of a record to another record. The bytes are built here, without the library: the format of links
/// never changes.
pub(super) fn link(flash: &mut MockFlash, slot: usize, kept_number: u32, kept_slot: u32) {
    let number: [u8; 4] = flash.bytes[512 * slot..][..4].try_into().unwrap();
    let words = [kept_number, kept_slot].map(u32::to_le_bytes);
    let checksum = Crc::<u32>::new(&CRC_32_ISO_HDLC).checksum(&[words.as_flattened(), &number].concat());
    let link = [words.as_flattened(), &checksum.to_le_bytes()].concat();
    flash.bytes[512 * slot + 500..][..12].copy_from_slice(&link);
}

/// A save of a version that does not exist yet.
fn newer(version: u8, length: usize) -> Vec<u8> {
    let mut bytes = payload(version.into());
    bytes.resize(length, version);
    bytes[0] = version;
    bytes
}

fn loaded(flash: &mut MockFlash) -> Loaded {
    let end = flash.size();
    load(flash, 0, end).expect("the mock flash can always be read")
}

/// The payloads of the kept records.
fn kept(journal: &Journal, flash: &mut MockFlash) -> Vec<Vec<u8>> {
    let mut bytes = [0; MAX_PAYLOAD];
    let mut read = |index| journal.kept(flash, index, &mut bytes).unwrap().map(|length| bytes[..length].to_vec());
    (0..journal.kept_count()).map(|index| read(index).expect("a complete record")).collect()
}

/// A flash with these saves. Each record except for the first keeps the record before it.
fn chain_of_kept_saves(saves: &[Vec<u8>]) -> MockFlash {
    let mut flash = MockFlash::new(SECTORS);
    let (mut journal, _) = open(&mut flash);
    for bytes in saves {
        save_bytes(&mut journal, &mut flash, bytes, true).unwrap();
        assert!(journal.keep_newest());
    }
    flash
}

fn bytes_of(snapshot: &Snapshot) -> Vec<u8> {
    Save::of(snapshot).expect("it fits").bytes().to_vec()
}

/// A game with these results: levels with the number of moves.
fn game_with(results: &[(usize, u32)], rounds: u32, best_action: u32) -> Snapshot {
    let mut snapshot = Game::new(0, 1).snapshot();
    results.iter().for_each(|&(level, moves)| snapshot.records.solved(level, moves));
    (snapshot.records.rounds, snapshot.records.best_action) = (rounds, best_action);
    snapshot
}

/// Plays levels and saves after each move, as the firmware does. Sometimes the handheld sleeps.
fn play_and_save(flash: &mut MockFlash, saves: u32) -> Player<CoreDevice> {
    let Loaded { mut journal, snapshot, .. } = loaded(flash);
    let game = snapshot.and_then(|saved| Game::restore(0, 7, saved, false)).unwrap_or_else(|| Game::new(0, 7));
    let mut player = Player::new(CoreDevice::power_on_board(*game.layout(), |contacts| contacts, game, Cells::EMPTY));
    player.wait(ms(3000));
    for n in 0..saves {
        if n % 8 == 0 {
            player.solve();
            player.wait(ms(2000));
        }
        player.tap(cell(n as usize % 5, n as usize / 5 % 5));
        save_bytes(&mut journal, flash, &bytes_of(&player.device.game.snapshot()), n % 3 == 0).unwrap();
        if n % 10 == 9 {
            while journal.tidy(flash).unwrap() != lights_out::journal::Tidied::Nothing {}
        }
        if n % 7 == 0 {
            journal = loaded(flash).journal;
        }
    }
    player
}

#[test]
fn newer_save_survives_an_older_firmware() {
    for (count, length) in [(1, 30), (5, MAX_PAYLOAD), (8, 200), (20, MAX_LINKED_PAYLOAD), (100, 400)] {
        let mut flash = MockFlash::new(SECTORS);
        let (mut journal, _) = open(&mut flash);
        (0..count).for_each(|_| save_bytes(&mut journal, &mut flash, &newer(9, length), true).unwrap());
        let first = loaded(&mut flash);
        assert_eq!((first.newest, first.snapshot, first.kept, first.lost), (Newest::Newer, None, 1, 0));
        let player = play_and_save(&mut flash, 300);
        let last = loaded(&mut flash);
        assert_eq!((last.newest, last.kept, last.lost), (Newest::Read, 1, 0));
        assert_eq!(last.snapshot, Some(player.device.game.snapshot()), "the game of the older firmware continues");
        assert_eq!(kept(&last.journal, &mut flash), [newer(9, length)], "the same bytes");
        let erased = flash.erases.iter().filter(|&&erases| erases > 0).count();
        assert!(erased >= SECTORS - 2, "the journal wrapped around: {:?}", flash.erases);
    }
}

#[test]
fn merge_keeps_the_better_result_of_each_level() {
    let layout = Dice::new(3, 25).layout();
    let mut kept_game = game_with(&[(0, 9), (1, 4), (2, 30)], 5, 80);
    kept_game.layout = Some(layout);
    let mut own = game_with(&[(0, 5), (1, 6)], 7, 60);
    own.settings.sound = true;
    let mut flash = chain_of_kept_saves(&[bytes_of(&kept_game), bytes_of(&own)]);
    let both = loaded(&mut flash);
    assert_eq!((both.newest, both.merged, both.kept, both.lost), (Newest::Read, 1, 0, 0));
    let expected =
        Snapshot { records: game_with(&[(0, 5), (1, 4), (2, 30)], 7, 80).records, layout: Some(layout), ..own };
    assert_eq!(both.snapshot, Some(expected.clone()));
    assert!(Game::restore(0, 1, expected, false).is_some(), "the merged save can be restored");

    // After the next save, the kept save is no longer needed.
    play_and_save(&mut flash, 2);
    assert_eq!((loaded(&mut flash).journal.kept_count(), loaded(&mut flash).merged), (0, 0));
    let records = loaded(&mut flash).snapshot.unwrap().records;
    assert_eq!((records.best_moves(1), records.best_moves(2), records.best_action), (Some(4), Some(30), 80));
    play_and_save(&mut flash, 200);
    assert_eq!(loaded(&mut flash).ignored, Default::default());
}

#[test]
fn merge_keeps_the_drawings_of_both_saves() {
    let drawn = |slot: usize| {
        let mut player = Player::new(CoreDevice::new(5));
        player.wait_for_greeting();
        player.start(ModeKind::Create, &[]);
        player.tap(cell(slot, slot));
        player.command(lights_out::gesture::Command::Next);
        player.tap(cell(1, slot));
        player.wait(ms(400));
        player.device.game.snapshot()
    };
    let [newer, own] = [drawn(1), drawn(3)];
    let mut flash = chain_of_kept_saves(&[bytes_of(&newer), bytes_of(&own)]);
    let slots = loaded(&mut flash).snapshot.unwrap().records.slots;
    assert!(newer.records.slots[1].is_some() && own.records.slots[3].is_some());
    assert_eq!((slots[1], slots[3]), (newer.records.slots[1], own.records.slots[3]));
}

/// A save of version 9 keeps a save of version 10, and is kept itself.
#[test]
fn save_kept_by_a_kept_save_is_kept_too() {
    let mut flash = chain_of_kept_saves(&[newer(10, 450), newer(9, 300)]);
    assert_eq!(loaded(&mut flash).kept, 2);
    play_and_save(&mut flash, 200);
    let last = loaded(&mut flash);
    assert_eq!(kept(&last.journal, &mut flash), [newer(9, 300), newer(10, 450)]);
}

/// An older firmware keeps a save of this version, which keeps a save of a newer version.
#[test]
fn newer_save_is_still_kept_after_a_merge() {
    let (ours, oldest) = (game_with(&[(0, 9), (1, 4)], 0, 0), game_with(&[(0, 5)], 0, 0));
    let mut flash = chain_of_kept_saves(&[newer(10, 450), bytes_of(&ours), bytes_of(&oldest)]);
    let first = loaded(&mut flash);
    assert_eq!((first.merged, first.kept, first.journal.kept_count()), (1, 1, 2));
    play_and_save(&mut flash, 200);
    let last = loaded(&mut flash);
    assert_eq!((last.merged, last.kept), (0, 1));
    assert_eq!(kept(&last.journal, &mut flash), [newer(10, 450)]);
    assert_eq!(last.snapshot.unwrap().records.best_moves(1), Some(4));
}

/// Cuts the power in each flash operation after loading, and loads again. `check` gets the result. Returns the number
/// of cuts.
fn cut_everywhere(flash: &MockFlash, check: impl Fn(Loaded, &mut MockFlash)) -> u32 {
    let mut cuts = 0;
    for after in 0.. {
        let mut progress = 0;
        loop {
            let mut torn =
                MockFlash { cut: Some(Cut { after, progress, seed: cuts.into() }), ..flash.with_power_restored() };
            let Loaded { mut journal, snapshot, .. } = loaded(&mut torn);
            let bytes = bytes_of(&snapshot.unwrap_or_else(|| game_with(&[(0, 7)], 0, 0)));
            let is_cut = (0..30).any(|n| save_bytes(&mut journal, &mut torn, &bytes, n % 3 == 0).is_err());
            if !is_cut {
                return cuts;
            }
            let mut with_power_restored = torn.with_power_restored();
            check(loaded(&mut with_power_restored), &mut with_power_restored);
            cuts += 1;
            progress += 1;
            if progress >= torn.last_cuts {
                break;
            }
        }
    }
    cuts
}

#[test]
fn no_cut_loses_a_kept_save() {
    let flash = chain_of_kept_saves(&[newer(9, 300)]);
    let cuts = cut_everywhere(&flash, |loaded, flash| {
        let mut kept = kept(&loaded.journal, flash);
        if loaded.newest == Newest::Newer {
            kept.push(open(flash).1.unwrap());
        }
        assert_eq!((kept, loaded.kept, loaded.lost), (vec![newer(9, 300)], 1, 0));
    });
    println!("{cuts} cuts");
    assert!(cuts > 1000);
}

#[test]
fn no_cut_during_a_merge_loses_results() {
    // A full journal that has to be erased often. The kept save is much older than the newest.
    let mut flash = chain_of_kept_saves(&[bytes_of(&game_with(&[(0, 9), (1, 4)], 0, 3))]);
    let (mut journal, _) = open(&mut flash);
    assert!(journal.keep_newest());
    let own = bytes_of(&game_with(&[(0, 5)], 0, 0));
    (0..150).for_each(|_| save_bytes(&mut journal, &mut flash, &own, false).unwrap());
    let merged = game_with(&[(0, 5), (1, 4)], 0, 3).records;
    let cuts = cut_everywhere(&flash, |loaded, _| {
        assert_eq!((loaded.snapshot.unwrap().records, loaded.lost), (merged.clone(), 0));
    });
    println!("{cuts} cuts");
    assert!(cuts > 1000);
}

#[test]
fn broken_link_is_reported_and_saving_continues() {
    let own = bytes_of(&game_with(&[(0, 5)], 0, 0));
    // Damaged record; another number than in the link; newer than the linking record; outside the flash.
    for (number, slot, damaged) in [(4, 8, 8 * 512 + 40), (3, 8, 0), (9, 24, 0), (4, 1 << 20, 0)] {
        let mut flash = MockFlash::new(SECTORS);
        plant(&mut flash, 8, 4, &newer(9, 100));
        plant(&mut flash, 24, 9, &newer(9, 100));
        plant(&mut flash, 32, 10, &own);
        link(&mut flash, 32, number, slot);
        let is_whole = (number, slot, damaged) == (9, 24, 0);
        flash.bytes[damaged] = 0;
        let first = loaded(&mut flash);
        assert_eq!((first.kept, first.lost), if is_whole { (1, 0) } else { (0, 1) });
        play_and_save(&mut flash, 150);
        assert_eq!(loaded(&mut flash).lost, 0);
    }
}

/// The journal is too small, or its record numbers are at the end of their range. The firmware never creates such a
/// journal.
#[test]
fn lost_save_is_reported_if_it_cannot_be_kept() {
    for (sectors, number) in [(4, 5), (SECTORS, u32::MAX - 3), (SECTORS, 0x8000_0000)] {
        let mut flash = MockFlash::new(sectors);
        plant(&mut flash, 0, number, &newer(9, 100));
        let first = loaded(&mut flash);
        assert_eq!((first.newest, first.kept, first.lost), (Newest::Newer, 0, 1));
        play_and_save(&mut flash, 150);
        assert_eq!(loaded(&mut flash).newest, Newest::Read);
    }
}

/// A firmware without links reads records by their headers only.
#[test]
fn record_with_a_link_reads_as_one_without() {
    let mut flash = chain_of_kept_saves(&[newer(9, 300), payload(1)]);
    let mut plain = MockFlash::new(1);
    plant(&mut plain, 1, 2, &payload(1));
    assert_eq!(flash.bytes[512..][..500], plain.bytes[512..][..500]);
    assert_ne!(flash.bytes[1012..][..12], [0xFF; 12]);
    assert_eq!(open(&mut flash).1, Some(payload(1)));
    assert_eq!(flash.bytes.len(), SECTORS * SECTOR);
}
