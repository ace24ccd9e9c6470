//! Instructions that the emulator takes for others, and what it is given in their place.
//!
//! What the core fetches is cached by it, decoded; so this is asked once for each place in a program.
//!
//! - **LDA, STL, LDAEX, STLEX** and their narrow forms, the loads that acquire and the stores that release: it does not know them and runs them as
//!   LDRD and STRD, which go elsewhere and change another register. With one core and nothing out of order each is the same as its plain form.
//! - **CPS**: it takes the bit of PRIMASK for that of FAULTMASK, and the other way round.
//! - **BKPT**: it takes it for a NOP. Without a debugger it is a fault, and so is UDF.

const UDF: u16 = 0xDE00;

/// What the emulator shall execute for a halfword, the first of an instruction or its only one.
pub fn first(halves: [u16; 2]) -> u16 {
    match halves[0] {
        op if op & 0xFFEC == 0xB660 => op & !3 | (op & 1) << 1 | op >> 1 & 1,
        op if op & 0xFF00 == 0xBE00 => UDF,
        op => without_order(halves).map_or(op, |[first, _]| first),
    }
}

/// The same for the second halfword of an instruction of two.
pub fn second(halves: [u16; 2]) -> u16 {
    without_order(halves).map_or(halves[1], |[_, second]| second)
}

/// The plain form of a load that acquires, or a store that releases.
pub fn without_order([first, second]: [u16; 2]) -> Option<[u16; 2]> {
    let (rn, rt, rd) = (first & 0xF, second & 0xF000, second & 0xF);
    let kind = second >> 4 & 0xFF;
    match first & 0xFFF0 {
        0xE8D0 => match kind {
            0xF8 => Some([0xF890 | rn, rt]),
            0xF9 => Some([0xF8B0 | rn, rt]),
            0xFA => Some([0xF8D0 | rn, rt]),
            0xFC => Some([first, rt | 0xF4F]),
            0xFD => Some([first, rt | 0xF5F]),
            0xFE => Some([0xE850 | rn, rt | 0xF00]),
            _ => None,
        },
        0xE8C0 => match kind {
            0xF8 => Some([0xF880 | rn, rt]),
            0xF9 => Some([0xF8A0 | rn, rt]),
            0xFA => Some([0xF8C0 | rn, rt]),
            0xFC => Some([first, rt | 0xF40 | rd]),
            0xFD => Some([first, rt | 0xF50 | rd]),
            0xFE => Some([0xE840 | rn, rt | rd << 8]),
            _ => None,
        },
        _ => None,
    }
}
