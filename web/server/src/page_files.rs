//! The files of the page: those of `web/page`, the manual `docs/how-to-play.md` with its pictures, the emulator, the
//! firmware for each chip, and the list of all files. Any web server can serve them.
//!
//! The firmware for the Pico 2 may be added later. Until then it is awaited, and so is the list.

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use flash_image::Chip;

use crate::{file_list, wasm_module};

/// The file of the empty address.
const START: &str = "index.html";
/// The emulator, by the name that the script fetches.
const MODULE: &str = "emulator.wasm";
/// The manual in the folder `docs`.
const MANUAL: &str = "how-to-play.md";

/// The name of the firmware for a chip, as the script fetches it.
const fn firmware_name(chip: Chip) -> &'static str {
    match chip {
        Chip::Rp2040 => "firmware-rp2040.elf",
        Chip::Rp2350 => "firmware-rp2350.elf",
    }
}

/// One file of the page.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PageFile {
    /// Its path within the page, with `/` between the folders.
    pub(crate) name: String,
    /// Its content.
    pub(crate) bytes: Vec<u8>,
}

/// All files of the page, in memory, sorted by name.
#[derive(Clone, Debug)]
pub(crate) struct PageFiles {
    files: Vec<PageFile>,
    /// The names of the files that are still being built.
    awaited: Vec<&'static str>,
}

/// A file or folder that cannot be read, written or used.
#[derive(Debug)]
pub(crate) struct PathError {
    path: PathBuf,
    reason: String,
}

impl PathError {
    /// An error about a path.
    pub(crate) fn new(path: &Path, reason: impl fmt::Display) -> Self {
        Self { path: path.to_path_buf(), reason: reason.to_string() }
    }

    /// Converts errors of the operating system about a path.
    pub(crate) fn at(path: &Path) -> impl Fn(io::Error) -> Self + '_ {
        |error| Self::new(path, error)
    }
}

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "The path {} cannot be used: {}.", self.path.display(), self.reason)
    }
}

impl std::error::Error for PathError {}

/// A file that is copied into the page without a change.
#[derive(Debug)]
struct Source {
    name: String,
    path: PathBuf,
}

/// The names of all files of the page.
pub(crate) fn names(root: &Path) -> Result<Vec<String>, PathError> {
    let mut names: Vec<String> = sources(root)?.into_iter().map(|source| source.name).collect();
    names.extend(Chip::ALL.map(firmware_name).into_iter().chain([MODULE, file_list::FILE_LIST]).map(str::to_owned));
    names.sort();
    Ok(names)
}

fn sources(root: &Path) -> Result<Vec<Source>, PathError> {
    let mut sources = files_in(&root.join("web").join("page"), "")?;
    let docs = root.join("docs");
    let manual = docs.join(MANUAL);
    let text = fs::read_to_string(&manual).map_err(PathError::at(&manual))?;
    sources.extend(pictures(&text).into_iter().map(|name| Source { name: name.to_owned(), path: docs.join(name) }));
    sources.push(Source { name: MANUAL.to_owned(), path: manual });
    Ok(sources)
}

/// The addresses of the pictures in a Markdown text: `![description](pictures/play.svg)`.
fn pictures(text: &str) -> BTreeSet<&str> {
    text.split("](").skip(1).filter_map(|rest| rest.split(')').next()).filter(|name| name.ends_with(".svg")).collect()
}

/// All files below a folder, without hidden ones: file managers leave such files.
fn files_in(folder: &Path, prefix: &str) -> Result<Vec<Source>, PathError> {
    let mut sources = Vec::new();
    for entry in fs::read_dir(folder).map_err(PathError::at(folder))? {
        let path = entry.map_err(PathError::at(folder))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with('.') {
            continue;
        }
        // So a name is also its address, and needs no escapes in the list.
        if !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte)) {
            return Err(PathError::new(
                &path,
                "file names of the page may have letters, digits, `-`, `_` and `.` only",
            ));
        }
        if path.is_dir() {
            sources.extend(files_in(&path, &format!("{prefix}{name}/"))?);
        } else {
            sources.push(Source { name: format!("{prefix}{name}"), path });
        }
    }
    Ok(sources)
}

fn read(path: &Path) -> Result<Vec<u8>, PathError> {
    fs::read(path).map_err(PathError::at(path))
}

/// The firmware for a chip, without the debug information that its log does not need.
fn firmware_file(chip: Chip, elf: &Path) -> Result<PageFile, PathError> {
    let bytes = flash_image::strip(&read(elf)?).map_err(|error| PathError::new(elf, error))?;
    Ok(PageFile { name: firmware_name(chip).to_owned(), bytes })
}

/// The emulator, without what the page does not use of it.
fn module_file(module: &Path) -> Result<PageFile, PathError> {
    let bytes = wasm_module::strip(&read(module)?).map_err(|error| PathError::new(module, error))?;
    Ok(PageFile { name: MODULE.to_owned(), bytes })
}

