//! The boot stage: the first instructions of ours, and the only ones that run from flash.
//!
//! It arms the watchdog, starts crystal and PLL, copies the vector table, all code and all constants to RAM, and jumps to
//! cortex-m-rt's `Reset` there. From then on only `flash` touches the flash chip. The PLL comes first because the copy takes
//! 6 ms at full speed and 110 ms on the ring oscillator that the boot ROM leaves running.
//!
//! **Nothing before the copy can fail in silence.** The watchdog runs from the eighth register write on. A fault resets the
//! core, because no light can be driven yet. Where the crystal does not start within that time, the watchdog resets the chip
//! with its crystal oscillator, and the crystal is started again.
//!
//! **The wait for the crystal**, from its first swing on, is 6 ms: pico-sdk's, and about what the Pico's crystal needs. It has no
//! margin, and a longer one would delay every power-on. So the margin is in the next try: after a reset by the watchdog
//! the wait is 64 ms.

use core::arch::global_asm;

use rp_binary_info::{Header, MappingTableEntry};

use super::chip;

/// The wait for the crystal at power-on and on waking, in milliseconds,
pub const CRYSTAL_WAIT: u32 = 6;
/// and after the watchdog has reset the chip.
const CRYSTAL_WAIT_AGAIN: u32 = 64;
/// The register's value for a wait: it counts in 256 cycles of 12 MHz.
const fn crystal_delay(milliseconds: u32) -> u32 {
    (12_000 * milliseconds).div_ceil(256)
}
/// The time that start-up may take, in microseconds. The watchdog counts by the ring oscillator until the clocks run, so by its
/// tolerance it is 0.8 to 5 s; start-up takes 0.03 s, and 0.4 s more where a sector is erased.
const START_UP_US: u32 = 1_500_000;

/// SCRATCH3 of the watchdog, which survives a reset: CTRL of the watchdog as the boot stage found it, with the highest bit set, until
/// clocks and peripherals run; then 0. See `watchdog::Found`.
const SCRATCH3: u32 = 0x18;
/// REASON of the watchdog: not 0 after a reset by it.
const REASON: u32 = 0x08;
/// STARTUP of the crystal oscillator.
const STARTUP: u32 = 0x0C;

/// CTRL of the watchdog: enabled, and paused by a debugger.
const WATCHDOG_ENABLE: u32 = 0x4700_0000;
/// CTRL of the crystal oscillator: enabled, 1 to 15 MHz.
const CRYSTAL_ENABLE: u32 = 0x00FA_BAA0;
/// STATUS of the crystal oscillator: stable. CS of a PLL: locked.
const READY: u32 = 1 << 31;
/// PWR of a PLL: these parts of it are off. The post dividers are switched on last.
const PLL_OFF: u32 = 0x21;
const PLL_DIVIDERS_OFF: u32 = 0x08;

/// One step of the boot stage: a register is written, or, where bit 0 of its address is set, read until all of these bits are
/// set.
#[repr(C)]
pub struct Step {
    register: u32,
    value: u32,
}

impl Step {
    pub const fn write(register: u32, value: u32) -> Self {
        Self { register, value }
    }

    /// Sets these bits, by the register's alias for that.
    const fn set(register: u32, value: u32) -> Self {
        Self { register: register + 0x2000, value }
    }

    /// Clears these bits, by the register's alias for that.
    const fn clear(register: u32, value: u32) -> Self {
        Self { register: register + 0x3000, value }
    }

    const fn wait(register: u32, value: u32) -> Self {
        Self { register: register | 1, value }
    }
}

/// The writes and waits that lead to the watchdog running and the system clock at full speed. Addresses are numbers, because
/// the register crate's cannot be had in a constant. After a reset by a debugger the clocks may run already: the core leaves
/// them before they are set up again.
const STEPS: [Step; 21] = {
    use chip::registers::{CLOCKS, PLL_SYS, PSM, RESETS, WATCHDOG, XOSC};
    const PSM_WDSEL: u32 = PSM + 0x08;
    const WATCHDOG_CTRL: u32 = WATCHDOG;
    const WATCHDOG_LOAD: u32 = WATCHDOG + 0x04;
    const CLK_REF_CTRL: u32 = CLOCKS + 0x30;
    const CLK_REF_SELECTED: u32 = CLOCKS + 0x38;
    const CLK_SYS_CTRL: u32 = CLOCKS + 0x3C;
    const CLK_SYS_SELECTED: u32 = CLOCKS + 0x44;
    const XOSC_CTRL: u32 = XOSC;
    const XOSC_STATUS: u32 = XOSC + 0x04;
    const RESETS_RESET: u32 = RESETS;
    const RESETS_DONE: u32 = RESETS + 0x08;
    const PLL_CS: u32 = PLL_SYS;
    const PLL_PWR: u32 = PLL_SYS + 0x04;
    const PLL_FBDIV: u32 = PLL_SYS + 0x08;
    const PLL_PRIM: u32 = PLL_SYS + 0x0C;
    let [tick_cycles, tick_enable] = chip::WATCHDOG_TICK;
    [
        // The crystal: it starts meanwhile.
        Step::write(XOSC_CTRL, CRYSTAL_ENABLE),
        // The watchdog.
        tick_cycles,
        tick_enable,
        Step::write(PSM_WDSEL, chip::WATCHDOG_RESETS),
        Step::write(WATCHDOG_LOAD, START_UP_US * chip::WATCHDOG_COUNTS_PER_US),
        Step::write(WATCHDOG_CTRL, WATCHDOG_ENABLE),
        // The ring oscillator.
        Step::write(CLK_SYS_CTRL, 0),
        Step::wait(CLK_SYS_SELECTED, 1 << 0),
        Step::write(CLK_REF_CTRL, 0),
        Step::wait(CLK_REF_SELECTED, 1 << 0),
        Step::wait(XOSC_STATUS, READY),
        // The PLL: 125 times the crystal, divided twice.
        Step::set(RESETS_RESET, chip::PLL_SYS_RESET),
        Step::clear(RESETS_RESET, chip::PLL_SYS_RESET),
        Step::wait(RESETS_DONE, chip::PLL_SYS_RESET),
        Step::write(PLL_FBDIV, 125),
        Step::write(PLL_PRIM, chip::PLL_POST_DIVIDERS),
        Step::clear(PLL_PWR, PLL_OFF),
        Step::wait(PLL_CS, READY),
        Step::clear(PLL_PWR, PLL_DIVIDERS_OFF),
        // The system clock from the PLL.
        Step::write(CLK_SYS_CTRL, 1),
        Step::wait(CLK_SYS_SELECTED, 1 << 1),
    ]
};

