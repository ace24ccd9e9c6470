//! The pins stand in one place: a firmware with every one of them moved plays as well.

use std::path::Path;
use std::process::Stdio;
use std::{fs, io};

use lights_out::board::Board;
use lights_out::gesture::Command;
use lights_out::wiring::Wiring;
use setup::progress::Step;
use setup::{Target, Toolchain};
use test_player::{Player, cell, ms};
use virtual_handheld::{Firmware, Handheld, Mishap, Options};

use crate::rp2040::firmware::support::expect_nothing_wrong;
use crate::scenarios::play::every_key_flips_its_pattern;

/// All pins that the reference does not use, in no order.
const MOVED: Wiring =
    Wiring { rows: [22, 0, 19, 14, 27], columns: [26, 1, 20, 12, 28], leds: 21, supply: 18, piezo: 13 };

/// The list in src/wiring.rs, with the pins moved.
fn moved_list() -> String {
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

/// With the times of change, by which cargo tells what it has to build again.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::copy(from, to)?;
    let changed = fs::metadata(from)?.modified()?;
    fs::File::options().write(true).open(to)?.set_modified(changed)
}

fn copy_folder(from: &Path, to: &Path, copy: fn(&Path, &Path) -> io::Result<()>) -> io::Result<()> {
    if !from.is_dir() {
        return copy(from, to);
    }
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)?.flatten() {
        copy_folder(&entry.path(), &to.join(entry.file_name()), copy)?;
    }
    Ok(())
}

/// Links what was compiled, which is much: who writes that anew removes it before, so the other name stays as it is. Not so what
/// cargo and build scripts note: that is copied, or our build would spoil what it was taken from.
fn take_over(from: &Path, to: &Path) -> io::Result<()> {
    let is_compiled = from.parent().is_some_and(|folder| folder.ends_with("deps"));
    if !is_compiled || fs::hard_link(from, to).is_err() {
        // What is gone meanwhile is built again.
        let _ = copy(from, to);
    }
    Ok(())
}

/// The firmware as it is, but for its pins.
fn built_with_moved_pins(folder: &Path) -> Firmware {
    for name in [
        ".cargo",
        "Cargo.lock",
        "Cargo.toml",
        "build.rs",
        "memory.x",
        "memory-rp2040.x",
        "src",
        "stand-ins",
        "wrong-target",
    ] {
        copy_folder(&setup::root().join(name), &folder.join(name), copy).expect("a copy");
    }
    let replace = |file: &str, from: &str, to: &str, by: &str| {
        let path = folder.join(file);
        let text = fs::read_to_string(&path).expect("a file");
        let begin = text.find(from).unwrap_or_else(|| panic!("{file} has {from}"));
        let end = begin + text[begin..].find(to).unwrap_or_else(|| panic!("{file} has {to}"));
        let changed = fs::metadata(&path).and_then(|data| data.modified()).expect("a time");
        fs::write(&path, format!("{}{by}{}", &text[..begin], &text[end..])).expect("a file");
        fs::File::options().write(true).open(&path).and_then(|file| file.set_modified(changed)).expect("a time");
    };
    replace("src/wiring.rs", "rows: [PIN_", "        }\n    };", &moved_list());
    replace("Cargo.toml", "members = [", "]\n", "members = [\".\", \"stand-ins/cbor-edn\", \"wrong-target\"");

    let step = Step::new(1, 1, "moved pins");
    let toolchain = Toolchain::for_target(Target::Rp2040, &step).expect("the target is there: the firmware was built");
    let target = folder.join("target");
    if !target.exists() {
        // What the firmware was built from serves here too.
        let products = toolchain.products("release").expect("a folder");
        let built = products.parent().and_then(Path::parent).expect("it is three levels down");
        for part in [Path::new("release"), &Path::new(Target::Rp2040.name()).join("release")] {
            copy_folder(&built.join(part), &target.join(part), take_over).expect("a copy");
        }
    }
    let mut cargo = toolchain.cargo("rustc").expect("cargo");
    cargo.args(["--release", "--package", "lights-out", "--bin", "lights-out", "--offline"]).current_dir(folder);
    // The other way of a compiler to name functions: by their names they are sorted into flash and RAM.
    cargo.args(["--", "-Csymbol-mangling-version=v0"]);
    cargo.env("CARGO_TARGET_DIR", &target).stdin(Stdio::null());
    let output = cargo.output().expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let elf = fs::read(target.join(Target::Rp2040.name()).join("release").join("lights-out")).expect("the firmware");
    Firmware::from_elf(&elf).expect("a firmware")
}

#[test]
fn a_firmware_with_every_pin_moved_plays_shows_sounds_and_crashes_as_well() {
    // It stays: the next run builds only what has changed.
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("moved-pins");
    fs::create_dir_all(&folder).expect("a folder");
    let firmware = built_with_moved_pins(&folder);

    let mut player = Player::new(Handheld::power_on(&firmware, Options { wiring: MOVED, ..Options::default() }));
    every_key_flips_its_pattern(&mut player);
    player.command(Command::Menu);
    player.choose(4, 4);
    player.command(Command::Menu);
    let before = player.device.tones().len();
    player.tap(cell(3, 3));
    assert!(player.device.tones().len() > before, "the piezo sounds");
    expect_nothing_wrong(&player.device);
    assert!(player.device.inflict(Mishap::Fault));
    player.wait(ms(100));
    assert_eq!(player.board(), Board::parse("#...# .#.#. ..#.. .#.#. #...#").unwrap());
}
