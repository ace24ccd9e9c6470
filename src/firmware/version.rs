//! The version of the firmware, for the log and for `picotool info`.

use rp_binary_info as binary_info;

/// Version, git revision and build profile.
pub(crate) const VERSION: &str =
    concat!(env!("CARGO_PKG_VERSION"), " (", env!("GIT_REVISION"), ", ", env!("BUILD_PROFILE"), ")");

#[used]
// SAFETY: memory.x defines this section as a list of such addresses.
#[unsafe(link_section = ".bi_entries")]
static PICOTOOL_ENTRIES: [binary_info::EntryAddr; 5] = [
    binary_info::rp_program_name!(c"lights-out"),
    binary_info::rp_program_description!(c"Lights Out, a handheld with 25 keys and 25 lights"),
    binary_info::rp_cargo_version!(),
    binary_info::rp_program_build_attribute!(),
    // picotool lists this entry as a feature of the program.
    binary_info::env!(
        binary_info::consts::TAG_RASPBERRY_PI,
        binary_info::consts::ID_RP_PROGRAM_FEATURE,
        "GIT_REVISION"
    ),
];
