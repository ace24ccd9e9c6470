// All parts assembled: open it in OpenSCAD to look at the case. `explode` = 1 shows the parts apart. With the name of a
// part in `item`, it is that part only, where it is in the assembled handheld: hardware/tools/case.py uses it.
include <parameters.scad>
use <top.scad>
use <body.scad>
use <door.scad>
use <cap.scad>
use <test-plate.scad>
use <contents.scad>

explode = 0;
item = "";

echo(keys = [for (key = keys) at(key)]);
echo(key_travel = key_travel);

module part(name) {
    // To print. Caps and keys are over the origin.
    if (name == "body") body();
    if (name == "top") top();
    if (name == "door") door();
    if (name == "cap") cap_at_rest();
    if (name == "test-plate") test_plate();
    // To buy.
    if (name == "board") board();
    if (name == "board edge") board_edge();
    if (name == "back parts") back_parts();
    if (name == "lights") lights();
    if (name == "key housing") key_housing();
    if (name == "key slider") key_slider();
    if (name == "key stem") key_stem();
    if (name == "Pico headers") pico_headers();
    if (name == "Pico") pico_board();
    if (name == "parts of the Pico") pico_parts();
    if (name == "Pico chip") pico_chip();
    if (name == "BOOTSEL") pico_button();
    if (name == "USB socket") usb_socket();
    if (name == "USB plug") usb_grip();
    if (name == "battery tape") battery_tape();
    if (name == "battery holder") battery_holder();
    if (name == "battery cells") battery_cells();
    if (name == "battery ends") battery_ends();
    if (name == "connector") connector();
    if (name == "piezo") piezo();
    if (name == "switch") switch_housing();
    if (name == "lever up") lever(-1);
    if (name == "lever down") lever(1);
    if (name == "screws") screws();
}

module parts(names) for (name = names) part(name);

if (item != "") {
    part(item);
} else {
    color("#2a2d33") translate([0, 0, -30 * explode]) body();
    color("#1f5c3a") parts(["board", "Pico"]);
    color("#d0d0d0") parts(["lights", "USB socket", "lever up", "connector"]);
    color("#33373f") parts(["Pico headers", "Pico chip", "battery holder", "piezo", "switch"]);
    color("#b08a3c") parts(["battery cells", "battery ends"]);
    for (key = keys) translate(at(key)) {
        color("#8090a0") part("key housing");
        color("#b03030") parts(["key slider", "key stem"]);
        color("#f0ede6") translate([0, 0, 55 * explode]) part("cap");
    }
    color("#33373f") translate([0, 0, 25 * explode]) top();
    color("#3b4049") translate([0, 0, 45 * explode]) door();
}
