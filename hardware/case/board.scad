// Made by `cargo pcb`. Change tools/hardware/src/pcb/mechanics.rs, not this.
// Millimetres, seen from the front: the board's top left corner is the origin, x to the right, y down, z up.
board_size = [99, 149];
board_thickness = 1.6;
board_corner = 3; // radius
key_pitch = 19.05;
keys = [[11.4, 61.4], [30.45, 61.4], [49.5, 61.4], [68.55, 61.4], [87.6, 61.4], [11.4, 80.45], [30.45, 80.45], [49.5, 80.45], [68.55, 80.45], [87.6, 80.45], [11.4, 99.5], [30.45, 99.5], [49.5, 99.5], [68.55, 99.5], [87.6, 99.5], [11.4, 118.55], [30.45, 118.55], [49.5, 118.55], [68.55, 118.55], [87.6, 118.55], [11.4, 137.6], [30.45, 137.6], [49.5, 137.6], [68.55, 137.6], [87.6, 137.6]]; // centres, cell by cell
lights = [[11.4, 66.48], [30.45, 66.48], [49.5, 66.48], [68.55, 66.48], [87.6, 66.48], [11.4, 85.53], [30.45, 85.53], [49.5, 85.53], [68.55, 85.53], [87.6, 85.53], [11.4, 104.58], [30.45, 104.58], [49.5, 104.58], [68.55, 104.58], [87.6, 104.58], [11.4, 123.63], [30.45, 123.63], [49.5, 123.63], [68.55, 123.63], [87.6, 123.63], [11.4, 142.68], [30.45, 142.68], [49.5, 142.68], [68.55, 142.68], [87.6, 142.68]]; // centres
holes = [[3.5, 3.5], [95.5, 3.5], [20.925, 128.075], [78.075, 128.075]]; // for M2 screws
hole_diameter = 2.2;
pico = [19, 25.5]; // centre
pico_size = [21, 51];
pico_standoff = 2.54; // from the board to the Pico's underside
pico_bootsel = [16, 12.75]; // the button's centre, within half a millimetre
pico_usb = [19, -1.3]; // middle of the connector's front edge
battery_bay = [40, 4, 52, 37]; // left, top, width, height
battery_connector = [38.3, 45.5]; // between its two pins
switch_at = [96.4, 45]; // middle of its pins
switch_body = [4.4, 8.6, 4.7]; // width, height, height above the board
switch_lever = [102.6, 45, 2.35]; // its tip, in the middle of its travel
switch_travel = 2; // along y, from one end to the other
piezo_at = [59, 47.2]; // centre
piezo_size = [12.2, 6.5]; // diameter, height
back_height = 2; // what stands out most at the back, solder included
// What stands on the front, keys apart: left, top, width, height, and up to where above the board.
front_parts = [
    [8.5, 0, 21, 51, 6.24], // Pico
    [40, 4, 52, 37, 14], // battery
    [35.35, 43.8, 5.9, 4.5, 8], // connector
    [52.9, 41.1, 12.2, 12.2, 6.5], // piezo
    [94.2, 40.7, 4.4, 8.6, 4.7], // switch
];
