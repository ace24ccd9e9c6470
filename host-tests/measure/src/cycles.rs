//! What the puzzle's functions cost on the chip, in emulated cycles: the longest of all calls that were seen.
//!
//! A function can be watched when the compiler has left it a symbol of its own. Where it was inlined, the smallest
//! function around it is watched instead, and the table says which; where there is none, the figure is missing. Cycles
//! that interrupts take meanwhile are left out. At 125 MHz a thousand cycles are 8 us.

use emulator::{Firmware, Handheld, Options};
use lights_out::game::modes::ModeKind;
use lights_out::game::settings::{DIFFICULTIES, Settings};
use lights_out::gesture::Command;
use lights_out::rules::{Rule, Size};
use player::{Device, Player, limits};

use crate::figure::{Figure, Unit};
use crate::statistics::Sample;
use crate::trouble::Trouble;
use crate::{dice, greeted};

/// Boards dealt for each difficulty, and hints asked for.
const DEALS: usize = 14;
/// Lights flipped in Create; each is one parity check.
const DRAWN: usize = 150;

/// A watched function.
struct Watch {
    number: usize,
    /// What is really watched, if not the function itself.
    around: Option<&'static str>,
}

impl Watch {
    /// Watches the first of these that has a symbol; the first is the one that is meant.
    fn new(handheld: &mut Handheld, parts: &[&'static str]) -> Option<Self> {
        parts.iter().enumerate().find_map(|(index, part)| {
            let number = handheld.watch_calls(part)?;
            Some(Self { number, around: (index > 0).then_some(*part) })
        })
    }

    /// The cycles of all calls but the first `skip`.
    fn sample(&self, handheld: &Handheld, skip: usize) -> Option<Sample> {
        let calls = handheld.calls(self.number)?;
        Sample::new(calls.cycles.iter().skip(skip).map(|&cycles| cycles as f64).collect())
    }

    fn count(&self, handheld: &Handheld) -> usize {
        handheld.calls(self.number).map_or(0, |calls| calls.cycles.len())
    }
}

/// The longest call as a figure, with the number of calls.
fn longest(id: &str, name: &str, meant: &str, watch: Option<&Watch>, handheld: &Handheld, skip: usize) -> Figure {
    let sample = watch.and_then(|watch| watch.sample(handheld, skip));
    let figure = Figure::new(id, name, Unit::Cycles, sample.as_ref().map(Sample::max));
    match (watch, sample) {
        (Some(watch), Some(sample)) => {
            let of = watch.around.map_or(String::new(), |around| format!(" of {around}, around {meant}"));
            figure.beside(format!("longest of {} calls{of}; mean {:.0}", sample.count(), sample.mean()))
        }
        (Some(_), None) => figure.beside(format!("{meant} was never called")),
        (None, _) => figure.beside(format!("{meant} is inlined everywhere: it needs #[inline(never)]")),
    }
}

/// Shortest solution, hint, and boards of each difficulty, on the classic rule.
pub fn classic(firmware: &Firmware) -> Result<(Vec<Figure>, u32), Trouble> {
    let (mut player, mut dice) = (greeted(firmware, Options::default()), dice(4));
    player.device.watch_core();
    player.try_start(ModeKind::Random, &[])?;
    let shortest = Watch::new(&mut player.device, &["Solver::shortest"]);
    let hint = Watch::new(&mut player.device, &["Solver::hint", "Puzzle::command"]);
    let deal = Watch::new(&mut player.device, &["generator::of_par", "random::new_puzzle"]);
    let mut dealt = Vec::new();
    for difficulty in 0..DIFFICULTIES {
        let before = deal.as_ref().map_or(0, |deal| deal.count(&player.device));
        player.try_start(ModeKind::Random, &[(3, difficulty)])?;
        for _ in 1..DEALS {
            player.command(Command::Next);
            let board = player.board();
            player.tap(dice.harmless_key(board));
            player.command(Command::Hint);
        }
        let pars = Settings { difficulty, ..Settings::DEFAULT }.pars();
        let (first, last) = (pars.start(), pars.end());
        let (id, name) = (format!("cycles.deal.{first}"), format!("a uniform board of par {first} to {last}"));
        let figure = longest(&id, &name, "generator::of_par", deal.as_ref(), &player.device, before);
        dealt.push(figure.open().at_most(limits::DEAL_CYCLES as f64));
    }
    let figure = |id, name, meant, watch: &Option<Watch>| longest(id, name, meant, watch.as_ref(), &player.device, 0);
    let mut figures = vec![
        figure("cycles.shortest", "shortest solution, classic", "Solver::shortest", &shortest)
            .at_most(limits::SHORTEST_SOLUTION_CYCLES as f64),
        figure("cycles.hint", "hint, classic", "Solver::hint", &hint),
    ];
    figures.extend(dealt);
    Ok((figures, lowest_stack(&player)))
}

/// The parity check as the player draws.
pub fn parity(firmware: &Firmware) -> Result<(Vec<Figure>, u32), Trouble> {
    let (mut player, mut dice) = (greeted(firmware, Options::default()), dice(5));
    player.device.watch_core();
    player.try_start(ModeKind::Create, &[])?;
    let parity = Watch::new(&mut player.device, &["Solver::is_solvable"]);
    for _ in 0..DRAWN {
        player.tap(dice.key());
    }
    let figure =
        longest("cycles.parity", "parity check, classic", "Solver::is_solvable", parity.as_ref(), &player.device, 0);
    Ok((vec![figure], lowest_stack(&player)))
}

/// Tables and shortest solutions of every rule on every size.
pub fn rules(firmware: &Firmware) -> Result<(Vec<Figure>, u32), Trouble> {
    let mut player = greeted(firmware, Options::default());
    player.device.watch_core();
    let derive = Watch::new(&mut player.device, &["Solver::new", "Solvers::prepare"]);
    let shortest = Watch::new(&mut player.device, &["Solver::shortest"]);
    for rule in 0..Rule::ALL.len() {
        for size in 0..Size::ALL.len() {
            player.try_start(ModeKind::Random, &[(1, rule), (2, size)])?;
            if player.device.lit().is_empty() {
                return Err(Trouble(format!("no board of variant {rule}, size {size} is dealt")));
            }
            player.command(Command::Hint);
        }
    }
    let figure = |id, name, meant, watch: &Option<Watch>| longest(id, name, meant, watch.as_ref(), &player.device, 0);
    let figures = vec![
        figure("cycles.derive", "tables of a variant", "Solver::new", &derive),
        figure("cycles.shortest.any", "shortest solution, any variant", "Solver::shortest", &shortest),
    ];
    Ok((figures, lowest_stack(&player)))
}

/// The lowest place that the stack has reached since the core is watched.
pub fn lowest_stack(player: &Player<Handheld>) -> u32 {
    player.device.core_use().map_or(u32::MAX, |core| core.lowest_stack)
}
