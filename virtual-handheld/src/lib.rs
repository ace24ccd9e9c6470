//! An emulated RP2040 wired to 25 keys and 25 LEDs.
