// A key cap for Cherry MX stems. Printed on its face, translucent. `cap_at_rest` is over the origin, at its height on a
// key that is not pressed.
include <parameters.scad>

// The arm along y goes through the whole post, because a wall of 0.3 mm at its ends would break. So the post consists
// of two flexible jaws.
module socket() {
    square([stem_thickness[1] + stem_play, post[1] + 1], center = true);
    square([stem_arm + stem_play, stem_thickness[0] + stem_play], center = true);
}

module cap_at_rest() {
    roof = cap_top - cap_roof;
    hull() {
        slab(roof, cap_top - cap_edge) rounded_square(cap, cap_corner);
        slab(cap_top - cap_edge, cap_top) rounded_square(cap - 2 * cap_edge, cap_corner - cap_edge);
    }
    slab(cap_bottom, roof) difference() {
        rounded_square(cap, cap_corner);
        rounded_square(cap - 2 * cap_wall, cap_corner - cap_wall);
    }
    slab(stem_top, roof) rounded_square_of(post);
    slab(post_bottom, stem_top) difference() {
        rounded_square_of(post);
        socket();
    }
}

module rounded_square_of(size)
    offset(r = 0.6, $fn = 16) square([size[0] - 1.2, size[1] - 1.2], center = true);
