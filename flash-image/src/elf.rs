//! ELF files of nothing but load segments, for tests and for who has only the bytes.

use object::Endianness;
use object::elf::{ELFOSABI_NONE, EM_ARM, ET_EXEC, PF_R, PF_X, PT_LOAD};
use object::write::Result;
use object::write::elf::{FileHeader, ProgramHeader, Writer};

/// An ELF file for ARM that loads these bytes to these addresses.
pub fn of_segments(segments: &[(u32, &[u8])]) -> Result<Vec<u8>> {
    let mut file = Vec::new();
    let mut writer = Writer::new(Endianness::Little, false, &mut file);
    writer.reserve_file_header();
    writer.reserve_program_headers(segments.len() as u32);
    let offsets: Vec<usize> = segments.iter().map(|(_, content)| writer.reserve(content.len(), 1)).collect();
    writer.write_file_header(&FileHeader {
        os_abi: ELFOSABI_NONE,
        abi_version: 0,
        e_type: ET_EXEC,
        e_machine: EM_ARM,
        e_entry: 0,
        e_flags: 0,
    })?;
    writer.write_align_program_headers();
    for ((address, content), offset) in segments.iter().zip(offsets) {
        let (address, length) = (u64::from(*address), content.len() as u64);
        writer.write_program_header(&ProgramHeader {
            p_type: PT_LOAD,
            p_flags: PF_R | PF_X,
            p_offset: offset as u64,
            p_vaddr: address,
            p_paddr: address,
            p_filesz: length,
            p_memsz: length,
            p_align: 1,
        });
    }
    segments.iter().for_each(|(_, content)| writer.write(content));
    Ok(file)
}
