//! Writes the ELF file of a firmware: 32 bits, little endian, for ARM. The crate `object` does the layout:
//!
//! ```text
//! file header | program headers | segments | .defmt | .symtab | .strtab | .shstrtab | section headers
//! ```
//!
//! This module is not compiled into the web page's WebAssembly, which only reads files.

use std::fmt;

use object::Endianness;
use object::elf::{
    ELFOSABI_NONE, EM_ARM, ET_EXEC, PF_R, PF_X, PN_XNUM, PT_LOAD, SHN_ABS, SHN_UNDEF, SHT_NOBITS, SHT_PROGBITS,
    STB_LOCAL,
};
use object::write::StringId;
use object::write::elf::{FileHeader, ProgramHeader, SectionHeader, SectionIndex, Sym, Writer};

/// The section whose symbols are the messages of the log.
pub(crate) const LOG_SECTION: &str = ".defmt";
/// An empty section for the symbols of removed sections.
const REMOVED_SECTION: &str = ".bss";

/// The file has more segments or more bytes than the numbers of a 32-bit ELF file can express.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileTooLarge;

impl fmt::Display for FileTooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("too large for a 32-bit ELF file")
    }
}

impl std::error::Error for FileTooLarge {}

/// A load segment.
#[derive(Clone, Copy, Debug)]
pub struct Segment<'a> {
    /// The address when the program runs.
    pub address: u32,
    /// The address to which the bytes are loaded. For initial values of RAM it is in flash.
    pub load_address: u32,
    /// The number of bytes at run time. Those after the end of `content` are zero.
    pub size_in_memory: u32,
    /// Access rights: `PF_R`, `PF_W`, `PF_X`.
    pub flags: u32,
    /// The bytes in the file.
    pub content: &'a [u8],
}

/// The section `.defmt`. It is not loaded.
#[derive(Clone, Copy, Debug)]
pub struct LogSection<'a> {
    /// The address of its first byte.
    pub address: u32,
    /// The bytes.
    pub content: &'a [u8],
}

/// The section that a symbol belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolSection {
    /// The section `.defmt`.
    Log,
    /// None: the value is a number, not an address.
    Absolute,
    /// A section that is not in this file. The value is still an address.
    Removed,
}

/// A name for an address or a number.
#[derive(Clone, Copy, Debug)]
pub struct Symbol<'a> {
    /// The name, which must not contain a zero byte.
    pub name: &'a str,
    /// The section.
    pub section: SymbolSection,
    /// The address or number.
    pub value: u32,
    /// The number of bytes that the symbol stands for.
    pub size: u32,
    /// Binding (bits 4 to 7) and type (bits 0 to 3).
    pub info: u8,
    /// Visibility.
    pub other: u8,
}

/// The content of an ELF file.
#[derive(Clone, Debug, Default)]
pub struct ElfContent<'a> {
    /// The address at which the program starts.
    pub entry: u32,
    /// Flags of the ARM architecture.
    pub flags: u32,
    /// The load segments.
    pub segments: Vec<Segment<'a>>,
    /// The section `.defmt`.
    pub log: Option<LogSection<'a>>,
    /// The symbols.
    pub symbols: Vec<Symbol<'a>>,
}

/// An ELF file that loads these bytes to these addresses.
pub fn of_segments(segments: &[(u32, &[u8])]) -> Result<Vec<u8>, FileTooLarge> {
    let segments = segments.iter().map(|&(address, content)| {
        let size_in_memory = u32::try_from(content.len()).map_err(|_| FileTooLarge)?;
        Ok(Segment { address, load_address: address, size_in_memory, flags: PF_R | PF_X, content })
    });
    ElfContent { segments: segments.collect::<Result<_, _>>()?, ..ElfContent::default() }.write()
}

/// Names, section numbers and file offsets, which must be known before the first byte is written.
struct Layout {
    log_section: Option<(SectionIndex, StringId)>,
    removed_section: (SectionIndex, StringId),
    symbol_names: Vec<StringId>,
    segment_offsets: Vec<usize>,
    log_offset: usize,
}

impl<'a> ElfContent<'a> {
    /// The bytes of the file.
    pub fn write(&self) -> Result<Vec<u8>, FileTooLarge> {
        let mut file = Vec::new();
        let mut writer = Writer::new(Endianness::Little, false, &mut file);
        let layout = self.reserve(&mut writer);
        // `Writer` truncates both numbers without a check.
        if self.segments.len() >= PN_XNUM.into() || u32::try_from(writer.reserved_len()).is_err() {
            return Err(FileTooLarge);
        }
        self.write_segments(&mut writer, &layout)?;
        if let Some(log) = self.log {
            writer.write(log.content);
        }
        self.write_symbols(&mut writer, &layout);
        writer.write_shstrtab();
        self.write_section_headers(&mut writer, &layout);
        Ok(file)
    }

