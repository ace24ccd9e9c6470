//! Pictures of the self-test: what each bad joint looks like, and the way to the bootloader.

use lights_out::board::{Cell, row_mask};
use lights_out::game::Game;
use lights_out::game::self_test::SelfTest;
use lights_out::gesture::Command;
use lights_out::layout::{Layout, Places};
use lights_out::picture::Frame;
use player::{CoreDevice, Device, cell, ms};

use super::svg::Panel;

const PLAN: Places = Layout::REFERENCE.keys;

/// The self-test of a board with these faults: keys that are pressed one after the other, each with all that closes then.
fn tested(held: u32, closing: impl IntoIterator<Item = u32>) -> Frame {
    let mut test = SelfTest::new(0, held | 1 << 12);
    test.see(1_000_000, held);
    for closed in closing {
        test.see(6_000_000, held | closed);
        test.see(6_100_000, held);
    }
    // Long enough for a verdict, and at the height of the pulse.
    for now in [10_000_000, 10_500_000, 11_000_000] {
        test.judge(now);
    }
    test.picture(11_000_000, &PLAN)
}

pub fn self_test() -> Vec<Panel> {
    let all = || Cell::all().map(Cell::bit);
    let half_way = {
        let mut test = SelfTest::new(0, 1 << 12);
        test.see(1_000_000, 0);
        for key in all().take(13) {
            test.see(6_000_000, key);
            test.see(6_100_000, 0);
        }
        test.see(6_200_000, 1 << 13);
        test.picture(6_300_000, &PLAN)
    };
    vec![
        Panel::new(half_way, "White: closed now. Green: was pressed, and works"),
        Panel::new(tested(0, all()), "All 25 keys work"),
        Panel::new(tested(0, all().filter(|key| key & row_mask(3) == 0)), "A row pulses red: its wire is dead"),
        Panel::new(tested(0, all().filter(|key| key & 0x10_8421 << 1 == 0)), "A column pulses red: its wire is dead"),
        Panel::new(
            tested(0, all().map(|key| if key & 3 << 16 != 0 { 3 << 16 } else { key })),
            "Violet: these two close together",
        ),
        Panel::new(tested(1 << 8, all().filter(|&key| key != 1 << 8)), "One key pulses red: it is stuck"),
    ]
}

/// The bottom two corners are held in the self-test: its pictures after so many milliseconds.
pub fn bootloader() -> Vec<Panel> {
    let held = |time: u64| {
        let mut device = CoreDevice::switched_on(Game::new(0, 1), 1 << 12);
        device.wait(ms(300));
        device.set_key(cell(2, 2), false);
        device.wait(ms(4000));
        Command::Demo.corners().into_iter().for_each(|corner| device.set_key(corner.cell(), true));
        device.wait(ms(time));
        device.game.draw(device.now)
    };
    vec![
        Panel::new(held(500), "The bottom two corners are held"),
        Panel::new(held(800), "After 0.7 s: an arrow into the board"),
        Panel::new(held(2000), "It fills from its top: let go to stay"),
        Panel::new(held(2900), "Full, after 3 s: the bootloader starts"),
    ]
}
