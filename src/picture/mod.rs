//! Pictures of 25 lights: frames and what is drawn into them, and the way from there to the wire.

mod frame;
mod text;
pub mod wire;

pub use frame::{Colour, FRAME_TIME, Frame, WIPE};
pub use text::Text;
