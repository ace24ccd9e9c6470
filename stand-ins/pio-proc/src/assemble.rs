//! From lines to a program, in two passes: the first learns the names and the settings, the second writes the words.

use std::collections::HashMap;

use pio_core::{Assembler, ProgramWithDefines, SideSet, Wrap};

use crate::line::Line;
use crate::mistake::Mistake;
use crate::tokens::Tokens;

/// More than any chip has room for; the macro's own limit is told by its caller.
const MOST_INSTRUCTIONS: usize = 256;

/// A program, and the names that it shows to Rust.
pub type Program = ProgramWithDefines<HashMap<String, i32>, MOST_INSTRUCTIONS>;

/// Names with what they stand for, and whether Rust sees them.
#[derive(Clone, Debug, Default)]
pub struct Names(HashMap<String, (bool, i32)>);

impl Names {
    /// What a name stands for.
    pub fn value(&self, name: &str) -> i32 {
        self.0.get(name).unwrap_or_else(|| panic!("Unknown label {name}")).1
    }

    fn insert(&mut self, name: &str, public: bool, value: i32) {
        self.0.insert(name.to_owned(), (public, value));
    }

    fn public(&self) -> HashMap<String, i32> {
        self.0.iter().filter(|(_, (public, _))| *public).map(|(name, (_, value))| (name.clone(), *value)).collect()
    }
}

/// The program of a text.
pub fn program(text: &str) -> Result<Program, Mistake> {
    Ok(assemble(&Tokens::of(text)?.lines()?))
}

fn assemble(lines: &[Line<'_>]) -> Program {
    let mut names = Names::default();
    let mut side_set = SideSet::new(false, 0, false);
    let (mut origin, mut wrap, mut wrap_target) = (None, None, None);
    let mut instructions: u8 = 0;
    for line in lines {
        match line {
            Line::Instruction(_) => instructions += 1,
            Line::Label { public, name } => names.insert(name, *public, instructions.into()),
            // It may be made of names that are known by then.
            Line::Definition { public, name, value } => names.insert(name, *public, value(&names)),
            Line::Origin(value) => origin = Some(value(&names) as u8),
            Line::SideSet { bits, optional, pindirs } => {
                assert!(instructions == 0, ".side_set must stand before the first instruction");
                side_set = SideSet::new(*optional, bits(&names) as u8, *pindirs);
            }
            Line::WrapTarget => {
                assert!(wrap_target.replace(instructions).is_none(), ".wrap_target may stand once");
            }
            Line::Wrap => {
                let last = instructions.checked_sub(1).expect(".wrap must stand behind an instruction");
                assert!(wrap.replace(last).is_none(), ".wrap may stand once");
            }
            Line::Nothing => {}
        }
    }

    let mut assembler = Assembler::new_with_side_set(side_set);
    for line in lines {
        if let Line::Instruction(instruction) = line {
            assembler.instructions.push(instruction(&names));
        }
    }
    let mut program = assembler.assemble_program().set_origin(origin);
    match (wrap, wrap_target) {
        (Some(source), Some(target)) => program = program.set_wrap(Wrap { source, target }),
        (None, None) => {}
        _ => panic!(".wrap and .wrap_target go together"),
    }
    ProgramWithDefines { program, public_defines: names.public() }
}
