//! Faults of rp2350-emu 0.2.6: `core/execute_thumb32.rs` executes load-acquire and store-release as LDRD and STRD,
//! `core/execute.rs` exchanges the bits of CPS, and BKPT has no effect there.

use super::*;

/// Appends a load-acquire of this kind: r2 from the address in r1.
fn load(program: &mut Program, kind: u16) {
    program.op(0xE8D1).op(0x2F0F | kind << 4);
}

/// Appends a store-release of this kind: r0 to the address in r1. STLEX returns its status in r3.
fn store(program: &mut Program, kind: u16) {
    program.op(0xE8C1).op(if kind >= 0xC { 0x0F03 } else { 0x0F0F } | kind << 4);
}

/// Stores 0x8899_AABB over ones with one instruction, and loads it with another. Returns the word in memory, the next
/// word, r2 and r3.
fn stored_and_loaded(kind: u16) -> [u32; 4] {
    let mut program = Program::for_rp2350();
    program.write(RAM + 0x40, !0).write(RAM + 0x44, 0x1234_5678);
    program.load(0, 0x8899_AABB).load(1, RAM + 0x40).load(2, 0).load(3, 9).load(4, RAM);
    if kind >= 0xC {
        // An exclusive store needs an exclusive load before it.
        load(&mut program, kind);
        store(&mut program, kind);
        load(&mut program, kind);
    } else {
        store(&mut program, kind);
        load(&mut program, kind);
    }
    // `str r2, [r4]`, `str r3, [r4, #4]`.
    let handheld = run(program.op(0x6022).op(0x6063));
    let [loaded, status] = words(&handheld, 0);
    let [stored, beside] = words(&handheld, 0x40);
    [stored, beside, loaded, status]
}

#[test]
fn load_acquire_and_store_release_access_their_address() {
    for (kind, stored, loaded) in
        [(0x8, 0xFFFF_FFBB, 0xBB), (0x9, 0xFFFF_AABB, 0xAABB), (0xA, 0x8899_AABB, 0x8899_AABB)]
    {
        assert_eq!(stored_and_loaded(kind), [stored, 0x1234_5678, loaded, 9], "LDA and STL, {kind:x}");
        assert_eq!(stored_and_loaded(kind + 4), [stored, 0x1234_5678, loaded, 0], "LDAEX and STLEX, {kind:x}");
    }
}

#[test]
fn cps_changes_the_right_mask() {
    // After each of four CPS instructions, `mrs r0, PRIMASK` and `mrs r1, FAULTMASK`, and both are stored.
    let mut program = Program::for_rp2350();
    program.load(4, RAM);
    for cps in [CPSID, 0xB662, 0xB671, 0xB661] {
        program.op(cps).op(0xF3EF).op(0x8010).op(0xF3EF).op(0x8113).op(0xC403);
    }
    let handheld = run(&mut program);
    assert_eq!(words(&handheld, 0), [1, 0, 0, 0, 0, 1, 0, 0]);
}

#[test]
fn breakpoint_without_a_debugger_is_a_fault() {
    let mut program = Program::for_rp2350();
    program.op(0xBE00).write(RAM, 1).op(SELF);
    program.handler(3).write(RAM + 4, 1);
    assert_eq!(words(&run(&mut program), 0), [0, 1]);
}

#[test]
fn injected_fault_waits_for_the_end_of_an_it_block() {
    // A loop of `ite ne` and two instructions. By the flags, the first of the two is never executed.
    let mut program = Program::for_rp2350();
    program.op(0x2000).op(0xBF14).op(0xBF00).op(0xBF00).op(0xE7FA);
    program.handler(3).write(RAM, 1).op(SELF);
    for cycles in 0..8 {
        let mut handheld = program.start(Options::default());
        handheld.run_for(Duration::from_micros(10) + Duration::from_nanos(91 * cycles));
        assert!(handheld.inject_fault(crate::InjectedFault::Fault));
        handheld.run_for(Duration::from_micros(20));
        assert_eq!(handheld.ram(RAM), 1, "after {cycles}");
    }
}
