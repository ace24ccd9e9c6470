//! The game of Lights Out, without a clock, a chip or an allocator. Time, keys and random numbers come in as arguments.
//! Frames, sounds and saves go out as values. The firmware (`src/main.rs`) connects them to the pins.
//!
//! ```
//! use lights_out::board::Cell;
//! use lights_out::generator;
//! use lights_out::solver::CLASSIC;
//! use rand_pcg::Pcg32;
//!
//! // Draw one of the 53,130 boards that need five presses, all of them equally likely.
//! let mut board = generator::of_par(&CLASSIC, 5, &mut Pcg32::new(1995, 25)).expect("there are boards of par 5");
//! // Press a key twice: a light and the four beside it flip, and flip back.
//! let centre = Cell::at(2, 2).expect("a cell of the grid");
//! assert_eq!(CLASSIC.press(CLASSIC.press(board, centre), centre), board);
//! // Follow the hints, and solve the board at par.
//! let mut moves = 0;
//! while let Some(key) = CLASSIC.hint(board) {
//!     board = CLASSIC.press(board, key);
//!     moves += 1;
//! }
//! assert!(board.is_dark() && moves == 5);
//! ```
//!
//! The modules:
//! - [`mask`]: sets of cells, contacts, columns and presses, with a type for each;
//! - the puzzle, as pure functions: [`board`], [`rules`], [`solver`], [`generator`], [`chase`], [`level_boards`];
//! - [`daily`]: the puzzle of the day, the same for all players;
//! - [`code`]: a board as a short text, the same in the log, in links and for `cargo solve`;
//! - from the pins to gestures: [`wiring`], [`matrix`], [`debounce`], [`gesture`], and [`keys`], which connects them;
//! - [`layout`]: at which cell each key and each LED of this handheld is, as it was [taught](game::teaching);
//! - [`game`]: the state machine of the game, one file for each mode; [`game::status`]: its state as words and numbers;
//! - [`picture`]: the frames that it shows, and their encoding for the LEDs; [`sound`]: the sounds that it plays;
//! - [`save`]: the format of a save; [`journal`]: saves in flash, safe against power cuts; [`load`]: reads a save at
//!   start-up, also the results of a newer firmware;
//! - [`battery`]: the charge for a measured voltage; [`board_probe`]: which board the voltage is measured on;
//! - [`seed`]: one seed for the random numbers from several weak sources; [`time`]: the unit of time.
//!
//! # Four ways through
//! Each goes forward only; files of the firmware are in `src/firmware`.
//!
//! **A key press**: `scan.rs` is woken by a touch and scans; [`matrix`] reads the rows and tells what can be believed;
//! [`keys`] passes that through [`debounce`], [`layout`] and [`gesture`] and hands out an [`Input`](keys::Input); `game.rs` feeds
//! it to [`Game::handle`](game::Game::handle), which finds the [screen](game::screen) in front, say a [mode](game::modes); that presses
//! a key in its [`Puzzle`](game::puzzle), whose [`Round`](game::round) asks the [`solver`] what flips. `game.rs` draws the
//! [`picture`], and `leds.rs` [encodes](picture::wire) and sends it over `led_wire.rs`.
//!
//! **A save**: whatever a screen does that is worth it, it tells its [`Context`](game::screen::Context); half a second later
//! [`Game`](game::Game) hands out [`Output::Save`](game::Output), made by [`save`] from the mode's own
//! [`Saved`](game::modes::GameMode::Saved); `storage.rs` appends it to the [`journal`].
//!
//! **A hint**: two corners become a [`Command`](gesture::Command) that takes their taps back; the [`Puzzle`](game::puzzle) asks
//! [`Solver::hint`](solver::Solver::hint), and lets the key [pulse](picture::Frame::point_out) in every picture from then on.
//!
//! **A new mode**: write a file in `src/game/modes` with a type that is a [`Screen`](game::screen::Screen) and a
//! [`GameMode`](game::modes::GameMode), and name it at the end of the list in [`game::modes`]. The menu, the save and the state
//! machine follow; a mode too many for the menu does not compile.
#![no_std]
#![forbid(unsafe_code)]

pub mod battery;
pub mod board;
pub mod board_probe;
pub mod chase;
pub mod code;
pub mod daily;
pub mod debounce;
pub mod game;
pub mod generator;
pub mod gesture;
pub mod journal;
pub mod keys;
pub mod layout;
pub mod level_boards;
mod listed;
pub mod load;
pub mod mask;
pub mod matrix;
pub mod picture;
pub mod rules;
pub mod save;
pub mod seed;
pub mod solver;
pub mod sound;
pub mod time;
pub mod wiring;
