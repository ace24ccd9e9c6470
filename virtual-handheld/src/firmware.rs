//! The firmware image: what an ELF file says about flash, symbols and log messages, read once.
//!
//! The load segments go by their physical addresses into a picture of the 2 MB flash (0xFF where nothing is). Symbols
//! serve to find the log's buffer and to measure functions; a Rust symbol is looked up by any part of its readable name.
//! Cheap to clone: all clones share the parsed file.

use crate::flash::FLASH_SIZE;
use object::elf::PT_LOAD;
use object::read::elf::{ElfFile32, ProgramHeader};
use object::{Endianness, Object, ObjectSymbol, SymbolKind};
use std::sync::Arc;

/// Where flash is mapped.
const FLASH_BASE: u32 = 0x1000_0000;

/// Why a file is no firmware for the handheld.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FirmwareError {
    /// It is not a 32-bit ELF file, or it is damaged.
    NotElf,
    /// A part of it does not fit into 2 MB of flash.
    OutsideFlash,
    /// It has nothing for flash, or no vector table behind the 256 bytes of the second stage boot loader.
    NoVectors,
    /// Its log messages are not what this version of the decoder reads.
    LogTable,
}

impl core::fmt::Display for FirmwareError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::NotElf => "not a 32-bit ELF file",
            Self::OutsideFlash => "a load segment lies outside the 2 MB of flash",
            Self::NoVectors => "no vector table at flash offset 0x100",
            Self::LogTable => "the defmt table cannot be read by this version of defmt-decoder",
        })
    }
}

impl std::error::Error for FirmwareError {}

/// A named place in the firmware.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// Readable name, without the compiler's hash.
    pub name: String,
    /// First address, without the Thumb bit.
    pub address: u32,
    /// Bytes.
    pub size: u32,
    /// Code, not data.
    pub is_function: bool,
}

struct Parsed {
    image: Vec<u8>,
    symbols: Vec<Symbol>,
    #[cfg(feature = "logs")]
    log: Option<LogTable>,
}

/// The log messages, and where in the source each of them is.
#[cfg(feature = "logs")]
pub(crate) struct LogTable {
    pub messages: defmt_decoder::Table,
    pub places: defmt_decoder::Locations,
}

/// A firmware, ready to be run in any number of handhelds.
#[derive(Clone)]
pub struct Firmware(Arc<Parsed>);

impl core::fmt::Debug for Firmware {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Firmware").field("symbols", &self.0.symbols.len()).finish_non_exhaustive()
    }
}

impl Firmware {
    /// Reads an ELF file, as cargo leaves it in the target folder.
    pub fn from_elf(elf: &[u8]) -> Result<Self, FirmwareError> {
        let file = ElfFile32::<Endianness>::parse(elf).map_err(|_| FirmwareError::NotElf)?;
        let image = flash_image(&file, elf)?;
        let mut symbols: Vec<Symbol> = file
            .symbols()
            .filter(|symbol| symbol.is_definition() && matches!(symbol.kind(), SymbolKind::Text | SymbolKind::Data))
            .filter_map(|symbol| {
                let name = symbol.name().ok().filter(|name| !name.is_empty() && !name.starts_with('{'))?;
                Some(Symbol {
                    name: format!("{:#}", rustc_demangle::demangle(name)),
                    address: symbol.address() as u32 & if symbol.kind() == SymbolKind::Text { !1 } else { !0 },
                    size: symbol.size() as u32,
                    is_function: symbol.kind() == SymbolKind::Text,
                })
            })
            .collect();
        symbols.sort_by(|a, b| (a.address, &a.name).cmp(&(b.address, &b.name)));
        Ok(Self(Arc::new(Parsed {
            image,
            symbols,
            #[cfg(feature = "logs")]
            log: log_table(elf)?,
        })))
    }

    /// A firmware of nothing but these bytes, for the tests of this crate.
    #[cfg(test)]
    pub(crate) fn from_image(mut image: Vec<u8>) -> Self {
        image.resize(FLASH_SIZE, 0xFF);
        Self(Arc::new(Parsed {
            image,
            symbols: Vec::new(),
            #[cfg(feature = "logs")]
            log: None,
        }))
    }

    /// The flash as the programmer would write it: 2 MB.
    pub fn image(&self) -> &[u8] {
        &self.0.image
    }

    /// All symbols, by address.
    pub fn symbols(&self) -> &[Symbol] {
        &self.0.symbols
    }

    /// The symbol of exactly this readable name.
    pub fn symbol(&self, name: &str) -> Option<&Symbol> {
        self.0.symbols.iter().find(|symbol| symbol.name == name)
    }

