//! What the battery means for the game. Low: a picture at start and on waking, and less current. Empty: everything is saved, the
//! picture is seen for a moment, and it sleeps; a key wakes it to the same picture, until there is something to play on.

use crate::battery::{Battery, Charge, Measured};
use crate::board::Cell;
use crate::game::covers::Cover;
use crate::game::screen::{Context, News, Output, Screen, View};
use crate::game::status::{Scene, Status};
use crate::game::{Emit, Game};
use crate::gesture::Command;
use crate::picture::Frame;
use crate::time::{Micros, seconds};
use crate::wiring::{CURRENT_CAP, LOW_CURRENT_CAP};

/// How long the picture is seen.
pub const SHOWN: Micros = seconds(1);

impl Game {
    /// What board and LEDs may draw together, in milliamperes.
    pub fn current_cap(&self) -> u32 {
        if self.charge() >= Charge::Low { LOW_CURRENT_CAP } else { CURRENT_CAP }
    }

    /// How much is left of the battery.
    pub fn charge(&self) -> Charge {
        self.gauge.battery().charge
    }

    /// The battery was read.
    pub(super) fn measured(&mut self, now: Micros, reading: Measured, emit: Emit<'_>) {
        let before = self.charge();
        self.gauge.take(now, reading);
        let battery = self.gauge.battery();
        if battery.charge != before {
            emit(Output::News(News::Battery(battery)));
        }
        if !self.is_lit() {
            // It has gone to sleep meanwhile.
            self.gauge.sleep();
        }
        self.show_battery(now, emit);
        // Later it is told by the current alone: nobody wants a picture in the middle of a move.
        self.tells_low &= !self.gauge.is_sure();
        self.step(now, emit, &|screen, cx| screen.measured(cx, battery));
    }

    /// Covers what is on the lights, if it is time to show the battery. In sleep nobody would see it.
    pub(super) fn show_battery(&mut self, now: Micros, emit: Emit<'_>) {
        let charge = self.charge();
        let is_wanted = charge == Charge::Empty || charge == Charge::Low && self.tells_low;
        let is_shown = match self.state.top_cover() {
            Some(Cover::Battery(_) | Cover::Sleep(_)) => true,
            // It shows the voltage itself.
            Some(Cover::SelfTest(_)) => charge == Charge::Low,
            _ => false,
        };
        if is_wanted && !is_shown {
            self.state.cover(Cover::Battery(LowBattery { since: now, charge }));
            self.tells_low = false;
        }
        if charge == Charge::Empty {
            self.save_if(self.unsaved.is_some(), emit);
        }
    }
}

/// The picture of a battery. While it is low, any key cuts it short and is not a move; a command acts on the game. Once it is
/// empty, keys do nothing: the game does not pass them on.
#[derive(Clone, Debug)]
pub struct LowBattery {
    since: Micros,
    charge: Charge,
}

impl Screen for LowBattery {
    fn tap(&mut self, cx: &mut Context<'_>, _: Cell) {
        cx.give_way();
    }

    fn command(&mut self, cx: &mut Context<'_>, _: Command) {
        cx.pass_on();
    }

    fn menu(&mut self, cx: &mut Context<'_>) {
        cx.pass_on();
    }

    fn measured(&mut self, cx: &mut Context<'_>, battery: Battery) {
        let before = core::mem::replace(&mut self.charge, battery.charge);
        if battery.charge < before {
            cx.give_way();
        } else if battery.charge > before {
            self.since = cx.now;
        }
    }

    fn tick(&mut self, cx: &mut Context<'_>) {
        if cx.now < self.since + SHOWN {
            return;
        }
        if self.charge == Charge::Empty {
            // It stays until sleep has come over it.
            cx.sleep();
        } else {
            cx.give_way();
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
