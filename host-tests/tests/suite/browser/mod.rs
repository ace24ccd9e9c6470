//! The web page in a real browser, served by `cargo play` itself.
//!
//! Each test gets a browser with empty storage, plays, and in the end it is seen that the page told no error and asked for
//! nothing but its own files. To open the page costs more than most of what is then done on it, so a test goes through several
//! things that a visitor can do one after the other. It plays in Chromium and in Firefox, through [`driver::Browser`]. What needs no browser, because it
//! is the page's script and the emulator alone, is tested by [`page_scripts`](crate::page_scripts).

/// Makes tests of functions, one in each browser: `chromium::NAME` and `firefox::NAME`. The first word is what runs them, a
/// function that takes the kind of browser, the name of the test, and the function.
macro_rules! in_both_browsers {
    ($run:ident: $($test:ident),* $(,)?) => {
        mod chromium {
            $(#[test]
            fn $test() {
                let name = concat!(module_path!(), "::", stringify!($test));
                super::$run($crate::browser::driver::Kind::Chromium, name, super::$test);
            })*
        }
        mod firefox {
            $(#[test]
            fn $test() {
                let name = concat!(module_path!(), "::", stringify!($test));
                super::$run($crate::browser::driver::Kind::Firefox, name, super::$test);
            })*
        }
    };
}

mod boards;
mod driver;
mod driver_proof;
mod hands;
mod page;
mod puzzles;
mod server;
mod surroundings;
mod touch;
mod words;
mod workshop;

use std::path::PathBuf;

use lights_out::board::{Board, Cell};
use lights_out::solver::CLASSIC;

/// The board after these keys.
fn pressed(board: u32, keys: &[usize]) -> u32 {
    let cells = keys.iter().filter_map(|&key| Cell::new(key));
    cells.fold(Board::from_bits(board), |board, cell| CLASSIC.press(board, cell)).bits()
}

fn scratch(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("lights-out-test-{}-{name}", std::process::id()))
}
