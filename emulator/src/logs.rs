//! The firmware's log: defmt messages, taken from the RTT buffer in RAM and put into words.
//!
//! defmt-rtt leaves bytes in a ring buffer that a debug probe would read; `_SEGGER_RTT` tells where. The machine drains
//! it each time the core goes to sleep, at least every 500 us and before every reset, so a line's time is that of the
//! draining. Bytes are decoded up to the last whole message. A message that a reset has cut off is lost, as with a probe.
//!
//! A firmware may write without end, or what is no message at all. So each look takes a bounded number of bytes and
//! makes a bounded amount of text of them, a message is as long as the largest that is waited for, and of the lines the
//! oldest are forgotten. What defmt-decoder could not be trusted with is passed over: see `log_check`.

use crate::firmware::{Firmware, LogTable};
use crate::log_check::{MOST_TEXT, Refused};
use crate::silicon::Silicon;
use core::time::Duration;
use defmt_decoder::{DecodeError, Encoding};

/// Bytes that are taken at a look: four times the buffer of defmt-rtt, or 8 MB/s.
const MOST_TAKEN: usize = 4096;
/// Bytes of the longest message that is waited for.
const LONGEST: usize = 16 * 1024;
/// What a message that is passed over counts as, in bytes of text.
const REFUSED: usize = 1024;
/// Bytes of all lines that are kept.
const MOST_KEPT: usize = 8 * 1024 * 1024;

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

impl LogLine {
    /// About how many bytes it takes.
    fn size(&self) -> usize {
        size_of::<Self>() + self.text.len() + self.place.as_ref().map_or(0, String::len)
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
    /// Bytes of all of them.
    kept: usize,
}

impl Log {
    /// A log whose RTT block is at this address.
    pub fn new(block: Option<u32>) -> Self {
        Self { block, ..Self::default() }
    }

    /// The same lines, and from now on a block at another address.
    pub fn moved(self, block: Option<u32>) -> Self {
        Self { block, bytes: Vec::new(), ..self }
    }

    /// Takes what the firmware has written since the last time out of the ring. Gives whether there was anything.
    fn take(&self, silicon: &mut dyn Silicon, into: &mut Vec<u8>) -> bool {
        let Some(block) = self.block else { return false };
        let [buffer, size, write, read] = [28, 32, 36, 40].map(|offset| silicon.peek32(block.wrapping_add(offset)));
        // Before the firmware's start-up code has filled in the block it is whatever RAM was.
        if write == read || write >= size || read >= size || buffer >> 24 != 0x20 || size > 0x1_0000 {
            return false;
        }
        let mut at = read;
        for _ in 0..MOST_TAKEN {
            if at == write {
                break;
            }
            into.push(silicon.peek8(buffer + at));
            at = (at + 1) % size;
        }
        silicon.poke32(block.wrapping_add(40), at);
        true
    }

    /// Reads and decodes what is new.
    pub fn drain(&mut self, silicon: &mut dyn Silicon, firmware: &Firmware, ns: u64) {
        let mut bytes = core::mem::take(&mut self.bytes);
        if self.take(silicon, &mut bytes) || !bytes.is_empty() {
            // Without the words of its messages nothing comes of them.
            let used = firmware.log_table().map_or(bytes.len(), |table| self.decode(table, &bytes, ns));
            bytes.drain(..used);
        }
        if bytes.len() > LONGEST {
            bytes.clear();
        }
        self.bytes = bytes;
    }

    /// All lines, given away.
    pub fn take_lines(&mut self) -> Vec<LogLine> {
        self.kept = 0;
        core::mem::take(&mut self.lines)
    }

    /// Keeps a line; the oldest are forgotten where there would be too many.
    fn keep(&mut self, line: LogLine) {
        self.kept += line.size();
        self.lines.push(line);
        if self.kept > MOST_KEPT {
            self.lines.drain(..self.lines.len().div_ceil(2));
            self.kept = self.lines.iter().map(LogLine::size).sum();
        }
    }

