//! `cargo play`: builds the web page and serves it to the browser of this computer.
//!
//! 1. The crate `setup` installs missing Rust targets.
//! 2. [`builds`] builds the firmware and the WebAssembly.
//! 3. [`page_files`] collects these files and those of `web/page`. Any web server can serve them.
//! 4. [`server`] serves them on 127.0.0.1. With `--write`, [`output_folder`] writes them to a folder instead.
//!
//! The page is served as soon as the firmware for the Pico is built. The firmware for the Pico 2 is built in the
//! background and then added to the page.
#![forbid(unsafe_code)]

mod arguments;
mod browser;
mod builds;
mod file_list;
mod output_folder;
mod page_files;
mod response;
mod server;
mod wasm_module;

use std::error::Error;
use std::io;
use std::net::TcpListener;
use std::path::Path;
use std::process::{self, ExitCode};
use std::thread;

use arguments::{Action, HELP, Request};
use lexopt::Parser;
use page_files::PageFiles;
use response::{CurrentSite, Site};
use server::DEFAULT_PORT;
use setup::progress::Step;

/// The number of steps that the progress lines count: the builds, and the page itself.
const STEPS: usize = builds::FIRST_STEPS + builds::PICO2_STEPS + 1;

fn main() -> ExitCode {
    let result = match arguments::parse(Parser::from_env()) {
        Ok(Request::Help) => {
            print!("{HELP}");
            Ok(())
        }
        Ok(Request::Run(action)) => run(action),
        Err(error) => return setup::report_usage_error("cargo play", error),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("\n{error}");
            ExitCode::FAILURE
        }
    }
}

fn run(action: Action) -> Result<(), Box<dyn Error>> {
    match action {
        Action::Write(folder) => write(&folder),
        Action::Serve { port, open, until_input_ends } => {
            if until_input_ends {
                exit_when_input_ends()?;
            }
            let listener = server::listen_on(port, DEFAULT_PORT)?;
            let files = build()?;
            Step::new(builds::FIRST_STEPS + 1, STEPS, "page").done(&format!("ready, {}", files.summary()));
            let is_fallback_port = port.is_none() && listener.local_addr()?.port() != DEFAULT_PORT;
            serve(&listener, files, open, is_fallback_port)
        }
    }
}

fn write(folder: &Path) -> Result<(), Box<dyn Error>> {
    // Checked before the build, so that an error is reported at once and not after a minute.
    output_folder::check(folder, &page_files::names(&setup::root())?)?;
    let files = build()?.with_pico2(&builds::pico2(builds::FIRST_STEPS, STEPS)?)?;
    output_folder::write(folder, &files)?;
    Step::new(STEPS, STEPS, "page").done(&format!("written to {}, {}", folder.display(), files.summary()));
    Ok(())
}

/// Ends this program when its standard input ends, which happens when the program that started it ends.
fn exit_when_input_ends() -> io::Result<()> {
    let wait = || {
        let _ = io::copy(&mut io::stdin(), &mut io::sink());
        process::exit(0)
    };
    thread::Builder::new().spawn(wait).map(drop)
}

fn serve(listener: &TcpListener, files: PageFiles, open: bool, is_fallback_port: bool) -> Result<(), Box<dyn Error>> {
    let address = format!("http://{}/", listener.local_addr()?);
    if is_fallback_port {
        println!(
            "\nPort {DEFAULT_PORT} is in use, perhaps by another `cargo play`, so this page has another address.\nThe \
             browser keeps the game for each address: the game of port {DEFAULT_PORT} is kept, but not visible here."
        );
    }
    println!("\nPlay at {address}\nPress Ctrl-C to stop.");
    let current = CurrentSite::new(Site::new(files.clone()));
    if open && !browser::open(&address) {
        println!("No browser could be opened. Open the address yourself.");
    }
    thread::scope(|scope| {
        scope.spawn(|| current.replace(Site::new(complete(files))));
        server::serve(listener, &current);
    });
    Ok(())
}

/// Builds the page with the firmware for the Pico.
fn build() -> Result<PageFiles, Box<dyn Error>> {
    let first = builds::first(STEPS)?;
    Ok(PageFiles::assemble(&setup::root(), &first.module, &first.elf)?)
}

/// Adds the firmware for the Pico 2 to the page. If it cannot be built, reports why and returns the page without it.
fn complete(files: PageFiles) -> PageFiles {
    let built = builds::pico2_in_background(builds::FIRST_STEPS + 1, STEPS).map_err(Box::<dyn Error>::from);
    match built.and_then(|elf| Ok(files.clone().with_pico2(&elf)?)) {
        Ok(files) => {
            println!("The page plays the Pico 2 too: choose it in the page's workshop.");
            files
        }
        Err(error) => {
            eprintln!("\n{error}");
            println!("The page plays the Pico only.");
            files.without_pico2()
        }
    }
}
