//! `cargo play`: from a bare host toolchain to the handheld in a browser.
//!
//! The chips' and the browser's targets are made sure of by the crate `setup`, the firmware and the WebAssembly are
//! built ([`builds`]), and with the files of `web/page` they make a [`folder`] that any web server can hand out. This program is
//! one such server, for this computer alone ([`server`]); with `--write` the folder is left on disk for another
//! ([`destination`]).
//!
//! Nobody waits for the firmware of a second chip: the page is served with that of a Pico, and takes up that of a Pico 2 when it
//! has been built.
#![forbid(unsafe_code)]

mod answer;
mod arguments;
mod browser;
mod builds;
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
use std::process::{self, ExitCode};
use std::thread;

use arguments::{Action, HELP, Request};
use folder::Folder;
use lexopt::Parser;
use server::{Limits, PORT};
use setup::progress::Step;
use site::{Current, Site};

/// What [`builds`] does first, what it does for a Pico 2, and the page itself.
const STEPS: usize = builds::FIRST_STEPS + builds::PICO2_STEPS + 1;

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
            let folder = build()?.with_pico2(&builds::pico2(builds::FIRST_STEPS, STEPS)?)?;
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
            Step::new(builds::FIRST_STEPS + 1, STEPS, "page").done(&format!("ready, {}", folder.size()));
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
    let current = Current::new(Site::new(folder.clone()));
    if open && !browser::open(&address) {
        println!("No browser could be opened here. Please open the address yourself.");
    }
    thread::scope(|scope| {
        scope.spawn(|| current.replace(Site::new(complete(folder))));
        server::serve(listener, &current, Limits::default());
    });
    Ok(())
}

/// The page that can be played.
fn build() -> Result<Folder, Box<dyn Error>> {
    let first = builds::first(STEPS)?;
    Ok(Folder::assemble(&setup::root(), &first.module, &first.elf)?)
}

/// The page with a Pico 2's firmware; or, said why, without.
fn complete(folder: Folder) -> Folder {
    let built = builds::pico2_in_background(builds::FIRST_STEPS + 1, STEPS).map_err(Box::<dyn Error>::from);
    match built.and_then(|elf| Ok(folder.clone().with_pico2(&elf)?)) {
        Ok(folder) => {
            println!("The page plays the Pico 2 too, from now on: it is chosen in the workshop.");
            folder
        }
        Err(error) => {
            eprintln!("\n{error}");
            println!("The page goes on with the Pico alone.");
            folder.without_pico2()
        }
    }
}
