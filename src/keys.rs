//! The keys: turns raw scans of the matrix into events.
//!
//! [`Keys`] contains the whole pipeline: doubtful contacts ([`matrix`](crate::matrix)), the debouncer
//! ([`debounce`](crate::debounce)), the map from contacts to cells ([`layout`](crate::layout)) and gestures
//! ([`gesture`](crate::gesture)). Ghosts and columns concern contacts, so everything up to the debouncer works on
//! contacts. Corners concern cells, so gestures work on cells. [`Keys`] also handles everything that concerns all keys:
//! the keys that are held at power-on, the idle timeout, and the key that wakes the handheld.
//!
//! Each scan is passed to [`Keys::update`], which emits [`KeyEvent`]s and returns when the next scan is due. [`Keys`]
//! has no clock and no pins, so a test drives it as the firmware does:
//!
//! ```
//! use lights_out::gesture::Gesture;
//! use lights_out::keys::{KeyEvent, Keys, Next};
//! use lights_out::layout::Layout;
//! use lights_out::matrix::{Columns, Contact, Contacts};
//!
//! let mut events = Vec::new();
//! let mut keys = Keys::new(0, Layout::REFERENCE.keys, Contacts::EMPTY, |event| events.push(event));
//! let centre = Contact::new(12).expect("there are 25 contacts");
//! // The contact closes at 1 ms: the falling edge of its column starts a scan. The next scan confirms the press.
//! let mut at = 1_000;
//! for _ in 0..2 {
//!     let next = keys.update(at, centre.bit(), Columns::EMPTY, |event| events.push(event));
//!     let Next::ScanAt(next_scan) = next else { panic!("a key is down, so the next scan has a time") };
//!     at = next_scan;
//! }
//! assert!(matches!(events[..], [KeyEvent::Gesture(Gesture::Tap(cell))] if cell.index() == 12));
//! ```

use crate::board::Cell;
use crate::debounce::{Debouncer, Edges, PENDING_PERIOD};
use crate::gesture::{Command, Gesture, Gestures, STUCK};
use crate::layout::KeyMap;
use crate::matrix::{Columns, Contact, Contacts, Reading};
use crate::time::{Micros, ms, seconds};

/// The time between scans while a key is down: 2000 scans a second.
pub const SCAN_PERIOD: Micros = 500;
/// The time between scans while a key is stuck: four scans in the shortest tap. A stuck key holds its column low, so
/// the hardware cannot detect the other keys of this column.
pub const STUCK_PERIOD: Micros = ms(7);
/// The same in sleep: at least one scan in the shortest tap.
pub const LIGHT_SLEEP_PERIOD: Micros = ms(20);
/// The idle timeout: when no contact has changed for this long, the handheld goes to sleep.
pub const SLEEP_AFTER: Micros = seconds(3 * 60);
/// How long the contacts of the key that wakes the handheld may bounce.
pub const WAKE_BOUNCE_TIME: Micros = ms(20);

/// A single key that is held at power-on for this long, and then released, starts the teaching. It can be any key,
/// because the layout of a board with other wiring is not known. A key that is not released is stuck.
pub const TEACH_AFTER: Micros = seconds(5);

/// An event of the keys.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KeyEvent {
    /// A gesture of the player.
    Gesture(Gesture),
    /// Start the self-test: the centre key was held at power-on. These contacts are closed.
    SelfTest(Contacts),
    /// Start the teaching: a key was held at power-on for [`TEACH_AFTER`], and then released.
    Teach,
    /// These contacts are closed now. Emitted only during the self-test and the teaching.
    Closed(Contacts),
    /// Go to sleep: the idle timeout is over, or the game has requested it.
    Sleep,
    /// Wake up: a key was pressed in sleep. This press is not a tap.
    Wake,
}

/// When the next scan is due.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// At this time.
    ScanAt(Micros),
    /// As soon as one of these columns goes low, and at this time at the latest.
    ColumnLow {
        /// The columns to watch.
        columns: Columns,
        /// The latest time.
        until: Micros,
    },
    /// Sleep with the clocks stopped. The next scan is due as soon as any column goes low.
    Sleep,
    /// Sleep with the clocks running. The next scan is due at this time. A key is down and holds its column low. With
    /// all rows low, the hardware cannot detect the other keys of this column; with the row of the key released, it
    /// cannot detect the other keys of this row. Only a scan detects all keys.
    LightSleep {
        /// The time of the scan.
        until: Micros,
    },
}

