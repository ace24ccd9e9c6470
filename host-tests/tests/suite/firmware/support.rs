//! Test support for the real firmware: starting it, flash images for it, and checks that every test needs.

use std::time::Duration;

use emulator::{Handheld, Options, SECTOR, Supply};
use flash_image::Chip;
use lights_out::board::Board;
use lights_out::journal::{Journal, MAX_PAYLOAD};
use lights_out::keys::SLEEP_AFTER;
use lights_out::load::{Loaded, load};
use lights_out::solver::CLASSIC;
use player::mock_flash::MockFlash;
use player::{Player, WIPE_TIME, cell, firmware, limits, ms};

use crate::support::is_long_campaign;

/// One second longer than the idle timeout. After this time without a key the LED supply is off; the firmware is
/// asleep, or erases sectors before it sleeps.
pub(super) const IDLE_TIMEOUT: Duration = Duration::from_micros(SLEEP_AFTER + 1_000_000);

/// An empty battery: the handheld falls asleep immediately.
pub(super) const EMPTY_BATTERY: Supply = Supply::Battery { millivolts: 3_150, milliohms: 1_500 };

/// Switches a handheld with this chip on.
pub(super) fn power_on(chip: Chip, options: Options) -> Player<Handheld> {
    Player::new(Handheld::power_on(firmware(chip), options))
}

/// Switches on with this flash image and otherwise default options.
pub(super) fn power_on_with_flash(chip: Chip, flash: Vec<u8>) -> Player<Handheld> {
    power_on(chip, Options { flash: Some(flash), ..Options::default() })
}

/// Switches off, and on again with the same flash and default options.
pub(super) fn power_cycle(chip: Chip, player: Player<Handheld>) -> Player<Handheld> {
    power_on_with_flash(chip, player.device.power_off())
}

/// Switches on and wins the first level, so that there is a result to save.
pub(super) fn power_on_and_win_first_level(chip: Chip) -> Player<Handheld> {
    let mut player = power_on(chip, Options::default());
    player.wait_for_greeting();
    player.solve();
    player.wait(ms(300));
    player.tap(cell(2, 2));
    player.wait(WIPE_TIME);
    player
}

/// The number of rounds of a campaign, in its short form and in its long form. In the short form the RP2350 runs a
/// quarter of the rounds, because the RP2040 has already tried the code that both chips share.
pub(super) fn rounds(chip: Chip, short: u32, long: u32) -> u32 {
    match chip {
        _ if is_long_campaign() => long,
        Chip::Rp2040 => short,
        Chip::Rp2350 => short.div_ceil(4),
    }
}

/// The step through a table of cases: the RP2040 tries each case, and so does the RP2350 in the long form. In the short
/// form the RP2350 tries each `nth` case.
pub(super) fn case_step(chip: Chip, nth: usize) -> usize {
    if chip == Chip::Rp2040 || is_long_campaign() { 1 } else { nth }
}

/// Plays a scenario on a handheld, and then checks that no hidden fault happened.
pub(super) fn play(chip: Chip, scenario: impl FnOnce(&mut Player<Handheld>)) {
    let mut player = power_on(chip, Options::default());
    scenario(&mut player);
    expect_no_faults(&player.device);
}

/// Checks for faults that the lights do not show: LED timing, resets, matrix rows, flash, clocks and current.
#[track_caller]
pub(crate) fn expect_no_faults(handheld: &Handheld) {
    assert_eq!(handheld.wire_faults(), [], "faults in the timing of the LED wire");
    assert_eq!(handheld.resets(), [], "resets");
    assert_eq!(handheld.row_conflicts(), 0, "matrix rows driven against each other");
    assert_eq!(handheld.flash_access_violations(), [], "flash accesses while the flash was busy");
    assert_eq!(handheld.invalid_clock_sources(), 0, "clocks that select a source that does not run");
    let current = handheld.frame().map_or(0.0, |frame| frame.milliamps());
    assert!(current <= limits::CURRENT as f32, "{current} mA");
}

/// Checks that a solvable board is on the lights and that a key acts on it.
#[track_caller]
pub(super) fn expect_playable_game(player: &mut Player<Handheld>) {
    player.wait(ms(1500));
    let board = player.board();
    assert!(CLASSIC.par(board).is_some_and(|par| par > 0), "not a solvable board: {board}");
    player.tap(cell(2, 2));
    player.expect_board(CLASSIC.press(board, cell(2, 2)));
}

/// The shape of the red cross that a crash shows.
pub(super) fn red_cross() -> Board {
    Board::parse("#...# .#.#. ..#.. .#.#. #...#").expect("25 cells")
}

