//! How the game reacts to the battery. Low: a battery symbol after start-up and after waking, and a lower current cap.
//! Empty: the game saves, shows the symbol for a moment, and sleeps. Until the battery is replaced, a key that wakes
//! the handheld only shows the symbol again.

use crate::battery::{Battery, Charge, Measured};
use crate::board::Cell;
use crate::display::Frame;
use crate::game::events::{GameEvent, Output};
use crate::game::overlays::Overlay;
use crate::game::screen::{Context, Screen, View};
use crate::game::status::{Scene, Status};
use crate::game::{Emit, Game};
use crate::gesture::Command;
use crate::time::{Micros, seconds};
use crate::wiring::{CURRENT_CAP, LOW_CURRENT_CAP};

/// How long the battery symbol is shown.
const SHOWN: Micros = seconds(1);

impl Game {
    /// The highest current that board and LEDs may draw together, in milliamperes.
    pub fn current_cap(&self) -> u32 {
        if self.charge() >= Charge::Low { LOW_CURRENT_CAP } else { CURRENT_CAP }
    }

    /// The charge of the battery.
    pub fn charge(&self) -> Charge {
        self.gauge.battery().charge
    }

    /// Takes a measurement of the battery.
    pub(super) fn battery_measured(&mut self, now: Micros, measured: Measured, emit: Emit<'_>) {
        let before = self.charge();
        self.gauge.take(now, measured);
        let battery = self.gauge.battery();
        if battery.charge != before {
            emit(Output::Event(GameEvent::Battery(battery)));
        }
        if !self.is_lit() {
            // The handheld went to sleep before the measurement arrived.
            self.gauge.sleep();
        }
        self.show_battery(now, emit);
        // A battery that gets low later only lowers the current cap: the symbol would interrupt the player's move.
        self.shows_low_battery &= !self.gauge.is_confirmed();
        self.step(now, emit, &|screen, cx| screen.battery_measured(cx, battery));
    }

    /// Opens the overlay of the battery if it is needed and the handheld is not asleep.
    pub(super) fn show_battery(&mut self, now: Micros, emit: Emit<'_>) {
        let charge = self.charge();
        let is_needed = charge == Charge::Empty || charge == Charge::Low && self.shows_low_battery;
        let is_blocked = match self.state.top_overlay() {
            Some(Overlay::Battery(_) | Overlay::Sleep(_)) => true,
            // The self-test shows the voltage.
            Some(Overlay::SelfTest(_)) => charge == Charge::Low,
            _ => false,
        };
        if is_needed && !is_blocked {
            self.state.open(Overlay::Battery(LowBattery { since: now, charge }));
            self.shows_low_battery = false;
        }
        if charge == Charge::Empty {
            self.save_if(self.unsaved.is_some(), emit);
        }
    }
}

/// The overlay of a battery that is low or empty. While it is low, any key closes the overlay and is not a move; a
/// command acts on the screen below. When it is empty, the game ignores the keys.
#[derive(Clone, Debug)]
pub(super) struct LowBattery {
    since: Micros,
    charge: Charge,
}

impl Screen for LowBattery {
    fn tap(&mut self, cx: &mut Context<'_>, _: Cell) {
        cx.close_with_wipe();
    }

    fn command(&mut self, cx: &mut Context<'_>, _: Command) {
        cx.close_and_forward();
    }

    fn menu(&mut self, cx: &mut Context<'_>) {
        cx.close_and_forward();
    }

    fn battery_measured(&mut self, cx: &mut Context<'_>, battery: Battery) {
        let before = core::mem::replace(&mut self.charge, battery.charge);
        if battery.charge < before {
            cx.close_with_wipe();
        } else if battery.charge > before {
            self.since = cx.now;
        }
    }

    fn tick(&mut self, cx: &mut Context<'_>) {
        if cx.now < self.since + SHOWN {
            return;
        }
        if self.charge == Charge::Empty {
            // The overlay stays open below the overlay of sleep.
            cx.sleep();
        } else {
            cx.close_with_wipe();
        }
    }

    fn resume(&mut self, now: Micros) {
        self.since = now;
    }

    fn deadline(&self, view: &View<'_>) -> Option<Micros> {
        Some(self.since + SHOWN).filter(|&end| end > view.now)
    }

    fn draw(&self, _: &View<'_>) -> Frame {
        if self.charge == Charge::Empty { Frame::BATTERY_EMPTY } else { Frame::BATTERY_LOW }
    }

    fn status(&self, view: &View<'_>) -> Status {
        view.status(Scene::Battery)
    }
}