    /// The chip was reset: the firmware begins a new stream.
    pub fn restart(&mut self) {
        self.bytes.clear();
    }
}

impl Log {
    /// Decodes whole messages, until they have made enough text for one look; gives how many bytes are done with.
    fn decode(&mut self, table: &LogTable, bytes: &[u8], ns: u64) -> usize {
        let is_raw = table.messages.encoding() == Encoding::Raw;
        let (mut used, mut text) = (0, 0);
        while used < bytes.len() && text < MOST_TEXT {
            let rest = &bytes[used..];
            // In rzCOBS messages end with a zero.
            let end = rest.iter().position(|&byte| byte == 0);
            let decoded = if is_raw {
                self.decode_one(table, rest, ns)
            } else if let Some(end) = end {
                unpacked(&rest[..end]).map_or(Err(Refused::Unsafe), |message| self.decode_one(table, &message, ns))
            } else {
                Err(Refused::Incomplete)
            };
            text += decoded.map_or(REFUSED, |(_, text)| text);
            used += match (decoded, end) {
                (_, Some(end)) if !is_raw => end + 1,
                (Ok((taken, _)), _) => taken,
                // A half message is tried again when more has come.
                (Err(Refused::Incomplete), _) => return used,
                // What is no message leaves no way to find the next.
                (Err(Refused::Unsafe), _) => return bytes.len(),
            };
        }
        used
    }

