//! How a moment that is worth seeing is reached, and looked at.

use lights_out::board::{Board, Cell};
use lights_out::gesture::Command;
use lights_out::level_boards;
use lights_out::picture::Frame;
use lights_out::solver::CLASSIC;
use player::{CoreDevice, Player, WIPED, cell, ms};

use super::svg::Panel;

/// The game as a library, in somebody's hands.
pub type Handheld = Player<CoreDevice>;

/// A handheld that was just switched on for the first time.
pub fn handheld() -> Handheld {
    Player::new(CoreDevice::new(5))
}

/// What is on the lights.
pub fn seen(player: &Handheld) -> Frame {
    player.device.game.clone().draw(player.device.now)
}

pub fn light_of(frame: &Frame) -> u32 {
    frame.0.iter().map(|colour| u32::from(colour.r) + u32::from(colour.g) + u32::from(colour.b)).sum()
}

/// The picture at the height and at the depth of what pulses on it, once a second.
pub fn pulse(player: &mut Handheld) -> (Frame, Frame) {
    let mut moments = Vec::new();
    for _ in 0..200 {
        moments.push(seen(player));
        player.wait(ms(5));
    }
    let brightest = moments.iter().copied().max_by_key(light_of).expect("many moments");
    let dimmest = moments.iter().copied().min_by_key(light_of).expect("many moments");
    assert_ne!(brightest, dimmest, "nothing pulses");
    (brightest, dimmest)
}

/// Presses a key, and looks while it is down.
pub fn press(player: &mut Handheld, key: Cell, caption: &str) -> Panel {
    player.press(key);
    player.wait(ms(60));
    let panel = Panel::new(seen(player), caption).pressed(key);
    player.release(key);
    player.wait(ms(40));
    panel
}

/// Gives a command, and looks shortly before it is recognised: its corners are taken for moves until then. Ends at the
/// moment at which it acts.
pub fn give(player: &mut Handheld, command: Command, caption: &str) -> Panel {
    command.corners().into_iter().for_each(|corner| player.press(corner.cell()));
    player.wait(ms(500));
    let panel = Panel::new(seen(player), caption).held(command);
    player.wait(ms(201));
    command.corners().into_iter().for_each(|corner| player.release(corner.cell()));
    panel
}

pub fn solution(player: &Handheld) -> Vec<Cell> {
    CLASSIC.shortest(player.board()).expect("a board that can be solved").presses.iter().collect()
}

/// Solves levels from the first on, until this one (counted from 1) is on the lights. Those in `detours` take two presses
/// more than par.
pub fn go_to_level(player: &mut Handheld, level: usize, detours: &[usize]) {
    player.after_greeting();
    for solved in 1..level {
        if detours.contains(&solved) {
            player.tap(cell(2, 2));
            player.tap(cell(2, 2));
        }
        player.solve();
        // The celebration is cut short.
        player.tap(cell(2, 2));
        player.wait(WIPED);
    }
    player.expect_board(level_boards::board(level - 1).expect("a level"));
}

pub fn tap_all(player: &mut Handheld, board: Board) {
    board.lit().iter().for_each(|key| player.tap(key));
}

pub fn parse(board: &str) -> Board {
    Board::parse(board).expect("25 of # and .")
}

/// The score as it will be when this glyph is in the middle; the first column is coming in now. A glyph is four columns
/// wide, and a column takes 150 ms.
pub fn score_at(player: &Handheld, glyph: u64) -> Frame {
    player.device.game.clone().draw(player.device.now + 150_000 * (4 * glyph + 3))
}
