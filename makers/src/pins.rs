//! What the firmware's board file claims, read from its text.
//!
//! Running the firmware would not tell which pin is which, and a second table beside the code would be one more thing to
//! go stale. So the code itself is read: the fields of `Board::take()` by their names (`rows`, `columns`, `data`, `supply`,
//! `pin` of the piezo) and the `PIN_n` in each, in order, and three constants. Whatever the text holds that we would
//! leave out of the drawing is an error, not a guess: a pin claimed under another name, two parts on one pin, a pin that the
//! Pico does not bring out.

use std::fmt;

use crate::{SIDE, is_on_header, pin_name};

/// How the LED chain runs over the grid, from the top left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LedOrder {
    /// Every row from left to right.
    RowMajor,
    /// Every other row from right to left.
    Serpentine,
}

/// In which order the LEDs take their colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColourOrder {
    /// Green, red, blue: nearly all WS2812B.
    Grb,
    /// Red, green, blue: many LEDs with legs.
    Rgb,
}

/// What is wired to a pin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A row of the key matrix, from the top.
    Row(usize),
    /// A column of the key matrix, from the left.
    Column(usize),
    /// The data line of the LED chain.
    LedData,
    /// The switch of the LED supply.
    LedSupply,
    /// The piezo.
    Piezo,
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Row(row) => write!(f, "row {row}"),
            Self::Column(column) => write!(f, "column {column}"),
            Self::LedData => f.write_str("LED data"),
            Self::LedSupply => f.write_str("LED supply switch"),
            Self::Piezo => f.write_str("piezo"),
        }
    }
}

/// Which GPIO does what, and how the LEDs are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wiring {
    /// The rows of the key matrix, from the top.
    pub rows: [u8; SIDE],
    /// The columns of the key matrix, from the left.
    pub columns: [u8; SIDE],
    /// The data line of the LED chain.
    pub led_data: u8,
    /// The switch of the LED supply.
    pub led_supply: u8,
    /// The piezo.
    pub piezo: u8,
    /// How the chain runs.
    pub led_order: LedOrder,
    /// What order of colours the LEDs take.
    pub colour_order: ColourOrder,
    /// What board and LEDs may draw together, in milliamperes.
    pub current_cap: u32,
}

/// Why the board file does not tell how to wire the handheld.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WiringError {
    /// The board file has no such field, constant or function, or it does not hold what it should.
    Missing(&'static str),
    /// A row of the matrix has another number of pins than five.
    Count(&'static str, usize),
    /// Two parts on one pin.
    Shared(u8),
    /// The Pico has no such pin on its edges.
    NotOnHeader(u8),
    /// A pin is claimed for something that the drawings do not know.
    Unknown(u8),
}

impl fmt::Display for WiringError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(what) => write!(f, "`{what}` is not there, or not in a form that is understood"),
            Self::Count(what, count) => write!(f, "`{what}` has {count} pins; there should be {SIDE}"),
            Self::Shared(gpio) => write!(f, "{} has two parts on it", pin_name(*gpio)),
            Self::NotOnHeader(gpio) => write!(f, "{} is not among the pins of a Pico", pin_name(*gpio)),
            Self::Unknown(gpio) => write!(f, "{} is claimed for a part that is in no drawing", pin_name(*gpio)),
        }
    }
}

impl std::error::Error for WiringError {}