    /// Decodes the message at the beginning of `bytes`; gives how many it took, and the bytes of its formats and its
    /// text.
    fn decode_one(&mut self, table: &LogTable, bytes: &[u8], ns: u64) -> Result<(usize, usize), Refused> {
        let parsed = table.formats.check(bytes)?;
        let (frame, taken) = table.messages.decode(bytes).map_err(|error| match error {
            DecodeError::UnexpectedEof => Refused::Incomplete,
            DecodeError::Malformed => Refused::Unsafe,
        })?;
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
        let text = frame.display_message().to_string();
        let length = parsed + text.len();
        self.keep(LogLine { at: Duration::from_nanos(ns), level, text, place });
        Ok((taken, length))
    }
}

/// A message without its rzCOBS coding, in which zeros take a bit; `None` if it is none. It is read from its end.
///
/// By hand: the decoder does this and the rest in one step, so that nobody could look at a message in between.
fn unpacked(coded: &[u8]) -> Option<Vec<u8>> {
    let mut message = Vec::new();
    let mut rest = coded.iter().rev().copied();
    while let Some(code) = rest.next() {
        match code {
            0 => return None,
            // Of seven bytes, those that are zero are left out.
            0x01..=0x7F => {
                for bit in (0..7).rev() {
                    message.push(if code >> bit & 1 == 0 { rest.next()? } else { 0 });
                }
            }
            // Seven bytes and more without a zero, and one behind them.
            0x80..=0xFE => {
                message.push(0);
                for _ in 0..(code & 0x7F) + 7 {
                    message.push(rest.next()?);
                }
            }
            0xFF => {
                for _ in 0..134 {
                    message.push(rest.next()?);
                }
            }
        }
    }
    message.reverse();
    Some(message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FirmwareError;
    use crate::rp2040::Rp2040;
    use crate::tests::elf_with_log;

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

    /// A firmware of nothing but a log of these formats, at the addresses 1 and so on.
    fn firmware(encoding: &str, formats: &[(&str, &str)]) -> Firmware {
        Firmware::from_foreign_elf(&elf_with_log(encoding, formats)).expect("a firmware")
    }

    /// What comes of bytes that the firmware writes at once.
    fn logged(firmware: &Firmware, bytes: &[u8]) -> Log {
        let mut ram = Rp2040::new();
        let mut log = Log::new(Some(BLOCK));
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
        ram.plant(BLOCK + 0x1000, bytes);
    }

    fn texts(log: &Log) -> Vec<&str> {
        log.lines.iter().map(|line| line.text.as_str()).collect()
    }

    const BLOCK: u32 = 0x2000_0000;

    #[test]
    fn messages_are_put_into_words_in_both_encodings() {
        let formats = [("info", "{=u8} of {=[?]}, {}"), ("prim", "{=u16:x}"), ("derived", "No|Yes({=bool})")];
        let message = [1, 0, 7, 2, 0, 0, 0, 2, 0, 0x34, 0x12, 1, 0, 3, 0, 1, 1];
        let expected = ["7 of [1234, 1], Yes(true)"];
        assert_eq!(texts(&logged(&firmware("raw", &formats), &message)), expected);
        // In rzCOBS, with a zero at its end; and what is no message before it.
        let coded: Vec<u8> = [0, 0xFF, 1, 0].into_iter().chain(coded(&message)).chain([0]).collect();
        assert_eq!(texts(&logged(&firmware("rzcobs", &formats), &coded)), expected);
    }

    /// As a firmware codes a message: groups of seven bytes, from which zeros are left out.
    fn coded(message: &[u8]) -> Vec<u8> {
        let mut coded = Vec::new();
        for group in message.chunks(7) {
            let zeros =
                (0..7).filter(|at| group.get(*at).is_none_or(|byte| *byte == 0)).fold(0, |all, at| all | 1 << at);
            coded.extend(group.iter().filter(|byte| **byte != 0));
            coded.push(zeros);
        }
        coded
    }

    #[test]
    fn messages_that_the_decoder_panics_at_are_passed_over() {
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
                let bytes = if encoding == "raw" { message } else { [coded(&message), vec![0]].concat() };
                assert_eq!(texts(&logged(&firmware, &bytes)), [""; 0], "{format}");
            }
        }
        // A list of four billion nothings, one of formats within formats, and one that shows itself ten times at each
        // level.
        let formats =
            [("info", "{=[?]}"), ("prim", ""), ("info", "{}"), ("prim", "{}"), ("prim", "{0}{0}{0}{0}{0}{0}{0}{0}")];
        let firmware = firmware("raw", &formats);
        assert_eq!(texts(&logged(&firmware, &[1, 0, 0xFF, 0xFF, 0xFF, 0xFF, 2, 0])), [""; 0]);
        for nested in [4, 5] {
            let bytes: Vec<u8> = [3, 0].into_iter().chain([nested, 0].repeat(400)).chain([2, 0]).collect();
            assert_eq!(texts(&logged(&firmware, &bytes)), [""; 0]);
        }
        // A date that is one is told.
        let date = self::firmware("raw", &[("info", "{=u64:iso8601s}")]);
        assert_eq!(texts(&logged(&date, &[1, 0, 0, 0, 0, 0, 0, 0, 0, 0])), ["1970-01-01T00:00:00Z"]);
    }

    #[test]
    fn what_never_becomes_a_message_is_dropped() {
        let endless = [7; 200_000];
        for firmware in [firmware("raw", &[("info", "{=str}")]), firmware("rzcobs", &[("info", "{=str}")])] {
            assert!(logged(&firmware, &endless).bytes.len() <= LONGEST);
        }
        // Half a message of 60 KB.
        let long: Vec<u8> = [1, 0, 0x60, 0xEA, 0, 0].into_iter().chain([b'a'; 50_000]).collect();
        assert!(logged(&firmware("raw", &[("info", "{=str}")]), &long).bytes.len() <= LONGEST);
        // Without a table there is nothing to wait for.
        let without = Firmware::from_image(crate::Chip::Rp2040, Vec::new());
        assert!(logged(&without, &endless).bytes.is_empty());
    }

    #[test]
    fn the_oldest_lines_are_forgotten() {
        let long = "x".repeat(10_000);
        let firmware = firmware("raw", &[("info", &long)]);
        let mut log = Log::new(Some(BLOCK));
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
    fn a_file_with_too_many_names_is_refused() {
        let long = "x".repeat(1_000_000);
        let formats = [("info", long.as_str())];
        assert_eq!(Firmware::from_foreign_elf(&elf_with_log("raw", &formats)).err(), Some(FirmwareError::LogTable));
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
