//! The firmware image: what an ELF file says about flash, symbols and log messages, read once.
//!
//! What goes into flash is the crate `flash-image`'s to say. Symbols serve to find the log's buffer and to measure
//! functions; a Rust symbol is looked up by any part of its readable name. Cheap to clone: all clones share the parsed file.

use crate::log_check::{self, LogFormats};
use core::fmt::Write;
use flash_image::uf2::{self, Uf2Error};
use flash_image::{Chip, Image, ImageError};
use object::read::elf::ElfFile32;
use object::{Endianness, Object, ObjectSymbol, SymbolKind};
use std::sync::Arc;

/// Bytes by which a name may become longer than it was mangled.
const LONGEST_NAME: usize = 1024;

/// Why a file is no firmware for the handheld.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FirmwareError {
    /// It is no image of a Pico's flash, or one that cannot start.
    Image(ImageError),
    /// It is a UF2 file that a Pico would not take.
    Uf2(Uf2Error),
    /// Its log messages are not what this version of the decoder reads.
    LogTable,
    /// Its symbols have more text than any firmware for a Pico.
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
    chip: Chip,
    image: Vec<u8>,
    symbols: Vec<Symbol>,
    log: Option<LogTable>,
}

/// The log messages, what is known of their formats, and where in the source each of them is.
pub(crate) struct LogTable {
    pub messages: defmt_decoder::Table,
    pub formats: LogFormats,
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
        Self::from_elf_with(elf, |messages| messages.get_locations(elf).unwrap_or_default())
    }

    /// Reads an ELF file that may be anybody's. Its debug information is not looked at, because a file of a few
    /// kilobytes can have as much of it as the reader's memory: so the messages of its log have no places.
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
        if !log_check::has_bounded_names(&file) {
            return Err(FirmwareError::TooManyNames);
        }
        let mut symbols: Vec<Symbol> = file
            .symbols()
            .filter(|symbol| symbol.is_definition() && matches!(symbol.kind(), SymbolKind::Text | SymbolKind::Data))
            .filter_map(|symbol| {
                let name = symbol.name().ok().filter(|name| !name.is_empty() && !name.starts_with('{'))?;
                Some(Symbol {
                    name: readable(name),
                    address: symbol.address() as u32 & if symbol.kind() == SymbolKind::Text { !1 } else { !0 },
                    size: symbol.size() as u32,
                    is_function: symbol.kind() == SymbolKind::Text,
                })
            })
            .collect();
        symbols.sort_by(|a, b| (a.address, &a.name).cmp(&(b.address, &b.name)));
        let chip = image.chip();
        let log = LogFormats::read(elf, &file).map_err(|()| FirmwareError::LogTable)?;
        let log = log.map(|(messages, formats)| LogTable { places: places(&messages), messages, formats });
        Ok(Self(Arc::new(Parsed { chip, image: image.into_flash(), symbols, log })))
    }

    /// Reads a UF2 file: a firmware without symbols, and so without a log. Of one for several chips, the oldest counts.
    pub fn from_uf2(file: &[u8]) -> Result<Self, FirmwareError> {
        Self::from_image_of_uf2(uf2::read(file)?)
    }

    /// What a board with this chip would make of a UF2 file.
    pub fn from_uf2_for(file: &[u8], chip: Chip) -> Result<Self, FirmwareError> {
        Self::from_image_of_uf2(uf2::read_for(file, chip)?)
    }

    fn from_image_of_uf2(image: Image) -> Result<Self, FirmwareError> {
        image.check_start()?;
        Ok(Self(Arc::new(Parsed { chip: image.chip(), image: image.into_flash(), symbols: Vec::new(), log: None })))
    }

    /// A firmware of nothing but these bytes, for the tests of this crate.
    #[cfg(test)]
    pub(crate) fn from_image(chip: Chip, mut image: Vec<u8>) -> Self {
        image.resize(chip.flash_size(), flash_image::ERASED);
        Self(Arc::new(Parsed { chip, image, symbols: Vec::new(), log: None }))
    }

    /// The chip that it is for.
    pub fn chip(&self) -> Chip {
        self.0.chip
    }

    /// The flash as the programmer would write it, all of it.
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

    /// Whether it brought the words of its log: a UF2 file has none.
    pub fn has_log(&self) -> bool {
        self.0.log.is_some()
    }

    pub(crate) fn log_table(&self) -> Option<&LogTable> {
        self.0.log.as_ref()
    }
}

/// The name of a function as it stands in the source. There are two ways to mangle it, and `<Type>::method` of the newer one is
/// `Type::method` in the older.
///
/// A mangled name can refer to its own parts, and so a short one can stand for a long text: such a one stays as it is.
fn readable(mangled: &str) -> String {
    let mut name = Limited { text: String::new(), most: mangled.len() + LONGEST_NAME };
    if write!(name, "{:#}", rustc_demangle::demangle(mangled)).is_err() {
        return mangled.to_owned();
    }
    let name = name.text;
    match name.strip_prefix('<').and_then(|rest| rest.split_once(">::")) {
        Some((of, method)) if !of.contains([' ', '<']) => format!("{of}::{method}"),
        _ => name,
    }
}

/// A text that does not become longer than it may.
struct Limited {
    text: String,
    most: usize,
}

impl core::fmt::Write for Limited {
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
    fn a_file_is_read_wherever_it_is_in_memory() {
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
    fn what_does_not_fit_or_cannot_start_is_refused() {
        assert_eq!(read(0x2000_0000).err(), Some(ImageError::OutsideFlash(0x2000_0000).into()));
        assert_eq!(read(0x1000_0100).err(), Some(ImageError::NoVectors(Chip::Rp2040).into()));
        assert_eq!(Firmware::from_uf2(&[]).err(), Some(Uf2Error::Length(0).into()));
        assert_eq!(Firmware::from_elf(&[]).err(), Some(ImageError::NotArmElf.into()));
    }

    #[test]
    fn a_method_has_one_name_however_it_is_mangled() {
        for mangled in [
            "_ZN10lights_out6solver6Solver8shortest17h0123456789abcdefE",
            "_RNvMNtCs0_10lights_out6solverNtB2_6Solver8shortest",
        ] {
            assert_eq!(readable(mangled), "lights_out::solver::Solver::shortest");
        }
        assert_eq!(readable("TIMER_IRQ_0"), "TIMER_IRQ_0");
    }
}
