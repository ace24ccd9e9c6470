//! The firmware without its debug information: the same program, and the same log.

use std::time::Duration;

use emulator::{Firmware, Handheld, Options};
use flash_image::strip;

#[test]
fn what_is_left_runs_and_tells_its_log() {
    let path = std::env::var_os("LIGHTS_OUT_ELF").expect("LIGHTS_OUT_ELF is not set: run `cargo host-tests`");
    let whole = std::fs::read(path).unwrap();
    let small = strip(&whole).unwrap();
    assert!(small.len() < 200_000, "{} bytes", small.len());
    let [whole, small] = [whole, small].map(|elf| Firmware::from_elf(&elf).unwrap());
    assert!(whole.image() == small.image(), "what is flashed is the same");
    let [expected, told] = [whole, small].map(|firmware| {
        let mut handheld = Handheld::power_on(&firmware, Options::default());
        handheld.run_for(Duration::from_secs(1));
        handheld.logs().iter().map(|line| (line.at, line.text.clone())).collect::<Vec<_>>()
    });
    assert!(!expected.is_empty());
    assert_eq!(told, expected);
}

#[test]
fn rubbish_is_refused() {
    assert!(strip(b"").is_err());
    assert!(strip(&[0x7F; 4096]).is_err());
}
