//! The cost of the puzzle's functions on the chip, in emulated cycles: the longest of all observed calls.
//!
//! A function can be watched if it has its own symbol. If the compiler has inlined it, the smallest function that
//! contains it is watched instead, and the table names that function. If there is none, the figure is missing. The
//! cycles of interrupts are not counted. At 125 MHz a thousand cycles are 8 us.

use emulator::{Firmware, Handheld, Options};
use lights_out::game::modes::ModeKind;
use lights_out::game::settings::{DIFFICULTIES, Settings};
use lights_out::gesture::Command;
use lights_out::rules::{Rule, Size};
use player::{Device, Player, limits};

use crate::error::MeasureError;
use crate::figure::{Figure, Unit};
use crate::statistics::Sample;
use crate::{dice, greeted};

/// Boards generated for each difficulty, with a hint for each.
const BOARDS: usize = 14;
/// Lights flipped in the Create mode. Each flip is one parity check.
const FLIPS: usize = 150;

/// A watched function.
struct Watch {
    number: usize,
    /// The function that contains the inlined one, if it is watched instead.
    around: Option<&'static str>,
}

impl Watch {
    /// Watches the first of these functions that has a symbol. The first one is the function to measure.
    fn new(handheld: &mut Handheld, functions: &[&'static str]) -> Option<Self> {
        functions.iter().enumerate().find_map(|(index, function)| {
            let number = handheld.watch_calls(function)?;
            Some(Self { number, around: (index > 0).then_some(*function) })
        })
    }

    /// The cycles of all calls, without the first `skip`.
    fn sample(&self, handheld: &Handheld, skip: usize) -> Option<Sample> {
        let calls = handheld.calls(self.number)?;
        Sample::new(calls.cycles.iter().skip(skip).map(|&cycles| cycles as f64).collect())
    }

    fn count(&self, handheld: &Handheld) -> usize {
        handheld.calls(self.number).map_or(0, |calls| calls.cycles.len())
    }
}

/// The figure of the longest call. `function` is the function to measure.
fn longest(id: &str, name: &str, function: &str, watch: Option<&Watch>, handheld: &Handheld, skip: usize) -> Figure {
    let sample = watch.and_then(|watch| watch.sample(handheld, skip));
    let figure = Figure::new(id, name, Unit::Cycles, sample.as_ref().map(Sample::max));
    match (watch, sample) {
        (Some(watch), Some(sample)) => {
            let of = watch.around.map_or(String::new(), |around| format!(" of {around}, around {function}"));
            figure.note(format!("longest of {} calls{of}; mean {:.0}", sample.count(), sample.mean()))
        }
        (Some(_), None) => figure.note(format!("{function} was never called")),
        (None, _) => figure.note(format!("{function} is inlined everywhere: it needs #[inline(never)]")),
    }
}

/// Shortest solution, hint, and random boards of each difficulty, with the classic rule.
pub(crate) fn classic(firmware: &Firmware) -> Result<(Vec<Figure>, u32), MeasureError> {
    let (mut player, mut dice) = (greeted(firmware, Options::default()), dice(4));
    player.device.watch_core();
    player.try_start(ModeKind::Random, &[])?;
    let shortest = Watch::new(&mut player.device, &["Solver::shortest"]);
    let hint = Watch::new(&mut player.device, &["Solver::hint", "Puzzle::command"]);
    let generate = Watch::new(&mut player.device, &["generator::of_par", "random::new_puzzle"]);
    let mut generated = Vec::new();
    for difficulty in 0..DIFFICULTIES {
        let before = generate.as_ref().map_or(0, |generate| generate.count(&player.device));
        player.try_start(ModeKind::Random, &[(3, difficulty)])?;
        for _ in 1..BOARDS {
            player.command(Command::Next);
            let board = player.board();
            player.tap(dice.non_winning_key(board));
            player.command(Command::Hint);
        }
        let pars = Settings { difficulty, ..Settings::DEFAULT }.pars();
        let (first, last) = (pars.start(), pars.end());
        let (id, name) = (format!("cycles.generate.{first}"), format!("random board of par {first} to {last}"));
        let figure = longest(&id, &name, "generator::of_par", generate.as_ref(), &player.device, before);
        generated.push(figure.not_recorded().at_most(limits::GENERATE_CYCLES as f64));
    }
    let figure =
        |id, name, function, watch: &Option<Watch>| longest(id, name, function, watch.as_ref(), &player.device, 0);
    let mut figures = vec![
        figure("cycles.shortest", "shortest solution, classic", "Solver::shortest", &shortest)
            .at_most(limits::SHORTEST_SOLUTION_CYCLES as f64),
        figure("cycles.hint", "hint, classic", "Solver::hint", &hint),
    ];
    figures.extend(generated);
    Ok((figures, lowest_stack(&player)))
}

/// The parity check after each flip in the Create mode.
pub(crate) fn parity(firmware: &Firmware) -> Result<(Vec<Figure>, u32), MeasureError> {
    let (mut player, mut dice) = (greeted(firmware, Options::default()), dice(5));
    player.device.watch_core();
    player.try_start(ModeKind::Create, &[])?;
    let parity = Watch::new(&mut player.device, &["Solver::is_solvable"]);
    for _ in 0..FLIPS {
        player.tap(dice.key());
    }
    let figure =
        longest("cycles.parity", "parity check, classic", "Solver::is_solvable", parity.as_ref(), &player.device, 0);
    Ok((vec![figure], lowest_stack(&player)))
}

/// The tables of every rule in every size, and the shortest solutions.
pub(crate) fn rules(firmware: &Firmware) -> Result<(Vec<Figure>, u32), MeasureError> {
    let mut player = greeted(firmware, Options::default());
    player.device.watch_core();
    let derive = Watch::new(&mut player.device, &["Solver::new", "Solvers::prepare"]);
    let shortest = Watch::new(&mut player.device, &["Solver::shortest"]);
    for rule in 0..Rule::ALL.len() {
        for size in 0..Size::ALL.len() {
            player.try_start(ModeKind::Random, &[(1, rule), (2, size)])?;
            if player.device.lit().is_empty() {
                return Err(MeasureError(format!("no board of rule {rule}, size {size} is generated")));
            }
            player.command(Command::Hint);
        }
    }
    let figure =
        |id, name, function, watch: &Option<Watch>| longest(id, name, function, watch.as_ref(), &player.device, 0);
    let figures = vec![
        figure("cycles.derive", "tables of a rule and size", "Solver::new", &derive),
        figure("cycles.shortest.any", "shortest solution, any rule and size", "Solver::shortest", &shortest),
    ];
    Ok((figures, lowest_stack(&player)))
}

/// The lowest stack pointer since the core is watched; `u32::MAX` if it is not watched.
pub(crate) fn lowest_stack(player: &Player<Handheld>) -> u32 {
    player.device.core_use().map_or(u32::MAX, |core| core.lowest_stack)
}
