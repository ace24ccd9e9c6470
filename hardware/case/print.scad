// One part in its position on the printer's bed: `openscad -D 'part="top"' -o top.stl print.scad`.
include <parameters.scad>
use <top.scad>
use <body.scad>
use <door.scad>
use <cap.scad>

part = "top";   // or body, door, cap

module on_its_face(top) rotate([180, 0, 0]) translate([0, 0, -top]) children();

if (part == "top") on_its_face(face_top) top();
if (part == "body") translate([0, 0, -floor_bottom]) body();
if (part == "door") on_its_face(face_top) door();
if (part == "cap") on_its_face(cap_top) cap_at_rest();
