//! The formats of a firmware's log, from the `.defmt` section of its ELF file.
//!
//! defmt stores each format as the name of a symbol. The names are JSON, and the addresses are the indices that appear
//! in a message. A file can come from an untrusted source, so all names have limits.

use defmt_decoder::Table;
use object::read::elf::ElfFile32;
use object::{Endianness, Object, ObjectSection, ObjectSymbol};
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Limit of all symbol names in the `.defmt` section together, in bytes. Our firmware has 11 KB.
const MOST_FORMATS: usize = 512 * 1024;
/// Limit of all symbol and section names of a file together, in bytes. Our firmware has 51 KB.
const MOST_NAMES: usize = 8 * 1024 * 1024;
/// Limit of the number of sections whose name begins with `.defmt`. A linker produces one.
const MOST_SECTIONS: usize = 64;

/// The formats of a firmware's log.
#[derive(Debug, Default)]
pub(crate) struct LogFormats {
    /// The formats by index.
    pub formats: HashMap<u64, String>,
    pub timestamp: Option<String>,
    /// Length of the names of all bit flags together, in bytes.
    pub flags: usize,
}

/// The parts of a symbol name in the `.defmt` section that are needed here. The name is JSON.
#[derive(Deserialize)]
struct DefmtSymbol {
    tag: String,
    data: String,
}

/// Whether the names of all sections and symbols of a file stay within the limit. Any number of names may share the
/// same long text in the file. A name counts as its length and 32 bytes for the record that is stored with it.
pub(crate) fn has_bounded_names(file: &ElfFile32<'_, Endianness>) -> bool {
    let mut left = MOST_NAMES;
    let mut fits = |length: usize| {
        let rest = left.checked_sub(length + 32);
        left = rest.unwrap_or(0);
        rest.is_some()
    };
    file.sections().all(|section| fits(section.name_bytes().map_or(0, <[u8]>::len)))
        && file.symbols().all(|symbol| fits(symbol.name_bytes().map_or(0, <[u8]>::len)))
}

/// The symbols of the `.defmt` section: address and name; `None` if they exceed a limit.
fn defmt_names<'a>(file: &ElfFile32<'a, Endianness>) -> Option<Vec<(u64, &'a str)>> {
    let is_defmt = |name: &str| name == ".defmt" || name.starts_with(".defmt.");
    let sections: HashSet<usize> =
        file.sections().filter(|section| section.name().is_ok_and(is_defmt)).map(|section| section.index().0).collect();
    let mut names = Vec::new();
    let mut length = 0;
    for symbol in file.symbols() {
        let Ok(name) = symbol.name() else { continue };
        let skipped = name.is_empty()
            || name == "$d"
            || ["$d.", "_defmt", "__DEFMT_MARKER"].iter().any(|start| name.starts_with(start));
        if !skipped && symbol.section_index().is_some_and(|index| sections.contains(&index.0)) {
            length += name.len();
            names.push((symbol.address(), name));
        }
    }
    (sections.len() <= MOST_SECTIONS && length <= MOST_FORMATS).then_some(names)
}

impl LogFormats {
    /// Reads the defmt table of a file with defmt-decoder, and the formats for the validation. Fails if the table
    /// cannot be read or exceeds a limit.
    pub(crate) fn read(elf: &[u8], file: &ElfFile32<'_, Endianness>) -> Result<Option<(Table, Self)>, ()> {
        let names = defmt_names(file).ok_or(())?;
        let Some(table) = Table::parse(elf).map_err(|_| ())? else { return Ok(None) };
        let mut checked = Self::default();
        let mut raw = BTreeMap::new();
        for (address, name) in names {
            let DefmtSymbol { tag, data } = serde_json::from_str(name).map_err(|_| ())?;
            match tag.as_str() {
                "defmt_timestamp" => checked.timestamp = Some(data),
                "defmt_bitflags_value" => checked.flags += data.len() + " | ".len(),
                "defmt_prim" | "defmt_derived" | "defmt_bitflags" | "defmt_write" | "defmt_str" | "defmt_println"
                | "defmt_trace" | "defmt_debug" | "defmt_info" | "defmt_warn" | "defmt_error" => {
                    raw.insert(address, name);
                    checked.formats.insert(address, data);
                }
                _ => {}
            }
        }
        // The formats that are validated must be those that the decoder uses.
        if !table.raw_symbols().eq(raw.into_values()) || table.has_timestamp() != checked.timestamp.is_some() {
            return Err(());
        }
        Ok(Some((table, checked)))
    }
}
