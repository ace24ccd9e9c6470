//! Installs what the programs of this project need, and builds the firmware and the page's WebAssembly.
//!
//! With rustup's host toolchain alone, a computer can run the programs of this project, but it cannot build the
//! firmware: the compiled library `core` of the chip's target is missing. Every program that builds for another target
//! (`cargo host-tests`, `cargo play`, `cargo uf2`, `cargo measure`) first calls [`Toolchain::for_target`], which runs
//! `rustup target add` if the target is missing. If rustup fails, the error names what is missing and the command to
//! run.
//!
//! Other programs (browsers, Node.js) come from Debian's packages: [`install_debian_packages`]
//! installs them for root. For any other user it installs them only if [`INSTALL_VARIABLE`] allows it; otherwise the
//! caller gets the command to run.
//!
//! Nothing is downloaded unless something is missing, and each step reports what it does ([`progress`]).
#![forbid(unsafe_code)]

mod apt;
pub mod browsers;
mod error;
mod firmware;
mod observe;
pub mod progress;
mod run;
mod server;
mod toolchain;
mod usage;
mod workspace;

pub use apt::{Package, install_debian_packages};
pub use error::{SetupError, TargetFailure};
pub use firmware::{FIRMWARE_STEPS, build_all_firmware, build_firmware, build_firmware_in_background, firmware_paths};
pub use run::{Ending, run_with_limit};
pub use server::Server;
pub use toolchain::{Target, Toolchain};
pub use usage::report_usage_error;
pub use workspace::{cargo, root};

/// The environment variable that controls the installation of Debian's packages. `sudo`: install them with sudo if the
/// user is not root. `never`: do not install them, not even as root.
pub const INSTALL_VARIABLE: &str = "LIGHTS_OUT_INSTALL";
