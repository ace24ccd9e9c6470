//! Tests that every link in the Markdown files leads to an existing file and, if it has a `#heading`, to an existing
//! heading.

use std::fs;
use std::path::{Path, PathBuf};

/// Folders that are not searched.
const EXCLUDED: [&str; 3] = ["target", ".git", "node_modules"];

fn markdown_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a readable folder") {
        let path = entry.expect("a readable entry").path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if path.is_dir() && !EXCLUDED.contains(&name.as_str()) {
            markdown_files(&path, found);
        } else if name.ends_with(".md") {
            found.push(path);
        }
    }
}

/// The targets of `[text](target)` and `![text](target)`, except in code.
fn links(text: &str) -> Vec<String> {
    let mut links = Vec::new();
    let mut in_code = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        }
        if in_code {
            continue;
        }
        // Every other piece between backticks is code.
        for piece in line.split('`').step_by(2).collect::<Vec<_>>().join("code").split("](").skip(1) {
            links.extend(piece.split(')').next().map(|target| target.split(' ').next().unwrap_or("").to_owned()));
        }
    }
    links
}

/// The anchors of the headings, in GitHub's form.
fn anchors(text: &str) -> Vec<String> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    let name = |line: &str| {
        let heading = line.trim_start_matches('#').trim().to_lowercase();
        let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    headings.map(name).collect()
}

/// What is wrong with a link in a file; `None` if the link is valid.
fn broken(file: &Path, link: &str) -> Option<String> {
    if link.contains("://") || link.starts_with("mailto:") {
        return None;
    }
    let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
    let target = if path.is_empty() { file.to_path_buf() } else { file.parent()?.join(path) };
    if !target.exists() {
        return Some(format!("{}: {link}: no such file", file.display()));
    }
    let text = if anchor.is_empty() { return None } else { fs::read_to_string(&target).unwrap_or_default() };
    (!anchors(&text).iter().any(|name| name == anchor)).then(|| format!("{}: {link}: no such heading", file.display()))
}

#[test]
fn links_lead_to_existing_files_and_headings() {
    let mut files = Vec::new();
    markdown_files(&setup::root(), &mut files);
    assert!(files.contains(&setup::root().join("README.md")));
    let mut count = 0;
    let mut wrong = Vec::new();
    for file in &files {
        let found = links(&fs::read_to_string(file).expect("a readable file"));
        count += found.len();
        wrong.extend(found.iter().filter_map(|link| broken(file, link)));
    }
    assert!(count > 10, "only {count} links were found in {} files", files.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn dead_links_are_found() {
    let readme = setup::root().join("README.md");
    assert_eq!(broken(&readme, "hardware/wiring.md"), None);
    assert_eq!(broken(&readme, "https://example.org/x.md"), None);
    assert!(broken(&readme, "hardware/nothing.md").is_some());
    assert!(broken(&readme, "README.md#no-such-heading").is_some());
    assert_eq!(links("a [b](c.md) and ![d](e.svg \"f\") `[g](h)`\n```\n[i](j)\n```\n[k](#l)"), ["c.md", "e.svg", "#l"]);
    assert_eq!(anchors("# Wire it, by hand\n## LED `order`"), ["wire-it-by-hand", "led-order"]);
}

#[test]
fn flashing_page_names_the_runner_and_log_level() {
    let text = |path: &str| fs::read_to_string(setup::root().join(path)).expect("a readable file");
    let config = text(".cargo/config.toml");
    let runner = config.lines().find_map(|line| line.strip_prefix("runner = ")).expect("a runner").trim_matches('"');
    assert!(runner.starts_with("probe-rs run") && runner.contains("--chip RP2040"), "{runner}");
    assert!(text("hardware/flashing.md").contains(runner), "hardware/flashing.md should name `{runner}`");
    let level = config.lines().find_map(|line| line.strip_prefix("DEFMT_LOG = ")).expect("a level").trim_matches('"');
    assert!(text("hardware/flashing.md").contains(&format!("`{level}`")), "hardware/flashing.md should name `{level}`");
}

/// The numbers of the lines in the tables of a page: `3.12`.
fn table_numbers(path: &str) -> Vec<String> {
    let text = fs::read_to_string(setup::root().join(path)).expect("a readable file");
    let cells = text.lines().filter_map(|line| line.strip_prefix('|')?.split('|').next());
    let numbers = cells.map(|cell| cell.trim().trim_end_matches('*').to_owned());
    numbers.filter(|number| number.contains('.') && number.chars().all(|c| c.is_ascii_digit() || c == '.')).collect()
}

#[test]
fn form_has_every_line_of_the_first_boards_report() {
    let page = table_numbers("hardware/first-board.md");
    assert!(page.len() > 50, "{page:?}");
    assert_eq!(table_numbers(".github/ISSUE_TEMPLATE/first-board.md"), page);
}
