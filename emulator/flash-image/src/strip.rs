//! The firmware file for the web page: the load segments and the data that the log needs, without the debug
//! information, which is nine tenths of the file.
//!
//! A log message is the name of a symbol in the section `.defmt`, and the number of the message is the symbol's
//! address. The version and the encoding of the log are names of symbols as well. `_SEGGER_RTT` is the address of the
//! log buffer in RAM. So the load segments, that section and those symbols are kept. Everything else is removed.
//!
//! `object::build::elf::Builder` can remove sections too, but it copies only bytes that belong to a section, and so it
//! would lose the bytes of a segment that no section describes.

use object::LittleEndian;
use object::SectionIndex;
use object::elf::{EM_ARM, PT_LOAD, SHN_ABS};
use object::read::elf::{ElfFile32, FileHeader, ProgramHeader, SectionHeader, Sym};

use crate::ImageError;
use crate::elf::{ElfContent, LOG_SECTION, LogSection, Segment, Symbol, SymbolSection};

/// The symbol whose address is that of the log buffer.
const LOG_BUFFER: &str = "_SEGGER_RTT";
/// Prefixes of the symbol names that contain the version and the encoding of the log.
const LOG_FORMAT: [&str; 3] = ["_defmt_version_ = ", "\"_defmt_version_ = ", "_defmt_encoding_ = "];

/// Removes from an ELF file everything that is neither flashed nor needed to read the log.
pub fn strip(elf: &[u8]) -> Result<Vec<u8>, ImageError> {
    let damaged = |_| ImageError::NotArmElf;
    let file = ElfFile32::<LittleEndian>::parse(elf).map_err(damaged)?;
    let (header, endian) = (file.elf_header(), LittleEndian);
    if header.e_machine(endian) != EM_ARM {
        return Err(ImageError::NotArmElf);
    }

    let mut segments = Vec::new();
    for segment in file.elf_program_headers().iter().filter(|segment| segment.p_type(endian) == PT_LOAD) {
        segments.push(Segment {
            address: segment.p_vaddr(endian),
            load_address: segment.p_paddr(endian),
            size_in_memory: segment.p_memsz(endian),
            flags: segment.p_flags(endian),
            content: segment.data(endian, elf).map_err(|()| ImageError::NotArmElf)?,
        });
    }

    let log_section = file.elf_section_table().section_by_name(endian, LOG_SECTION.as_bytes());
    let log = log_section.map(|(_, section)| {
        let content = section.data(endian, elf).map_err(damaged)?;
        Ok(LogSection { address: section.sh_addr(endian), content })
    });
    let content = ElfContent {
        entry: header.e_entry(endian),
        flags: header.e_flags(endian),
        segments,
        log: log.transpose()?,
        symbols: log_symbols(&file, log_section.map(|(index, _)| index))?,
    };
    content.write().map_err(|_| ImageError::NotArmElf)
}

/// The symbols that the log needs, in the order of the file.
fn log_symbols<'a>(
    file: &ElfFile32<'a, LittleEndian>,
    log_section: Option<SectionIndex>,
) -> Result<Vec<Symbol<'a>>, ImageError> {
    let (endian, table) = (LittleEndian, file.elf_symbol_table());
    let mut symbols = Vec::new();
    for symbol in table.iter() {
        let name = table.symbol_name(endian, symbol).ok().and_then(|name| str::from_utf8(name).ok());
        let name = name.ok_or(ImageError::NotArmElf)?;
        let is_message = log_section.is_some_and(|log| log.0 == usize::from(symbol.st_shndx(endian)));
        if is_message || name == LOG_BUFFER || LOG_FORMAT.iter().any(|start| name.starts_with(start)) {
            symbols.push(Symbol {
                name,
                section: match symbol.st_shndx(endian) {
                    _ if is_message => SymbolSection::Log,
                    SHN_ABS => SymbolSection::Absolute,
                    _ => SymbolSection::Removed,
                },
                value: symbol.st_value(endian),
                size: symbol.st_size(endian),
                info: symbol.st_info(),
                other: symbol.st_other(),
            });
        }
    }
    Ok(symbols)
}
