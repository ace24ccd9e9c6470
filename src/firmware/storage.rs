//! Writes saves into flash: see `lights_out::journal` for how they survive.
//!
//! It blocks the thread while the flash works: about a millisecond for a record, up to 400 for a sector that is erased. Keys,
//! game and lights run above it and go on. Most sectors are erased before sleep, when the handheld is not in use.
//!
//! While the battery is too low to write, a save waits in RAM, also through sleep; with the lights out the voltage is usually back.

use core::ptr::addr_of;

use embassy_futures::select::{Either3, select3};
use embassy_futures::yield_now;
use embassy_rp::flash::ERASE_SIZE;
use embassy_rp::rom_data;
use embassy_time::{Duration, Instant, with_timeout};
use lights_out::journal::{Error, GivenUp, Journal, Tidied};
use lights_out::load::{self, Loaded, Newest};
use lights_out::save::{Save, Snapshot};

use super::channels::{BootloaderAsked, Saves, Sleep};
use super::flash::{self, Flash};
use super::watchdog::{Heartbeat, PULSE};

/// The time for erasing sectors before sleep. Those that are not erased by then wait for the next sleep.
const TIDY_TIME: Duration = Duration::from_secs(10);

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
    let start = tally_sector() + ERASE_SIZE as u32;
    let loaded = match load::load(flash, start, addr_of!(__saves_end) as u32) {
        Ok(loaded) => loaded,
        Err(error) => {
            defmt::error!("the flash cannot be read, nothing will be saved: {}", error);
            return (None, None);
        }
    };
    log_loaded(&loaded);
    (Some(loaded.journal), loaded.snapshot)
}

fn log_loaded(loaded: &Loaded) {
    let GivenUp { foreign_sectors, before, .. } = loaded.given_up;
    if foreign_sectors > 0 || before {
        defmt::warn!(
            "the journal was damaged: given up are {=u32} sectors of foreign records and {=u8} older saves",
            foreign_sectors,
            u8::from(before)
        );
    }
    match loaded.newest {
        Newest::Nothing => defmt::info!("nothing was saved yet"),
        Newest::Read => {}
        Newest::Newer => defmt::warn!("the save is of a newer version: a fresh start"),
        Newest::Unreadable => defmt::warn!("the save cannot be read: a fresh start"),
    }
    if loaded.kept > 0 {
        defmt::info!("saves of newer versions are kept: {=usize}", loaded.kept);
    }
    if loaded.merged > 0 {
        defmt::info!("results were taken over from kept saves: {=usize}", loaded.merged);
    }
    if loaded.lost > 0 {
        defmt::warn!("kept saves that cannot be read or kept are given up: {=usize}", loaded.lost);
    }
    match &loaded.snapshot {
        None => {}
        Some(Snapshot { layout: None, .. }) => defmt::info!("keys and lights are by the plan"),
        Some(_) => defmt::info!("keys and lights are where it was learned"),
    }
}

#[embassy_executor::task]
pub async fn task(
    mut flash: Flash,
    mut journal: Option<Journal>,
    saves: &'static Saves,
    bootloader: &'static BootloaderAsked,
    sleep: &'static Sleep,
    alive: &'static Heartbeat,
) -> ! {
    let mut unsaved: Option<Save> = None;
    let mut written: Option<Save> = None;
    loop {
        alive.beat();
        match with_timeout(PULSE, select3(saves.wait(), bootloader.wait(), sleep.changed())).await {
            // It comes first, where both are there.
            Ok(Either3::First(save)) => unsaved = Some(save).filter(|save| written.as_ref() != Some(save)),
            Ok(Either3::Second(())) => start_bootloader(),
            Ok(Either3::Third(())) | Err(_) => {}
        }
        if let Some(journal) = &mut journal {
            if let Some(save) = unsaved.take() {
                match append(journal, &mut flash, &save) {
                    Ok(()) => written = Some(save),
                    Err(Error::Full | Error::Flash(flash::Error::BatteryTooLow)) => unsaved = Some(save),
                    Err(Error::TooLong) => defmt::error!("the save is too long"),
                    Err(Error::Flash(error)) => defmt::error!("the save was not written: {}", error),
                }
            }
            if !journal.is_ready() {
                tidy(journal, &mut flash);
            }
        }
        if sleep.has_begun() {
            let deadline = Instant::now() + TIDY_TIME;
            while let Some(journal) = &mut journal
                && sleep.has_begun()
                && Instant::now() < deadline
                && tidy(journal, &mut flash) != Tidied::Nothing
            {
                alive.beat();
                // The watchdog's turn.
                yield_now().await;
            }
            sleep.set_all_is_saved();
            // The clocks may stop at any moment from now on, so no operation begins before the handheld is awake.
            while sleep.has_begun() {
                alive.beat();
                let _ = with_timeout(PULSE, sleep.changed()).await;
            }
        }
    }
}

/// Writes a record, and makes room for it if there is none.
fn append(journal: &mut Journal, flash: &mut Flash, save: &Save) -> Result<(), Error<flash::Error>> {
    loop {
        match journal.append(flash, save.bytes()) {
            Err(Error::Full) if tidy(journal, flash) != Tidied::Nothing => {}
            result => return result,
        }
    }
}

/// Restarts into the boot ROM's USB mode, with its drive for UF2 files, as BOOTSEL does. All pins are let go, so the lights lose their
/// supply, if it is switched; without the switch they go on showing the arrow.
fn start_bootloader() -> ! {
    defmt::info!("restarts into the bootloader");
    cortex_m::interrupt::free(|_| {
        rom_data::reset_to_usb_boot(0, 0);
        // The restart takes some milliseconds on the RP2350. Should it fail, the watchdog restarts the game.
        loop {
            cortex_m::asm::nop();
        }
    })
}

/// Erases one sector, if one should be.
fn tidy(journal: &mut Journal, flash: &mut Flash) -> Tidied {
    journal.tidy(flash).unwrap_or_else(|error| {
        if error != flash::Error::BatteryTooLow {
            defmt::error!("a sector could not be erased: {}", error);
        }
        Tidied::Nothing
    })
}
