//! What makes a file a firmware that the chip's boot ROM would start, and that `picotool info` can tell about.

use std::path::Path;
use std::{env, fs};

use crc::{CRC_32_MPEG_2, Crc};
use object::elf::{EM_ARM, ET_EXEC, PT_LOAD};
use object::read::elf::{ElfFile32, FileHeader, ProgramHeader};
use object::{Endianness, Object};
use virtual_handheld::FLASH_SIZE;

const FLASH: u32 = 0x1000_0000;
const FLASH_END: u32 = FLASH + FLASH_SIZE as u32;
/// The boot ROM loads this much, with its checksum at the end, and checks it before it runs it.
const BOOT2_SIZE: u32 = 256;
const RAM: u32 = 0x2000_0000;
const RAM_SIZE: u32 = 264 * 1024;

fn firmware_file() -> Vec<u8> {
    let path = env::var_os("LIGHTS_OUT_ELF").expect("LIGHTS_OUT_ELF is not set: run `cargo host-tests`");
    fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", Path::new(&path).display()))
}

fn elf(file: &[u8]) -> ElfFile32<'_, Endianness> {
    ElfFile32::parse(file).expect("an ELF file of 32 bits")
}

/// What goes into flash: the loaded pieces of the file, by physical address, lowest first.
struct Loaded<'a>(Vec<(u32, &'a [u8])>);

impl<'a> Loaded<'a> {
    fn new(file: &'a [u8]) -> Self {
        let elf = elf(file);
        let endian = elf.endian();
        let loads = elf.elf_program_headers().iter().filter(|header| header.p_type(endian) == PT_LOAD);
        let pieces = loads.map(|header| (header.p_paddr(endian), header.data(endian, file).expect("a whole segment")));
        // A segment without bytes in the file (.bss) is not loaded.
        let mut pieces: Vec<_> = pieces.filter(|(_, bytes)| !bytes.is_empty()).collect();
        pieces.sort_by_key(|(address, _)| *address);
        Self(pieces)
    }

    /// The bytes at an address, up to the end of their piece.
    #[track_caller]
    fn at(&self, address: u32) -> &'a [u8] {
        let rest = |&(start, bytes): &(u32, &'a [u8])| bytes.get(address.checked_sub(start)? as usize..);
        let found = self.0.iter().filter_map(rest).find(|rest| !rest.is_empty());
        found.unwrap_or_else(|| panic!("nothing is loaded at {address:#010x}"))
    }

    #[track_caller]
    fn word(&self, address: u32) -> u32 {
        u32::from_le_bytes(self.at(address)[..4].try_into().expect("four bytes"))
    }
}

#[test]
fn the_firmware_is_a_program_for_a_32_bit_arm() {
    let file = firmware_file();
    let elf = elf(&file);
    let header = elf.elf_header();
    assert!(elf.is_little_endian());
    assert_eq!(header.e_type(elf.endian()), ET_EXEC, "an executable");
    assert_eq!(header.e_machine(elf.endian()), EM_ARM, "for ARM");
}

#[test]
fn the_firmware_lies_in_flash_and_begins_with_a_boot2_that_the_boot_rom_accepts() {
    let file = firmware_file();
    let loaded = Loaded::new(&file);
    assert_eq!(loaded.0[0].0, FLASH);
    for &(address, bytes) in &loaded.0 {
        assert!(address >= FLASH && address as usize + bytes.len() <= FLASH_END as usize, "{address:#010x}");
    }
    let checked = &loaded.at(FLASH)[..BOOT2_SIZE as usize - 4];
    assert_eq!(loaded.word(FLASH + BOOT2_SIZE - 4), Crc::<u32>::new(&CRC_32_MPEG_2).checksum(checked));
}

#[test]
fn the_vector_table_starts_the_firmware() {
    let file = firmware_file();
    let loaded = Loaded::new(&file);
    let (stack, reset) = (loaded.word(FLASH + BOOT2_SIZE), loaded.word(FLASH + BOOT2_SIZE + 4));
    assert!((RAM..=RAM + RAM_SIZE).contains(&stack), "stack at {stack:#010x}");
    assert_eq!(stack % 8, 0, "the stack is aligned as the ARM calling convention wants it");
    assert_eq!(reset & 1, 1, "Thumb code: {reset:#010x}");
    assert!((FLASH + BOOT2_SIZE..FLASH_END).contains(&reset), "reset at {reset:#010x}");
    loaded.at(reset & !1);
}

/// What `picotool info` would print: the strings behind the header that stands within 256 bytes of the vector table.
#[test]
fn picotool_finds_name_version_and_revision() {
    let file = firmware_file();
    let loaded = Loaded::new(&file);
    let header = (FLASH + BOOT2_SIZE..FLASH + 2 * BOOT2_SIZE)
        .step_by(4)
        .find(|&address| loaded.word(address) == 0x7188_EBF2)
        .expect("picotool's header");
    assert_eq!(loaded.word(header + 16), 0xE71A_A390, "the end of the header");
    let (first, last) = (loaded.word(header + 4), loaded.word(header + 8));
    let strings: Vec<String> = (first..last)
        .step_by(4)
        .map(|pointer| {
            // Type, tag, number, and the address of a string that ends with 0.
            let text = loaded.at(loaded.word(loaded.word(pointer) + 8));
            String::from_utf8_lossy(text.split(|&byte| byte == 0).next().unwrap_or(&[])).into_owned()
        })
        .collect();
    assert!(strings.iter().any(|text| text == "lights-out"), "{strings:?}");
    assert!(strings.iter().any(|text| text == env!("CARGO_PKG_VERSION")), "{strings:?}");
    assert!(strings.iter().any(|text| text == "release"), "{strings:?}");
}
