//! A firmware file: flash image, symbols and log messages, parsed once.
//!
//! The crate `flash-image` determines the content of the flash. The symbols are needed to find the buffer of the log
//! and to measure functions. A Rust symbol is found by any part of its demangled name. A [`Firmware`] is cheap to
//! clone: all clones share the parsed file.

use crate::defmt_formats::{self, LogFormats};
use core::fmt::Write;
use flash_image::uf2::{self, Uf2Error};
use flash_image::{Chip, Image, ImageError};
use object::read::elf::ElfFile32;
use object::{Endianness, Object, ObjectSymbol, SymbolKind};
use std::sync::Arc;

/// Limit, in bytes, by which a demangled name may be longer than the mangled one.
const MOST_GROWTH: usize = 1024;

/// Why a file cannot be used as a firmware for the handheld.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FirmwareError {
    /// The file is not an image for a Pico's flash, or the image cannot start.
    Image(ImageError),
    /// A Pico would not accept the UF2 file.
    Uf2(Uf2Error),
    /// This version of defmt-decoder cannot read the table of log messages, or the table is too large.
    LogTable,
    /// The names of all symbols together are longer than in any firmware for a Pico.
    TooManyNames,
}

impl From<ImageError> for FirmwareError {
    fn from(error: ImageError) -> Self {
        Self::Image(error)
    }
}

impl From<Uf2Error> for FirmwareError {
    fn from(error: Uf2Error) -> Self {
        Self::Uf2(error)
    }
}

impl core::fmt::Display for FirmwareError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Image(error) => error.fmt(f),
            Self::Uf2(error) => error.fmt(f),
            Self::LogTable => f.write_str("the defmt table cannot be read by this version of defmt-decoder"),
            Self::TooManyNames => f.write_str("the names of its symbols are too long"),
        }
    }
}

impl std::error::Error for FirmwareError {}

/// A symbol of the ELF file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// Demangled name, without the compiler's hash.
    pub name: String,
    /// First address, without the Thumb bit.
    pub address: u32,
    /// Size in bytes.
    pub size: u32,
    /// Whether it is code, not data.
    pub is_function: bool,
}

struct Parsed {
    chip: Chip,
    image: Vec<u8>,
    symbols: Vec<Symbol>,
    log: Option<LogTable>,
}

/// The table of log messages, their formats for the validation, and their source locations.
pub(crate) struct LogTable {
    pub messages: defmt_decoder::Table,
    pub formats: LogFormats,
    pub places: defmt_decoder::Locations,
}

/// A firmware that can run in any number of handhelds.
#[derive(Clone)]
pub struct Firmware(Arc<Parsed>);

impl core::fmt::Debug for Firmware {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Firmware").field("symbols", &self.0.symbols.len()).finish_non_exhaustive()
    }
}

impl Firmware {
    /// Reads an ELF file as cargo writes it to the target folder.
    pub fn from_elf(elf: &[u8]) -> Result<Self, FirmwareError> {
        Self::from_elf_with(elf, |messages| messages.get_locations(elf).unwrap_or_default())
    }

    /// Reads an ELF file from an untrusted source. The debug information is ignored, because a file of a few kilobytes
    /// can contain enough of it to exhaust the memory of the reader. So the log messages have no source locations.
    pub fn from_foreign_elf(elf: &[u8]) -> Result<Self, FirmwareError> {
        Self::from_elf_with(elf, |_| defmt_decoder::Locations::default())
    }

    fn from_elf_with(
        elf: &[u8],
        places: impl FnOnce(&defmt_decoder::Table) -> defmt_decoder::Locations,
    ) -> Result<Self, FirmwareError> {
        let image = Image::from_elf(elf)?;
        image.check_start()?;
        let file = ElfFile32::<Endianness>::parse(elf).map_err(|_| ImageError::NotArmElf)?;
        if !defmt_formats::has_bounded_names(&file) {
            return Err(FirmwareError::TooManyNames);
        }
        let symbols = read_symbols(&file);
        let chip = image.chip();
        let log = LogFormats::read(elf, &file).map_err(|()| FirmwareError::LogTable)?;
        let log = log.map(|(messages, formats)| LogTable { places: places(&messages), messages, formats });
        Ok(Self(Arc::new(Parsed { chip, image: image.into_flash(), symbols, log })))
    }

    /// Reads a UF2 file: a firmware without symbols, and so without a log. If the file is for several chips, the image
    /// for the oldest one is used.
    pub fn from_uf2(file: &[u8]) -> Result<Self, FirmwareError> {
        Self::from_image_of_uf2(uf2::read(file)?)
    }

    /// Reads a UF2 file as a board with this chip does.
    pub fn from_uf2_for(file: &[u8], chip: Chip) -> Result<Self, FirmwareError> {
        Self::from_image_of_uf2(uf2::read_for(file, chip)?)
    }

    fn from_image_of_uf2(image: Image) -> Result<Self, FirmwareError> {
        image.check_start()?;
        Ok(Self(Arc::new(Parsed { chip: image.chip(), image: image.into_flash(), symbols: Vec::new(), log: None })))
    }

    /// A firmware that consists of these bytes, for the tests of this crate.
    #[cfg(test)]
    pub(crate) fn from_image(chip: Chip, mut image: Vec<u8>) -> Self {
        image.resize(chip.flash_size(), flash_image::ERASED);
        Self(Arc::new(Parsed { chip, image, symbols: Vec::new(), log: None }))
    }

