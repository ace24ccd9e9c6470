//! Writes saves to flash. `lights_out::journal` explains how they survive a power cut.
//!
//! A flash operation blocks the thread executor: about 1 ms for a record, up to 400 ms for erasing a sector. Keys, game
//! and LEDs have a higher priority and keep running. Most sectors are erased before sleep, when the handheld is not in
//! use.
//!
//! While the battery is too low for a write, the save waits in RAM, also during sleep. With the lights off the voltage
//! usually recovers.

use core::ptr::addr_of;

use embassy_futures::select::{Either3, select3};
use embassy_futures::yield_now;
use embassy_rp::flash::ERASE_SIZE;
use embassy_rp::rom_data;
use embassy_time::{Duration, Instant, with_timeout};
use lights_out::journal::{Error, IgnoredRecords, Journal, Tidied};
use lights_out::load::{self, Loaded, Newest};
use lights_out::save::{Save, Snapshot};

use super::channels::{BootloaderRequest, Saves, SleepHandshake};
use super::flash::{Flash, FlashError};
use super::watchdog::{HEARTBEAT_PERIOD, Heartbeat};

/// Time limit for erasing sectors before sleep. The remaining sectors are erased before the next sleep.
const TIDY_TIME: Duration = Duration::from_secs(10);

unsafe extern "C" {
    /// Start and end of the saves in flash, from memory.x. Only the addresses of these symbols have a meaning.
    static __saves_start: u8;
    static __saves_end: u8;
}

/// The offset of the first sector of the saves, which counts power-ups: see `seed`. The journal follows it.
pub(crate) fn power_up_sector() -> u32 {
    // The linker script defines the offset as the address of a symbol.
    addr_of!(__saves_start) as u32
}

/// Opens the journal, and reads the newest save. If there is no valid save, the game starts fresh, and the reason is
/// logged.
pub(crate) fn open(flash: &mut Flash) -> (Option<Journal>, Option<Snapshot>) {
    let start = power_up_sector() + ERASE_SIZE as u32;
    let loaded = match load::load(flash, start, addr_of!(__saves_end) as u32) {
        Ok(loaded) => loaded,
        Err(error) => {
            defmt::error!("flash cannot be read, nothing will be saved: {}", error);
            return (None, None);
        }
    };
    log_loaded(&loaded);
    (Some(loaded.journal), loaded.snapshot)
}

fn log_loaded(loaded: &Loaded) {
    let IgnoredRecords { foreign_sectors, before, .. } = loaded.ignored;
    if foreign_sectors > 0 || before {
        defmt::warn!(
            "journal damaged: discarded {=u32} sectors with foreign records and {=u8} older saves",
            foreign_sectors,
            u8::from(before)
        );
    }
    match loaded.newest {
        Newest::Nothing => defmt::info!("no save found"),
        Newest::Read => {}
        Newest::Newer => defmt::warn!("the save has a newer version: a fresh start"),
        Newest::Unreadable => defmt::warn!("the save cannot be read: a fresh start"),
    }
    if loaded.kept > 0 {
        defmt::info!("saves of newer versions kept: {=usize}", loaded.kept);
    }
    if loaded.merged > 0 {
        defmt::info!("kept saves whose results were merged: {=usize}", loaded.merged);
    }
    if loaded.lost > 0 {
        defmt::warn!("kept saves discarded, unreadable or without space: {=usize}", loaded.lost);
    }
    match &loaded.snapshot {
        None => {}
        Some(Snapshot { layout: None, .. }) => defmt::info!("layout: reference"),
        Some(_) => defmt::info!("layout: taught"),
    }
}

#[embassy_executor::task]
pub async fn task(
    mut flash: Flash,
    mut journal: Option<Journal>,
    saves: &'static Saves,
    bootloader: &'static BootloaderRequest,
    sleep: &'static SleepHandshake,
    heartbeat: &'static Heartbeat,
) -> ! {
    let mut unsaved: Option<Save> = None;
    let mut written: Option<Save> = None;
    loop {
        heartbeat.beat();
        match with_timeout(HEARTBEAT_PERIOD, select3(saves.wait(), bootloader.wait(), sleep.changed())).await {
            // A save comes before a bootloader request, if both are pending.
            Ok(Either3::First(save)) => unsaved = Some(save).filter(|save| written.as_ref() != Some(save)),
            Ok(Either3::Second(())) => start_bootloader(),
            Ok(Either3::Third(())) | Err(_) => {}
        }
        if let Some(journal) = &mut journal {
            if let Some(save) = unsaved.take() {
                match append(journal, &mut flash, &save) {
                    Ok(()) => written = Some(save),
                    Err(Error::Full | Error::Flash(FlashError::BatteryTooLow)) => unsaved = Some(save),
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
                heartbeat.beat();
                // Lets the watchdog task run.
                yield_now().await;
            }
            sleep.set_all_saved();
            // The clocks may stop at any time now, so no flash operation starts until the handheld is awake.
            while sleep.has_begun() {
                heartbeat.beat();
                let _ = with_timeout(HEARTBEAT_PERIOD, sleep.changed()).await;
            }
        }
    }
}

/// Writes a record. Erases sectors if the journal is full.
fn append(journal: &mut Journal, flash: &mut Flash, save: &Save) -> Result<(), Error<FlashError>> {
    loop {
        match journal.append(flash, save.bytes()) {
            Err(Error::Full) if tidy(journal, flash) != Tidied::Nothing => {}
            result => return result,
        }
    }
}

/// Restarts into the boot ROM's USB mode with its drive for UF2 files, as BOOTSEL does. The reset releases all pins, so
/// the LEDs lose their supply; on a board without a supply switch they keep showing the arrow.
fn start_bootloader() -> ! {
    defmt::info!("restarting into the bootloader");
    cortex_m::interrupt::free(|_| {
        rom_data::reset_to_usb_boot(0, 0);
        // The restart takes some milliseconds on the RP2350. If it fails, the watchdog resets the chip.
        loop {
            cortex_m::asm::nop();
        }
    })
}

/// Erases one sector, if the journal needs it.
fn tidy(journal: &mut Journal, flash: &mut Flash) -> Tidied {
    journal.tidy(flash).unwrap_or_else(|error| {
        if error != FlashError::BatteryTooLow {
            defmt::error!("a sector was not erased: {}", error);
        }
        Tidied::Nothing
    })
}
