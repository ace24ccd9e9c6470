//! What several tests need.

pub mod boards;
pub mod diodes;

/// Whether the campaigns are to run in their long form.
pub fn long_form() -> bool {
    std::env::var_os("LIGHTS_OUT_LONG").is_some_and(|value| value == "1")
}
