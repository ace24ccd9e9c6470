// The openings in the walls. Both reach down to the seam of top and body. So the board with its USB socket and lever
// can be laid into the top, and the printer has no bridges to print. The USB opening is for the grip of a thick plug,
// which goes in too: the Pico's socket is behind the wall.
include <parameters.scad>

module usb_opening() {
    size = usb_plug + 2 * [plug_gap, plug_gap];
    slab(usb_z - size[1] / 2, usb_z + size[1] / 2)
        board_rectangle(pico[0] - size[0] / 2, -outer - 1, size[0], outer + 1);
}

// The opening in the right wall, as long as the travel of the lever. The outer half of the wall is bevelled at 45
// degrees, for a fingertip.
module lever_opening() {
    length = switch_travel + switch_lever[1] + 2 * lever_room;
    top = lever_z + switch_lever[2] / 2 + lever_room;
    x = board_size[0];
    bevel_start = x + board_gap + thinnest;
    bevel = x + outer + 1 - bevel_start;
    slab(-seam - 0.01, top) board_rectangle(x, switch_at[1] - length / 2, outer + 1, length);
    hull() {
        slab(-seam - 0.01, top) board_rectangle(bevel_start, switch_at[1] - length / 2, 0.01, length);
        slab(-seam - 0.01, top + bevel)
            board_rectangle(bevel_start + bevel, switch_at[1] - length / 2 - bevel, 0.01, length + 2 * bevel);
    }
}
