// The body: floor, walls, and supports for the board. Printed on its floor.
include <parameters.scad>
use <openings.scad>

// Supports for the board's left and right rim, beside the keys.
module shelves()
    for (x = [-board_gap - 0.5, board_size[0] - shelf])
        board_rectangle(x, shelf_y[0], shelf + board_gap + 0.5, shelf_y[1] - shelf_y[0]);

module body() difference() {
    union() {
        hull() {
            slab(floor_bottom, floor_bottom + edge) outline(outer - edge);
            slab(floor_bottom + edge, floor_top) outline(outer);
        }
        slab(floor_top, 0) difference() { outline(outer); outline(board_gap); }
        slab(floor_top, lap) difference() { outline(board_gap + thinnest); outline(board_gap); }
        slab(floor_top, board_back) shelves();
        for (hole = holes) translate(concat(at(hole), floor_top))
            cylinder(d1 = standoff[1], d2 = standoff[0], h = board_back - floor_top, $fn = round_steps);
    }
    for (hole = holes) translate(concat(at(hole), floor_bottom - 1)) {
        cylinder(d = screw_hole, h = 20, $fn = 24);
        cylinder(d = screw_head[0], h = screw_head[1] + 1, $fn = 24);
    }
    usb_opening();
    lever_opening();
}
