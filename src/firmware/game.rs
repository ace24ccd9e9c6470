//! Runs the game: waits for an input or for the game's deadline, hands it to the game, and forwards frames, sounds and
//! saves. Then it logs the game's status if that changed.

use embassy_futures::yield_now;
use embassy_time::{Instant, with_deadline};
use lights_out::code::Code;
use lights_out::game::history::UndoStep;
use lights_out::game::self_test::Finding;
use lights_out::game::status::{Choices, Status};
use lights_out::game::{Game, GameEvent, Input, Output};
use lights_out::gesture::Gesture;
use lights_out::keys::KeyEvent;
use lights_out::layout::Layout;
use lights_out::save::Snapshot;
use lights_out::{battery_line, choices_line, status_line};

use super::channels::{
    BatteryRequest, BootloaderRequest, CurrentLayout, Inputs, LatestFrame, OutputFrame, PressMonitor, Saves,
    SleepHandshake, Sounds,
};
use super::watchdog::{HEARTBEAT_PERIOD, Heartbeat};

/// The initial state of the game.
pub(crate) struct Start {
    pub seed: u64,
    pub saved: Option<Snapshot>,
    /// The layout from the save. It is used even if the rest of the save is invalid.
    pub layout: Layout,
    /// Whether only the results of the save are restored. Set after several crashes, because the saved game may cause
    /// them.
    pub only_results: bool,
}

/// The channels for the outputs of the game.
pub(crate) struct Outputs {
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
        Output::Event(event) => log_event(event),
        Output::Save(save) => saves.signal(save.clone()),
        Output::Learned(learned) => {
            defmt::info!("learned where keys and lights are, and colours {=str}", learned.leds.colours.name());
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
            game.frame_shown(&output.frame);
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
            status_log.log_changes(&game);
            is_status_due = false;
        }

        let heartbeat_due = now + HEARTBEAT_PERIOD;
        let game_due = game.deadline(now.as_micros()).map(Instant::from_micros);
        let deadline = game_due.map_or(heartbeat_due, |due| due.min(heartbeat_due));
        let received = with_deadline(deadline, inputs.receive()).await;
        is_response = received.is_ok();
        match received {
            Ok((at, input)) => {
                if let Input::Keys(event) = input {
                    log_key_event(event);
                }
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
    fn log_changes(&mut self, game: &Game) {
        let status = game.status(Instant::now().as_micros());
        if self.status != Some(status) {
            self.status = Some(status);
            status_line!(&status => defmt::info!());
        }
        let choices = Choices::from(game.state().settings());
        if self.choices != Some(choices) {
            self.choices = Some(choices);
            choices_line!(choices => defmt::info!());
        }
    }
}

/// Restores the saved game, or starts a new one.
// Never inlined: its copies of the game would stay on the stack for as long as the task runs.
#[inline(never)]
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
        Game::with_layout(start.layout, now, start.seed)
    })
}

fn log_key_event(event: KeyEvent) {
    match event {
        KeyEvent::Gesture(Gesture::Tap(cell)) => defmt::debug!("tap on key {=usize}", cell.index()),
        KeyEvent::Gesture(Gesture::Command { command, .. }) => defmt::info!("command {=str}", command.name()),
        KeyEvent::Gesture(Gesture::Stuck(cell)) => {
            defmt::warn!("key {=usize} seems stuck and is ignored", cell.index());
        }
        KeyEvent::SelfTest(_) => {
            defmt::info!("self-test: check the lights, then press every key; the menu command ends it")
        }
        KeyEvent::Teach => {
            defmt::info!(
                "teaching: choose the colours, then press the key at each light, then all keys in reading order"
            )
        }
        KeyEvent::Closed(closed) => defmt::debug!("closed contacts: {=u32:025b}", closed.bits()),
        KeyEvent::Sleep => defmt::info!("going to sleep"),
        KeyEvent::Wake => defmt::info!("waking up"),
    }
}

fn log_event(event: GameEvent) {
    match event {
        GameEvent::NewPuzzle { variant, board, par } => {
            defmt::info!("new board {=str}, par {=u32}", Code::of(variant, board).as_str(), par);
        }
        GameEvent::Won { moves: 1, par } => defmt::info!("won in 1 move, par {=u32}", par),
        GameEvent::Won { moves, par } => defmt::info!("won in {=u32} moves, par {=u32}", moves, par),
        GameEvent::Survived { presses: 1 } => defmt::info!("survived 1 press"),
        GameEvent::Survived { presses } => defmt::info!("survived {=u32} presses", presses),
        GameEvent::Found(finding) => log_finding(finding),
        GameEvent::TeachingTimedOut => defmt::info!("timed out: the layout is unchanged"),
        GameEvent::Started(kind) => defmt::info!("mode {=str} starts", kind.name()),
        GameEvent::Undone(UndoStep::Key(key)) => defmt::info!("undid key {=usize}", key.index() + 1),
        GameEvent::Undone(UndoStep::Restart) => defmt::info!("undid the restart"),
        GameEvent::Refused => defmt::info!("refused"),
        GameEvent::Battery(battery) => battery_line!(battery => defmt::info!()),
    }
}

fn log_finding(finding: Finding) {
    match finding {
        Finding::ClosedTogether(a, b) => {
            defmt::warn!("keys {=usize} and {=usize} close together: a short between them", a.index(), b.index());
        }
        Finding::Stuck(key) => defmt::warn!("key {=usize} is stuck, or shorted", key.index()),
        Finding::DeadRow(row) => defmt::warn!("row {=usize} is dead: check its joint at the Pico", row),
        Finding::DeadColumn(column) => defmt::warn!("column {=usize} is dead: check its joint at the Pico", column),
        Finding::AllWork => defmt::info!("all 25 keys work"),
    }
}
