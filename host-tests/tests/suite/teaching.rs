//! The teaching of the wiring, on the library: boards with any wiring learn the positions of their keys and LEDs.

use lights_out::board::{Board, Cell, Cells};
use lights_out::display::wire::ColourOrder;
use lights_out::game::status::Scene;
use lights_out::game::{Game, GameEvent};
use lights_out::gesture::Command;
use lights_out::layout::{Layout, LedLayout};
use lights_out::matrix::Contacts;
use lights_out::save::{Save, decode};
use player::{CoreDevice, Device, Dice, Player, TEACH_PRESSES, cell, ms};

use crate::support::diodes::scan_without_diodes;

/// A board with its wiring and its last save.
struct BuiltBoard {
    layout: Layout,
    diodes: bool,
    save: Option<Save>,
}

impl BuiltBoard {
    /// Switches on while these keys are held.
    fn switched_on(&self, held: Cells) -> Player<CoreDevice> {
        let game = match &self.save {
            Some(save) => Game::restore(0, 7, decode(save.bytes()).expect("a save"), false).expect("a consistent save"),
            None => Game::new(0, 7),
        };
        let seen: fn(Contacts) -> Contacts = if self.diodes { |contacts| contacts } else { scan_without_diodes };
        Player::new(CoreDevice::power_on_board(self.layout, seen, game, held))
    }

    /// Cuts the power. Only what has been saved remains.
    fn cut_power(&mut self, player: Player<CoreDevice>) {
        if let Some(save) = player.device.outputs.saves.last() {
            self.save = Some(save.clone());
        }
    }

    /// Switches on while a key is held, starts the teaching and answers the colours.
    fn in_teaching(&self, dice: &mut Dice) -> Player<CoreDevice> {
        let key = dice.key();
        let mut player = self.switched_on(key.bit());
        player.hold_to_teach(key);
        player.confirm_colours(dice.key());
        player
    }
}

/// Makes random mistakes before the right key: a key that was already taught, or two keys at the same time. All are
/// refused.
fn press_wrong_keys(player: &mut Player<impl Device>, dice: &mut Dice, done: &[Cell]) {
    if let Some(&again) = done.get(dice.below(25) as usize) {
        player.press(again);
        player.wait(ms(20));
        player.release(again);
        player.expect_refused();
    }
    if dice.below(8) == 0 {
        let (one, other) = (dice.key(), dice.key());
        if one != other {
            player.press(one);
            player.press(other);
            player.wait(ms(20));
            player.release(one);
            player.release(other);
            player.expect_refused();
        }
    }
}

/// Teaches a board with mistakes and power cuts in between. Returns the number of power cuts.
fn teach_with_mistakes(built: &mut BuiltBoard, dice: &mut Dice) -> (Player<CoreDevice>, u32) {
    let mut player = built.in_teaching(dice);
    let layout_before = *player.device.game.layout();
    let (mut done, mut cuts) = (Vec::new(), 0);
    while done.len() < TEACH_PRESSES {
        if dice.below(100) == 0 {
            cuts += 1;
            built.cut_power(player);
            player = built.in_teaching(dice);
            assert_eq!(*player.device.game.layout(), layout_before, "only the colours are saved");
            done.clear();
        }
        // The first round ends when each key has been pressed once.
        let (first, second) = done.split_at(done.len().min(TEACH_PRESSES / 2));
        press_wrong_keys(
            &mut player,
            dice,
            if second.is_empty() && first.len() < TEACH_PRESSES / 2 { first } else { second },
        );
        let key = player.requested_key(done.len());
        player.tap_briefly(key);
        done.push(key);
        assert_eq!(*player.device.game.layout() == built.layout, done.len() == TEACH_PRESSES);
    }
    (player, cuts)
}

#[test]
fn thousand_random_boards_learn_their_layout() {
    let mut dice = Dice::new(14, 1);
    let mut last_save = None;
    let mut cuts = 0;
    for n in 0..1000 {
        // Half of the boards were taught before and have been rewired since: their saved layout is wrong.
        let save = if n % 2 == 0 { None } else { last_save.take() };
        let mut built = BuiltBoard { layout: dice.layout(), diodes: n % 4 < 2, save };
        let before = *built.switched_on(Cells::EMPTY).device.game.layout();
        let (mut player, more_cuts) = teach_with_mistakes(&mut built, &mut dice);
        cuts += more_cuts;
        if n % 3 == 0 {
            // A power cut during the final animation: the new layout is saved, or the old one with the new colours.
            player.wait(ms(u64::from(dice.below(900))));
            built.cut_power(player);
            cuts += 1;
            let saved_layout = *built.switched_on(Cells::EMPTY).device.game.layout();
            let leds = LedLayout { colours: built.layout.leds.colours, ..before.leds };
            assert!(saved_layout == built.layout || saved_layout == Layout { leds, ..before }, "board {n}");
        } else {
            player.expect_taught();
            built.cut_power(player);
            let mut player = built.switched_on(Cells::EMPTY);
            assert_eq!(*player.device.game.layout(), built.layout, "board {n}");
            player.start_random_puzzle();
            player.expect_moves_work(5, &mut dice);
            built.cut_power(player);
        }
        last_save = built.save;
    }
    println!("{cuts} power cuts");
    assert!(cuts > 500);
}

