//! What a player can rely on, told once and played on the library and on the real firmware.

pub mod battery;
pub mod modes;
pub mod play;
pub mod status;

/// Makes a test of each of these scenarios, which need nothing but a player; `$play` plays it.
macro_rules! tests_of {
    ($room:ident, $play:ident: $($name:ident),* $(,)?) => {
        $(#[test] fn $name() { $play(crate::scenarios::$room::$name); })*
    };
}
pub(crate) use tests_of;
