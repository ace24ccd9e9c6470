//! Sends pictures to the LED chain: the newest one, as soon as the chain can take it, and again and again while nothing changes,
//! so that a frame that was spoilt on its way heals. Switches the supply of the LEDs, too.

use embassy_rp::gpio::Output;
use embassy_time::{Duration, Instant, Timer, with_timeout};
use lights_out::board::CELLS;
use lights_out::picture::wire;

use super::board::LedResources;
use super::channels::{Answers, Learned, Picture, Pictures, Sleep};
use super::watchdog::Heartbeat;

/// From the supply's switch to LEDs that listen: a load switch with slow rise takes 12 to 19 ms.
pub const SUPPLY_RISE: Duration = Duration::from_millis(20);
/// A picture that stands still is sent again this often: as seldom as it may be to heal a spoilt one within a third of a second,
/// because a press that meets it on the wire is answered up to 1 ms later. It is a sign of life as well.
const REPEAT: Duration = Duration::from_millis(300);
/// While a press may have to be answered, no other picture is begun: the wire would be busy when the answer comes.
/// It is looked at this often,
const LOOK_AGAIN: Duration = Duration::from_micros(100);
/// and for no longer than this, should a contact chatter for ever.
const HOLD_BACK: Duration = Duration::from_millis(4);

#[embassy_executor::task]
pub async fn task(
    r: LedResources,
    pictures: &'static Pictures,
    learned: &'static Learned,
    answers: Answers,
    sleep: &'static Sleep,
    alive: &'static Heartbeat,
) -> ! {
    let LedResources { mut chain, supply, supply_on_since } = r;
    let mut supply = Supply { switch: supply, on_since: Some(supply_on_since) };
    let mut words = [0; CELLS];
    let mut shows = Shows::Nothing;
    loop {
        alive.beat();
        if has_changed(pictures, &answers).await {
            let Picture { frame, brightness, is_lit, cap } = pictures.newest();
            wire::encode(&frame, brightness, cap, &learned.lights(), |position, word| words[position.index()] = word);
            shows = if is_lit { Shows::Picture } else { Shows::Dark };
        }
        match shows {
            Shows::Picture => {
                sleep.set_lights_are_out(false);
                supply.on().await;
                chain.send(&words).await;
            }
            // Dark even where no switch is fitted; then off, because even dark LEDs draw 25 mA.
            Shows::Dark => {
                chain.send(&words).await;
                supply.off();
                sleep.set_lights_are_out(true);
                shows = Shows::Nothing;
            }
            Shows::Nothing => {}
        }
    }
}

/// What the chain is to show.
enum Shows {
    Picture,
    /// For the last time: after it the supply is cut.
    Dark,
    Nothing,
}

/// Waits for another picture; if there is none for a while, it is time to send the last one again.
async fn has_changed(pictures: &Pictures, answers: &Answers) -> bool {
    let mut changed = with_timeout(REPEAT, pictures.changed()).await.ok();
    if answers.may_come() {
        let deadline = Instant::now() + HOLD_BACK;
        while answers.may_come() && changed != Some(true) && Instant::now() < deadline {
            changed = with_timeout(LOOK_AGAIN, pictures.changed()).await.ok().or(changed);
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
    /// Switches it on if it is off, and waits until the LEDs listen.
    async fn on(&mut self) {
        let since = *self.on_since.get_or_insert_with(|| {
            self.switch.set_high();
            Instant::now()
        });
        // A timer that has run out would still cost a turn of the executor.
        if Instant::now() < since + SUPPLY_RISE {
            Timer::at(since + SUPPLY_RISE).await;
        }
    }

    fn off(&mut self) {
        self.switch.set_low();
        self.on_since = None;
    }
}
