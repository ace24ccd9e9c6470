//! The page as a folder: a handful of files that any web server can hand out. They are those of `web/page`, the project's own
//! pages on how to play, the emulator, the firmware for each chip, and the list of them all.
//!
//! The firmware for a Pico 2 may come later than the rest. Until then it is awaited, and so is the list.

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use flash_image::Chip;

use crate::contents;

/// What the empty address means.
const START: &str = "index.html";
/// The emulator, by the name that the script fetches.
const MODULE: &str = "emulator.wasm";
/// How to play: this file of `docs`, and the pictures in it.
const MANUAL: &str = "how-to-play.md";

/// The firmware for a chip, by the name that the script fetches.
const fn firmware(chip: Chip) -> &'static str {
    match chip {
        Chip::Rp2040 => "firmware-rp2040.elf",
        Chip::Rp2350 => "firmware-rp2350.elf",
    }
}

/// One file of the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Its path within the page, with `/` between its parts.
    pub name: String,
    /// What it holds.
    pub bytes: Vec<u8>,
}

/// All files of the page, in memory, sorted by name.
#[derive(Clone, Debug)]
pub struct Folder {
    files: Vec<File>,
    /// The names of those that will come.
    awaited: Vec<&'static str>,
}

/// A file of the page that cannot be read, written or used.
#[derive(Debug)]
pub struct FolderError {
    path: PathBuf,
    reason: String,
}

impl FolderError {
    /// An error about a path.
    pub fn new(path: &Path, reason: impl fmt::Display) -> Self {
        Self { path: path.to_path_buf(), reason: reason.to_string() }
    }

    /// The same, for the system's errors.
    pub fn at(path: &Path) -> impl Fn(io::Error) -> Self + '_ {
        |error| Self::new(path, error)
    }
}

impl fmt::Display for FolderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "The path {} cannot be used: {}.", self.path.display(), self.reason)
    }
}

impl std::error::Error for FolderError {}

/// A file that goes into the page as it is.
#[derive(Debug)]
struct Source {
    name: String,
    path: PathBuf,
}

/// The names of all files of the page of this project.
pub fn names(root: &Path) -> Result<Vec<String>, FolderError> {
    let mut names: Vec<String> = sources(root)?.into_iter().map(|source| source.name).collect();
    names.extend(Chip::ALL.map(firmware).into_iter().chain([MODULE, contents::CONTENTS]).map(str::to_owned));
    names.sort();
    Ok(names)
}

fn sources(root: &Path) -> Result<Vec<Source>, FolderError> {
    let mut sources = files_in(&root.join("web").join("page"), "")?;
    let docs = root.join("docs");
    let manual = docs.join(MANUAL);
    let text = fs::read_to_string(&manual).map_err(FolderError::at(&manual))?;
    sources.extend(pictures(&text).into_iter().map(|name| Source { name: name.to_owned(), path: docs.join(name) }));
    sources.push(Source { name: MANUAL.to_owned(), path: manual });
    Ok(sources)
}

/// The pictures that a text of ours shows, by their addresses: `![what is seen](pictures/play.svg)`.
fn pictures(text: &str) -> BTreeSet<&str> {
    text.split("](").skip(1).filter_map(|rest| rest.split(')').next()).filter(|name| name.ends_with(".svg")).collect()
}

/// The files of a folder and of those in it, but for hidden ones: a file manager's notes are no part of the page.
fn files_in(folder: &Path, prefix: &str) -> Result<Vec<Source>, FolderError> {
    let mut sources = Vec::new();
    for entry in fs::read_dir(folder).map_err(FolderError::at(folder))? {
        let path = entry.map_err(FolderError::at(folder))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with('.') {
            continue;
        }
        // So a name is its own address, and needs no escapes in a list.
        if !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte)) {
            return Err(FolderError::new(&path, "a name in the page is of letters, digits, `-`, `_` and `.`"));
        }
        if path.is_dir() {
            sources.extend(files_in(&path, &format!("{prefix}{name}/"))?);
        } else {
            sources.push(Source { name: format!("{prefix}{name}"), path });
        }
    }
    Ok(sources)
}

fn read(path: &Path) -> Result<Vec<u8>, FolderError> {
    fs::read(path).map_err(FolderError::at(path))
}

/// The firmware for a chip, as small as its log allows.
fn stripped(chip: Chip, elf: &Path) -> Result<File, FolderError> {
    let bytes = flash_image::strip(&read(elf)?).map_err(|error| FolderError::new(elf, error))?;
    Ok(File { name: firmware(chip).to_owned(), bytes })
}

impl Folder {
    /// Puts the page together from its sources, the WebAssembly and a Pico's firmware. That of a Pico 2 is awaited.
    pub fn assemble(root: &Path, module: &Path, elf: &Path) -> Result<Self, FolderError> {
        let mut files = Vec::new();
        for Source { name, path } in sources(root)? {
            files.push(File { name, bytes: read(&path)? });
        }
        files.push(File { name: MODULE.to_owned(), bytes: read(module)? });
        files.push(stripped(Chip::Rp2040, elf)?);
        Ok(Self::awaiting(files))
    }

    /// A folder of these files, in which a Pico 2's firmware is awaited.
    pub fn awaiting(mut files: Vec<File>) -> Self {
        files.sort_by(|a, b| a.name.cmp(&b.name));
        Self { files, awaited: vec![firmware(Chip::Rp2350), contents::CONTENTS] }
    }

