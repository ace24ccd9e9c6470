//! Keys, read by a program.

use super::*;
use rand_pcg::Pcg32;

/// A program that drives row 1 for a few cycles in a loop and reads the columns before and after.
pub(super) fn scanner() -> Program {
    let mut program = Program::new();
    for pin in ROW_PIN..COLUMN_PIN + 5 {
        program.write(IO_BANK0 + 8 * pin + 4, 5);
        program.write(PADS_BANK0 + 4 + 4 * pin, 1 << 6 | 1 << 3 | 1 << 1);
    }
    let again = program.bytes.len();
    program.copy(GPIO_IN, RAM);
    program.write(GPIO_OE_SET, 1 << (ROW_PIN + 1)).copy(GPIO_IN, RAM + 4);
    program.write(GPIO_OE_CLR, 1 << (ROW_PIN + 1));
    let back = (again as i32 - program.bytes.len() as i32 - 4) / 2;
    program.op(0xE000 | back as u16 & 0x7FF);
    program
}

#[test]
fn logic_analyser_records_only_edges_of_its_pins() {
    let mut handheld = scanner().start(Options::default());
    handheld.run_for(ms(1));
    assert_eq!(handheld.logic_samples().len(), 0);
    handheld.start_logic_analyser(1 << (ROW_PIN + 1));
    handheld.run_for(Duration::from_micros(100));
    let seen: Vec<(Duration, u32)> = handheld.logic_samples().collect();
    assert!(seen.len() > 4, "the program drives the row repeatedly");
    assert!(seen.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 ^ pair[1].1 == 1 << (ROW_PIN + 1)));
    handheld.start_logic_analyser(1 << ROW_PIN);
    handheld.run_for(Duration::from_micros(100));
    assert_eq!(handheld.logic_samples().map(|(_, levels)| levels).collect::<Vec<_>>(), [1 << ROW_PIN]);
}

#[test]
fn key_is_read_at_once_and_only_through_its_row() {
    let mut handheld = scanner().start(Options::default());
    let columns = |handheld: &mut Handheld, at| handheld.ram(RAM + at) >> COLUMN_PIN & 0x1F;
    handheld.run_for(ms(1));
    assert_eq!((columns(&mut handheld, 0), columns(&mut handheld, 4)), (0b11111, 0b11111));
    handheld.press(5 + 3);
    handheld.press(10);
    handheld.run_for(ms(1));
    assert_eq!((columns(&mut handheld, 0), columns(&mut handheld, 4)), (0b11111, 0b10111));
    handheld.release(8);
    handheld.schedule(handheld.now() + ms(1), 5, true);
    handheld.run_for(Duration::from_micros(900));
    assert_eq!(columns(&mut handheld, 4), 0b11111);
    handheld.run_for(Duration::from_micros(200));
    assert_eq!(columns(&mut handheld, 4), 0b11110);
    assert_eq!(handheld.keys(), 1 << 5 | 1 << 10);
    assert_eq!(handheld.row_conflicts(), 0);
}

#[test]
fn key_press_wakes_a_core_by_pin_interrupt() {
    let mut program = scanner();
    // Replaces the end of the scanner's loop: row 1 stays driven, and falling edges of column 0 (pin 7) interrupt.
    program.bytes.truncate(program.bytes.len() - 2);
    program.write(GPIO_OE_SET, 1 << (ROW_PIN + 1));
    program.write(IO_BANK0 + 0xF0, !0).write(IO_BANK0 + 0x100, 4 << 28).write(NVIC_ISER, 1 << 13);
    program.write(RAM + 8, 1).op(WFE).op(SELF);
    program.handler(16 + 13).copy(IO_BANK0 + 0x120, RAM + 12).write(IO_BANK0 + 0xF0, 4 << 28).op(BX_LR);
    let mut handheld = program.start(Options::default());
    handheld.run_for(ms(500));
    assert_eq!((handheld.ram(RAM + 8), handheld.ram(RAM + 12)), (1, 0));
    handheld.press(5);
    handheld.run_for(Duration::from_micros(50));
    assert_eq!(handheld.ram(RAM + 12), 4 << 28);
}

#[test]
fn same_inputs_give_the_same_run() {
    let run = || {
        let mut handheld = scanner().start(Options::default());
        handheld.schedule_bouncing(ms(1), 7, true, &crate::Bounce::default(), &mut Pcg32::new(5, 5));
        handheld.run_for(ms(3));
        (handheld.now(), handheld.cycle_counts(), handheld.ram(RAM), handheld.ram(RAM + 4))
    };
    assert_eq!(run(), run());
}

/// A program that drives row 1, releases it, and reads the columns `nops` instructions later.
fn read_after_release(nops: usize) -> Program {
    let mut program = scanner();
    program.bytes.truncate(program.bytes.len() - 2);
    program.load(0, 1 << (ROW_PIN + 1)).load(1, GPIO_OE_SET).load(2, GPIO_OE_CLR).load(3, GPIO_IN).load(4, RAM + 0x40);
    // `str r0, [r1]`, `str r0, [r2]`; then `ldr r5, [r3]`, `str r5, [r4]`.
    program.op(0x6008).op(0x6010);
    for _ in 0..nops {
        program.op(0xBF00);
    }
    program.op(0x681D).op(0x6025).op(SELF);
    program
}

#[test]
fn column_reads_low_until_its_rise_time_is_over() {
    // 6.5 cycles of the ring oscillator are a microsecond.
    for (rise, nops, column) in [(0, 0, 1), (2, 5, 0), (2, 20, 1), (30, 150, 0), (30, 250, 1)] {
        let mut handheld =
            read_after_release(nops).start(Options { rise: Duration::from_micros(rise), ..Options::default() });
        handheld.press(5);
        handheld.run_for(ms(1));
        assert_eq!(handheld.ram(RAM + 0x40) >> COLUMN_PIN & 1, column, "{rise} us, {nops} instructions");
    }
}

#[test]
fn rising_edge_interrupts_at_the_end_of_the_rise() {
    let mut program = scanner();
    program.bytes.truncate(program.bytes.len() - 2);
    program.write(GPIO_OE_SET, 1 << (ROW_PIN + 1));
    program.write(IO_BANK0 + 0xF0, !0).write(IO_BANK0 + 0x100, 8 << 28).write(NVIC_ISER, 1 << 13).op(WFE).op(SELF);
    program.handler(16 + 13).write(RAM + 0x40, 1).write(IO_BANK0 + 0xF0, 8 << 28).op(BX_LR);
    let rise = Duration::from_micros(30);
    let mut handheld = program.start(Options { rise, ..Options::default() });
    handheld.press(5);
    handheld.run_for(ms(500));
    handheld.release(5);
    let released = handheld.now();
    assert!(handheld.run_until(ms(1), |handheld| handheld.ram_is(RAM + 0x40, 1)));
    let late = handheld.now() - released - rise;
    assert!(late < Duration::from_micros(10), "{late:?}");
}
