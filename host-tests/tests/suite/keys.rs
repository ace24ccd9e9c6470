//! The keys as a whole: power-on, sleep and waking, stuck keys, and when the next scan is wanted.

use lights_out::gesture::{Command, Gesture, STUCK};
use lights_out::keys::{DOZE_PERIOD, KeyEvent, Keys, Next, PERIOD, SLEEP_AFTER, STUCK_PERIOD, TEACH_AFTER, WAKING};
use lights_out::layout::Layout;
use lights_out::matrix::{Columns, Contact, Contacts};
use player::cell;

/// Keys with a clock; scans come when they are wanted.
#[derive(Clone)]
struct Fingers {
    keys: Keys,
    now: u64,
    raw: Contacts,
    next: Next,
    inputs: Vec<KeyEvent>,
}

impl Fingers {
    fn switch_on(raw: Contacts) -> Self {
        let mut inputs = Vec::new();
        let keys = Keys::new(1000, Layout::REFERENCE.keys, raw, |input| inputs.push(input));
        let mut fingers = Self { keys, now: 1000, raw, next: Next::ScanAt(1000), inputs };
        fingers.scan();
        fingers
    }

    fn scan(&mut self) {
        let Self { keys, inputs, .. } = self;
        self.next = keys.update(self.now, self.raw, Columns::EMPTY, |input| inputs.push(input));
    }

    /// The contacts change, and the hardware notices at once.
    fn change(&mut self, raw: Contacts) {
        self.raw = raw;
        self.scan();
    }

    fn wait(&mut self, time: u64) {
        let until = self.now + time;
        while let Next::ScanAt(at) | Next::Touch { until: at, .. } | Next::Doze { until: at } = self.next {
            if at > until {
                break;
            }
            assert!(at > self.now || at == 1000, "time goes on: {at} after {}", self.now);
            self.now = at;
            self.scan();
        }
        self.now = until;
    }

    fn is_asleep(&self) -> bool {
        matches!(self.next, Next::Sleep | Next::Doze { .. })
    }

    /// A key is touched for 30 ms. In deep sleep the hardware sees it if it pulls down a column that was up; otherwise only
    /// a scan can.
    fn tap_asleep(&mut self, key: Contacts) {
        self.raw |= key;
        if self.next == Next::Sleep {
            self.scan();
        }
        self.wait(30_000);
        self.raw &= !key;
        self.wait(100_000);
    }

    #[track_caller]
    fn expect(&mut self, inputs: &[KeyEvent]) {
        assert_eq!(std::mem::take(&mut self.inputs), inputs);
    }

    /// Three minutes later.
    fn fall_asleep(&mut self) {
        self.wait(SLEEP_AFTER + STUCK + 1_000_000);
        assert!(self.is_asleep(), "{:?}", self.next);
    }
}

const NONE: Contacts = Contacts::EMPTY;
const A: Contacts = Contacts::from_bits(1 << 7);
const B: Contacts = Contacts::from_bits(1 << 13);
/// The column of the first.
const COLUMN_A: Columns = Columns::from_bits(1 << 2);

fn tap(contacts: Contacts) -> KeyEvent {
    player::tap(Layout::REFERENCE.keys.cell_of_contact(contacts.first().unwrap()))
}

#[test]
fn a_still_handheld_waits_for_a_touch_and_a_touch_is_looked_at_closely() {
    let mut fingers = Fingers::switch_on(NONE);
    assert_eq!(fingers.next, Next::Touch { columns: Columns::ALL, until: 1000 + SLEEP_AFTER });
    assert!(!fingers.keys.is_press_likely());
    fingers.wait(50_000);
    fingers.change(A);
    assert!(fingers.keys.is_press_likely());
    fingers.expect(&[]);
    fingers.wait(400);
    fingers.expect(&[tap(A)]);
    assert!(!fingers.keys.is_press_likely());
    assert_eq!(fingers.next, Next::ScanAt(fingers.now - 100 + PERIOD));
    fingers.raw = NONE;
    fingers.wait(30_000);
    fingers.expect(&[]);
    assert!(matches!(fingers.next, Next::Touch { columns: Columns::ALL, .. }));
}

#[test]
fn keys_held_at_power_on_are_no_taps_and_the_centre_asks_for_the_self_test() {
    let mut fingers = Fingers::switch_on(A);
    fingers.wait(1_000_000);
    fingers.change(NONE);
    fingers.wait(1_000_000);
    fingers.expect(&[]);
    fingers.change(A);
    fingers.wait(1000);
    fingers.expect(&[tap(A)]);

    let centre = Contact::new(12).unwrap().bit();
    let mut tester = Fingers::switch_on(centre);
    tester.expect(&[KeyEvent::SelfTest(centre)]);
    tester.change(NONE);
    tester.expect(&[KeyEvent::Closed(NONE)]);
}

