// The dimensions of the case, in mm. Those of the board are in board.scad, which `cargo pcb` writes. They are not
// repeated here, so that a part that is moved on the board moves its opening too.
//
// On the board y points down. Here y points up, as is usual in OpenSCAD: `at` converts the coordinates. z is 0 on the
// board's front, and increases towards the player.
include <board.scad>

// --- The printer: a nozzle of 0.4 mm, layers of 0.2 mm
thinnest = 1.25;         // wall thickness: three lines are 1.2, and circles of straight pieces are a little thinner
play = 0.25;             // gap between parts that slide into each other
bridge = 12;             // longest gap that is printed without support and does not sag
round_steps = 32;        // corners of a circle; more are slower, and make no difference on a printer

// --- The shell
board_gap = 0.4;         // around the board: milling tolerance 0.2, shrinking of the print 0.2
lap_play = 0.2;
wall = 2 * thinnest + lap_play;   // at the seam, top and body have half of it each
lap = 1.5;               // how far the inner half of the body's wall reaches into the top
face = 2;                // thickness of the front
floor_thickness = 2;
edge = 1;                // size of the bevel of the outer edges, at 45 degrees
room = 0.8;              // gap between the tallest part and the front
back_room = 0.5;         // gap between the lowest part and the floor
shelf = 1;               // width of the supports for the board's left and right rim, beside the keys

face_bottom = max([for (part = front_parts) part[4]]) + room;
face_top = face_bottom + face;
board_back = -board_thickness;
floor_top = board_back - back_height - back_room;
floor_bottom = floor_top - floor_thickness;

// --- Screws: M2, self-tapping, from the back through the floor and the board into the top
screw_length = 10;
screw_hole = 2.4;
screw_pilot = 1.7;
screw_head = [4.2, 1.2];  // diameter and depth of the recess for its head
boss = 4.4;              // diameter; between the flanges of four keys there is space for 4.88
standoff = [screw_hole + 2 * thinnest + 0.2, 6.2];   // under the board: diameters at the top and at the bottom
pilot_depth = screw_length + floor_bottom + screw_head[1] + 2;
boss_wall = (boss - screw_pilot) / 2;
assert(boss_wall >= thinnest);

// --- Keys: Cherry MX, with the usual sizes, measured from the board's front
key_body = 14;
key_flange = [15.6, 5, 6.2];   // width, lower z, upper z
key_top = 11.6;
stem_top = 15.2;
stem_length = 3.6;
stem_arm = 4.1;
stem_thickness = [1.31, 1.17]; // of the arm along x, and of the arm along y
key_opening = [7.2, 5.5];      // around the stem; the post of a pressed cap enters it
key_travel = 4;

// --- Caps
cap = 16.6;
cap_corner = 2.5;        // radius: leaves space for a boss between four caps, and for the key's flange in a well
cap_wall = thinnest;
cap_roof = 1.4;          // thin enough to let light through, thick enough to spread it
cap_edge = 0.8;
cap_rise = key_travel + 0.2;   // height above the front: a fully pressed cap is level with the front
cap_sink = 1.1;          // depth below the front: a cap cannot catch on the front, and stays above the key's housing
cap_top = face_top + cap_rise;
cap_bottom = face_top - cap_sink;
stem_play = 0.1;         // total play of the socket. Cap too tight: increase it. Cap wobbles: decrease it
post = [6.7, 4.9];       // size of the post that enters the key's opening, with play
post_bottom = stem_top - stem_length + 0.1;
assert(cap_top - cap_roof > stem_top);
assert(cap_bottom - key_travel >= key_top);

// --- Wells: one around each key, so that a light does not shine into the neighbour's cap
cap_gap = 0.5;           // gap around a cap; caps wobble by 0.3
well = cap + 2 * cap_gap;
well_corner = cap_corner + cap_gap;
well_web = key_pitch - well;
well_bottom = 2;         // height above the board; more where a part is in the way
part_gap = 0.3;          // gap around parts on the board
assert(well_web >= thinnest);

// --- Openings
usb_plug = [12, 7.6];    // size of the plug with its grip, which goes in too: the Pico's socket is behind the wall
usb_z = pico_standoff + 1 + 1.3;   // centre of the socket: the Pico is 1 thick, half the socket is 1.3
bootsel_hole = 3.2;      // for a toothpick or a paper clip
bootsel_guide_end = pico_standoff + 1 + 2 + 1.5;   // ends 1.5 above the button
sound_hole = 1.8;
sound_pitch = 3.2;
lever_size = [2, 1.6];   // along its travel, and across
lever_room = 0.6;        // gap around its travel

shelf_y = [keys[0][1] - key_pitch / 2, keys[len(keys) - 1][1]];   // start and end on the board

function at(point) = [point[0], board_size[1] - point[1]];

// A rectangle in the coordinates of the board: corner, width, height.
module board_rectangle(x, y, width, height)
    translate(at([x, y + height])) square([width, height]);

module rounded_square(size, radius)
    offset(r = radius, $fn = round_steps) square(size - 2 * radius, center = true);

// The board's outline, enlarged by `grow` on each side.
module outline(grow)
    offset(r = board_corner + grow, $fn = round_steps)
        translate([board_corner, board_corner])
            square([board_size[0] - 2 * board_corner, board_size[1] - 2 * board_corner]);

module slab(from, to)
    translate([0, 0, from]) linear_extrude(to - from) children();

outer = board_gap + wall;
