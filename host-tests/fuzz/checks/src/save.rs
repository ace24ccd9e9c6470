//! Saves, as they are found in flash.

use lights_out::board::{Cell, Cells};
use lights_out::game::Game;
use lights_out::gesture::Command;
use lights_out::keys::KeyEvent;
use lights_out::save::{Save, Snapshot, decode};
use lights_out::solver::Solver;
use player::{CoreDevice, Device, command, ms, tap};

/// Play ends after so many events.
const MOST_EVENTS: usize = 60;
/// Milliseconds that pass after an event.
const WAITS: [u64; 8] = [0, 20, 150, 300, 500, 900, 2_000, 5_000];

/// The input is a save, and read from its end also what is played with it: each byte is a key, a command or a sleep, and a time.
/// The decoder ignores what follows a save, so the two can change apart. Whatever is accepted encodes again, plays on, and comes
/// back from a power cut.
pub fn save(input: &[u8]) {
    let Some(saved) = decode(input) else { return };
    assert_eq!(through_bytes(&saved), saved, "what was read is written and read again");
    let Some(game) = Game::restore(0, 1, saved.clone(), false) else { return };
    assert_eq!(game.snapshot(), saved, "what makes sense is taken over as it is");
    let results = Game::restore(0, 1, saved, true).expect("its results make sense as well");
    assert_eq!(results.snapshot().records, game.snapshot().records);

    let mut device = CoreDevice::switched_on(game, Cells::EMPTY);
    for byte in input.iter().rev().take(MOST_EVENTS) {
        match usize::from(byte & 31) {
            31 => {
                device.input(KeyEvent::Sleep);
                assert!(!device.is_lit());
                device.input(KeyEvent::Wake);
            }
            number => device.input(match Cell::new(number) {
                Some(key) => tap(key),
                None => command(Command::ALL[number - 25]),
            }),
        }
        device.wait(ms(WAITS[usize::from(byte >> 5)]));
        check(&mut device);
    }
    let snapshot = device.game.snapshot();
    let again = Game::restore(0, 2, through_bytes(&snapshot), false).expect("the game's own save makes sense");
    assert_eq!(again.snapshot(), snapshot);
}

/// The snapshot after a power cut.
fn through_bytes(snapshot: &Snapshot) -> Snapshot {
    let save = Save::of(snapshot).expect("every save fits");
    decode(save.bytes()).expect("what was just written")
}

/// What holds in every game at any moment.
fn check(device: &mut CoreDevice) {
    device.game.draw(device.now);
    let status = device.game.status(device.now);
    // A drawing has no par, and need not be solvable.
    if let Some((variant, board)) = status.puzzle.filter(|_| status.par > 0) {
        assert_eq!(Solver::new(variant).par(board), Some(status.par), "{status:?}");
    }
}
