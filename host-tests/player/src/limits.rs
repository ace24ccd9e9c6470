//! Every figure that is promised, once.
//!
//! `cargo measure` judges by these what it measures, and the tests of the real firmware judge their own, shorter runs by
//! them too. A limit is a promise to users: it does not follow what is measured. README and docs/performance.md tell them.

use std::time::Duration;

use crate::{ms, us};

/// From the first touch of a bouncing contact to the last bit of the frame that answers, while nothing is animated: 99 of 100 presses are
/// answered within this, in any rhythm, whether the flash is written, erased or left alone, and whether a miss of its cache costs 60 or
/// 100 cycles.
pub const PRESS_TO_LIGHT_P99: Duration = us(1500);
/// The same, at worst: the picture that is sent again every 300 ms may be on the wire already.
pub const PRESS_TO_LIGHT_MAX: Duration = us(2000);
/// The same while something is animated, so that a frame may be on the wire already.
pub const PRESS_TO_LIGHT_ANIMATED_P99: Duration = us(1700);
/// The same, at worst.
pub const PRESS_TO_LIGHT_ANIMATED_MAX: Duration = us(2100);
/// By how much more a press may be late when a sound is played with it.
pub const SOUND_DELAY: Duration = us(50);
/// A contact that closes for less than this is a spike, and no press. It is what two looks have to be apart.
pub const SPIKE: Duration = us(300);

/// From power-on to the last bit of the first frame, with all that takes: boot ROM, crystal, and the LEDs' supply.
pub const START: Duration = ms(41);
/// What that supply is given to rise.
pub const SUPPLY_RISE: Duration = ms(20);
/// From the touch of a key to the last bit of the first frame, after sleep.
pub const WAKE: Duration = ms(100);
/// The share of cycles in which the core is awake while a still board is shown.
pub const AWAKE_STILL: f64 = 0.0015;
/// The same in sleep while a key is down, so that the others have to be looked for: of a clock that is ten times slower.
pub const AWAKE_DOZING: f64 = 0.1;

/// Cycles of the shortest solution of a classic board, on the chip.
pub const SHORTEST_SOLUTION_CYCLES: u64 = 300;
/// Cycles to deal a board: a tenth of a second at 125 MHz, which nobody notices.
pub const DEAL_CYCLES: u64 = 12_500_000;

/// The silence on the LED wire after which the LEDs show a frame: no two frames are closer.
pub const LATCH_SILENCE: Duration = us(300);
/// Frames that wait for the wire are not further apart than this: more would be time given away.
pub const LATCH_SILENCE_MOST: Duration = us(400);
/// What LEDs and Pico may draw together, in milliamperes: what any USB port gives, with a reserve.
pub const CURRENT: u32 = 400;
/// The same while the battery is low.
pub const LOW_BATTERY_CURRENT: u32 = 150;

/// Bytes of flash that the firmware takes. Raised from 80,000, when it learned to tell in its log what is going on and to take
/// back a restart, and from 90,000, when it learned where its keys and lights are and to look after its battery: the chip has
/// 2 MB, and what is copied to RAM of it has a limit of its own.
pub const FLASH_BYTES: u64 = 100_000;
/// Bytes of RAM that are used: code and constants that are copied to it, static data, and the stack at its deepest. The smaller chip has
/// 264 KB.
pub const RAM_BYTES: u64 = 150_000;
/// The longest time with interrupts off, in play, while the flash is written or erased as well.
pub const INTERRUPTS_OFF: Duration = us(50);
