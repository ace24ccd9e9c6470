//! The kinds of parts on the board: type to buy, footprint, height.
//!
//! All SMD parts are on the back, so that a board house assembles one side only. Parts with legs are on the front, and
//! are soldered by hand.

use super::mechanics::{PICO_STANDOFF, PIEZO, SWITCH_BODY};

/// A kind of part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Pico, Pico W, Pico 2 or Pico 2 W.
    Pico,
    /// A key, and its pins for the board.
    Key,
    /// The diode of a key.
    Diode,
    /// A light that shines through the board.
    Light,
    /// At every light and at the buffer.
    Capacitor100n,
    /// Sets how slowly the supply of the lights rises.
    Capacitor2n2,
    /// At the load switch.
    Capacitor1u,
    /// Bulk.
    Capacitor22u,
    /// In the piezo's line.
    Resistor100,
    /// In the data line.
    Resistor330,
    /// Keeps the gate of the cells' transistor down against what leaks back through the Pico's diode.
    Resistor10k,
    /// Holds a gate or an input where it belongs.
    Resistor100k,
    /// Makes 5 V data out of 3.3 V data.
    Buffer,
    /// Switches the supply of the lights, slowly.
    LoadSwitch,
    /// Lets the cells' current through, one way.
    Mosfet,
    /// On and off.
    SlideSwitch,
    /// For the plug of the battery holder.
    Connector,
    /// Makes the sounds.
    Piezo,
    /// A hole for a screw.
    ScrewHole,
}

/// Where a part is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Face {
    /// Where the keys are.
    Front,
    /// Where a board house sets parts.
    Back,
}

/// What there is to know of a kind.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// What it is, in the schematic and in the parts list.
    pub value: &'static str,
    /// A type that fits, for who orders.
    pub order: &'static str,
    /// The number at LCSC, the shop of a common board house. Empty where none was found that we can vouch for.
    pub lcsc: &'static str,
    /// Our footprint.
    pub footprint: &'static str,
    /// Up to where it reaches above its face of the board, in millimetres.
    pub height: f64,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 19] = [
        Self::Pico,
        Self::Key,
        Self::Diode,
        Self::Light,
        Self::Capacitor100n,
        Self::Capacitor2n2,
        Self::Capacitor1u,
        Self::Capacitor22u,
        Self::Resistor100,
        Self::Resistor330,
        Self::Resistor10k,
        Self::Resistor100k,
        Self::Buffer,
        Self::LoadSwitch,
        Self::Mosfet,
        Self::SlideSwitch,
        Self::Connector,
        Self::Piezo,
        Self::ScrewHole,
    ];

    /// What there is to know of it.
    pub fn facts(self) -> Facts {
        let facts = |value, order, lcsc, footprint, height| Facts { value, order, lcsc, footprint, height };
        match self {
            Self::Pico => facts("Raspberry Pi Pico", "Pico, Pico W, Pico 2, Pico 2 W", "", "Pico", PICO_STANDOFF + 3.7),
            // From the board to the top of the housing; the stem and the cap are above.
            Self::Key => facts("MX key", "MX, 5 pins (PCB mount), clear housing", "", "Key_MX_PCB", 11.6),
            Self::Diode => facts("1N4148W", "1N4148W", "C81598", "SOD-123", 1.35),
            // The rest of it is inside the board.
            Self::Light => facts("SK6812MINI-E", "SK6812MINI-E", "C5149201", "SK6812MINI-E_reverse", 1.1),
            Self::Capacitor100n => facts("100 nF", "CC0603KRX7R9BB104", "C14663", "C_0603", 0.95),
            Self::Capacitor2n2 => facts("2.2 nF", "CL10B222KB8NNNC", "C1604", "C_0603", 0.95),
            Self::Capacitor1u => facts("1 uF", "CL10A105KB8NNNC", "C15849", "C_0603", 0.95),
            Self::Capacitor22u => facts("22 uF", "CL21A226MAQNNNE", "C45783", "C_0805", 1.45),
            Self::Resistor100 => facts("100 ohm", "0603WAF1000T5E", "C22775", "R_0603", 0.55),
            Self::Resistor330 => facts("330 ohm", "0603WAF3300T5E", "C23138", "R_0603", 0.55),
            Self::Resistor10k => facts("10 kohm", "0603WAF1002T5E", "C25804", "R_0603", 0.55),
            Self::Resistor100k => facts("100 kohm", "0603WAF1003T5E", "C25803", "R_0603", 0.55),
            Self::Buffer => facts("74AHCT1G125", "SN74AHCT1G125DBVR", "C7484", "SOT-23-5", 1.45),
            Self::LoadSwitch => facts("TPS22918", "TPS22918DBVR", "C131941", "SOT-23-6", 1.45),
            Self::Mosfet => facts("AO3401A", "AO3401A", "C15127", "SOT-23", 1.25),
            Self::SlideSwitch => {
                facts("slide switch", "C&K OS102011MA1QN1", "", "Slide_OS102011MA1QN1", SWITCH_BODY[2])
            }
            Self::Connector => facts("3 x AAA", "JST B2B-PH-K-S", "C131337", "JST_B2B-PH-K", 8.0),
            Self::Piezo => facts("piezo", "TDK PS1240P02BT", "", "Piezo_12mm", PIEZO.1),
            Self::ScrewHole => facts("M2", "", "", "Hole_M2", 0.0),
        }
    }

    /// The face it is on.
    pub fn face(self) -> Face {
        match self {
            Self::Pico | Self::Key | Self::SlideSwitch | Self::Connector | Self::Piezo | Self::ScrewHole => Face::Front,
            _ => Face::Back,
        }
    }

    /// The letter that its names begin with.
    pub fn letter(self) -> &'static str {
        match self {
            Self::Pico | Self::Buffer | Self::LoadSwitch => "U",
            Self::Key => "K",
            Self::Diode => "D",
            Self::Light => "L",
            Self::Capacitor100n | Self::Capacitor2n2 | Self::Capacitor1u | Self::Capacitor22u => "C",
            Self::Resistor100 | Self::Resistor330 | Self::Resistor10k | Self::Resistor100k => "R",
            Self::Mosfet => "Q",
            Self::SlideSwitch => "S",
            Self::Connector => "J",
            Self::Piezo => "P",
            Self::ScrewHole => "H",
        }
    }
}
