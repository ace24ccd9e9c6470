//! The flash chip, accessed by the functions of the boot ROM, and its cache.

use super::keys::scanner;
use super::*;
use crate::{AccessKind, CacheUse, FlashCache};

/// A program that erases a sector and programs four bytes in its first page.
pub(super) fn saver() -> Program {
    let mut program = Program::new();
    program.write(RAM + 0x100, 0x4433_2211).op(CPSID);
    program.call(rom::address(b"RE"), [0x1F_0000, 4096, 0]).write(RAM, 1);
    program.call(rom::address(b"RP"), [0x1F_0000, RAM + 0x100, 4]).copy(0x101F_0000, RAM + 4).op(WFE).op(SELF);
    program
}

#[test]
fn flash_operations_take_time_and_content_is_kept() {
    let old = Options { flash: Some(vec![0; 2 << 20]), ..Options::default() };
    let mut handheld = saver().start(old);
    handheld.run_for(ms(44));
    assert_eq!((handheld.ram(RAM), handheld.flash().operations()), (0, 0));
    assert!(handheld.is_flash_busy());
    handheld.run_for(ms(2));
    assert!(!handheld.is_flash_busy());
    assert_eq!((handheld.ram(RAM), handheld.ram(RAM + 4)), (1, 0x4433_2211));
    assert_eq!((handheld.flash().erases()[0x1F0], handheld.flash().programs()), (1, 1));
    let image = handheld.power_off();
    assert_eq!(image[0x1E_FFFF..0x1F_0005], [0, 0x11, 0x22, 0x33, 0x44, 0xFF]);

    let slow = FlashTimes { erase: ms(400), program: ms(3), ..FlashTimes::default() };
    let mut handheld = saver().start(Options { flash_times: slow, ..Options::default() });
    handheld.run_for(ms(399));
    assert_eq!(handheld.flash().operations(), 0);
    handheld.run_for(ms(5));
    assert_eq!(handheld.flash().operations(), 2);
}

#[test]
fn power_cut_tears_the_flash_operation() {
    let start = || saver().start(Options { flash: Some(vec![0; 2 << 20]), ..Options::default() });
    for (cut, erased, operations) in [
        (PowerCut::Operation { after: 0, fraction: 0.5, seed: 1 }, 0.4..0.6, 0),
        (PowerCut::At { time: ms(9), seed: 1 }, 0.15..0.25, 0),
        (PowerCut::Operation { after: 1, fraction: 0.5, seed: 1 }, 0.99..1.0, 1),
    ] {
        let mut handheld = start();
        handheld.cut_power(cut);
        handheld.run_for(ms(100));
        assert_eq!(handheld.stop_reason(), Some(StopReason::PowerCut), "{cut:?}");
        assert_eq!(handheld.flash().operations(), operations);
        let before = handheld.now();
        handheld.run_for(ms(100));
        assert_eq!(handheld.now(), before, "no time passes after the power cut");
        let image = handheld.power_off();
        let ones: u32 = image[0x1F_0000..0x1F_1000].iter().map(|byte| byte.count_ones()).sum();
        assert!(erased.contains(&(f64::from(ones) / 32768.0)), "{cut:?}: {ones} of 32768");
    }
}

/// The state of column 0 after an erase, in the bits of INTR: level low, level high, edge low, edge high.
fn during_an_erase(edges: &[(u64, bool)]) -> u32 {
    let mut program = scanner();
    program.bytes.truncate(program.bytes.len() - 2);
    program.write(GPIO_OE_SET, 1 << (ROW_PIN + 1)).write(IO_BANK0 + 0xF0, !0).op(CPSID);
    program.call(rom::address(b"RE"), [0x1F_0000, 4096, 0]).copy(IO_BANK0 + 0xF0, RAM + 0x40).op(SELF);
    let mut handheld = program.start(Options::default());
    for &(at, closed) in edges {
        handheld.schedule(ms(at), 5, closed);
    }
    handheld.run_for(ms(50));
    handheld.ram(RAM + 0x40) >> 28
}

#[test]
fn key_edges_during_an_erase_are_latched() {
    assert_eq!(during_an_erase(&[]), 0b0010);
    assert_eq!(during_an_erase(&[(10, true)]), 0b0101);
    assert_eq!(during_an_erase(&[(10, true), (40, false)]), 0b1110, "a tap during the erase");
    assert_eq!(during_an_erase(&[(10, true), (11, false), (12, true)]), 0b1101);
    // The contact opens for less than the rise time of the column, so the column does not become high.
    assert_eq!(during_an_erase(&[(10, true), (20, false), (20, true)]), 0b0101);
}

