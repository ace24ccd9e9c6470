//! `cargo play`: from a bare host toolchain to the handheld in a browser.
//!
//! The chip's and the browser's targets are made sure of by the crate `setup`, the firmware and the WebAssembly are
//! built, and with the files of `web/page` they make a [`folder`] that any web server can hand out. This program is one
//! such server, for this computer alone ([`server`]); with `--write` the folder is left on disk for another
//! ([`destination`]).
#![forbid(unsafe_code)]

mod answer;
mod arguments;
mod browser;
mod contents;
mod destination;
mod folder;
mod gzip;
mod request;
mod server;
mod site;

use std::error::Error;
use std::io;
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{self, ExitCode};
use std::thread;

use arguments::{Action, HELP, Request};
use folder::Folder;
use lexopt::Parser;
use server::{Limits, PORT};
use setup::progress::Step;
use setup::{SetupError, Target, Toolchain, build_firmware};
use site::Site;

/// The package of the WebAssembly, and the profile it is built with.
const PACKAGE: &str = "web";
const PROFILE: &str = "web";
const STEPS: usize = 5;

fn main() -> ExitCode {
    let outcome = match arguments::parse(Parser::from_env()) {
        Ok(Request::Help) => {
            print!("{HELP}");
            Ok(())
        }
        Ok(Request::Do(action)) => act(action),
        Err(error) => return setup::misused("cargo play", error),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("\n{error}");
            ExitCode::FAILURE
        }
    }
}

fn act(action: Action) -> Result<(), Box<dyn Error>> {
    match action {
        Action::Write(path) => {
            // Before a minute's work, not after it.
            destination::check(&path, &folder::names(&setup::root())?)?;
            let folder = build()?;
            destination::write(&path, &folder)?;
            Step::new(STEPS, STEPS, "page").done(&format!("written to {}, {}", path.display(), folder.size()));
            Ok(())
        }
        Action::Serve { port, open, until_input_ends } => {
            if until_input_ends {
                thread::Builder::new().spawn(|| {
                    let _ = io::copy(&mut io::stdin(), &mut io::sink());
                    process::exit(0)
                })?;
            }
            let listener = server::listen_somewhere(port, PORT)?;
            let folder = build()?;
            Step::new(STEPS, STEPS, "page").done(&format!("ready, {}", folder.size()));
            let gave_way = port.is_none() && listener.local_addr()?.port() != PORT;
            serve(&listener, folder, open, gave_way)
        }
    }
}

fn serve(listener: &TcpListener, folder: Folder, open: bool, gave_way: bool) -> Result<(), Box<dyn Error>> {
    let address = format!("http://{}/", listener.local_addr()?);
    if gave_way {
        println!(
            "\nPort {PORT} is taken, perhaps by another `cargo play`, so this page has another address. The game that the \
             browser keeps\nbelongs to the address: what was played at port {PORT} is still there, and not seen here."
        );
    }
    println!("\nPlay at {address}\nCtrl-C ends it.");
    let site = Site::new(folder);
    if open && !browser::open(&address) {
        println!("No browser could be opened here. Please open the address yourself.");
    }
    server::serve(listener, &site, Limits::default());
    Ok(())
}

/// All steps but the last. Firmware and emulator are built side by side: each has its own profile, and so its own lock in
/// cargo's folder, and where one waits for a long crate the other has work for the second core.
fn build() -> Result<Folder, Box<dyn Error>> {
    let thumb = Toolchain::for_target(Target::Thumb, &Step::new(1, STEPS, "thumb target"))?;
    let wasm = Toolchain::for_target(Target::Wasm, &Step::new(2, STEPS, "wasm target"))?;
    let (elf, module) = thread::scope(|scope| {
        let firmware = scope.spawn(|| build_firmware(&thumb, &Step::new(3, STEPS, "firmware")));
        let module = build_module(&wasm, &Step::new(4, STEPS, "emulator"));
        (firmware.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)), module)
    });
    Ok(Folder::assemble(&setup::root(), &module?, &elf?)?)
}

/// Only the WebAssembly, not the library for tests as well: so the linker sees all of the program at once and leaves out
/// most of it.
fn build_module(toolchain: &Toolchain, step: &Step) -> Result<PathBuf, SetupError> {
    step.say("building for the browser");
    let mut cargo = toolchain.cargo("rustc")?;
    cargo.args(["--profile", PROFILE, "--package", PACKAGE, "--lib", "--crate-type", "cdylib"]);
    // Two bars of progress on one screen would write over each other.
    cargo.env("CARGO_TERM_PROGRESS_WHEN", "never");
    let program = || "cargo".to_owned();
    let status =
        cargo.status().map_err(|error| SetupError::CannotRun { program: program(), reason: error.to_string() })?;
    if !status.success() {
        return Err(SetupError::BuildFailed { what: "the emulator".to_owned() });
    }
    step.done("built");
    Ok(toolchain.products(PROFILE)?.join("web.wasm"))
}
