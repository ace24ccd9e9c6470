//! Scans of the key matrix with any contacts and at any time.

use arbitrary::{Result, Unstructured};
use lights_out::board::CELLS;
use lights_out::debounce::{Debouncer, MAX_CONFIRM_TIME, MIN_CONFIRM_TIME, RELEASE_TIME};
use lights_out::gesture::{Command, Corner, Gesture, HOLD, STUCK};
use lights_out::keys::{KeyEvent, Keys, Next, TEACH_AFTER};
use lights_out::layout::{KeyMap, Layout};
use lights_out::matrix::{Columns, Contact, Contacts, Reading};
use player::Dice;

/// The largest number of scans in one input.
const MAX_SCANS: usize = 400;

/// The input is a layout, and a sequence of scans with the times between them. Presses and releases alternate and
/// follow the scans. Gestures follow presses. Sleep and wake-up alternate.
pub fn keys(input: &[u8]) {
    // The scans end with the input.
    let _ = scan_all(&mut Unstructured::new(input));
}

fn scan_all(input: &mut Unstructured<'_>) -> Result<()> {
    let map = match input.arbitrary::<u8>()? {
        0 => Layout::REFERENCE.keys,
        seed => Dice::new(seed.into(), 1).layout().keys,
    };
    let mut now = 1_000;
    let mut raw = Contacts::from_bits(input.arbitrary()?);
    let mut observer = Observer::new(now, map, raw);
    let mut debouncer = Debouncer::new(Reading::judge(raw).closed);
    let mut inputs = Vec::new();
    let mut keys = Keys::new(now, map, raw, |input| inputs.push(input));
    inputs.drain(..).for_each(|input| observer.take_first(input));
    let mut next = Next::ScanAt(now);

    for _ in 0..MAX_SCANS {
        if input.is_empty() {
            break;
        }
        now = later(input, now, next)?;
        raw = match input.arbitrary::<u8>()? {
            // One key changes, or no key changes, or all keys are random.
            key @ 0..=127 => raw ^ Contact::new(usize::from(key) % 32).map_or(Contacts::EMPTY, Contact::bit),
            128..=191 => raw,
            _ => Contacts::from_bits(input.arbitrary()?),
        };
        let fallen = match input.arbitrary::<u8>()? {
            columns @ 0..=63 => Columns::from_bits(columns.into()),
            64 => {
                keys.request_sleep();
                Columns::EMPTY
            }
            65 => {
                keys.wake_by_edge(now, |input| inputs.push(input));
                Columns::EMPTY
            }
            _ => Columns::EMPTY,
        };
        observer.scan(now, raw);
        observer.check_debouncer(&mut debouncer, fallen);
        next = keys.update(now, raw, fallen, |input| inputs.push(input));
        inputs.drain(..).for_each(|input| observer.take(input));
        match next {
            Next::ScanAt(at) => assert!(at > now, "the next scan at {at} is not after {now}"),
            Next::ColumnLow { until, .. } => assert!(until > now),
            Next::Sleep => assert!(observer.is_asleep && raw.is_empty(), "a closed contact needs scans"),
            Next::LightSleep { until } => assert!(observer.is_asleep && !raw.is_empty() && until > now),
        }
    }
    Ok(())
}

/// The time of the next scan: when it is due, or at any time, because the hardware has detected a press or was busy.
fn later(input: &mut Unstructured<'_>, now: u64, next: Next) -> Result<u64> {
    let amount = u64::from(input.arbitrary::<u8>()?);
    Ok(match (input.int_in_range(0..=5)?, next) {
        (0 | 1, Next::ScanAt(at) | Next::ColumnLow { until: at, .. } | Next::LightSleep { until: at }) => at,
        (2, _) => now + 1_000 * amount,
        (3, _) => now + 100_000 * amount,
        (4, _) => now + 1_000_000 * amount,
        _ => now + 10 * amount,
    })
}

/// The observed scans and inputs, by contact.
struct Observer {
    map: KeyMap,
    start: u64,
    /// Whether exactly one contact was closed at the start.
    is_alone: bool,
    now: u64,
    raw: Contacts,
    /// Scans of the last 2 ms.
    recent: Vec<(u64, Reading)>,
    /// When each contact was last closed or doubtful.
    closed_at: [Option<u64>; CELLS],
    /// How long each contact was open before it was closed last.
    open_for: [u64; CELLS],
    ever_closed: Contacts,
    /// Contacts whose tap has not been rolled back.
    tapped: Contacts,
    stuck: Contacts,
    is_asleep: bool,
    has_taught: bool,
}

impl Observer {
    fn new(start: u64, map: KeyMap, raw: Contacts) -> Self {
        let mut observer = Self {
            map,
            start,
            is_alone: raw.len() == 1,
            now: start,
            raw,
            recent: Vec::new(),
            closed_at: [None; CELLS],
            open_for: [u64::MAX; CELLS],
            ever_closed: Contacts::EMPTY,
            tapped: Contacts::EMPTY,
            stuck: Contacts::EMPTY,
            is_asleep: false,
            has_taught: false,
        };
        observer.scan(start, raw);
        // The reading at the start is not the first half of a press.
        observer.recent.clear();
        observer
    }

