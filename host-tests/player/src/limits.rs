//! Every limit that is promised to users.
//!
//! `cargo measure` compares its measurements with these limits, and so do the shorter runs in the tests of the real
//! firmware. A limit is a promise: it does not change with the measurements. README and docs/performance.md list the
//! limits.

use std::time::Duration;

use crate::{ms, us};

/// From the first contact of a bouncing key to the last bit of the frame that shows the press, without animation: the
/// limit for 99 of 100 presses. It holds for any rhythm of presses, with and without flash operations, and for cache
/// misses of 60 and of 100 cycles.
pub const PRESS_TO_LIGHT_P99: Duration = us(1500);
/// The limit for every press without animation. The frame that is repeated every 300 ms may already be on the wire.
pub const PRESS_TO_LIGHT_MAX: Duration = us(2000);
/// The limit for 99 of 100 presses during an animation, when a frame may already be on the wire.
pub const PRESS_TO_LIGHT_ANIMATED_P99: Duration = us(1700);
/// The limit for every press during an animation.
pub const PRESS_TO_LIGHT_ANIMATED_MAX: Duration = us(2100);
/// The additional delay of a press that plays a sound.
pub const SOUND_DELAY: Duration = us(50);
/// A contact that closes for less than this time is a spike and not a press. Two scans that agree are this time apart.
pub const SPIKE: Duration = us(300);

/// From power-on to the last bit of the first frame, with boot ROM, crystal start and LED supply.
pub const START: Duration = ms(41);
/// The part of [`START`] that is reserved for the rise of the LED supply.
pub const SUPPLY_RISE: Duration = ms(20);
/// From a press during sleep to the last bit of the first frame.
pub const WAKE: Duration = ms(100);
/// The share of cycles in which the core is awake while a still board is shown.
pub const AWAKE_STILL: f64 = 0.0015;
/// The share of cycles in which the core is awake during sleep with a key down, when the other keys have to be scanned.
/// The clock is ten times slower then.
pub const AWAKE_ASLEEP_KEY_DOWN: f64 = 0.1;

/// Cycles to find the shortest solution of a classic board, on the chip.
pub const SHORTEST_SOLUTION_CYCLES: u64 = 300;
/// Cycles to generate a board: 0.1 s at 125 MHz, which players do not notice.
pub const GENERATE_CYCLES: u64 = 12_500_000;

/// The shortest gap between two frames on the LED wire: after this time the LEDs show a frame.
pub const LATCH_GAP_MIN: Duration = us(300);
/// The longest gap before a frame that waits for the wire: a longer gap would waste time.
pub const LATCH_GAP_MAX: Duration = us(400);
/// The current of LEDs and Pico together, in milliamperes. Any USB port supplies it, with a reserve.
pub const CURRENT: u32 = 400;
/// The current of LEDs and Pico while the battery is low, in milliamperes.
pub const LOW_BATTERY_CURRENT: u32 = 150;

/// Bytes of flash for the firmware. The limit was raised from 80,000 for the status in the log and the undo of a
/// restart, and from 90,000 for the teaching of the wiring and the battery. The chip has 2 MB, and the part that is
/// copied to RAM has its own limit.
pub const FLASH_BYTES: u64 = 100_000;
/// Bytes of RAM: code and constants that are copied to it, static data, and the stack at its high-water mark. The
/// RP2040 has 264 KB.
pub const RAM_BYTES: u64 = 150_000;
/// The longest time with interrupts disabled during play, also while flash is programmed or erased.
pub const INTERRUPTS_DISABLED: Duration = us(50);

/// Bytes of the WebAssembly module of the web page.
pub const PAGE_MODULE_BYTES: u64 = 1_250_000;
/// Bytes of the same module as the page's server sends it, compressed by gzip.
pub const PAGE_MODULE_COMPRESSED_BYTES: u64 = 400_000;
/// Time from a fresh clone to the complete web page (`cargo play --write`), on two idle cores. The downloads of the
/// crates do not count.
pub const COLD_PLAY: Duration = Duration::from_secs(150);