#[derive(Clone, Copy, Debug)]
enum Phase {
    Awake,
    /// Asleep, with these contacts closed: they do not wake the handheld.
    Asleep {
        held: Contacts,
    },
    Waking(Waking),
}

/// A contact changed in sleep. It may bounce until the end of this phase.
#[derive(Clone, Copy, Debug)]
struct Waking {
    until: Micros,
    /// Contacts that have been closed since before the sleep.
    held: Contacts,
    /// Contacts that were closed before the sleep and opened since. They may still bounce.
    released: Contacts,
    /// Other contacts that were closed in a scan of this phase.
    seen: Contacts,
    /// Whether [`KeyEvent::Wake`] was emitted.
    is_reported: bool,
}

impl Waking {
    const fn new(now: Micros, held: Contacts, is_reported: bool) -> Self {
        Self { until: now + WAKE_BOUNCE_TIME, held, released: Contacts::EMPTY, seen: Contacts::EMPTY, is_reported }
    }
}

/// The screen for makers that is open. It gets every change of a contact.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum MakerScreen {
    None,
    /// The menu command ends it.
    SelfTest,
    /// No command ends it.
    Teaching,
}

/// The state of the keys.
#[derive(Clone, Debug)]
pub struct Keys {
    map: KeyMap,
    /// The contacts that were closed in the last scan.
    raw: Contacts,
    debouncer: Debouncer,
    gestures: Gestures,
    phase: Phase,
    /// When a contact last changed.
    changed: Micros,
    maker_screen: MakerScreen,
    /// The time of power-on, if a single key was held then, until any key changes.
    alone_since: Option<Micros>,
    /// The game has requested sleep.
    is_sleep_requested: bool,
}

impl Keys {
    /// Takes the first scan, at power-on. Keys that are held then are not taps. The centre key starts the self-test.
    pub fn new(now: Micros, map: KeyMap, raw: Contacts, mut emit: impl FnMut(KeyEvent)) -> Self {
        let mut maker_screen = MakerScreen::None;
        if map.cells_of_contacts(raw).contains(Cell::CENTRE) {
            maker_screen = MakerScreen::SelfTest;
            emit(KeyEvent::SelfTest(raw));
        }
        let held = Reading::judge(raw).closed;
        Self {
            map,
            raw,
            debouncer: Debouncer::new(held),
            gestures: Gestures::new(now, map.cells_of_contacts(held)),
            phase: Phase::Awake,
            changed: now,
            maker_screen,
            alone_since: (raw.len() == 1).then_some(now),
            is_sleep_requested: false,
        }
    }

    /// Replaces the map. Keys that are down now are not taps at their new cells.
    #[cold]
    pub fn set_map(&mut self, now: Micros, map: KeyMap) {
        if map != self.map {
            self.map = map;
            self.gestures = Gestures::new(now, map.cells_of_contacts(self.debouncer.down()));
            self.maker_screen = MakerScreen::None;
        }
    }

    /// Whether a press is pending: the lights may have to change within a millisecond.
    pub fn is_press_pending(&self) -> bool {
        self.debouncer.is_press_pending()
    }

    /// Takes a scan made at `now`: the contacts that seem closed, and the columns in which the hardware has latched a
    /// falling edge since the scan before. Emits the events, and returns when the next scan is due.
    pub fn update(&mut self, now: Micros, raw: Contacts, fallen: Columns, mut emit: impl FnMut(KeyEvent)) -> Next {
        if raw != self.raw {
            self.raw = raw;
            self.changed = now;
            if self.maker_screen != MakerScreen::None {
                emit(KeyEvent::Closed(raw));
            }
        }
        match self.phase {
            Phase::Awake => self.update_awake(now, fallen, emit),
            Phase::Asleep { held } if !held.is_empty() && held == raw => self.sleep(now),
            Phase::Asleep { held } => self.wake(now, Waking::new(now, held, false), emit),
            Phase::Waking(waking) => self.wake(now, waking, emit),
        }
    }

    /// The hardware has latched a falling edge of a column in sleep. The key may be up again.
    pub fn wake_by_edge(&mut self, now: Micros, mut emit: impl FnMut(KeyEvent)) {
        if let Phase::Asleep { held } = self.phase {
            emit(KeyEvent::Wake);
            self.changed = now;
            self.phase = Phase::Waking(Waking::new(now, held, true));
        }
    }

