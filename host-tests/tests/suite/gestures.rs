//! From presses and releases to what the player means.

use lights_out::board::Cells;
use lights_out::debounce::Edges;
use lights_out::game::history::UNDO_DEPTH;
use lights_out::gesture::{Command, Corner, Gesture, Gestures, HOLD, REPEAT, STUCK};

/// Gestures with a clock that steps by a millisecond.
struct Fingers {
    gestures: Gestures,
    now: u64,
    gestures_made: Vec<Gesture>,
}

impl Fingers {
    fn new(held: Cells) -> Self {
        Self { gestures: Gestures::new(1000, held), now: 1000, gestures_made: Vec::new() }
    }

    fn change(&mut self, pressed: &[Corner], released: &[Corner]) {
        let mask = |corners: &[Corner]| corners.iter().map(|corner| corner.cell()).collect();
        let edges = Edges { pressed: mask(pressed), released: mask(released) };
        self.gestures.update(self.now, edges, |gesture| self.gestures_made.push(gesture));
    }

    fn wait(&mut self, time: u64) {
        for _ in 0..time / 1000 {
            self.now += 1000;
            self.gestures.update(self.now, Edges::NONE, |gesture| self.gestures_made.push(gesture));
        }
    }

    fn expect(&mut self, gestures: &[Gesture]) {
        assert_eq!(std::mem::take(&mut self.gestures_made), gestures);
    }
}

fn taps<const N: usize>(corners: [Corner; N]) -> [Gesture; N] {
    corners.map(|corner| Gesture::Tap(corner.cell()))
}

fn given(command: Command, take_back: Option<Corner>) -> Gesture {
    Gesture::Command { command, take_back }
}

#[test]
fn each_pair_of_corners_is_its_command() {
    for command in Command::ALL {
        let [a, b] = command.corners();
        for (first, second) in [(a, b), (b, a)] {
            let mut fingers = Fingers::new(Cells::EMPTY);
            fingers.change(&[first], &[]);
            fingers.wait(20_000);
            fingers.change(&[second], &[]);
            fingers.expect(&taps([first, second]));
            fingers.wait(HOLD - 1000);
            fingers.expect(&[]);
            fingers.wait(1000);
            fingers.expect(&[given(command, Some(first))]);
            fingers.wait(REPEAT - 1000);
            fingers.expect(&[]);
            fingers.wait(1000 + 2 * REPEAT);
            let again = [given(command, None); 3];
            fingers.expect(if command == Command::Undo { &again } else { &[] });
        }
    }
}

#[test]
fn a_corner_that_stays_down_has_nothing_more_to_take_back() {
    use Corner::{TopLeft, TopRight};
    let mut fingers = Fingers::new(Cells::EMPTY);
    fingers.change(&[TopLeft, TopRight], &[]);
    fingers.wait(HOLD);
    fingers.expect(&[Gesture::Tap(TopLeft.cell()), Gesture::Tap(TopRight.cell()), given(Command::Hint, Some(TopLeft))]);
    fingers.change(&[], &[TopRight]);
    fingers.wait(100_000);
    fingers.change(&[TopRight], &[]);
    fingers.wait(HOLD);
    fingers.expect(&[Gesture::Tap(TopRight.cell()), given(Command::Hint, Some(TopRight))]);
}

#[test]
fn a_third_key_spoils_a_pair_until_it_goes_up_and_a_spent_pair_stays_spent() {
    use Corner::{BottomLeft, BottomRight, TopLeft};
    let mut fingers = Fingers::new(Cells::EMPTY);
    fingers.change(&[BottomLeft, BottomRight, TopLeft], &[]);
    fingers.expect(&taps([TopLeft, BottomLeft, BottomRight]));
    fingers.wait(2 * HOLD);
    fingers.expect(&[]);
    fingers.change(&[], &[TopLeft]);
    fingers.wait(HOLD);
    fingers.expect(&[given(Command::Demo, Some(BottomLeft))]);
    fingers.change(&[TopLeft], &[]);
    fingers.wait(100_000);
    fingers.change(&[], &[TopLeft]);
    fingers.wait(2 * HOLD);
    fingers.expect(&taps([TopLeft]));
}

#[test]
fn keys_held_from_the_start_are_no_taps_but_can_be_half_of_a_command() {
    use Corner::{TopLeft, TopRight};
    let mut fingers = Fingers::new(TopLeft.cell().bit());
    fingers.wait(HOLD);
    fingers.expect(&[]);
    fingers.change(&[TopRight], &[]);
    fingers.wait(HOLD);
    fingers.expect(&[Gesture::Tap(TopRight.cell()), given(Command::Hint, Some(TopRight))]);
}

#[test]
fn a_stuck_key_is_told_once_and_left_out_until_it_goes_up() {
    use Corner::{BottomLeft, BottomRight, TopLeft};
    let mut fingers = Fingers::new(Cells::EMPTY);
    fingers.change(&[TopLeft], &[]);
    fingers.wait(STUCK - 1000);
    fingers.expect(&taps([TopLeft]));
    fingers.wait(1000);
    fingers.expect(&[Gesture::Stuck(TopLeft.cell())]);
    fingers.wait(STUCK);
    fingers.expect(&[]);
    fingers.change(&[BottomLeft, BottomRight], &[]);
    fingers.wait(HOLD);
    fingers.expect(&[
        Gesture::Tap(BottomLeft.cell()),
        Gesture::Tap(BottomRight.cell()),
        given(Command::Demo, Some(BottomLeft)),
    ]);
    fingers.change(&[], &[TopLeft]);
    fingers.change(&[TopLeft], &[]);
    fingers.expect(&taps([TopLeft]));
}

#[test]
fn undo_held_goes_back_to_the_first_step() {
    use Corner::{BottomLeft, TopLeft};
    // One corner may have been down for long before: it is no more stuck than the other.
    for before in [0, STUCK - HOLD / 2] {
        let mut fingers = Fingers::new(Cells::EMPTY);
        fingers.change(&[TopLeft], &[]);
        fingers.wait(before);
        fingers.change(&[BottomLeft], &[]);
        fingers.expect(&taps([TopLeft, BottomLeft]));
        fingers.wait(HOLD + (UNDO_DEPTH as u64 - 1) * REPEAT);
        let acts = std::mem::take(&mut fingers.gestures_made);
        let is_undo = |gesture: &Gesture| matches!(gesture, Gesture::Command { command: Command::Undo, .. });
        assert!(acts.len() == UNDO_DEPTH && acts.iter().all(is_undo), "{} of {UNDO_DEPTH}", acts.len());
        // There is nothing left that it could take back: corners that are still down are stuck.
        fingers.wait(STUCK);
        let [.., a, b] = fingers.gestures_made[..] else { panic!("nothing more came") };
        assert_eq!([a, b], [TopLeft, BottomLeft].map(|corner| Gesture::Stuck(corner.cell())));
        fingers.gestures_made.clear();
        fingers.wait(STUCK);
        fingers.expect(&[]);
    }
}

#[test]
fn pair_that_has_acted_is_stuck_after_its_time() {
    use Corner::{TopLeft, TopRight};
    let mut fingers = Fingers::new(Cells::EMPTY);
    fingers.change(&[TopLeft, TopRight], &[]);
    fingers.wait(STUCK);
    let stuck = [TopLeft, TopRight].map(|corner| Gesture::Stuck(corner.cell()));
    let all = [&taps([TopLeft, TopRight])[..], &[given(Command::Hint, Some(TopLeft))], &stuck].concat();
    fingers.expect(&all);
}
