// The parts that are bought, simplified: for the check of the gaps, and for the pictures.
//
// A part that should touch a printed part is smaller by a `hair` at the contact, so that only real overlaps remain.
include <parameters.scad>

hair = 0.01;

module box(part, from = 0) slab(from, part[4]) board_rectangle(part[0], part[1], part[2], part[3]);

module board_outline() difference() {
    outline(0);
    for (hole = holes) translate(at(hole)) circle(d = hole_diameter, $fn = 24);
}

module light_holes()
    for (light = lights) translate(at(light)) square(light_size + [0.5, 0.7], center = true);

// Standoffs, shelves, supports and bosses touch the faces of the board.
module board() slab(board_back + hair, -hair) difference() { board_outline(); light_holes(); }

// The board without its faces: nothing that is printed is near it.
module board_edge() slab(board_back + margin, -margin) outline(0);

// Soldered parts and pins at the back: a layer with the height of the tallest one, except where the body supports the
// board. The tests in tools/hardware check that nothing is soldered there.
module back_parts() slab(board_back - back_height, board_back) difference() {
    outline(-margin);
    for (x = [-1, board_size[0] - shelf]) offset(delta = support_room)
        board_rectangle(x, shelf_y[0], shelf + 1, shelf_y[1] - shelf_y[0]);
    for (hole = holes) translate(at(hole)) circle(d = standoff[1] + 2 * support_room, $fn = 24);
    for (support = supports) translate(at(support)) circle(d = support_diameter + 2 * support_room, $fn = 24);
}

module lights()
    for (light = lights) translate(at(light)) slab(-1.2, -0.2) square(light_size, center = true);

// A key, over the origin. A real housing becomes even narrower towards its top.
module key_housing() difference() {
    union() {
        slab(0, key_flange[1]) square(key_body, center = true);
        slab(key_flange[1], key_flange[2]) square(key_flange[0], center = true);
        hull() {
            slab(key_flange[2], key_flange[2] + 0.1) square(key_body, center = true);
            slab(key_top - 0.1, key_top) square(key_narrow, center = true);
        }
    }
    slab(key_flange[2], key_top + 1) square(key_opening, center = true);
}

module key_slider() slab(key_flange[2] + 0.5, stem_top - stem_length) square(key_slider, center = true);

module key_stem() slab(stem_top - stem_length, stem_top - hair) {
    square([stem_arm, stem_thickness[0]], center = true);
    square([stem_thickness[1], stem_arm], center = true);
}

module pico_headers()
    for (side = [-1, 1]) slab(0, pico_standoff)
        board_rectangle(pico[0] + side * 8.89 - 1.27, pico_box[1] + 0.1, 2.54, 50.8);

module pico_board() slab(pico_standoff, pico_front) board_rectangle(pico_box[0], pico_box[1], pico_box[2], pico_box[3]);

// The space above the Pico, up to the height of its tallest part.
module pico_parts() box(pico_box, pico_front);

module pico_chip() slab(pico_front, pico_front + 1) translate(at(pico + [0, 1])) square(7, center = true);

module pico_button() slab(pico_front, pico_front + bootsel_top) translate(at(bootsel_at)) square([3, 4], center = true);

module usb_at_pico(width, height, from, length)
    slab(usb_z - height / 2, usb_z + height / 2) board_rectangle(pico[0] - width / 2, from, width, length);

module usb_socket() usb_at_pico(usb_socket[0], usb_socket[2], usb_y, usb_socket[1]);

module usb_grip() usb_at_pico(usb_plug[0], usb_plug[1], usb_y - 20, 20);

module battery_tape() slab(0, battery_tape) offset(delta = -2)
    board_rectangle(battery_box[0], battery_box[1], battery_box[2], battery_box[3]);

cell_z = battery_top - cell_size[0] / 2;
function cell_y(i) = battery_box[1] + battery_box[3] / 2 + (i - 1) * (cell_size[0] + 0.6);

module cells_of(diameter, length)
    for (i = [0:2]) translate(concat(at([battery_box[0] + battery_box[2] / 2, cell_y(i)]), cell_z))
        rotate([0, 90, 0]) cylinder(d = diameter, h = length, center = true, $fn = 40);

module battery_holder() difference() {
    box(battery_box, battery_tape);
    cells_of(cell_size[0] + 0.2, battery_box[2] - 3);
    slab(cell_z, battery_top + 1) offset(delta = -1.5)
        board_rectangle(battery_box[0], battery_box[1], battery_box[2], battery_box[3]);
}

module battery_cells() cells_of(cell_size[0], cell_size[1] - 1.5);

module battery_ends() cells_of(cell_size[0] / 3, cell_size[1]);

module connector() box(connector_box);

module piezo() translate(at(piezo_at)) cylinder(d = piezo_size[0], h = piezo_size[1], $fn = 48);

module switch_housing() box(switch_box);

// The lever at one end of its travel: -1 or 1.
module lever(end)
    slab(lever_z - switch_lever[2] / 2, lever_z + switch_lever[2] / 2)
        board_rectangle(switch_box[0] + switch_box[2],
                        switch_at[1] - switch_lever[1] / 2 + end * switch_travel / 2, switch_lever[0], switch_lever[1]);

// A screw in the top has the diameter of its core, because its thread cuts into the top.
module screws() for (hole = holes) translate(concat(at(hole), screw_seat - hair)) {
    translate([0, 0, -screw_head[1]]) cylinder(d = screw_head[0], h = screw_head[1], $fn = 24);
    cylinder(d = screw_diameter, h = -screw_seat, $fn = 16);
    cylinder(d = screw_core, h = screw_length, $fn = 16);
}
