//! The keys: what becomes of a raw scan of the matrix. One type holds the whole way from contacts to what the player means:
//! doubt ([`matrix`](crate::matrix)), [`debounce`](crate::debounce), [`gesture`](crate::gesture), and around them what is true
//! of the keys as a whole: which are held while switching on, when nobody has touched one for so long that it is time to
//! sleep, and which key wakes. It is fed with scans, hands out [`Input`]s, and says when it wants the next scan.
//!
//! Up to the debouncer all is about contacts, because ghosts and columns are; from there on about places on the grid, because
//! corners are. Between them stands what was learned of the [`layout`](crate::layout).
//!
//! It knows neither clock nor pins, so a test drives it as the firmware does:
//!
//! ```
//! use lights_out::gesture::Gesture;
//! use lights_out::keys::{Input, Keys, Next};
//! use lights_out::layout::Layout;
//! use lights_out::matrix::{Columns, Contact, Contacts};
//!
//! let mut inputs = Vec::new();
//! let mut keys = Keys::new(0, Layout::REFERENCE.keys, Contacts::EMPTY, |input| inputs.push(input));
//! let centre = Contact::new(12).expect("there are 25 contacts");
//! // The contact closes at 1 ms. The hardware sees a column fall, so there is a scan at once; the next one when it is told.
//! let mut at = 1_000;
//! for _ in 0..2 {
//!     let Next::ScanAt(next) = keys.update(at, centre.bit(), Columns::EMPTY, |input| inputs.push(input)) else { panic!("it looks closer") };
//!     at = next;
//! }
//! assert!(matches!(inputs[..], [Input::Gesture(Gesture::Tap(cell))] if cell.index() == 12));
//! ```

use crate::battery::Measured;
use crate::board::{Cell, SIDE};
use crate::debounce::{CLOSER_LOOK, Debouncer, Edges};
use crate::gesture::{Command, Gesture, Gestures, STUCK};
use crate::layout::KeyMap;
use crate::matrix::{Columns, Contact, Contacts, Reading};
use crate::time::{Micros, ms, seconds};

/// While a key is down, all are scanned this often: 2000 times a second.
pub const PERIOD: Micros = 500;
/// While a stuck key hides its column from the hardware that waits for a touch, the others of that column are looked for this
/// often: four times in the shortest tap.
pub const STUCK_PERIOD: Micros = ms(7);
/// The same in sleep: in the shortest tap there is one look at least.
pub const DOZE_PERIOD: Micros = ms(20);
/// Without a change of any key for this long, the handheld sleeps.
pub const SLEEP_AFTER: Micros = seconds(3 * 60);
/// How long the contacts of the waking key may bounce.
pub const WAKING: Micros = ms(20);

/// A key that is held while switching on, for this long and alone, and then let go, asks for the teaching: any key, because on
/// a board that is wired otherwise nobody knows which is which. One that is not let go is broken.
pub const TEACH_AFTER: Micros = seconds(5);

/// The key in the middle.
const CENTRE: Cell = match Cell::at(SIDE / 2, SIDE / 2) {
    Some(cell) => cell,
    None => panic!("the grid has a centre"),
};

/// What the game is told, nearly all of it by the keys.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Input {
    /// The player did this.
    Gesture(Gesture),
    /// The centre key was held while switching on: the maker wants the self-test. These contacts are closed.
    SelfTest(Contacts),
    /// A key was held for [`TEACH_AFTER`] while switching on, and let go: the maker wants to teach where keys and lights are.
    Teach,
    /// In the self-test and the teaching: these contacts seem closed now.
    Closed(Contacts),
    /// Nobody has touched a key for a long time.
    Sleep,
    /// A key was touched after that; it is not a tap.
    Wake,
    /// Not from the keys: what the battery was found to be.
    Battery(Measured),
}

