//! Corrections of instructions that the emulator crate decodes wrongly.
//!
//! The core caches decoded instructions, so a correction is made once for each address of a program.
//!
//! - **LDA, STL, LDAEX, STLEX** and their narrow forms (load-acquire and store-release): the emulator crate executes
//!   them as LDRD and STRD, with a wrong address and a wrong second register. With one core that executes in order,
//!   each has the same effect as its plain form.
//! - **CPS**: the emulator crate exchanges the bits of PRIMASK and FAULTMASK.
//! - **BKPT**: the emulator crate executes it as NOP. Without a debugger it is a fault, like UDF.

const UDF: u16 = 0xDE00;

/// The corrected first or only halfword of an instruction.
pub(crate) fn first(halves: [u16; 2]) -> u16 {
    match halves[0] {
        op if op & 0xFFEC == 0xB660 => op & !3 | (op & 1) << 1 | op >> 1 & 1,
        op if op & 0xFF00 == 0xBE00 => UDF,
        op => without_ordering(halves).map_or(op, |[first, _]| first),
    }
}

/// The corrected second halfword of an instruction of two halfwords.
pub(crate) fn second(halves: [u16; 2]) -> u16 {
    without_ordering(halves).map_or(halves[1], |[_, second]| second)
}

/// The plain form of a load-acquire or store-release instruction.
pub(crate) fn without_ordering([first, second]: [u16; 2]) -> Option<[u16; 2]> {
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