#[test]
fn all_six_colour_orders_are_learned() {
    let with = |colours| Layout { leds: LedLayout { colours, ..Layout::REFERENCE.leds }, ..Layout::REFERENCE };
    for assumed in ColourOrder::ALL {
        for real in ColourOrder::ALL {
            for answers in [true, false] {
                let game = Game::with_layout(with(assumed), 0, 1);
                let device = CoreDevice::power_on_board(with(real), |contacts| contacts, game, cell(2, 2).bit());
                let mut player = Player::new(device);
                player.wait(ms(300));
                player.release(cell(2, 2));
                if answers {
                    player.confirm_colours(cell(0, 3));
                } else {
                    player.wait(ms(4000));
                }
                player.wait(ms(600));
                let colours = if answers { real } else { assumed };
                assert_eq!(player.device.game.layout().leds.colours, colours, "{assumed:?} for {real:?}");
                let kept = player.device.outputs.saves.last().and_then(|save| decode(save.bytes())?.layout);
                assert_eq!(
                    kept.is_some(),
                    answers && colours != ColourOrder::Grb,
                    "a new colour order is saved immediately"
                );
                // The test of the keys follows: only a key that has been pressed is lit.
                assert!(player.board().lit_count() <= 1, "{}", player.board());
            }
        }
    }
}

#[test]
fn incomplete_colour_answers_change_nothing() {
    let mut player = Player::new(CoreDevice::power_on(Game::new(0, 1), cell(2, 2).bit()));
    player.release(cell(2, 2));
    player.wait(ms(1500));
    // While green is shown.
    player.tap(cell(1, 1));
    let mut shown = Vec::new();
    for _ in 0..4 {
        shown.push(player.colour());
        player.wait(ms(1000));
    }
    let [blue, red] = [Some([false, false, true]), Some([true, false, false])];
    assert_eq!(shown, [blue, red, blue, red], "the other two colours alternate");
    player.wait(ms(7000));
    assert_eq!(player.colour(), None, "the test of the keys");
    assert_eq!(*player.device.game.layout(), Layout::REFERENCE);
}

#[test]
fn late_answer_counts_for_the_previous_colour() {
    let mut player = Player::new(CoreDevice::power_on(Game::new(0, 1), cell(2, 2).bit()));
    player.release(cell(2, 2));
    // Shortly after the end of red, then of green.
    player.wait(ms(1100));
    player.tap_briefly(cell(1, 1));
    player.wait(ms(1050));
    assert_eq!(player.colour(), Some([false, false, true]));
    player.tap_briefly(cell(1, 1));
    assert_eq!(player.device.outputs.learned, [Layout::REFERENCE]);
}

#[test]
fn abandoned_teaching_changes_nothing() {
    for pressed in [0, 1, 24, 25, 49] {
        let mut player = Player::new(CoreDevice::power_on(Game::new(0, 1), cell(4, 1).bit()));
        let snapshot = player.device.game.snapshot();
        player.hold_to_teach(cell(4, 1));
        player.skip_colours();
        (0..pressed).for_each(|pressed| player.teach_key(pressed));
        player.wait(ms(25_000));
        assert_eq!(player.device.game.status(player.device.now).scene, Scene::Teaching);
        player.wait(ms(6000));
        assert!(
            player.device.outputs.events.contains(&GameEvent::TeachingTimedOut)
                && player.device.outputs.learned.is_empty()
        );
        assert_eq!(player.device.game.snapshot(), snapshot);
        player.start_random_puzzle();
        player.expect_moves_work(5, &mut Dice::new(2, 2));
    }
}

/// During the teaching, two corners are two keys at the same time, even if they are held for longer than a command.
#[test]
fn two_corners_are_no_command_during_teaching() {
    let mut player = Player::new(CoreDevice::power_on(Game::new(0, 1), cell(4, 1).bit()));
    player.hold_to_teach(cell(4, 1));
    player.skip_colours();
    (0..3).for_each(|pressed| player.teach_key(pressed));
    for command in Command::ALL {
        let corners = command.corners().map(|corner| corner.cell());
        corners.iter().for_each(|&corner| player.press(corner));
        player.wait(ms(20));
        assert_eq!(player.colour(), Some([true, false, false]), "refused");
        player.wait(ms(1200));
        corners.iter().for_each(|&corner| player.release(corner));
        player.wait(ms(50));
    }
    (3..TEACH_PRESSES).for_each(|pressed| player.teach_key(pressed));
    player.expect_taught();
    assert!(!player.device.game.state().is_menu_open());
}

#[test]
fn requested_key_is_the_brightest() {
    let mut player = Player::new(CoreDevice::power_on(Game::new(0, 1), cell(4, 1).bit()));
    player.hold_to_teach(cell(4, 1));
    player.skip_colours();
    player.expect_board(Board::from_bits(1));
    (0..10).for_each(|pressed| player.teach_key(pressed));
    player.expect_board(Board::from_bits((1 << 11) - 1));
    assert!(player.brightness(cell(2, 0)) > 3 * player.brightness(cell(1, 4)), "the requested key is the brightest");
    (10..25).for_each(|pressed| player.teach_key(pressed));
    player.expect_board(Board::of(Cells::ALL));
    (25..32).for_each(|pressed| player.teach_key(pressed));
    player.expect_board(Board::from_bits(!((1 << 7) - 1)));
}
