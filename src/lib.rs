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
//! - [`layout`]: the cell of each key and of each LED of this handheld, as it was [taught](game::teaching);
//! - [`game`]: the state machine of the game, one file for each mode; [`game::status`]: its state as words and numbers;
//! - [`display`]: the frames of the game, and their encoding for the LEDs; [`sound`]: the sounds of the game;
//! - [`save`]: the format of a save; [`journal`]: saves in flash, safe against power cuts; [`load`]: reads a save at
//!   start-up, also the results of a newer firmware;
//! - [`battery`]: the charge for a measured voltage; [`board_probe`]: which board the voltage is measured on;
//! - [`seed`]: one seed for the random numbers from several weak sources; [`time`]: the unit of time.
//!
//! # A tour through the files
//! Four examples, each step by step. Files of the firmware, such as `scan.rs`, are in `src/firmware`.
//!
//! **A key press**
//! 1. A key pulls its column low. `scan.rs` waits for this, and scans the matrix with
//!    [`Matrix::scan`](matrix::Matrix::scan).
//! 2. [`Keys::update`](keys::Keys::update) takes the closed contacts. [`Reading`](matrix::Reading) sorts out possible
//!    ghosts, [`Debouncer`](debounce::Debouncer) finds the press, [`KeyMap`](layout::KeyMap) gives the cell of its
//!    contact, and [`Gestures`](gesture::Gestures) makes it a tap. The result is a [`KeyEvent`](keys::KeyEvent).
//! 3. `scan.rs` sends the event to `game.rs` as an [`Input`](game::Input). `game.rs` calls
//!    [`Game::handle`](game::Game::handle).
//! 4. The game passes the tap to the [screen](game::screen::Screen) in front: the topmost overlay, or the mode. A mode
//!    such as [`Levels`](game::modes::Levels) passes it to its [`Puzzle`](game::puzzle::Puzzle), which presses the key
//!    in its [`Round`](game::round::Round). The [`Solver`](solver::Solver) has the lights that the key flips.
//! 5. `game.rs` calls [`Game::draw`](game::Game::draw), and sends the [`Frame`](display::Frame) to `leds.rs`, which
//!    [encodes](display::wire::encode) it for the LEDs. `led_wire.rs` sends the words over the wire.
//!
//! **A save**
//! 1. Each tap and each command has to be saved. A screen that changes without one calls
//!    [`Context::needs_save`](game::screen::Context::needs_save).
//! 2. [`Game::deadline`](game::Game::deadline) includes the time at which the save is due: half a second after the last
//!    change, and 0.9 s after the first one at the latest. Before sleep and on an empty battery, the game saves at
//!    once.
//! 3. `game.rs` waits until this deadline and calls [`Game::tick`](game::Game::tick). The game takes the data of the
//!    mode from [`GameMode::save`](game::modes::GameMode::save), adds settings, records and layout, encodes all of it
//!    with [`Save::of`](save::Save::of), and emits [`Output::Save`](game::Output::Save).
//! 4. `game.rs` hands the save to `storage.rs`, which appends it to the [`journal`] in flash.
//!
//! **A hint**
//! 1. The player holds the top two corners for 0.7 s. Each of the two presses was a tap and has changed the board.
//! 2. [`Gestures`](gesture::Gestures) emits a [`Gesture::Command`](gesture::Gesture::Command) that names the corner
//!    which was tapped first. The game restores the [`State`](game::State) that it copied before that tap.
//! 3. The mode passes the command to its [`Puzzle`](game::puzzle::Puzzle), which asks
//!    [`Solver::hint`](solver::Solver::hint) for a key of a shortest solution.
//! 4. [`Puzzle::draw`](game::puzzle::Puzzle::draw) then lets that key pulse with
//!    [`Frame::point_out`](display::Frame::point_out), until the next press.
//!
//! **A new mode**
//! 1. Write a file in `src/game/modes` with a type that is a [`Screen`](game::screen::Screen) and a
//!    [`GameMode`](game::modes::GameMode).
//! 2. Add it at the end of the list in `src/game/modes/mod.rs`, with its module, its import and its
//!    [name](game::modes::ModeKind::name). The save and the state machine follow from the list.
//! 3. Give it a key in the menu. The row of the modes has five keys and is full, so a sixth mode does not compile: an
//!    assertion in `src/game/modes/mod.rs` fails. The menu in `src/game/menu.rs` needs a second page first. Its module
//!    comment explains how.
//! 4. If it shows frames of a new kind, add them to [`Scene`](game::status::Scene).
//! 5. On the web page, add the mode to `web/page/handheld.js`, and the texts of the mode and its scenes to
//!    `web/page/texts.js`.
#![no_std]
#![forbid(unsafe_code)]

pub mod battery;
pub mod board;
pub mod board_probe;
pub mod chase;
pub mod code;
pub mod daily;
pub mod debounce;
pub mod display;
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
pub mod rules;
pub mod save;
pub mod seed;
pub mod solver;
pub mod sound;
pub mod time;
pub mod wiring;
