//! Brings the code that runs while somebody plays into RAM: `memory.x` says which, and why.

use core::arch::asm;

unsafe extern "C" {
    /// Where the code belongs, and where it lies in flash, from memory.x: only their addresses mean something.
    static mut __ram_code_start: u32;
    static mut __ram_code_end: u32;
    static __ram_code_load: u32;
}

/// Copies it. Nothing of it may have been called before.
// Not ours by its name, so that it stays in flash itself.
#[unsafe(link_section = ".text.before_copy")]
#[inline(never)]
pub fn copy() {
    // SAFETY: the linker has set this room in RAM aside, and both places are aligned to words. In assembler, because a compiler
    // would call a function for it, which may be among what is copied.
    unsafe {
        asm!(
            "2: cmp {to}, {end}",
            "bhs 3f",
            "ldmia {from}!, {{r2, r3}}",
            "stmia {to}!, {{r2, r3}}",
            "b 2b",
            "3:",
            from = inout(reg) &raw const __ram_code_load => _,
            to = inout(reg) &raw mut __ram_code_start => _,
            end = in(reg) &raw mut __ram_code_end,
            out("r2") _,
            out("r3") _,
        );
    }
}
