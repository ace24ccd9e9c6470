//! The real firmware on the virtual handheld, played through its pins.

mod common;

use common::elf_device::{ElfDevice, switched_on};
use common::scenarios::each_scenario;
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

each_scenario!(play);
