//! What the project promises to hold.

#[test]
fn what_the_project_promises_is_there() {
    let promised = ["Cargo.toml", "README.md", "memory.x", ".cargo", "src", "host-tests", "build.rs"];
    let missing: Vec<_> = promised.into_iter().filter(|name| !setup::root().join(name).exists()).collect();
    assert!(missing.is_empty(), "missing: {missing:?}");
}
