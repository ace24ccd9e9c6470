//! The workshop of the page: power, files, memory, time, scope, log and logic analyser.

use flash_image::{Image, uf2};
use lights_out::level_boards;
use std::fs;
use std::path::Path;

use super::driver::Wishes;
use super::page::{PATIENCE, Visitor, visit};
use super::scratch;

in_both_browsers! {
    visit:
    only_firmware_of_the_handheld_and_whole_memories_are_opened,
    memory_and_log_go_out_and_memory_comes_back,
    power_panels_time_and_pins,
}

fn power_panels_time_and_pins(visitor: &mut Visitor) {
    the_flash_outlives_power_and_reload(visitor);
    panels_are_folded_and_remembered(visitor);
    time_stops_and_goes_in_steps(visitor);
    the_logic_analyser_shows_a_press(visitor);
}

fn panels_are_folded_and_remembered(visitor: &mut Visitor) {
    let open = "['choices', 'workshop'].map((id) => document.getElementById(id).open).join()";
    assert_eq!(visitor.value(open), "false,false");
    visitor.click("#workshop > summary");
    visitor.expect(PATIENCE, "the workshop", |page| page.value(open) == "false,true");
    // The browser tells the page of it a little later.
    let kept = "Object.values(localStorage).some((text) => text.includes('\"workshop\":true'))";
    visitor.expect(PATIENCE, "the choice", |page| page.value(kept) == true);
    visitor.reload();
    assert_eq!(visitor.value(open), "false,true");
}

fn the_flash_outlives_power_and_reload(visitor: &mut Visitor) {
    visitor.expect_text("log", "power-up 0");
    visitor.click("#power");
    visitor.expect_lit(0);
    let is_on = "document.getElementById('power').ariaChecked";
    visitor.expect(PATIENCE, "the switch", |page| page.value(is_on) == "false");
    visitor.click("#power");
    visitor.expect_text("log", "power-up 1");
    visitor.expect_status("Level 1");
    visitor.reload();
    visitor.expect_text("log", "power-up 2");
}

fn only_firmware_of_the_handheld_and_whole_memories_are_opened(visitor: &mut Visitor) {
    let said = |part: &'static str| move |page: &mut Visitor| page.text("notice").contains(part);
    let first_level = level_boards::board(0).expect("a level").bits();
    visitor.expect_lit(first_level);
    visitor.open_file(&setup::root().join("Cargo.toml"));
    visitor.expect(PATIENCE, "a refusal", said("neither an ELF file nor a UF2 file"));
    let broken = scratch("broken.flash");
    fs::write(&broken, b"LightsOutFlash1\nand then nothing right").expect("a file");
    visitor.open_file(&broken);
    visitor.expect(PATIENCE, "a refusal", said("damaged"));
    fs::remove_file(&broken).expect("a file");
    assert_eq!(visitor.lit(), first_level, "nothing has changed");

    let elf = std::env::var_os("LIGHTS_OUT_ELF").expect("LIGHTS_OUT_ELF is not set: run `cargo host-tests`");
    visitor.open_file(Path::new(&elf));
    visitor.expect(PATIENCE, "the ELF", said("lights-out is running"));
    visitor.expect_status("Level 1");
    let image = Image::from_elf(&fs::read(&elf).expect("the firmware")).expect("a firmware");
    let file = scratch("lights-out.uf2");
    // Our own firmware again: its log is known.
    fs::write(&file, uf2::write(&image)).expect("a file");
    visitor.drop_file(&file);
    visitor.expect(PATIENCE, "the UF2", said(".uf2 is running. The memory is as it was."));
    visitor.expect_status("Level 1");
    // Another one, by a word in its text: it runs, its log does not say anything, and so the page does not either.
    let mut other = fs::read(&file).expect("a file");
    let at = other
        .windows(10)
        .position(|bytes| bytes == b"lights-out")
        .or_else(|| other.windows(4).rposition(|bytes| bytes == [0xFF; 4]));
    if let Some(at) = at {
        other[at] ^= 1;
    }
    fs::write(&file, other).expect("a file");
    visitor.open_file(&file);
    visitor.expect(PATIENCE, "the other UF2", said("the log stays empty"));
    visitor.expect(PATIENCE, "lights", |page| page.lit() != 0);
    visitor.expect(PATIENCE, "no words", |page| page.text("status").is_empty() && page.text("legend").is_empty());
    fs::remove_file(&file).expect("a file");
    // After a reload the page's own firmware runs, and the last one is at hand.
    visitor.reload();
    visitor.expect_text("last", "Run lights-out");
    visitor.unfold("workshop");
    visitor.click("#last");
    visitor.expect(PATIENCE, "the last one again", said(".uf2 is running"));
    visitor.click("#own");
    visitor.expect_status("Level 1");
}

