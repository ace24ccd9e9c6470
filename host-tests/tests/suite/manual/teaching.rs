//! Pictures of the teaching, on a board whose LED chain runs up and down the columns.

use lights_out::board::{CELLS, Cell, SIDE};
use lights_out::display::Frame;
use lights_out::game::Game;
use lights_out::layout::{Layout, LedLayout, LedMap, LedPosition};
use player::{CoreDevice, Player, TEACH_PRESSES, cell, ms};

use super::drawing::Panel;
use super::moments::{Handheld, seen};

/// A chain that begins at the bottom left, goes up, and down the next column.
fn up_and_down() -> LedMap {
    let cells = Cell::all().map(|light| {
        let (column, along) = (light.row(), light.column());
        cell(if column % 2 == 0 { SIDE - 1 - along } else { along }, column)
    });
    let cells: [Cell; CELLS] = cells.collect::<Vec<_>>().try_into().expect("25 cells");
    cells.try_into().expect("each cell once")
}

/// The frame as the LEDs of this board show it.
fn seen_on(layout: &Layout, player: &Handheld) -> Frame {
    let (frame, known) = (seen(player), player.device.game.layout().leds.map);
    let mut shown = Frame::DARK;
    for led in LedPosition::all() {
        shown.set(layout.leds.map.cell_of_led(led), frame.0[known.cell_of_led(led).index()]);
    }
    shown
}

pub(super) fn teaching() -> Vec<Panel> {
    let reference = Layout::REFERENCE;
    let layout = Layout { leds: LedLayout { map: up_and_down(), ..reference.leds }, ..reference };
    let held = cell(3, 3);
    let device = CoreDevice::power_on_board(layout, |contacts| contacts, Game::new(0, 5), held.bit());
    let mut player = Player::new(device);
    player.hold_to_teach(held);
    let mut panels = vec![Panel::new(seen_on(&layout, &player), "All red, green, blue, white: are the colours right?")];
    player.skip_colours();
    (0..12).for_each(|pressed| player.teach_key(pressed));
    let requested = player.requested_key(12);
    panels.push(Panel::new(seen_on(&layout, &player), "One light pulses: press its key").pressed(requested));
    player.press(cell(4, 0));
    player.wait(ms(20));
    panels.push(Panel::new(seen_on(&layout, &player), "All red: this key was already pressed").pressed(cell(4, 0)));
    player.release(cell(4, 0));
    player.expect_refused();
    (12..37).for_each(|pressed| player.teach_key(pressed));
    let next = player.requested_key(37);
    panels.push(Panel::new(seen_on(&layout, &player), "All on: put them out in reading order").pressed(next));
    (37..TEACH_PRESSES).for_each(|pressed| player.teach_key(pressed));
    player.wait(ms(700));
    assert_eq!(*player.device.game.layout(), layout);
    panels.push(Panel::new(seen_on(&layout, &player), "Green, in reading order: the wiring is learned"));
    panels
}
