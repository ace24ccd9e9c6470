//! Plays the game: waits for an input or for the game's own deadline, feeds the game that one thing, and passes on picture and
//! sound.

use embassy_time::{Instant, with_deadline};
use lights_out::game::{Game, News};
use lights_out::gesture::Input;
use lights_out::save::Snapshot;
use lights_out::selftest::Finding;

use super::watchdog::{Heartbeat, PULSE};
use super::{Inputs, Picture, Pictures, Saves, Sounds};

/// What the game begins with.
pub struct Start {
    pub seed: u64,
    pub saved: Option<Snapshot>,
    /// Crashes came too fast: the saved game may be why, so only its results are taken over.
    pub only_results: bool,
}

#[embassy_executor::task]
pub async fn task(
    start: Start,
    inputs: &'static Inputs,
    pictures: &'static Pictures,
    sounds: &'static Sounds,
    saves: &'static Saves,
    alive: &'static Heartbeat,
) -> ! {
    let mut game = begin(start);
    let mut shown = None;
    loop {
        let now = Instant::now();
        let picture =
            Picture { frame: game.draw(now.as_micros()), brightness: game.brightness(), awake: !game.is_asleep() };
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
            Err(_) => game.tick(Instant::now().as_micros()),
        };
        if let Some(sound) = effects.sound {
            sounds.signal(sound);
        }
        if effects.save
            && let Some(save) = game.save()
        {
            saves.signal(save);
        }
        if let Some(news) = effects.news {
            log_news(news);
        }
    }
}

/// The game that was running, or a new one.
fn begin(start: Start) -> Game {
    let now = Instant::now().as_micros();
    let was_saved = start.saved.is_some();
    if start.only_results {
        defmt::warn!("three crashes within a minute: a fresh game, with the results kept");
    }
    start.saved.and_then(|saved| Game::restore(now, start.seed, saved, start.only_results)).unwrap_or_else(|| {
        if was_saved {
            defmt::warn!("the save makes no sense: a fresh start");
        }
        Game::new(now, start.seed)
    })
}

fn log_input(input: Input) {
    match input {
        Input::Tap(cell) => defmt::debug!("tap on {=usize}", cell.index()),
        Input::TakeBack(_) => {}
        Input::Command(command) => defmt::info!("command {=str}", command.name()),
        Input::SelfTest(_) => {
            defmt::info!("self-test: look at the lights, then press every key; the menu command ends it")
        }
        Input::Keys(closed) => defmt::debug!("closed keys: {=u32:025b}", closed),
        Input::Sleep => defmt::info!("sleeps"),
        Input::Wake => defmt::info!("wakes"),
        Input::Stuck(cell) => defmt::warn!("key {=usize} seems stuck and is ignored", cell.index()),
    }
}

fn log_news(news: News) {
    match news {
        News::Dealt { board, par } => defmt::info!("a board is dealt: 0x{=u32:07x}, par {=u32}", board.bits(), par),
        News::Won { moves, par } => defmt::info!("won in {=u32} moves, par {=u32}", moves, par),
        News::Survived { presses } => defmt::info!("survived {=u32} presses", presses),
        News::Found(finding) => log_finding(finding),
        News::Started(kind) => defmt::info!("mode {=u8} starts", kind as u8 + 1),
    }
}

fn log_finding(finding: Finding) {
    match finding {
        Finding::Twins(a, b) => {
            defmt::warn!("keys {=usize} and {=usize} close together: a short between them", a.index(), b.index());
        }
        Finding::Stuck(key) => defmt::warn!("key {=usize} is stuck, or shorted", key.index()),
        Finding::DeadRow(row) => defmt::warn!("row {=usize} is dead: look at its joint on the Pico", row),
        Finding::DeadColumn(column) => defmt::warn!("column {=usize} is dead: look at its joint on the Pico", column),
        Finding::AllWork => defmt::info!("all 25 keys work"),
    }
}
