//! How evenly the keys are scanned, what can hold the scanner up, and how deep the stack gets.
//!
//! At rest nobody scans: all rows are low and the hardware watches the columns, so a touch is seen at once and wakes
//! the scan. While a key is down, all keys are scanned every 500 us. That is what is measured here, on the column pins:
//! between scans the key pulls its column down, and a scan begins when the rows are let go and the column rises. Its
//! **jitter** is the largest distance of a period from the mean; its **stall** is the longest time between two scans.
//!
//! Half a second after a press the game is saved. The longest stall in that time is measured apart, with the typical times of flash and
//! boot ROM (0.63 ms a page, 45 ms a sector). Sectors are erased in sleep; here the flash is full of junk, so that it has to be
//! done in play, and the longest time with interrupts off would be seen to be that of an erase if flash were erased so.
//!
//! The **stack** is followed instruction by instruction, in all measurements that watch the core and in a soak that
//! plays all modes at random, so that its mark is exact for what was played.

use std::time::Duration;

use emulator::{Firmware, Options};
use lights_out::game::modes::ModeKind;
use lights_out::gesture::Command;
use lights_out::wiring::Wiring;
use player::{limits, ms, us};

use crate::cycles::lowest_stack;
use crate::figure::{Figure, Unit};
use crate::statistics::Sample;
use crate::trouble::Trouble;
use crate::{MISS, cycles_per_us, dice, greeted, honest, switched_on};

/// The columns of the key matrix, bit = pin.
const COLUMN_PINS: u32 = {
    let [a, b, c, d, e] = Wiring::REFERENCE.columns;
    1 << a | 1 << b | 1 << c | 1 << d | 1 << e
};
/// A column that is low for longer rests between two scans; within a scan it is low for one row only.
const AT_REST: Duration = Duration::from_micros(50);
/// Keys held, one after the other.
const HOLDS: usize = 20;
/// After so much of a hold the key is surely down, and scanned by the clock.
const DOWN: Duration = ms(30);
/// Ends before the save that follows half a second after the press,
const BEFORE_SAVE: Duration = ms(420);
/// and this begins where that ends and covers the save.
const WITH_SAVE: Duration = ms(200);
/// Things that are done in the soak.
const DEEDS: usize = 150;

/// Scans while keys are held, and what held them up.
pub fn scans(firmware: &Firmware) -> Result<(Vec<Figure>, u32), Trouble> {
    // A flash full of what no journal wrote: it has to be erased before it can be written.
    let flash = Some(vec![0; firmware.chip().flash_size()]);
    let (mut player, mut dice) = (greeted(firmware, Options { flash, ..honest(MISS) }), dice(9));
    player.try_start(ModeKind::Random, &[])?;
    player.wait(ms(5000));
    player.device.watch_core();
    let (mut plain, mut saving) = (Vec::new(), Vec::new());
    for _ in 0..HOLDS {
        let board = player.board();
        let key = dice.harmless_key(board);
        player.wait(us(dice.below(500).into()));
        player.press(key);
        player.wait(DOWN);
        for (periods, time, saves) in [(&mut plain, BEFORE_SAVE, false), (&mut saving, WITH_SAVE, true)] {
            let before = player.device.flash().operations();
            player.device.probe_pins(COLUMN_PINS);
            player.wait(time);
            if (player.device.flash().operations() > before) != saves {
                return Err(Trouble("the game is not saved half a second after a press".to_owned()));
            }
            let began = scan_starts(player.device.probed());
            periods.extend(began.windows(2).map(|pair| (pair[1] - pair[0]).as_secs_f64() * 1e6));
        }
        player.release(key);
        // Longer than the second after which a sector may be erased.
        player.wait(ms(1600));
    }
    let core = player.device.core_use().copied().ok_or_else(|| Trouble("the core is not watched".to_owned()))?;
    let masked = core.masked.max(core.masked_program).max(core.masked_erase);
    let (plain, saving) = (Sample::new(plain), Sample::new(saving));
    let jitter = plain.as_ref().map(|sample| (sample.max() - sample.mean()).max(sample.mean() - sample.min()));
    let micros = |id, name, value: Option<f64>| Figure::new(id, name, Unit::Microseconds, value);
    let cycles = |cycles: u64| Some(cycles as f64 / cycles_per_us(firmware.chip())).filter(|&time| time > 0.0);
    let counted = plain
        .as_ref()
        .map_or(String::new(), |sample| format!("500 us from wake to wake, mean of {}; at rest none", sample.count()));
    let figures = vec![
        micros("scan.period", "scan period, a key down", plain.as_ref().map(Sample::mean)).beside(counted),
        // One scan of thousands that meets another interrupt decides it, and which one does moves with every build.
        micros("scan.jitter", "  its jitter", jitter).slack(20.0),
        micros("scan.stall", "  its longest stall", plain.as_ref().map(Sample::max)).slack(20.0),
        micros("scan.stall.saving", "  its longest stall, while saving", saving.as_ref().map(Sample::max)).slack(20.0),
        micros("masked", "interrupts off, longest", cycles(masked))
            .slack(0.5)
            .at_most(limits::INTERRUPTS_OFF.as_secs_f64() * 1e6)
            .beside("flash written and erased meanwhile"),
    ];
    Ok((figures, lowest_stack(&player)))
}

