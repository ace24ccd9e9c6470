//! A firmware that differs in what must not matter plays as well: every pin moved (the pins stand in one place), functions named by
//! the compiler's other scheme, and optimised for speed instead of size (nothing depends on where the compiler puts what).

use std::path::Path;
use std::process::Stdio;
use std::{fs, io};

use emulator::{Firmware, Handheld, Mishap, Options};
use lights_out::board::Board;
use lights_out::gesture::Command;
use lights_out::wiring::Wiring;
use player::{Player, cell, ms};
use setup::progress::Step;
use setup::{Target, Toolchain};

use crate::rp2040::firmware::placement as rp2040;
use crate::rp2040::firmware::support::expect_nothing_wrong;
use crate::rp2350::firmware::placement as rp2350;
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

fn copy_folder(from: &Path, to: &Path) -> io::Result<()> {
    if !from.is_dir() {
        return copy(from, to);
    }
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)?.flatten() {
        copy_folder(&entry.path(), &to.join(entry.file_name()))?;
    }
    Ok(())
}

/// The firmware as it is, but for its pins, the names of its functions and its optimisation.
fn built_otherwise(folder: &Path, target: Target) -> Firmware {
    // What is gone from the project is gone here.
    let _ = fs::remove_dir_all(folder.join("src"));
    for name in [".cargo", "Cargo.lock", "Cargo.toml", "build.rs", "memory.x", "src"] {
        copy_folder(&setup::root().join(name), &folder.join(name)).expect("a copy");
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
    replace("Cargo.toml", "members = [", "]\n", "members = [\".\"");

    let step = Step::new(1, 1, "another build of the firmware");
    let toolchain = Toolchain::for_target(target, &step).expect("the target is there: the firmware was built");
    let products = folder.join("target");
    let mut cargo = toolchain.cargo("rustc").expect("cargo");
    cargo.args(["--release", "--package", "lights-out", "--bin", "lights-out", "--offline"]).current_dir(folder);
    cargo.args(["--target", target.name(), "--config", "profile.release.opt-level=3"]);
    cargo.args(["--", "-Csymbol-mangling-version=v0"]);
    cargo.env("CARGO_TARGET_DIR", &products).stdin(Stdio::null());
    let output = cargo.output().expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let elf = fs::read(products.join(target.name()).join("release").join("lights-out")).expect("the firmware");
    Firmware::from_elf(&elf).expect("a firmware")
}

/// The firmware for a chip, built otherwise. The folder stays: the next run builds only what has changed.
fn firmware(target: Target) -> Firmware {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("built-otherwise-{}", target.name()));
    fs::create_dir_all(&folder).expect("a folder");
    built_otherwise(&folder, target)
}

fn switched_on(firmware: &Firmware, options: Options) -> Player<Handheld> {
    Player::new(Handheld::power_on(firmware, Options { wiring: MOVED, ..options }))
}

#[test]
fn rp2350_built_otherwise_leaves_flash_to_storage() {
    let player = switched_on(&firmware(Target::Rp2350), rp2350::with_erases());
    rp2350::expect_flash_is_only_read_by_storage(player);
}

#[test]
fn rp2040_built_otherwise_plays_and_leaves_flash_to_storage() {
    let firmware = firmware(Target::Rp2040);
    rp2040::expect_flash_is_only_read_by_storage(switched_on(&firmware, rp2040::with_erases()));

    let mut player = switched_on(&firmware, Options::default());
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
