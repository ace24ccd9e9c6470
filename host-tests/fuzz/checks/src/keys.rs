//! Scans of the key matrix in any order and at any time.

use arbitrary::{Result, Unstructured};
use lights_out::board::CELLS;
use lights_out::debounce::{AGREE, DOUBT, Debouncer, RELEASE};
use lights_out::gesture::{Command, Corner, Gesture, HOLD, STUCK};
use lights_out::keys::{KeyEvent, Keys, Next, TEACH_AFTER};
use lights_out::layout::{KeyMap, Layout};
use lights_out::matrix::{Columns, Contact, Contacts, Reading};
use player::Dice;

/// Scans of one input.
const MOST_SCANS: usize = 400;

/// The input is a layout, and a row of scans with the time between them. Presses and releases alternate and follow what was
/// scanned; gestures follow presses; sleep and waking alternate.
pub fn keys(input: &[u8]) {
    // Where the input ends, so do the scans.
    let _ = scan_all(&mut Unstructured::new(input));
}

fn scan_all(input: &mut Unstructured<'_>) -> Result<()> {
    let map = match input.arbitrary::<u8>()? {
        0 => Layout::REFERENCE.keys,
        seed => Dice::new(seed.into(), 1).layout().keys,
    };
    let mut now = 1_000;
    let mut raw = Contacts::from_bits(input.arbitrary()?);
    let mut watch = Watch::new(now, map, raw);
    let mut debouncer = Debouncer::new(Reading::judge(raw).closed);
    let mut inputs = Vec::new();
    let mut keys = Keys::new(now, map, raw, |input| inputs.push(input));
    inputs.drain(..).for_each(|input| watch.take_first(input));
    let mut next = Next::ScanAt(now);

    for _ in 0..MOST_SCANS {
        if input.is_empty() {
            break;
        }
        now = later(input, now, next)?;
        raw = match input.arbitrary::<u8>()? {
            // One key changes, or it stays as it is, or all keys are anyhow.
            key @ 0..=127 => raw ^ Contact::new(usize::from(key) % 32).map_or(Contacts::EMPTY, Contact::bit),
            128..=191 => raw,
            _ => Contacts::from_bits(input.arbitrary()?),
        };
        let touched = match input.arbitrary::<u8>()? {
            columns @ 0..=63 => Columns::from_bits(columns.into()),
            64 => {
                keys.tire();
                Columns::EMPTY
            }
            65 => {
                keys.was_touched(now, |input| inputs.push(input));
                Columns::EMPTY
            }
            _ => Columns::EMPTY,
        };
        watch.scan(now, raw);
        watch.check_debouncer(&mut debouncer, touched);
        next = keys.update(now, raw, touched, |input| inputs.push(input));
        inputs.drain(..).for_each(|input| watch.take(input));
        match next {
            Next::ScanAt(at) => assert!(at > now, "a scan at {at}, and it is {now}"),
            Next::Touch { until, .. } => assert!(until > now),
            Next::Sleep => assert!(watch.is_asleep && raw.is_empty(), "a key that is down hides others"),
            Next::Doze { until } => assert!(watch.is_asleep && !raw.is_empty() && until > now),
        }
    }
    Ok(())
}

/// When the next scan comes: when it is wanted, or at any time, because the hardware has noticed a touch or was busy.
fn later(input: &mut Unstructured<'_>, now: u64, next: Next) -> Result<u64> {
    let amount = u64::from(input.arbitrary::<u8>()?);
    Ok(match (input.int_in_range(0..=5)?, next) {
        (0 | 1, Next::ScanAt(at) | Next::Touch { until: at, .. } | Next::Doze { until: at }) => at,
        (2, _) => now + 1_000 * amount,
        (3, _) => now + 100_000 * amount,
        (4, _) => now + 1_000_000 * amount,
        _ => now + 10 * amount,
    })
}

/// What happened so far, by contact.
struct Watch {
    map: KeyMap,
    start: u64,
    /// The only contact that was closed at the start.
    alone: bool,
    now: u64,
    raw: Contacts,
    /// Scans of the last 2 ms.
    recent: Vec<(u64, Reading)>,
    /// When a contact was last closed or in doubt, and for how long it was neither before it was closed last.
    closed_at: [Option<u64>; CELLS],
    open_for: [u64; CELLS],
    ever_closed: Contacts,
    /// Contacts whose tap has not been taken back.
    tapped: Contacts,
    stuck: Contacts,
    is_asleep: bool,
    has_taught: bool,
}

