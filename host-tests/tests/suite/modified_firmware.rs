//! The firmware works after changes that must not matter. All pins are moved: the pins are defined in one place. The
//! other symbol mangling scheme is used, and the code is optimised for speed instead of size: nothing depends on the
//! placement of code by the compiler.

use std::path::Path;
use std::process::Stdio;
use std::{fs, io};

use emulator::{Firmware, Handheld, InjectedFault, Options};
use flash_image::Chip;
use lights_out::gesture::Command;
use lights_out::wiring::Wiring;
use player::{Player, cell, ms};
use setup::progress::Step;
use setup::{Target, Toolchain};

use crate::firmware::placement::{expect_only_saves_are_read_from_flash, with_erases};
use crate::firmware::support::{expect_no_faults, expect_red_cross};
use crate::scenarios::play::every_key_flips_its_pattern;

/// Pins that the reference wiring does not use, in no particular order.
const MOVED: Wiring =
    Wiring { rows: [22, 0, 19, 14, 27], columns: [26, 1, 20, 12, 28], leds: 21, supply: 18, piezo: 13 };

/// The list of pins for src/wiring.rs, with the pins moved.
fn moved_pins() -> String {
    let pins = |numbers: [u8; 5]| numbers.map(|number| format!("PIN_{number}")).join(", ");
    format!(
        "rows: [{}],\ncolumns: [{}],\nleds: PIN_{},\nsupply: PIN_{},\npiezo: PIN_{} of PWM_SLICE6 by new_output_b,\n",
        pins(MOVED.rows),
        pins(MOVED.columns),
        MOVED.leds,
        MOVED.supply,
        MOVED.piezo,
    )
}

/// Copies a file and its modification time. Cargo decides by this time what to build again.
fn copy_file(from: &Path, to: &Path) -> io::Result<()> {
    fs::copy(from, to)?;
    let changed = fs::metadata(from)?.modified()?;
    fs::File::options().write(true).open(to)?.set_modified(changed)
}

/// Copies a file, or a folder with everything in it.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    if !from.is_dir() {
        return copy_file(from, to);
    }
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)?.flatten() {
        copy(&entry.path(), &to.join(entry.file_name()))?;
    }
    Ok(())
}

/// Replaces the text of a file from `from` up to `to`, and keeps the file's modification time.
fn replace_text(path: &Path, from: &str, to: &str, by: &str) -> io::Result<()> {
    let text = fs::read_to_string(path)?;
    let begin = text.find(from).unwrap_or_else(|| panic!("{} does not have {from}", path.display()));
    let end = begin + text[begin..].find(to).unwrap_or_else(|| panic!("{} does not have {to}", path.display()));
    let changed = fs::metadata(path)?.modified()?;
    fs::write(path, format!("{}{by}{}", &text[..begin], &text[end..]))?;
    fs::File::options().write(true).open(path)?.set_modified(changed)
}

/// Copies the sources of the firmware, with the pins moved.
fn copy_sources(folder: &Path) -> io::Result<()> {
    // A file that was removed from the project must not stay in the copy.
    let _ = fs::remove_dir_all(folder.join("src"));
    for name in [".cargo", "Cargo.lock", "Cargo.toml", "build.rs", "memory.x", "src"] {
        copy(&setup::root().join(name), &folder.join(name))?;
    }
    replace_text(&folder.join("src/wiring.rs"), "rows: [PIN_", "        }\n    };", &moved_pins())?;
    replace_text(&folder.join("Cargo.toml"), "members = [", "]\n", "members = [\".\"")
}

/// Builds the firmware for a chip with moved pins, the other mangling scheme and the other optimisation. The folder
/// stays, so that the next run builds only what has changed.
fn build_firmware(target: Target) -> Firmware {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("modified-firmware-{}", target.name()));
    fs::create_dir_all(&folder).expect("a folder for the copy");
    copy_sources(&folder).expect("a copy of the sources");
    let step = Step::new(1, 1, "another build of the firmware");
    let toolchain = Toolchain::for_target(target, &step).expect("the toolchain that built the firmware");
    let products = folder.join("target");
    let mut cargo = toolchain.cargo("rustc");
    cargo.args(["--release", "--package", "lights-out", "--bin", "lights-out", "--offline"]).current_dir(&folder);
    cargo.args(["--target", target.name(), "--config", "profile.release.opt-level=3"]);
    cargo.args(["--", "-Csymbol-mangling-version=v0"]);
    cargo.env("CARGO_TARGET_DIR", &products).stdin(Stdio::null());
    let output = cargo.output().expect("cargo starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let elf = fs::read(products.join(target.name()).join("release").join("lights-out")).expect("the built file");
    Firmware::from_elf(&elf).expect("a firmware")
}

fn power_on(firmware: &Firmware, options: Options) -> Player<Handheld> {
    Player::new(Handheld::power_on(firmware, Options { wiring: MOVED, ..options }))
}

#[test]
fn modified_rp2350_firmware_reads_only_saves_from_flash() {
    let firmware = build_firmware(Target::Rp2350);
    expect_only_saves_are_read_from_flash(Chip::Rp2350, power_on(&firmware, with_erases(Chip::Rp2350)));
}

#[test]
fn modified_rp2040_firmware_plays_and_reads_only_saves() {
    let firmware = build_firmware(Target::Rp2040);
    expect_only_saves_are_read_from_flash(Chip::Rp2040, power_on(&firmware, with_erases(Chip::Rp2040)));

    let mut player = power_on(&firmware, Options::default());
    every_key_flips_its_pattern(&mut player);
    player.command(Command::Menu);
    player.choose(4, 4);
    player.command(Command::Menu);
    let before = player.device.tones().len();
    player.tap(cell(3, 3));
    assert!(player.device.tones().len() > before, "the piezo is silent");
    expect_no_faults(&player.device);
    assert!(player.device.inject_fault(InjectedFault::Fault));
    player.wait(ms(100));
    expect_red_cross(&player);
}
