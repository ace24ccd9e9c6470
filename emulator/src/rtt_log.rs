//! The firmware's log: defmt messages, read from the RTT buffer in RAM and decoded to text.
//!
//! defmt-rtt writes to a ring buffer in RAM, from which a debug probe would read. The symbol `_SEGGER_RTT` has its
//! address. The machine reads the buffer each time the core goes to sleep, at least every 500 us, and before every
//! reset. The time of a line is the time of that read. All complete messages are decoded. A message that a reset has
//! cut off is lost, as with a debug probe.
//!
//! A firmware can write endlessly, or write bytes that are not a message. So there are limits: for the bytes and the
//! text of one read, for the length of a message, and for the kept lines, of which the oldest are removed. Messages
//! that defmt-decoder cannot handle safely are skipped: see `defmt_validation`.

use crate::chip_interface::ChipModel;
use crate::defmt_validation::{MOST_TEXT, Refusal};
use crate::firmware::{Firmware, LogTable};
use core::time::Duration;
use defmt_decoder::{DecodeError, Encoding};

/// Limit of the bytes of one read: four times the buffer of defmt-rtt, which allows 8 MB/s.
const MOST_TAKEN: usize = 4096;
/// Limit of an incomplete message, in bytes.
const LONGEST: usize = 16 * 1024;
/// Text length that is counted for a skipped message, in bytes.
const SKIPPED: usize = 1024;
/// Limit of all kept lines together, in bytes.
const MOST_KEPT: usize = 8 * 1024 * 1024;

/// The level of a log line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LogLevel {
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

/// One log message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogLine {
    /// When it was read, as time since power-on.
    pub at: Duration,
    /// Its level.
    pub level: LogLevel,
    /// The text.
    pub text: String,
    /// Source file and line, if the firmware was built with debug information.
    pub place: Option<String>,
}

impl core::fmt::Display for LogLine {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{:>12.6} {:?} {}", self.at.as_secs_f64(), self.level, self.text)
    }
}

impl LogLine {
    /// Approximate memory use in bytes.
    fn size(&self) -> usize {
        size_of::<Self>() + self.text.len() + self.place.as_ref().map_or(0, String::len)
    }
}

/// Reads and decodes the log, and keeps its lines.
#[derive(Debug, Default)]
pub(crate) struct LogReader {
    /// Address of the RTT control block. Without it there is no log.
    block: Option<u32>,
    /// The bytes of an incomplete message.
    bytes: Vec<u8>,
    pub lines: Vec<LogLine>,
    /// Memory use of all lines, in bytes.
    kept: usize,
}

impl LogReader {
    /// A reader for an RTT control block at this address.
    pub(crate) fn new(block: Option<u32>) -> Self {
        Self { block, ..Self::default() }
    }

    /// Keeps the lines and continues with a control block at another address.
    pub(crate) fn moved(self, block: Option<u32>) -> Self {
        Self { block, bytes: Vec::new(), ..self }
    }

    /// Reads new bytes from the ring buffer and marks them as read. Returns whether there were any.
    fn take(&self, chip_model: &mut dyn ChipModel, into: &mut Vec<u8>) -> bool {
        let Some(block) = self.block else { return false };
        let [buffer, size, write, read] = [28, 32, 36, 40].map(|offset| chip_model.peek32(block.wrapping_add(offset)));
        // The block has random content until the firmware's start-up code has initialised it.
        if write == read || write >= size || read >= size || buffer >> 24 != 0x20 || size > 0x1_0000 {
            return false;
        }
        let mut at = read;
        for _ in 0..MOST_TAKEN {
            if at == write {
                break;
            }
            into.push(chip_model.peek8(buffer + at));
            at = (at + 1) % size;
        }
        chip_model.poke32(block.wrapping_add(40), at);
        true
    }

    /// Reads and decodes all new messages.
    pub(crate) fn drain(&mut self, chip_model: &mut dyn ChipModel, firmware: &Firmware, ns: u64) {
        let mut bytes = core::mem::take(&mut self.bytes);
        if self.take(chip_model, &mut bytes) || !bytes.is_empty() {
            // Without a table of messages the bytes cannot be decoded.
            let used = firmware.log_table().map_or(bytes.len(), |table| self.decode(table, &bytes, ns));
            bytes.drain(..used);
        }
        if bytes.len() > LONGEST {
            bytes.clear();
        }
        self.bytes = bytes;
    }

    /// Takes all lines.
    pub(crate) fn take_lines(&mut self) -> Vec<LogLine> {
        self.kept = 0;
        core::mem::take(&mut self.lines)
    }

    /// Keeps a line. Beyond the limit the older half of all lines is removed.
    fn keep(&mut self, line: LogLine) {
        self.kept += line.size();
        self.lines.push(line);
        if self.kept > MOST_KEPT {
            self.lines.drain(..self.lines.len().div_ceil(2));
            self.kept = self.lines.iter().map(LogLine::size).sum();
        }
    }

