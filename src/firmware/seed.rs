//! Gathers the seed of the random numbers: see `lights_out::seed` for why from several sources.
//!
//! The power-ups are counted in flash: one bit of a sector is cleared for each, so 32,768 of them cost one erase, and a cut
//! in the middle of it can at worst leave the count as it was.

use cortex_m::asm;
use embassy_rp::clocks::RoscRng;
use embassy_rp::flash::{ERASE_SIZE, PAGE_SIZE};
use embedded_storage::nor_flash::{NorFlash, ReadNorFlash};
use lights_out::seed::Seed;

use super::chip::CLOCK_HZ;
use super::flash::{Error, Flash};
use super::storage::tally_sector;

/// How many bytes are taken from the ring oscillator.
const RING_BYTES: usize = 64;
/// Between them, in microseconds: bits read back to back are much alike.
const RING_PAUSE: u32 = 10;

/// A seed that no power-up had before.
pub fn gather(flash: &mut Flash) -> u64 {
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
        Err(error) => defmt::warn!("the power-ups cannot be counted: {}", error),
    }
    seed.value()
}

/// How many power-ups there were before this one, since the sector was last erased; counts this one.
fn count_power_up(flash: &mut Flash) -> Result<u32, Error> {
    let sector = tally_sector();
    let mut page = [0; PAGE_SIZE];
    for offset in (0..ERASE_SIZE).step_by(PAGE_SIZE) {
        flash.read(sector + offset as u32, &mut page)?;
        if let Some(index) = page.iter().position(|&byte| byte != 0) {
            let byte = page[index];
            let place = offset + index;
            // Programming can only clear bits: this clears the lowest that is set.
            flash.write(sector + place as u32, &[byte & (byte - 1)])?;
            return Ok(8 * place as u32 + byte.count_zeros());
        }
    }
    flash.erase(sector, sector + ERASE_SIZE as u32)?;
    Ok(8 * ERASE_SIZE as u32)
}
