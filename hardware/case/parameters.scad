// The dimensions of the case, in mm. Positions on the board are in board.scad, sizes of bought parts in bought.scad.
// They are not repeated here, so that a part that is moved on the board moves its opening too.
//
// On the board y points down. Here y points up, as is usual in OpenSCAD: `at` converts the coordinates. z is 0 on the
// board's front, and increases towards the player.
include <board.scad>
include <bought.scad>

// --- The printer: a nozzle of 0.4 mm, layers of 0.2 mm
thinnest = 1.25;         // wall thickness: three lines are 1.2, and circles of straight pieces are a little thinner
margin = 0.42;           // gap around everything that is bought; hardware/tools/case.py demands 0.4
play = 0.3;              // gap between door and front, along the front
bridge = 12;             // longest gap that is printed without support and does not sag
round_steps = 32;        // corners of a circle; more are slower, and make no difference on a printer

// --- The shell
board_gap = 0.5;         // around the board: milling tolerance 0.2, shrinking of the print 0.2
lap_play = 0.2;
seam = 0.2;              // gap between body and top, so that the screws always clamp the board, also a thin one
wall = 2 * thinnest + lap_play;   // at the seam, top and body have half of it each
lap = 1.5;               // how far the inner half of the body's wall reaches into the top
face = 2;                // thickness of the front
floor_thickness = 2;
edge = 1;                // size of the bevel of the outer edges, at 45 degrees
room = 0.8;              // gap between the tallest part and the front
back_room = 0.5;         // gap between the lowest part and the floor
shelf = 1;               // width of the supports for the board's left and right rim, beside the keys
outer = board_gap + wall;

battery_top = battery_tape + battery_height;
face_bottom = battery_top + room;
face_top = face_bottom + face;
board_back = -board_thickness;
floor_top = board_back - back_height - back_room;
floor_bottom = floor_top - floor_thickness;

// --- Supports under the board, in the coordinates of the board: between the keys, and under the battery holder. A test
// in tools/hardware checks that no pad at the board's back is near them
supports = [[39.975, 61.4], [59.025, 61.4], [39.975, 99.5], [59.025, 99.5], [39.975, 137.6], [59.025, 137.6],
            [56, 22], [76, 22]];
support_diameter = 4;
support_room = 0.5;      // gap around standoffs, shelves and supports, in which the board has no pads

// --- Screws, from the back through the floor and the board into the top
screw_hole = 2.4;
screw_pilot = 1.6;       // 0.8 of the screw's diameter, as makers of such screws recommend
screw_recess = [screw_head[0] + 2 * margin, screw_head[1] + 0.2];   // diameter and depth
boss = 4.05;             // diameter. The diagonal between the flanges of four keys is 4.88, less two margins
standoff = [screw_hole + 2 * thinnest + 0.2, 7.2];   // under the board: diameters at the top and at the bottom
screw_seat = floor_bottom + screw_recess[1];
pilot_depth = screw_seat + screw_length + 2;

// --- Caps
cap = 16.5;
cap_corner = 2.5;        // radius
cap_wall = thinnest;
cap_roof = 1.4;          // thin enough to let light through, thick enough to spread it
cap_edge = 0.8;
cap_rise = key_travel + 0.2;   // height above the front: a fully pressed cap is level with the front
cap_sink = 1.6;          // depth below the front: a cap cannot catch on the front, and stays above the key's housing
cap_top = face_top + cap_rise;
cap_bottom = face_top - cap_sink;
stem_play = 0.2;         // total play of the socket: test-plate.scad helps to find it
test_plays = [0.1, 0.2, 0.3];
post = [for (size = key_opening) size - 0.8 - 0.02];   // enters the key's opening
post_bottom = stem_top - stem_length + margin;

// --- Wells: one around each key, so that a light does not shine into the neighbour's cap
cap_gap = 0.5;           // gap around a cap; caps wobble by 0.3
well = cap + 2 * cap_gap;
well_corner = 2.1;       // radius: the corners of a key's flange pass at 0.47
well_web = key_pitch - well;
well_bottom = 2;         // height above the board; more where a part is in the way
assert(well_web >= thinnest);

// --- Openings
pico_front = pico_standoff + pico_size[2];
usb_z = pico_front + usb_socket[2] / 2;   // centre of the socket
usb_y = pico[1] - pico_size[1] / 2 - usb_overhang;   // its front
plug_gap = 0.5;          // gap around the plug
bootsel_at = pico + bootsel;
bootsel_hole = 3.2;      // for a toothpick or a paper clip
bootsel_guide_end = pico_front + bootsel_top + 1.5;   // ends 1.5 above the button
sound_hole = 1.8;
sound_pitch = 3.2;
lever_z = switch_body[2] / 2;
lever_room = 0.6;        // gap around its travel

shelf_y = [keys[0][1] - key_pitch / 2, keys[len(keys) - 1][1]];   // start and end on the board

// Boxes around the parts on the front, without the keys: left, top, width, height, and the height above the board.
function centred(centre, size, height) = concat(centre - [size[0], size[1]] / 2, [size[0], size[1], height]);
pico_box = centred(pico, pico_size, pico_front + pico_tallest);
battery_box = concat(battery_bay, [battery_top]);
connector_box = concat(battery_connector - connector_pins, connector_size);
switch_box = centred(switch_at, switch_body, switch_body[2]);
piezo_box = centred(piezo_at, [piezo_size[0], piezo_size[0]], piezo_size[1]);

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
