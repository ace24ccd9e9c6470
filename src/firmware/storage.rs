//! Writes saves into flash: see `lights_out::journal` for how they survive.
//!
//! While flash is written, nothing else runs: no key is scanned and no frame begins. A record takes about a millisecond,
//! which nobody notices; erasing a sector takes up to 400, so that is done only when all keys have been up for a while, and
//! ahead of need.

use core::ptr::addr_of;
use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use embassy_rp::flash::{Blocking, ERASE_SIZE, Flash};
use embassy_rp::peripherals::FLASH;
use embassy_time::{Duration, Instant, with_timeout};
use lights_out::journal::{Error, Journal, MAX_PAYLOAD};
use lights_out::save::{self, Save, Snapshot};

use super::Saves;
use super::board::FLASH_SIZE;
use super::watchdog::{Heartbeat, PULSE};

/// A sector is erased only when all keys have been up for this long.
const QUIET: Duration = Duration::from_millis(1000);

/// The flash chip.
pub type Chip = Flash<'static, FLASH, Blocking, FLASH_SIZE>;

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

/// Since when all keys have been up. Set by `scan`, read by `storage`; in milliseconds, because the Cortex-M0+ has no atomic
/// of 64 bits. It wraps after 49 days.
pub struct KeysUp(AtomicU32);

/// Stands for: a key is down.
const KEY_DOWN: u32 = u32::MAX;

impl KeysUp {
    pub const fn new() -> Self {
        Self(AtomicU32::new(0))
    }

    pub fn set(&self, now: Instant, any_down: bool) {
        let since = if any_down { KEY_DOWN } else { now.as_millis() as u32 };
        self.0.store(since, Ordering::Relaxed);
    }

    fn are_quiet(&self) -> bool {
        let since = self.0.load(Ordering::Relaxed);
        let up_for = (Instant::now().as_millis() as u32).wrapping_sub(since);
        since != KEY_DOWN && up_for >= QUIET.as_millis() as u32
    }
}

/// Whether everything is saved. Set by `storage`, read by `scan` before it sends the chip to sleep.
pub static AT_REST: AtomicBool = AtomicBool::new(true);

/// Opens the journal, and reads the newest save. What cannot be read is a fresh start, and is told in the log.
pub fn open(flash: &mut Chip) -> (Option<Journal>, Option<Snapshot>) {
    let mut payload = [0; MAX_PAYLOAD];
    let start = tally_sector() + ERASE_SIZE as u32;
    match Journal::open(flash, start, addr_of!(__saves_end) as u32, &mut payload) {
        Ok((journal, None)) => {
            defmt::info!("nothing was saved yet");
            (Some(journal), None)
        }
        Ok((journal, Some(length))) => {
            let snapshot = save::decode(&payload[..length]);
            if snapshot.is_none() {
                defmt::warn!("the save is of another version: a fresh start");
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
    mut flash: Chip,
    journal: Option<Journal>,
    saves: &'static Saves,
    keys: &'static KeysUp,
    alive: &'static Heartbeat,
) -> ! {
    let mut unsaved: Option<Save> = None;
    let mut written: Option<Save> = None;
    let mut journal = journal;
    loop {
        alive.beat();
        if let Ok(save) = with_timeout(PULSE, saves.wait()).await {
            unsaved = Some(save);
        }
        let Some(journal) = &mut journal else { continue };
        if let Some(save) = unsaved.take_if(|save| written.as_ref() != Some(save)) {
            match journal.append(&mut flash, save.bytes()) {
                Ok(()) => written = Some(save),
                // It waits for the keys to be quiet.
                Err(Error::Full) => unsaved = Some(save),
                Err(Error::TooLong) => defmt::error!("the save is too long"),
                Err(Error::Flash(error)) => defmt::error!("the save was not written: {}", error),
            }
        }
        if journal.is_untidy() && keys.are_quiet() && journal.tidy(&mut flash).is_err() {
            defmt::error!("a sector could not be erased");
        }
        AT_REST.store(unsaved.is_none() || written == unsaved, Ordering::Relaxed);
    }
}
