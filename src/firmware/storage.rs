//! Writes saves into flash: see `lights_out::journal` for how they survive.
//!
//! While flash is written, nothing else runs: no key is scanned and no frame begins. A record takes about a millisecond,
//! which nobody notices; erasing a sector takes up to 400. So that is done while the handheld goes to sleep, when nobody can be
//! playing. Only if it has not slept for an hour of play, it has to be done in between.
//!
//! While the battery is too low to write, a save waits in RAM, also through sleep; with the lights out the voltage is usually back.

use core::ptr::addr_of;

use embassy_futures::yield_now;
use embassy_rp::flash::ERASE_SIZE;
use embassy_time::{Duration, with_timeout};
use lights_out::journal::{Error, Journal, MAX_PAYLOAD, Tidied};
use lights_out::save::{self, Save, Snapshot};

use super::channels::{KeyNews, Saves, Sleep};
use super::flash::{self, Flash};
use super::watchdog::{Heartbeat, PULSE};

/// If a sector must be erased in play, then rather when all keys have been up for this long.
const QUIET: Duration = Duration::from_millis(1000);
/// When a save that found no room is tried again.
const RETRY: Duration = Duration::from_millis(10);

unsafe extern "C" {
    /// Where the saves begin and end in flash, from memory.x: only their addresses mean something.
    static __saves_start: u8;
    static __saves_end: u8;
}

/// The first sector counts power-ups, see `seed`; the rest is the journal.
pub fn tally_sector() -> u32 {
    // The linker gives the offset as the address of a symbol.
    addr_of!(__saves_start) as u32
}

/// Opens the journal, and reads the newest save. What cannot be read is a fresh start, and is told in the log.
pub fn open(flash: &mut Flash) -> (Option<Journal>, Option<Snapshot>) {
    let mut payload = [0; MAX_PAYLOAD];
    let start = tally_sector() + ERASE_SIZE as u32;
    match Journal::open(flash, start, addr_of!(__saves_end) as u32, &mut payload) {
        Ok((journal, None)) => {
            defmt::info!("nothing was saved yet");
            (Some(journal), None)
        }
        Ok((journal, Some(length))) => {
            if journal.is_damaged() {
                defmt::warn!("the journal was damaged: only the newest save counts");
            }
            let snapshot = save::decode(&payload[..length]);
            match &snapshot {
                None => defmt::warn!("the save is of another version: a fresh start"),
                Some(Snapshot { layout: None, .. }) => defmt::info!("keys and lights are by the plan"),
                Some(_) => defmt::info!("keys and lights are where it was learned"),
            }
            (Some(journal), snapshot)
        }
        Err(error) => {
            defmt::error!("the flash cannot be read, nothing will be saved: {}", error);
            (None, None)
        }
    }
}

#[embassy_executor::task]
pub async fn task(
    mut flash: Flash,
    mut journal: Option<Journal>,
    saves: &'static Saves,
    keys: &'static KeyNews,
    sleep: &'static Sleep,
    alive: &'static Heartbeat,
) -> ! {
    let mut unsaved: Option<Save> = None;
    let mut written: Option<Save> = None;
    let mut patience = PULSE;
    loop {
        alive.beat();
        if let Ok(save) = with_timeout(patience, saves.wait()).await {
            unsaved = Some(save).filter(|save| written.as_ref() != Some(save));
        }
        patience = PULSE;
        let Some(journal) = &mut journal else {
            // There is nothing that it could do before sleep.
            sleep.set_all_is_saved();
            continue;
        };
        if let Some(save) = unsaved.take() {
            match journal.append(&mut flash, save.bytes()) {
                Ok(()) => written = Some(save),
                Err(Error::Full) => {
                    // Soon again: a sector is erased for it.
                    (unsaved, patience) = (Some(save), RETRY);
                    tidy(journal, &mut flash);
                }
                Err(Error::Flash(flash::Error::BatteryTooLow)) => unsaved = Some(save),
                Err(Error::TooLong) => defmt::error!("the save is too long"),
                Err(Error::Flash(error)) => defmt::error!("the save was not written: {}", error),
            }
        }
        if !journal.is_ready() && keys.are_up_for(QUIET) {
            tidy(journal, &mut flash);
        }
        while sleep.has_begun() && unsaved.is_none() {
            alive.beat();
            if tidy(journal, &mut flash) == Tidied::Nothing {
                sleep.set_all_is_saved();
                break;
            }
            // `scan` sees whether a key was touched; the others give their signs of life.
            yield_now().await;
        }
    }
}

/// One step of it.
fn tidy(journal: &mut Journal, flash: &mut Flash) -> Tidied {
    journal.tidy(flash).unwrap_or_else(|error| {
        if error != flash::Error::BatteryTooLow {
            defmt::error!("a sector could not be erased: {}", error);
        }
        Tidied::Nothing
    })
}