    /// Requests sleep on behalf of the game: it begins in the next update, unless the keys are asleep.
    pub fn request_sleep(&mut self) {
        self.is_sleep_requested = matches!(self.phase, Phase::Awake);
    }

    fn update_awake(&mut self, now: Micros, fallen: Columns, mut emit: impl FnMut(KeyEvent)) -> Next {
        let edges = self.debouncer.update(now, Reading::judge(self.raw), fallen);
        self.begin_teaching(now, edges, &mut emit);
        let edges = Edges {
            pressed: self.map.cells_of_contacts(edges.pressed),
            released: self.map.cells_of_contacts(edges.released),
        };
        let maker_screen = &mut self.maker_screen;
        self.gestures.update(now, edges, |gesture| {
            let is_menu = matches!(gesture, Gesture::Command { command: Command::Menu, .. });
            if is_menu && *maker_screen == MakerScreen::SelfTest {
                *maker_screen = MakerScreen::None;
            }
            emit(KeyEvent::Gesture(gesture));
        });
        let sleep_at = self.changed + SLEEP_AFTER;
        if now >= sleep_at || self.is_sleep_requested {
            self.maker_screen = MakerScreen::None;
            self.is_sleep_requested = false;
            emit(KeyEvent::Sleep);
            return self.sleep(now);
        }
        if let (Some(next_scan), Some(end)) = (self.debouncer.next_scan(now), self.debouncer.pending_until()) {
            // All contacts are open, and MIN_CONFIRM_TIME is over. So the next falling edge confirms the press, and the
            // hardware detects it earlier than a scan.
            let all_open = (self.raw | self.debouncer.down()).is_empty() && next_scan <= now + PENDING_PERIOD;
            let until = (end + 1).max(now + 1);
            return if all_open { Next::ColumnLow { columns: Columns::ALL, until } } else { Next::ScanAt(next_scan) };
        }
        let stuck = self.map.contacts_of_cells(self.gestures.stuck());
        if !(self.raw | self.debouncer.down()).is_subset(stuck) {
            return Next::ScanAt(now + SCAN_PERIOD);
        }
        let until = if stuck.is_empty() { sleep_at } else { sleep_at.min(now + STUCK_PERIOD) };
        Next::ColumnLow { columns: !stuck.columns(), until }
    }

    /// Starts the teaching, if the first change of any key is the release of the key that was held at power-on.
    fn begin_teaching(&mut self, now: Micros, edges: Edges<Contact>, emit: &mut impl FnMut(KeyEvent)) {
        if !edges.is_empty()
            && let Some(since) = self.alone_since.take()
            && edges.pressed.is_empty()
            && (TEACH_AFTER..STUCK).contains(&(now - since))
        {
            self.maker_screen = MakerScreen::Teaching;
            emit(KeyEvent::Teach);
        }
    }

    fn sleep(&mut self, now: Micros) -> Next {
        self.phase = Phase::Asleep { held: self.raw };
        if self.raw.is_empty() { Next::Sleep } else { Next::LightSleep { until: now + LIGHT_SLEEP_PERIOD } }
    }

    /// Takes a scan after a contact has changed in sleep. If only held keys were released, the handheld stays asleep.
    fn wake(&mut self, now: Micros, mut waking: Waking, mut emit: impl FnMut(KeyEvent)) -> Next {
        waking.released |= waking.held & !self.raw;
        waking.held &= self.raw;
        waking.seen |= self.raw & !(waking.held | waking.released);
        if !waking.seen.is_empty() && !waking.is_reported {
            waking.is_reported = true;
            self.changed = now;
            emit(KeyEvent::Wake);
        }
        if now < waking.until {
            self.phase = Phase::Waking(waking);
            return Next::ScanAt((now + SCAN_PERIOD).min(waking.until));
        }
        if !waking.is_reported {
            return self.sleep(now);
        }
        let down = waking.seen | waking.released | self.raw;
        self.phase = Phase::Awake;
        self.debouncer = Debouncer::new(down);
        self.gestures = Gestures::new(now, self.map.cells_of_contacts(down));
        Next::ScanAt(now + SCAN_PERIOD)
    }
}