/// What the keys want next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// A scan at this moment.
    ScanAt(Micros),
    /// A scan as soon as one of these columns is pulled down, and at this moment at the latest.
    Touch {
        /// The columns to watch.
        columns: Columns,
        /// The moment.
        until: Micros,
    },
    /// To sleep with the clocks stopped, and a scan as soon as any column is pulled down.
    Sleep,
    /// To sleep with the clocks running, and a scan at this moment. A key is down, and holds its column down: with all rows low
    /// the hardware does not see the other keys of this column, and with that row released it does not see those of the row. Only
    /// a scan sees them all.
    Doze {
        /// The moment.
        until: Micros,
    },
}

#[derive(Clone, Copy, Debug)]
enum Phase {
    Awake,
    /// Asleep, with these keys down: it is not they who wake.
    Asleep {
        held: Contacts,
    },
    Waking(Waking),
}

/// Something was touched in sleep, and its contacts come to rest.
#[derive(Clone, Copy, Debug)]
struct Waking {
    until: Micros,
    /// Keys that have been down since before the sleep.
    held: Contacts,
    /// Keys that were down before the sleep and were released since: their contacts may still bounce.
    released: Contacts,
    /// Keys that were seen down since.
    seen: Contacts,
    /// The game knows that it is awake.
    told: bool,
}

impl Waking {
    const fn new(now: Micros, held: Contacts, told: bool) -> Self {
        Self { until: now + WAKING, held, released: Contacts::EMPTY, seen: Contacts::EMPTY, told }
    }
}

/// Who wants to know of every contact.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Workshop {
    Nobody,
    /// It ends with the menu command.
    SelfTest,
    /// It knows of no command.
    Teaching,
}

/// All that is known of the keys.
#[derive(Clone, Debug)]
pub struct Keys {
    /// Where the key of each contact is.
    map: KeyMap,
    raw: Contacts,
    debouncer: Debouncer,
    gestures: Gestures,
    phase: Phase,
    /// When a key last changed.
    changed: Micros,
    workshop: Workshop,
    /// Since when a single key is held that was down from the start.
    alone_since: Option<Micros>,
    /// The game wants to sleep, touched or not.
    tired: bool,
}

impl Keys {
    /// The first scan, at power-on. Keys that are held then are no taps; the centre key asks for the self-test.
    pub fn new(now: Micros, map: KeyMap, raw: Contacts, mut emit: impl FnMut(Input)) -> Self {
        let mut workshop = Workshop::Nobody;
        if map.cells_of_contacts(raw).contains(CENTRE) {
            workshop = Workshop::SelfTest;
            emit(Input::SelfTest(raw));
        }
        let held = Reading::judge(raw).closed;
        Self {
            map,
            raw,
            debouncer: Debouncer::new(held),
            gestures: Gestures::new(now, map.cells_of_contacts(held)),
            phase: Phase::Awake,
            changed: now,
            workshop,
            alone_since: (raw.len() == 1).then_some(now),
            tired: false,
        }
    }

    /// From now on the keys are at these places. Those that are down are no taps there.
    #[cold]
    pub fn learn(&mut self, now: Micros, map: KeyMap) {
        if map != self.map {
            self.map = map;
            self.gestures = Gestures::new(now, map.cells_of_contacts(self.debouncer.down()));
            self.workshop = Workshop::Nobody;
        }
    }

    /// Whether a press is half seen: within a millisecond the lights may have to answer.
    pub fn is_press_likely(&self) -> bool {
        self.debouncer.is_doubtful()
    }

    /// Takes a scan made at `now`: the keys that seem closed, and the columns that the hardware saw pulled down since the last
    /// scan, however shortly. Hands out what it means, and tells what comes next.
    pub fn update(&mut self, now: Micros, raw: Contacts, touched: Columns, mut emit: impl FnMut(Input)) -> Next {
        if raw != self.raw {
            self.raw = raw;
            self.changed = now;
            if self.workshop != Workshop::Nobody {
                emit(Input::Closed(raw));
            }
        }
        match self.phase {
            Phase::Awake => self.follow(now, touched, emit),
            Phase::Asleep { held } if !held.is_empty() && held == raw => self.sleep(now),
            Phase::Asleep { held } => self.wake(now, Waking::new(now, held, false), emit),
            Phase::Waking(waking) => self.wake(now, waking, emit),
        }
    }

