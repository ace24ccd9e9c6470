//! Plays the game to a moment that is drawn, and takes its frame.

use lights_out::board::{Board, Cell};
use lights_out::display::Frame;
use lights_out::gesture::Command;
use lights_out::level_boards;
use lights_out::solver::CLASSIC;
use player::{CoreDevice, Player, WIPE_TIME, cell, ms};

use super::drawing::Panel;

/// A player with the game as a library.
pub(super) type Handheld = Player<CoreDevice>;

/// A handheld that has been switched on for the first time.
pub(super) fn handheld() -> Handheld {
    Player::new(CoreDevice::new(5))
}

/// The current frame.
pub(super) fn seen(player: &Handheld) -> Frame {
    player.device.game.clone().draw(player.device.now)
}

/// The sum of all colour values of a frame.
pub(super) fn light_of(frame: &Frame) -> u32 {
    frame.0.iter().map(|colour| u32::from(colour.r) + u32::from(colour.g) + u32::from(colour.b)).sum()
}

/// The brightest and the dimmest frame of an animation that pulses once a second.
pub(super) fn pulse(player: &mut Handheld) -> (Frame, Frame) {
    let mut frames = Vec::new();
    for _ in 0..200 {
        frames.push(seen(player));
        player.wait(ms(5));
    }
    let brightest = frames.iter().copied().max_by_key(light_of).expect("200 frames");
    let dimmest = frames.iter().copied().min_by_key(light_of).expect("200 frames");
    assert_ne!(brightest, dimmest, "nothing pulses");
    (brightest, dimmest)
}

/// Presses a key. The panel shows the frame while the key is down.
pub(super) fn press(player: &mut Handheld, key: Cell, caption: &str) -> Panel {
    player.press(key);
    player.wait(ms(60));
    let panel = Panel::new(seen(player), caption).pressed(key);
    player.release(key);
    player.wait(ms(40));
    panel
}

/// Holds the corners of a command until it acts. The panel shows the frame shortly before: until then the corners are
/// moves.
pub(super) fn give(player: &mut Handheld, command: Command, caption: &str) -> Panel {
    command.corners().into_iter().for_each(|corner| player.press(corner.cell()));
    player.wait(ms(500));
    let panel = Panel::new(seen(player), caption).held(command);
    player.wait(ms(201));
    command.corners().into_iter().for_each(|corner| player.release(corner.cell()));
    panel
}

/// The keys of a shortest solution.
pub(super) fn solution(player: &Handheld) -> Vec<Cell> {
    CLASSIC.shortest(player.board()).expect("a solvable board").presses.iter().collect()
}

/// Solves levels until this one (counted from 1) is shown. The levels in `detours` take two presses more than par.
pub(super) fn go_to_level(player: &mut Handheld, level: usize, detours: &[usize]) {
    player.wait_for_greeting();
    for solved in 1..level {
        if detours.contains(&solved) {
            player.tap(cell(2, 2));
            player.tap(cell(2, 2));
        }
        player.solve();
        // A key ends the animation of the win.
        player.tap(cell(2, 2));
        player.wait(WIPE_TIME);
    }
    player.expect_board(level_boards::board(level - 1).expect("a level"));
}

/// Taps every lit cell of a board.
pub(super) fn tap_all(player: &mut Handheld, board: Board) {
    board.lit().iter().for_each(|key| player.tap(key));
}

/// Parses a board.
pub(super) fn parse(board: &str) -> Board {
    Board::parse(board).expect("25 characters # or .")
}

/// The frame of the scrolling score with this glyph in the middle. The first column appears now. A glyph is four
/// columns wide, and a column takes 150 ms.
pub(super) fn score_at(player: &Handheld, glyph: u64) -> Frame {
    player.device.game.clone().draw(player.device.now + 150_000 * (4 * glyph + 3))
}
