//! Numbers, names and sums of them. A name may be a label that comes later, so reading gives no number but a way to one.

use crate::assemble::Names;
use crate::mistake::Mistake;
use crate::token::Token;
use crate::tokens::Tokens;

/// What is known when all names are.
pub type Later<'a, T> = Box<dyn Fn(&Names) -> T + 'a>;

/// A step of arithmetic; nothing where the result is no number of 32 bits.
type Operation = fn(i32, i32) -> Option<i32>;

impl<'a> Tokens<'a> {
    /// Terms, added and subtracted.
    pub fn expression(&mut self) -> Result<Later<'a, i32>, Mistake> {
        self.row(Self::product, &[("+", i32::checked_add), ("-", i32::checked_sub)])
    }

    fn product(&mut self) -> Result<Later<'a, i32>, Mistake> {
        self.row(Self::signed, &[("*", i32::checked_mul), ("/", i32::checked_div)])
    }

    /// Operands with operations between them, reckoned from the left.
    fn row(
        &mut self,
        operand: fn(&mut Self) -> Result<Later<'a, i32>, Mistake>,
        operations: &[(&str, Operation)],
    ) -> Result<Later<'a, i32>, Mistake> {
        let mut sum = operand(self)?;
        while let Some(operation) = self.takes_one(operations) {
            let (left, right) = (sum, operand(self)?);
            sum = Box::new(move |names| {
                let (left, right) = (left(names), right(names));
                operation(left, right).unwrap_or_else(|| panic!("no number comes of {left} and {right}"))
            });
        }
        Ok(sum)
    }

    /// A value with its sign or its bits turned round.
    fn signed(&mut self) -> Result<Later<'a, i32>, Mistake> {
        if self.takes("-") {
            let value = self.value()?;
            Ok(Box::new(move |names| value(names).wrapping_neg()))
        } else if self.takes("::") {
            let value = self.value()?;
            Ok(Box::new(move |names| value(names).reverse_bits()))
        } else {
            self.value()
        }
    }

    /// A number, a name, or an expression in brackets.
    pub fn value(&mut self) -> Result<Later<'a, i32>, Mistake> {
        match self.peek() {
            Some(Token::Number(number)) => {
                self.advance();
                Ok(Box::new(move |_| number))
            }
            Some(Token::Name(name)) => {
                self.advance();
                Ok(Box::new(move |names| names.value(name)))
            }
            _ if self.takes("(") => {
                let inside = self.expression()?;
                self.must_take(")")?;
                Ok(inside)
            }
            _ => Err(self.expected("a value")),
        }
    }
}
