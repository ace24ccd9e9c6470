//! The firmware's log: defmt messages, taken from the RTT buffer in RAM and put into words.
//!
//! defmt-rtt leaves bytes in a ring buffer that a debug probe would read; `_SEGGER_RTT` tells where. The machine drains
//! it each time the core goes to sleep, at least every 500 us and before every reset, so a line's time is that of the
//! draining. Bytes are decoded up to the last whole message. A message that a reset has cut off is lost, as with a probe.

use crate::firmware::{Firmware, LogTable};
use crate::silicon::Silicon;
use core::time::Duration;

/// How grave a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// `trace!`
    Trace,
    /// `debug!`
    Debug,
    /// `info!`
    Info,
    /// `warn!`
    Warn,
    /// `error!`, and every panic.
    Error,
    /// `println!`, which has no level.
    Print,
}

/// One message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogLine {
    /// When it was read, since power-on.
    pub at: Duration,
    /// How grave it is.
    pub level: Level,
    /// The message.
    pub text: String,
    /// File and line of the source, if the firmware was built with debug information.
    pub place: Option<String>,
}

impl core::fmt::Display for LogLine {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{:>12.6} {:?} {}", self.at.as_secs_f64(), self.level, self.text)
    }
}

/// The reader of the buffer.
#[derive(Debug, Default)]
pub(crate) struct Log {
    /// Address of the RTT block; without one there is no log.
    block: Option<u32>,
    /// Bytes of a message that is not yet whole.
    bytes: Vec<u8>,
    pub lines: Vec<LogLine>,
}

impl Log {
    /// A log whose RTT block is at this address.
    pub fn new(block: Option<u32>) -> Self {
        Self { block, ..Self::default() }
    }

    /// Takes what the firmware has written since the last time out of the ring. Gives whether there was anything.
    fn take(&self, silicon: &mut dyn Silicon, into: &mut Vec<u8>) -> bool {
        let Some(block) = self.block else { return false };
        let [buffer, size, write, read] = [28, 32, 36, 40].map(|offset| silicon.peek32(block + offset));
        // Before the firmware's start-up code has filled in the block it is whatever RAM was.
        if write == read || write >= size || read >= size || buffer >> 24 != 0x20 || size > 0x1_0000 {
            return false;
        }
        let mut at = read;
        while at != write {
            into.push(silicon.peek8(buffer + at));
            at = (at + 1) % size;
        }
        silicon.poke32(block + 40, write);
        true
    }

    /// Reads and decodes what is new.
    pub fn drain(&mut self, silicon: &mut dyn Silicon, firmware: &Firmware, ns: u64) {
        let mut bytes = core::mem::take(&mut self.bytes);
        if self.take(silicon, &mut bytes)
            && let Some(table) = firmware.log_table()
        {
            let used = decode(table, &bytes, Duration::from_nanos(ns), &mut self.lines);
            bytes.drain(..used);
        }
        self.bytes = bytes;
    }

    /// The chip was reset: the firmware begins a new stream.
    pub fn restart(&mut self) {
        self.bytes.clear();
    }
}

/// Decodes whole messages; gives how many bytes they took.
fn decode(table: &LogTable, bytes: &[u8], at: Duration, lines: &mut Vec<LogLine>) -> usize {
    use defmt_decoder::{DecodeError, Encoding};

    let mut push = |frame: defmt_decoder::Frame<'_>| {
        let level = match frame.level().map(|level| level.as_str()) {
            Some("trace") => Level::Trace,
            Some("debug") => Level::Debug,
            Some("info") => Level::Info,
            Some("warn") => Level::Warn,
            Some("error") => Level::Error,
            _ => Level::Print,
        };
        let place = table.places.get(&frame.index());
        let place = place.map(|place| format!("{}:{}", place.file.display(), place.line));
        lines.push(LogLine { at, level, text: frame.display_message().to_string(), place });
    };
    let table = &table.messages;
    match table.encoding() {
        // Messages end with a zero: a fresh decoder for all that are whole needs no state between calls.
        Encoding::Rzcobs => {
            let whole = bytes.iter().rposition(|&byte| byte == 0).map_or(0, |last| last + 1);
            let mut decoder = table.new_stream_decoder();
            decoder.received(&bytes[..whole]);
            loop {
                match decoder.decode() {
                    Ok(frame) => push(frame),
                    Err(DecodeError::Malformed) => {}
                    Err(DecodeError::UnexpectedEof) => return whole,
                }
            }
        }
        // Raw: nothing between messages; a half one is tried again when more has come.
        _ => {
            let mut used = 0;
            while let Ok((frame, taken)) = table.decode(&bytes[used..]) {
                used += taken;
                push(frame);
            }
            used
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rp2040::Rp2040;

    #[test]
    fn the_ring_is_read_around_its_end_and_marked_as_read() {
        let mut ram = Rp2040::new();
        let log = Log::new(Some(0x2000_0000));
        for (offset, value) in [(28, 0x2000_1000), (32, 8), (36, 2), (40, 6)] {
            ram.poke32(0x2000_0000 + offset, value);
        }
        ram.poke32(0x2000_1000, 0x0403_0201);
        ram.poke32(0x2000_1004, 0x0807_0605);
        let mut bytes = Vec::new();
        assert!(log.take(&mut ram, &mut bytes));
        assert_eq!(bytes, [7, 8, 1, 2]);
        assert_eq!(ram.peek32(0x2000_0000 + 40), 2);
        assert!(!log.take(&mut ram, &mut bytes));
    }

    #[test]
    fn rubbish_in_ram_is_not_read() {
        let mut ram = Rp2040::new();
        let log = Log::new(Some(0x2000_0000));
        for (offset, value) in [(28, 0xFFFF_0000), (32, 0xFFFF_FFFF), (36, 7), (40, 9)] {
            ram.poke32(0x2000_0000 + offset, value);
        }
        assert!(!log.take(&mut ram, &mut Vec::new()));
    }
}
