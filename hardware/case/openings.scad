// The openings in the walls. Both reach down to the seam of top and body. So the board with its USB socket and lever
// can be laid into the top, and the printer has no bridges to print.
include <parameters.scad>

module usb_opening() {
    x = pico_usb[0] - usb_plug[0] / 2;
    slab(-0.01, usb_z + usb_plug[1] / 2)
        board_rectangle(x, -outer - 1, usb_plug[0], outer + 1);
}

// The opening in the right wall, as long as the travel of the lever. The outer half of the wall is bevelled at 45
// degrees, for a fingertip.
module lever_opening() {
    length = switch_travel + lever_size[0] + 2 * lever_room;
    height = switch_lever[2] + lever_size[1] / 2 + lever_room;
    x = board_size[0];
    bevel_start = x + board_gap + thinnest;
    bevel = x + outer + 1 - bevel_start;
    slab(-0.01, height) board_rectangle(x, switch_lever[1] - length / 2, outer + 1, length);
    hull() {
        slab(-0.01, height) board_rectangle(bevel_start, switch_lever[1] - length / 2, 0.01, length);
        slab(-0.01, height + bevel)
            board_rectangle(bevel_start + bevel, switch_lever[1] - length / 2 - bevel, 0.01, length + 2 * bevel);
    }
}
