//! From contacts to presses and releases: matrix scan, ghost detection, debouncer.

use std::cell::RefCell;
use std::convert::Infallible;
use std::rc::Rc;
use std::time::Duration;

use embedded_hal::delay::DelayNs;
use embedded_hal::digital::{ErrorType, InputPin, OutputPin};
use emulator::Bounce;
use lights_out::board::{CELLS, SIDE};
use lights_out::debounce::{Debouncer, Edges, MIN_CONFIRM_TIME};
use lights_out::matrix::{Columns, Contact, Contacts, Matrix, Reading};
use rand_core::Rng;
use rand_pcg::Pcg32;

use crate::support::diodes::{low_columns_without_diodes, scan_without_diodes};

#[test]
fn no_ghost_is_reported_in_any_state_of_the_keys() {
    let mut ghosts = 0;
    let mut three_key_ghosts = 0;
    for keys in (0..=Contacts::ALL.bits()).map(Contacts::from_bits) {
        let raw = scan_without_diodes(keys);
        let reading = Reading::judge(raw);
        assert!(reading.closed.is_subset(keys), "a ghost in {keys:?}");
        assert!((reading.closed & reading.doubtful).is_empty());
        ghosts += u32::from(raw != keys);
        three_key_ghosts += u32::from(raw != keys && keys.len() == 3);
        if raw == keys && keys.len() <= 3 {
            assert_eq!(reading, Reading { closed: keys, doubtful: Contacts::EMPTY }, "unnecessary doubt in {keys:?}");
        }
    }
    assert_eq!(three_key_ghosts, 400);
    assert!(ghosts > 1_000_000);
}

/// The wires between simulated pins and simulated keys.
struct Wires {
    keys: Contacts,
    driven_rows: u32,
    row_changes: u32,
    diodes: bool,
}

struct Row(Rc<RefCell<Wires>>, usize);
struct Column(Rc<RefCell<Wires>>, usize);

impl ErrorType for Row {
    type Error = Infallible;
}

impl OutputPin for Row {
    fn set_low(&mut self) -> Result<(), Infallible> {
        let mut wires = self.0.borrow_mut();
        wires.driven_rows |= 1 << self.1;
        wires.row_changes += 1;
        Ok(())
    }

    fn set_high(&mut self) -> Result<(), Infallible> {
        let mut wires = self.0.borrow_mut();
        wires.driven_rows &= !(1 << self.1);
        wires.row_changes += 1;
        Ok(())
    }
}

impl ErrorType for Column {
    type Error = Infallible;
}

impl InputPin for Column {
    fn is_high(&mut self) -> Result<bool, Infallible> {
        self.is_low().map(|low| !low)
    }

    fn is_low(&mut self) -> Result<bool, Infallible> {
        let wires = self.0.borrow();
        let low = if wires.diodes {
            let driven = (0..SIDE).filter(|r| wires.driven_rows >> r & 1 == 1);
            driven.fold(Columns::EMPTY, |low, r| low | wires.keys.row(r))
        } else {
            low_columns_without_diodes(wires.keys, wires.driven_rows)
        };
        Ok(low.has_index(self.1))
    }
}

/// The simulated wires need no time.
struct NoDelay;

impl DelayNs for NoDelay {
    fn delay_ns(&mut self, _: u32) {}
}

#[test]
fn matrix_reads_keys_and_idles_with_rows_low() {
    for diodes in [true, false] {
        let wires = Rc::new(RefCell::new(Wires { keys: Contacts::EMPTY, driven_rows: 0, row_changes: 0, diodes }));
        let rows = std::array::from_fn(|r| Row(wires.clone(), r));
        let columns = std::array::from_fn(|c| Column(wires.clone(), c));
        let Ok(mut matrix) = Matrix::new(rows, columns, NoDelay);
        assert_eq!(wires.borrow().driven_rows, 31);

        wires.borrow_mut().row_changes = 0;
        let Ok(raw) = matrix.scan();
        assert_eq!((raw, wires.borrow().row_changes), (Contacts::EMPTY, 0), "without a key down, one sample is enough");

        let mut rng = Pcg32::new(1, 1);
        for round in 0..20_000 {
            let keys = if round < CELLS { 1 << round } else { rng.next_u32() & rng.next_u32() };
            let keys = Contacts::from_bits(keys);
            wires.borrow_mut().keys = keys;
            let Ok(raw) = matrix.scan();
            assert_eq!(raw, if diodes { keys } else { scan_without_diodes(keys) }, "{keys:?}");
            assert_eq!(wires.borrow().driven_rows, 31, "all rows low again");
        }
    }
}