    fn scan(&mut self, now: u64, raw: Contacts) {
        (self.now, self.raw) = (now, raw);
        self.ever_closed |= raw;
        let reading = Reading::judge(raw);
        assert!((reading.closed & reading.doubtful).is_empty());
        assert_eq!(raw & !reading.doubtful, reading.closed);
        self.recent.retain(|(at, _)| now - at <= MAX_CONFIRM_TIME);
        self.recent.push((now, reading));
        for contact in reading.closed | reading.doubtful {
            let at = &mut self.closed_at[contact.index()];
            let open_for = at.map_or(u64::MAX, |at| now - at);
            // The time between two scans of one press is not counted.
            if open_for >= RELEASE_TIME {
                self.open_for[contact.index()] = open_for;
            }
            *at = Some(now);
        }
    }

    /// Compares the debouncer with the scans.
    fn check_debouncer(&self, debouncer: &mut Debouncer, fallen: Columns) {
        let before = debouncer.down();
        let Some(&(_, reading)) = self.recent.last() else { return };
        let edges = debouncer.update(self.now, reading, fallen);
        assert!((edges.pressed & before).is_empty(), "a press of a key that is down");
        assert!(edges.released.is_subset(before), "a release of a key that is up");
        assert_eq!(debouncer.down(), before ^ edges.pressed ^ edges.released);
        for contact in edges.pressed {
            let is_closed = |reading: &Reading| reading.closed.contains(contact);
            let first_half =
                self.recent.iter().any(|(at, reading)| self.now - at >= MIN_CONFIRM_TIME && is_closed(reading));
            assert!(first_half, "{contact:?} was pressed without an earlier scan");
            assert!(
                is_closed(&reading) || fallen.contains(contact.column()),
                "{contact:?} is open, and its column is inactive"
            );
        }
        for contact in edges.released {
            let closed_at = self.closed_at[contact.index()];
            assert!(closed_at.is_none_or(|at| self.now - at >= RELEASE_TIME), "{contact:?} was released too early");
        }
    }

    /// Checks an input of the first scan.
    fn take_first(&mut self, input: KeyEvent) {
        let KeyEvent::SelfTest(closed) = input else { panic!("{input:?} at power-on") };
        assert_eq!(closed, self.raw);
        assert!(self.map.cells_of_contacts(closed).has_index(CELLS / 2), "the centre key was not held");
    }

    fn take(&mut self, input: KeyEvent) {
        match input {
            KeyEvent::Gesture(gesture) => {
                assert!(!self.is_asleep, "{gesture:?} during sleep");
                self.take_gesture(gesture);
            }
            KeyEvent::SelfTest(_) => panic!("{input:?} from a scan"),
            KeyEvent::Teach => {
                assert!(self.is_alone && !self.has_taught);
                assert!((TEACH_AFTER..STUCK).contains(&(self.now - self.start)));
                self.has_taught = true;
            }
            KeyEvent::Closed(closed) => assert_eq!(closed, self.raw),
            KeyEvent::Sleep => {
                assert!(!self.is_asleep, "the keys were already asleep");
                self.is_asleep = true;
            }
            KeyEvent::Wake => {
                assert!(self.is_asleep, "the keys were already awake");
                self.is_asleep = false;
                // Keys that are down count from now on.
                (self.tapped, self.stuck) = (Contacts::EMPTY, Contacts::EMPTY);
            }
        }
    }

    fn take_gesture(&mut self, gesture: Gesture) {
        match gesture {
            Gesture::Tap(key) => {
                let contact = self.map.contact_of_cell(key);
                let is_recent = self.recent.iter().any(|(_, reading)| reading.closed.contains(contact));
                assert!(is_recent, "{contact:?} was not closed");
                let open_for = std::mem::take(&mut self.open_for[contact.index()]);
                assert!(open_for >= RELEASE_TIME, "a second tap of {contact:?} without a release");
                self.tapped |= contact.bit();
                self.stuck &= !contact.bit();
            }
            Gesture::Command { command, roll_back } => self.take_command(command, roll_back),
            Gesture::Stuck(key) => {
                let contact = self.map.contact_of_cell(key);
                assert!(self.ever_closed.contains(contact));
                assert!(!self.stuck.contains(contact), "the key is already stuck");
                assert!(self.now - self.start >= STUCK);
                self.stuck |= contact.bit();
            }
        }
    }

    fn take_command(&mut self, command: Command, roll_back: Option<Corner>) {
        let contact_of = |corner: Corner| self.map.contact_of_cell(corner.cell());
        for corner in command.corners() {
            assert!(self.ever_closed.contains(contact_of(corner)), "{corner:?} of {command:?} was never closed");
        }
        assert!(self.now - self.start >= HOLD);
        if let Some(corner) = roll_back {
            assert!(command.corners().contains(&corner));
            assert!(self.tapped.contains(contact_of(corner)), "{corner:?} has no tap to roll back");
        }
        self.tapped &= !command.corners().into_iter().map(contact_of).collect::<Contacts>();
    }
}