/// When each scan began: when all columns are high after one was low for a while.
fn scan_starts(changes: impl Iterator<Item = (Duration, u32)>) -> Vec<Duration> {
    let mut starts = Vec::new();
    let mut before: Option<(Duration, u32)> = None;
    for (at, columns) in changes {
        let rested = before.is_some_and(|(since, columns)| columns != COLUMN_PINS && at - since >= AT_REST);
        if rested && columns == COLUMN_PINS {
            starts.push(at);
        }
        before = Some((at, columns));
    }
    starts
}

/// Plays everything at random; gives the lowest place of the stack.
pub fn soak(firmware: &Firmware) -> Result<u32, Trouble> {
    let (mut player, mut dice) = (switched_on(firmware, honest(MISS)), dice(10));
    player.device.watch_core();
    player.after_greeting();
    for deed in 0..DEEDS {
        match dice.below(12) {
            0 => {
                let mode = ModeKind::ALL[dice.below(5) as usize];
                let choices = [(1, dice.below(5) as usize), (2, dice.below(4) as usize)];
                // A demo or a celebration may be in the way: the next deed finds something else.
                let _ = player.try_start(mode, &choices);
            }
            1..=3 => player.command(Command::ALL[dice.below(6) as usize]),
            _ => player.tap(dice.key()),
        }
        if let Some(death) = player.device.death() {
            return Err(Trouble(format!("the handheld died in deed {deed} of the soak: {death:?}")));
        }
    }
    if player.device.resets().is_empty() {
        Ok(lowest_stack(&player))
    } else {
        Err(Trouble(format!("the handheld restarted in the soak: {:?}", player.device.resets())))
    }
}

/// The high-water mark of the stack, from the lowest place that it has reached. It grows down from the end of RAM,
/// which the first entry of the vector table names.
pub fn stack(firmware: &Firmware, lowest: u32) -> Figure {
    let vectors = &firmware.image()[firmware.chip().vectors()..];
    let top = u32::from_le_bytes([vectors[0], vectors[1], vectors[2], vectors[3]]);
    let used = top.checked_sub(lowest).map(f64::from);
    Figure::new("ram.stack", "RAM: stack, high-water mark", Unit::Bytes, used)
        .beside("lowest stack pointer in all modes, rules and commands")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scan_is_counted_once_though_the_column_rises_twice() {
        let (low, high) = (COLUMN_PINS & !(1 << Wiring::REFERENCE.columns[2]), COLUMN_PINS);
        let changes = [(0, low), (460, high), (472, low), (479, high), (495, low), (960, high), (972, low)];
        let starts = scan_starts(changes.into_iter().map(|(at, levels)| (Duration::from_micros(at), levels)));
        assert_eq!(starts, [Duration::from_micros(460), Duration::from_micros(960)]);
    }
}
