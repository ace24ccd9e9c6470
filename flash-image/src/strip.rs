//! The firmware for the web page: what is flashed, and what its log needs, without the debug information that is nine
//! tenths of the file.
//!
//! A log message is the name of a symbol in the section `.defmt`, its number being the symbol's address; the log's version
//! and encoding are names of symbols as well; and `_SEGGER_RTT` tells where the log is in RAM. So that section and those
//! symbols stay, beside what is loaded. All else goes.

use object::build::Result;
use object::build::elf::{Builder, Section, SectionData};

/// The section whose symbols are the log's messages.
const LOG_SECTION: &[u8] = b".defmt";
/// The symbol by which the log is found, and how those begin that tell its version and encoding.
const LOG_BUFFER: &[u8] = b"_SEGGER_RTT";
const LOG_FORMAT: [&[u8]; 3] = [b"_defmt_version_ = ", b"\"_defmt_version_ = ", b"_defmt_encoding_ = "];

/// An ELF file of the same program, as small as its log allows.
pub fn strip(elf: &[u8]) -> Result<Vec<u8>> {
    let mut file = Builder::read32(elf)?;
    let log = file.sections.iter().find(|section| &*section.name == LOG_SECTION).map(Section::id);
    for section in &mut file.sections {
        let names = matches!(section.data, SectionData::Symbol | SectionData::String | SectionData::SectionString);
        // The linker packs sections closer than they ask for. Nobody links the file again, so they need not ask.
        section.sh_addralign = 1;
        section.delete = !section.is_alloc() && !names && Some(section.id()) != log;
    }
    for symbol in &mut file.symbols {
        let is_message = symbol.section.is_some() && symbol.section == log;
        let tells_format = LOG_FORMAT.iter().any(|begin| symbol.name.starts_with(begin));
        symbol.delete = !is_message && !tells_format && &*symbol.name != LOG_BUFFER;
    }
    let mut out = Vec::new();
    file.write(&mut out)?;
    Ok(out)
}
