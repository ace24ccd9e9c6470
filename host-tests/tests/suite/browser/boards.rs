//! The board that the page's handheld is built on: chosen in the workshop, or brought by a file.

use std::env;
use std::fs;
use std::path::PathBuf;

use flash_image::{Chip, Image, uf2};
use lights_out::level_boards;

use super::page::{PATIENCE, Visitor, visit};
use super::{pressed, scratch};

in_both_browsers! {
    visit:
    a_pico_2_is_chosen_and_played,
    a_file_brings_its_board,
}

fn choose(visitor: &mut Visitor, chip: Chip) {
    visitor.unfold("workshop");
    visitor.click(&format!("#boards input[value={}] + span", chip.to_string().to_lowercase()));
    expect_board(visitor, chip);
}

/// The page tells of this board wherever it tells of one.
#[track_caller]
fn expect_board(visitor: &mut Visitor, chip: Chip) {
    let told = "[document.getElementById('board').textContent, document.getElementById('chip').textContent, \
                document.querySelector('#boards input:checked').value].join()";
    let expected = format!("{},{chip},{}", chip.board(), chip.to_string().to_lowercase());
    visitor.expect(PATIENCE, &expected, |page| page.value(told) == expected.as_str());
}

fn first_level() -> u32 {
    level_boards::board(0).expect("a level").bits()
}

fn elf(chip: Chip) -> PathBuf {
    let variable = match chip {
        Chip::Rp2040 => "LIGHTS_OUT_ELF",
        Chip::Rp2350 => "LIGHTS_OUT_PICO2_ELF",
    };
    env::var_os(variable).unwrap_or_else(|| panic!("{variable} is not set: run `cargo host-tests`")).into()
}

fn a_pico_2_is_chosen_and_played(visitor: &mut Visitor) {
    expect_board(visitor, Chip::Rp2040);
    visitor.tap(12);
    visitor.expect_status("1 move");
    choose(visitor, Chip::Rp2350);
    visitor.expect_notice("This is the Pico 2 now, with a memory of its own.");
    visitor.expect_status("Level 1 · 0 moves");
    visitor.expect_lit(first_level());
    for (moves, told) in [(&[7][..], "1 move"), (&[7, 8], "2 moves")] {
        visitor.tap(moves[moves.len() - 1]);
        visitor.expect_status(told);
        visitor.expect_lit(pressed(first_level(), moves));
    }
    visitor.expect(PATIENCE, "the clock", |page| page.text("clock").ends_with(" MHz"));
    // The choice and the game are there the next time, and the other board's game was not touched.
    visitor.let_it_be_kept();
    visitor.reload();
    expect_board(visitor, Chip::Rp2350);
    visitor.expect_status("Level 1 · 2 moves");
    choose(visitor, Chip::Rp2040);
    visitor.expect_status("Level 1 · 1 move");
    visitor.expect_lit(pressed(first_level(), &[12]));
    // A memory goes to the board that it is of.
    let folder = scratch("boards");
    visitor.browser.set_downloads(&folder);
    choose(visitor, Chip::Rp2350);
    visitor.expect_status("Level 1 · 2 moves");
    visitor.click("#export");
    let file = folder.join("lights-out-pico2.flash");
    visitor.expect(PATIENCE, "the file", |_| fs::metadata(&file).is_ok_and(|file| file.len() > 0));
    visitor.command("undo");
    visitor.expect_status("1 move");
    choose(visitor, Chip::Rp2040);
    visitor.open_file(&file);
    visitor.expect_notice("is the memory of a Pico 2, so this is the Pico 2 now.");
    expect_board(visitor, Chip::Rp2350);
    visitor.expect_status("Level 1 · 2 moves");
    fs::remove_dir_all(&folder).expect("a folder");
}

fn a_file_brings_its_board(visitor: &mut Visitor) {
    visitor.open_file(&elf(Chip::Rp2350));
    visitor.expect_notice("lights-out is running, on a Pico 2, which has a memory of its own.");
    expect_board(visitor, Chip::Rp2350);
    visitor.expect_status("Level 1");
    visitor.tap(7);
    visitor.expect_status("1 move");
    // One file for both is for the board in hand.
    let image = |chip| Image::from_elf(&fs::read(elf(chip)).expect("the firmware")).expect("a firmware");
    let both = scratch("both.uf2");
    fs::write(&both, uf2::write_all(&Chip::ALL.map(image))).expect("a file");
    for chip in [Chip::Rp2350, Chip::Rp2040] {
        choose(visitor, chip);
        visitor.drop_file(&both);
        visitor.expect_notice(".uf2 is running. The memory is as it was.");
        expect_board(visitor, chip);
        visitor.expect_status("Level 1");
    }
    fs::remove_file(&both).expect("a file");
    // Only what was chosen is there the next time.
    visitor.open_file(&elf(Chip::Rp2350));
    expect_board(visitor, Chip::Rp2350);
    visitor.reload();
    expect_board(visitor, Chip::Rp2040);
}