fn memory_and_log_go_out_and_memory_comes_back(visitor: &mut Visitor) {
    let folder = scratch("downloads");
    visitor.browser.set_downloads(&folder);
    visitor.unfold("workshop");
    visitor.click("#export");
    let file = folder.join("lights-out-pico.flash");
    visitor.expect(PATIENCE, "the file", |_| fs::metadata(&file).is_ok_and(|file| file.len() > 0));
    visitor.open_file(&file);
    visitor.expect_notice("memory is now that of");
    visitor.expect_text("log", "power-up 1");
    visitor.click("#save-log");
    let log = folder.join("lights-out-pico.log");
    visitor.expect(PATIENCE, "the log", |_| {
        fs::read_to_string(&log).is_ok_and(|text| text.contains("\tinfo\tstatus scene="))
    });
    fs::remove_dir_all(&folder).expect("a folder");
}

fn time_stops_and_goes_in_steps(visitor: &mut Visitor) {
    visitor.unfold("workshop");
    visitor.command("hint");
    visitor.hinted();
    visitor.click("#pause");
    let moment =
        |visitor: &mut Visitor| -> f64 { visitor.text("moment").trim_end_matches(" s").parse().expect("seconds") };
    visitor.expect_standing("moment");
    let (stopped, pictures) = (moment(visitor), visitor.text("frames"));
    visitor.click("#step");
    visitor.expect(PATIENCE, "a millisecond", |page| (moment(page) - stopped - 0.001).abs() < 0.0006);
    visitor.click("#step-frame");
    visitor.expect(PATIENCE, "a picture", |page| page.text("frames") != pictures);
    visitor.click("#pause");
    visitor.expect(PATIENCE, "time", |page| moment(page) > stopped + 0.5);
    // Whoever wants little motion still has a curve.
    visitor.browser.set_wishes(Wishes { dark: true, reduced_motion: true });
    visitor.reload();
    let painted =
        "document.getElementById('curve').getContext('2d').getImageData(0, 0, 640, 96).data.some((value) => value > 0)";
    visitor.expect(PATIENCE, "the curve", |page| page.value(painted) == true);
}

fn the_logic_analyser_shows_a_press(visitor: &mut Visitor) {
    visitor.unfold("workshop");
    visitor.click("#record");
    visitor.expect_text("trace-tip", "press a key");
    visitor.tap(12);
    visitor.expect_text("trace-tip", "in sight");
    let span = |visitor: &mut Visitor| visitor.text("trace-tip").split(" in sight").next().map(str::to_owned);
    let whole = span(visitor);
    visitor.click("#zoom-in");
    visitor.expect(PATIENCE, "less in sight", |page| span(page) != whole);
    visitor.click("#zoom-out");
    visitor.expect(PATIENCE, "all in sight", |page| span(page) == whole);
    let colours = "new Set(new Uint32Array(document.getElementById('trace').getContext('2d').getImageData(60, 0, 300, 250).data.buffer)).size";
    assert!(visitor.value(colours).as_u64().is_some_and(|colours| colours > 4), "lines are drawn");
}
