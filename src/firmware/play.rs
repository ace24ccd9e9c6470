//! Plays: waits for an input or for the game's own deadline, feeds the game that one thing, and passes on picture and
//! sound.

use embassy_time::{Instant, with_deadline};
use lights_out::game::{Game, News};
use lights_out::gesture::Input;

use super::watchdog::{Heartbeat, PULSE};
use super::{Inputs, Pictures, Sounds};

#[embassy_executor::task]
pub async fn task(
    seed: u64,
    inputs: &'static Inputs,
    pictures: &'static Pictures,
    sounds: &'static Sounds,
    alive: &'static Heartbeat,
) -> ! {
    let mut game = Game::new(Instant::now().as_micros(), seed);
    let mut shown = None;
    loop {
        let now = Instant::now();
        let picture = (game.draw(now.as_micros()), game.brightness());
        if shown != Some(picture) {
            pictures.signal(picture);
            shown = Some(picture);
        }
        alive.beat();

        let pulse = now + PULSE;
        let deadline = game.deadline(now.as_micros()).map_or(pulse, |due| pulse.min(Instant::from_micros(due)));
        let effects = match with_deadline(deadline, inputs.receive()).await {
            Ok((at, input)) => {
                log_input(input);
                game.handle(at, input)
            }
            Err(_) => game.wake(Instant::now().as_micros()),
        };
        if let Some(sound) = effects.sound {
            sounds.signal(sound);
        }
        if let Some(news) = effects.news {
            log_news(news);
        }
    }
}

fn log_input(input: Input) {
    match input {
        Input::Tap(cell) => defmt::debug!("tap on {=usize}", cell.index()),
        Input::TakeBack(_) => {}
        Input::Command(command) => defmt::info!("command {=str}", command.name()),
        Input::Stuck(cell) => defmt::warn!("key {=usize} seems stuck and is ignored", cell.index()),
    }
}

fn log_news(news: News) {
    match news {
        News::Dealt { board, par } => defmt::info!("a board is dealt: 0x{=u32:07x}, par {=u32}", board.bits(), par),
        News::Won { moves, par } => defmt::info!("won in {=u32} moves, par {=u32}", moves, par),
        News::Survived { presses } => defmt::info!("survived {=u32} presses", presses),
        News::Started(kind) => defmt::info!("mode {=u8} starts", kind as u8 + 1),
    }
}
