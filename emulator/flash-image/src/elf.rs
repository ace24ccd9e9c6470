//! Writes ELF files, in the one kind that a Pico's firmware is: 32 bits, little endian, for ARM.
//!
//! By hand: a file is a head, two tables and what they point to, each a row of numbers, and the crate that reads ELF files
//! takes three times as long to build when it is to write them too.
//!
//! ```text
//! head (52 bytes) | segments, 32 bytes each | sections, 40 bytes each | their contents | the segments' contents
//! ```

use std::num::TryFromIntError;

use object::elf::{EM_ARM, ET_EXEC, EV_CURRENT, PF_R, PF_X, PT_LOAD, SHT_STRTAB};

const HEAD: usize = 52;
const SEGMENT: usize = 32;
const SECTION: usize = 40;

/// Bytes that are loaded.
#[derive(Clone, Copy, Debug)]
pub struct Segment<'a> {
    /// Where they are when the program runs.
    pub address: u32,
    /// Where they are put, which for initial values of RAM is in flash.
    pub load_address: u32,
    /// How many there are at run time; those that are not in the file are zero.
    pub size_in_memory: u32,
    /// `PF_R` and its like.
    pub flags: u32,
    /// The bytes.
    pub content: &'a [u8],
}

/// Bytes with a name.
#[derive(Clone, Copy, Debug, Default)]
pub struct Section<'a> {
    /// The name.
    pub name: &'a str,
    /// `SHT_PROGBITS` and its like.
    pub kind: u32,
    /// The address of its first byte.
    pub address: u32,
    /// For symbols: the number of the section with their names, counted from 1 in the order given.
    pub link: u32,
    /// For symbols: how many of them are local.
    pub info: u32,
    /// For a table: the bytes of an entry.
    pub entry_size: u32,
    /// The bytes.
    pub content: &'a [u8],
}

/// An ELF file that loads these bytes to these addresses, and nothing else.
pub fn of_segments(segments: &[(u32, &[u8])]) -> Result<Vec<u8>, TryFromIntError> {
    let segments = segments.iter().map(|&(address, content)| {
        let size_in_memory = u32::try_from(content.len())?;
        Ok(Segment { address, load_address: address, size_in_memory, flags: PF_R | PF_X, content })
    });
    write(0, 0, &segments.collect::<Result<Vec<_>, TryFromIntError>>()?, &[])
}

/// An ELF file of a program that starts at `entry`; an error where it would be longer than 32 bits can say.
pub fn write(
    entry: u32,
    flags: u32,
    segments: &[Segment<'_>],
    sections: &[Section<'_>],
) -> Result<Vec<u8>, TryFromIntError> {
    // The names of the sections are a section as well, the last; and the first is by definition nothing.
    let mut names = vec![0];
    let name_places: Vec<usize> = sections.iter().map(|section| append(&mut names, section.name)).collect();
    let own_name = append(&mut names, ".shstrtab");
    let names_section = Section { kind: SHT_STRTAB, content: &names, ..Section::default() };
    let tables = HEAD + SEGMENT * segments.len();
    let mut section_at = tables + SECTION * (sections.len() + 2);
    let mut segment_at = section_at + sections.iter().map(|section| section.content.len()).sum::<usize>() + names.len();

    let mut file = b"\x7FELF\x01\x01\x01".to_vec();
    file.resize(16, 0);
    halves(&mut file, [ET_EXEC, EM_ARM]);
    words(&mut file, [EV_CURRENT.into(), entry, HEAD as u32, u32::try_from(tables)?, flags]);
    let counts = [segments.len(), SECTION, sections.len() + 2, sections.len() + 1];
    halves(&mut file, [HEAD as u16, SEGMENT as u16]);
    for count in counts {
        halves(&mut file, [u16::try_from(count)?]);
    }
    for segment in segments {
        let (offset, size) = (u32::try_from(segment_at)?, u32::try_from(segment.content.len())?);
        segment_at += segment.content.len();
        let Segment { address, load_address, size_in_memory, flags, .. } = *segment;
        words(&mut file, [PT_LOAD, offset, address, load_address, size, size_in_memory, flags, 1]);
    }
    file.extend([0; SECTION]);
    for (section, name) in sections.iter().zip(name_places).chain([(&names_section, own_name)]) {
        let (offset, size) = (u32::try_from(section_at)?, u32::try_from(section.content.len())?);
        section_at += section.content.len();
        let Section { kind, address, link, info, entry_size, .. } = *section;
        words(&mut file, [u32::try_from(name)?, kind, 0, address, offset, size, link, info, 1, entry_size]);
    }
    sections.iter().for_each(|section| file.extend(section.content));
    file.extend(&names);
    segments.iter().for_each(|segment| file.extend(segment.content));
    Ok(file)
}

/// Puts a name behind others, and tells where it is.
pub(crate) fn append(names: &mut Vec<u8>, name: &str) -> usize {
    let place = names.len();
    names.extend(name.bytes().chain([0]));
    place
}

/// Puts numbers of 32 bits behind what is there.
pub(crate) fn words<const N: usize>(file: &mut Vec<u8>, numbers: [u32; N]) {
    file.extend(numbers.map(u32::to_le_bytes).as_flattened());
}

fn halves<const N: usize>(file: &mut Vec<u8>, numbers: [u16; N]) {
    file.extend(numbers.map(u16::to_le_bytes).as_flattened());
}