    /// The chip for which it was built.
    pub fn chip(&self) -> Chip {
        self.0.chip
    }

    /// The whole content of the flash after programming.
    pub fn image(&self) -> &[u8] {
        &self.0.image
    }

    /// All symbols, in the order of their addresses.
    pub fn symbols(&self) -> &[Symbol] {
        &self.0.symbols
    }

    /// The symbol with exactly this demangled name.
    pub fn symbol(&self, name: &str) -> Option<&Symbol> {
        self.0.symbols.iter().find(|symbol| symbol.name == name)
    }

    /// The functions whose demangled name contains `part`.
    pub fn functions<'a>(&'a self, part: &'a str) -> impl Iterator<Item = &'a Symbol> {
        self.0.symbols.iter().filter(move |symbol| symbol.is_function && symbol.name.contains(part))
    }

    /// Whether the file has a table of log messages. A UF2 file has none.
    pub fn has_log(&self) -> bool {
        self.0.log.is_some()
    }

    pub(crate) fn log_table(&self) -> Option<&LogTable> {
        self.0.log.as_ref()
    }
}

/// All defined functions and data of a file, in the order of their addresses.
fn read_symbols(file: &ElfFile32<'_, Endianness>) -> Vec<Symbol> {
    let mut symbols: Vec<Symbol> = file
        .symbols()
        .filter(|symbol| symbol.is_definition() && matches!(symbol.kind(), SymbolKind::Text | SymbolKind::Data))
        .filter_map(|symbol| {
            let name = symbol.name().ok().filter(|name| !name.is_empty() && !name.starts_with('{'))?;
            Some(Symbol {
                name: demangle(name),
                address: symbol.address() as u32 & if symbol.kind() == SymbolKind::Text { !1 } else { !0 },
                size: symbol.size() as u32,
                is_function: symbol.kind() == SymbolKind::Text,
            })
        })
        .collect();
    symbols.sort_by(|a, b| (a.address, &a.name).cmp(&(b.address, &b.name)));
    symbols
}

/// The name of a function as in the source. Rust has two mangling schemes. `<Type>::method` of the newer scheme is
/// changed to `Type::method`, as in the older one.
///
/// A mangled name can refer to its own parts, so a short one can expand to a very long text. Such a name stays mangled.
fn demangle(mangled: &str) -> String {
    let mut name = BoundedString { text: String::new(), most: mangled.len() + MOST_GROWTH };
    if write!(name, "{:#}", rustc_demangle::demangle(mangled)).is_err() {
        return mangled.to_owned();
    }
    let name = name.text;
    match name.strip_prefix('<').and_then(|rest| rest.split_once(">::")) {
        Some((of, method)) if !of.contains([' ', '<']) => format!("{of}::{method}"),
        _ => name,
    }
}

/// A string with a limit of its length in bytes.
struct BoundedString {
    text: String,
    most: usize,
}

impl core::fmt::Write for BoundedString {
    fn write_str(&mut self, more: &str) -> core::fmt::Result {
        if self.text.len() + more.len() > self.most {
            return Err(core::fmt::Error);
        }
        self.text.push_str(more);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flash_image::elf;

    fn with_vectors() -> Vec<u8> {
        let mut data = vec![7; 0x100];
        data.extend(0x2004_0000u32.to_le_bytes());
        data.extend(0x1000_0121u32.to_le_bytes());
        data
    }

    fn read(address: u32) -> Result<Firmware, FirmwareError> {
        Firmware::from_elf(&elf::of_segments(&[(address, &with_vectors())]).expect("an ELF file"))
    }

    #[test]
    fn elf_file_needs_no_alignment_in_memory() {
        let mut file = vec![0];
        file.extend(elf::of_segments(&[(0x1000_0000, &with_vectors())]).expect("an ELF file"));
        for skip in 1..5 {
            let firmware = Firmware::from_elf(&file[skip..]).expect("a firmware");
            assert_eq!(firmware.image()[..0x108], with_vectors());
            assert_eq!(firmware.image()[0x108..], vec![0xFF; Chip::Rp2040.flash_size() - 0x108]);
            assert_eq!(firmware.symbol("main"), None);
            file.insert(0, 0);
        }
    }

    #[test]
    fn unusable_images_are_refused() {
        assert_eq!(read(0x2000_0000).err(), Some(ImageError::OutsideFlash(0x2000_0000).into()));
        assert_eq!(read(0x1000_0100).err(), Some(ImageError::NoVectors(Chip::Rp2040).into()));
        assert_eq!(Firmware::from_uf2(&[]).err(), Some(Uf2Error::Length(0).into()));
        assert_eq!(Firmware::from_elf(&[]).err(), Some(ImageError::NotArmElf.into()));
    }

    #[test]
    fn both_mangling_schemes_give_the_same_name() {
        for mangled in [
            "_ZN10lights_out6solver6Solver8shortest17h0123456789abcdefE",
            "_RNvMNtCs0_10lights_out6solverNtB2_6Solver8shortest",
        ] {
            assert_eq!(demangle(mangled), "lights_out::solver::Solver::shortest");
        }
        assert_eq!(demangle("TIMER_IRQ_0"), "TIMER_IRQ_0");
    }
}
