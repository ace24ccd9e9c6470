//! Flash and RAM that the firmware uses, from the sections of its ELF file.

use flash_image::Chip;
use object::{Object, ObjectSection, SectionFlags, SectionKind, elf};
use player::limits;

use crate::error::MeasureError;
use crate::figure::{Figure, Unit};

/// Flash that is reserved for saves, in bytes.
const SAVES: usize = 1024 * 1024;

/// The RAM of a chip, in bytes.
fn ram_of(chip: Chip) -> f64 {
    let kilobytes = match chip {
        Chip::Rp2040 => 264.0,
        Chip::Rp2350 => 520.0,
    };
    1024.0 * kilobytes
}

/// The addresses of RAM, on both chips.
const RAM: core::ops::Range<u64> = 0x2000_0000..0x3000_0000;

/// A section that occupies memory of the chip.
struct ChipSection {
    kind: SectionKind,
    is_in_ram: bool,
    size: f64,
}

/// The sections that occupy memory of the chip. The address of a section decides whether its code runs from flash or
/// from RAM. Every section with content is stored in flash.
fn chip_sections(file: &object::File<'_>) -> Vec<ChipSection> {
    let is_on_chip = |section: &object::Section<'_, '_>| match section.flags() {
        SectionFlags::Elf { sh_flags } => sh_flags & u64::from(elf::SHF_ALLOC) != 0,
        _ => false,
    };
    let sections = file.sections().filter(is_on_chip);
    sections
        .map(|section| ChipSection {
            kind: section.kind(),
            is_in_ram: RAM.contains(&section.address()),
            size: section.size() as f64,
        })
        .collect()
}

/// The sizes of the sections, the stack, and the sum of all RAM.
pub(crate) fn figures(chip: Chip, elf: &[u8], stack: Figure) -> Result<Vec<Figure>, MeasureError> {
    let file =
        object::File::parse(elf).map_err(|error| MeasureError(format!("the firmware is not an ELF file: {error}")))?;
    let sections = chip_sections(&file);
    let sum = |of: &dyn Fn(&ChipSection) -> bool| {
        sections.iter().filter(|section| of(section)).map(|section| section.size).sum::<f64>()
    };
    let is_code = |section: &ChipSection| matches!(section.kind, SectionKind::Text | SectionKind::ReadOnlyData);
    let has_content = |section: &ChipSection| section.kind != SectionKind::UninitializedData;
    let flash = sum(&has_content);
    let from_flash = sum(&|section| is_code(section) && !section.is_in_ram);
    let code = sum(&|section| is_code(section) && section.is_in_ram);
    let static_ram = sum(&|section| !is_code(section) && section.is_in_ram);
    let total = stack.value.map(|stack| code + static_ram + stack);
    let figure = |id, name, value| Figure::new(id, name, Unit::Bytes, value);
    Ok(vec![
        figure("flash.code", "flash: code and constants that stay in flash", from_flash),
        figure("flash.total", "flash: total", flash).at_most(limits::FLASH_BYTES as f64).note(format!(
            "{:.1} % of the flash that is not for saves",
            100.0 * flash / (chip.flash_size() - SAVES) as f64
        )),
        figure("ram.code", "RAM: code and constants, copied from flash", code),
        figure("ram.static", "RAM: static data", static_ram),
        stack,
        Figure::new("ram.total", "RAM: total, with the stack", Unit::Bytes, total)
            .at_most(limits::RAM_BYTES as f64)
            .note(format!("of {:.0} B on the chip", ram_of(chip))),
    ])
}
