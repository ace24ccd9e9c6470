//! The blocks of each chip and their addresses.

use super::{Block, Register, clocks, core, dma, memory, pins, pio, resets, sound_and_voltage, time};

const fn block(name: &'static str, base: u32, registers: &'static [Register]) -> Block {
    Block { name, base, registers }
}

/// The blocks of the RP2040.
pub(super) const RP2040: &[Block] = &[
    block("XIP_CTRL", 0x1400_0000, memory::XIP),
    block("CLOCKS", 0x4000_8000, clocks::CLOCKS_RP2040),
    block("RESETS", 0x4000_C000, resets::RESETS),
    block("PSM", 0x4001_0000, resets::PSM_RP2040),
    block("IO_BANK0", 0x4001_4000, pins::IO_RP2040),
    block("PADS_BANK0", 0x4001_C000, pins::PADS_RP2040),
    block("XOSC", 0x4002_4000, clocks::XOSC),
    block("PLL_SYS", 0x4002_8000, clocks::PLL),
    block("PLL_USB", 0x4002_C000, clocks::PLL),
    block("ADC", 0x4004_C000, sound_and_voltage::ADC),
    block("PWM", 0x4005_0000, sound_and_voltage::PWM),
    block("TIMER", 0x4005_4000, time::TIMER_RP2040),
    block("WATCHDOG", 0x4005_8000, time::WATCHDOG_RP2040),
    block("ROSC", 0x4006_0000, clocks::ROSC_RP2040),
    block("VREG_AND_CHIP_RESET", 0x4006_4000, resets::VREG),
    block("DMA", 0x5000_0000, dma::RP2040),
    block("PIO0", 0x5020_0000, pio::RP2040),
    block("SIO", 0xD000_0000, core::SIO_RP2040),
    block("PPB", 0xE000_0000, core::PPB_RP2040),
];

/// The blocks of the RP2350.
pub(super) const RP2350: &[Block] = &[
    block("CLOCKS", 0x4001_0000, clocks::CLOCKS_RP2350),
    block("PSM", 0x4001_8000, resets::PSM_RP2350),
    block("RESETS", 0x4002_0000, resets::RESETS),
    block("IO_BANK0", 0x4002_8000, pins::IO_RP2350),
    block("PADS_BANK0", 0x4003_8000, pins::PADS_RP2350),
    block("XOSC", 0x4004_8000, clocks::XOSC),
    block("PLL_SYS", 0x4005_0000, clocks::PLL),
    block("PLL_USB", 0x4005_8000, clocks::PLL),
    block("ADC", 0x400A_0000, sound_and_voltage::ADC),
    block("PWM", 0x400A_8000, sound_and_voltage::PWM),
    block("TIMER0", 0x400B_0000, time::TIMER_RP2350),
    block("XIP_CTRL", 0x400C_8000, memory::XIP),
    block("WATCHDOG", 0x400D_8000, time::WATCHDOG_RP2350),
    block("BOOTRAM", 0x400E_0000, memory::BOOTRAM),
    block("ROSC", 0x400E_8000, clocks::ROSC_RP2350),
    block("POWMAN", 0x4010_0000, resets::POWMAN),
    block("TICKS", 0x4010_8000, time::TICKS),
    block("DMA", 0x5000_0000, dma::RP2350),
    block("PIO0", 0x5020_0000, pio::RP2350),
    block("SIO", 0xD000_0000, core::SIO_RP2350),
    block("PPB", 0xE000_0000, core::PPB_RP2350),
];
