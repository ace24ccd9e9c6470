//! From presses and releases to gestures: taps, commands, stuck keys.

use lights_out::board::Cells;
use lights_out::debounce::Edges;
use lights_out::game::history::UNDO_DEPTH;
use lights_out::gesture::{Command, Corner, Gesture, Gestures, HOLD, REPEAT, STUCK};

/// Gestures with a clock that advances by a millisecond.
struct GestureTester {
    gestures: Gestures,
    now: u64,
    gestures_made: Vec<Gesture>,
}

impl GestureTester {
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

fn given(command: Command, roll_back: Option<Corner>) -> Gesture {
    Gesture::Command { command, roll_back }
}

#[test]
fn each_pair_of_corners_gives_its_command() {
    for command in Command::ALL {
        let [a, b] = command.corners();
        for (first, second) in [(a, b), (b, a)] {
            let mut tester = GestureTester::new(Cells::EMPTY);
            tester.change(&[first], &[]);
            tester.wait(20_000);
            tester.change(&[second], &[]);
            tester.expect(&taps([first, second]));
            tester.wait(HOLD - 1000);
            tester.expect(&[]);
            tester.wait(1000);
            tester.expect(&[given(command, Some(first))]);
            tester.wait(REPEAT - 1000);
            tester.expect(&[]);
            tester.wait(1000 + 2 * REPEAT);
            let again = [given(command, None); 3];
            tester.expect(if command == Command::Undo { &again } else { &[] });
        }
    }
}

#[test]
fn corner_that_stays_down_rolls_back_once() {
    use Corner::{TopLeft, TopRight};
    let mut tester = GestureTester::new(Cells::EMPTY);
    tester.change(&[TopLeft, TopRight], &[]);
    tester.wait(HOLD);
    tester.expect(&[Gesture::Tap(TopLeft.cell()), Gesture::Tap(TopRight.cell()), given(Command::Hint, Some(TopLeft))]);
    tester.change(&[], &[TopRight]);
    tester.wait(100_000);
    tester.change(&[TopRight], &[]);
    tester.wait(HOLD);
    tester.expect(&[Gesture::Tap(TopRight.cell()), given(Command::Hint, Some(TopRight))]);
}

#[test]
fn third_key_blocks_a_pair_until_released() {
    use Corner::{BottomLeft, BottomRight, TopLeft};
    let mut tester = GestureTester::new(Cells::EMPTY);
    tester.change(&[BottomLeft, BottomRight, TopLeft], &[]);
    tester.expect(&taps([TopLeft, BottomLeft, BottomRight]));
    tester.wait(2 * HOLD);
    tester.expect(&[]);
    tester.change(&[], &[TopLeft]);
    tester.wait(HOLD);
    tester.expect(&[given(Command::Demo, Some(BottomLeft))]);
    tester.change(&[TopLeft], &[]);
    tester.wait(100_000);
    tester.change(&[], &[TopLeft]);
    tester.wait(2 * HOLD);
    tester.expect(&taps([TopLeft]));
}

#[test]
fn key_held_at_start_can_complete_a_command() {
    use Corner::{TopLeft, TopRight};
    let mut tester = GestureTester::new(TopLeft.cell().bit());
    tester.wait(HOLD);
    tester.expect(&[]);
    tester.change(&[TopRight], &[]);
    tester.wait(HOLD);
    tester.expect(&[Gesture::Tap(TopRight.cell()), given(Command::Hint, Some(TopRight))]);
}

#[test]
fn stuck_key_is_reported_once_and_ignored() {
    use Corner::{BottomLeft, BottomRight, TopLeft};
    let mut tester = GestureTester::new(Cells::EMPTY);
    tester.change(&[TopLeft], &[]);
    tester.wait(STUCK - 1000);
    tester.expect(&taps([TopLeft]));
    tester.wait(1000);
    tester.expect(&[Gesture::Stuck(TopLeft.cell())]);
    tester.wait(STUCK);
    tester.expect(&[]);
    tester.change(&[BottomLeft, BottomRight], &[]);
    tester.wait(HOLD);
    tester.expect(&[
        Gesture::Tap(BottomLeft.cell()),
        Gesture::Tap(BottomRight.cell()),
        given(Command::Demo, Some(BottomLeft)),
    ]);
    tester.change(&[], &[TopLeft]);
    tester.change(&[TopLeft], &[]);
    tester.expect(&taps([TopLeft]));
}

#[test]
fn held_undo_reaches_the_first_step() {
    use Corner::{BottomLeft, TopLeft};
    // One corner may have been down for a long time before the other. It does not become stuck before the other.
    for before in [0, STUCK - HOLD / 2] {
        let mut tester = GestureTester::new(Cells::EMPTY);
        tester.change(&[TopLeft], &[]);
        tester.wait(before);
        tester.change(&[BottomLeft], &[]);
        tester.expect(&taps([TopLeft, BottomLeft]));
        tester.wait(HOLD + (UNDO_DEPTH as u64 - 1) * REPEAT);
        let acts = std::mem::take(&mut tester.gestures_made);
        let is_undo = |gesture: &Gesture| matches!(gesture, Gesture::Command { command: Command::Undo, .. });
        assert!(acts.len() == UNDO_DEPTH && acts.iter().all(is_undo), "{} of {UNDO_DEPTH}", acts.len());
        // Nothing is left to undo: corners that are still down are stuck.
        tester.wait(STUCK);
        let [.., a, b] = tester.gestures_made[..] else { panic!("two more gestures") };
        assert_eq!([a, b], [TopLeft, BottomLeft].map(|corner| Gesture::Stuck(corner.cell())));
        tester.gestures_made.clear();
        tester.wait(STUCK);
        tester.expect(&[]);
    }
}

#[test]
fn pair_becomes_stuck_after_its_command() {
    use Corner::{TopLeft, TopRight};
    let mut tester = GestureTester::new(Cells::EMPTY);
    tester.change(&[TopLeft, TopRight], &[]);
    tester.wait(STUCK);
    let stuck = [TopLeft, TopRight].map(|corner| Gesture::Stuck(corner.cell()));
    let all = [&taps([TopLeft, TopRight])[..], &[given(Command::Hint, Some(TopLeft))], &stuck].concat();
    tester.expect(&all);
}

#[test]
fn corner_released_late_after_a_long_undo_is_not_stuck() {
    use Corner::{BottomLeft, TopLeft};
    let mut tester = GestureTester::new(Cells::EMPTY);
    tester.change(&[TopLeft, BottomLeft], &[]);
    tester.wait(STUCK + HOLD);
    tester.gestures_made.clear();
    tester.change(&[], &[BottomLeft]);
    tester.wait(STUCK - 1000);
    tester.expect(&[]);
    tester.wait(1000);
    tester.expect(&[Gesture::Stuck(TopLeft.cell())]);
}
