//! Enums that know all of their variants.

/// Declares an enum with `ALL`, its variants in order: a list beside the enum could forget one.
macro_rules! listed {
    ($(#[$attribute:meta])* pub enum $name:ident { $($(#[$of_variant:meta])* $variant:ident,)+ }) => {
        $(#[$attribute])*
        pub enum $name { $($(#[$of_variant])* $variant,)+ }

        impl $name {
            /// How many there are.
            pub const COUNT: usize = [$(stringify!($variant)),+].len();
            /// All of them, in this order.
            pub const ALL: [Self; Self::COUNT] = [$(Self::$variant),+];
        }
    };
}

pub(crate) use listed;
