//! The files and folders of the project: the README's map, the dependencies and the text files.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use toml::Table;

fn read(file: &str) -> String {
    fs::read_to_string(setup::root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

#[test]
fn promised_files_exist() {
    let promised = ["Cargo.toml", "README.md", "memory.x", ".cargo", "src", "host-tests", "build.rs"];
    let missing: Vec<_> = promised.into_iter().filter(|name| !setup::root().join(name).exists()).collect();
    assert!(missing.is_empty(), "missing: {missing:?}");
}

/// The names in the `.gitignore` file of a folder.
fn ignored_names(folder: &Path) -> Vec<String> {
    let lines = fs::read_to_string(folder.join(".gitignore")).unwrap_or_default();
    lines.lines().map(|line| line.trim_matches('/').to_owned()).filter(|name| !name.is_empty()).collect()
}

/// The folders at the top level, without dotted folders and folders that git ignores.
fn top_level_folders() -> BTreeSet<String> {
    let root = setup::root();
    let ignored = ignored_names(&root);
    let entries = fs::read_dir(&root).expect("the root folder").map(|entry| entry.expect("an entry"));
    let folders = entries.filter(|entry| entry.path().is_dir());
    let names = folders.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter(|name| !name.starts_with('.') && !ignored.contains(name)).collect()
}

#[test]
fn top_level_has_at_most_eight_folders() {
    let folders = top_level_folders();
    assert!(folders.len() <= 8, "{folders:?}");
}

/// A folder in the README's map, with the parts that the indented lines below it name.
#[derive(Debug)]
struct MapFolder<'a> {
    name: &'a str,
    parts: Vec<&'a str>,
}

/// Reads the map: the first text block in the section "How it works". A line has names, at least two spaces and a
/// description. A line without indentation names one folder, as `NAME/`. An indented line names parts of that folder,
/// separated by single spaces.
fn parse_map(readme: &str) -> Vec<MapFolder<'_>> {
    let (_, section) = readme.split_once("\n## How it works\n").expect("the section");
    let (_, block) = section.split_once("\n```text\n").expect("a text block");
    let (block, _) = block.split_once("\n```\n").expect("the end of the text block");
    let mut folders: Vec<MapFolder<'_>> = Vec::new();
    for line in block.lines() {
        let (names, description) = line.trim_start().split_once("  ").unwrap_or_default();
        assert!(!description.trim().is_empty(), "a line without a description: {line:?}");
        if line.starts_with(' ') {
            folders.last_mut().expect("a folder before its parts").parts.extend(names.split(' '));
        } else {
            let name = names.strip_suffix('/').unwrap_or_else(|| panic!("not a folder: {line:?}"));
            folders.push(MapFolder { name, parts: Vec::new() });
        }
    }
    folders
}

#[test]
fn readme_map_has_each_folder_once() {
    let readme = read("README.md");
    let map = parse_map(&readme);
    let named: BTreeSet<String> = map.iter().map(|folder| folder.name.to_owned()).collect();
    assert_eq!(named.len(), map.len(), "a folder is named twice: {map:?}");
    assert_eq!(named, top_level_folders(), "left: the README's map; right: the folders of the project");
}

/// A part is a file or a folder of its folder; the extension `.rs` may be left out.
#[test]
fn parts_in_readme_map_exist() {
    let readme = read("README.md");
    for folder in parse_map(&readme) {
        let path = setup::root().join(folder.name);
        for part in folder.parts {
            let exists = path.join(part).exists() || path.join(format!("{part}.rs")).is_file();
            assert!(exists, "the README's map names {}/{part}, which does not exist", folder.name);
        }
    }
}

#[test]
fn no_registry_crate_is_patched() {
    for file in ["Cargo.toml", ".cargo/config.toml", "host-tests/fuzz/Cargo.toml"] {
        let table: Table = read(file).parse().unwrap_or_else(|error| panic!("{file}: {error}"));
        for section in ["patch", "replace", "source"] {
            assert!(!table.contains_key(section), "{file} has a section [{section}]");
        }
    }
}

#[test]
fn registry_packages_have_checksums() {
    for file in ["Cargo.lock", "host-tests/fuzz/Cargo.lock"] {
        let table: Table = read(file).parse().unwrap_or_else(|error| panic!("{file}: {error}"));
        let packages = table["package"].as_array().expect("a list of packages");
        let is_from_registry = |package: &&toml::Value| {
            package.get("source").and_then(toml::Value::as_str).is_some_and(|source| source.starts_with("registry+"))
        };
        let from_registry: Vec<_> = packages.iter().filter(is_from_registry).collect();
        assert!(!from_registry.is_empty(), "{file} has no registry package");
        let unchecked: Vec<_> = from_registry.iter().filter(|package| package.get("checksum").is_none()).collect();
        assert!(unchecked.is_empty(), "{file} has packages without a checksum: {unchecked:#?}");
    }
}

/// The widest line of a text file, in columns.
const MAX_COLUMNS: usize = 120;
/// The extensions of text files that people edit. Scripts without an extension begin with `#!`.
const TEXT_EXTENSIONS: [&str; 9] = ["css", "html", "js", "md", "mjs", "py", "rs", "sh", "toml"];

/// Finds all files in a folder and its subfolders, except for ignored ones. A `.gitignore` also applies to subfolders.
fn find_files(folder: &Path, ignored: &[String], files: &mut Vec<PathBuf>) {
    let ignored = [ignored, &ignored_names(folder)].concat();
    for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry")) {
        let (name, path) = (entry.file_name().to_string_lossy().into_owned(), entry.path());
        if name == ".git" || ignored.contains(&name) {
            continue;
        }
        if path.is_dir() {
            find_files(&path, &ignored, files);
        } else {
            files.push(path);
        }
    }
}

/// The content of a text file that people edit, or `None` if the file is something else.
fn read_text(file: &Path) -> Option<String> {
    let is_text = match file.extension() {
        Some(extension) => TEXT_EXTENSIONS.iter().any(|text| extension == *text),
        None => fs::read(file).is_ok_and(|bytes| bytes.starts_with(b"#!")),
    };
    is_text.then(|| fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display())))
}

/// A row of a Markdown table and a URL cannot be broken.
fn is_breakable(line: &str) -> bool {
    !line.trim_start().starts_with('|') && !line.contains("://")
}

#[test]
fn no_line_is_wider_than_120_columns() {
    let root = setup::root();
    let mut files = Vec::new();
    find_files(&root, &[], &mut files);
    // Nobody edits the released files: `hardware/make` makes them.
    files.retain(|file| !file.starts_with(root.join("hardware/release")));
    let mut wide = Vec::new();
    for file in files {
        let Some(text) = read_text(&file) else { continue };
        let name = file.strip_prefix(&root).unwrap_or(&file).display();
        for (line, number) in text.lines().zip(1..) {
            let columns = line.chars().count();
            if columns > MAX_COLUMNS && is_breakable(line) {
                wide.push(format!("{name}:{number}: {columns} columns"));
            }
        }
    }
    assert!(wide.is_empty(), "{} lines are too wide:\n{}", wide.len(), wide.join("\n"));
}
