// The contents of the case, simplified for the collision check: board, keys, Pico, battery holder, switch, piezo.
include <parameters.scad>

module board() difference() {
    slab(board_back, 0) outline(0);
    slab(board_back - 1, 1) for (hole = holes) translate(at(hole)) circle(d = hole_diameter, $fn = 24);
}

// Soldered parts and pins at the back: a layer with the height of the tallest one, except around the screws and on the
// rims that lie on the shelves.
module back_parts() slab(board_back - back_height, board_back) difference() {
    outline(0);
    for (x = [-1, board_size[0] - shelf - 0.2])
        board_rectangle(x, shelf_y[0] - 0.2, shelf + 1.2, shelf_y[1] - shelf_y[0] + 0.4);
    for (hole = holes) translate(at(hole)) circle(d = standoff[1] + 0.2, $fn = 24);
}

module front_part_boxes()
    for (part = front_parts) slab(0, part[4]) board_rectangle(part[0], part[1], part[2], part[3]);

// The USB socket of the Pico and the lever of the switch extend over the board's edge.
module usb_socket()
    slab(usb_z - 1.3, usb_z + 1.3) board_rectangle(pico_usb[0] - 4, pico_usb[1], 8, 6);

module lever(shift)
    slab(switch_lever[2] - lever_size[1] / 2, switch_lever[2] + lever_size[1] / 2)
        board_rectangle(switch_at[0], switch_lever[1] - lever_size[0] / 2 + shift,
                        switch_lever[0] - switch_at[0], lever_size[0]);

// The housing of a key. A real one becomes narrower towards its top; this one does not, to be on the safe side. Its
// opening holds the stem, and the post of a pressed cap.
module key_housing() {
    slab(0, key_flange[1]) square(key_body, center = true);
    slab(key_flange[1], key_flange[2]) square(key_flange[0], center = true);
    slab(key_flange[2], key_top) difference() {
        square(key_body, center = true);
        square(key_opening, center = true);
    }
}

module key_stem() slab(key_flange[2], stem_top) {
    square([stem_arm, stem_thickness[0]], center = true);
    square([stem_thickness[1], stem_arm], center = true);
}

module contents() {
    board();
    back_parts();
    front_part_boxes();
    usb_socket();
    for (shift = [-switch_travel / 2, switch_travel / 2]) lever(shift);
    for (key = keys) translate(at(key)) { key_housing(); key_stem(); }
}
