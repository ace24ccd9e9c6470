//! Period and jitter of the key scan, its longest delay, the interrupt latency, and the stack high-water mark.
//!
//! While no key is down, there is no scan: all rows are low, the hardware watches the columns, and a press wakes the
//! scan. While a key is down, all keys are scanned every 500 us. This scan is measured on the column pins: between
//! scans the key pulls its column low, and a scan begins when the rows are released and the column rises. The
//! **jitter** is the largest difference between a period and the mean. The **stall** is the longest time between two
//! scans.
//!
//! Half a second after a press the game is saved. The longest stall during the save is a separate figure, with the
//! typical times of flash and boot ROM (0.63 ms for a page, 45 ms for a sector). Sectors are usually erased before
//! sleep. Here the flash is full of other data, so sectors are erased during play: an erase with interrupts disabled
//! would be seen in the longest time with interrupts disabled.
//!
//! The **stack** pointer is observed at every instruction, in all measurements that watch the core and in a soak test
//! that plays all modes at random. The high-water mark is exact for what was played.

use std::time::Duration;

use emulator::{Firmware, Options};
use lights_out::game::modes::ModeKind;
use lights_out::gesture::Command;
use lights_out::wiring::Wiring;
use player::{limits, ms, us};

use crate::cycles::lowest_stack;
use crate::error::MeasureError;
use crate::figure::{Figure, Unit};
use crate::statistics::Sample;
use crate::{MISS_CYCLES, cycles_per_us, dice, greeted, realistic, switched_on};

/// The columns of the key matrix, bit = pin.
const COLUMN_PINS: u32 = {
    let [a, b, c, d, e] = Wiring::REFERENCE.columns;
    1 << a | 1 << b | 1 << c | 1 << d | 1 << e
};
/// A column that is low for longer than this is between two scans. During a scan it is low for one row only.
const BETWEEN_SCANS: Duration = Duration::from_micros(50);
/// The number of keys that are held, one after the other.
const HOLDS: usize = 20;
/// This long after the press, the key is debounced and the scan is periodic.
const DOWN: Duration = ms(30);
/// Duration of the first part of a hold. It ends before the save, which follows half a second after the press.
const BEFORE_SAVE: Duration = ms(420);
/// Duration of the second part of a hold, which contains the save.
const WITH_SAVE: Duration = ms(200);
/// The number of actions in the soak test.
const ACTIONS: usize = 150;

/// Scans while keys are held, and the longest time with interrupts disabled.
pub(crate) fn scans(firmware: &Firmware) -> Result<(Vec<Figure>, u32), MeasureError> {
    // A flash full of other data: a sector has to be erased before it can be programmed.
    let flash = Some(vec![0; firmware.chip().flash_size()]);
    let (mut player, mut dice) = (greeted(firmware, Options { flash, ..realistic(MISS_CYCLES) }), dice(9));
    player.try_start(ModeKind::Random, &[])?;
    player.wait(ms(5000));
    player.device.watch_core();
    let (mut plain, mut saving) = (Vec::new(), Vec::new());
    for _ in 0..HOLDS {
        let board = player.board();
        let key = dice.non_winning_key(board);
        player.wait(us(dice.below(500).into()));
        player.press(key);
        player.wait(DOWN);
        for (periods, time, saves) in [(&mut plain, BEFORE_SAVE, false), (&mut saving, WITH_SAVE, true)] {
            let before = player.device.flash().operations();
            player.device.start_logic_analyser(COLUMN_PINS);
            player.wait(time);
            if (player.device.flash().operations() > before) != saves {
                return Err(MeasureError("the game is not saved half a second after a press".to_owned()));
            }
            let began = scan_starts(player.device.logic_samples());
            periods.extend(began.windows(2).map(|pair| (pair[1] - pair[0]).as_secs_f64() * 1e6));
        }
        player.release(key);
        // A sector may be erased one second after the last press.
        player.wait(ms(1600));
    }
    let core = player.device.core_use().copied().ok_or_else(|| MeasureError("the core is not watched".to_owned()))?;
    let disabled = core.masked.max(core.masked_program).max(core.masked_erase);
    let (plain, saving) = (Sample::new(plain), Sample::new(saving));
    let jitter = plain.as_ref().map(|sample| (sample.max() - sample.mean()).max(sample.mean() - sample.min()));
    let micros = |id, name, value: Option<f64>| Figure::new(id, name, Unit::Microseconds, value);
    let cycles = |cycles: u64| Some(cycles as f64 / cycles_per_us(firmware.chip())).filter(|&time| time > 0.0);
    let counted = plain.as_ref().map_or(String::new(), |sample| {
        format!("500 us from wake to wake, mean of {}; no scan without a key", sample.count())
    });
    let figures = vec![
        micros("scan.period", "scan period, a key down", plain.as_ref().map(Sample::mean)).note(counted),
        // One scan of thousands coincides with another interrupt and decides this figure. Every build changes which
        // one.
        micros("scan.jitter", "  jitter", jitter).slack(20.0),
        micros("scan.stall", "  longest stall", plain.as_ref().map(Sample::max)).slack(20.0),
        micros("scan.stall.saving", "  longest stall during a save", saving.as_ref().map(Sample::max)).slack(20.0),
        micros("interrupts.disabled", "interrupts disabled, longest", cycles(disabled))
            .slack(0.5)
            .at_most(limits::INTERRUPTS_DISABLED.as_secs_f64() * 1e6)
            .note("flash is programmed and erased at the same time"),
    ];
    Ok((figures, lowest_stack(&player)))
}

