//! The files of the KiCad project: schematic, board, libraries, rules.

use serde_json::json;

use super::board::Board;
use super::copper::{EDGE_GAP, GAP, SIGNAL, VIA};
use super::parts::Kind;
use super::sexpr::{Expr, list, text};
use super::{FOLDER, LIBRARY, board_file, footprint_file, mechanics, schematic, symbols};
use crate::Product;
use crate::pcb::placement::Placed;

/// The rules of a cheap board house, in millimetres: tracks and gaps, holes, and the ring of copper around a hole.
const FINEST: f64 = 0.15;
const SMALLEST_HOLE: f64 = 0.3;
const NARROWEST_RING: f64 = 0.13;

/// Where a file of the project stands.
pub fn path(name: &str) -> String {
    format!("{FOLDER}/{name}")
}

/// The board's file.
pub fn board_path() -> String {
    path(&format!("{LIBRARY}.kicad_pcb"))
}

/// Every file that is made from the board: the project, and the sizes for the case.
pub fn products(board: &Board) -> Vec<Product> {
    let circuit: Vec<_> = board.parts.iter().map(|Placed { part, .. }| part.clone()).collect();
    let mut products = vec![
        Product { path: board_path(), text: board_file::board_file(board).file() },
        Product { path: path(&format!("{LIBRARY}.kicad_sch")), text: schematic::file(&circuit) },
        Product { path: path(&format!("{LIBRARY}.kicad_pro")), text: rules() },
        Product { path: path(&format!("{LIBRARY}.kicad_sym")), text: symbols::library() },
        Product { path: path("fp-lib-table"), text: table("fp_lib_table", "pretty", "Footprints") },
        Product { path: path("sym-lib-table"), text: table("sym_lib_table", "kicad_sym", "Symbols") },
        Product { path: "hardware/case/board.scad".into(), text: mechanics::scad() },
    ];
    for kind in Kind::ALL {
        let path = path(&format!("{LIBRARY}.pretty/{}.kicad_mod", kind.facts().footprint));
        // Kinds that differ in value only share a footprint.
        if products.iter().all(|product| product.path != path) {
            products.push(Product { path, text: footprint_file::library_file(kind) });
        }
    }
    products
}

/// Whether a file is what it should be. The copper of the board's pours is KiCad's and may be in it or not.
pub fn is_fresh(product: &Product, found: &str) -> bool {
    let board = Expr::read(found).filter(|board| board.name() == "kicad_pcb");
    match board {
        Some(board) => board.without(&["filled_polygon"]).file() == product.text,
        None => found == product.text,
    }
}

/// Tells KiCad where our library is.
fn table(name: &str, ending: &str, what: &str) -> String {
    let uri = format!("${{KIPRJMOD}}/{LIBRARY}.{ending}");
    let value = |name: &str, value: &str| list(name, [text(value)]);
    let library = list(
        "lib",
        [
            value("name", LIBRARY),
            value("type", "KiCad"),
            value("uri", &uri),
            value("options", ""),
            value("descr", &format!("{what} of the Lights Out handheld")),
        ],
    );
    list(name, [library]).file()
}

/// The project's file: the rules of the board house, and how wide we draw.
fn rules() -> String {
    let rules = json!({
        "min_clearance": FINEST,
        "min_copper_edge_clearance": EDGE_GAP - 0.05,
        "min_hole_clearance": 0.25,
        "min_hole_to_hole": 0.25,
        "min_silk_clearance": 0.0,
        "min_through_hole_diameter": SMALLEST_HOLE,
        "min_track_width": FINEST,
        "min_via_annular_width": NARROWEST_RING,
        "min_via_diameter": SMALLEST_HOLE + 2.0 * NARROWEST_RING,
        "solder_mask_clearance": 0.05,
        "solder_mask_min_width": 0.0,
        "solder_mask_to_copper_clearance": 0.0,
    });
    let class = json!({
        "name": "Default",
        "clearance": GAP,
        "track_width": SIGNAL,
        "via_diameter": VIA.1,
        "via_drill": VIA.0,
        "microvia_diameter": 0.3,
        "microvia_drill": 0.1,
        "diff_pair_gap": 0.25,
        "diff_pair_via_gap": 0.25,
        "diff_pair_width": 0.2,
        "bus_width": 12,
        "wire_width": 6,
        "line_style": 0,
        "pcb_color": "rgba(0, 0, 0, 0.000)",
        "schematic_color": "rgba(0, 0, 0, 0.000)",
    });
    let project = json!({
        "board": { "design_settings": { "rules": rules, "meta": { "version": 2 } } },
        "meta": { "filename": format!("{LIBRARY}.kicad_pro"), "version": 1 },
        "net_settings": { "classes": [class], "meta": { "version": 2 } },
        "sheets": [[super::sexpr::stamp("schematic").value(), ""]],
    });
    let mut text = serde_json::to_string_pretty(&project).unwrap_or_default();
    text.push('\n');
    text
}
