//! What the firmware takes of flash and RAM, from the sections of its ELF file.

use flash_image::Chip;
use object::{Object, ObjectSection, SectionFlags, SectionKind, elf};
use player::limits;

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

/// Where RAM is, on both chips.
const RAM: core::ops::Range<u64> = 0x2000_0000..0x3000_0000;

/// A section that takes memory on the chip.
struct Taken {
    kind: SectionKind,
    is_in_ram: bool,
    size: f64,
}

/// Sections that are on the chip. Where a section is tells whether its code runs from flash or from RAM; whatever has a
/// content comes from flash.
fn taken(file: &object::File<'_>) -> Vec<Taken> {
    let is_on_chip = |section: &object::Section<'_, '_>| matches!(section.flags(), SectionFlags::Elf { sh_flags } if sh_flags & u64::from(elf::SHF_ALLOC) != 0);
    let sections = file.sections().filter(is_on_chip);
    sections
        .map(|section| Taken {
            kind: section.kind(),
            is_in_ram: RAM.contains(&section.address()),
            size: section.size() as f64,
        })
        .collect()
}

/// Figures of the file, and with the high-water mark of the stack all that is used of RAM.
pub fn figures(chip: Chip, elf: &[u8], stack: Figure) -> Result<Vec<Figure>, Trouble> {
    let file = object::File::parse(elf).map_err(|error| Trouble(format!("the firmware is no ELF file: {error}")))?;
    let sections = taken(&file);
    let sum =
        |of: &dyn Fn(&Taken) -> bool| sections.iter().filter(|section| of(section)).map(|it| it.size).sum::<f64>();
    let is_code = |section: &Taken| matches!(section.kind, SectionKind::Text | SectionKind::ReadOnlyData);
    let has_content = |section: &Taken| section.kind != SectionKind::UninitializedData;
    let flash = sum(&has_content);
    let from_flash = sum(&|section| is_code(section) && !section.is_in_ram);
    let code = sum(&|section| is_code(section) && section.is_in_ram);
    let static_ram = sum(&|section| !is_code(section) && section.is_in_ram);
    let total = stack.value.map(|stack| code + static_ram + stack);
    let figure = |id, name, value| Figure::new(id, name, Unit::Bytes, value);
    Ok(vec![
        figure("flash.code", "flash: code and constants used from it", from_flash),
        figure("flash.total", "flash: all", flash).at_most(limits::FLASH_BYTES as f64).beside(format!(
            "{:.1} % of what the board has for code",
            100.0 * flash / (chip.flash_size() - SAVES) as f64
        )),
        figure("ram.code", "RAM: code and constants, copied from flash", code),
        figure("ram.static", "RAM: static, besides the code", static_ram),
        stack,
        Figure::new("ram.total", "RAM: all, with the stack", Unit::Bytes, total)
            .at_most(limits::RAM_BYTES as f64)
            .beside(format!("of {:.0} B that the chip has", ram_of(chip))),
    ])
}
