//! The speed of the web page in each browser, on this machine: web/tests/measure.mjs, run by Node.js.

use std::process::{Command, Stdio};

use setup::browsers::{self, BROWSERS};
use setup::progress::Step;
use setup::{Server, SetupError};

use crate::trouble::Trouble;

/// Tells the figures of each browser. There is no limit that they could pass.
pub fn run() -> Result<bool, Trouble> {
    let about = |error: SetupError| Trouble(error.to_string());
    let step = Step::new(1, 1, "page");
    step.say("building, and starting its server");
    let server = Server::start(|line| step.say(line)).map_err(about)?;
    for missing in [browsers::node(&step).map_err(about)?, browsers::packages(&step).map_err(about)?] {
        missing.map_or(Ok(()), |reason| Err(Trouble(format!("The measurement {reason}."))))?;
    }
    for browser in &BROWSERS {
        let path = browser.find_or_install(&step).map_err(about)?;
        let path = path.map_err(|reason| Trouble(format!("The measurement {reason}.")))?;
        step.say(&format!("measuring in {}", path.display()));
        let mut node = Command::new("node");
        node.arg(setup::root().join("web").join("tests").join("measure.mjs")).stdin(Stdio::null());
        node.env("LIGHTS_OUT_ADDRESS", &server.address).env("LIGHTS_OUT_BROWSER", path);
        node.env("LIGHTS_OUT_BROWSER_KIND", browser.kind);
        let status = node.status().map_err(|error| Trouble(format!("node could not be started: {error}")))?;
        if !status.success() {
            return Err(Trouble(format!("The page could not be measured in {}.", browser.kind)));
        }
    }
    Ok(true)
}
