//! What the firmware takes of flash and RAM, from the sections of its ELF file.

use object::{Object, ObjectSection};
use test_player::limits;

use crate::figure::{Figure, Unit};
use crate::trouble::Trouble;

/// What the Pico has for code, in bytes: 2 MB less the megabyte of the saves.
const FLASH: f64 = 1024.0 * 1024.0;
/// The RAM of the chip, in bytes.
const RAM: f64 = 264.0 * 1024.0;

/// Sections in flash; the last two are copied to RAM at the start.
const IN_FLASH: [&str; 6] = [".boot2", ".vector_table", ".text", ".rodata", ".data", ".ram_code"];
/// Sections in RAM, besides the code.
const IN_RAM: [&str; 3] = [".data", ".bss", ".uninit"];

/// Figures of the file.
pub fn figures(elf: &[u8]) -> Result<Vec<Figure>, Trouble> {
    let file = object::File::parse(elf).map_err(|error| Trouble(format!("the firmware is no ELF file: {error}")))?;
    let size = |name: &str| file.section_by_name(name).map_or(0.0, |section| section.size() as f64);
    let sum = |names: &[&str]| names.iter().map(|name| size(name)).sum::<f64>();
    let section = |id, name, section| Figure::new(id, name, Unit::Bytes, size(section));
    let (flash, ram) = (sum(&IN_FLASH), sum(&IN_RAM));
    Ok(vec![
        section("flash.text", "flash: code that runs from it", ".text"),
        section("flash.rodata", "flash: constants", ".rodata"),
        section("flash.data", "flash: initial values of RAM", ".data").slack(16.0),
        Figure::new("flash.total", "flash: all", Unit::Bytes, flash)
            .at_most(limits::FLASH_BYTES as f64)
            .beside(format!("{:.1} % of what a Pico has for code", 100.0 * flash / FLASH)),
        section("ram.code", "RAM: code, copied from flash", ".ram_code").at_most(limits::RAM_CODE_BYTES as f64),
        Figure::new("ram.static", "RAM: static, besides the code", Unit::Bytes, ram)
            .at_most(limits::STATIC_RAM_BYTES as f64)
            .beside(format!("{:.1} % of the chip's", 100.0 * ram / RAM)),
    ])
}
