//! The same words as the real crate makes. They were taken down from it once: comparing with it each time would mean building
//! it each time. Beside these, 20 000 programs were made at random and put through both.

use crate::assemble::{Program, program};

/// Programs as they are met in the wild, and what becomes of them.
const EMBASSY: &str = include_str!("embassy-rp.txt");

/// Every instruction with every operand it can have.
const INSTRUCTIONS: &[(&str, u16)] = &[
    ("nop", 0xA042),
    ("NOP", 0xA042),
    ("jmp 3", 0x0003),
    ("jmp !x 3", 0x0023),
    ("jmp x--, 3", 0x0043),
    ("jmp !y, 3", 0x0063),
    ("jmp y-- 3", 0x0083),
    ("jmp x!=y 3", 0x00A3),
    ("jmp pin, 3", 0x00C3),
    ("jmp !OSRE 3", 0x00E3),
    ("wait 0 gpio 31", 0x201F),
    ("wait 1 pin, 2", 0x20A2),
    ("wait 1 irq 7", 0x20C7),
    ("wait 0 irq, 3 rel", 0x2053),
    ("in pins, 1", 0x4001),
    ("in x 2", 0x4022),
    ("in y, 3", 0x4043),
    ("in null, 31", 0x407F),
    ("in isr, 32", 0x40C0),
    ("in OSR, 8", 0x40E8),
    ("out pins, 1", 0x6001),
    ("out x, 32", 0x6020),
    ("out y 3", 0x6043),
    ("out null, 4", 0x6064),
    ("out pindirs, 5", 0x6085),
    ("out pc, 5", 0x60A5),
    ("out isr, 6", 0x60C6),
    ("out exec, 16", 0x60F0),
    ("push", 0x8020),
    ("push block", 0x8020),
    ("push iffull", 0x8060),
    ("push IfFull noblock", 0x8040),
    ("pull", 0x80A0),
    ("pull noblock", 0x8080),
    ("pull ifempty", 0x80E0),
    ("pull IFEMPTY block", 0x80E0),
    ("mov pins, x", 0xA001),
    ("mov x, !y", 0xA02A),
    ("mov y, ~null", 0xA04B),
    ("mov exec, ::status", 0xA095),
    ("mov pc, isr", 0xA0A6),
    ("mov isr, osr", 0xA0C7),
    ("mov osr, pins", 0xA0E0),
    ("mov pindirs, null", 0xA063),
    ("mov rxfifo[y], isr", 0x8010),
    ("mov rxfifo[3], isr", 0x801B),
    ("mov osr, rxfifo[y]", 0x8090),
    ("mov osr, rxfifo[0]", 0x8098),
    ("mov osr, rxfifo[1]", 0x8099),
    ("mov osr, rxfifo[2]", 0x809A),
    ("irq 0", 0xC000),
    ("irq set 1", 0xC001),
    ("irq nowait 2", 0xC002),
    ("irq wait 3", 0xC023),
    ("irq clear 4", 0xC044),
    ("irq 5 rel", 0xC015),
    ("irq wait 6 prev", 0xC02E),
    ("irq clear 7 next", 0xC05F),
    ("set pins, 31", 0xE01F),
    ("set x 0x1F", 0xE03F),
    ("set y, 0b101", 0xE045),
    ("set pindirs, 1", 0xE081),
    ("nop [31]", 0xBF42),
    ("nop [2 + 3 * 4 - 6 / 2]", 0xAB42),
    ("nop [(2 + 3) * 4]", 0xB442),
    ("nop [- (1 - 9)]", 0xA842),
    ("set x, (::0x40000000)", 0xE022),
    ("nop ; a comment", 0xA042),
    ("nop // another", 0xA042),
];

