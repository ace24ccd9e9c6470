//! The list of the page's files, `files.json`, for the service worker: the name of every file, and a version that
//! changes when any byte of any file changes.

use std::hash::{DefaultHasher, Hash, Hasher};

use crate::page_files::PageFile;

/// The name of the list. The list does not contain itself.
pub(crate) const FILE_LIST: &str = "files.json";
/// The list does not contain the service worker: the browser updates it by itself.
const SERVICE_WORKER: &str = "service-worker.js";

/// The list of these files, which are sorted by name.
pub(crate) fn list(files: &[PageFile]) -> PageFile {
    // The hash need not be the same for another version of Rust: then the browser loads the page once more.
    let mut hasher = DefaultHasher::new();
    files.hash(&mut hasher);
    let version = hasher.finish();
    // By hand, because file names are restricted to characters that JSON does not escape (see `page_files`).
    let listed = files.iter().filter(|file| file.name != SERVICE_WORKER);
    let names: Vec<String> = listed.map(|file| format!("\"{}\"", file.name)).collect();
    let text = format!("{{\"version\":\"{version:016x}\",\"files\":[{}]}}\n", names.join(","));
    PageFile { name: FILE_LIST.to_owned(), bytes: text.into_bytes() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, text: &str) -> PageFile {
        PageFile { name: name.to_owned(), bytes: text.as_bytes().to_vec() }
    }

    fn text_of(files: &[PageFile]) -> String {
        String::from_utf8(list(files).bytes).unwrap()
    }

    #[test]
    fn list_has_all_files_but_the_service_worker() {
        let text = text_of(&[file("app.js", "1"), file("icons/a.png", "2"), file("service-worker.js", "3")]);
        assert!(text.starts_with("{\"version\":\""), "{text}");
        assert!(text.ends_with("\",\"files\":[\"app.js\",\"icons/a.png\"]}\n"), "{text}");
    }

    #[test]
    fn any_change_gives_another_version() {
        let texts = [
            text_of(&[file("a", "12"), file("b", "3")]),
            text_of(&[file("a", "1"), file("b", "23")]),
            text_of(&[file("a", "13"), file("b", "3")]),
            text_of(&[file("a1", "2"), file("b", "3")]),
            text_of(&[file("a", "12"), file("b", "3"), file("service-worker.js", "")]),
        ];
        for (index, text) in texts.iter().enumerate() {
            let version = |text: &str| text[..30].to_owned();
            assert!(texts[..index].iter().all(|other| version(other) != version(text)), "{text}");
        }
    }
}
