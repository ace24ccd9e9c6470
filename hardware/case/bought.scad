// Sizes of the parts that are bought, in mm, and where each number is from. Their positions are in board.scad.
// x right, y down, z up from the front of the board, as in board.scad.

// --- Keys: Cherry MX and compatible ones (Cherry's data sheet, and the usual key spacing)
key_pitch = 19.05;
key_body = 14;                 // width of the housing below the flange
key_flange = [15.6, 5, 6.2];   // width, lower z, upper z. Its corners are taken as sharp
key_narrow = 11.6;             // width of the housing at its top
key_top = 11.6;                // z
key_opening = [7.2, 5.5];      // in the top of the housing, for the slider; the post of a pressed cap enters it
key_slider = [6.9, 5.2];       // the moving part below the stem: it fits the opening with the usual 0.15 mm
key_travel = 4;
stem_top = 15.2;               // z, with the key released
stem_length = 3.6;             // from the slider to the stem's top
stem_arm = 4.1;                // the stem is a cross; both arms have this length
stem_thickness = [1.31, 1.17]; // of the arm along x, and of the arm along y

// --- Raspberry Pi Pico, Pico W, Pico 2, Pico 2 W: the same outline (data sheets, mechanical drawing)
pico_size = [21, 51, 1];       // width, height, thickness
pico_standoff = 2.54;          // from the board to the Pico's underside: the plastic of the pin headers
pico_tallest = 2.7;            // above the Pico: the USB socket, and the solder of the pins
pico_pin_1 = [-8.89, -24.13];  // from the Pico's centre
bootsel = pico_pin_1 + [5.39, 10.63];   // the button's centre, from the Pico's centre
bootsel_top = 2;               // the button's height above the Pico
usb_socket = [8, 6, 2.6];      // width, length, height
usb_overhang = 1.3;            // from the Pico's edge to the socket's front
usb_plug = [13, 9];            // the grip of a thick plug: width, height. Slim ones have 11 x 7

// --- Three AAA cells in a row, in a plastic holder with wires: its length and width are the board's `battery_bay`
battery_tape = 1;              // double-sided foam tape that holds it on the board
battery_height = 14;           // of the holder with its cells: holders have 12 to 14
cell_size = [10.5, 44.5];      // diameter and length with both ends (IEC 60086-2, R03)

// --- Small parts
connector_size = [5.9, 4.5, 8];   // JST B2B-PH-K-S with its plug (data sheet)
connector_pins = [2.95, 1.7];     // from its upper left corner to the middle between its pins
switch_body = [4.4, 8.6, 4.7];    // C&K OS102011MA1QN1 (data sheet): width, length along the board's edge, height
switch_lever = [4, 2, 1.6];       // length outside the body, width along its travel, thickness
switch_travel = 2;                // of the lever along y, from one end to the other
piezo_size = [12.2, 6.5];         // TDK PS1240P02BT (data sheet): diameter, height
light_size = [3.2, 2.8];          // SK6812MINI-E (data sheet): the body, which looks through the board
back_height = 2;                  // at the back: legs of keys and headers, cut to 2 mm. All other parts are lower

// --- Screws: self-tapping M2 x 10 for plastic, with a pan head
screw_diameter = 2;
screw_core = 1.4;                 // between the threads, 0.7 of the diameter
screw_length = 10;
screw_head = [4, 1.4];            // the largest ones: diameter, height