    /// In sleep, the hardware remembers a touch that may be over by now.
    pub fn was_touched(&mut self, now: Micros, mut emit: impl FnMut(Input)) {
        if let Phase::Asleep { held } = self.phase {
            emit(Input::Wake);
            self.changed = now;
            self.phase = Phase::Waking(Waking::new(now, held, true));
        }
    }

    /// The game wants to sleep: the next update puts it to bed, unless it sleeps already.
    pub fn tire(&mut self) {
        self.tired = matches!(self.phase, Phase::Awake);
    }

    fn follow(&mut self, now: Micros, touched: Columns, mut emit: impl FnMut(Input)) -> Next {
        let edges = self.debouncer.update(now, Reading::judge(self.raw), touched);
        self.begin_teaching(now, edges, &mut emit);
        let edges = Edges {
            pressed: self.map.cells_of_contacts(edges.pressed),
            released: self.map.cells_of_contacts(edges.released),
        };
        let workshop = &mut self.workshop;
        self.gestures.update(now, edges, |gesture| {
            let is_menu = matches!(gesture, Gesture::Command { command: Command::Menu, .. });
            if is_menu && *workshop == Workshop::SelfTest {
                *workshop = Workshop::Nobody;
            }
            emit(Input::Gesture(gesture));
        });
        let bedtime = self.changed + SLEEP_AFTER;
        if now >= bedtime || self.tired {
            self.workshop = Workshop::Nobody;
            self.tired = false;
            emit(Input::Sleep);
            return self.sleep(now);
        }
        if let (Some(look), Some(end)) = (self.debouncer.next_look(now), self.debouncer.doubt_ends()) {
            // Open contacts that were closed long enough ago: their next touch decides, and the hardware sees it best.
            let all_open = (self.raw | self.debouncer.down()).is_empty() && look <= now + CLOSER_LOOK;
            let until = (end + 1).max(now + 1);
            return if all_open { Next::Touch { columns: Columns::ALL, until } } else { Next::ScanAt(look) };
        }
        let stuck = self.map.contacts_of_cells(self.gestures.stuck());
        if !(self.raw | self.debouncer.down()).is_subset(stuck) {
            return Next::ScanAt(now + PERIOD);
        }
        let until = if stuck.is_empty() { bedtime } else { bedtime.min(now + STUCK_PERIOD) };
        Next::Touch { columns: !stuck.columns(), until }
    }

    /// The first change of any key tells whether the one that was held is let go.
    fn begin_teaching(&mut self, now: Micros, edges: Edges<Contact>, emit: &mut impl FnMut(Input)) {
        if !edges.is_empty()
            && let Some(since) = self.alone_since.take()
            && edges.pressed.is_empty()
            && (TEACH_AFTER..STUCK).contains(&(now - since))
        {
            self.workshop = Workshop::Teaching;
            emit(Input::Teach);
        }
    }

    fn sleep(&mut self, now: Micros) -> Next {
        self.phase = Phase::Asleep { held: self.raw };
        if self.raw.is_empty() { Next::Sleep } else { Next::Doze { until: now + DOZE_PERIOD } }
    }

    /// Something was touched in sleep. If it was only a held key that was let go, however it bounced, sleep goes on.
    fn wake(&mut self, now: Micros, mut waking: Waking, mut emit: impl FnMut(Input)) -> Next {
        waking.released |= waking.held & !self.raw;
        waking.held &= self.raw;
        waking.seen |= self.raw & !(waking.held | waking.released);
        if !waking.seen.is_empty() && !waking.told {
            waking.told = true;
            self.changed = now;
            emit(Input::Wake);
        }
        if now < waking.until {
            self.phase = Phase::Waking(waking);
            return Next::ScanAt((now + PERIOD).min(waking.until));
        }
        if !waking.told {
            return self.sleep(now);
        }
        let down = waking.seen | waking.released | self.raw;
        self.phase = Phase::Awake;
        self.debouncer = Debouncer::new(down);
        self.gestures = Gestures::new(now, self.map.cells_of_contacts(down));
        Next::ScanAt(now + PERIOD)
    }
}