impl PageFiles {
    /// Collects the source files, the WebAssembly module and the firmware for the Pico. That for the Pico 2 is awaited.
    pub(crate) fn assemble(root: &Path, module: &Path, elf: &Path) -> Result<Self, PathError> {
        let mut files = Vec::new();
        for Source { name, path } in sources(root)? {
            files.push(PageFile { name, bytes: read(&path)? });
        }
        files.push(module_file(module)?);
        files.push(firmware_file(Chip::Rp2040, elf)?);
        Ok(Self::awaiting(files))
    }

    /// These files, without the firmware for the Pico 2, which is awaited.
    pub(crate) fn awaiting(mut files: Vec<PageFile>) -> Self {
        files.sort_by(|a, b| a.name.cmp(&b.name));
        Self { files, awaited: vec![firmware_name(Chip::Rp2350), file_list::FILE_LIST] }
    }

    /// The complete page with the firmware for the Pico 2.
    pub(crate) fn with_pico2(self, elf: &Path) -> Result<Self, PathError> {
        let mut files = self.files;
        files.push(firmware_file(Chip::Rp2350, elf)?);
        Ok(Self::complete(files))
    }

    /// The complete page without the firmware for the Pico 2, which could not be built.
    pub(crate) fn without_pico2(self) -> Self {
        Self::complete(self.files)
    }

    /// These files and their list.
    pub(crate) fn complete(mut files: Vec<PageFile>) -> Self {
        files.sort_by(|a, b| a.name.cmp(&b.name));
        files.push(file_list::list(&files));
        files.sort_by(|a, b| a.name.cmp(&b.name));
        Self { files, awaited: Vec::new() }
    }

    /// Whether the file of this name is still being built.
    pub(crate) fn awaits(&self, name: &str) -> bool {
        self.awaited.contains(&name)
    }

    /// All files.
    pub(crate) fn all(&self) -> &[PageFile] {
        &self.files
    }

    /// The file of this name; the empty name is the page itself.
    pub(crate) fn find(&self, name: &str) -> Option<&PageFile> {
        let name = if name.is_empty() { START } else { name };
        self.files.iter().find(|file| file.name == name)
    }

    /// The number of files and their size, as text.
    pub(crate) fn summary(&self) -> String {
        let bytes: usize = self.files.iter().map(|file| file.bytes.len()).sum();
        format!("{} files, {:.2} MB", self.files.len(), bytes as f64 / 1e6)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_is_found_by_its_name() {
        let file = |name: &str| PageFile { name: name.to_owned(), bytes: b"hello".to_vec() };
        let files = PageFiles::complete(vec![file("index.html"), file("icons/a.png")]);
        assert_eq!(files.find(""), files.find("index.html"));
        for name in ["", "icons/a.png", "files.json"] {
            assert!(files.find(name).is_some(), "{name}");
        }
        for other in ["../Cargo.toml", "icons", "icons/", "/index.html", "./index.html"] {
            assert_eq!(files.find(other), None, "{other}");
        }
    }

    #[test]
    fn awaited_files_are_added_or_dropped() {
        let files = PageFiles::awaiting(vec![PageFile { name: "index.html".to_owned(), bytes: b"hello".to_vec() }]);
        assert!(files.awaits("firmware-rp2350.elf") && files.awaits("files.json") && !files.awaits("index.html"));
        assert_eq!(files.find("files.json"), None, "a browser would keep an incomplete list");
        let scratch = std::env::temp_dir().join(format!("lights-out-awaited-{}.elf", std::process::id()));
        fs::write(&scratch, flash_image::elf::of_segments(&[(0x1000_0000, b"code")]).unwrap()).unwrap();
        let whole = files.clone().with_pico2(&scratch).unwrap();
        fs::remove_file(&scratch).unwrap();
        assert!(files.clone().with_pico2(&scratch).is_err());
        let list = |files: &PageFiles| String::from_utf8(files.find("files.json").unwrap().bytes.clone()).unwrap();
        assert!(list(&whole).contains("\"firmware-rp2350.elf\"") && !whole.awaits("files.json"));
        let rest = files.without_pico2();
        assert!(!list(&rest).contains("rp2350") && !rest.awaits("firmware-rp2350.elf"));
    }

    #[test]
    fn pictures_of_the_manual_are_found() {
        let text = "![a](pictures/a.svg) and [b](b.md)\n![c (or d)](pictures/c.svg)\n![a](pictures/a.svg)";
        assert_eq!(pictures(text).into_iter().collect::<Vec<_>>(), ["pictures/a.svg", "pictures/c.svg"]);
    }

    #[test]
    fn subfolders_are_read_and_hidden_files_are_not() {
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

    /// Every file is named in another file: otherwise it is unused. No address leads outside the page.
    #[test]
    fn page_refers_to_all_its_files_and_no_others() {
        let root = setup::root();
        // Files that are not text name no other file.
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
            // An address with a host leads outside the page. The one in an SVG file is only a namespace.
            let addresses = text.replace("http://www.w3.org/2000/svg", "");
            for outside in ["http://", "https://", "src=\"//", "href=\"//", "url(//"] {
                assert!(!addresses.contains(outside), "{name} has {outside}");
            }
        }
    }
}
