//! The keys as a whole: power-on, sleep and wake-up, stuck keys, and the time of the next scan.

use lights_out::gesture::{Command, Gesture, STUCK};
use lights_out::keys::{
    KeyEvent, Keys, LIGHT_SLEEP_PERIOD, Next, SCAN_PERIOD, SLEEP_AFTER, STUCK_PERIOD, TEACH_AFTER, WAKE_BOUNCE_TIME,
};
use lights_out::layout::Layout;
use lights_out::matrix::{Columns, Contact, Contacts};
use player::cell;

/// Keys with a clock. Each scan is made when it is due.
#[derive(Clone)]
struct KeyTester {
    keys: Keys,
    now: u64,
    raw: Contacts,
    next: Next,
    inputs: Vec<KeyEvent>,
}

impl KeyTester {
    fn switch_on(raw: Contacts) -> Self {
        let mut inputs = Vec::new();
        let keys = Keys::new(1000, Layout::REFERENCE.keys, raw, |input| inputs.push(input));
        let mut tester = Self { keys, now: 1000, raw, next: Next::ScanAt(1000), inputs };
        tester.scan();
        tester
    }

    fn scan(&mut self) {
        let Self { keys, inputs, .. } = self;
        self.next = keys.update(self.now, self.raw, Columns::EMPTY, |input| inputs.push(input));
    }

    /// The contacts change, and the hardware detects it immediately.
    fn change(&mut self, raw: Contacts) {
        self.raw = raw;
        self.scan();
    }

    fn wait(&mut self, time: u64) {
        let until = self.now + time;
        while let Next::ScanAt(at) | Next::ColumnLow { until: at, .. } | Next::LightSleep { until: at } = self.next {
            if at > until {
                break;
            }
            assert!(at > self.now || at == 1000, "the next scan at {at} is not after {}", self.now);
            self.now = at;
            self.scan();
        }
        self.now = until;
    }

    fn is_asleep(&self) -> bool {
        matches!(self.next, Next::Sleep | Next::LightSleep { .. })
    }

    /// Presses a key for 30 ms. With stopped clocks the hardware detects the key if it pulls a column low. Otherwise
    /// only a scan detects it.
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

    /// Waits for the idle timeout.
    fn fall_asleep(&mut self) {
        self.wait(SLEEP_AFTER + STUCK + 1_000_000);
        assert!(self.is_asleep(), "{:?}", self.next);
    }
}

const NONE: Contacts = Contacts::EMPTY;
const A: Contacts = Contacts::from_bits(1 << 7);
const B: Contacts = Contacts::from_bits(1 << 13);
/// The column of key A.
const COLUMN_A: Columns = Columns::from_bits(1 << 2);

fn tap(contacts: Contacts) -> KeyEvent {
    player::tap(Layout::REFERENCE.keys.cell_of_contact(contacts.first().unwrap()))
}

#[test]
fn idle_keys_wait_for_hardware_and_then_scan() {
    let mut tester = KeyTester::switch_on(NONE);
    assert_eq!(tester.next, Next::ColumnLow { columns: Columns::ALL, until: 1000 + SLEEP_AFTER });
    assert!(!tester.keys.is_press_pending());
    tester.wait(50_000);
    tester.change(A);
    assert!(tester.keys.is_press_pending());
    tester.expect(&[]);
    tester.wait(400);
    tester.expect(&[tap(A)]);
    assert!(!tester.keys.is_press_pending());
    assert_eq!(tester.next, Next::ScanAt(tester.now - 100 + SCAN_PERIOD));
    tester.raw = NONE;
    tester.wait(30_000);
    tester.expect(&[]);
    assert!(matches!(tester.next, Next::ColumnLow { columns: Columns::ALL, .. }));
}

#[test]
fn key_held_at_power_on_is_no_tap() {
    let mut tester = KeyTester::switch_on(A);
    tester.wait(1_000_000);
    tester.change(NONE);
    tester.wait(1_000_000);
    tester.expect(&[]);
    tester.change(A);
    tester.wait(1000);
    tester.expect(&[tap(A)]);

    let centre = Contact::new(12).unwrap().bit();
    let mut tester = KeyTester::switch_on(centre);
    tester.expect(&[KeyEvent::SelfTest(centre)]);
    tester.change(NONE);
    tester.expect(&[KeyEvent::Closed(NONE)]);
}

