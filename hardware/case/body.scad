// The body: floor, walls, and supports for the board. Printed on its floor. It does not touch the top: there is a gap
// all around, so that the screws clamp the board between standoffs and bosses.
include <parameters.scad>
use <openings.scad>

// Supports for the board's left and right rim, beside the keys.
module shelves()
    for (x = [-board_gap - 0.5, board_size[0] - shelf])
        board_rectangle(x, shelf_y[0], shelf + board_gap + 0.5, shelf_y[1] - shelf_y[0]);

// Supports in the middle of the board, where no part and no leg is in the way.
module supports()
    for (support = supports) translate(at(support)) circle(d = support_diameter, $fn = round_steps);

module body() difference() {
    union() {
        hull() {
            slab(floor_bottom, floor_bottom + edge) outline(outer - edge);
            slab(floor_bottom + edge, floor_top) outline(outer);
        }
        slab(floor_top, -seam) difference() { outline(outer); outline(board_gap); }
        slab(floor_top, lap) difference() { outline(board_gap + thinnest); outline(board_gap); }
        slab(floor_top, board_back) { shelves(); supports(); }
        for (hole = holes) translate(concat(at(hole), floor_top))
            cylinder(d1 = standoff[1], d2 = standoff[0], h = board_back - floor_top, $fn = round_steps);
    }
    for (hole = holes) translate(concat(at(hole), floor_bottom - 1)) {
        cylinder(d = screw_hole, h = 20, $fn = 24);
        cylinder(d = screw_recess[0], h = screw_recess[1] + 1, $fn = 24);
    }
    usb_opening();
    lever_opening();
}
