//! What stands between the brackets of the macro.

use syn::parse::{Parse, ParseStream, Result};
use syn::{Expr, Ident, LitStr, Token, parenthesized, parse_quote};

/// The macro's arguments.
pub struct Arguments {
    /// The crate `pio`, as it is seen from where the macro is called.
    pub pio: Ident,
    /// The program's lines.
    pub text: String,
    /// How many instructions it may have; on the RP2040, and if nothing is said, 32.
    pub limit: Expr,
}

impl Parse for Arguments {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let pio = input.parse()?;
        let mut arguments = Self { pio, text: String::new(), limit: parse_quote!(32) };
        while !input.is_empty() {
            // Between two lines it may be left out, and is.
            input.parse::<Option<Token![,]>>()?;
            if input.peek(LitStr) {
                arguments.text += &input.parse::<LitStr>()?.value();
                arguments.text.push('\n');
            } else if input.peek(Ident) {
                arguments.limit = limit(input)?;
            } else if !input.is_empty() {
                return Err(input.error("expected a line of the program, or `options`"));
            }
        }
        Ok(arguments)
    }
}

/// `options(max_program_size = 32)`
fn limit(input: ParseStream<'_>) -> Result<Expr> {
    let inside;
    let name: Ident = input.parse()?;
    parenthesized!(inside in input);
    let option: Ident = inside.parse()?;
    if name != "options" || option != "max_program_size" {
        return Err(syn::Error::new(option.span(), "expected `options(max_program_size = ...)`"));
    }
    inside.parse::<Token![=]>()?;
    let limit = inside.parse()?;
    inside.parse::<Option<Token![,]>>()?;
    Ok(limit)
}
