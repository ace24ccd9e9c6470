//! What can stand on a line.

use pio_core::Instruction;

use crate::expression::Later;
use crate::mistake::Mistake;
use crate::token::Token;
use crate::tokens::Tokens;

/// A line that says something.
pub enum Line<'a> {
    /// `loop:`
    Label { public: bool, name: &'a str },
    /// `.define`
    Definition { public: bool, name: &'a str, value: Later<'a, i32> },
    /// `.origin`
    Origin(Later<'a, i32>),
    /// `.side_set`
    SideSet { bits: Later<'a, i32>, optional: bool, pindirs: bool },
    /// `.wrap_target`
    WrapTarget,
    /// `.wrap`
    Wrap,
    /// `.lang_opt`, which is not for us
    Nothing,
    /// All others.
    Instruction(Later<'a, Instruction>),
}

impl<'a> Tokens<'a> {
    /// The lines of a program.
    pub fn lines(&mut self) -> Result<Vec<Line<'a>>, Mistake> {
        let mut lines = Vec::new();
        self.skip_empty_lines();
        while !self.at_end() {
            lines.push(self.line()?);
            self.end_of_line()?;
        }
        Ok(lines)
    }

    fn line(&mut self) -> Result<Line<'a>, Mistake> {
        let public = self.takes("public");
        if public || matches!(self.peek(), Some(Token::Name(_))) {
            let name = self.name()?;
            self.must_take(":")?;
            return Ok(Line::Label { public, name });
        }
        if self.peek() == Some(Token::LanguageOption) {
            self.advance();
            Ok(Line::Nothing)
        } else if self.takes(".define") {
            let public = self.takes("public");
            let (name, value) = (self.name()?, self.expression()?);
            Ok(Line::Definition { public, name, value })
        } else if self.takes(".origin") {
            self.value().map(Line::Origin)
        } else if self.takes(".side_set") {
            let bits = self.value()?;
            let (optional, pindirs) = (self.takes("opt"), self.takes("pindirs"));
            Ok(Line::SideSet { bits, optional, pindirs })
        } else if self.takes(".wrap_target") {
            Ok(Line::WrapTarget)
        } else if self.takes(".wrap") {
            Ok(Line::Wrap)
        } else {
            self.instruction().map(Line::Instruction)
        }
    }
}
