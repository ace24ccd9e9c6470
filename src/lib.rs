//! The game of Lights Out, without a clock, a chip or an allocator: time, keys and randomness come in as arguments, and
//! pictures, sounds and saves go out as values. The firmware around it (`src/main.rs`) only carries them to and from the pins.
//!
//! ```
//! use lights_out::board::Cell;
//! use lights_out::generator;
//! use lights_out::solver::CLASSIC;
//! use rand_pcg::Pcg32;
//!
//! // Deal: one of the 53,130 boards that need five presses, each as likely as any other.
//! let mut board = generator::of_par(&CLASSIC, 5, &mut Pcg32::new(1995, 25)).expect("there are boards of par 5");
//! // Press: a light and the four beside it flip, and back again.
//! let centre = Cell::at(2, 2).expect("a cell of the grid");
//! assert_eq!(CLASSIC.press(CLASSIC.press(board, centre), centre), board);
//! // Follow the hints, and win in par.
//! let mut moves = 0;
//! while let Some(key) = CLASSIC.hint(board) {
//!     board = CLASSIC.press(board, key);
//!     moves += 1;
//! }
//! assert!(board.is_dark() && moves == 5);
//! ```
//!
//! The rooms:
//! - the puzzle, pure functions on bit [masks](mask): [`board`], [`rules`], [`solver`], [`generator`], [`chase`], [`level_boards`];
//! - [`daily`]: the puzzle of the day, the same for everybody;
//! - [`code`]: a board in a few characters, the same in the log, in links and for `cargo solve`;
//! - from the pins to what the player means: [`wiring`], [`matrix`], [`debounce`], [`gesture`], and [`keys`] around them;
//! - [`layout`]: where each key and light is on this very handheld, as it was [taught](game::teaching);
//! - [`game`]: the state machine that plays, one file per mode; [`game::status`]: what is going on, in words and numbers;
//! - [`picture`]: what it looks like, and what goes over the wire to the LEDs; [`sound`]: what it sounds like;
//! - [`save`]: what is remembered, as bytes; [`journal`]: how it survives in flash; [`load`]: how it comes back,
//!   with the results of a newer firmware;
//! - [`battery`]: what its voltage means; [`board_probe`]: which board measures it;
//! - [`seed`]: a good start for the random numbers from several poor ones; [`time`]: what a moment is.
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
