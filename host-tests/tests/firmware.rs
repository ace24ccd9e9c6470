//! The real firmware on the virtual handheld, played through its pins.

mod common;

use common::elf_device::{ElfDevice, switched_on};
use common::scenarios;
use common::words::Player;
use virtual_handheld::Options;

/// Plays a scenario on a handheld, and then sees that nothing went wrong behind the player's back.
fn play(scenario: impl FnOnce(&mut Player<ElfDevice>)) {
    let mut player = switched_on(Options::default());
    scenario(&mut player);
    let handheld = &player.0.0;
    assert_eq!(handheld.wire_faults(), [], "on the wire to the LEDs");
    assert_eq!(handheld.resets(), [], "restarts");
    assert_eq!(handheld.row_conflicts(), 0, "rows driven against each other");
}

macro_rules! scenarios {
    ($($name:ident),* $(,)?) => {
        $(#[test] fn $name() { play(scenarios::$name); })*
    };
}

scenarios!(
    every_key_flips_its_pattern,
    a_tap_acts_on_the_press,
    a_command_cut_short_is_two_taps,
    a_hint_points_at_a_good_key,
    the_demo_solves_and_gives_back,
    a_key_stops_the_demo,
    undo_goes_back_and_repeats,
    restart_goes_back_to_the_start,
    next_deals_another_of_the_same_difficulty,
    corners_may_come_one_after_the_other,
    a_win_is_celebrated_and_goes_on,
    a_key_cuts_the_win_short,
    a_win_can_be_taken_back,
    several_keys_at_once,
    a_stuck_key_is_ignored,
);
