//! The corpus, replayed through every fuzz target: fixed faults do not return.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use fuzz_checks::TARGETS;

/// The time limit for an input of the corpus, on a busy computer.
const LIMIT: Duration = Duration::from_secs(20);

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name)
}

/// The files in a folder, sorted, without hidden files such as `.gitignore`.
fn files_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| !path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.')));
    paths.sort();
    paths
}

/// One test for all targets, because memory is measured: no other test may allocate at the same time.
#[test]
fn corpus_finds_no_fault() {
    let mut total = 0;
    for (name, target) in TARGETS {
        let (started, inputs) = (Instant::now(), files_in(&folder("corpus").join(name)));
        assert!(!inputs.is_empty(), "{name} has no corpus");
        for path in &inputs {
            let input = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            total += input.len();
            println!("{}", path.display());
            let started = Instant::now();
            target(&input);
            assert!(started.elapsed() < LIMIT, "{:?}", started.elapsed());
        }
        println!("{name}: {} inputs, {:.1} s", inputs.len(), started.elapsed().as_secs_f32());
    }
    assert!(total < 200 << 10, "the corpus has {total} bytes: minimise it, see host-tests/fuzz/README.md");

    // Only the fuzzer builds the wrappers. All of them have the same form, which is compared here.
    let wrappers = files_in(&folder("fuzz_targets"));
    let manifest = fs::read_to_string(folder("Cargo.toml")).expect("host-tests/fuzz/Cargo.toml");
    assert_eq!(wrappers.len(), TARGETS.len());
    for ((name, _), path) in TARGETS.iter().zip(&wrappers) {
        assert_eq!(path.file_name(), Some(format!("{name}.rs").as_ref()));
        let wrapper = fs::read_to_string(path).expect("a wrapper");
        let expected =
            format!("#![no_main]\n\nlibfuzzer_sys::fuzz_target!(|input: &[u8]| fuzz_checks::{name}(input));\n");
        assert_eq!(wrapper, expected, "{}", path.display());
        assert!(manifest.contains(&format!("name = \"{name}\"\npath = \"fuzz_targets/{name}.rs\"\n")), "{name}");
    }
}
