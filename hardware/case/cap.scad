// A key cap for the stems of Cherry MX keys. Printed on its face, translucent. `cap_at_rest` is over the origin, at its
// height on a key that is not pressed.
include <parameters.scad>

// Both arms of the socket go through the whole post: in the key's opening there is no space for a wall beyond their
// ends. So the post ends in four prongs, which bend a little where the stem is tight.
module socket(stem_play) {
    square([stem_thickness[1] + stem_play, post[1] + 1], center = true);
    square([post[0] + 1, stem_thickness[0] + stem_play], center = true);
}

module post_outline()
    offset(r = 0.6, $fn = 16) square(post - [1.2, 1.2], center = true);

// The post, from its end to a roof above the stem.
module post_below(roof, stem_play) {
    slab(stem_top, roof) post_outline();
    slab(post_bottom, stem_top) difference() {
        post_outline();
        socket(stem_play);
    }
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
    post_below(roof, stem_play);
}
