//! The names and values of the parts, in the drawings and in the parts list.
//!
//! Both drawings take names and values from here, and mark every part with its name. So a test can compare them with
//! the list in `hardware/parts.md`, and finds a part that is only in one of them. The number in the names of a key, its
//! diode, its light and the light's capacitor is the number of the cell.

/// The names of the parts of one kind, as in the list, and their value.
pub const PARTS: [(&str, &str); 21] = [
    ("U1", "Raspberry Pi Pico"),
    ("K0 to K24", "tactile key 6 x 6 x 17 mm"),
    ("D0 to D24", "1N4148"),
    ("L0 to L24", "WS2812"),
    ("C0 to C24", "100 nF"),
    ("U2", "SN74LV1T34"),
    ("C25", "100 nF"),
    ("C26", "1000 uF"),
    ("R1", "330 ohm"),
    ("X1, X2", "socket strip 1 x 20"),
    ("X3, X4", "socket strip 1 x 3"),
    ("Q1, Q3", "P-MOSFET"),
    ("Q2", "2N3904"),
    ("R2, R4, R7", "10 kohm"),
    ("R3, R5", "100 kohm"),
    ("C27", "1 uF"),
    ("P1", "piezo"),
    ("R6", "100 ohm"),
    ("B1", "three AAA cells"),
    ("S1", "on-off switch"),
    ("F1", "resettable fuse 1.1 A"),
];

/// The single names in a table cell of the list, each a letter and a number: `R2, R4` are two, `C0 to C24` are 25.
/// Empty if the table cell has none.
pub fn names(text: &str) -> Vec<String> {
    let split = |name: &str| {
        let digits = name.find(|c: char| c.is_ascii_digit())?;
        let (letters, number) = name.split_at(digits);
        let plain = matches!(letters.as_bytes(), [b'A'..=b'Z']);
        plain.then_some((letters.to_owned(), number.parse::<usize>().ok()?))
    };
    let range = |text: &str| {
        let (first, last) = text.split_once(" to ").unwrap_or((text, text));
        let ((letters, first), (_, last)) = (split(first.trim())?, split(last.trim())?);
        Some((first..=last).map(move |number| format!("{letters}{number}")))
    };
    text.split(',').filter_map(range).flatten().collect()
}

/// The value of a part.
///
/// # Panics
/// If there is no part of that name.
pub fn value(name: &str) -> &'static str {
    let found = PARTS.iter().find(|(kind, _)| names(kind).iter().any(|other| other == name));
    found.unwrap_or_else(|| panic!("there is no part {name}")).1
}

/// The label of a part: its name and value.
pub fn label(name: &str) -> String {
    format!("{name} {}", value(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_from_the_list() {
        assert_eq!(names("R2, R4"), ["R2", "R4"]);
        assert_eq!(names("C9 to C11"), ["C9", "C10", "C11"]);
        assert_eq!(names(""), [""; 0]);
        assert_eq!(names("see below, BAT85"), [""; 0]);
    }

    #[test]
    fn part_names_are_unique() {
        let mut all: Vec<String> = PARTS.iter().flat_map(|(kind, _)| names(kind)).collect();
        let count = all.len();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), count);
        assert_eq!(value("C7"), "100 nF");
        assert_eq!(label("R4"), "R4 10 kohm");
    }
}
