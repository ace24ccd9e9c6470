//! What the page is made of, for its service worker: `files.json`, with the name of every file and a version that changes
//! when any byte of any of them does.

use crate::folder::File;

/// The list's own name, which is not in it.
pub const CONTENTS: &str = "files.json";
/// Nor is this: a browser looks after the worker itself.
const SERVICE_WORKER: &str = "service-worker.js";

/// A number that changes with any byte: FNV-1a, in 64 bits. It guards against change, not against malice.
pub fn fingerprint<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> u64 {
    // Each part with its length, so that a byte that moves from one to the next is a change.
    let lengths = |part: &'a [u8]| (part.len() as u64).to_le_bytes().into_iter().chain(part.iter().copied());
    parts
        .into_iter()
        .flat_map(lengths)
        .fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3))
}

/// The list of these files, which are sorted by name.
pub fn of(files: &[File]) -> File {
    let version = fingerprint(files.iter().flat_map(|file| [file.name.as_bytes(), &file.bytes]));
    let listed = files.iter().filter(|file| file.name != SERVICE_WORKER);
    // Names need no escapes: the folder takes none that would.
    let names: Vec<String> = listed.map(|file| format!("\"{}\"", file.name)).collect();
    let text = format!("{{\"version\":\"{version:016x}\",\"files\":[{}]}}\n", names.join(","));
    File { name: CONTENTS.to_owned(), bytes: text.into_bytes() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, text: &str) -> File {
        File { name: name.to_owned(), bytes: text.as_bytes().to_vec() }
    }

    fn text_of(files: &[File]) -> String {
        String::from_utf8(of(files).bytes).unwrap()
    }

    #[test]
    fn all_files_are_listed_but_the_worker_and_the_list() {
        let text = text_of(&[file("app.js", "1"), file("icons/a.png", "2"), file("service-worker.js", "3")]);
        assert!(text.starts_with("{\"version\":\""), "{text}");
        assert!(text.ends_with("\",\"files\":[\"app.js\",\"icons/a.png\"]}\n"), "{text}");
    }

    #[test]
    fn any_change_is_another_version() {
        let texts = [
            text_of(&[file("a", "12"), file("b", "3")]),
            text_of(&[file("a", "1"), file("b", "23")]),
            text_of(&[file("a", "13"), file("b", "3")]),
            text_of(&[file("a1", "2"), file("b", "3")]),
            text_of(&[file("a", "12"), file("b", "3"), file("service-worker.js", "")]),
        ];
        for (place, text) in texts.iter().enumerate() {
            let version = |text: &str| text[..30].to_owned();
            assert!(texts[..place].iter().all(|other| version(other) != version(text)), "{text}");
        }
    }

    #[test]
    fn the_fingerprint_is_the_known_one() {
        // FNV-1a of eight zero bytes, which are the length of nothing.
        assert_eq!(fingerprint([&b""[..]]), 0xA8C7_F832_281A_39C5);
    }
}
