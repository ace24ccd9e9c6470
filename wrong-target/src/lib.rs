//! Nothing. The message is in the build script, which runs even where the chip's target is not installed.
#![no_std]
