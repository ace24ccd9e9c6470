// All of it together. `explode` = 1 takes it apart for the eye. `overlaps` = true leaves only what two things share that should
// share nothing: `cargo case` asks for that.
include <parameters.scad>
use <top.scad>
use <body.scad>
use <door.scad>
use <cap.scad>
use <contents.scad>

explode = 0;
overlaps = false;

// Things that rest on each other are held apart by this, so that nothing is shared but what is wrong.
hair = 0.01;
// Each pair's overlap is shown this much further to the right, so that it can be told whose it is.
slot = 1000;

// In the order of `PAIRS` in tools/hardware/src/case/collisions.rs. The first must overlap: it shows that overlaps are seen.
pairs = [
    ["body", "board out of place"],
    ["top", "body"],
    ["top", "door"],
    ["top", "ways of the caps"],
    ["top", "contents"],
    ["body", "contents"],
    ["door", "contents"],
    ["cap", "key"],
    ["pressed cap", "housing"],
];

module thing(name) {
    if (name == "top") translate([0, 0, 2 * hair]) top();
    if (name == "body") translate([0, 0, -hair]) body();
    if (name == "door") translate([0, 0, 2 * hair]) door();
    if (name == "contents") contents();
    if (name == "board out of place") translate([board_gap + 0.1, 0, 0]) board();
    // A cap's outline, from where it rests to where it is pressed.
    if (name == "ways of the caps")
        slab(cap_bottom - key_travel, cap_top) for (key = keys) translate(at(key)) rounded_square(cap, cap_corner);
    // All keys and caps are the same, so one of them stands for all.
    if (name == "cap") translate([0, 0, hair]) cap_at_rest();
    if (name == "pressed cap") translate([0, 0, hair - key_travel]) cap_at_rest();
    if (name == "key") { key_housing(); key_stem(); }
    if (name == "housing") key_housing();
}

if (overlaps) {
    for (i = [0:len(pairs) - 1])
        translate([i * slot, 0, 0]) intersection() { thing(pairs[i][0]); thing(pairs[i][1]); }
} else {
    color("#2a2d33") translate([0, 0, -30 * explode]) body();
    color("#1f5c3a") contents();
    color("#33373f") translate([0, 0, 25 * explode]) top();
    color("#3b4049") translate([0, 0, 45 * explode]) door();
    color("#f0ede6") translate([0, 0, 55 * explode])
        for (key = keys) translate(at(key)) cap_at_rest();
}
