//! Scenarios: what a player can rely on. Each is written once, and runs on the library and on the real firmware.

pub(crate) mod battery;
pub(crate) mod modes;
pub(crate) mod play;
pub(crate) mod status;

/// Makes a test of each scenario whose only argument is a player. `$play` runs the scenario: as `$play(scenario)`,
/// or with `on each chip` as `$play(chip, scenario)`.
macro_rules! tests_of {
    ($module:ident, $play:ident: $($name:ident),* $(,)?) => {
        $(
            #[test]
            fn $name() {
                $play(crate::scenarios::$module::$name);
            }
        )*
    };
    ($module:ident, $play:ident on each chip: $($name:ident),* $(,)?) => {
        $(
            crate::firmware::on_each_chip!($name);
            fn $name(chip: flash_image::Chip) {
                $play(chip, crate::scenarios::$module::$name);
            }
        )*
    };
}
pub(crate) use tests_of;
