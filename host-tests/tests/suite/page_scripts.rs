//! The page's scripts without a browser: what they say, and what they press on the real firmware in the real emulator. They are
//! JavaScript, so Node.js runs them; where there is none, that is said, and the test counts as skipped.

use std::fs;
use std::process::Command;

use setup::skipped;

#[test]
fn scripts_press_the_right_keys_and_say_the_right_words() {
    let runs = Command::new("node").arg("--version").output().is_ok_and(|output| output.status.success());
    if !runs {
        return skipped::skip("page_scripts", "needs Node.js (apt-get install nodejs, or https://nodejs.org)");
    }
    let folder = std::env::temp_dir().join(format!("lights-out-test-{}-page", std::process::id()));
    let written = setup::cargo().args(["play", "--write"]).arg(&folder).output().expect("cargo runs");
    assert!(written.status.success(), "{}", String::from_utf8_lossy(&written.stderr));
    let tests = ["boards", "handheld", "words"].map(|name| setup::root().join(format!("web/tests/{name}.test.mjs")));
    let output =
        Command::new("node").arg("--test").args(tests).env("LIGHTS_OUT_PAGE", &folder).output().expect("node runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}");
    assert!(!text.contains("# tests 0"), "{text}");
    fs::remove_dir_all(&folder).expect("a folder");
}
