//! Which board it is, by levels at the pin for VSYS. The pin is a capacitor that resistors charge; the firmware's own
//! tests have it with the chip around it.

use lights_out::board_probe::{BoardKind, BoardProbe, INTERVAL, Setup};
use player::Dice;

/// The divider's resistance to the outside, in ohms.
const DIVIDER: f64 = 66_667.0;
/// Millivolts of the converter's reference, which are 4096 counts.
const REFERENCE: f64 = 3_270.0;

/// What is at the pin: a voltage in millivolts behind a resistance, always or only while GP25 is high.
#[derive(Clone, Copy, Debug)]
struct Source {
    millivolts: f64,
    ohms: f64,
    is_switched: bool,
}

impl Source {
    fn divider(vsys: u32, is_switched: bool) -> Self {
        Self { millivolts: f64::from(vsys) / 3.0, ohms: DIVIDER, is_switched }
    }

    fn other(millivolts: f64, ohms: f64) -> Self {
        Self { millivolts, ohms, is_switched: false }
    }
}

/// The pin, with its pull-down in ohms, its capacitor in nanofarads, and its level in millivolts.
struct Pin {
    source: Source,
    pull: f64,
    nanofarads: f64,
    level: f64,
}

impl Pin {
    /// The level an interval after the pins were set up, in millivolts.
    fn after_interval(&mut self, setup: Setup) -> f64 {
        let source = if self.source.is_switched && !setup.is_selected { 0.0 } else { 1.0 / self.source.ohms };
        let pull = if setup.is_pulled_down { 1.0 / self.pull } else { 0.0 };
        let conductance = source + pull;
        if conductance > 0.0 {
            let target = self.source.millivolts * source / conductance;
            let constants = INTERVAL as f64 * 1e-6 * conductance / (self.nanofarads * 1e-9);
            self.level = target + (self.level - target) * (-constants).exp();
        }
        self.level
    }
}

/// What is found, how many looks it took, and whether GP25 was ever high.
fn probe(mut level: impl FnMut(Setup) -> Option<u16>) -> (BoardKind, u32, bool) {
    let mut probe = BoardProbe::start();
    let mut was_selected = false;
    for looks in 1..=100 {
        was_selected |= probe.setup().is_selected;
        if let Some(kind) = probe.take(level(probe.setup())) {
            return (kind, looks, was_selected);
        }
    }
    panic!("it never ends");
}

/// The same for a pin, with noise of some counts, and with what it was charged to before.
fn probe_pin(source: Source, pull: f64, nanofarads: f64, charge: f64, dice: &mut Dice) -> (BoardKind, u32, bool) {
    let mut pin = Pin { source, pull, nanofarads, level: charge };
    probe(|setup| Some((pin.after_interval(setup) * 4096.0 / REFERENCE) as u16 + dice.below(4) as u16))
}

#[test]
fn dividers_are_found_at_any_voltage() {
    let mut dice = Dice::new(21, 1);
    for vsys in (2_000..=5_200).step_by(50) {
        for pull in [50_000.0, 65_000.0, 80_000.0] {
            for nanofarads in [0.1, 1.0, 10.0] {
                // A look takes 0.28 ms with its samples: 7 ms in all from power-on, 11 ms if the pin is still charged.
                for (charge, most) in [(0.0, 24), (f64::from(vsys) / 3.0, 38)] {
                    let case = format!("{vsys} mV, {pull} ohm, {nanofarads} nF, from {charge} mV");
                    let mut found = |is_switched| {
                        probe_pin(Source::divider(vsys, is_switched), pull, nanofarads, charge, &mut dice)
                    };
                    let (kind, looks, was_selected) = found(false);
                    assert_eq!((kind, was_selected), (BoardKind::Plain, false), "{case}");
                    assert!(looks <= 20, "{looks} looks: {case}");
                    let (kind, looks, _) = found(true);
                    assert_eq!(kind, BoardKind::Radio, "{case}");
                    assert!(looks <= most, "{looks} looks: {case}");
                }
            }
        }
    }
}

#[test]
fn picos_take_few_looks() {
    let mut dice = Dice::new(21, 2);
    let looks =
        |is_switched, dice: &mut Dice| probe_pin(Source::divider(4_500, is_switched), 65_000.0, 1.0, 0.0, dice).1;
    assert!(looks(false, &mut dice) <= 6, "1.5 ms");
    assert!(looks(true, &mut dice) <= 9, "2.3 ms");
}

#[test]
fn pins_without_a_divider_are_not_believed() {
    let mut dice = Dice::new(21, 3);
    let floating = (0..=33).map(|tenths| Source::other(f64::from(tenths) * 100.0, 10e6));
    let driven = (0..=33).flat_map(|tenths| {
        [100.0, 1_000.0, 10_000.0, 15_000.0].map(|ohms| Source::other(f64::from(tenths) * 100.0, ohms))
    });
    // As weak as the divider, but VSYS never has 9.9 or 1.5 V.
    let weak = [3_300.0, 500.0].map(|millivolts| Source::other(millivolts, DIVIDER));
    for source in floating.chain(driven).chain(weak) {
        for pull in [50_000.0, 80_000.0] {
            let (kind, ..) = probe_pin(source, pull, 0.01, 0.0, &mut dice);
            assert_eq!(kind, BoardKind::Unmeasurable, "{source:?}, {pull} ohm");
        }
    }
}

#[test]
fn parts_at_the_pin_leave_the_radio_select_alone() {
    let (kind, _, was_selected) = probe(|_| Some(2_000));
    assert_eq!((kind, was_selected), (BoardKind::Unmeasurable, false));
}

#[test]
fn level_that_never_settles_is_not_believed() {
    let mut level = 0;
    let (kind, looks, _) = probe(|_| {
        level = (level + 100) % 4096;
        Some(level)
    });
    assert_eq!((kind, looks), (BoardKind::Unmeasurable, 20));
}

#[test]
fn failed_conversions_are_repeated_but_not_for_ever() {
    assert_eq!(probe(|_| None).0, BoardKind::Unmeasurable);
    let mut looks = 0;
    let (kind, ..) = probe(|setup| {
        looks += 1;
        // 4.5 V: with a pull-down of 65 kohm 741 mV, and 1500 mV without. Every third look fails.
        (looks % 3 != 0).then_some(if setup.is_pulled_down { 928 } else { 1_879 })
    });
    assert_eq!(kind, BoardKind::Plain);
}

#[test]
fn shares_at_the_limits_of_a_divider_are_told_apart() {
    // VSYS as it is without the pull-down, in counts, and what is left of it in percent.
    let found = |free: u16, percent: u32| {
        let pulled = (u32::from(free) * percent / 100) as u16;
        probe(|setup| Some(if setup.is_pulled_down { pulled } else { free })).0
    };
    for percent in [43, 50, 55] {
        assert_eq!([800, 1_500, 2_300].map(|free| found(free, percent)), [BoardKind::Plain; 3], "{percent} %");
    }
    for percent in [25, 80, 100] {
        assert_eq!([800, 1_500, 2_300].map(|free| found(free, percent)), [BoardKind::Unmeasurable; 3], "{percent} %");
    }
    assert_eq!([found(700, 50), found(2_500, 50)], [BoardKind::Unmeasurable; 2], "1.7 and 6.0 V");
}
