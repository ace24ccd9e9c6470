//! The boot stage: the first code of the firmware, and the only code that runs from flash.
//!
//! It starts the watchdog, the crystal and the PLL, copies the vector table, all code and all constants to RAM, and
//! jumps to cortex-m-rt's `Reset` there. From then on only `flash` accesses the flash chip. The PLL is started before
//! the copy, because the copy takes 6 ms at full speed and 110 ms with the ring oscillator that the boot ROM leaves
//! running.
//!
//! **Failures before the copy end in a reset.** The watchdog runs from the eighth register write on. A fault resets the
//! core, because the LEDs cannot be driven yet. If the crystal does not start before the watchdog's timeout, the
//! watchdog resets the chip with its crystal oscillator, and the crystal is started again.
//!
//! **The start-up delay of the crystal** is 6 ms, as in pico-sdk. The Pico's crystal needs about that, so there is no
//! margin. A longer delay would slow down every power-on. Instead the retry has the margin: after a watchdog reset the
//! delay is 64 ms.

use core::arch::global_asm;

use rp_binary_info::{Header, MappingTableEntry};

use super::chip;

/// Start-up delay of the crystal at power-on and after sleep, in milliseconds.
pub(crate) const CRYSTAL_DELAY: u32 = 6;
/// Start-up delay of the crystal after a watchdog reset, in milliseconds.
const CRYSTAL_DELAY_ON_RETRY: u32 = 64;
/// The value of the STARTUP register for a delay: it counts units of 256 cycles at 12 MHz.
const fn startup_value(milliseconds: u32) -> u32 {
    (12_000 * milliseconds).div_ceil(256)
}
/// Watchdog timeout of start-up, in microseconds. Until the clocks run, the watchdog counts cycles of the ring
/// oscillator, whose tolerance makes it 0.8 to 5 s. Start-up takes 0.03 s, and 0.4 s more if a sector is erased.
const START_UP_US: u32 = 1_500_000;

/// SCRATCH3 of the watchdog, which survives a reset. During start-up it holds the watchdog's CTRL register from before
/// the boot stage, with the highest bit set; afterwards it is 0. See `watchdog::StateBeforeBoot`.
const SCRATCH3: u32 = 0x18;
/// REASON of the watchdog: not 0 after a watchdog reset.
const REASON: u32 = 0x08;
/// STARTUP of the crystal oscillator.
const STARTUP: u32 = 0x0C;

/// CTRL of the watchdog: enabled, and paused while a debugger halts the core.
const WATCHDOG_ENABLE: u32 = 0x4700_0000;
/// CTRL of the crystal oscillator: enabled, 1 to 15 MHz.
const CRYSTAL_ENABLE: u32 = 0x00FA_BAA0;
/// STATUS of the crystal oscillator: stable. CS of a PLL: locked.
const READY: u32 = 1 << 31;
/// PWR of a PLL: power-down bits of the PLL and its VCO, and of the post dividers, which are powered up last.
const PLL_OFF: u32 = 0x21;
const PLL_DIVIDERS_OFF: u32 = 0x08;

/// One step of the boot stage. If bit 0 of the address is clear, the register is written. If it is set, the register is
/// read until all bits of the value are set.
#[repr(C)]
pub(crate) struct BootStep {
    register: u32,
    value: u32,
}

impl BootStep {
    pub(crate) const fn write(register: u32, value: u32) -> Self {
        Self { register, value }
    }

    /// Sets these bits through the register's set alias.
    const fn set(register: u32, value: u32) -> Self {
        Self { register: register + 0x2000, value }
    }

    /// Clears these bits through the register's clear alias.
    const fn clear(register: u32, value: u32) -> Self {
        Self { register: register + 0x3000, value }
    }

    const fn wait(register: u32, value: u32) -> Self {
        Self { register: register | 1, value }
    }
}

/// The writes and waits that start the watchdog and bring the system clock to full speed. The addresses are numbers,
/// because the register crate does not provide them in constants. After a reset by a debugger the clocks may be running
/// already, so the core switches to the ring oscillator before they are set up again.
const STEPS: [BootStep; 21] = {
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
        // The crystal starts in the background.
        BootStep::write(XOSC_CTRL, CRYSTAL_ENABLE),
        // The watchdog.
        tick_cycles,
        tick_enable,
        BootStep::write(PSM_WDSEL, chip::WATCHDOG_RESETS),
        BootStep::write(WATCHDOG_LOAD, START_UP_US * chip::WATCHDOG_COUNTS_PER_US),
        BootStep::write(WATCHDOG_CTRL, WATCHDOG_ENABLE),
        // The ring oscillator.
        BootStep::write(CLK_SYS_CTRL, 0),
        BootStep::wait(CLK_SYS_SELECTED, 1 << 0),
        BootStep::write(CLK_REF_CTRL, 0),
        BootStep::wait(CLK_REF_SELECTED, 1 << 0),
        BootStep::wait(XOSC_STATUS, READY),
        // The PLL: 125 times the crystal, divided twice.
        BootStep::set(RESETS_RESET, chip::PLL_SYS_RESET),
        BootStep::clear(RESETS_RESET, chip::PLL_SYS_RESET),
        BootStep::wait(RESETS_DONE, chip::PLL_SYS_RESET),
        BootStep::write(PLL_FBDIV, 125),
        BootStep::write(PLL_PRIM, chip::PLL_POST_DIVIDERS),
        BootStep::clear(PLL_PWR, PLL_OFF),
        BootStep::wait(PLL_CS, READY),
        BootStep::clear(PLL_PWR, PLL_DIVIDERS_OFF),
        // The system clock from the PLL.
        BootStep::write(CLK_SYS_CTRL, 1),
        BootStep::wait(CLK_SYS_SELECTED, 1 << 1),
    ]
};

#[unsafe(link_section = ".boot.stage")]
static BOOT_STEPS: [BootStep; STEPS.len()] = STEPS;

global_asm!(
    ".section .boot.vectors, \"a\"",
    ".word __boot, __boot_fault, __boot_fault", // reset, NMI, HardFault: the only exceptions of the boot stage
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
    "ldr r2, ={crystal_delay}",
    "ldr r1, [r0, #{reason}]",
    "cmp r1, #0",
    "beq 6f",
    "ldr r2, ={crystal_delay_on_retry}",
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
    crystal_delay = const startup_value(CRYSTAL_DELAY),
    crystal_delay_on_retry = const startup_value(CRYSTAL_DELAY_ON_RETRY),
    steps = sym BOOT_STEPS,
    steps_size = const size_of_val(&STEPS),
);

unsafe extern "C" {
    /// Symbols from memory.x. Only their addresses have a meaning.
    static __bi_entries_start: rp_binary_info::EntryAddr;
    static __bi_entries_end: rp_binary_info::EntryAddr;
    static __vector_table: u32;
    static __program_start: u32;
    static __program_end: u32;
}

/// The header of the information that `picotool info` reads. The header of rp-binary-info cannot describe a program in
/// RAM.
#[used]
#[unsafe(link_section = ".boot.info")]
static PICOTOOL_HEADER: Header =
    Header::new(&raw const __bi_entries_start, &raw const __bi_entries_end, &PROGRAM_IN_FLASH);

/// Maps the RAM addresses of the constants to flash, where picotool reads them.
#[unsafe(link_section = ".boot.stage")]
static PROGRAM_IN_FLASH: [MappingTableEntry; 2] = [
    MappingTableEntry {
        source_addr_start: &raw const __vector_table,
        dest_addr_start: &raw const __program_start,
        dest_addr_end: &raw const __program_end,
    },
    MappingTableEntry::null(),
];