#[test]
fn any_key_held_alone_for_five_seconds_at_power_on_and_let_go_asks_for_the_teaching() {
    for key in Contact::all() {
        let mut fingers = Fingers::switch_on(key.bit());
        fingers.wait(TEACH_AFTER + 1000);
        fingers.inputs.clear();
        // It flickers before it is let go for good.
        fingers.change(NONE);
        fingers.wait(5000);
        fingers.change(key.bit());
        fingers.wait(5000);
        fingers.change(NONE);
        fingers.wait(100_000);
        fingers.inputs.retain(|input| !matches!(input, KeyEvent::Closed(_)));
        fingers.expect(&[KeyEvent::Teach]);
        // From now on it is told of every contact.
        fingers.change(A);
        fingers.expect(&[KeyEvent::Closed(A)]);
    }
}

#[test]
fn nothing_else_that_is_held_at_power_on_asks_for_the_teaching() {
    let held = |keys: Contacts, time: u64, meanwhile: Contacts| {
        let mut fingers = Fingers::switch_on(keys);
        fingers.wait(time / 2);
        fingers.change(keys | meanwhile);
        fingers.wait(100_000);
        fingers.change(keys);
        fingers.wait(time / 2);
        fingers.change(NONE);
        fingers.wait(100_000);
        assert!(!fingers.inputs.contains(&KeyEvent::Teach), "{keys:?} for {time} us, and {meanwhile:?}");
    };
    // Not as long as that; with another, or with another pressed meanwhile; for so long that it is broken.
    held(A, TEACH_AFTER - 200_000, NONE);
    held(A | B, TEACH_AFTER + 1_000_000, NONE);
    held(A, TEACH_AFTER + 1_000_000, B);
    held(A, STUCK + 1_000_000, NONE);
    // Nor a key that is pressed later.
    let mut fingers = Fingers::switch_on(NONE);
    fingers.wait(100_000);
    fingers.change(A);
    fingers.wait(TEACH_AFTER + 1_000_000);
    fingers.change(NONE);
    fingers.wait(100_000);
    fingers.expect(&[tap(A)]);
}

#[test]
fn keys_are_where_it_was_learned_and_columns_where_they_are_wired() {
    // Turned by a quarter: the contact in row r, column c is at row c, column 4 - r.
    let turned = Contact::all().map(|contact| cell(contact.column().index(), 4 - contact.row()));
    let turned: [_; 25] = turned.collect::<Vec<_>>().try_into().expect("25 of them");
    let mut fingers = Fingers::switch_on(NONE);
    fingers.keys.learn(1000, turned.try_into().expect("each is there once"));
    fingers.change(A);
    fingers.wait(STUCK + 1000);
    let place = cell(2, 3);
    fingers.expect(&[player::tap(place), KeyEvent::Gesture(Gesture::Stuck(place))]);
    let Next::Touch { columns, .. } = fingers.next else { panic!("{:?}", fingers.next) };
    assert_eq!(columns, !COLUMN_A, "the column of the contact that is stuck");
    // By the plan these two would be the next puzzle.
    fingers.change(NONE);
    fingers.wait(100_000);
    fingers.change(Contacts::from_bits(1 << 4 | 1 << 20));
    fingers.wait(800_000);
    let given = fingers.inputs.last();
    assert!(matches!(given, Some(KeyEvent::Gesture(Gesture::Command { command: Command::Menu, .. }))), "{given:?}");
}

#[test]
fn after_three_minutes_without_a_key_it_sleeps_and_a_touch_that_is_no_tap_wakes_it() {
    let mut fingers = Fingers::switch_on(NONE);
    fingers.wait(SLEEP_AFTER - 1);
    fingers.expect(&[]);
    fingers.wait(1);
    fingers.expect(&[KeyEvent::Sleep]);
    assert_eq!(fingers.next, Next::Sleep);
    // It bounces while it wakes, and stays down for a while.
    fingers.now += 3_600_000_000;
    for raw in [A, NONE, A, NONE, NONE, A] {
        fingers.change(raw);
        fingers.wait(700);
    }
    fingers.expect(&[KeyEvent::Wake]);
    fingers.wait(200_000);
    fingers.change(NONE);
    fingers.wait(100_000);
    fingers.expect(&[]);
    fingers.change(B);
    fingers.wait(1000);
    fingers.expect(&[tap(B)]);
}

#[test]
fn a_touch_that_only_the_hardware_remembers_wakes_it_too() {
    let mut fingers = Fingers::switch_on(NONE);
    fingers.fall_asleep();
    fingers.inputs.clear();
    let Fingers { keys, inputs, now, .. } = &mut fingers;
    keys.was_touched(*now, |input| inputs.push(input));
    fingers.scan();
    fingers.wait(WAKING + 1000);
    fingers.expect(&[KeyEvent::Wake]);
    assert!(matches!(fingers.next, Next::Touch { .. } | Next::ScanAt(_)));
    fingers.change(A);
    fingers.wait(1000);
    fingers.expect(&[tap(A)]);
}