    fn reserve(&self, writer: &mut Writer<'a>) -> Layout {
        let section = |writer: &mut Writer<'a>, name: &'static str| {
            (writer.reserve_section_index(), writer.add_section_name(name.as_bytes()))
        };
        let log_section = self.log.map(|_| section(writer, LOG_SECTION));
        writer.reserve_symtab_section_index();
        writer.reserve_strtab_section_index();
        let removed_section = section(writer, REMOVED_SECTION);
        writer.reserve_shstrtab_section_index();
        writer.reserve_null_symbol_index();
        let symbol_names = self.symbols.iter().map(|symbol| {
            writer.reserve_symbol_index(None);
            writer.add_string(symbol.name.as_bytes())
        });
        let symbol_names = symbol_names.collect();

        writer.reserve_file_header();
        writer.reserve_program_headers(self.segments.len() as u32);
        let segment_offsets = self.segments.iter().map(|segment| writer.reserve(segment.content.len(), 1)).collect();
        let log_offset = writer.reserve(self.log.map_or(0, |log| log.content.len()), 1);
        writer.reserve_symtab();
        writer.reserve_strtab();
        writer.reserve_shstrtab();
        writer.reserve_section_headers();
        Layout { log_section, removed_section, symbol_names, segment_offsets, log_offset }
    }

    fn write_segments(&self, writer: &mut Writer<'a>, layout: &Layout) -> Result<(), FileTooLarge> {
        let header = FileHeader {
            os_abi: ELFOSABI_NONE,
            abi_version: 0,
            e_type: ET_EXEC,
            e_machine: EM_ARM,
            e_entry: self.entry.into(),
            e_flags: self.flags,
        };
        writer.write_file_header(&header).map_err(|_| FileTooLarge)?;
        writer.write_align_program_headers();
        for (segment, &offset) in self.segments.iter().zip(&layout.segment_offsets) {
            writer.write_program_header(&ProgramHeader {
                p_type: PT_LOAD,
                p_flags: segment.flags,
                p_offset: offset as u64,
                p_vaddr: segment.address.into(),
                p_paddr: segment.load_address.into(),
                p_filesz: segment.content.len() as u64,
                p_memsz: segment.size_in_memory.into(),
                p_align: 1,
            });
        }
        self.segments.iter().for_each(|segment| writer.write(segment.content));
        Ok(())
    }

    fn write_symbols(&self, writer: &mut Writer<'a>, layout: &Layout) {
        writer.write_null_symbol();
        for (symbol, &name) in self.symbols.iter().zip(&layout.symbol_names) {
            let (section, st_shndx) = match symbol.section {
                SymbolSection::Log => (layout.log_section.map(|(index, _)| index), SHN_UNDEF),
                SymbolSection::Absolute => (None, SHN_ABS),
                SymbolSection::Removed => (Some(layout.removed_section.0), SHN_UNDEF),
            };
            writer.write_symbol(&Sym {
                name: Some(name),
                section,
                st_info: symbol.info,
                st_other: symbol.other,
                st_shndx,
                st_value: symbol.value.into(),
                st_size: symbol.size.into(),
            });
        }
        writer.write_strtab();
    }

    fn write_section_headers(&self, writer: &mut Writer<'a>, layout: &Layout) {
        let header = |name, sh_type| SectionHeader {
            name: Some(name),
            sh_type,
            sh_flags: 0,
            sh_addr: 0,
            sh_offset: layout.log_offset as u64,
            sh_size: 0,
            sh_link: 0,
            sh_info: 0,
            sh_addralign: 1,
            sh_entsize: 0,
        };
        writer.write_null_section_header();
        if let (Some(log), Some((_, name))) = (self.log, layout.log_section) {
            let (sh_addr, sh_size) = (log.address.into(), log.content.len() as u64);
            writer.write_section_header(&SectionHeader { sh_addr, sh_size, ..header(name, SHT_PROGBITS) });
        }
        // The local symbols come first. The null symbol is one of them.
        let locals = self.symbols.iter().filter(|symbol| symbol.info >> 4 == STB_LOCAL).count();
        writer.write_symtab_section_header(locals as u32 + 1);
        writer.write_strtab_section_header();
        writer.write_section_header(&header(layout.removed_section.1, SHT_NOBITS));
        writer.write_shstrtab_section_header();
    }
}
