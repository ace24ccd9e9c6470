//! The rules of the house: what the library may not name, what the project promises to hold, and what makes a file a
//! firmware that the chip's boot ROM would start.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

const FLASH: u32 = 0x1000_0000;
const FLASH_SIZE: u32 = 2 * 1024 * 1024;
/// The boot ROM loads this much and checks it before it runs it.
const BOOT2_SIZE: u32 = 256;
const RAM: u32 = 0x2000_0000;
const RAM_SIZE: u32 = 264 * 1024;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("host-tests stands in the project").to_path_buf()
}

/// Every file of the library: all of src/ but for the firmware around it.
fn library_files() -> Vec<PathBuf> {
    let source = root().join("src");
    let mut folders = vec![source.clone()];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a readable folder") {
            let path = entry.expect("a readable entry").path();
            if path == source.join("firmware") || path == source.join("main.rs") {
                continue;
            }
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    files
}

#[test]
fn the_library_names_neither_the_chip_nor_unsafe_code() {
    let files = library_files();
    assert!(files.contains(&root().join("src").join("lib.rs")));
    let mut found = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).expect("a readable file");
        for (index, line) in text.lines().enumerate() {
            let forbidden = line.contains("embassy") || line.contains("unsafe");
            if forbidden && line.trim() != "#![forbid(unsafe_code)]" {
                found.push(format!("{}:{}: {line}", file.display(), index + 1));
            }
        }
    }
    assert!(found.is_empty(), "the library is to name neither:\n{}", found.join("\n"));
}

#[test]
fn the_library_forbids_unsafe_code() {
    let text = fs::read_to_string(root().join("src").join("lib.rs")).expect("a readable file");
    assert!(text.lines().any(|line| line.trim() == "#![forbid(unsafe_code)]"));
}

#[test]
fn what_the_project_promises_is_there() {
    let promised = ["Cargo.toml", "README.md", "memory.x", ".cargo", "src", "host-tests", "build.rs"];
    let missing: Vec<_> = promised.into_iter().filter(|name| !root().join(name).exists()).collect();
    assert!(missing.is_empty(), "missing: {missing:?}");
}

/// A piece of the file that goes into flash.
struct Segment {
    address: u32,
    bytes: Vec<u8>,
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes(bytes[at..at + 2].try_into().expect("two bytes"))
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"))
}

fn firmware_file() -> Vec<u8> {
    let path = env::var_os("LIGHTS_OUT_ELF").expect("LIGHTS_OUT_ELF is not set: run `cargo host-tests`");
    fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", Path::new(&path).display()))
}

/// What the program headers of a 32-bit ELF file load, by physical address, lowest first. A segment without bytes in the
/// file (.bss) is not loaded.
fn segments(elf: &[u8]) -> Vec<Segment> {
    let (table, size, count) = (u32_at(elf, 28) as usize, u16_at(elf, 42) as usize, u16_at(elf, 44) as usize);
    let mut segments = Vec::new();
    for header in (0..count).map(|index| &elf[table + index * size..][..size]) {
        const LOAD: u32 = 1;
        let (kind, offset, address, length) =
            (u32_at(header, 0), u32_at(header, 4) as usize, u32_at(header, 12), u32_at(header, 16) as usize);
        if kind == LOAD && length > 0 {
            segments.push(Segment { address, bytes: elf[offset..offset + length].to_vec() });
        }
    }
    segments.sort_by_key(|segment| segment.address);
    segments
}

/// The loaded bytes at an address, up to the end of their segment.
fn loaded_at(segments: &[Segment], address: u32) -> &[u8] {
    segments
        .iter()
        .find_map(|segment| {
            segment.bytes.get(address.checked_sub(segment.address)? as usize..).filter(|b| !b.is_empty())
        })
        .unwrap_or_else(|| panic!("nothing is loaded at {address:#010x}"))
}

/// CRC-32/MPEG-2, as the boot ROM computes it.
fn boot_rom_crc(bytes: &[u8]) -> u32 {
    bytes.iter().fold(u32::MAX, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte) << 24, |crc, _| (crc << 1) ^ if crc >> 31 == 1 { 0x04C1_1DB7 } else { 0 })
    })
}

#[test]
fn the_crc_is_the_one_in_the_catalogues() {
    assert_eq!(boot_rom_crc(b"123456789"), 0x0376_E6E7);
}

#[test]
fn the_firmware_is_a_program_for_a_32_bit_arm() {
    let elf = firmware_file();
    assert_eq!(&elf[..4], b"\x7fELF");
    assert_eq!(elf[4], 1, "32 bits");
    assert_eq!(elf[5], 1, "little endian");
    assert_eq!(u16_at(&elf, 16), 2, "an executable");
    assert_eq!(u16_at(&elf, 18), 40, "for ARM");
}

#[test]
fn the_firmware_lies_in_flash_and_begins_with_a_boot2_that_the_boot_rom_accepts() {
    let segments = segments(&firmware_file());
    assert_eq!(segments[0].address, FLASH);
    for segment in &segments {
        let end = segment.address as usize + segment.bytes.len();
        assert!(segment.address >= FLASH && end <= (FLASH + FLASH_SIZE) as usize, "{:#010x}", segment.address);
    }
    let boot2 = &loaded_at(&segments, FLASH)[..BOOT2_SIZE as usize];
    assert_eq!(u32_at(boot2, 252), boot_rom_crc(&boot2[..252]));
}

#[test]
fn the_vector_table_starts_the_firmware() {
    let segments = segments(&firmware_file());
    let vectors = loaded_at(&segments, FLASH + BOOT2_SIZE);
    let (stack, reset) = (u32_at(vectors, 0), u32_at(vectors, 4));
    assert!((RAM..=RAM + RAM_SIZE).contains(&stack), "stack at {stack:#010x}");
    assert_eq!(stack % 8, 0, "the stack is aligned as the ARM calling convention wants it");
    assert_eq!(reset & 1, 1, "Thumb code: {reset:#010x}");
    assert!((FLASH + BOOT2_SIZE..FLASH + FLASH_SIZE).contains(&reset), "reset at {reset:#010x}");
    loaded_at(&segments, reset & !1);
}

/// What `picotool info` would print: the strings behind the header that stands within 256 bytes of the vector table.
#[test]
fn picotool_finds_name_version_and_revision() {
    let segments = segments(&firmware_file());
    // The header may lie in a segment of its own, right behind the vectors.
    let header = (0..256 / 4)
        .map(|word| FLASH + BOOT2_SIZE + 4 * word)
        .find(|&address| u32_at(loaded_at(&segments, address), 0) == 0x7188_EBF2)
        .expect("picotool's header");
    let header = loaded_at(&segments, header);
    assert_eq!(u32_at(header, 16), 0xE71A_A390, "the end of the header");
    let (first, last) = (u32_at(header, 4), u32_at(header, 8));
    let strings: Vec<String> = (first..last)
        .step_by(4)
        .map(|pointer| {
            // Type, tag, number, and the address of a string that ends with 0.
            let entry = loaded_at(&segments, u32_at(loaded_at(&segments, pointer), 0));
            let text = loaded_at(&segments, u32_at(entry, 8));
            String::from_utf8_lossy(text.split(|&byte| byte == 0).next().unwrap_or(&[])).into_owned()
        })
        .collect();
    assert!(strings.iter().any(|text| text == "lights-out"), "{strings:?}");
    assert!(strings.iter().any(|text| text == env!("CARGO_PKG_VERSION")), "{strings:?}");
    assert!(strings.iter().any(|text| text == "release"), "{strings:?}");
}
