//! Frames: the colours of the 25 cells, text that scrolls over them, and their encoding for the LEDs.

mod frame;
mod text;
pub mod wire;

pub use frame::{Colour, FRAME_TIME, Frame, WIPE};
pub use text::Text;
