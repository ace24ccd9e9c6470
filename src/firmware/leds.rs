//! Sends frames to the LED chain: a new frame as soon as the chain is ready, and the last frame again at intervals, so
//! that the LEDs recover from a corrupted frame. Also switches the supply of the LEDs.

use embassy_rp::gpio::Output;
use embassy_time::{Duration, Instant, Timer, with_timeout};
use lights_out::board::CELLS;
use lights_out::display::wire;

use super::board::LedResources;
use super::channels::{CurrentLayout, LatestFrame, OutputFrame, PressMonitor, SleepHandshake};
use super::watchdog::Heartbeat;

/// Time from switching the supply on until the LEDs accept data. A load switch with a slow rise takes 12 to 19 ms.
pub(crate) const SUPPLY_RISE: Duration = Duration::from_millis(20);
/// Period at which an unchanged frame is sent again. A corrupted frame must be corrected within a third of a second. A
/// shorter period would be worse: a press while the repeated frame is on the wire is answered up to 1 ms later. The
/// period also paces the heartbeat.
const REPEAT: Duration = Duration::from_millis(300);
/// While a press is pending, only its response is sent: another frame would occupy the wire. This is the polling
/// period.
const PENDING_POLL: Duration = Duration::from_micros(100);
/// Longest time that a frame waits for a pending press. A contact may chatter without end.
const PENDING_TIMEOUT: Duration = Duration::from_millis(4);

#[embassy_executor::task]
pub async fn task(
    r: LedResources,
    latest: &'static LatestFrame,
    layout: &'static CurrentLayout,
    presses: PressMonitor,
    sleep: &'static SleepHandshake,
    heartbeat: &'static Heartbeat,
) -> ! {
    let LedResources { mut chain, supply, supply_on_since } = r;
    let mut supply = Supply { switch: supply, on_since: Some(supply_on_since) };
    let mut words = [0; CELLS];
    let mut action = LedAction::None;
    loop {
        heartbeat.beat();
        if wait_for_frame(latest, &presses).await {
            let OutputFrame { frame, brightness, is_lit, current_cap } = latest.get();
            wire::encode(&frame, brightness, current_cap, &layout.leds(), |position, word| {
                words[position.index()] = word
            });
            action = if is_lit { LedAction::Send } else { LedAction::SwitchOff };
        }
        match action {
            LedAction::Send => {
                sleep.set_lights_off(false);
                supply.on().await;
                chain.send(&words).await;
            }
            // The dark frame is for boards without a supply switch. The switch saves the 25 mA that dark LEDs draw.
            LedAction::SwitchOff => {
                chain.send(&words).await;
                supply.off();
                sleep.set_lights_off(true);
                action = LedAction::None;
            }
            LedAction::None => {}
        }
    }
}

/// What the task does with the current frame.
enum LedAction {
    Send,
    /// Send the frame once, then switch the supply off.
    SwitchOff,
    None,
}

/// Waits for a new frame. Returns false when the last frame is due to be sent again.
async fn wait_for_frame(latest: &LatestFrame, presses: &PressMonitor) -> bool {
    let mut changed = with_timeout(REPEAT, latest.changed()).await.ok();
    if presses.is_press_pending() {
        let deadline = Instant::now() + PENDING_TIMEOUT;
        while presses.is_press_pending() && changed != Some(true) && Instant::now() < deadline {
            changed = with_timeout(PENDING_POLL, latest.changed()).await.ok().or(changed);
        }
    }
    changed.is_some()
}

/// The supply of the LEDs.
struct Supply {
    switch: Output<'static>,
    on_since: Option<Instant>,
}

impl Supply {
    /// Switches the supply on if it is off, and waits until the LEDs accept data.
    async fn on(&mut self) {
        let since = *self.on_since.get_or_insert_with(|| {
            self.switch.set_high();
            Instant::now()
        });
        // Awaiting an expired timer would still cost one poll of the executor.
        if Instant::now() < since + SUPPLY_RISE {
            Timer::at(since + SUPPLY_RISE).await;
        }
    }

    fn off(&mut self) {
        self.switch.set_low();
        self.on_since = None;
    }
}