#[test]
fn a_stuck_key_neither_keeps_it_awake_nor_wakes_it_and_hides_no_tap() {
    let mut fingers = Fingers::switch_on(NONE);
    fingers.change(A);
    fingers.wait(STUCK + 1000);
    let stuck = KeyEvent::Gesture(Gesture::Stuck(cell(1, 2)));
    fingers.expect(&[tap(A), stuck]);
    // Its column cannot tell of a touch any more, so it is looked at from time to time.
    let Next::Touch { columns, until } = fingers.next else { panic!("{:?}", fingers.next) };
    assert_eq!((columns, until <= fingers.now + STUCK_PERIOD), (!COLUMN_A, true));
    let below = Contacts::from_bits(1 << 12);
    fingers.raw |= below;
    fingers.wait(30_000);
    fingers.expect(&[tap(below)]);
    fingers.raw &= !below;

    fingers.fall_asleep();
    fingers.expect(&[KeyEvent::Sleep]);
    // It is let go, and bounces: nobody wakes. Now the clocks can be stopped, and from now on it counts again.
    fingers.raw = NONE;
    fingers.wait(DOZE_PERIOD);
    for raw in [A, NONE, A, NONE] {
        fingers.change(raw);
        fingers.wait(1000);
    }
    fingers.wait(WAKING);
    fingers.expect(&[]);
    assert_eq!(fingers.next, Next::Sleep);
    fingers.change(A);
    fingers.expect(&[KeyEvent::Wake]);
}

#[test]
fn any_key_wakes_it_whichever_key_is_stuck() {
    for stuck in Contact::all().map(Contact::bit) {
        let mut asleep = Fingers::switch_on(stuck);
        asleep.fall_asleep();
        for other in Contact::all().map(Contact::bit).filter(|&other| other != stuck) {
            let mut fingers = asleep.clone();
            fingers.inputs.clear();
            fingers.wait(12_345_678);
            fingers.expect(&[]);
            fingers.tap_asleep(other);
            fingers.expect(&[KeyEvent::Wake]);
            // The next one is a tap.
            fingers.raw |= other;
            fingers.wait(30_000);
            fingers.expect(&[tap(other)]);
        }
    }
}

#[test]
fn any_key_wakes_it_whichever_two_are_stuck() {
    for (a, b) in Contact::all().flat_map(|b| Contact::all().take(b.index()).map(move |a| (a, b))) {
        let stuck = a.bit() | b.bit();
        let mut asleep = Fingers::switch_on(stuck);
        asleep.fall_asleep();
        asleep.inputs.clear();
        for other in (!stuck).iter().map(Contact::bit) {
            let mut fingers = asleep.clone();
            fingers.tap_asleep(other);
            fingers.expect(&[KeyEvent::Wake]);
        }
        // One of them comes free, and then the other: only then the clocks can be stopped.
        asleep.raw = a.bit();
        asleep.wait(100_000);
        assert!(matches!(asleep.next, Next::Doze { .. }), "{:?}", asleep.next);
        asleep.raw = NONE;
        asleep.wait(100_000);
        assert_eq!(asleep.next, Next::Sleep);
        asleep.expect(&[]);
    }
}

#[test]
fn sleep_that_the_game_wants_waits_for_a_held_key_to_come_up() {
    let mut fingers = Fingers::switch_on(NONE);
    fingers.change(A);
    fingers.wait(1000);
    fingers.keys.tire();
    fingers.wait(1000);
    fingers.expect(&[tap(A), KeyEvent::Sleep]);
    assert!(matches!(fingers.next, Next::Doze { .. }), "{:?}", fingers.next);
    fingers.raw = NONE;
    fingers.wait(100_000);
    fingers.expect(&[]);
    assert_eq!(fingers.next, Next::Sleep);
}

/// Found by fuzzing: the contacts of a held key that was released in the last scan of the waking bounced into a tap.
#[test]
fn held_key_released_while_waking_is_no_tap() {
    let mut fingers = Fingers::switch_on(NONE);
    fingers.change(A);
    fingers.fall_asleep();
    fingers.inputs.clear();
    fingers.change(A | B);
    fingers.wait(WAKING - 100);
    fingers.raw = B;
    fingers.wait(200);
    for raw in [A | B, B, A | B, B] {
        fingers.change(raw);
        fingers.wait(1000);
    }
    fingers.expect(&[KeyEvent::Wake]);
    fingers.wait(30_000);
    fingers.change(A | B);
    fingers.wait(1000);
    fingers.expect(&[tap(A)]);
}

#[test]
fn keys_in_a_bag_do_not_keep_it_awake_even_if_they_are_in_doubt() {
    // Four on a rectangle, closed in one moment: none of them is ever believed.
    let rectangle = Contacts::from_bits(0b11 << 7 | 0b11 << 12);
    let mut fingers = Fingers::switch_on(NONE);
    fingers.change(rectangle);
    fingers.wait(SLEEP_AFTER + 1000);
    fingers.expect(&[KeyEvent::Sleep]);
    fingers.tap_asleep(Contact::FIRST.bit());
    fingers.expect(&[KeyEvent::Wake]);
}
