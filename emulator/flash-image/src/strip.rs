//! The firmware for the web page: what is flashed, and what its log needs, without the debug information that is nine
//! tenths of the file.
//!
//! A log message is the name of a symbol in the section `.defmt`, its number being the symbol's address; the log's version
//! and encoding are names of symbols as well; and `_SEGGER_RTT` tells where the log is in RAM. So that section and those
//! symbols stay, beside what is loaded. All else goes, the names of the other sections too: nobody links the file again.

use object::elf::{EM_ARM, PT_LOAD, SHN_ABS, SHT_NOBITS, SHT_STRTAB, SHT_SYMTAB, STB_LOCAL};
use object::read::elf::{ElfFile32, FileHeader, ProgramHeader, SectionHeader, Sym};
use object::{LittleEndian, SectionIndex};

use crate::ImageError;
use crate::elf::{Section, Segment, append, words, write};

/// The section whose symbols are the log's messages.
const LOG_SECTION: &str = ".defmt";
/// The numbers of the sections that are written: the log's, the symbols' names, and an empty one for a symbol whose own is
/// gone, because a symbol that is nowhere would be taken for a number.
const LOG_NUMBER: u16 = 1;
const NAMES_NUMBER: u32 = 3;
const GONE_NUMBER: u16 = 4;
/// The symbol by which the log is found, and how those begin that tell its version and encoding.
const LOG_BUFFER: &str = "_SEGGER_RTT";
const LOG_FORMAT: [&str; 3] = ["_defmt_version_ = ", "\"_defmt_version_ = ", "_defmt_encoding_ = "];

/// Bytes of a symbol.
const SYMBOL: usize = 16;

/// An ELF file of the same program, as small as its log allows.
pub fn strip(elf: &[u8]) -> Result<Vec<u8>, ImageError> {
    let damaged = |_| ImageError::NotArmElf;
    let file = ElfFile32::<LittleEndian>::parse(elf).map_err(damaged)?;
    let (head, endian) = (file.elf_header(), LittleEndian);
    if head.e_machine(endian) != EM_ARM {
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

    let log = file.elf_section_table().section_by_name(endian, LOG_SECTION.as_bytes());
    let log_section = log.map(|(_, section)| {
        let content = section.data(endian, elf).map_err(damaged)?;
        Ok(Section {
            name: LOG_SECTION,
            kind: section.sh_type(endian),
            address: section.sh_addr(endian),
            content,
            ..Section::default()
        })
    });
    let (symbols, locals, names) = log_symbols(&file, log.map(|(index, _)| index))?;
    let sections = [
        log_section.transpose()?.unwrap_or_default(),
        Section {
            name: ".symtab",
            kind: SHT_SYMTAB,
            link: NAMES_NUMBER,
            info: locals,
            entry_size: SYMBOL as u32,
            content: &symbols,
            ..Section::default()
        },
        Section { name: ".strtab", kind: SHT_STRTAB, content: &names, ..Section::default() },
        Section { name: ".bss", kind: SHT_NOBITS, ..Section::default() },
    ];
    write(head.e_entry(endian), head.e_flags(endian), &segments, &sections).map_err(|_| ImageError::NotArmElf)
}

/// The symbols that the log needs: the table, how many of it are local (they come first), and their names.
fn log_symbols(
    file: &ElfFile32<'_, LittleEndian>,
    log: Option<SectionIndex>,
) -> Result<(Vec<u8>, u32, Vec<u8>), ImageError> {
    let (endian, table) = (LittleEndian, file.elf_symbol_table());
    // The first symbol is by definition nothing, and has no name.
    let (mut symbols, mut locals, mut names) = (vec![0; SYMBOL], 1, vec![0]);
    for symbol in table.iter() {
        let name = table.symbol_name(endian, symbol).ok().and_then(|name| str::from_utf8(name).ok());
        let name = name.ok_or(ImageError::NotArmElf)?;
        let is_message = log.is_some_and(|log| log.0 == usize::from(symbol.st_shndx(endian)));
        if is_message || name == LOG_BUFFER || LOG_FORMAT.iter().any(|begin| name.starts_with(begin)) {
            let section = match symbol.st_shndx(endian) {
                _ if is_message => LOG_NUMBER,
                SHN_ABS => SHN_ABS,
                _ => GONE_NUMBER,
            };
            words(&mut symbols, [append(&mut names, name) as u32, symbol.st_value(endian), symbol.st_size(endian)]);
            symbols.extend([symbol.st_info(), symbol.st_other()]);
            symbols.extend(section.to_le_bytes());
            locals += u32::from(symbol.st_bind() == STB_LOCAL);
        }
    }
    Ok((symbols, locals, names))
}
