//! Gets what building for another machine needs, and builds it: the firmware for either chip, the web page's WebAssembly.
//!
//! A computer with nothing but rustup's host toolchain can run our programs, but it cannot build the firmware: the
//! library `core` for the chip is not there yet. Every program that needs it (`cargo host-tests` and its like) asks
//! [`Toolchain::for_target`] first, which goes through the ways to get it, best first:
//!
//! 1. it is present: use the cargo and the rustc that are running;
//! 2. `rustup target add`, for a bounded time, since a network may swallow packets for ever;
//! 3. Debian's packages of a newer compiler and of the library's source, from which cargo builds `core` itself.
//!
//! What to try is decided by a pure function of observed facts ([`plan`]), so that it is tested without any of this.
//! What comes back is a [`Toolchain`], which knows how to call cargo; the caller does not see which way it was.
//! [`build_firmware`] is the first user.
//!
//! Nothing is fetched unless something is missing, and each step says what it is doing ([`progress`]). Packages are
//! installed for root; for anybody else only where [`INSTALL_VARIABLE`] says so.
#![forbid(unsafe_code)]

mod apt;
pub mod browsers;
mod debian;
mod error;
mod firmware;
mod observe;
pub mod plan;
pub mod progress;
mod run;
mod server;
mod toolchain;
mod usage;
mod workspace;

pub use apt::{Package, debian_package, debian_packages};
pub use error::SetupError;
pub use firmware::{FIRMWARE_STEPS, build_all_firmware, build_firmware, build_firmware_in_background, firmware_paths};
pub use run::{Ending, watched};
pub use server::Server;
pub use toolchain::{Target, Toolchain};
pub use usage::misused;
pub use workspace::{cargo, root, target_directory};

/// The environment variable that forces one way of getting a target: `rustup` or `debian`.
pub const FORCE_VARIABLE: &str = "LIGHTS_OUT_TOOLCHAIN";

/// The environment variable that tells whether Debian's packages may be installed: `sudo`, even by a user who is not root;
/// `never`, not even by root.
pub const INSTALL_VARIABLE: &str = "LIGHTS_OUT_INSTALL";
