// The battery door. Its lower edge goes under the front. Its upper edge has a tongue that snaps behind a ridge in the
// wall. The other edges lie in a bevel, so that the door can fall neither in nor out. Printed on its face.
include <parameters.scad>

bevel = face - 0.8;
tongue = [16, thinnest, 9];   // width, thickness, length. Bent by 0.5 mm, it is stretched by 1 %, which PLA can take
hold = 0.5;                   // overlap of barb and ridge
barb = 0.8;
notch = [11, 1.4];            // for a fingernail: width and depth
assert(notch[0] <= bridge);

// The opening on the outside, in the coordinates of the board: up to the upper wall, and over the whole battery bay.
door_x = battery_bay[0] - 1;
door_y = -0.6;
door_width = battery_bay[2] + 2;
door_height = battery_bay[1] + battery_bay[3] + 0.6 - door_y;
middle = door_x + door_width / 2;
swing = 1.2;                  // while the door swings in, the end of the tongue moves 1 mm towards the front's edge
tongue_y = door_y + bevel + play + swing;   // the side of the tongue that faces the wall
barb_z = face_bottom - tongue[2] + barb;

// The shape of the door: wide outside and narrow inside, except at the lower edge, which is the opposite.
module plug(grow) hull() {
    slab(face_bottom + bevel, face_top)
        board_rectangle(door_x - grow, door_y - grow, door_width + 2 * grow, door_height + 2 * grow);
    slab(face_bottom, face_bottom + 0.01)
        board_rectangle(door_x + bevel - grow, door_y + bevel - grow,
                        door_width - 2 * bevel + 2 * grow, door_height + 2 * grow);
}

// Extrudes a profile along x. Its points are given as [y on the board, z].
module across(width, points)
    translate([middle - width / 2, 0, 0]) rotate([90, 0, 90])
        linear_extrude(width) polygon([for (point = points) [board_size[1] - point[0], point[1]]]);

module door_opening() {
    plug(play / 2);
    slab(face_top, face_top + 1) board_rectangle(door_x, door_y, door_width, door_height);
    slab(face_top - notch[1], face_top + 1)
        board_rectangle(middle - notch[0] / 2, -outer - 1, notch[0], outer + 1 + door_y);
}

// The ridge in the wall that the barb snaps behind. Both flanks have 45 degrees: for printing, and for opening the
// door.
module door_catch() {
    tip = tongue_y - barb + hold;
    root = -board_gap;
    z = barb_z + hold + play;
    height = tip - root;
    across(tongue[0] + 4,
           [[root - 1, z - height], [root, z - height], [tip, z], [root, z + height], [root - 1, z + height]]);
}

module door() {
    plug(-play / 2);
    across(tongue[0], [
        [tongue_y, face_bottom + 0.5], [tongue_y + tongue[1], face_bottom + 0.5],
        [tongue_y + tongue[1], face_bottom - tongue[2]], [tongue_y, face_bottom - tongue[2]],
        [tongue_y - barb, barb_z], [tongue_y, barb_z + barb]]);
}
