//! Runs the game: waits for an input or for the game's deadline, hands it to the game, and forwards frames, sounds and
//! saves. Then it logs the game's status if that changed.

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
    BatteryRequest, BootloaderRequest, CurrentLayout, Inputs, LatestFrame, OutputFrame, PressMonitor, Saves,
    SleepHandshake, Sounds,
};
use super::watchdog::{HEARTBEAT_PERIOD, Heartbeat};

/// The initial state of the game.
pub struct Start {
    pub seed: u64,
    pub saved: Option<Snapshot>,
    /// The layout from the save. It is used even if the rest of the save is invalid.
    pub layout: Layout,
    /// Whether only the results of the save are restored. Set after several crashes, because the saved game may cause
    /// them.
    pub only_results: bool,
}

/// The channels for the outputs of the game.
pub struct Outputs {
    pub frame: &'static LatestFrame,
    pub sounds: &'static Sounds,
    pub saves: &'static Saves,
    pub layout: &'static CurrentLayout,
    pub battery: &'static BatteryRequest,
    pub sleep: &'static SleepHandshake,
    pub bootloader: &'static BootloaderRequest,
}

#[embassy_executor::task]
pub async fn task(
    start: Start,
    inputs: &'static Inputs,
    presses: PressMonitor,
    outputs: Outputs,
    heartbeat: &'static Heartbeat,
) -> ! {
    let Outputs { frame: latest, sounds, saves, layout, battery, sleep, bootloader } = outputs;
    let mut game = restore_or_new(start);
    let mut shown: Option<OutputFrame> = None;
    let mut is_response = false;
    let mut status_log = StatusLog::default();
    let mut is_status_due = false;
    let forward = |output: Output<'_>| match output {
        Output::Sound(sound) => sounds.signal(sound),
        Output::News(news) => log_news(news),
        Output::Save(save) => saves.signal(save.clone()),
        Output::Learned(learned) => {
            defmt::info!("learned where keys and lights are, and colours {=str}", learned.lights.colours.name());
            layout.set(learned);
        }
        Output::ReadBattery => battery.signal(()),
        Output::Sleep => sleep.request(),
        Output::Bootloader => bootloader.signal(()),
    };
    loop {
        let now = Instant::now();
        let output = OutputFrame {
            frame: game.draw(now.as_micros()),
            brightness: game.brightness(),
            is_lit: game.is_lit(),
            current_cap: game.current_cap(),
        };
        let is_new = shown.as_ref() != Some(&output);
        if is_new {
            latest.set(&output, is_response);
            shown = Some(output);
        }
        heartbeat.beat();
        is_status_due |= is_new || is_response;
        if is_response {
            // Let `leds` send the frame before anything is logged. The executor polls woken tasks in rounds, and the
            // last woken first, so `leds` has taken the frame only after a second round.
            yield_now().await;
            yield_now().await;
        }
        // Logging must not delay the next press.
        if is_status_due && !presses.is_press_pending() {
            status_log.log_changes(&mut game);
            is_status_due = false;
        }

        let heartbeat_due = now + HEARTBEAT_PERIOD;
        let game_due = game.deadline(now.as_micros()).map(Instant::from_micros);
        let deadline = game_due.map_or(heartbeat_due, |due| due.min(heartbeat_due));
        let received = with_deadline(deadline, inputs.receive()).await;
        is_response = received.is_ok();
        match received {
            Ok((at, input)) => {
                log_input(input);
                game.handle(at, input, forward);
            }
            Err(_) => game.tick(Instant::now().as_micros(), forward),
        }
    }
}

/// The status that was logged last. The web page reads these lines: see the library's `game::status`.
#[derive(Default)]
struct StatusLog {
    status: Option<Status>,
    choices: Option<Choices>,
}

impl StatusLog {
    /// Logs what changed since the last call.
    fn log_changes(&mut self, game: &mut Game) {
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

/// Restores the saved game, or starts a new one.
fn restore_or_new(start: Start) -> Game {
    let now = Instant::now().as_micros();
    let was_saved = start.saved.is_some();
    if start.only_results {
        defmt::warn!("three crashes within a minute: a new game, the results are kept");
    }
    start.saved.and_then(|saved| Game::restore(now, start.seed, saved, start.only_results)).unwrap_or_else(|| {
        if was_saved {
            defmt::warn!("the save is invalid: a fresh start");
        }
        Game::new_on(start.layout, now, start.seed)
    })
}

fn log_input(input: Input) {
    match input {
        Input::Gesture(Gesture::Tap(cell)) => defmt::debug!("tap on key {=usize}", cell.index()),
        Input::Gesture(Gesture::Command { command, .. }) => defmt::info!("command {=str}", command.name()),
        Input::Gesture(Gesture::Stuck(cell)) => {
            defmt::warn!("key {=usize} seems stuck and is ignored", cell.index());
        }
        Input::SelfTest(_) => {
            defmt::info!("self-test: check the lights, then press every key; the menu command ends it")
        }
        Input::Teach => {
            defmt::info!(
                "teaching: choose the colours, then press the key at each light, then all keys in reading order"
            )
        }
        Input::Closed(closed) => defmt::debug!("closed contacts: {=u32:025b}", closed.bits()),
        Input::Sleep => defmt::info!("going to sleep"),
        Input::Wake => defmt::info!("waking up"),
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
            defmt::info!("new board {=str}, par {=u32}", Code::of(variant, board).as_str(), par);
        }
        News::Won { moves: 1, par } => defmt::info!("won in 1 move, par {=u32}", par),
        News::Won { moves, par } => defmt::info!("won in {=u32} moves, par {=u32}", moves, par),
        News::Survived { presses: 1 } => defmt::info!("survived 1 press"),
        News::Survived { presses } => defmt::info!("survived {=u32} presses", presses),
        News::Found(finding) => log_finding(finding),
        News::GaveUp => defmt::info!("teaching ended without a change"),
        News::Started(kind) => defmt::info!("mode {=str} starts", kind.name()),
        News::TookBack(Step::Key(key)) => defmt::info!("undid key {=usize}", key.index() + 1),
        News::TookBack(Step::Restart) => defmt::info!("undid the restart"),
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
        Finding::DeadRow(row) => defmt::warn!("row {=usize} is dead: check its joint at the Pico", row),
        Finding::DeadColumn(column) => defmt::warn!("column {=usize} is dead: check its joint at the Pico", column),
        Finding::AllWork => defmt::info!("all 25 keys work"),
    }
}
