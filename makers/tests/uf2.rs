//! The UF2 file, block by block against the specification, and booted.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::time::Duration;

use makers::uf2::{self, ElfError, Uf2Error};
use virtual_handheld::{FLASH_SIZE, Firmware, Handheld, Options};

const BASE: u32 = 0x1000_0000;

fn firmware_elf() -> Vec<u8> {
    let path = env::var_os("LIGHTS_OUT_ELF").expect("LIGHTS_OUT_ELF is not set: run `cargo host-tests`");
    fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn firmware_uf2() -> Vec<u8> {
    uf2::encode(&uf2::pages(&firmware_elf()).expect("a firmware"))
}

/// A little ELF file for ARM with nothing but these load segments.
fn elf(segments: &[(u32, &[u8])]) -> Vec<u8> {
    const HEADER: u32 = 52;
    const PROGRAM_HEADER: u32 = 32;
    let mut file = b"\x7fELF\x01\x01\x01".to_vec();
    file.resize(16, 0);
    let half = |file: &mut Vec<u8>, value: u16| file.extend(value.to_le_bytes());
    let word = |file: &mut Vec<u8>, value: u32| file.extend(value.to_le_bytes());
    half(&mut file, 2);
    half(&mut file, 40);
    for value in [1, 0, HEADER, 0, 0x0500_0000] {
        word(&mut file, value);
    }
    for value in [HEADER as u16, PROGRAM_HEADER as u16, segments.len() as u16, 40, 0, 0] {
        half(&mut file, value);
    }
    let mut offset = HEADER + PROGRAM_HEADER * segments.len() as u32;
    for (address, content) in segments {
        let length = content.len() as u32;
        for value in [1, offset, *address, *address, length, length, 5, 1] {
            word(&mut file, value);
        }
        offset += length;
    }
    segments.iter().for_each(|(_, content)| file.extend(*content));
    file
}

/// What a file of blocks makes of an erased flash, read with no help from the code under test.
fn flash_of(file: &[u8]) -> Vec<u8> {
    let mut flash = vec![0xFF; FLASH_SIZE];
    for block in file.chunks(512) {
        let address = u32::from_le_bytes(block[12..16].try_into().expect("four bytes"));
        let offset = (address - BASE) as usize;
        flash[offset..offset + 256].copy_from_slice(&block[32..288]);
    }
    flash
}

#[test]
fn every_block_is_what_the_specification_and_the_boot_rom_want() {
    let file = firmware_uf2();
    assert_eq!(file.len() % 512, 0);
    let count = (file.len() / 512) as u32;
    let mut last = None;
    for (number, block) in file.chunks(512).enumerate() {
        let word = |at: usize| u32::from_le_bytes(block[at..at + 4].try_into().expect("four bytes"));
        assert_eq!(&block[..4], b"UF2\n", "first magic number of block {number}");
        assert_eq!(word(4), 0x9E5D_5157, "second magic number of block {number}");
        assert_eq!(word(8), 0x2000, "flags of block {number}: the family is given, nothing else");
        assert_eq!(word(16), 256, "payload of block {number}");
        assert_eq!(word(20), number as u32);
        assert_eq!(word(24), count);
        assert_eq!(word(28), 0xE48B_FF56, "family of block {number}: RP2040");
        assert_eq!(block[288..508], [0; 220], "padding of block {number}");
        assert_eq!(word(508), 0x0AB1_6F30, "last magic number of block {number}");
        let address = word(12);
        assert_eq!(address % 256, 0, "block {number} is a page");
        assert!((BASE..BASE + FLASH_SIZE as u32).contains(&address), "block {number} is in flash");
        assert!(last.is_none_or(|last| last < address), "each page once, lowest first");
        last = Some(address);
    }
    // Whole sectors, because of the erratum RP2040-E14.
    let mut pages = BTreeMap::<u32, u32>::new();
    file.chunks(512).for_each(|block| {
        *pages.entry(u32::from_le_bytes(block[12..16].try_into().expect("four")) / 4096).or_default() += 1
    });
    assert!(pages.values().all(|&pages| pages == 16));
}

#[test]
fn the_file_holds_the_firmware_and_leaves_the_saves_alone() {
    let file = firmware_uf2();
    let firmware = Firmware::from_elf(&firmware_elf()).expect("a firmware");
    assert!(flash_of(&file) == firmware.image(), "the flash after dragging is not the ELF's");
    let decoded = uf2::decode(&file).expect("a good file");
    assert_eq!(decoded, uf2::pages(&firmware_elf()).expect("a firmware"));
    let saves = BASE + FLASH_SIZE as u32 - 64 * 1024;
    assert!(decoded.keys().all(|&page| page < saves), "an update would erase the saves");
}

#[test]
fn the_file_boots() {
    let flash = flash_of(&firmware_uf2());
    let from_uf2 = Firmware::from_elf(&elf(&[(BASE, &flash)])).expect("a flash image");
    let from_elf = Firmware::from_elf(&firmware_elf()).expect("a firmware");
    let [mut dragged, mut probed] =
        [from_uf2, from_elf].map(|firmware| Handheld::power_on(&firmware, Options::default()));
    for handheld in [&mut dragged, &mut probed] {
        handheld.run_for(Duration::from_secs(2));
        assert!(handheld.death().is_none() && handheld.resets().is_empty());
        assert_eq!(handheld.wire_faults(), []);
    }
    assert!(dragged.frames() > 0);
    assert_eq!(dragged.frame().map(|frame| frame.lit()), probed.frame().map(|frame| frame.lit()));
}

#[test]
fn a_corrupted_block_is_noticed() {
    let file = firmware_uf2();
    assert!(uf2::decode(&file).is_ok());
    let last = file.len() - 512;
    for block in [0, 512 * (last / 1024), last] {
        for at in (0..32).chain(288..512) {
            for bit in 0..8 {
                let mut file = file.clone();
                file[block + at] ^= 1 << bit;
                assert!(uf2::decode(&file).is_err(), "byte {at} of the block at {block}, bit {bit}");
            }
        }
    }
    let expected = uf2::pages(&firmware_elf()).expect("a firmware");
    for at in [32, 100, 287] {
        let mut file = file.clone();
        file[512 + at] ^= 0x10;
        assert_ne!(uf2::decode(&file).expect("well formed"), expected, "the format has no checksum; the content tells");
    }
}

#[test]
fn what_is_wrong_is_named() {
    let good = uf2::encode(&uf2::pages(&elf(&[(BASE, &[7; 5000])])).expect("a firmware"));
    assert_eq!(good.len(), 32 * 512);
    let with = |at: usize, value: u32| {
        let mut file = good.clone();
        file[at..at + 4].copy_from_slice(&value.to_le_bytes());
        uf2::decode(&file).unwrap_err()
    };
    let second = 512;
    assert_eq!(with(second, 0), Uf2Error::Magic(1));
    assert_eq!(with(second + 508, 0), Uf2Error::Magic(1));
    assert_eq!(with(second + 8, 0x2001), Uf2Error::Flags(1, 0x2001));
    assert_eq!(with(second + 28, 0xE48B_FF59), Uf2Error::Family(1, 0xE48B_FF59));
    assert_eq!(with(second + 16, 476), Uf2Error::Payload(1, 476));
    assert_eq!(with(second + 12, BASE + 1), Uf2Error::Address(1, BASE + 1));
    assert_eq!(with(second + 12, 0x2000_0000), Uf2Error::Address(1, 0x2000_0000));
    assert_eq!(with(second + 12, BASE), Uf2Error::Repeated(1, BASE));
    assert_eq!(with(second + 12, BASE + 8192), Uf2Error::PartialSector(BASE + 256));
    assert_eq!(with(second + 20, 2), Uf2Error::Count(1));
    assert_eq!(with(second + 24, 31), Uf2Error::Count(1));
    assert_eq!(with(second + 300, 1), Uf2Error::Padding(1));
    assert_eq!(uf2::decode(&good[..511]), Err(Uf2Error::Length(511)));
    assert_eq!(uf2::decode(&[]), Err(Uf2Error::Length(0)));
    assert_eq!(uf2::decode(&good[..512]), Err(Uf2Error::Count(0)));
}

#[test]
fn segments_may_begin_and_end_anywhere() {
    // Two that share a page, one in the next sector but one, and nothing between.
    let pages = uf2::pages(&elf(&[(BASE + 0x2F0, &[3; 8]), (BASE, &[1; 0x2F0]), (BASE + 0x20FE, &[4; 4])]))
        .expect("a firmware");
    let flash = flash_of(&uf2::encode(&pages));
    assert_eq!(flash[..0x2F0], [1; 0x2F0]);
    assert_eq!(flash[0x2F0..0x2F8], [3; 8]);
    assert!(flash[0x2F8..0x20FE].iter().all(|&byte| byte == 0xFF));
    assert_eq!(flash[0x20FE..0x2102], [4; 4]);
    assert_eq!(pages.len(), 32, "two sectors; the one between is not touched");
}

#[test]
fn what_is_no_firmware_is_refused() {
    assert_eq!(uf2::pages(b"MZ"), Err(ElfError::NotArmElf));
    let mut other_machine = elf(&[(BASE, &[1])]);
    other_machine[18] = 62;
    assert_eq!(uf2::pages(&other_machine), Err(ElfError::NotArmElf));
    assert_eq!(uf2::pages(&elf(&[])), Err(ElfError::Empty));
    assert_eq!(uf2::pages(&elf(&[(BASE, &[1; 300]), (BASE + 299, &[2; 4])])), Err(ElfError::Overlap(BASE + 299)));
    assert_eq!(uf2::pages(&elf(&[(0x2000_0000, &[1; 4])])), Err(ElfError::OutsideFlash(0x2000_0000)));
    assert_eq!(uf2::pages(&elf(&[(BASE + 0x1F_FFFE, &[1; 4])])), Err(ElfError::OutsideFlash(BASE + 0x1F_FFFE)));
    assert_eq!(uf2::pages(&elf(&[(0xFFFF_FFFE, &[1; 4])])), Err(ElfError::OutsideFlash(0xFFFF_FFFE)));
    let cut = elf(&[(BASE, &[1; 64])]);
    assert_eq!(uf2::pages(&cut[..cut.len() - 1]), Err(ElfError::NotArmElf));
}