    /// Starts a new stream after a reset of the chip.
    pub(crate) fn restart(&mut self) {
        self.bytes.clear();
    }

    /// Decodes complete messages, up to the limit of text in one read. Returns the number of bytes that were used.
    fn decode(&mut self, table: &LogTable, bytes: &[u8], ns: u64) -> usize {
        let is_raw = table.messages.encoding() == Encoding::Raw;
        let (mut used, mut text) = (0, 0);
        while used < bytes.len() && text < MOST_TEXT {
            let rest = &bytes[used..];
            // In rzCOBS a message ends with a zero byte.
            let end = rest.iter().position(|&byte| byte == 0);
            let decoded = if is_raw {
                self.decode_one(table, rest, ns)
            } else if let Some(end) = end {
                // The decoder could do this as well, but only together with the decoding of the message.
                let message = rzcobs::decode(&rest[..end]).map_err(|_| Refusal::Unsafe);
                message.and_then(|message| self.decode_one(table, &message, ns))
            } else {
                Err(Refusal::Incomplete)
            };
            text += decoded.map_or(SKIPPED, |(_, text)| text);
            used += match (decoded, end) {
                (_, Some(end)) if !is_raw => end + 1,
                (Ok((taken, _)), _) => taken,
                // An incomplete message is decoded when the rest has arrived.
                (Err(Refusal::Incomplete), _) => return used,
                // After an invalid message the start of the next one cannot be found.
                (Err(Refusal::Unsafe), _) => return bytes.len(),
            };
        }
        used
    }

