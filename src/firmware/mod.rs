//! The thin shell around the game: one task, one file. Nothing here decides what the game does.

mod board;
mod leds;

use defmt_rtt as _;
use panic_probe as _;

use embassy_executor::Spawner;

#[embassy_executor::main]
async fn main(spawner: Spawner) {
    let board = board::Board::take();
    defmt::info!("lights-out {} starts", env!("CARGO_PKG_VERSION"));
    spawner.spawn(leds::task(board.leds).expect("one leds task"));
}
