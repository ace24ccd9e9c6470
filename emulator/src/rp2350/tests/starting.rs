//! The start by the boot ROM, and its functions for a running program.

use super::*;
use crate::rp2350::rom;
use crate::{ResetCause, StopReason};

/// The address of the lookup function.
const LOOKUP: u32 = 0x201;

#[test]
fn image_without_image_def_does_not_start() {
    let mut program = Program::for_rp2350();
    program.write(RAM, 1).op(SELF);
    let mut without = Program::for_rp2350();
    without.bytes.clone_from(&program.bytes);
    without.bytes[0x110] ^= 1;
    let mut started = program.start(Options::default());
    let mut refused = without.start(Options::default());
    started.run_for(ms(1));
    refused.run_for(ms(1));
    assert_eq!((started.ram(RAM), started.stop_reason()), (1, None));
    assert_eq!((refused.ram(RAM), refused.stop_reason()), (0, Some(StopReason::BootRom)));
}

#[test]
fn rom_functions_are_found_and_flash_has_4_mb() {
    let mut program = Program::for_rp2350();
    program.write(RAM + 0x100, 0x4433_2211).op(CPSID);
    for (code, arguments) in [(b"RE", [0x3F_F000, 4096, 1 << 16]), (b"RP", [0x3F_F000, RAM + 0x100, 4])] {
        program.call(LOOKUP, [u16::from_le_bytes(*code).into(), 4, 0]);
        // `mov r4, r0`, the arguments, `blx r4`.
        program.op(0x4604).load(0, arguments[0]).load(1, arguments[1]).load(2, arguments[2]).op(0x47A0);
    }
    program.copy(0x103F_F000, RAM).op(SELF);
    let old = Options { flash: Some(vec![0; 4 << 20]), ..Options::default() };
    let mut handheld = program.start(old);
    handheld.run_for(ms(44));
    assert!(handheld.is_flash_erasing());
    handheld.run_for(ms(3));
    assert_eq!(handheld.ram(RAM), 0x4433_2211);
    assert_eq!(handheld.power_off()[0x3F_EFFF..0x3F_F005], [0, 0x11, 0x22, 0x33, 0x44, 0xFF]);
}

#[test]
fn boot_ram_function_can_be_copied_and_called() {
    // embassy-rp copies the function from BOOTRAM to RAM.
    let mut program = Program::for_rp2350();
    program.copy(0x400E_0000, RAM + 0x80).call(RAM + 0x81, [0; 3]).write(RAM, 1);
    assert_eq!(run(&mut program).ram(RAM), 1);
}

#[test]
fn program_can_request_a_reboot() {
    let mut program = Program::for_rp2350();
    let reboot = rom::address(b"RB").expect("a known code");
    program.copy(RAM, RAM + 4).write(RAM, 1).call(reboot, [0x100, 1, 0]).op(SELF);
    let mut handheld = program.start(Options::default());
    handheld.run_for(Duration::from_micros(30));
    assert_eq!((handheld.resets()[0].cause, handheld.ram(RAM + 4)), (ResetCause::Forced, 1));
}
