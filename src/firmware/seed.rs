//! Collects the seed of the random numbers. `lights_out::seed` explains why it comes from several sources.
//!
//! Power-ups are counted in flash. Each one clears one bit of a sector, so 32,768 power-ups cost one erase. A power cut
//! during the write leaves the old count at worst.

use cortex_m::asm;
use embassy_rp::clocks::RoscRng;
use embassy_rp::flash::{ERASE_SIZE, PAGE_SIZE};
use embedded_storage::nor_flash::{NorFlash, ReadNorFlash};
use lights_out::seed::Seed;

use super::chip::CLOCK_HZ;
use super::flash::{Flash, FlashError};
use super::storage::power_up_sector;

/// Number of bytes taken from the ring oscillator.
const RING_BYTES: usize = 64;
/// Pause between them in microseconds, because bits that are read back to back correlate.
const RING_PAUSE: u32 = 10;

/// Returns a seed that differs at every power-up.
pub(crate) fn gather(flash: &mut Flash) -> u64 {
    let mut seed = Seed::new();
    for _ in 0..RING_BYTES {
        seed = seed.stir(RoscRng::next_u8().into());
        asm::delay(RING_PAUSE * (CLOCK_HZ / 1_000_000));
    }
    match count_power_up(flash) {
        Ok(count) => {
            defmt::info!("power-up {=u32}", count);
            seed = seed.stir(count.into());
        }
        Err(error) => defmt::warn!("power-up not counted: {}", error),
    }
    seed.value()
}

/// Counts this power-up. Returns the number of earlier ones since the sector was last erased.
fn count_power_up(flash: &mut Flash) -> Result<u32, FlashError> {
    let sector = power_up_sector();
    let mut page = [0; PAGE_SIZE];
    for offset in (0..ERASE_SIZE).step_by(PAGE_SIZE) {
        flash.read(sector + offset as u32, &mut page)?;
        if let Some(index) = page.iter().position(|&byte| byte != 0) {
            let byte = page[index];
            let position = offset + index;
            // Programming can only clear bits. This clears the lowest bit that is set.
            flash.write(sector + position as u32, &[byte & (byte - 1)])?;
            return Ok(8 * position as u32 + byte.count_zeros());
        }
    }
    flash.erase(sector, sector + ERASE_SIZE as u32)?;
    Ok(8 * ERASE_SIZE as u32)
}
