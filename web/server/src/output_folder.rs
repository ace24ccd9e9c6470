//! The folder that `--write` writes the page to.
//!
//! No file of the user is overwritten. A folder is accepted if it is new or empty, or if it holds a page that was
//! written this way. A marker file in the folder lists the files of that page.

use std::fs;
use std::io;
use std::path::Path;

use crate::page_files::{PageFiles, PathError};

/// The name of the marker file.
const MARKER: &str = "lights-out-page.txt";
/// The first line of the marker file. The names of the page's files follow, one a line.
const MARKER_TITLE: &str = "These files are from `cargo play --write`, which may write over them and over no others:";

/// Checks that files of these names may be written into the folder.
pub(crate) fn check(path: &Path, names: &[String]) -> Result<(), PathError> {
    let entries = match fs::read_dir(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries.map_err(PathError::at(path))?,
    };
    let marker = match fs::read_to_string(path.join(MARKER)) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(PathError::new(&path.join(MARKER), error)),
    };
    let mut lines = marker.lines();
    if lines.next() != Some(MARKER_TITLE) {
        let mut existing: Vec<String> =
            entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        existing.sort();
        return existing.first().map_or(Ok(()), |name| Err(foreign_file(path, name)));
    }
    let written: Vec<&str> = lines.collect();
    let is_foreign = |name: &&String| path.join(name).symlink_metadata().is_ok() && !written.contains(&name.as_str());
    names.iter().find(is_foreign).map_or(Ok(()), |name| Err(foreign_file(path, name)))
}

fn foreign_file(path: &Path, name: &str) -> PathError {
    PathError::new(path, format!("it holds `{name}`, which `cargo play --write` did not write. Choose another folder"))
}

/// Writes all files, and creates the folder if it is missing. The marker is written first, so that a page whose writing
/// was interrupted can be written again.
pub(crate) fn write(path: &Path, files: &PageFiles) -> Result<(), PathError> {
    let mut marker = MARKER_TITLE.to_owned();
    for file in files.all() {
        marker = marker + "\n" + &file.name;
    }
    let write_file = |name: &str, bytes: &[u8]| {
        let target = path.join(name);
        let parent = target.parent().unwrap_or(path);
        fs::create_dir_all(parent).map_err(PathError::at(parent))?;
        fs::write(&target, bytes).map_err(PathError::at(&target))
    };
    write_file(MARKER, (marker + "\n").as_bytes())?;
    files.all().iter().try_for_each(|file| write_file(&file.name, &file.bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page_files::PageFile;
    use std::path::PathBuf;

    struct Scratch(PathBuf);

    impl Scratch {
        fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("lights-out-play-{}-{name}", std::process::id()));
            fs::create_dir_all(&path).unwrap();
            Self(path)
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn page(names: &[&str]) -> PageFiles {
        PageFiles::complete(
            names.iter().map(|&name| PageFile { name: name.to_owned(), bytes: b"ours".to_vec() }).collect(),
        )
    }

    fn names(files: &PageFiles) -> Vec<String> {
        files.all().iter().map(|file| file.name.clone()).collect()
    }

    #[test]
    fn written_page_can_be_written_again() {
        let scratch = Scratch::new("again");
        let path = scratch.0.join("deep").join("er");
        let small = page(&["index.html", "icons/a.png"]);
        assert!(check(&path, &names(&small)).is_ok(), "new");
        write(&path, &small).unwrap();
        assert_eq!(fs::read(path.join("icons").join("a.png")).unwrap(), b"ours");
        assert!(fs::read_to_string(path.join("files.json")).unwrap().contains("\"icons/a.png\""));
        // A file that the user adds to the folder is not touched.
        fs::write(path.join("CNAME"), "theirs").unwrap();
        let larger = page(&["index.html", "icons/a.png", "app.js"]);
        assert!(check(&path, &names(&larger)).is_ok(), "an earlier page");
        write(&path, &larger).unwrap();
        assert_eq!(fs::read(path.join("CNAME")).unwrap(), b"theirs");
    }

    #[test]
    fn folder_with_other_files_is_refused() {
        let scratch = Scratch::new("other");
        let (path, names) = (&scratch.0, names(&page(&["index.html"])));
        assert!(check(path, &names).is_ok(), "empty");
        fs::write(path.join("index.html"), "theirs").unwrap();
        assert!(
            check(path, &names).unwrap_err().to_string().contains("`index.html`"),
            "a page that was not written this way"
        );
        assert!(check(&path.join("index.html"), &names).is_err(), "a file is not a folder");
        fs::write(path.join(MARKER), "my notes").unwrap();
        assert!(check(path, &names).is_err(), "another file with the name of the marker");
    }

    #[test]
    fn new_page_file_does_not_overwrite_a_users_file() {
        let scratch = Scratch::new("taken");
        write(&scratch.0, &page(&["index.html"])).unwrap();
        fs::write(scratch.0.join("app.js"), "theirs").unwrap();
        let error = check(&scratch.0, &names(&page(&["index.html", "app.js"]))).unwrap_err().to_string();
        assert!(error.contains("`app.js`"), "{error}");
    }
}
