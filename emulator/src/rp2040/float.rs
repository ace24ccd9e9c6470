//! The floating-point functions of the boot ROM. Arguments and results are in the registers.

use crate::chip_interface::RomCallResult;

/// Executes the single-precision function at `offset` of its table.
pub(super) fn run_single(r: &mut [u32; 16], offset: usize) -> RomCallResult {
    let (x, y) = (f32::from_bits(r[0]), f32::from_bits(r[1]));
    let wide = u64::from(r[1]) << 32 | u64::from(r[0]);
    let scale = 2f32.powi(r[1] as i32);
    let result = match offset {
        0x00 => (x + y).to_bits(),
        0x04 => (x - y).to_bits(),
        0x08 => (x * y).to_bits(),
        0x0C => (x / y).to_bits(),
        0x18 => x.sqrt().to_bits(),
        0x1C => x.floor() as i32 as u32,
        0x20 => (x * scale).floor() as i32 as u32,
        0x24 => x as u32,
        0x28 => (x * scale) as u32,
        0x2C => (r[0] as i32 as f32).to_bits(),
        0x30 => (r[0] as i32 as f32 / scale).to_bits(),
        0x34 => (r[0] as f32).to_bits(),
        0x38 => (r[0] as f32 / scale).to_bits(),
        0x3C => x.cos().to_bits(),
        0x40 => x.sin().to_bits(),
        0x44 => x.tan().to_bits(),
        0x4C => x.exp().to_bits(),
        0x50 => x.ln().to_bits(),
        0x54 => compare(x.partial_cmp(&y)),
        0x58 => x.atan2(y).to_bits(),
        0x5C => (wide as i64 as f32).to_bits(),
        0x64 => (wide as f32).to_bits(),
        0x6C => return return_u64(r, x.floor() as i64 as u64),
        0x74 => return return_u64(r, x as u64),
        0x7C => return return_u64(r, f64::from(x).to_bits()),
        _ => return RomCallResult::NeverReturns,
    };
    r[0] = result;
    RomCallResult::Return(70)
}

/// Executes the double-precision function at `offset` of its table.
pub(super) fn run_double(r: &mut [u32; 16], offset: usize) -> RomCallResult {
    let wide = |low: usize| u64::from(r[low + 1]) << 32 | u64::from(r[low]);
    let (x, y) = (f64::from_bits(wide(0)), f64::from_bits(wide(2)));
    let scale = 2f64.powi(r[2] as i32);
    let result = match offset {
        0x00 => x + y,
        0x04 => x - y,
        0x08 => x * y,
        0x0C => x / y,
        0x18 => x.sqrt(),
        0x2C => f64::from(r[0] as i32),
        0x30 => f64::from(r[0] as i32) / 2f64.powi(r[1] as i32),
        0x34 => f64::from(r[0]),
        0x38 => f64::from(r[0]) / 2f64.powi(r[1] as i32),
        0x3C => x.cos(),
        0x40 => x.sin(),
        0x44 => x.tan(),
        0x4C => x.exp(),
        0x50 => x.ln(),
        0x58 => x.atan2(y),
        0x5C => wide(0) as i64 as f64,
        0x64 => wide(0) as f64,
        0x6C => return return_u64(r, x.floor() as i64 as u64),
        0x74 => return return_u64(r, x as u64),
        _ => {
            r[0] = match offset {
                0x1C => x.floor() as i32 as u32,
                0x20 => (x * scale).floor() as i32 as u32,
                0x24 => x as u32,
                0x28 => (x * scale) as u32,
                0x54 => compare(x.partial_cmp(&y)),
                0x7C => (x as f32).to_bits(),
                _ => return RomCallResult::NeverReturns,
            };
            return RomCallResult::Return(90);
        }
    };
    return_u64(r, result.to_bits())
}

fn compare(order: Option<core::cmp::Ordering>) -> u32 {
    order.map_or(0, |order| order as i32) as u32
}

/// Returns a 64-bit result in two registers.
fn return_u64(r: &mut [u32; 16], value: u64) -> RomCallResult {
    r[0] = value as u32;
    r[1] = (value >> 32) as u32;
    RomCallResult::Return(90)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn float_functions_compute_in_the_registers() {
        let mut r = [0; 16];
        (r[0], r[1]) = (1.5f32.to_bits(), 2.25f32.to_bits());
        assert_eq!(run_single(&mut r, 0), RomCallResult::Return(70));
        assert_eq!(f32::from_bits(r[0]), 3.75);
        assert_eq!(return_u64(&mut r, 3f64.to_bits()), RomCallResult::Return(90));
        run_double(&mut r, 0x1C);
        assert_eq!(r[0], 3);
        assert_eq!(run_single(&mut r, 0x10), RomCallResult::NeverReturns);
    }
}
