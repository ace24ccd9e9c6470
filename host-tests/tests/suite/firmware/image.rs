//! The firmware file: an ELF image that the chip's boot ROM starts, with the information that `picotool info` prints.

use crc::{CRC_32_MPEG_2, Crc};
use flash_image::Chip::{self, Rp2040, Rp2350};
use object::elf::{EM_ARM, ET_EXEC, PT_LOAD};
use object::read::elf::{ElfFile32, FileHeader, ProgramHeader};
use object::{Endianness, Object};
use player::firmware_file;

/// The RP2040's boot ROM loads this many bytes, verifies the checksum at their end, and runs them.
const BOOT2_SIZE: u32 = 256;
const RAM: u32 = 0x2000_0000;

/// The address of the vector table.
const fn vectors(chip: Chip) -> u32 {
    chip.flash().start + chip.vectors() as u32
}

/// How many bytes after the vector table picotool searches for its header.
const fn picotool_range(chip: Chip) -> u32 {
    match chip {
        Rp2040 => 256,
        Rp2350 => 1024,
    }
}

const fn ram_size(chip: Chip) -> u32 {
    match chip {
        Rp2040 => 264 * 1024,
        Rp2350 => 520 * 1024,
    }
}

fn elf(file: &[u8]) -> ElfFile32<'_, Endianness> {
    ElfFile32::parse(file).expect("a 32-bit ELF file")
}

/// The segments of the file that are written to flash, by physical address, lowest first.
struct Segments<'a>(Vec<(u32, &'a [u8])>);

impl<'a> Segments<'a> {
    fn new(file: &'a [u8]) -> Self {
        let elf = elf(file);
        let endian = elf.endian();
        let loads = elf.elf_program_headers().iter().filter(|header| header.p_type(endian) == PT_LOAD);
        let segments =
            loads.map(|header| (header.p_paddr(endian), header.data(endian, file).expect("a whole segment")));
        // A segment without bytes in the file (.bss) is not loaded.
        let mut segments: Vec<_> = segments.filter(|(_, bytes)| !bytes.is_empty()).collect();
        segments.sort_by_key(|(address, _)| *address);
        Self(segments)
    }

    /// The bytes at an address, up to the end of their segment.
    #[track_caller]
    fn at(&self, address: u32) -> &'a [u8] {
        let rest = |&(start, bytes): &(u32, &'a [u8])| bytes.get(address.checked_sub(start)? as usize..);
        let found = self.0.iter().filter_map(rest).find(|rest| !rest.is_empty());
        found.unwrap_or_else(|| panic!("no segment at {address:#010x}"))
    }

    #[track_caller]
    fn word(&self, address: u32) -> u32 {
        u32::from_le_bytes(self.at(address)[..4].try_into().expect("four bytes"))
    }
}

on_each_chip!(elf_file_is_for_32_bit_arm);
fn elf_file_is_for_32_bit_arm(chip: Chip) {
    let file = firmware_file(chip);
    let elf = elf(&file);
    let header = elf.elf_header();
    assert!(elf.is_little_endian());
    assert_eq!(header.e_type(elf.endian()), ET_EXEC, "not an executable");
    assert_eq!(header.e_machine(elf.endian()), EM_ARM, "not for ARM");
}

on_each_chip!(image_lies_in_flash_and_begins_at_its_start);
fn image_lies_in_flash_and_begins_at_its_start(chip: Chip) {
    let file = firmware_file(chip);
    let segments = Segments::new(&file);
    let flash = chip.flash();
    assert_eq!(segments.0[0].0, flash.start);
    for &(address, bytes) in &segments.0 {
        let end = address as usize + bytes.len();
        assert!(address >= flash.start && end <= flash.end as usize, "segment at {address:#010x}");
    }
}

on_each_chip!(boot_rom_accepts_image);
/// The RP2040's boot ROM starts a second-stage bootloader with a correct checksum; the RP2350's boot ROM an image with
/// an IMAGE_DEF in its first 4 KB.
fn boot_rom_accepts_image(chip: Chip) {
    let file = firmware_file(chip);
    let segments = Segments::new(&file);
    let flash = chip.flash().start;
    match chip {
        Rp2040 => {
            let checked = &segments.at(flash)[..BOOT2_SIZE as usize - 4];
            assert_eq!(segments.word(flash + BOOT2_SIZE - 4), Crc::<u32>::new(&CRC_32_MPEG_2).checksum(checked));
        }
        Rp2350 => {
            let block = (flash..flash + 4096).step_by(4).find(|&at| segments.word(at) == 0xFFFF_DED3);
            let block = block.expect("the marker of a block");
            let words: Vec<u32> = (1..5).map(|n| segments.word(block + 4 * n)).collect();
            // An executable for secure ARM on the RP2350, one word of items, a block loop of this block alone, the end
            // marker.
            assert_eq!(words, [0x1021_0142, 0x0000_01FF, 0, 0xAB12_3579]);
        }
    }
}

on_each_chip!(vector_table_starts_firmware);
fn vector_table_starts_firmware(chip: Chip) {
    let file = firmware_file(chip);
    let segments = Segments::new(&file);
    let vectors = vectors(chip);
    let (stack, reset) = (segments.word(vectors), segments.word(vectors + 4));
    assert!((RAM..=RAM + ram_size(chip)).contains(&stack), "stack at {stack:#010x}");
    assert_eq!(stack % 8, 0, "the ARM calling convention needs a stack aligned to 8 bytes");
    assert_eq!(reset & 1, 1, "the reset vector is not Thumb code: {reset:#010x}");
    // The boot stage and its fault handlers are in flash, because RAM is not initialised yet.
    for vector in [4, 8, 12].map(|offset| segments.word(vectors + offset)) {
        assert!((vectors..vectors + 0x200).contains(&vector), "vector to {vector:#010x}");
    }
}

on_each_chip!(picotool_finds_name_version_and_build);
/// Reads the strings that `picotool info` prints, from the header near the vector table.
fn picotool_finds_name_version_and_build(chip: Chip) {
    let file = firmware_file(chip);
    let segments = Segments::new(&file);
    let vectors = vectors(chip);
    let header = (vectors..vectors + picotool_range(chip))
        .step_by(4)
        .find(|&address| segments.word(address) == 0x7188_EBF2)
        .expect("picotool's header");
    assert_eq!(segments.word(header + 16), 0xE71A_A390, "the end marker of the header");
    let (first, last) = (segments.word(header + 4), segments.word(header + 8));
    // The header's table maps addresses in RAM to the addresses that they are loaded from.
    let [flash, ram, end] = [0, 4, 8].map(|offset| segments.word(segments.word(header + 12) + offset));
    let in_flash = |address: u32| if (ram..end).contains(&address) { address - ram + flash } else { address };
    let strings: Vec<String> = (first..last)
        .step_by(4)
        .map(|pointer| {
            // An entry has a type, a tag, an id, and the address of a string that ends with 0.
            let entry = in_flash(segments.word(pointer));
            let text = segments.at(in_flash(segments.word(entry + 8)));
            String::from_utf8_lossy(text.split(|&byte| byte == 0).next().unwrap_or(&[])).into_owned()
        })
        .collect();
    for expected in ["lights-out", env!("CARGO_PKG_VERSION"), "release"] {
        assert!(strings.iter().any(|text| text == expected), "{expected} is not in {strings:?}");
    }
}
