//! The table of registers that the firmware touches: what is known about each, what the emulator crates make of it,
//! what this crate puts right, and which tests prove that.
//!
//! A model that agrees with the code instead of with the chip proves nothing. A test of the firmware traces it in
//! long runs, and fails when it touches a register that is not here, or when the first or the last register of a row
//! is no longer touched. So the table says what is used.
//!
//! # What the texts rest on
//! [`Source`] says it for each row:
//! - [`Source::Descriptions`]: the text was compared with the register descriptions of the SVD files that Raspberry Pi
//!   publishes, as the crate `rp-pac` 7.0.0 has them. They are the texts of the register tables in the data sheets.
//! - [`Source::Known`]: facts from data sheets, errata and ARM's architecture manuals as they are generally known, and
//!   from the sources of embassy-rp. They were not looked up one by one for this table.
//! - [`Source::Both`]: the fields are from the descriptions, the rest (reset values of pads, order of stages, errata,
//!   times) is known.
//!
//! What upstream does was found in the sources of `rp2040-emu` 0.1.5, `rp2350-emu` 0.2.6 and `picoem-common` 0.2.2. "As
//! described" means that no difference was noticed, not that each bit was compared. A row without
//! tests has none of its own: the firmware's runs touch it, and would notice only coarse faults.
//!
//! # Where the model is still kinder than a chip
//! - **Waits**: RESET_DONE, CHAN_ABORT and SELECTED of the clocks are ready at once. Code that does not wait for them
//!   would pass.
//! - **Resets**: a reset by watchdog or core resets all peripherals, where the RP2040's SYSRESETREQ leaves them
//!   running; pads of the RP2350 let go, where they keep their outputs until the firmware clears ISO. A block that is
//!   held in reset is cleared only if it is one that the firmware uses.
//! - **Stack limit**: MSPLIM of the RP2350 is checked where an exception is entered, not where code pushes.
//! - **Clocks**: the ring oscillator has its nominal frequency, and no stepping A3 of the RP2350, whose boot ROM lets
//!   clk_sys run four times as fast. AUXSRC may be changed in use. Limits of the PLL, and PLLs that run when the
//!   crystal is stopped for dormant sleep, are not looked at. The ADC has its clock always.
//! - **Errors**: the DMA tells no bus error, and interrupts after an abort (RP2040-E13) do not come. BADWRITE of the
//!   oscillators stays 0.
//! - **Randomness**: bits of the ring oscillator are independent, however fast they are read.
//! - **Voltages**: core voltage and brown-out detector do nothing.
//! - **Inputs** are seen without the two cycles of their synchroniser.
//!
//! The rows stand by what they are about: `pio`, `dma`, `pins`, `clocks`, `resets`, `time`, `sound_and_voltage`,
//! `core`, `memory`. Which chip has which block, and where, is in `chips`.

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

/// What the text about a register rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Compared with the register descriptions of the SVD files.
    Descriptions,
    /// Generally known, and not looked up one by one.
    Known,
    /// Some of it compared, some of it known.
    Both,
}

/// Registers of one kind: one row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Register {
    /// Offsets in their block of the first and the last of them that the firmware touches.
    pub at: (u32, u32),
    /// As the data sheet names it.
    pub name: &'static str,
    /// What `data_sheet` rests on.
    pub source: Source,
    /// What the data sheet says, as far as software notices.
    pub data_sheet: &'static str,
    /// What the emulator crates do.
    pub upstream: &'static str,
    /// What this crate puts right, or what it still leaves out.
    pub ours: &'static str,
    /// Tests, in this crate or of the firmware, that fail where the model is not as `ours` says. Empty: none of its
    /// own.
    pub tests: &'static [&'static str],
}

impl Register {
    /// The same row with tests.
    const fn tests(self, tests: &'static [&'static str]) -> Self {
        Self { tests, ..self }
    }
}

/// One row, without a test of its own.
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

/// A register that stands alone.
const fn one(at: u32) -> (u32, u32) {
    (at, at)
}

/// A block of registers in the address space of a chip.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    /// As the data sheet names it.
    pub name: &'static str,
    /// Where it begins.
    pub base: u32,
    /// Its rows.
    pub registers: &'static [Register],
}

/// All blocks of a chip that are in the table.
pub fn blocks(chip: Chip) -> &'static [Block] {
    match chip {
        Chip::Rp2040 => chips::RP2040,
        Chip::Rp2350 => chips::RP2350,
    }
}

/// The row about the register at an address, and its block.
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
                for pair in lines.windows(2).filter(|pair| pair[0] == "#[test]") {
                    let name = pair[1].strip_prefix("fn ").and_then(|rest| rest.split('(').next());
                    names.extend(name.map(str::to_string));
                }
            }
        }
    }

    #[test]
    fn every_test_that_a_row_names_exists() {
        let mut names = BTreeSet::new();
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        tests_in(&root.join("src"), &mut names);
        tests_in(&root.join("../host-tests/tests/suite"), &mut names);
        assert!(names.contains("every_test_that_a_row_names_exists"));
        let missing: BTreeSet<_> =
            all().flat_map(|(_, row)| row.tests).filter(|test| !names.contains(**test)).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }

    #[test]
    fn rows_are_whole_and_do_not_overlap() {
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
        assert_eq!(name(Chip::Rp2040, 0x5030_0000), None, "nobody uses the second PIO");
    }
}
