//! The 75 levels: five boards for each par from 1 to 15, in order. They must never change, because the results of
//! players refer to them.
//!
//! They were drawn by [`generator::of_par`](crate::generator::of_par) on the classic puzzle from `Pcg32::new(1995,
//! 75)`, par by par. A board that was already in the list was drawn again. A test repeats this and compares.

use crate::board::Board;

/// How many levels there are.
pub const COUNT: usize = BOARDS.len();
/// How many levels there are of each par.
const PER_PAR: usize = 5;

/// The board of a level, counted from 0.
pub const fn board(level: usize) -> Option<Board> {
    if level < COUNT { Some(Board::from_bits(BOARDS[level])) } else { None }
}

/// The par of a level, counted from 0.
pub const fn par(level: usize) -> u32 {
    (level / PER_PAR + 1) as u32
}

#[rustfmt::skip]
const BOARDS: [u32; 15 * PER_PAR] = [
    0x000_011C, 0x008_6200, 0x011_8400, 0x000_0047, 0x023_8800, // par 1
    0x08E_2461, 0x10C_48E2, 0x000_2294, 0x002_3062, 0x188_11C4, // par 2
    0x0EA_73C4, 0x011_A7CF, 0x182_6461, 0x1C4_8C03, 0x18A_3062, // par 3
    0x108_BD03, 0x041_8304, 0x10C_482B, 0x0A5_C818, 0x004_53B7, // par 4
    0x02E_1288, 0x0E1_AA18, 0x1C5_63DC, 0x16A_E4E1, 0x182_411E, // par 5
    0x015_B70B, 0x1B9_9699, 0x126_BFBE, 0x0E9_479B, 0x19A_57DE, // par 6
    0x117_4880, 0x005_21D0, 0x074_7DFC, 0x046_C48A, 0x06C_78BB, // par 7
    0x073_220F, 0x141_6E8F, 0x05C_0FBE, 0x0DD_8EF8, 0x08B_4151, // par 8
    0x06B_10A1, 0x1A5_B038, 0x0EC_16EC, 0x1FB_60FF, 0x00B_62AE, // par 9
    0x15F_9A62, 0x15F_684B, 0x139_D79E, 0x146_EF93, 0x0DF_43C8, // par 10
    0x1B5_0DD5, 0x00E_CDE6, 0x15C_8962, 0x13D_65B5, 0x1AA_A30E, // par 11
    0x0DC_F0EA, 0x043_5108, 0x061_EEBA, 0x13E_2371, 0x03B_814D, // par 12
    0x0BA_AAC8, 0x02D_EE99, 0x1D5_4962, 0x12C_5D30, 0x027_C7C5, // par 13
    0x039_930A, 0x026_7EE2, 0x055_141B, 0x199_24AB, 0x15C_289F, // par 14
    0x052_DF6D, 0x065_5B2B, 0x02A_38A8, 0x027_37AF, 0x01E_02DA, // par 15
];
