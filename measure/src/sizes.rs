//! What the firmware takes of flash and RAM, from the sections of its ELF file.

use flash_image::Chip;
use object::{Object, ObjectSection};
use test_player::limits;

use crate::figure::{Figure, Unit};
use crate::trouble::Trouble;

/// What of the flash is for saves, and not for code.
const SAVES: usize = 1024 * 1024;

/// The RAM of a chip, in bytes.
fn ram_of(chip: Chip) -> f64 {
    let kilobytes = match chip {
        Chip::Rp2040 => 264.0,
        Chip::Rp2350 => 520.0,
    };
    1024.0 * kilobytes
}

/// Sections in flash; the last two are copied to RAM at the start.
const IN_FLASH: [&str; 7] = [".boot2", ".vector_table", ".workshop_code", ".text", ".rodata", ".data", ".ram_code"];
/// Code that runs from flash.
const FLASH_CODE: [&str; 2] = [".workshop_code", ".text"];
/// Sections in RAM, besides the code.
const IN_RAM: [&str; 3] = [".data", ".bss", ".uninit"];

/// Figures of the file.
pub fn figures(chip: Chip, elf: &[u8]) -> Result<Vec<Figure>, Trouble> {
    let file = object::File::parse(elf).map_err(|error| Trouble(format!("the firmware is no ELF file: {error}")))?;
    let size = |name: &str| file.section_by_name(name).map_or(0.0, |section| section.size() as f64);
    let sum = |names: &[&str]| names.iter().map(|name| size(name)).sum::<f64>();
    let section = |id, name, section| Figure::new(id, name, Unit::Bytes, size(section));
    let (flash, ram) = (sum(&IN_FLASH), sum(&IN_RAM));
    Ok(vec![
        Figure::new("flash.text", "flash: code that runs from it", Unit::Bytes, sum(&FLASH_CODE)),
        section("flash.rodata", "flash: constants", ".rodata"),
        section("flash.data", "flash: initial values of RAM", ".data").slack(16.0),
        Figure::new("flash.total", "flash: all", Unit::Bytes, flash).at_most(limits::FLASH_BYTES as f64).beside(
            format!("{:.1} % of what the board has for code", 100.0 * flash / (chip.flash_size() - SAVES) as f64),
        ),
        section("ram.code", "RAM: code, copied from flash", ".ram_code").at_most(limits::RAM_CODE_BYTES as f64),
        Figure::new("ram.static", "RAM: static, besides the code", Unit::Bytes, ram)
            .at_most(limits::STATIC_RAM_BYTES as f64)
            .beside(format!("{:.1} % of the chip's", 100.0 * ram / ram_of(chip))),
    ])
}
