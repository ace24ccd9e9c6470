// All parts assembled. `explode` = 1 shows them apart. `overlaps` = true leaves only the overlaps of parts that should
// not overlap: `cargo case` uses it.
include <parameters.scad>
use <top.scad>
use <body.scad>
use <door.scad>
use <cap.scad>
use <contents.scad>

explode = 0;
overlaps = false;

// Parts that rest on each other are moved apart by this distance, so that only real overlaps remain.
hair = 0.01;
// The overlap of each pair is moved to the right by this distance, so that the pairs can be told apart.
slot = 1000;

// In the order of `PAIRS` in tools/hardware/src/case/collisions.rs. The first pair must overlap: it proves that
// overlaps are found.
pairs = [
    ["body", "misplaced board"],
    ["top", "body"],
    ["top", "door"],
    ["top", "paths of the caps"],
    ["top", "contents"],
    ["body", "contents"],
    ["door", "contents"],
    ["cap", "key"],
    ["pressed cap", "housing"],
];

module item(name) {
    if (name == "top") translate([0, 0, 2 * hair]) top();
    if (name == "body") translate([0, 0, -hair]) body();
    if (name == "door") translate([0, 0, 2 * hair]) door();
    if (name == "contents") contents();
    if (name == "misplaced board") translate([board_gap + 0.1, 0, 0]) board();
    // The outline of each cap, from its rest position to its pressed position.
    if (name == "paths of the caps")
        slab(cap_bottom - key_travel, cap_top) for (key = keys) translate(at(key)) rounded_square(cap, cap_corner);
    // All keys and caps are the same, so one of them is enough.
    if (name == "cap") translate([0, 0, hair]) cap_at_rest();
    if (name == "pressed cap") translate([0, 0, hair - key_travel]) cap_at_rest();
    if (name == "key") { key_housing(); key_stem(); }
    if (name == "housing") key_housing();
}

if (overlaps) {
    for (i = [0:len(pairs) - 1])
        translate([i * slot, 0, 0]) intersection() { item(pairs[i][0]); item(pairs[i][1]); }
} else {
    color("#2a2d33") translate([0, 0, -30 * explode]) body();
    color("#1f5c3a") contents();
    color("#33373f") translate([0, 0, 25 * explode]) top();
    color("#3b4049") translate([0, 0, 45 * explode]) door();
    color("#f0ede6") translate([0, 0, 55 * explode])
        for (key = keys) translate(at(key)) cap_at_rest();
}
