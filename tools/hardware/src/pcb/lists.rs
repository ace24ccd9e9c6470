//! The two lists for assembly by a board house: the parts, and their positions.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::board::Board;
use super::geometry::mm;
use super::parts::{Face, Kind};
use super::placement::Placed;

/// The flat parts.
fn flat(board: &Board) -> impl Iterator<Item = &Placed> {
    board.parts.iter().filter(|part| part.part.kind.face() == Face::Back)
}

/// What to set: a line for each kind, in the columns that JLCPCB reads.
pub fn parts(board: &Board) -> String {
    let mut kinds: BTreeMap<Kind, Vec<&str>> = BTreeMap::new();
    for part in flat(board) {
        kinds.entry(part.part.kind).or_default().push(&part.part.name);
    }
    let mut text = String::from("Comment,Designator,Footprint,LCSC Part #,Manufacturer Part\n");
    for (kind, names) in kinds {
        let facts = kind.facts();
        // Writing to a string does not fail.
        let _ = writeln!(
            text,
            "{},\"{}\",{},{},{}",
            facts.value,
            names.join(","),
            facts.footprint,
            facts.lcsc,
            facts.order
        );
    }
    text
}

/// Where to set it: middles in the gerbers' coordinates, y up, and turns as KiCad counts them.
pub fn placement(board: &Board) -> String {
    let mut text = String::from("Designator,Mid X,Mid Y,Layer,Rotation\n");
    for part in flat(board) {
        let _ = writeln!(text, "{},{},{},bottom,{}", part.part.name, mm(part.at.x), mm(-part.at.y), part.turn);
    }
    text
}
