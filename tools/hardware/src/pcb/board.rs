//! Assembles the board: placed parts, drawn copper, routed tracks, and vias that connect the ground layers.

use std::fmt;

use super::copper::{Copper, EDGE_GAP, VIA};
use super::geometry::{at, um};
use super::mechanics::{BOARD, key};
use super::netlist::{circuit, net_of};
use super::obstacles;
use super::parts::Face;
use super::placement::{Placed, PlacedPad, place};
use super::router::{Connection, Terminal, route};
use super::{matrix, print, supply};
use crate::{LedOrder, Role, SIDE, Side, Wiring, pico, pin_name};

/// A board, pours apart.
#[derive(Clone, Debug)]
pub struct Board {
    /// The parts in their places.
    pub parts: Vec<Placed>,
    /// Tracks and vias.
    pub copper: Copper,
}

/// Why there is no board for a wiring.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BoardError {
    /// LED_ORDER is not row by row, each row from the left, as on this board.
    LedOrder,
    /// The router found no path for a net.
    NoWay(String),
}

impl fmt::Display for BoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LedOrder => f.write_str(
                "the chain of lights on this board runs row by row, each row from the left. LED_ORDER names another \
                 order, which this board cannot have",
            ),
            Self::NoWay(net) => {
                write!(f, "the router found no path for the net {net}. Try other pins, or move parts")
            }
        }
    }
}

impl std::error::Error for BoardError {}

/// From via to via where ground is sewn together, in millimetres.
const STITCH: f64 = 6.35;

impl Board {
    /// The board for a wiring.
    pub fn draw(wiring: &Wiring) -> Result<Self, BoardError> {
        if wiring.led_order != LedOrder::RowMajor {
            return Err(BoardError::LedOrder);
        }
        let parts = place(circuit(wiring));
        let pads: Vec<PlacedPad> = parts.iter().flat_map(Placed::pads).collect();
        let pad = |name: &str| pads.iter().find(|pad| pad.name == name).unwrap_or_else(|| panic!("no pad {name}"));
        let tops = trunk_tops(wiring);
        let mut copper = matrix::draw(tops);
        copper.add(supply::draw(|name| pad(name).at));
        let found = route(&connections(wiring, &pads, tops), &obstacles::all(&parts, &copper));
        copper.add(found.map_err(BoardError::NoWay)?);
        let mut board = Self { parts, copper };
        board.stitch();
        Ok(board)
    }

    /// Vias from one pour of ground to the other wherever there is room on a grid, so that neither is cut into pieces
    /// by the tracks across it, and ground is short everywhere.
    fn stitch(&mut self) {
        let obstacles = obstacles::all(&self.parts, &self.copper);
        let radius = um(VIA.1) / 2 + um(EDGE_GAP) - um(0.2);
        let count = |length: f64| (length / STITCH) as usize;
        for row in 0..=count(BOARD.1) {
            for column in 0..=count(BOARD.0) {
                let (left, top) = key(0).in_mm();
                let place = at(
                    left % STITCH + STITCH * column as f64 + STITCH / 2.0,
                    top % STITCH + STITCH * row as f64 - STITCH / 2.0,
                );
                let inside = place.x > 0 && place.y > 0 && place.x < um(BOARD.0) && place.y < um(BOARD.1);
                // Every net is foreign to a via that wants room for itself.
                let free = |face| !obstacles.iter().any(|obstacle| obstacle.bars("", face, place, radius));
                if inside && !print::spoiled(place) && free(Face::Front) && free(Face::Back) {
                    self.copper.via("GND", place);
                }
            }
        }
    }
}

/// Where the trunks of the rows begin: beside the pin, if it is on the Pico's left; below the Pico otherwise.
fn trunk_tops(wiring: &Wiring) -> [f64; SIDE] {
    wiring.rows.map(|gpio| match pico::place(pico::pin_number(&pin_name(gpio))) {
        (Side::Left, above) => (1.37 + 2.54 * above as f64).max(8.0),
        (Side::Right, _) => 51.0,
    })
}

/// What the router has to join: for each net at the Pico its pin and where the regular copper begins.
fn connections(wiring: &Wiring, pads: &[PlacedPad], tops: [f64; SIDE]) -> Vec<Connection> {
    let pad = |name: &str| {
        let pad = pads.iter().find(|pad| pad.name == name).unwrap_or_else(|| panic!("no pad {name}"));
        let flat = pad.hole == super::footprints::Drill::None;
        Terminal { at: pad.at, face: flat.then_some(pad.face) }
    };
    let mut found: Vec<Connection> = Vec::new();
    let mut join = |net: String, ends: [Terminal; 2]| found.push(Connection { net, ends });
    for (role, gpio) in wiring.pins() {
        let pin = pad(&format!("U1.{}", pico::pin_number(&pin_name(gpio))));
        let other = match role {
            Role::Row(row) => Terminal { at: matrix::trunk_top(row, tops[row]), face: Some(Face::Back) },
            Role::Column(column) => pad(&format!("K{column}.1")),
            Role::LedData => pad("U2.2"),
            Role::LedSupply => pad("R4.1"),
            Role::Piezo => pad("R5.1"),
        };
        join(net_of(role), [pin, other]);
    }
    join("DATA0".into(), [pad("R1.2"), Terminal { at: matrix::data_begins(), face: Some(Face::Front) }]);
    join("POWER".into(), [pad("R3.2"), pad("S1.2")]);
    join("VBUS".into(), [pad("U1.40"), pad("R2.1")]);
    // Short ways first: they have the least choice.
    let way = |connection: &Connection| {
        let [a, b] = connection.ends.map(|end| end.at);
        (a.x - b.x).abs() + (a.y - b.y).abs()
    };
    found.sort_by_key(way);
    found
}
