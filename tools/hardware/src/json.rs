//! JSON as the simulator's own editor lays it out: a line for each part and each wire.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};

/// So deep, things have lines of their own; what is deeper stays in its line.
const DEEPEST_LINE: usize = 2;

/// The text of a value, with a line break at its end.
pub fn text(value: &impl Serialize) -> String {
    let mut bytes = Vec::new();
    // Strings, numbers and lists of them always have a form, and a vector can always be written to.
    let written = value.serialize(&mut Serializer::with_formatter(&mut bytes, Lines::default()));
    written.expect("a plain value");
    bytes.push(b'\n');
    String::from_utf8(bytes).expect("JSON is UTF-8")
}

#[derive(Default)]
struct Lines {
    depth: usize,
    /// Whether the innermost list or object has anything in it.
    filled: bool,
}

impl Lines {
    fn open(&mut self, out: &mut (impl Write + ?Sized), bracket: &[u8]) -> io::Result<()> {
        self.depth += 1;
        self.filled = false;
        out.write_all(bracket)
    }

    fn separate(&mut self, out: &mut (impl Write + ?Sized), first: bool) -> io::Result<()> {
        if !first {
            out.write_all(b",")?;
        }
        self.space(out)
    }

    fn close(&mut self, out: &mut (impl Write + ?Sized), bracket: &[u8]) -> io::Result<()> {
        let inside = self.depth;
        self.depth -= 1;
        if self.filled && inside <= DEEPEST_LINE {
            self.space(out)?;
        } else if self.filled {
            out.write_all(b" ")?;
        }
        self.filled = true;
        out.write_all(bracket)
    }

    /// What stands before a thing: a new line, or a blank.
    fn space(&self, out: &mut (impl Write + ?Sized)) -> io::Result<()> {
        if self.depth > DEEPEST_LINE {
            return out.write_all(b" ");
        }
        write!(out, "\n{:width$}", "", width = 2 * self.depth)
    }
}

impl Formatter for Lines {
    fn begin_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.open(out, b"[")
    }

    fn end_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.close(out, b"]")
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.separate(out, first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.filled = true;
        Ok(())
    }

    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.open(out, b"{")
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.close(out, b"}")
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.separate(out, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        out.write_all(b": ")
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.filled = true;
        Ok(())
    }
}
