//! The table of registers that the firmware accesses. Each row has the behaviour by the data sheet, the behaviour of
//! the emulator crates, the corrections of this crate, and the tests of the corrections.
//!
//! A model that agrees with the firmware instead of the chip proves nothing. A test of the firmware traces its register
//! accesses in long runs. The test fails when the firmware accesses a register that is not in this table, or when it no
//! longer accesses the first or the last register of a row. So the table always lists the registers in use.
//!
//! # Sources
//! [`Source`] is the source of each row:
//! - [`Source::Descriptions`]: the text was compared with the register descriptions in the SVD files of Raspberry Pi,
//!   in the form of the crate `rp-pac` 7.0.0. They are the texts of the register tables in the data sheets.
//! - [`Source::Known`]: generally known facts from data sheets, errata, ARM's architecture manuals and the source code
//!   of embassy-rp. They were not looked up one by one for this table.
//! - [`Source::Both`]: the fields are from the descriptions. The rest (reset values of pads, order of stages, errata,
//!   times) is known.
//!
//! The behaviour of the emulator crates was found in the source code of `rp2040-emu` 0.1.5, `rp2350-emu` 0.2.6 and
//! `picoem-common` 0.2.2. "As described" means that no difference was found, not that each bit was compared. A row
//! without tests has no dedicated test. The firmware tests use its registers, but they would find only large faults.
//!
//! # Differences from the chip that can hide faults of the firmware
//! - **Waits**: RESET_DONE, CHAN_ABORT and SELECTED of the clocks are ready at once. Code that does not wait for them
//!   would pass.
//! - **Resets**: a reset by watchdog or core resets all peripherals. On the RP2040, SYSRESETREQ does not reset them.
//!   The pads of the RP2350 are released by a reset. On the chip they keep their outputs until the firmware clears ISO.
//!   Only blocks that the firmware uses are cleared when they are held in reset.
//! - **Stack limit**: MSPLIM of the RP2350 is checked at the entry of an exception, not when code pushes.
//! - **Clocks**: the ring oscillator has its nominal frequency. Stepping A3 of the RP2350, whose boot ROM runs clk_sys
//!   four times as fast, is not modelled. A change of AUXSRC in use is not detected. Limits of the PLLs, and PLLs that
//!   run when dormant sleep stops the crystal, are not checked. The ADC always has its clock.
//! - **Errors**: the DMA reports no bus error, and there are no interrupts after an abort (RP2040-E13). BADWRITE of the
//!   oscillators stays 0.
//! - **Randomness**: the bits of the ring oscillator are independent at any read rate.
//! - **Voltages**: core voltage and brown-out detector have no effect.
//! - **Inputs** have no delay by the two cycles of their synchroniser.
//!
//! The rows are in modules by subject: `pio`, `dma`, `pins`, `clocks`, `resets`, `time`, `sound_and_voltage`, `core`,
//! `memory`. `chips` has the blocks of each chip and their addresses.

mod chips;
mod clocks;
mod core;
mod dma;
mod memory;
mod pins;
mod pio;
mod resets;
mod sound_and_voltage;
mod time;

use crate::chip_interface::Chip;

/// The source of the text about a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Compared with the register descriptions of the SVD files.
    Descriptions,
    /// Generally known, and not looked up one by one.
    Known,
    /// Partly compared, partly known.
    Both,
}

/// Registers of one kind: one row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Register {
    /// The offsets in the block of the first and the last register that the firmware accesses.
    pub at: (u32, u32),
    /// The name in the data sheet.
    pub name: &'static str,
    /// The source of `data_sheet`.
    pub source: Source,
    /// The behaviour by the data sheet, as far as software can observe it.
    pub data_sheet: &'static str,
    /// The behaviour of the emulator crates.
    pub upstream: &'static str,
    /// The corrections of this crate, and the remaining differences.
    pub ours: &'static str,
    /// Tests, in this crate or of the firmware, that fail if the model differs from `ours`. Empty: no dedicated test.
    pub tests: &'static [&'static str],
}

impl Register {
    /// Adds tests to a row.
    const fn tests(self, tests: &'static [&'static str]) -> Self {
        Self { tests, ..self }
    }
}