#[unsafe(link_section = ".boot.stage")]
static BOOT_STEPS: [Step; STEPS.len()] = STEPS;

global_asm!(
    ".section .boot.vectors, \"a\"",
    ".word __boot, __boot_fault, __boot_fault", // reset, NMI, HardFault: all that can happen in the boot stage
    ".section .boot.stage, \"ax\"",
    ".balign 4",
    ".global __boot",
    ".thumb_func",
    "__boot:",
    "ldr r0, ={watchdog}",
    "ldr r1, [r0]",
    "movs r2, #1",
    "lsls r2, r2, #31",
    "orrs r1, r2",
    "str r1, [r0, #{found}]",
    "ldr r2, ={crystal_wait}",
    "ldr r1, [r0, #{reason}]",
    "cmp r1, #0",
    "beq 6f",
    "ldr r2, ={crystal_wait_again}",
    "6:",
    "ldr r0, ={xosc}",
    "str r2, [r0, #{startup}]",
    "ldr r0, ={steps}",
    "ldr r1, ={steps} + {steps_size}",
    "1:",
    "ldmia r0!, {{r2, r3}}",
    "lsrs r4, r2, #1",
    "bcs 2f",
    "str r3, [r2]",
    "b 3f",
    "2:", // a wait
    "subs r2, #1",
    "4:",
    "ldr r4, [r2]",
    "mvns r4, r4",
    "tst r3, r4",
    "bne 4b",
    "3:",
    "cmp r0, r1",
    "blo 1b",
    "ldr r0, =__vector_table",
    "ldr r1, =__program_start",
    "ldr r6, =__program_end",
    "mov r7, r1",
    "5:",
    "ldmia r0!, {{r2, r3, r4, r5}}",
    "stmia r1!, {{r2, r3, r4, r5}}",
    "cmp r1, r6",
    "blo 5b",
    "ldr r0, =0xE000ED08", // VTOR
    "str r7, [r0]",
    "dsb",
    "isb",
    "ldr r0, =Reset",
    "bx r0",
    ".thumb_func",
    "__boot_fault:",
    "ldr r0, =0xE000ED0C", // AIRCR: SYSRESETREQ
    "ldr r1, =0x05FA0004",
    "str r1, [r0]",
    "b .",
    ".ltorg",
    watchdog = const chip::registers::WATCHDOG,
    found = const SCRATCH3,
    reason = const REASON,
    xosc = const chip::registers::XOSC,
    startup = const STARTUP,
    crystal_wait = const crystal_delay(CRYSTAL_WAIT),
    crystal_wait_again = const crystal_delay(CRYSTAL_WAIT_AGAIN),
    steps = sym BOOT_STEPS,
    steps_size = const size_of_val(&STEPS),
);

unsafe extern "C" {
    /// From memory.x: only their addresses mean something.
    static __bi_entries_start: rp_binary_info::EntryAddr;
    static __bi_entries_end: rp_binary_info::EntryAddr;
    static __vector_table: u32;
    static __program_start: u32;
    static __program_end: u32;
}

/// The header of the information that `picotool info` reads. Its own crate's header knows nothing of a program in RAM.
#[used]
#[unsafe(link_section = ".boot.info")]
static PICOTOOL_HEADER: Header =
    Header::new(&raw const __bi_entries_start, &raw const __bi_entries_end, &PROGRAM_IN_FLASH);

/// Tells picotool where in flash the constants are that it reads.
#[unsafe(link_section = ".boot.stage")]
static PROGRAM_IN_FLASH: [MappingTableEntry; 2] = [
    MappingTableEntry {
        source_addr_start: &raw const __vector_table,
        dest_addr_start: &raw const __program_start,
        dest_addr_end: &raw const __program_end,
    },
    MappingTableEntry::null(),
];