    /// The functions whose readable name contains `part`.
    pub fn functions<'a>(&'a self, part: &'a str) -> impl Iterator<Item = &'a Symbol> {
        self.0.symbols.iter().filter(move |symbol| symbol.is_function && symbol.name.contains(part))
    }

    #[cfg(feature = "logs")]
    pub(crate) fn log_table(&self) -> Option<&LogTable> {
        self.0.log.as_ref()
    }
}

/// A firmware without debug information has messages without places.
#[cfg(feature = "logs")]
fn log_table(elf: &[u8]) -> Result<Option<LogTable>, FirmwareError> {
    let messages = defmt_decoder::Table::parse(elf).map_err(|_| FirmwareError::LogTable)?;
    Ok(messages.map(|messages| LogTable { places: messages.get_locations(elf).unwrap_or_default(), messages }))
}

fn flash_image(file: &ElfFile32<'_, Endianness>, elf: &[u8]) -> Result<Vec<u8>, FirmwareError> {
    let endian = file.endian();
    let mut image = vec![0xFF; FLASH_SIZE];
    for segment in file.elf_program_headers() {
        let data = segment.data(endian, elf).map_err(|()| FirmwareError::NotElf)?;
        if ProgramHeader::p_type(segment, endian) != PT_LOAD || data.is_empty() {
            continue;
        }
        let start = segment.p_paddr(endian).checked_sub(FLASH_BASE).ok_or(FirmwareError::OutsideFlash)? as usize;
        let place = start.checked_add(data.len()).and_then(|end| image.get_mut(start..end));
        place.ok_or(FirmwareError::OutsideFlash)?.copy_from_slice(data);
    }
    // The first vector is the stack pointer, the second the reset handler, in flash and with its Thumb bit set.
    let word = |at: usize| u32::from_le_bytes([image[at], image[at + 1], image[at + 2], image[at + 3]]);
    let (stack, reset) = (word(0x100), word(0x104));
    if stack >> 24 == 0x20 && reset >> 24 == 0x10 && reset & 1 == 1 { Ok(image) } else { Err(FirmwareError::NoVectors) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An ELF file of one load segment.
    fn elf(address: u32, data: &[u8]) -> Vec<u8> {
        let mut file = b"\x7fELF\x01\x01\x01".to_vec();
        file.resize(16, 0);
        // Executable for ARM, version 1, entry 0, program headers at 52, no sections.
        for half in [2u16, 40, 1, 0, 0, 0, 52, 0, 0, 0, 0, 0, 52, 32, 1, 40, 0, 0] {
            file.extend(half.to_le_bytes());
        }
        // PT_LOAD: offset, virtual and physical address, bytes in the file and in memory, flags, alignment.
        for word in [1, 84, 0x2000_0000, address, data.len() as u32, data.len() as u32, 5, 4] {
            file.extend(word.to_le_bytes());
        }
        file.extend(data);
        file
    }

    fn with_vectors() -> Vec<u8> {
        let mut data = vec![7; 0x100];
        data.extend(0x2004_0000u32.to_le_bytes());
        data.extend(0x1000_0121u32.to_le_bytes());
        data
    }

    #[test]
    fn segments_go_to_their_physical_addresses_wherever_the_file_is_in_memory() {
        let mut file = vec![0];
        file.extend(elf(0x1000_0000, &with_vectors()));
        for skip in 1..5 {
            let firmware = Firmware::from_elf(&file[skip..]).expect("a firmware");
            assert_eq!(firmware.image()[..0x108], with_vectors());
            assert_eq!(firmware.image()[0x108..], [0xFF; FLASH_SIZE - 0x108]);
            assert_eq!(firmware.symbol("main"), None);
            file.insert(0, 0);
        }
    }

    #[test]
    fn what_does_not_fit_or_cannot_start_is_refused() {
        let error = |address, data: &[u8]| Firmware::from_elf(&elf(address, data)).err();
        assert_eq!(error(0x2000_0000, &with_vectors()), Some(FirmwareError::OutsideFlash));
        assert_eq!(error(0x101F_FFFF, &with_vectors()), Some(FirmwareError::OutsideFlash));
        assert_eq!(error(0x0FFF_FFFF, &with_vectors()), Some(FirmwareError::OutsideFlash));
        assert_eq!(error(0x1000_0100, &with_vectors()), Some(FirmwareError::NoVectors));
    }

    #[test]
    fn rubbish_is_refused() {
        assert_eq!(Firmware::from_elf(&[]).err(), Some(FirmwareError::NotElf));
        assert_eq!(Firmware::from_elf(&[0x7F; 4096]).err(), Some(FirmwareError::NotElf));
    }
}
