//! The firmware without its debug information: the same program, and the same log.

use std::time::Duration;

use emulator::{Firmware, Handheld, Options};
use flash_image::strip;

#[test]
fn stripped_firmware_runs_and_logs_the_same() {
    let path = std::env::var_os("LIGHTS_OUT_ELF").expect("LIGHTS_OUT_ELF is not set: run `cargo host-tests`");
    let whole = std::fs::read(path).unwrap();
    let small = strip(&whole).unwrap();
    assert!(small.len() < 200_000, "{} bytes", small.len());
    let [whole, small] = [whole, small].map(|elf| Firmware::from_elf(&elf).unwrap());
    assert!(whole.image() == small.image(), "the flash content is the same");
    let [expected, logged] = [whole, small].map(|firmware| {
        let mut handheld = Handheld::power_on(&firmware, Options::default());
        handheld.run_for(Duration::from_secs(1));
        handheld.logs().iter().map(|line| (line.at, line.text.clone())).collect::<Vec<_>>()
    });
    assert!(!expected.is_empty());
    assert_eq!(logged, expected);
}

#[test]
fn stripping_twice_changes_nothing_more() {
    let path = std::env::var_os("LIGHTS_OUT_ELF").expect("LIGHTS_OUT_ELF is not set: run `cargo host-tests`");
    let small = strip(&std::fs::read(path).unwrap()).unwrap();
    assert!(strip(&small).unwrap() == small);
}

#[test]
fn file_that_is_not_elf_is_refused() {
    assert!(strip(b"").is_err());
    assert!(strip(&[0x7F; 4096]).is_err());
}