impl Wiring {
    /// Reads the text of the board file.
    pub fn read(board_file: &str) -> Result<Self, WiringError> {
        let code = without_comments(board_file);
        let (_, take) = code.split_once("fn take(").ok_or(WiringError::Missing("fn take"))?;
        let wiring = Self {
            rows: line_of_matrix(take, "rows")?,
            columns: line_of_matrix(take, "columns")?,
            led_data: one_pin(take, "data")?,
            led_supply: one_pin(take, "supply")?,
            piezo: one_pin(field(take, "piezo").ok_or(WiringError::Missing("piezo"))?, "pin")?,
            led_order: match value(&code, "LED_ORDER").and_then(|text| text.strip_prefix("LedOrder::")) {
                Some("RowMajor") => LedOrder::RowMajor,
                Some("Serpentine") => LedOrder::Serpentine,
                _ => return Err(WiringError::Missing("LED_ORDER")),
            },
            colour_order: match value(&code, "ColourOrder") {
                Some("Grb") => ColourOrder::Grb,
                Some("Rgb") => ColourOrder::Rgb,
                _ => return Err(WiringError::Missing("ColourOrder")),
            },
            current_cap: value(&code, "CURRENT_CAP")
                .and_then(|text| text.replace('_', "").parse().ok())
                .ok_or(WiringError::Missing("CURRENT_CAP"))?,
        };
        let gpios: Vec<u8> = wiring.pins().map(|(_, gpio)| gpio).collect();
        for (index, &gpio) in gpios.iter().enumerate() {
            if gpios[..index].contains(&gpio) {
                return Err(WiringError::Shared(gpio));
            }
            if !is_on_header(gpio) {
                return Err(WiringError::NotOnHeader(gpio));
            }
        }
        // A pin that is not brought out, such as the one of the Pico's own LED, is nothing to wire.
        match pins_in(take).into_iter().find(|gpio| !gpios.contains(gpio) && is_on_header(*gpio)) {
            Some(stranger) => Err(WiringError::Unknown(stranger)),
            None => Ok(wiring),
        }
    }

    /// Every pin in use, and for what.
    pub fn pins(&self) -> impl Iterator<Item = (Role, u8)> {
        let rows = self.rows.into_iter().enumerate().map(|(row, gpio)| (Role::Row(row), gpio));
        let columns = self.columns.into_iter().enumerate().map(|(column, gpio)| (Role::Column(column), gpio));
        let single = [(Role::LedData, self.led_data), (Role::LedSupply, self.led_supply), (Role::Piezo, self.piezo)];
        rows.chain(columns).chain(single)
    }

    /// The cells in the order of the LED chain.
    pub fn chain(&self) -> impl Iterator<Item = usize> {
        let serpentine = self.led_order == LedOrder::Serpentine;
        (0..SIDE * SIDE).map(move |position| {
            let (row, place) = (position / SIDE, position % SIDE);
            SIDE * row + if serpentine && row % 2 == 1 { SIDE - 1 - place } else { place }
        })
    }
}

fn without_comments(text: &str) -> String {
    text.lines().map(|line| line.split("//").next().unwrap_or("")).collect::<Vec<_>>().join("\n")
}

/// The numbers of all `PIN_n`, in order.
fn pins_in(text: &str) -> Vec<u8> {
    text.split("PIN_")
        .skip(1)
        .filter_map(|after| after.split(|c: char| !c.is_ascii_digit()).next().and_then(|digits| digits.parse().ok()))
        .collect()
}

/// What stands behind `name:` in a struct expression, up to the comma or bracket that ends it.
fn field<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let label = format!("{name}:");
    let (start, _) = text.match_indices(&label).find(|&(at, _)| {
        let joined = |c: char| c.is_alphanumeric() || c == '_';
        !text[..at].ends_with(joined) && !text[at + label.len()..].starts_with(':')
    })?;
    let after = &text[start + label.len()..];
    let mut depth = 0;
    let end = after.find(|c| {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        depth < 0 || depth == 0 && c == ','
    })?;
    Some(after[..end].trim())
}

fn line_of_matrix(text: &str, name: &'static str) -> Result<[u8; SIDE], WiringError> {
    let pins = pins_in(field(text, name).ok_or(WiringError::Missing(name))?);
    pins.as_slice().try_into().map_err(|_| WiringError::Count(name, pins.len()))
}

fn one_pin(text: &str, name: &'static str) -> Result<u8, WiringError> {
    match pins_in(field(text, name).unwrap_or(""))[..] {
        [gpio] => Ok(gpio),
        _ => Err(WiringError::Missing(name)),
    }
}

/// What a constant or a type is set to: the text between the `=` that follows its name and the semicolon.
fn value<'a>(code: &'a str, name: &str) -> Option<&'a str> {
    let line = code.lines().find(|line| {
        let mut words = line.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty());
        words.any(|word| matches!(word, "const" | "type")) && words.next() == Some(name)
    })?;
    Some(line.split_once('=')?.1.trim().trim_end_matches(';'))
}
