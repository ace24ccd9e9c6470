//! The page as a folder: a handful of files, all of them at its top, that any web server can hand out.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The files of `web/page`.
const PAGE: [&str; 4] = ["index.html", "style.css", "app.js", "icon.svg"];
/// The emulator and the firmware, by the names that the script fetches.
const MODULE: &str = "emulator.wasm";
const FIRMWARE: &str = "firmware.elf";

/// One file of the page.
#[derive(Debug, PartialEq, Eq)]
pub struct File {
    /// Its name, which is also its path.
    pub name: &'static str,
    /// What it holds.
    pub bytes: Vec<u8>,
}

/// All files of the page, in memory.
#[derive(Debug, Default)]
pub struct Folder {
    files: Vec<File>,
}

/// A file of the page that cannot be read, written or used.
#[derive(Debug)]
pub struct FolderError {
    path: PathBuf,
    reason: String,
}

impl fmt::Display for FolderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "The path {} cannot be used: {}.", self.path.display(), self.reason)
    }
}

impl std::error::Error for FolderError {}

fn at(path: &Path) -> impl Fn(io::Error) -> FolderError + '_ {
    |error| FolderError { path: path.to_path_buf(), reason: error.to_string() }
}

/// A folder to write to is new, or empty, or holds an earlier page: nothing of anybody's is written over.
pub fn check_destination(path: &Path) -> Result<(), FolderError> {
    let entries = match fs::read_dir(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries.map_err(at(path))?,
    };
    let ours: Vec<&str> = PAGE.into_iter().chain([MODULE, FIRMWARE]).collect();
    for entry in entries {
        let name = entry.map_err(at(path))?.file_name();
        if !ours.iter().any(|our| name.to_str() == Some(our)) {
            let reason = format!("it already holds `{}`, which is no part of the page", name.to_string_lossy());
            return Err(FolderError { path: path.to_path_buf(), reason });
        }
    }
    Ok(())
}

impl Folder {
    /// Puts the page together from its sources, the WebAssembly and the firmware.
    pub fn assemble(page: &Path, module: &Path, elf: &Path) -> Result<Self, FolderError> {
        let read = |path: &Path| fs::read(path).map_err(at(path));
        let mut files = Vec::new();
        for name in PAGE {
            files.push(File { name, bytes: read(&page.join(name))? });
        }
        files.push(File { name: MODULE, bytes: read(module)? });
        let firmware = flash_image::strip(&read(elf)?)
            .map_err(|error| FolderError { path: elf.to_path_buf(), reason: error.to_string() })?;
        files.push(File { name: FIRMWARE, bytes: firmware });
        Ok(Self { files })
    }

    /// The file that an address within the page names; the empty one is the page itself.
    pub fn file(&self, name: &str) -> Option<&File> {
        let name = if name.is_empty() { PAGE[0] } else { name };
        self.files.iter().find(|file| file.name == name)
    }

    /// Writes all files, making the folder where there is none.
    pub fn write(&self, path: &Path) -> Result<(), FolderError> {
        fs::create_dir_all(path).map_err(at(path))?;
        for file in &self.files {
            let to = path.join(file.name);
            fs::write(&to, &file.bytes).map_err(at(&to))?;
        }
        Ok(())
    }

    /// Files and bytes, for people.
    pub fn size(&self) -> String {
        let bytes: usize = self.files.iter().map(|file| file.bytes.len()).sum();
        format!("{} files, {:.2} MB", self.files.len(), bytes as f64 / 1e6)
    }

    /// A folder of these files, for tests.
    #[cfg(test)]
    pub fn of(files: Vec<File>) -> Self {
        Self { files }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scratch(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("lights-out-play-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        path
    }

    #[test]
    fn a_folder_with_other_things_in_it_is_left_alone() {
        let path = scratch("other");
        assert!(check_destination(&path).is_ok(), "empty");
        fs::write(path.join("index.html"), "").unwrap();
        assert!(check_destination(&path).is_ok(), "an earlier page");
        fs::write(path.join("thesis.txt"), "").unwrap();
        let error = check_destination(&path).unwrap_err().to_string();
        assert!(error.contains("`thesis.txt`"), "{error}");
        assert!(check_destination(&path.join("new")).is_ok());
        assert!(check_destination(&path.join("thesis.txt")).is_err(), "a file is no folder");
        fs::remove_dir_all(&path).unwrap();
    }

    #[test]
    fn what_is_written_is_what_is_served() {
        let path = scratch("write").join("deep").join("er");
        let folder = Folder::of(vec![File { name: "index.html", bytes: b"hello".to_vec() }]);
        folder.write(&path).unwrap();
        assert_eq!(fs::read(path.join("index.html")).unwrap(), b"hello");
        assert_eq!(folder.file(""), folder.file("index.html"));
        assert_eq!(folder.file("../Cargo.toml"), None);
        fs::remove_dir_all(scratch("write")).unwrap();
    }

    #[test]
    fn the_page_names_its_files_and_no_others() {
        let page = setup::root().join("web").join("page");
        let text: String = PAGE.iter().map(|name| fs::read_to_string(page.join(name)).unwrap()).collect();
        for name in [PAGE[1], PAGE[2], PAGE[3], MODULE, FIRMWARE] {
            assert!(text.contains(&format!("\"{name}\"")), "{name}");
        }
        // An address with a host would leave the page; the one in the drawing is the name of a language.
        let addresses = text.replace("http://www.w3.org/2000/svg", "");
        assert!(!addresses.contains("http://") && !addresses.contains("https://") && !addresses.contains("src=\"//"));
        assert!(text.contains("default-src 'none'"));
    }
}