/// A row without a dedicated test.
const fn row(
    at: (u32, u32),
    name: &'static str,
    source: Source,
    data_sheet: &'static str,
    upstream: &'static str,
    ours: &'static str,
) -> Register {
    Register { at, name, source, data_sheet, upstream, ours, tests: &[] }
}

/// The offsets of a row with one register.
const fn one(at: u32) -> (u32, u32) {
    (at, at)
}

/// A block of registers in the address space of a chip.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    /// The name in the data sheet.
    pub name: &'static str,
    /// The address of its first register.
    pub base: u32,
    /// The rows of its registers.
    pub registers: &'static [Register],
}

/// All blocks of a chip in the table.
pub fn blocks(chip: Chip) -> &'static [Block] {
    match chip {
        Chip::Rp2040 => chips::RP2040,
        Chip::Rp2350 => chips::RP2350,
    }
}

/// The row of the register at an address, and its block.
pub fn find(chip: Chip, address: u32) -> Option<(&'static Block, &'static Register)> {
    blocks(chip).iter().find_map(|block| {
        let offset = address.checked_sub(block.base)?;
        let row = block.registers.iter().find(|row| (row.at.0..=row.at.1).contains(&offset))?;
        Some((block, row))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::path::Path;

    fn all() -> impl Iterator<Item = (&'static Block, &'static Register)> {
        [Chip::Rp2040, Chip::Rp2350]
            .into_iter()
            .flat_map(blocks)
            .flat_map(|block| block.registers.iter().map(move |row| (block, row)))
    }

    /// The names of all tests under a folder.
    fn tests_in(folder: &Path, names: &mut BTreeSet<String>) {
        for entry in
            std::fs::read_dir(folder).expect("a folder of sources").map(|entry| entry.expect("an entry").path())
        {
            if entry.is_dir() {
                tests_in(&entry, names);
            } else if entry.extension().is_some_and(|extension| extension == "rs") {
                let source = std::fs::read_to_string(&entry).expect("a source file");
                let lines: Vec<&str> = source.lines().map(str::trim).collect();
                let plain = lines.windows(2).filter(|pair| pair[0] == "#[test]").map(|pair| pair[1]);
                names.extend(plain.filter_map(|line| line.strip_prefix("fn ")?.split('(').next()).map(str::to_string));
                let on_each_chip = lines.iter().filter_map(|line| line.strip_prefix("on_each_chip!("));
                names.extend(on_each_chip.filter_map(|line| line.split(')').next()).map(str::to_string));
            }
        }
    }

    #[test]
    fn tests_named_in_rows_exist() {
        let mut names = BTreeSet::new();
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        tests_in(&root.join("src"), &mut names);
        tests_in(&root.join("../host-tests/tests/suite"), &mut names);
        assert!(names.contains("tests_named_in_rows_exist"));
        let missing: BTreeSet<_> =
            all().flat_map(|(_, row)| row.tests).filter(|test| !names.contains(**test)).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }

    #[test]
    fn rows_are_complete_and_do_not_overlap() {
        for (block, row) in all() {
            assert!(row.at.0 <= row.at.1 && row.at.0 % 4 == 0 && row.at.1 % 4 == 0, "{} {}", block.name, row.name);
            let texts = [row.name, row.data_sheet, row.upstream, row.ours];
            assert!(texts.iter().all(|text| !text.is_empty()), "{} {}", block.name, row.name);
        }
        for chip in [Chip::Rp2040, Chip::Rp2350] {
            for block in blocks(chip) {
                for row in block.registers {
                    for address in [row.at.0, row.at.1].map(|at| block.base + at) {
                        let (found_block, found) = find(chip, address).expect("its own row");
                        assert_eq!((found_block.name, found.name), (block.name, row.name));
                    }
                }
            }
        }
    }

    #[test]
    fn registers_are_found_by_their_address() {
        let name = |chip, address| find(chip, address).map(|(block, row)| (block.name, row.name));
        assert_eq!(name(Chip::Rp2040, 0x5020_0000), Some(("PIO0", "CTRL")));
        assert_eq!(name(Chip::Rp2350, 0x4010_8034), Some(("TICKS", "WATCHDOG_CTRL, WATCHDOG_CYCLES")));
        assert_eq!(name(Chip::Rp2040, 0x5030_0000), None, "the firmware does not use the second PIO");
    }
}
