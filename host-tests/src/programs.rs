//! The test programs of the workspace. Cargo builds them once; then they run without cargo. Each further call of cargo
//! would check the whole workspace again, and rebuild packages with another set of features.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use setup::SetupError;

/// A test program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TestProgram {
    /// The name of its target, such as `suite`.
    pub(crate) name: String,
    path: PathBuf,
    /// The folder of its package. Its tests run in this folder.
    package: PathBuf,
}

impl TestProgram {
    /// Builds all test programs. `cargo` is `cargo test` for the whole workspace.
    pub(crate) fn build_all(mut cargo: Command) -> Result<Vec<Self>, SetupError> {
        let failed =
            |error: std::io::Error| SetupError::CannotRun { program: "cargo".into(), reason: error.to_string() };
        cargo.args(["--no-run", "--message-format=json-render-diagnostics"]);
        let mut child = cargo.stdout(Stdio::piped()).spawn().map_err(failed)?;
        let mut programs = Vec::new();
        if let Some(messages) = child.stdout.take() {
            for line in BufReader::new(messages).lines() {
                programs.extend(Self::from_message(&line.map_err(failed)?));
            }
        }
        if !child.wait().map_err(failed)?.success() {
            return Err(SetupError::BuildFailed { what: "the tests".to_owned() });
        }
        Ok(programs)
    }

    /// The program in a message of cargo; `None` if the message is about something else.
    fn from_message(line: &str) -> Option<Self> {
        let message: Value = serde_json::from_str(line).ok()?;
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let is_test = message["reason"] == "compiler-artifact" && message["profile"]["test"] == true;
        let package = Path::new(message["manifest_path"].as_str()?).parent()?.to_owned();
        let program =
            Self { name: text(&message["target"]["name"])?, path: text(&message["executable"])?.into(), package };
        is_test.then_some(program)
    }

    /// The command that starts the program as cargo would.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(&self.path);
        command.current_dir(&self.package).env("CARGO_MANIFEST_DIR", &self.package);
        command
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_programs_are_found_in_messages() {
        let message = |test: bool, executable: Option<&str>| {
            serde_json::json!({
                "reason": "compiler-artifact",
                "manifest_path": "/p/solve/Cargo.toml",
                "target": { "name": "cli" },
                "profile": { "test": test },
                "executable": executable,
            })
            .to_string()
        };
        let found = TestProgram::from_message(&message(true, Some("/p/target/cli-1"))).expect("a program");
        assert_eq!(
            (found.name.as_str(), found.path.as_path(), found.package.as_path()),
            ("cli", Path::new("/p/target/cli-1"), Path::new("/p/solve"))
        );
        for other in
            [&message(false, Some("/p/target/cli")), &message(true, None), r#"{"reason":"build-finished"}"#, "x"]
        {
            assert_eq!(TestProgram::from_message(other), None, "{other}");
        }
    }
}
