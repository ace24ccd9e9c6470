//! Saves in flash.

use lights_out::board::{Cell, Cells};
use lights_out::game::Game;
use lights_out::gesture::Command;
use lights_out::keys::KeyEvent;
use lights_out::save::{Save, Snapshot, decode};
use lights_out::solver::Solver;
use player::{CoreDevice, Device, command, ms, tap};

/// The largest number of events.
const MAX_EVENTS: usize = 60;
/// The possible times after an event, in milliseconds.
const WAITS: [u64; 8] = [0, 20, 150, 300, 500, 900, 2_000, 5_000];

/// The input is a save. Read from its end, it is also the list of events: each byte is a key, a command or a sleep, and
/// a time. The decoder ignores bytes after a save, so that both can change independently. An accepted save encodes
/// again, can be played, and is restored after a power cut.
pub fn save(input: &[u8]) {
    let Some(saved) = decode(input) else { return };
    assert_eq!(through_bytes(&saved), saved, "a decoded save encodes and decodes again");
    let Some(game) = Game::restore(0, 1, saved.clone(), false) else { return };
    assert_eq!(game.snapshot(), saved, "a consistent save is restored unchanged");
    let results = Game::restore(0, 1, saved, true).expect("consistent results");
    assert_eq!(results.snapshot().records, game.snapshot().records);

    let mut device = CoreDevice::power_on(game, Cells::EMPTY);
    for byte in input.iter().rev().take(MAX_EVENTS) {
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
        check_invariants(&mut device);
    }
    let snapshot = device.game.snapshot();
    let again = Game::restore(0, 2, through_bytes(&snapshot), false).expect("a consistent save");
    assert_eq!(again.snapshot(), snapshot);
}

/// The snapshot after a power cycle.
fn through_bytes(snapshot: &Snapshot) -> Snapshot {
    let save = Save::of(snapshot).expect("every save fits");
    decode(save.bytes()).expect("a valid save")
}

/// Checks the invariants of every game.
fn check_invariants(device: &mut CoreDevice) {
    device.game.draw(device.now);
    let status = device.game.status(device.now);
    // A drawing has par 0 and may be unsolvable.
    if let Some((variant, board)) = status.puzzle.filter(|_| status.par > 0) {
        assert_eq!(Solver::new(variant).par(board), Some(status.par), "{status:?}");
    }
}