/// The start of each scan: all columns are high after one was low for longer than [`BETWEEN_SCANS`].
fn scan_starts(changes: impl Iterator<Item = (Duration, u32)>) -> Vec<Duration> {
    let mut starts = Vec::new();
    let mut before: Option<(Duration, u32)> = None;
    for (at, columns) in changes {
        let was_waiting = before.is_some_and(|(since, columns)| columns != COLUMN_PINS && at - since >= BETWEEN_SCANS);
        if was_waiting && columns == COLUMN_PINS {
            starts.push(at);
        }
        before = Some((at, columns));
    }
    starts
}

/// The soak test: plays all modes at random. Returns the lowest stack pointer.
pub(crate) fn soak(firmware: &Firmware) -> Result<u32, MeasureError> {
    let (mut player, mut dice) = (switched_on(firmware, realistic(MISS_CYCLES)), dice(10));
    player.device.watch_core();
    player.wait_for_greeting();
    for action in 0..ACTIONS {
        match dice.below(12) {
            0 => {
                let mode = ModeKind::ALL[dice.below(5) as usize];
                let choices = [(1, dice.below(5) as usize), (2, dice.below(4) as usize)];
                // A demo or an animation may prevent the start. The next action plays something else.
                let _ = player.try_start(mode, &choices);
            }
            1..=3 => player.command(Command::ALL[dice.below(6) as usize]),
            _ => player.tap(dice.key()),
        }
        if let Some(stop_reason) = player.device.stop_reason() {
            return Err(MeasureError(format!(
                "the handheld failed in action {action} of the soak test: {stop_reason:?}"
            )));
        }
    }
    if player.device.resets().is_empty() {
        Ok(lowest_stack(&player))
    } else {
        Err(MeasureError(format!("the handheld restarted in the soak test: {:?}", player.device.resets())))
    }
}

/// The stack high-water mark, from the lowest stack pointer. The stack grows down from the address in the first entry
/// of the vector table.
pub(crate) fn stack(firmware: &Firmware, lowest: u32) -> Figure {
    let vectors = &firmware.image()[firmware.chip().vectors()..];
    let top = u32::from_le_bytes([vectors[0], vectors[1], vectors[2], vectors[3]]);
    let used = top.checked_sub(lowest).map(f64::from);
    Figure::new("ram.stack", "RAM: stack high-water mark", Unit::Bytes, used)
        .note("lowest stack pointer in all modes, rules and commands")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scan_with_two_column_edges_counts_once() {
        let (low, high) = (COLUMN_PINS & !(1 << Wiring::REFERENCE.columns[2]), COLUMN_PINS);
        let changes = [(0, low), (460, high), (472, low), (479, high), (495, low), (960, high), (972, low)];
        let starts = scan_starts(changes.into_iter().map(|(at, levels)| (Duration::from_micros(at), levels)));
        assert_eq!(starts, [Duration::from_micros(460), Duration::from_micros(960)]);
    }
}