    /// Decodes the message at the beginning of `bytes`. Returns its length, and the length of its formats and its text.
    fn decode_one(&mut self, table: &LogTable, bytes: &[u8], ns: u64) -> Result<(usize, usize), Refusal> {
        let parsed = table.formats.validate(bytes)?;
        let (frame, taken) = table.messages.decode(bytes).map_err(|error| match error {
            DecodeError::UnexpectedEof => Refusal::Incomplete,
            DecodeError::Malformed => Refusal::Unsafe,
        })?;
        let level = match frame.level().map(|level| level.as_str()) {
            Some("trace") => LogLevel::Trace,
            Some("debug") => LogLevel::Debug,
            Some("info") => LogLevel::Info,
            Some("warn") => LogLevel::Warn,
            Some("error") => LogLevel::Error,
            _ => LogLevel::Print,
        };
        let place = table.places.get(&frame.index());
        let place = place.map(|place| format!("{}:{}", place.file.display(), place.line));
        let text = frame.display_message().to_string();
        let length = parsed + text.len();
        self.keep(LogLine { at: Duration::from_nanos(ns), level, text, place });
        Ok((taken, length))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FirmwareError;
    use crate::rp2040::Rp2040;
    use crate::tests::elf_with_log;

    #[test]
    fn ring_buffer_is_read_across_its_end() {
        let mut ram = Rp2040::new();
        let log = LogReader::new(Some(0x2000_0000));
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

    /// A firmware that consists of a log with these formats, at the addresses 1, 2 and so on.
    fn firmware(encoding: &str, formats: &[(&str, &str)]) -> Firmware {
        Firmware::from_foreign_elf(&elf_with_log(encoding, formats)).expect("a firmware")
    }

    /// The log after the firmware has written these bytes, in parts of 1000.
    fn logged(firmware: &Firmware, bytes: &[u8]) -> LogReader {
        let mut ram = Rp2040::new();
        let mut log = LogReader::new(Some(BLOCK));
        for (n, part) in (1..).zip(bytes.chunks(1000)) {
            write_ring(&mut ram, part);
            log.drain(&mut ram, firmware, n);
        }
        log
    }

    fn write_ring(ram: &mut Rp2040, bytes: &[u8]) {
        for (offset, value) in [(28, BLOCK + 0x1000), (32, 0x1000), (36, bytes.len() as u32), (40, 0)] {
            ram.poke32(BLOCK + offset, value);
        }
        ram.write_ram(BLOCK + 0x1000, bytes);
    }

    fn texts(log: &LogReader) -> Vec<&str> {
        log.lines.iter().map(|line| line.text.as_str()).collect()
    }

    const BLOCK: u32 = 0x2000_0000;

    #[test]
    fn messages_are_decoded_in_both_encodings() {
        let formats = [("info", "{=u8} of {=[?]}, {}"), ("prim", "{=u16:x}"), ("derived", "No|Yes({=bool})")];
        let message = [1, 0, 7, 2, 0, 0, 0, 2, 0, 0x34, 0x12, 1, 0, 3, 0, 1, 1];
        let expected = ["7 of [1234, 1], Yes(true)"];
        assert_eq!(texts(&logged(&firmware("raw", &formats), &message)), expected);
        // In rzCOBS, with a zero byte at the end, after bytes that are no message.
        let coded: Vec<u8> = [0, 0xFF, 1, 0].into_iter().chain(rzcobs::encode(&message)).chain([0]).collect();
        assert_eq!(texts(&logged(&firmware("rzcobs", &formats), &coded)), expected);
    }

    #[test]
    fn messages_that_make_the_decoder_panic_are_skipped() {
        let all = [0xFF; 40];
        for format in [
            "{=u64:iso8601s}",
            "{=u64:iso8601ms}",
            "{=isize:x}",
            "{=[?]}",
            "{=[?;4000000000]}",
            "{=[?;9999]}",
            "{=[u8;99999999]}",
            "{99999999999=u8}",
            "{18446744073709551615}",
            "{1=u8}",
            "{=u8:099999999}",
            "{=str}",
            "{=__internal_FormatSequence}",
        ] {
            for encoding in ["raw", "rzcobs"] {
                let firmware = firmware(encoding, &[("info", format), ("prim", ""), ("prim", "{=?}")]);
                let message: Vec<u8> = [1, 0].into_iter().chain(all).collect();
                let bytes = if encoding == "raw" { message } else { [rzcobs::encode(&message), vec![0]].concat() };
                assert_eq!(texts(&logged(&firmware, &bytes)), [""; 0], "{format}");
            }
        }
        // A list of four billion empty values, formats nested 400 deep, and a format that contains itself eight times.
        let formats =
            [("info", "{=[?]}"), ("prim", ""), ("info", "{}"), ("prim", "{}"), ("prim", "{0}{0}{0}{0}{0}{0}{0}{0}")];
        let firmware = firmware("raw", &formats);
        assert_eq!(texts(&logged(&firmware, &[1, 0, 0xFF, 0xFF, 0xFF, 0xFF, 2, 0])), [""; 0]);
        for nested in [4, 5] {
            let bytes: Vec<u8> = [3, 0].into_iter().chain([nested, 0].repeat(400)).chain([2, 0]).collect();
            assert_eq!(texts(&logged(&firmware, &bytes)), [""; 0]);
        }
        // A valid date is decoded.
        let date = self::firmware("raw", &[("info", "{=u64:iso8601s}")]);
        assert_eq!(texts(&logged(&date, &[1, 0, 0, 0, 0, 0, 0, 0, 0, 0])), ["1970-01-01T00:00:00Z"]);
    }

    #[test]
    fn bytes_that_never_become_a_message_are_dropped() {
        let endless = [7; 200_000];
        for firmware in [firmware("raw", &[("info", "{=str}")]), firmware("rzcobs", &[("info", "{=str}")])] {
            assert!(logged(&firmware, &endless).bytes.len() <= LONGEST);
        }
        // An incomplete message of 60 KB.
        let long: Vec<u8> = [1, 0, 0x60, 0xEA, 0, 0].into_iter().chain([b'a'; 50_000]).collect();
        assert!(logged(&firmware("raw", &[("info", "{=str}")]), &long).bytes.len() <= LONGEST);
        // Without a table nothing is kept.
        let without = Firmware::from_image(crate::Chip::Rp2040, Vec::new());
        assert!(logged(&without, &endless).bytes.is_empty());
    }

    #[test]
    fn oldest_lines_are_removed() {
        let long = "x".repeat(10_000);
        let firmware = firmware("raw", &[("info", &long)]);
        let mut log = LogReader::new(Some(BLOCK));
        let mut ram = Rp2040::new();
        for n in 0..400u64 {
            write_ring(&mut ram, &[1, 0].repeat(500));
            log.drain(&mut ram, &firmware, n);
            assert!(log.lines.iter().map(LogLine::size).sum::<usize>() <= MOST_KEPT);
            assert!(log.lines.iter().rev().take_while(|line| line.at.as_nanos() == u128::from(n)).count() <= 7);
        }
        assert!(log.lines.len() > 400 && log.lines.last().is_some_and(|line| line.at.as_nanos() == 399));
        assert!(log.take_lines().len() > 400 && log.lines.is_empty());
    }

    #[test]
    fn file_with_too_long_formats_is_refused() {
        let long = "x".repeat(1_000_000);
        let formats = [("info", long.as_str())];
        assert_eq!(Firmware::from_foreign_elf(&elf_with_log("raw", &formats)).err(), Some(FirmwareError::LogTable));
    }

    #[test]
    fn invalid_control_block_is_not_read() {
        let mut ram = Rp2040::new();
        let log = LogReader::new(Some(0x2000_0000));
        for (offset, value) in [(28, 0xFFFF_0000), (32, 0xFFFF_FFFF), (36, 7), (40, 9)] {
            ram.poke32(0x2000_0000 + offset, value);
        }
        assert!(!log.take(&mut ram, &mut Vec::new()));
    }
}