/// A program in words: its code, where it begins, where it wraps, its side-set, its version, its public names.
fn told(Program { program, public_defines }: &Program) -> String {
    let mut names: Vec<_> = public_defines.iter().collect();
    names.sort();
    let (wrap, side_set) = ((program.wrap.source, program.wrap.target), program.side_set);
    format!(
        "{:04x?} origin {:?} wrap {wrap:?} side {} {} {} {:?} defines {names:?}",
        &program.code[..],
        program.origin,
        side_set.optional(),
        side_set.bits(),
        side_set.pindirs(),
        program.version,
    )
}

#[test]
fn every_instruction_becomes_its_word() {
    for &(line, word) in INSTRUCTIONS {
        let code = program(line).unwrap_or_else(|mistake| panic!("{}", mistake.tell(line))).program.code;
        assert_eq!(code[..], [word], "{line}");
    }
}

#[test]
fn the_programs_of_embassy_become_what_they_were() {
    let mut programs = EMBASSY.split("===== ");
    assert!(programs.next().is_some_and(|head| head.starts_with("The PIO programs of embassy-rp")));
    for block in programs {
        let (head, text) = block.split_once('\n').unwrap();
        let (name, expected) = head.split_once(": ").unwrap();
        assert_eq!(told(&program(text).unwrap()), expected, "{name}");
    }
    assert_eq!(EMBASSY.matches("===== ").count(), 13);
}

#[test]
fn names_stand_for_numbers_and_for_places() {
    let text = "
        .define one 1
        .define public two one + 1
        .side_set one opt pindirs
        .origin (two * 4)
        .lang_opt python out_init = 1
        public start:
            jmp end side 1 [two]
        .wrap_target
        again:
            nop [two - one]
            JMP again side 0 ; back
        .wrap
        % c-sdk {
            static inline void unused(void) {}
        %}
        end:
            set pins, two\r
    ";
    assert_eq!(
        told(&program(text).unwrap()),
        "[1a03, a142, 1001, e002] origin Some(8) wrap (2, 1) side true 2 true V0 defines [(\"start\", 0), (\"two\", 2)]"
    );
}

#[test]
fn what_cannot_be_read_is_told_with_its_line() {
    for (text, part) in [
        ("nop\nmov x", "line 2 of the PIO program: expected `pins`"),
        ("nop\nmov x, pc\nnop", "line 2 of the PIO program: expected `pins` or `x`"),
        ("jmp x, 1", "expected `--`, found `, 1`"),
        ("set pins", "expected a value"),
        ("set 1, 1", "expected `pins` or `x` or `y` or `pindirs`, found `1, 1`"),
        ("nop nop", "expected the end of the line, found `nop`"),
        ("nop side 1 side 1", "expected the end of the line"),
        ("loop: nop", "expected the end of the line"),
        ("wrap", "expected `:`"),
        (".word 1", "expected a word, number or mark, found `.word 1`"),
        ("nop [1", "expected `]`"),
        ("set x, 4294967296", "expected a word, number or mark"),
        ("% c-sdk { 100 % }", "expected a word, number or mark"),
    ] {
        let mistake = program(text).err().expect(text).tell(text);
        assert!(mistake.contains(part), "{text:?}: {mistake}");
    }
}

#[test]
fn what_makes_no_sense_is_refused() {
    for (text, part) in [
        ("jmp nowhere", "Unknown label nowhere"),
        ("set x, 32", "SET argument out of range"),
        ("set x, 256", "256 is out of range"),
        ("nop [32]", "delay of 32 is greater than limit 31"),
        ("nop [1 / 0]", "no number comes of 1 and 0"),
        ("mov x, rxfifo[0]", "only the ISR is moved to a queue"),
        (".wrap_target\nnop", "go together"),
        (".wrap", "behind an instruction"),
        ("nop\n.side_set 1", "before the first instruction"),
        (".side_set 1\nnop", "requires 'side' set"),
    ] {
        let panic = std::panic::catch_unwind(|| program(text).is_ok()).expect_err(text);
        let plain = || panic.downcast_ref::<&str>().copied();
        let word = panic.downcast_ref::<String>().map(String::as_str).or_else(plain).unwrap();
        assert!(word.contains(part), "{text:?}: {word}");
    }
}
