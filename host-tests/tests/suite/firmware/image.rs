//! What makes a file a firmware that the chip's boot ROM would start, and that `picotool info` can tell about.

use crc::{CRC_32_MPEG_2, Crc};
use flash_image::Chip;
use object::elf::{EM_ARM, ET_EXEC, PT_LOAD};
use object::read::elf::{ElfFile32, FileHeader, ProgramHeader};
use object::{Endianness, Object};
use player::firmware_file;

use super::CHIP;

const FLASH: u32 = CHIP.flash().start;
const FLASH_END: u32 = CHIP.flash().end;
/// The RP2040's boot ROM loads this much, with its checksum at the end, and checks it before it runs it.
const BOOT2_SIZE: u32 = 256;
/// Where the vector table is, and how far behind it picotool looks for its header.
const VECTORS: u32 = match CHIP {
    Chip::Rp2040 => FLASH + BOOT2_SIZE,
    Chip::Rp2350 => FLASH,
};
const PICOTOOL_LOOKS: u32 = match CHIP {
    Chip::Rp2040 => 256,
    Chip::Rp2350 => 1024,
};
const RAM: u32 = 0x2000_0000;
const RAM_SIZE: u32 = match CHIP {
    Chip::Rp2040 => 264 * 1024,
    Chip::Rp2350 => 520 * 1024,
};

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
    let file = firmware_file(CHIP);
    let elf = elf(&file);
    let header = elf.elf_header();
    assert!(elf.is_little_endian());
    assert_eq!(header.e_type(elf.endian()), ET_EXEC, "an executable");
    assert_eq!(header.e_machine(elf.endian()), EM_ARM, "for ARM");
}

#[test]
fn the_firmware_lies_in_flash_and_begins_at_its_start() {
    let file = firmware_file(CHIP);
    let loaded = Loaded::new(&file);
    assert_eq!(loaded.0[0].0, FLASH);
    for &(address, bytes) in &loaded.0 {
        assert!(address >= FLASH && address as usize + bytes.len() <= FLASH_END as usize, "{address:#010x}");
    }
}

/// Each chip's boot ROM starts only what it knows: the RP2040's a second stage whose checksum is right, the RP2350's what has an
/// IMAGE_DEF in the first 4 KB.
#[test]
fn the_boot_rom_finds_what_it_is_looking_for() {
    let file = firmware_file(CHIP);
    let loaded = Loaded::new(&file);
    match CHIP {
        Chip::Rp2040 => {
            let checked = &loaded.at(FLASH)[..BOOT2_SIZE as usize - 4];
            assert_eq!(loaded.word(FLASH + BOOT2_SIZE - 4), Crc::<u32>::new(&CRC_32_MPEG_2).checksum(checked));
        }
        Chip::Rp2350 => {
            let block = (FLASH..FLASH + 4096).step_by(4).find(|&at| loaded.word(at) == 0xFFFF_DED3).expect("a block");
            let words: Vec<u32> = (1..5).map(|n| loaded.word(block + 4 * n)).collect();
            // A program for secure ARM on the RP2350, one word of items, no block but this one, and the last marker.
            assert_eq!(words, [0x1021_0142, 0x0000_01FF, 0, 0xAB12_3579]);
        }
    }
}

#[test]
fn the_vector_table_starts_the_firmware() {
    let file = firmware_file(CHIP);
    let loaded = Loaded::new(&file);
    let (stack, reset) = (loaded.word(VECTORS), loaded.word(VECTORS + 4));
    assert!((RAM..=RAM + RAM_SIZE).contains(&stack), "stack at {stack:#010x}");
    assert_eq!(stack % 8, 0, "the stack is aligned as the ARM calling convention wants it");
    assert_eq!(reset & 1, 1, "Thumb code: {reset:#010x}");
    // The boot stage, and what it does about a fault: both in flash, because nothing is in RAM yet.
    for vector in [4, 8, 12].map(|offset| loaded.word(VECTORS + offset)) {
        assert!((VECTORS..VECTORS + 0x200).contains(&vector), "{vector:#010x}");
    }
}

/// What `picotool info` would print: the strings behind the header that stands near the vector table.
#[test]
fn picotool_finds_name_version_and_revision() {
    let file = firmware_file(CHIP);
    let loaded = Loaded::new(&file);
    let header = (VECTORS..VECTORS + PICOTOOL_LOOKS)
        .step_by(4)
        .find(|&address| loaded.word(address) == 0x7188_EBF2)
        .expect("picotool's header");
    assert_eq!(loaded.word(header + 16), 0xE71A_A390, "the end of the header");
    let (first, last) = (loaded.word(header + 4), loaded.word(header + 8));
    // Addresses in RAM, by the table that tells where they are loaded from.
    let [flash, ram, end] = [0, 4, 8].map(|offset| loaded.word(loaded.word(header + 12) + offset));
    let in_flash = |address: u32| if (ram..end).contains(&address) { address - ram + flash } else { address };
    let strings: Vec<String> = (first..last)
        .step_by(4)
        .map(|pointer| {
            // Type, tag, number, and the address of a string that ends with 0.
            let entry = in_flash(loaded.word(pointer));
            let text = loaded.at(in_flash(loaded.word(entry + 8)));
            String::from_utf8_lossy(text.split(|&byte| byte == 0).next().unwrap_or(&[])).into_owned()
        })
        .collect();
    assert!(strings.iter().any(|text| text == "lights-out"), "{strings:?}");
    assert!(strings.iter().any(|text| text == env!("CARGO_PKG_VERSION")), "{strings:?}");
    assert!(strings.iter().any(|text| text == "release"), "{strings:?}");
}
