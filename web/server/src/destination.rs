//! The folder that the page is written to. Nothing of anybody else's is written over: a folder is taken if it is new or empty,
//! or if the page that is in it is ours, which a file tells that is written beside the page.

use std::fs;
use std::io;
use std::path::Path;

use crate::folder::{Folder, FolderError};

/// The file that says whose the others are.
const MARKER: &str = "lights-out-page.txt";
/// How it begins. The names of our files stand below, one a line.
const CLAIM: &str = "These files are from `cargo play --write`, which may write over them and over no others:";

/// That files of these names may be written into the folder.
pub fn check(path: &Path, names: &[String]) -> Result<(), FolderError> {
    let entries = match fs::read_dir(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries.map_err(FolderError::at(path))?,
    };
    let marker = match fs::read_to_string(path.join(MARKER)) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(FolderError::new(&path.join(MARKER), error)),
    };
    let mut lines = marker.lines();
    if lines.next() != Some(CLAIM) {
        let mut there: Vec<String> =
            entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        there.sort();
        return match there.first() {
            None => Ok(()),
            Some(other) => Err(FolderError::new(path, format!("it already holds `{other}`, which is not ours"))),
        };
    }
    let ours: Vec<&str> = lines.collect();
    let taken = |name: &&String| path.join(name).symlink_metadata().is_ok() && !ours.contains(&name.as_str());
    match names.iter().find(taken) {
        None => Ok(()),
        Some(other) => Err(FolderError::new(path, format!("it holds a `{other}` which is not ours"))),
    }
}

/// Writes all files, making the folder where there is none. The marker comes first: a page that was cut short can be written
/// again.
pub fn write(path: &Path, folder: &Folder) -> Result<(), FolderError> {
    let mut claim = CLAIM.to_owned();
    for file in folder.files() {
        claim = claim + "\n" + &file.name;
    }
    let put = |name: &str, bytes: &[u8]| {
        let to = path.join(name);
        let parent = to.parent().unwrap_or(path);
        fs::create_dir_all(parent).map_err(FolderError::at(parent))?;
        fs::write(&to, bytes).map_err(FolderError::at(&to))
    };
    put(MARKER, (claim + "\n").as_bytes())?;
    folder.files().iter().try_for_each(|file| put(&file.name, &file.bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::File;
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

    fn page(names: &[&str]) -> Folder {
        Folder::of(names.iter().map(|&name| File { name: name.to_owned(), bytes: b"ours".to_vec() }).collect())
    }

    fn names(folder: &Folder) -> Vec<String> {
        folder.files().iter().map(|file| file.name.clone()).collect()
    }

    #[test]
    fn a_page_is_written_whole_and_may_be_written_again() {
        let scratch = Scratch::new("again");
        let path = scratch.0.join("deep").join("er");
        let small = page(&["index.html", "icons/a.png"]);
        assert!(check(&path, &names(&small)).is_ok(), "new");
        write(&path, &small).unwrap();
        assert_eq!(fs::read(path.join("icons").join("a.png")).unwrap(), b"ours");
        assert!(fs::read_to_string(path.join("files.json")).unwrap().contains("\"icons/a.png\""));
        // What somebody adds beside it is theirs, and stays.
        fs::write(path.join("CNAME"), "theirs").unwrap();
        let larger = page(&["index.html", "icons/a.png", "app.js"]);
        assert!(check(&path, &names(&larger)).is_ok(), "an earlier page");
        write(&path, &larger).unwrap();
        assert_eq!(fs::read(path.join("CNAME")).unwrap(), b"theirs");
    }

    #[test]
    fn a_folder_of_somebody_else_is_left_alone() {
        let scratch = Scratch::new("other");
        let (path, names) = (&scratch.0, names(&page(&["index.html"])));
        assert!(check(path, &names).is_ok(), "empty");
        fs::write(path.join("index.html"), "theirs").unwrap();
        assert!(check(path, &names).unwrap_err().to_string().contains("`index.html`"), "a page, but not ours");
        assert!(check(&path.join("index.html"), &names).is_err(), "a file is no folder");
        fs::write(path.join(MARKER), "my notes").unwrap();
        assert!(check(path, &names).is_err(), "a marker that says something else");
    }

    #[test]
    fn a_new_file_of_the_page_does_not_take_the_place_of_another() {
        let scratch = Scratch::new("taken");
        write(&scratch.0, &page(&["index.html"])).unwrap();
        fs::write(scratch.0.join("app.js"), "theirs").unwrap();
        let error = check(&scratch.0, &names(&page(&["index.html", "app.js"]))).unwrap_err().to_string();
        assert!(error.contains("`app.js`"), "{error}");
    }
}
