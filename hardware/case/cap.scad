// A key cap for Cherry MX stems. Printed lying on its face, translucent. `cap_at_rest` stands over the origin, at its height.
include <parameters.scad>

// The arm along y goes right through the post: the third of a millimetre that would be left at its ends breaks.
// So the post is two jaws, which spring.
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
