//! A macro for enums with a list of all variants.

/// Declares an enum with the constant `ALL`, an array of its variants in order. A separate array could miss one.
macro_rules! listed {
    ($(#[$attribute:meta])* pub enum $name:ident { $($(#[$of_variant:meta])* $variant:ident,)+ }) => {
        $(#[$attribute])*
        pub enum $name { $($(#[$of_variant])* $variant,)+ }

        impl $name {
            /// The number of variants.
            pub const COUNT: usize = [$(stringify!($variant)),+].len();
            /// All variants, in the order of their declaration.
            pub const ALL: [Self; Self::COUNT] = [$(Self::$variant),+];
        }
    };
}

pub(crate) use listed;
