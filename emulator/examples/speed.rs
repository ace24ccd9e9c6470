//! Measures the speed of the emulator:
//! `cargo run --profile host --target host-tuple -p emulator --example speed ELF [seconds]`
//!
//! Prints, for each emulated second, how much faster than real time it ran, the load of the core and the number of
//! frames. At the end it prints the log, the faults on the LED wire, and the last frame.

use emulator::{Firmware, Handheld, Options};
use std::time::{Duration, Instant};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("Usage: speed ELF [seconds]")?;
    let seconds = arguments.next().map_or(Ok(10), |text| text.parse())?;

    let began = Instant::now();
    let firmware = Firmware::from_elf(&std::fs::read(path)?)?;
    println!("read in {:?}", began.elapsed());
    let mut handheld = Handheld::power_on(&firmware, Options::default());
    for second in 1..=seconds {
        let (began, cycle_counts, frames) = (Instant::now(), handheld.cycle_counts(), handheld.frames());
        handheld.run_for(Duration::from_secs(1));
        let wall = began.elapsed().as_secs_f64();
        println!(
            "second {second}: {:5.1} x real time, awake {:5.2} %, {} frames",
            1.0 / wall,
            100.0 * handheld.cycle_counts().awake_share_since(cycle_counts),
            handheld.frames() - frames
        );
    }
    for line in handheld.logs() {
        println!("{line}");
    }
    println!("{:?}", handheld.wire_faults());
    println!("{:?}", handheld.frame());
    Ok(())
}