#[test]
fn code_larger_than_the_cache_waits_for_flash() {
    // A loop over 24 KB of flash: `ldr r0, [r1]`, `adds r1, #8`, `cmp r1, r2`, `bne`; twice.
    let mut program = Program::new();
    program.load(2, 0x1000_6000);
    for _ in 0..2 {
        program.load(1, 0x1000_0000);
        for op in [0x6808, 0x3108, 0x4291, 0xD1FB] {
            program.op(op);
        }
    }
    program.write(RAM, 1).op(SELF);
    let time = |flash_cache| {
        let mut handheld = program.start(Options { flash_cache, ..Options::default() });
        assert!(handheld.run_until(ms(1_000), |handheld| handheld.ram_is(RAM, 1)));
        (handheld.cycle_counts().awake, handheld.flash_cache_use())
    };
    let (fast, none) = time(None);
    let (slow, seen) = time(Some(FlashCache { miss_cycles: 100 }));
    let CacheUse { misses, .. } = seen.expect("a cache");
    assert_eq!(none, None);
    assert!((slow - fast).abs_diff(100 * misses) < 200, "{fast} {slow} {misses}");
    // 3072 lines twice, three for each set of two lines: no line is still in the cache when it is read again.
    assert!((6_000..6_300).contains(&misses), "{misses}");
}

#[test]
fn boot_rom_flushes_the_cache() {
    let mut program = Program::new();
    for _ in 0..2 {
        program.copy(0x1000_4000, RAM).copy(0x1000_4000, RAM);
        program.call(rom::address(b"FC"), [0; 3]);
    }
    program.op(SELF);
    let mut handheld = program.start(Options { flash_cache: Some(FlashCache::default()), ..Options::default() });
    handheld.run_for(ms(1));
    let lines = (program.bytes.len() as u64 - 0x1C0).div_ceil(8);
    let CacheUse { misses, .. } = handheld.flash_cache_use().expect("a cache");
    // Each line of the program once, the data twice, the lines after each return again, and the two vectors at the
    // start.
    assert!((lines + 2..lines + 6).contains(&misses), "{misses} for {lines}");
}

/// Erases a sector with interrupts enabled. The handler of interrupt 26, which writes a word of RAM, is in RAM or in
/// flash.
fn erase_with_interrupts_on(handler_in_ram: bool) -> Handheld {
    const VTOR: u32 = 0xE000_ED08;
    const TABLE: u32 = RAM + 0x400;
    const HANDLER: u32 = RAM + 0x200;
    let mut program = Program::new();
    if handler_in_ram {
        // `ldr r0, [pc, #4]`, `str r0, [r0]`, `bx lr`, `nop`, and the address of the word.
        for (at, word) in (HANDLER..).step_by(4).zip([0x6000_4801, 0xBF00_4770, RAM]) {
            program.write(at, word);
        }
        program.write(TABLE + 4 * (16 + 26), HANDLER | 1).write(VTOR, TABLE);
    }
    program.write(NVIC_ISER, 1 << 26).call(rom::address(b"RE"), [0x1F_0000, 4096, 0]).write(RAM + 4, 1).op(SELF);
    program.handler(16 + 26).write(RAM, RAM).op(BX_LR);
    let mut handheld = program.start(Options::default());
    handheld.run_for(ms(10));
    assert_eq!(handheld.ram(RAM), 0);
    let cycle = handheld.cycle_counts().cycles;
    handheld.raise_interrupt_at(26, cycle + 100);
    handheld.run_for(ms(1));
    assert!(handheld.is_flash_busy() && handheld.ram(RAM) == RAM, "the handler runs while the sector is erased");
    handheld.run_for(ms(40));
    assert_eq!(
        (handheld.ram(RAM + 4), handheld.flash().erases()[0x1F0]),
        (1, 1),
        "the erase continues after the handler"
    );
    handheld
}

#[test]
fn interrupt_is_handled_during_a_flash_operation() {
    assert_eq!(erase_with_interrupts_on(true).flash_access_violations(), []);
}

#[test]
fn handler_in_flash_is_refused_while_flash_is_busy() {
    let handheld = erase_with_interrupts_on(false);
    let refused = handheld.flash_access_violations();
    let [vector, first, ..] = refused else { panic!("{refused:?}") };
    assert_eq!((vector.kind, vector.address), (AccessKind::Read, 0x1000_0100 + 4 * (16 + 26)));
    assert_eq!((first.kind, first.pc), (AccessKind::Fetch, first.address));
}

#[test]
fn flash_is_inaccessible_from_exit_to_flush() {
    let mut program = Program::new();
    program.call(rom::address(b"EX"), [0; 3]).write(RAM, 1).call(rom::address(b"FC"), [0; 3]).write(RAM, 2).op(SELF);
    let mut handheld = program.start(Options::default());
    handheld.run_for(ms(1));
    let refused = handheld.flash_access_violations().len();
    assert!(refused > 3, "instruction fetches from flash are refused");
    handheld.watch_flash();
    handheld.run_for(ms(1));
    assert_eq!(handheld.flash_access_violations().len(), refused, "no access is refused after the flush");
    assert!(!handheld.flash_use().expect("the use of flash is recorded").fetched.is_empty());
}
