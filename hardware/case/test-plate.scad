// Three sockets for a key's stem, with a play of 0.1, 0.2 and 0.3 mm, to find `stem_play` before 25 caps are printed.
// The number of notches beside a socket is its play in tenths. Printed like a cap, from the same material.
include <parameters.scad>
use <cap.scad>

spacing = 13;    // the sockets that are not in use stay clear of the stems of the keys beside
width = 14;
notch = 1.5;
thickness = 1.6;
roof = stem_top + 2;

module test_plate() {
    slab(roof, roof + thickness) difference() {
        translate([-width / 2, -width / 2]) square([width + 2 * spacing, width]);
        for (i = [0:2]) for (n = [0:i])
            translate([i * spacing + (n - i / 2) * 2 * notch, -width / 2]) square([notch, 2 * notch], center = true);
    }
    for (i = [0:2]) translate([i * spacing, 0]) post_below(roof, test_plays[i]);
}
