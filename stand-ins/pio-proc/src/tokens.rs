//! A row of tokens, taken one after the other.

use crate::mistake::Mistake;
use crate::token::{Placed, Token, tokens};

/// What is left of a text.
#[derive(Debug)]
pub struct Tokens<'a> {
    length: usize,
    all: Vec<Placed<'a>>,
    next: usize,
}

impl<'a> Tokens<'a> {
    pub fn of(source: &'a str) -> Result<Self, Mistake> {
        Ok(Self { length: source.len(), all: tokens(source)?, next: 0 })
    }

    /// The next token, which stays.
    pub fn peek(&self) -> Option<Token<'a>> {
        self.all.get(self.next).map(|&(_, token, _)| token)
    }

    pub fn at_end(&self) -> bool {
        self.peek().is_none()
    }

    /// Goes on to the next token.
    pub fn advance(&mut self) {
        self.next += 1;
    }

    /// Takes this word or mark, if it comes next.
    pub fn takes(&mut self, fixed: &str) -> bool {
        let here = self.peek().is_some_and(|token| matches!(token, Token::Fixed(word) if word == fixed));
        self.next += usize::from(here);
        here
    }

    /// Takes one of these words, and tells what it stands for.
    pub fn takes_one<T: Copy>(&mut self, meanings: &[(&str, T)]) -> Option<T> {
        meanings.iter().find(|(word, _)| self.takes(word)).map(|&(_, meaning)| meaning)
    }

    /// Takes one of these words, or says that one of them should be here.
    pub fn one_of<T: Copy>(&mut self, meanings: &[(&str, T)]) -> Result<T, Mistake> {
        self.takes_one(meanings).ok_or_else(|| self.expected_any(meanings.iter().map(|&(word, _)| format!("`{word}`"))))
    }

    /// Takes this word or mark, or says that it should be here.
    pub fn must_take(&mut self, fixed: &str) -> Result<(), Mistake> {
        if self.takes(fixed) { Ok(()) } else { Err(self.expected(&format!("`{fixed}`"))) }
    }

    pub fn name(&mut self) -> Result<&'a str, Mistake> {
        let Some(Token::Name(name)) = self.peek() else { return Err(self.expected("a name")) };
        self.advance();
        Ok(name)
    }

    /// Takes one end of a line, or the text's, and all empty lines behind it.
    pub fn end_of_line(&mut self) -> Result<(), Mistake> {
        if !self.at_end() && self.peek() != Some(Token::EndOfLine) {
            return Err(self.expected("the end of the line"));
        }
        self.skip_empty_lines();
        Ok(())
    }

    pub fn skip_empty_lines(&mut self) {
        while self.peek() == Some(Token::EndOfLine) {
            self.advance();
        }
    }

    /// The error that something else should be here.
    pub fn expected(&self, what: &str) -> Mistake {
        self.expected_any([what.to_owned()])
    }

    fn expected_any(&self, what: impl IntoIterator<Item = String>) -> Mistake {
        let at = self.all.get(self.next).map_or(self.length, |&(start, ..)| start);
        Mistake { at, expected: what.into_iter().collect() }
    }
}