    /// The same page with a Pico 2's firmware, and with nothing more to wait for.
    pub fn with_pico2(self, elf: &Path) -> Result<Self, FolderError> {
        let mut files = self.files;
        files.push(stripped(Chip::Rp2350, elf)?);
        Ok(Self::of(files))
    }

    /// The same page without it, where it could not be had.
    pub fn without_pico2(self) -> Self {
        Self::of(self.files)
    }

    /// A folder of these files, and of the list of them.
    pub fn of(mut files: Vec<File>) -> Self {
        files.sort_by(|a, b| a.name.cmp(&b.name));
        files.push(contents::of(&files));
        files.sort_by(|a, b| a.name.cmp(&b.name));
        Self { files, awaited: Vec::new() }
    }

    /// Whether the file that an address names is yet to come.
    pub fn awaits(&self, address: &str) -> bool {
        self.awaited.contains(&address)
    }

    /// All files.
    pub fn files(&self) -> &[File] {
        &self.files
    }

    /// The file that an address within the page names; the empty one is the page itself.
    pub fn file(&self, address: &str) -> Option<&File> {
        let name = if address.is_empty() { START } else { address };
        self.files.iter().find(|file| file.name == name)
    }

    /// Files and bytes, for people.
    pub fn size(&self) -> String {
        let bytes: usize = self.files.iter().map(|file| file.bytes.len()).sum();
        format!("{} files, {:.2} MB", self.files.len(), bytes as f64 / 1e6)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_the_name_of_a_file() {
        let file = |name: &str| File { name: name.to_owned(), bytes: b"hello".to_vec() };
        let folder = Folder::of(vec![file("index.html"), file("icons/a.png")]);
        assert_eq!(folder.file(""), folder.file("index.html"));
        assert!(
            folder.file("").is_some() && folder.file("icons/a.png").is_some() && folder.file("files.json").is_some()
        );
        for other in ["../Cargo.toml", "icons", "icons/", "/index.html", "./index.html"] {
            assert_eq!(folder.file(other), None, "{other}");
        }
    }

    #[test]
    fn what_is_awaited_comes_or_does_not() {
        let folder = Folder::awaiting(vec![File { name: "index.html".to_owned(), bytes: b"hello".to_vec() }]);
        assert!(folder.awaits("firmware-rp2350.elf") && folder.awaits("files.json") && !folder.awaits("index.html"));
        assert_eq!(folder.file("files.json"), None, "a list that is not complete would be kept by a browser");
        let scratch = std::env::temp_dir().join(format!("lights-out-awaited-{}.elf", std::process::id()));
        fs::write(&scratch, flash_image::elf::of_segments(&[(0x1000_0000, b"code")]).unwrap()).unwrap();
        let whole = folder.clone().with_pico2(&scratch).unwrap();
        fs::remove_file(&scratch).unwrap();
        assert!(folder.clone().with_pico2(&scratch).is_err());
        let list = |folder: &Folder| String::from_utf8(folder.file("files.json").unwrap().bytes.clone()).unwrap();
        assert!(list(&whole).contains("\"firmware-rp2350.elf\"") && !whole.awaits("files.json"));
        let rest = folder.without_pico2();
        assert!(!list(&rest).contains("rp2350") && !rest.awaits("firmware-rp2350.elf"));
    }

    #[test]
    fn the_pictures_of_a_text_are_found() {
        let text = "![a](pictures/a.svg) and [b](b.md)\n![c (or d)](pictures/c.svg)\n![a](pictures/a.svg)";
        assert_eq!(pictures(text).into_iter().collect::<Vec<_>>(), ["pictures/a.svg", "pictures/c.svg"]);
    }

    #[test]
    fn folders_in_the_page_are_read_and_hidden_files_are_not() {
        let path = std::env::temp_dir().join(format!("lights-out-folder-{}", std::process::id()));
        fs::create_dir_all(path.join("icons")).unwrap();
        for name in ["index.html", ".DS_Store", "icons/a.png"] {
            fs::write(path.join(name), "").unwrap();
        }
        let mut names: Vec<_> = files_in(&path, "").unwrap().into_iter().map(|source| source.name).collect();
        names.sort();
        assert_eq!(names, ["icons/a.png", "index.html"]);
        fs::write(path.join("a b.png"), "").unwrap();
        assert!(files_in(&path, "").unwrap_err().to_string().contains("a b.png"));
        fs::remove_dir_all(&path).unwrap();
    }

    /// Every file is named in another, or nobody would ever ask for it; and no address leaves the page.
    #[test]
    fn the_page_names_its_files_and_no_others() {
        let root = setup::root();
        // Pictures are no text, and name nothing.
        let text = |Source { name, path }| fs::read_to_string(path).ok().map(|text| (name, text));
        let texts: Vec<(String, String)> = sources(&root).unwrap().into_iter().filter_map(text).collect();
        let named = |name: &str| {
            let inside = |text: &str| ["\"", "'", "/", "("].iter().any(|mark| text.contains(&format!("{mark}{name}")));
            texts.iter().any(|(other, text)| other != name && inside(text))
        };
        for name in names(&root).unwrap() {
            assert!(name == START || named(&name), "{name}");
        }
        for (name, text) in &texts {
            // An address with a host would leave the page; the one in a drawing is the name of a language.
            let addresses = text.replace("http://www.w3.org/2000/svg", "");
            for away in ["http://", "https://", "src=\"//", "href=\"//", "url(//"] {
                assert!(!addresses.contains(away), "{name} has {away}");
            }
        }
    }
}