#[test]
fn key_held_5_s_at_power_on_starts_the_teaching() {
    for key in Contact::all() {
        let mut tester = KeyTester::switch_on(key.bit());
        tester.wait(TEACH_AFTER + 1000);
        tester.inputs.clear();
        // The contact bounces on release.
        tester.change(NONE);
        tester.wait(5000);
        tester.change(key.bit());
        tester.wait(5000);
        tester.change(NONE);
        tester.wait(100_000);
        tester.inputs.retain(|input| !matches!(input, KeyEvent::Closed(_)));
        tester.expect(&[KeyEvent::Teach]);
        // From now on every change of the contacts is reported.
        tester.change(A);
        tester.expect(&[KeyEvent::Closed(A)]);
    }
}

#[test]
fn other_holds_do_not_start_the_teaching() {
    let held = |keys: Contacts, time: u64, in_between: Contacts| {
        let mut tester = KeyTester::switch_on(keys);
        tester.wait(time / 2);
        tester.change(keys | in_between);
        tester.wait(100_000);
        tester.change(keys);
        tester.wait(time / 2);
        tester.change(NONE);
        tester.wait(100_000);
        assert!(!tester.inputs.contains(&KeyEvent::Teach), "{keys:?} for {time} us, and {in_between:?}");
    };
    // Too short; together with another key; another key in between; so long that the key is stuck.
    held(A, TEACH_AFTER - 200_000, NONE);
    held(A | B, TEACH_AFTER + 1_000_000, NONE);
    held(A, TEACH_AFTER + 1_000_000, B);
    held(A, STUCK + 1_000_000, NONE);
    // A key that is pressed later.
    let mut tester = KeyTester::switch_on(NONE);
    tester.wait(100_000);
    tester.change(A);
    tester.wait(TEACH_AFTER + 1_000_000);
    tester.change(NONE);
    tester.wait(100_000);
    tester.expect(&[tap(A)]);
}

#[test]
fn learned_layout_maps_cells_but_not_columns() {
    // A quarter turn: the contact in row r, column c belongs to the cell in row c, column 4 - r.
    let turned = Contact::all().map(|contact| cell(contact.column().index(), 4 - contact.row()));
    let turned: [_; 25] = turned.collect::<Vec<_>>().try_into().expect("25 cells");
    let mut tester = KeyTester::switch_on(NONE);
    tester.keys.set_map(1000, turned.try_into().expect("each cell once"));
    tester.change(A);
    tester.wait(STUCK + 1000);
    let learned = cell(2, 3);
    tester.expect(&[player::tap(learned), KeyEvent::Gesture(Gesture::Stuck(learned))]);
    let Next::ColumnLow { columns, .. } = tester.next else { panic!("{:?}", tester.next) };
    assert_eq!(columns, !COLUMN_A, "without the column of the stuck contact");
    // With the reference layout these two contacts would give the command Next.
    tester.change(NONE);
    tester.wait(100_000);
    tester.change(Contacts::from_bits(1 << 4 | 1 << 20));
    tester.wait(800_000);
    let given = tester.inputs.last();
    assert!(matches!(given, Some(KeyEvent::Gesture(Gesture::Command { command: Command::Menu, .. }))), "{given:?}");
}

#[test]
fn idle_timeout_starts_sleep_and_waking_key_is_no_tap() {
    let mut tester = KeyTester::switch_on(NONE);
    tester.wait(SLEEP_AFTER - 1);
    tester.expect(&[]);
    tester.wait(1);
    tester.expect(&[KeyEvent::Sleep]);
    assert_eq!(tester.next, Next::Sleep);
    // The key bounces during the wake-up and stays down for a while.
    tester.now += 3_600_000_000;
    for raw in [A, NONE, A, NONE, NONE, A] {
        tester.change(raw);
        tester.wait(700);
    }
    tester.expect(&[KeyEvent::Wake]);
    tester.wait(200_000);
    tester.change(NONE);
    tester.wait(100_000);
    tester.expect(&[]);
    tester.change(B);
    tester.wait(1000);
    tester.expect(&[tap(B)]);
}

#[test]
fn press_latched_by_hardware_wakes() {
    let mut tester = KeyTester::switch_on(NONE);
    tester.fall_asleep();
    tester.inputs.clear();
    let KeyTester { keys, inputs, now, .. } = &mut tester;
    keys.wake_by_edge(*now, |input| inputs.push(input));
    tester.scan();
    tester.wait(WAKE_BOUNCE_TIME + 1000);
    tester.expect(&[KeyEvent::Wake]);
    assert!(matches!(tester.next, Next::ColumnLow { .. } | Next::ScanAt(_)));
    tester.change(A);
    tester.wait(1000);
    tester.expect(&[tap(A)]);
}