/// The edges of a contact that changes to `closed` at `start` and bounces for up to 10 ms. Closed and open times range
/// from microseconds to milliseconds.
fn bounce(rng: &mut Pcg32, start: u64, closed: bool) -> Vec<(u64, bool)> {
    let longest = 2 + rng.next_u32() % 4000;
    let bounce = Bounce { settle: 10_000, touch: 1..longest, gap: 1..longest };
    let edges = bounce.edges(rng, Duration::from_micros(start), closed);
    edges.into_iter().map(|(at, closed)| (at.as_micros() as u64, closed)).collect()
}

/// Scans the waveform of one key as the firmware does, with jitter. Returns the times of presses and releases.
fn debounced(rng: &mut Pcg32, edges: &[(u64, bool)], until: u64) -> (Vec<u64>, Vec<u64>) {
    let mut debouncer = Debouncer::new(Contacts::EMPTY);
    let (mut now, mut pressed, mut released) = (u64::from(rng.next_u32() % 500), vec![], vec![]);
    let key = Contact::new(7).unwrap();
    while now < until {
        let closed = edges.iter().rev().find(|(at, _)| *at <= now).is_some_and(|&(_, closed)| closed);
        let reading = Reading { closed: if closed { key.bit() } else { Contacts::EMPTY }, doubtful: Contacts::EMPTY };
        let Edges { pressed: down, released: up } = debouncer.update(now, reading, Columns::EMPTY);
        assert!((down | up).is_subset(key.bit()));
        if !down.is_empty() {
            pressed.push(now);
        }
        if !up.is_empty() {
            released.push(now);
        }
        let period = debouncer.next_scan(now).map_or(800, |at| at - now);
        // Sometimes the scan is delayed.
        let jitter = if rng.next_u32().is_multiple_of(16) { rng.next_u32() % 700 } else { rng.next_u32() % 20 };
        now += period + u64::from(jitter);
    }
    (pressed, released)
}

#[test]
fn bouncing_press_gives_one_press_and_one_release() {
    let mut rng = Pcg32::new(10, 3);
    for _ in 0..1_000_000 {
        let down = 1000 + u64::from(rng.next_u32() % 1000);
        let up = down + 30_000 + u64::from(rng.next_u32() % 50_000);
        let mut edges = bounce(&mut rng, down, true);
        edges.extend(bounce(&mut rng, up, false));
        let (pressed, released) = debounced(&mut rng, &edges, up + 60_000);
        assert_eq!((pressed.len(), released.len()), (1, 1), "{edges:?}");
        assert!(pressed[0] >= down && pressed[0] <= down + 15_000, "{pressed:?}: {edges:?}");
        assert!(released[0] >= up, "{released:?}: {edges:?}");
    }
}

#[test]
fn short_spike_is_no_press() {
    let mut rng = Pcg32::new(11, 3);
    for _ in 0..100_000 {
        let at = 1000 + u64::from(rng.next_u32() % 1000);
        let length = u64::from(rng.next_u32()) % MIN_CONFIRM_TIME;
        let (pressed, released) = debounced(&mut rng, &[(at, true), (at + length, false)], 40_000);
        assert_eq!((pressed, released), (vec![], vec![]), "a spike of {length} us");
    }
}

#[test]
fn press_during_a_scan_stall_counts_once() {
    let key = Contact::new(3).unwrap();
    let reading = Reading { closed: key.bit(), doubtful: Contacts::EMPTY };
    let mut debouncer = Debouncer::new(Contacts::EMPTY);
    assert_eq!(debouncer.update(0, Reading::default(), Columns::EMPTY), Edges::NONE);
    let mut presses = 0;
    for now in (400_000..420_000).step_by(500) {
        presses += debouncer.update(now, reading, Columns::EMPTY).pressed.len();
    }
    assert_eq!(presses, 1);
    assert_eq!(debouncer.down(), key.bit());
}

#[test]
fn doubtful_reading_restarts_the_debouncing() {
    let (held, coming) = (Contact::new(0).unwrap(), Contact::new(6).unwrap());
    let doubt = Reading { closed: Contacts::EMPTY, doubtful: Contacts::ALL };
    let both = Reading { closed: held.bit() | coming.bit(), doubtful: Contacts::EMPTY };
    let mut debouncer = Debouncer::new(held.bit());
    debouncer.update(0, both, Columns::EMPTY);
    for now in (100..100_000).step_by(500) {
        assert_eq!(
            debouncer.update(now, doubt, Columns::EMPTY),
            Edges::NONE,
            "held keys stay down, and there is no new press"
        );
    }
    assert_eq!(
        debouncer.update(100_100, both, Columns::EMPTY),
        Edges::NONE,
        "one reading after the doubt is not enough"
    );
    assert_eq!(
        debouncer.update(100_500, both, Columns::EMPTY),
        Edges { pressed: coming.bit(), released: Contacts::EMPTY }
    );
}