/// Checks that the lights show the red cross of a crash, and no other colour.
#[track_caller]
pub(crate) fn expect_red_cross(player: &Player<Handheld>) {
    player.expect_board(red_cross());
    let frame = player.device.frame().expect("a frame");
    assert!(frame.leds.iter().all(|led| led.g == 0 && led.b == 0), "the cross is not red");
}

/// How often the log reports that the flash held no usable save.
pub(super) fn fresh_starts(player: &Player<Handheld>) -> usize {
    player.count_logs("fresh start") + player.count_logs("no save found")
}

/// The offset of the saves in flash. The last megabyte is reserved for them; its first sector counts power-ups.
pub(super) const fn saves_offset(chip: Chip) -> usize {
    chip.flash_size() - 1024 * 1024 + SECTOR
}

/// A flash image in which no sector for saves is blank, as after hours of play without sleep.
pub(super) fn full_flash(chip: Chip) -> Vec<u8> {
    let mut flash = vec![0xFF; chip.flash_size()];
    flash[saves_offset(chip)..].fill(0);
    flash
}

/// A flash image with one save.
pub(super) fn flash_with_save(chip: Chip, save: &[u8]) -> Vec<u8> {
    flash_with_saves(chip, &[save])
}

/// A flash image with these saves, oldest first.
pub(super) fn flash_with_saves(chip: Chip, saves: &[&[u8]]) -> Vec<u8> {
    let (mut journal, mut flash) = blank_journal(chip);
    saves.iter().for_each(|save| journal.append(&mut flash, save).expect("there is room"));
    [vec![0xFF; saves_offset(chip)], flash.bytes].concat()
}

/// A flash image with two saves. The second one marks the first as kept.
pub(super) fn flash_with_kept_save(chip: Chip, kept: &[u8], save: &[u8]) -> Vec<u8> {
    let (mut journal, mut flash) = blank_journal(chip);
    journal.append(&mut flash, kept).expect("there is room");
    assert!(journal.keep_newest());
    journal.append(&mut flash, save).expect("there is room");
    [vec![0xFF; saves_offset(chip)], flash.bytes].concat()
}

/// A blank flash for saves, and the journal in it.
fn blank_journal(chip: Chip) -> (Journal, MockFlash) {
    let mut flash = MockFlash::new((chip.flash_size() - saves_offset(chip)) / SECTOR);
    let size = flash.size();
    let (journal, _) = Journal::open(&mut flash, 0, size, &mut [0; MAX_PAYLOAD]).expect("a blank flash");
    (journal, flash)
}

/// Loads a flash image as the firmware does. Also returns the first kept save.
pub(super) fn load_flash(chip: Chip, flash: &[u8]) -> (Loaded, Option<Vec<u8>>) {
    let mut saves = MockFlash::new((chip.flash_size() - saves_offset(chip)) / SECTOR);
    saves.bytes.copy_from_slice(&flash[saves_offset(chip)..]);
    let (size, mut bytes) = (saves.size(), [0; MAX_PAYLOAD]);
    let loaded = load(&mut saves, 0, size).expect("a readable flash");
    let kept = loaded.journal.kept(&mut saves, 0, &mut bytes).expect("a readable flash");
    (loaded, kept.map(|length| bytes[..length].to_vec()))
}

/// The boards that were on the lights, each with the time at which it appeared. A power cut may lose the last second of
/// play.
#[derive(Debug)]
pub(super) struct ShownBoards(Vec<(Duration, Board)>);

impl ShownBoards {
    pub(super) fn new(at: Duration, board: Board) -> Self {
        Self(vec![(at, board)])
    }

    pub(super) fn push(&mut self, at: Duration, board: Board) {
        self.0.push((at, board));
    }

    /// Switches on after a power cut at `cut`, and checks that the first frame has the board that was on the lights one
    /// second before the cut, or a later one. Returns the flash and the board.
    #[track_caller]
    pub(super) fn expect_after_cut(&self, chip: Chip, flash: Vec<u8>, cut: Duration, round: u32) -> (Vec<u8>, Board) {
        let mut player = power_on_with_flash(chip, flash);
        let frame = player.device.run_to_next_frame(ms(500)).expect("a first frame");
        let board = Board::from_bits(frame.lit());
        assert_eq!(fresh_starts(&player), 0, "round {round}: the save was lost: {:?}", player.device.logs());
        let oldest = self.0.iter().rposition(|(at, _)| *at + ms(1100) < cut).unwrap_or(0);
        let allowed: Vec<Board> = self.0[oldest..].iter().map(|(_, board)| *board).collect();
        assert!(allowed.contains(&board), "round {round}: {board} was restored, expected one of {allowed:?}");
        (player.device.power_off(), board)
    }
}