#[test]
fn stuck_key_allows_sleep_and_hides_no_tap() {
    let mut tester = KeyTester::switch_on(NONE);
    tester.change(A);
    tester.wait(STUCK + 1000);
    let stuck = KeyEvent::Gesture(Gesture::Stuck(cell(1, 2)));
    tester.expect(&[tap(A), stuck]);
    // The column of the stuck key can no longer detect a press, so the keys are scanned periodically.
    let Next::ColumnLow { columns, until } = tester.next else { panic!("{:?}", tester.next) };
    assert_eq!((columns, until <= tester.now + STUCK_PERIOD), (!COLUMN_A, true));
    let below = Contacts::from_bits(1 << 12);
    tester.raw |= below;
    tester.wait(30_000);
    tester.expect(&[tap(below)]);
    tester.raw &= !below;

    tester.fall_asleep();
    tester.expect(&[KeyEvent::Sleep]);
    // The stuck key is released and bounces: no wake-up. Now the clocks can be stopped, and the key counts again.
    tester.raw = NONE;
    tester.wait(LIGHT_SLEEP_PERIOD);
    for raw in [A, NONE, A, NONE] {
        tester.change(raw);
        tester.wait(1000);
    }
    tester.wait(WAKE_BOUNCE_TIME);
    tester.expect(&[]);
    assert_eq!(tester.next, Next::Sleep);
    tester.change(A);
    tester.expect(&[KeyEvent::Wake]);
}

#[test]
fn any_key_wakes_with_any_stuck_key() {
    for stuck in Contact::all().map(Contact::bit) {
        let mut asleep = KeyTester::switch_on(stuck);
        asleep.fall_asleep();
        for other in Contact::all().map(Contact::bit).filter(|&other| other != stuck) {
            let mut tester = asleep.clone();
            tester.inputs.clear();
            tester.wait(12_345_678);
            tester.expect(&[]);
            tester.tap_asleep(other);
            tester.expect(&[KeyEvent::Wake]);
            // The next press is a tap.
            tester.raw |= other;
            tester.wait(30_000);
            tester.expect(&[tap(other)]);
        }
    }
}

#[test]
fn any_key_wakes_with_any_two_stuck_keys() {
    for (a, b) in Contact::all().flat_map(|b| Contact::all().take(b.index()).map(move |a| (a, b))) {
        let stuck = a.bit() | b.bit();
        let mut asleep = KeyTester::switch_on(stuck);
        asleep.fall_asleep();
        asleep.inputs.clear();
        for other in (!stuck).iter().map(Contact::bit) {
            let mut tester = asleep.clone();
            tester.tap_asleep(other);
            tester.expect(&[KeyEvent::Wake]);
        }
        // One of them is released, then the other. Only then the clocks can be stopped.
        asleep.raw = a.bit();
        asleep.wait(100_000);
        assert!(matches!(asleep.next, Next::LightSleep { .. }), "{:?}", asleep.next);
        asleep.raw = NONE;
        asleep.wait(100_000);
        assert_eq!(asleep.next, Next::Sleep);
        asleep.expect(&[]);
    }
}

#[test]
fn requested_sleep_is_light_until_held_key_is_released() {
    let mut tester = KeyTester::switch_on(NONE);
    tester.change(A);
    tester.wait(1000);
    tester.keys.request_sleep();
    tester.wait(1000);
    tester.expect(&[tap(A), KeyEvent::Sleep]);
    assert!(matches!(tester.next, Next::LightSleep { .. }), "{:?}", tester.next);
    tester.raw = NONE;
    tester.wait(100_000);
    tester.expect(&[]);
    assert_eq!(tester.next, Next::Sleep);
}

/// Found by fuzzing: a held key was released in the last scan of the wake-up, and its bouncing contact became a tap.
#[test]
fn held_key_released_during_wake_up_is_no_tap() {
    let mut tester = KeyTester::switch_on(NONE);
    tester.change(A);
    tester.fall_asleep();
    tester.inputs.clear();
    tester.change(A | B);
    tester.wait(WAKE_BOUNCE_TIME - 100);
    tester.raw = B;
    tester.wait(200);
    for raw in [A | B, B, A | B, B] {
        tester.change(raw);
        tester.wait(1000);
    }
    tester.expect(&[KeyEvent::Wake]);
    tester.wait(30_000);
    tester.change(A | B);
    tester.wait(1000);
    tester.expect(&[tap(A)]);
}

#[test]
fn doubtful_keys_allow_sleep() {
    // Four keys on a rectangle that close at the same time, as in a bag: all of them stay doubtful.
    let rectangle = Contacts::from_bits(0b11 << 7 | 0b11 << 12);
    let mut tester = KeyTester::switch_on(NONE);
    tester.change(rectangle);
    tester.wait(SLEEP_AFTER + 1000);
    tester.expect(&[KeyEvent::Sleep]);
    tester.tap_asleep(Contact::FIRST.bit());
    tester.expect(&[KeyEvent::Wake]);
}
