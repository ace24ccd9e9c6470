//! The firmware for the page: what is flashed, and what its log needs, without the debug information that is nine tenths
//! of the file.
//!
//! A log message is the name of a symbol in the section `.defmt`, its number being the symbol's address; the log's version
//! and encoding are names of symbols as well; and `_SEGGER_RTT` tells where the log is in RAM. So a new file is written of
//! the old one's load segments, that section, and those symbols. All else goes. The layout is the plainest there is:
//!
//! ```text
//! header | program headers | segments | .defmt | symbols | names | section headers
//! ```

use object::elf::{PT_LOAD, SHT_NOBITS, SHT_PROGBITS, SHT_STRTAB, SHT_SYMTAB, STB_GLOBAL};
use object::read::elf::{ElfFile32, ProgramHeader};
use object::{Endianness, Object, ObjectSection, ObjectSymbol};

/// The section whose symbols are the log's messages.
const LOG_SECTION: &str = ".defmt";
/// The symbol by which the log is found, and how those begin that tell its version and encoding.
const LOG_BUFFER: &[u8] = b"_SEGGER_RTT";
const LOG_FORMAT: [&[u8]; 3] = [b"_defmt_version_ = ", b"\"_defmt_version_ = ", b"_defmt_encoding_ = "];

/// Sizes of the parts of a 32-bit ELF file.
const HEADER: usize = 52;
const PROGRAM_HEADER: usize = 32;
const SECTION_HEADER: usize = 40;
const SYMBOL: usize = 16;

/// An ELF file of the same program, as small as its log allows.
pub fn strip(elf: &[u8]) -> object::read::Result<Vec<u8>> {
    let file = ElfFile32::<Endianness>::parse(elf)?;
    let endian = file.endian();
    let loads: Vec<_> = file
        .elf_program_headers()
        .iter()
        .filter(|segment| segment.p_type(endian) == PT_LOAD && segment.p_filesz(endian) > 0)
        .collect();
    let log = file.section_by_name(LOG_SECTION);
    let log_index = log.as_ref().map(|section| section.index());
    let log_data = log.map(|section| section.data()).transpose()?.unwrap_or_default();

    // The first symbol is none, and the names begin with the empty one.
    let mut symbols = vec![0; SYMBOL];
    let mut names = vec![0];
    for symbol in file.symbols() {
        let name = symbol.name_bytes()?;
        let is_message = log_index.is_some() && symbol.section_index() == log_index;
        if !is_message && name != LOG_BUFFER && !LOG_FORMAT.iter().any(|begin| name.starts_with(begin)) {
            continue;
        }
        // The others' section holds nothing, but without one a symbol is no definition.
        let section: u16 = if is_message { 1 } else { 2 };
        symbols.extend(words(&[names.len() as u32, symbol.address() as u32, symbol.size() as u32]));
        symbols.extend([STB_GLOBAL << 4 | symbol.elf_symbol().st_type(), 0]);
        symbols.extend(section.to_le_bytes());
        names.extend(name);
        names.push(0);
    }
    let titles = [LOG_SECTION, ".ram", ".symtab", ".strtab"].map(|title| {
        let at = names.len() as u32;
        names.extend(title.as_bytes());
        names.push(0);
        at
    });

    let mut body = Vec::new();
    let begin = HEADER + loads.len() * PROGRAM_HEADER;
    let mut place = |bytes: &[u8]| {
        body.resize(body.len().next_multiple_of(4), 0);
        let at = (begin + body.len()) as u32;
        body.extend(bytes);
        at
    };
    let mut program_headers = Vec::new();
    for segment in &loads {
        // A segment beyond the file's end is left out, which whoever reads the result will notice.
        let data = segment.data(endian, elf).unwrap_or_default();
        let (length, flags) = (data.len() as u32, segment.p_flags(endian));
        let (virtual_address, physical_address) = (segment.p_vaddr(endian), segment.p_paddr(endian));
        program_headers.extend(words(&[
            PT_LOAD,
            place(data),
            virtual_address,
            physical_address,
            length,
            length,
            flags,
            4,
        ]));
    }
    let (log_at, symbols_at, names_at) = (place(log_data), place(&symbols), place(&names));
    // Name, type, flags, address, offset, size, link, information, alignment, size of an entry. The symbols' names are in
    // section 4; all of them are global, from the first.
    let sections = [
        [0; 10],
        [titles[0], SHT_PROGBITS, 0, 0, log_at, log_data.len() as u32, 0, 0, 1, 0],
        [titles[1], SHT_NOBITS, 0, 0, symbols_at, 0, 0, 0, 1, 0],
        [titles[2], SHT_SYMTAB, 0, 0, symbols_at, symbols.len() as u32, 4, 1, 4, SYMBOL as u32],
        [titles[3], SHT_STRTAB, 0, 0, names_at, names.len() as u32, 0, 0, 1, 0],
    ];
    let sections_at = place(sections.map(|section| words(&section)).concat().as_slice());

    // Magic, 32 bits, little endian, version; executable, ARM.
    let mut out = b"\x7fELF\x01\x01\x01\0\0\0\0\0\0\0\0\0\x02\0\x28\0".to_vec();
    out.extend(words(&[1, 0, HEADER as u32, sections_at, 0]));
    let counts = [HEADER, PROGRAM_HEADER, loads.len(), SECTION_HEADER, sections.len(), 4];
    out.extend(counts.into_iter().flat_map(|count| (count as u16).to_le_bytes()));
    out.extend(program_headers);
    out.extend(body);
    Ok(out)
}

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_runs_and_tells_its_log() {
        use std::time::Duration;
        use virtual_handheld::{Firmware, Handheld, Options};

        let path = std::env::var_os("LIGHTS_OUT_ELF").expect("LIGHTS_OUT_ELF is not set: run `cargo host-tests`");
        let whole = std::fs::read(path).unwrap();
        let small = strip(&whole).unwrap();
        assert!(small.len() < 200_000, "{} bytes", small.len());
        let [whole, small] = [whole, small].map(|elf| Firmware::from_elf(&elf).unwrap());
        assert!(whole.image() == small.image(), "what is flashed is the same");
        let [expected, told] = [whole, small].map(|firmware| {
            let mut handheld = Handheld::power_on(&firmware, Options::default());
            handheld.run_for(Duration::from_secs(1));
            handheld.logs().iter().map(|line| (line.at, line.text.clone())).collect::<Vec<_>>()
        });
        assert!(!expected.is_empty());
        assert_eq!(told, expected);
    }

    #[test]
    fn rubbish_is_refused() {
        assert!(strip(b"").is_err());
        assert!(strip(&[0x7F; 4096]).is_err());
    }
}
