//! Pictures of 25 lights: frames and what is drawn into them, and the way from there to the wire.

mod frame;
pub mod score;
pub mod wire;

pub use frame::{Colour, FRAME_TIME, Frame};
