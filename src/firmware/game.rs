//! Plays the game: waits for an input or for the game's own deadline, feeds the game that one thing, and passes on picture and
//! sound. Then it tells in the log what is going on.

use embassy_futures::yield_now;
use embassy_time::{Instant, with_deadline};
use lights_out::battery::Battery;
use lights_out::code::Code;
use lights_out::game::history::Step;
use lights_out::game::self_test::Finding;
use lights_out::game::status::{Choices, Status};
use lights_out::game::{Game, News, Output};
use lights_out::gesture::Gesture;
use lights_out::keys::Input;
use lights_out::layout::Layout;
use lights_out::save::Snapshot;

use super::channels::{
    Answers, BatteryAsked, BootloaderAsked, Inputs, Learned, Picture, Pictures, Saves, Sleep, Sounds,
};
use super::watchdog::{Heartbeat, PULSE};

/// What the game begins with.
pub struct Start {
    pub seed: u64,
    pub saved: Option<Snapshot>,
    /// What was learned of the board, even if the rest of the save makes no sense.
    pub layout: Layout,
    /// Crashes came too fast: the saved game may be why, so only its results are taken over.
    pub only_results: bool,
}

/// Where what comes out of the game goes.
pub struct Outputs {
    pub pictures: &'static Pictures,
    pub sounds: &'static Sounds,
    pub saves: &'static Saves,
    pub learned: &'static Learned,
    pub battery: &'static BatteryAsked,
    pub sleep: &'static Sleep,
    pub bootloader: &'static BootloaderAsked,
}

#[embassy_executor::task]
pub async fn task(
    start: Start,
    inputs: &'static Inputs,
    answers: Answers,
    outputs: Outputs,
    alive: &'static Heartbeat,
) -> ! {
    let Outputs { pictures, sounds, saves, learned, battery, sleep, bootloader } = outputs;
    let mut game = begin(start);
    let mut shown: Option<Picture> = None;
    let mut is_answer = false;
    let mut told = Told::default();
    let mut is_untold = false;
    let pass_on = |output: Output<'_>| match output {
        Output::Sound(sound) => sounds.signal(sound),
        Output::News(news) => log_news(news),
        Output::Save(save) => saves.signal(save.clone()),
        Output::Learned(layout) => {
            defmt::info!("learned where keys and lights are, and colours {=str}", layout.lights.colours.name());
            learned.set(layout);
        }
        Output::ReadBattery => battery.signal(()),
        Output::Sleep => sleep.want(),
        Output::Bootloader => bootloader.signal(()),
    };
    loop {
        let now = Instant::now();
        let picture = Picture {
            frame: game.draw(now.as_micros()),
            brightness: game.brightness(),
            is_lit: game.is_lit(),
            cap: game.current_cap(),
        };
        let is_new = shown.as_ref() != Some(&picture);
        if is_new {
            pictures.show(&picture, is_answer);
            shown = Some(picture);
        }
        alive.beat();
        is_untold |= is_new || is_answer;
        if is_answer {
            // First the lights. The executor runs what was woken in turns, and within a turn the last one first: so it is only
            // after a whole turn more that `leds` has taken the picture for sure.
            yield_now().await;
            yield_now().await;
        }
        // Nor does the next press wait for the log.
        if is_untold && !answers.may_come() {
            told.tell(&mut game);
            is_untold = false;
        }

        let pulse = now + PULSE;
        let deadline = game.deadline(now.as_micros()).map_or(pulse, |due| pulse.min(Instant::from_micros(due)));
        let received = with_deadline(deadline, inputs.receive()).await;
        is_answer = received.is_ok();
        match received {
            Ok((at, input)) => {
                log_input(input);
                game.handle(at, input, pass_on);
            }
            Err(_) => game.tick(Instant::now().as_micros(), pass_on),
        }
    }
}

/// What was told last of what is going on. The lines are an interface: see the library's `game::status`.
#[derive(Default)]
struct Told {
    status: Option<Status>,
    choices: Option<Choices>,
}

impl Told {
    /// Tells what is different by now.
    fn tell(&mut self, game: &mut Game) {
        let status = game.status(Instant::now().as_micros());
        if self.status != Some(status) {
            self.status = Some(status);
            log_status(&status);
        }
        let choices = Choices::from(game.state().settings());
        if self.choices != Some(choices) {
            self.choices = Some(choices);
            log_choices(choices);
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
        Game::new_on(start.layout, now, start.seed)
    })
}

fn log_input(input: Input) {
    match input {
        Input::Gesture(Gesture::Tap(cell)) => defmt::debug!("tap on {=usize}", cell.index()),
        Input::Gesture(Gesture::Command { command, .. }) => defmt::info!("command {=str}", command.name()),
        Input::Gesture(Gesture::Stuck(cell)) => {
            defmt::warn!("key {=usize} seems stuck and is ignored", cell.index());
        }
        Input::SelfTest(_) => {
            defmt::info!("self-test: look at the lights, then press every key; the menu command ends it")
        }
        Input::Teach => {
            defmt::info!("teaching: the colours, then the key at each light, then all keys in reading order")
        }
        Input::Closed(closed) => defmt::debug!("closed keys: {=u32:025b}", closed.bits()),
        Input::Sleep => defmt::info!("sleeps"),
        Input::Wake => defmt::info!("wakes"),
        Input::Battery(_) => {}
    }
}

fn log_status(status: &Status) {
    let code = status.code();
    defmt::info!(
        "status scene={=str} mode={=str} number={=u32} moves={=u32} par={=u32} best={=u32} key={=usize} puzzle={=str}",
        status.scene.name(),
        status.mode.name(),
        status.number,
        status.moves,
        status.par,
        status.best,
        status.key_number(),
        code.as_ref().map_or("-", Code::as_str)
    );
}

fn log_choices(choices: Choices) {
    let Choices { rule, size, difficulty, brightness, sound } = choices;
    defmt::info!(
        "choices rule={=usize} size={=usize} difficulty={=usize} brightness={=usize} sound={=u8}",
        rule,
        size,
        difficulty,
        brightness,
        sound
    );
}

fn log_news(news: News) {
    match news {
        News::Dealt { variant, board, par } => {
            defmt::info!("a board is dealt: {=str}, par {=u32}", Code::of(variant, board).as_str(), par);
        }
        News::Won { moves: 1, par } => defmt::info!("won in 1 move, par {=u32}", par),
        News::Won { moves, par } => defmt::info!("won in {=u32} moves, par {=u32}", moves, par),
        News::Survived { presses: 1 } => defmt::info!("survived 1 press"),
        News::Survived { presses } => defmt::info!("survived {=u32} presses", presses),
        News::Found(finding) => log_finding(finding),
        News::GaveUp => defmt::info!("the teaching was given up: everything is as it was"),
        News::Started(kind) => defmt::info!("mode {=str} starts", kind.name()),
        News::TookBack(Step::Key(key)) => defmt::info!("took back key {=usize}", key.index() + 1),
        News::TookBack(Step::Restart) => defmt::info!("took back the restart"),
        News::Refused => defmt::info!("refused"),
        News::Battery(Battery { charge, millivolts }) => {
            defmt::info!("battery mv={=u16} state={=str}", millivolts, charge.name());
        }
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
