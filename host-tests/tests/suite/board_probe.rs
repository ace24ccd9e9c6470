//! Detection of the board by the level at the VSYS pin. Here the pin is a capacitor that is charged through resistors.
//! The firmware tests probe the same pin on the emulated chip.

use lights_out::board_probe::{BoardKind, BoardProbe, INTERVAL, Setup};
use player::Dice;

/// The output resistance of the divider, in ohms.
const DIVIDER: f64 = 66_667.0;
/// The reference voltage of the converter in millivolts: 4096 counts.
const REFERENCE: f64 = 3_270.0;

/// The source at the pin: a voltage in millivolts with a series resistance, connected always or only while GP25 is
/// high.
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
    /// The level one interval after the pins were set up, in millivolts.
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

/// The detected board, the number of samples, and whether GP25 was ever high.
fn probe(mut level: impl FnMut(Setup) -> Option<u16>) -> (BoardKind, u32, bool) {
    let mut probe = BoardProbe::start();
    let mut was_selected = false;
    for samples in 1..=100 {
        was_selected |= probe.setup().is_selected;
        if let Some(kind) = probe.take(level(probe.setup())) {
            return (kind, samples, was_selected);
        }
    }
    panic!("the probe does not end");
}

/// Probes a pin that has been charged to this level before, with noise of a few counts.
fn probe_pin(source: Source, pull: f64, nanofarads: f64, charge: f64, dice: &mut Dice) -> (BoardKind, u32, bool) {
    let mut pin = Pin { source, pull, nanofarads, level: charge };
    probe(|setup| Some((pin.after_interval(setup) * 4096.0 / REFERENCE) as u16 + dice.below(4) as u16))
}

#[test]
fn dividers_are_detected_at_any_voltage() {
    let mut dice = Dice::new(21, 1);
    for vsys in (2_000..=5_200).step_by(50) {
        for pull in [50_000.0, 65_000.0, 80_000.0] {
            for nanofarads in [0.1, 1.0, 10.0] {
                // A sample takes 0.28 ms: 7 ms in total from power-on, 11 ms if the pin is still charged.
                for (charge, most) in [(0.0, 24), (f64::from(vsys) / 3.0, 38)] {
                    let case = format!("{vsys} mV, {pull} ohm, {nanofarads} nF, from {charge} mV");
                    let mut found = |is_switched| {
                        probe_pin(Source::divider(vsys, is_switched), pull, nanofarads, charge, &mut dice)
                    };
                    let (kind, samples, was_selected) = found(false);
                    assert_eq!((kind, was_selected), (BoardKind::Plain, false), "{case}");
                    assert!(samples <= 20, "{samples} samples: {case}");
                    let (kind, samples, _) = found(true);
                    assert_eq!(kind, BoardKind::Radio, "{case}");
                    assert!(samples <= most, "{samples} samples: {case}");
                }
            }
        }
    }
}

#[test]
fn picos_need_few_samples() {
    let mut dice = Dice::new(21, 2);
    let samples =
        |is_switched, dice: &mut Dice| probe_pin(Source::divider(4_500, is_switched), 65_000.0, 1.0, 0.0, dice).1;
    assert!(samples(false, &mut dice) <= 6, "1.5 ms");
    assert!(samples(true, &mut dice) <= 9, "2.3 ms");
}

#[test]
fn pin_without_divider_is_unmeasurable() {
    let mut dice = Dice::new(21, 3);
    let floating = (0..=33).map(|tenths| Source::other(f64::from(tenths) * 100.0, 10e6));
    let driven = (0..=33).flat_map(|tenths| {
        [100.0, 1_000.0, 10_000.0, 15_000.0].map(|ohms| Source::other(f64::from(tenths) * 100.0, ohms))
    });
    // The resistance of the divider, but the level of an impossible VSYS: 9.9 V or 1.5 V.
    let weak = [3_300.0, 500.0].map(|millivolts| Source::other(millivolts, DIVIDER));
    for source in floating.chain(driven).chain(weak) {
        for pull in [50_000.0, 80_000.0] {
            let (kind, ..) = probe_pin(source, pull, 0.01, 0.0, &mut dice);
            assert_eq!(kind, BoardKind::Unmeasurable, "{source:?}, {pull} ohm");
        }
    }
}

#[test]
fn unknown_part_never_selects_the_radio() {
    let (kind, _, was_selected) = probe(|_| Some(2_000));
    assert_eq!((kind, was_selected), (BoardKind::Unmeasurable, false));
}

#[test]
fn unstable_level_is_unmeasurable() {
    let mut level = 0;
    let (kind, samples, _) = probe(|_| {
        level = (level + 100) % 4096;
        Some(level)
    });
    assert_eq!((kind, samples), (BoardKind::Unmeasurable, 20));
}

#[test]
fn failed_conversions_are_retried_with_a_limit() {
    assert_eq!(probe(|_| None).0, BoardKind::Unmeasurable);
    let mut samples = 0;
    let (kind, ..) = probe(|setup| {
        samples += 1;
        // 4.5 V: 741 mV with a pull-down of 65 kohm, 1500 mV without. Every third conversion fails.
        (samples % 3 != 0).then_some(if setup.is_pulled_down { 928 } else { 1_879 })
    });
    assert_eq!(kind, BoardKind::Plain);
}

#[test]
fn divider_ratios_at_the_limits_are_distinguished() {
    // The level without the pull-down in counts, and the level with the pull-down in per cent of it.
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
