// What the case is, in numbers, in mm. What the board is stands in board.scad, which `cargo pcb` writes: nothing of it is
// repeated here, so a part that is moved on the board takes its opening along.
//
// The board's drawing has y pointing down. Here y points up, as OpenSCAD has it: `at` turns one into the other. z is 0 on the
// board's front, and grows towards the player.
include <board.scad>

// --- The printer: a nozzle of 0.4 mm, layers of 0.2 mm
thinnest = 1.25;         // three lines are 1.2, and circles drawn with flats come out a little thinner
play = 0.25;             // between parts that slide into each other
bridge = 12;             // what is printed across thin air without sagging
round_steps = 32;        // corners of a circle; more is slower and no rounder on a printer

// --- The shell
board_gap = 0.4;         // around the board: boards are milled to 0.2, prints shrink by 0.2
lap_play = 0.2;
wall = 2 * thinnest + lap_play;   // where top and body meet, each has half of it
lap = 1.5;               // how far the body's inner half reaches into the top
face = 2;                // the front
floor_thickness = 2;
edge = 1;                // the outer edges are broken by this, at 45 degrees
room = 0.8;              // between the tallest part and the front
back_room = 0.5;         // between the lowest part and the floor
shelf = 1;               // the body carries the board's left and right rim by this much, beside the keys

face_bottom = max([for (part = front_parts) part[4]]) + room;
face_top = face_bottom + face;
board_back = -board_thickness;
floor_top = board_back - back_height - back_room;
floor_bottom = floor_top - floor_thickness;

// --- Screws: M2, self-tapping, from the back through the floor and the board into the top
screw_length = 10;
screw_hole = 2.4;
screw_pilot = 1.7;
screw_head = [4.2, 1.2];  // diameter and depth of its recess
boss = 4.4;              // between the flanges of four keys there is room for 4.88
standoff = [screw_hole + 2 * thinnest + 0.2, 6.2];   // under the board: diameters at its top and at its foot
pilot_depth = screw_length + floor_bottom + screw_head[1] + 2;
boss_wall = (boss - screw_pilot) / 2;
assert(boss_wall >= thinnest);

// --- Keys: Cherry MX, as its sizes are commonly drawn, seen from the board's front
key_body = 14;
key_flange = [15.6, 5, 6.2];   // width, from z to z
key_top = 11.6;
stem_top = 15.2;
stem_length = 3.6;
stem_arm = 4.1;
stem_thickness = [1.31, 1.17]; // of the arm along x and of the one along y
key_opening = [7.2, 5.5];      // around the stem: a pressed cap's post goes in there
key_travel = 4;

// --- Caps
cap = 16.6;
cap_corner = 2.5;        // as round as that, a boss fits between four of them, and the key's flange into a well
cap_wall = thinnest;
cap_roof = 1.4;          // thin enough to shine, thick enough to spread the light
cap_edge = 0.8;
cap_rise = key_travel + 0.2;   // above the front: pressed right down, a cap is level with it
cap_sink = 1.1;          // and below it: a cap cannot catch on the front, and pressed it stays above the key's housing
cap_top = face_top + cap_rise;
cap_bottom = face_top - cap_sink;
stem_play = 0.1;         // of the socket, in all. Too tight: more. Wobbles: less
post = [6.7, 4.9];       // what goes into the key's opening when it is pressed, with room to slide
post_bottom = stem_top - stem_length + 0.1;
assert(cap_top - cap_roof > stem_top);
assert(cap_bottom - key_travel >= key_top);

// --- Wells: each key has its own, so that a light does not shine into its neighbour's cap
cap_gap = 0.5;           // caps wobble by 0.3
well = cap + 2 * cap_gap;
well_corner = cap_corner + cap_gap;
well_web = key_pitch - well;
well_bottom = 2;         // above the board; higher where a part stands in the way
part_gap = 0.3;          // around parts on the board
assert(well_web >= thinnest);

// --- Openings
usb_plug = [12, 7.6];    // the plug's grip goes in too: the Pico's socket stands back behind the wall
usb_z = pico_standoff + 1 + 1.3;   // the socket's middle: the Pico is 1 thick, half a socket 1.3
bootsel_hole = 3.2;      // a toothpick, a paper clip
bootsel_guide_end = pico_standoff + 1 + 2 + 1.5;   // 1.5 above the button
sound_hole = 1.8;
sound_pitch = 3.2;
lever_size = [2, 1.6];   // along its way, and across
lever_room = 0.6;        // around its way

shelf_y = [keys[0][1] - key_pitch / 2, keys[len(keys) - 1][1]];   // on the board, from and to

function at(point) = [point[0], board_size[1] - point[1]];

// A rectangle given as on the board: corner, width, height.
module board_rectangle(x, y, width, height)
    translate(at([x, y + height])) square([width, height]);

module rounded_square(size, radius)
    offset(r = radius, $fn = round_steps) square(size - 2 * radius, center = true);

// The board's outline, grown by so much.
module outline(grow)
    offset(r = board_corner + grow, $fn = round_steps)
        translate([board_corner, board_corner])
            square([board_size[0] - 2 * board_corner, board_size[1] - 2 * board_corner]);

module slab(from, to)
    translate([0, 0, from]) linear_extrude(to - from) children();

outer = board_gap + wall;
