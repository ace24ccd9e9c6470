// The top: the front with 25 wells, walls, and bosses for the screws. It is printed on its face, and needs no support:
// every part of it starts at the bed.
include <parameters.scad>
use <door.scad>
use <openings.scad>

// The walls between the wells. They separate the lights of neighbours, and stiffen the front.
module web() difference() {
    for (key = keys) translate(at(key)) square(well + 2 * well_web, center = true);
    well_holes();
}

module well_holes()
    for (key = keys) translate(at(key)) rounded_square(well, well_corner);

// The bosses. A boss near an edge is connected to the wall.
module bosses()
    for (hole = holes) {
        translate(at(hole)) circle(d = boss, $fn = round_steps);
        side = hole[0] < board_size[0] / 2 ? -1 : 1;
        distance = side < 0 ? hole[0] : board_size[0] - hole[0];
        if (distance < key_pitch / 4)
            translate(at(hole)) translate([side * (distance + board_gap) / 2, 0])
                square([distance + board_gap + 0.4, 2 * thinnest], center = true);
    }

module bosses_alone()
    for (hole = holes) translate(at(hole)) circle(d = boss, $fn = round_steps);

bay_rib_end = 4;   // height above the board; the wires of the battery holder pass below
bay_rib = thinnest + 0.2;
bay_gap = 0.5;     // battery holders differ by this much

// Ribs beside the battery holder. They keep it in its position, and hide the rest of the board when the door is open.
module bay_ribs() {
    for (x = [battery_bay[0] - bay_gap - bay_rib, battery_bay[0] + battery_bay[2] + bay_gap])
        board_rectangle(x, battery_bay[1], bay_rib, battery_bay[3]);
}

// The space of the parts on the board, which is cut out of wells and ribs.
module room_for_parts()
    for (part = [pico_box, battery_box, connector_box, switch_box, piezo_box])
        slab(0, part[4] + margin) offset(delta = margin) board_rectangle(part[0], part[1], part[2], part[3]);

module bootsel_guide() translate(at(bootsel_at)) circle(d = bootsel_hole + 2 * thinnest, $fn = round_steps);

// Holes over the centre of the piezo and towards the keys. The door is on the other side.
module sound_holes() translate(at(piezo_at)) {
    circle(d = sound_hole, $fn = 16);
    for (angle = [0, 180, 240, 300]) rotate(angle) translate([sound_pitch, 0]) circle(d = sound_hole, $fn = 16);
}

// An emblem: the lights that one press flips. It is over the Pico, where the front has no openings.
module emblem() {
    middle = at([pico[0], pico[1] + 4]);
    for (step = [[0, 0], [1, 0], [-1, 0], [0, 1], [0, -1]])
        translate(middle + 5 * step) rounded_square(3.6, 0.8);
}

module top() difference() {
    union() {
        difference() {
            hull() {
                slab(face_bottom, face_top - edge) outline(outer);
                slab(face_top - edge, face_top) outline(outer - edge);
            }
            slab(face_bottom - 1, face_top + 1) { well_holes(); sound_holes(); }
            door_opening();
            slab(face_top - 0.4, face_top + 1) emblem();
        }
        slab(lap + lap_play, face_bottom) difference() { outline(outer); outline(board_gap); }
        slab(0, lap + lap_play) difference() { outline(outer); outline(outer - thinnest); }
        difference() {
            union() {
                slab(well_bottom, face_bottom) web();
                slab(bay_rib_end, face_bottom) bay_ribs();
            }
            room_for_parts();
        }
        slab(lap + lap_play, face_bottom) bosses();
        slab(0, lap + lap_play) bosses_alone();
        slab(bootsel_guide_end, face_bottom) bootsel_guide();
        door_catch();
    }
    for (hole = holes)
        translate(at(hole)) translate([0, 0, -1]) cylinder(d = screw_pilot, h = pilot_depth + 1, $fn = 16);
    translate(concat(at(bootsel_at), 0)) cylinder(d = bootsel_hole, h = face_top + 1, $fn = 24);
    usb_opening();
    lever_opening();
}
