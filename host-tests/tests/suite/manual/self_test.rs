//! Pictures of the self-test: each fault, and the start of the bootloader.

use lights_out::board::Cells;
use lights_out::display::Frame;
use lights_out::game::Game;
use lights_out::game::self_test::SelfTest;
use lights_out::gesture::Command;
use lights_out::layout::{KeyMap, Layout};
use lights_out::matrix::{Column, Contact, Contacts};
use player::{CoreDevice, Device, cell, ms};

use super::drawing::Panel;

const REFERENCE: KeyMap = Layout::REFERENCE.keys;
const NONE: Contacts = Contacts::EMPTY;
const CENTRE: Contacts = Contacts::from_bits(1 << 12);

/// The frame of the self-test after these contacts have closed, one set after the other. The contacts in `held` never
/// open.
fn tested(held: Contacts, closing: impl IntoIterator<Item = Contacts>) -> Frame {
    let mut test = SelfTest::new(0, held | CENTRE);
    test.update_contacts(1_000_000, held);
    for closed in closing {
        test.update_contacts(6_000_000, held | closed);
        test.update_contacts(6_100_000, held);
    }
    // Long enough for a finding, and at the brightest time of the pulse.
    for now in [10_000_000, 10_500_000, 11_000_000] {
        test.judge(now);
    }
    test.frame(11_000_000, &REFERENCE)
}

pub(super) fn self_test() -> Vec<Panel> {
    let all = || Contact::all().map(Contact::bit);
    let half_way = {
        let mut test = SelfTest::new(0, CENTRE);
        test.update_contacts(1_000_000, NONE);
        for key in all().take(13) {
            test.update_contacts(6_000_000, key);
            test.update_contacts(6_100_000, NONE);
        }
        test.update_contacts(6_200_000, Contacts::from_bits(1 << 13));
        test.frame(6_300_000, &REFERENCE)
    };
    let column = Contacts::in_column(Column::all().nth(1).expect("the second column"));
    let (pair, stuck) = (Contacts::from_bits(3 << 16), Contacts::from_bits(1 << 8));
    vec![
        Panel::new(half_way, "White: closed now. Green: was pressed and works"),
        Panel::new(tested(NONE, all()), "All 25 keys work"),
        Panel::new(
            tested(NONE, all().filter(|key| !key.is_subset(Contacts::in_row(3)))),
            "A row pulses red: its wire is broken",
        ),
        Panel::new(tested(NONE, all().filter(|key| !key.is_subset(column))), "A column pulses red: its wire is broken"),
        Panel::new(
            tested(NONE, all().map(|key| if key.is_subset(pair) { pair } else { key })),
            "Violet: these two keys close together",
        ),
        Panel::new(tested(stuck, all().filter(|&key| key != stuck)), "One key pulses red: it is stuck"),
    ]
}

/// The bottom two corners are held in the self-test: the frames after some times.
pub(super) fn bootloader() -> Vec<Panel> {
    let held = |time: u64| {
        let mut device = CoreDevice::power_on(Game::new(0, 1), Cells::from([cell(2, 2)]));
        device.wait(ms(300));
        device.set_key(cell(2, 2), false);
        device.wait(ms(4000));
        Command::Demo.corners().into_iter().for_each(|corner| device.set_key(corner.cell(), true));
        device.wait(ms(time));
        device.game.draw(device.now)
    };
    vec![
        Panel::new(held(500), "The bottom two corners are held"),
        Panel::new(held(800), "After 0.7 s: an arrow down"),
        Panel::new(held(2000), "It fills from the top: release to cancel"),
        Panel::new(held(2900), "Full, after 3 s: the bootloader starts"),
    ]
}