impl Watch {
    fn new(start: u64, map: KeyMap, raw: Contacts) -> Self {
        let mut watch = Self {
            map,
            start,
            alone: raw.len() == 1,
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
        watch.scan(start, raw);
        // What was judged at the start is no half of a press.
        watch.recent.clear();
        watch
    }

    fn scan(&mut self, now: u64, raw: Contacts) {
        (self.now, self.raw) = (now, raw);
        self.ever_closed |= raw;
        let reading = Reading::judge(raw);
        assert!((reading.closed & reading.doubtful).is_empty());
        assert_eq!(raw & !reading.doubtful, reading.closed);
        self.recent.retain(|(at, _)| now - at <= DOUBT);
        self.recent.push((now, reading));
        for contact in reading.closed | reading.doubtful {
            let at = &mut self.closed_at[contact.index()];
            let open_for = at.map_or(u64::MAX, |at| now - at);
            // Scans of one press are no gaps.
            if open_for >= RELEASE {
                self.open_for[contact.index()] = open_for;
            }
            *at = Some(now);
        }
    }

    /// The debouncer alone, against the scans.
    fn check_debouncer(&self, debouncer: &mut Debouncer, touched: Columns) {
        let before = debouncer.down();
        let Some(&(_, reading)) = self.recent.last() else { return };
        let edges = debouncer.update(self.now, reading, touched);
        assert!((edges.pressed & before).is_empty(), "pressed while it was down");
        assert!(edges.released.is_subset(before), "released while it was up");
        assert_eq!(debouncer.down(), before ^ edges.pressed ^ edges.released);
        for contact in edges.pressed {
            let is_closed = |reading: &Reading| reading.closed.contains(contact);
            let first_half = self.recent.iter().any(|(at, reading)| self.now - at >= AGREE && is_closed(reading));
            assert!(first_half, "{contact:?} was pressed without a scan before");
            assert!(is_closed(&reading) || touched.contains(contact.column()), "{contact:?} is open, and untouched");
        }
        for contact in edges.released {
            let closed_at = self.closed_at[contact.index()];
            assert!(closed_at.is_none_or(|at| self.now - at >= RELEASE), "{contact:?} was released too early");
        }
    }

    /// What is told at the first scan of all.
    fn take_first(&mut self, input: KeyEvent) {
        let KeyEvent::SelfTest(closed) = input else { panic!("{input:?} at power-on") };
        assert_eq!(closed, self.raw);
        assert!(self.map.cells_of_contacts(closed).has_index(CELLS / 2), "the centre key was not held");
    }

    fn take(&mut self, input: KeyEvent) {
        match input {
            KeyEvent::Gesture(gesture) => {
                assert!(!self.is_asleep, "{gesture:?} in sleep");
                self.take_gesture(gesture);
            }
            KeyEvent::SelfTest(_) => panic!("{input:?} from a scan"),
            KeyEvent::Teach => {
                assert!(self.alone && !self.has_taught);
                assert!((TEACH_AFTER..STUCK).contains(&(self.now - self.start)));
                self.has_taught = true;
            }
            KeyEvent::Closed(closed) => assert_eq!(closed, self.raw),
            KeyEvent::Sleep => {
                assert!(!self.is_asleep, "it slept already");
                self.is_asleep = true;
            }
            KeyEvent::Wake => {
                assert!(self.is_asleep, "it was awake");
                self.is_asleep = false;
                // What is down counts from now on.
                (self.tapped, self.stuck) = (Contacts::EMPTY, Contacts::EMPTY);
            }
        }
    }

    fn take_gesture(&mut self, gesture: Gesture) {
        match gesture {
            Gesture::Tap(place) => {
                let contact = self.map.contact_of_cell(place);
                let is_recent = self.recent.iter().any(|(_, reading)| reading.closed.contains(contact));
                assert!(is_recent, "{contact:?} was not closed");
                let open_for = std::mem::take(&mut self.open_for[contact.index()]);
                assert!(open_for >= RELEASE, "a second tap of {contact:?} without a release");
                self.tapped |= contact.bit();
                self.stuck &= !contact.bit();
            }
            Gesture::Command { command, take_back } => self.take_command(command, take_back),
            Gesture::Stuck(place) => {
                let contact = self.map.contact_of_cell(place);
                assert!(self.ever_closed.contains(contact));
                assert!(!self.stuck.contains(contact), "it is stuck already");
                assert!(self.now - self.start >= STUCK);
                self.stuck |= contact.bit();
            }
        }
    }

    fn take_command(&mut self, command: Command, take_back: Option<Corner>) {
        let contact_of = |corner: Corner| self.map.contact_of_cell(corner.cell());
        for corner in command.corners() {
            assert!(self.ever_closed.contains(contact_of(corner)), "{corner:?} of {command:?} was never closed");
        }
        assert!(self.now - self.start >= HOLD);
        if let Some(corner) = take_back {
            assert!(command.corners().contains(&corner));
            assert!(self.tapped.contains(contact_of(corner)), "{corner:?} has no tap to take back");
        }
        self.tapped &= !command.corners().into_iter().map(contact_of).collect::<Contacts>();
    }
}
