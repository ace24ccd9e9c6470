//! From a program to the Rust that makes it.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::{Expr, ExprLit, Ident, Lit};

use crate::arguments::Arguments;
use crate::assemble::Program;

/// An expression of type `pio::ProgramWithDefines`. The public names become fields of a type of its own.
pub fn expand(Arguments { pio, limit, .. }: &Arguments, program: &Program) -> TokenStream {
    if let Expr::Lit(ExprLit { lit: Lit::Int(limit), .. }) = limit {
        let (limit, length) = (limit.base10_parse::<usize>(), program.program.code.len());
        assert!(
            limit.is_ok_and(|limit| length <= limit),
            "the program has {length} instructions, more than it may have"
        );
    }
    let names: Vec<Ident> = program.public_defines.keys().map(|name| Ident::new(name, Span::call_site())).collect();
    let values = program.public_defines.values();
    let program = &program.program;
    let code = &program.code;
    let origin = program.origin.map_or(quote!(None), |origin| quote!(Some(#origin)));
    let (source, target) = (program.wrap.source, program.wrap.target);
    let (optional, bits, pindirs) = (program.side_set.optional(), program.side_set.bits(), program.side_set.pindirs());
    let version = Ident::new(&format!("{:?}", program.version), Span::call_site());
    quote! {
        {
            struct PublicNames {
                #(#names: i32,)*
            }
            #pio::ProgramWithDefines {
                program: #pio::Program::<{ #limit }> {
                    code: ::core::iter::IntoIterator::into_iter([#(#code),*]).collect(),
                    origin: #origin,
                    wrap: #pio::Wrap { source: #source, target: #target },
                    side_set: #pio::SideSet::new_from_proc_macro(#optional, #bits, #pindirs),
                    version: #pio::PioVersion::#version,
                },
                public_defines: PublicNames { #(#names: #values,)* },
            }
        }
    }
}
