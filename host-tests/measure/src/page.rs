//! The web page: the size of its WebAssembly, and its speed in real browsers.
//!
//! The size is that of the file that the page's server sends, plain and compressed with gzip. The speed depends on the
//! computer and has no limit; `web/tests/measure.mjs` measures it, run by Node.js.

use std::io::Write;
use std::process::{Command, Stdio};

use flate2::Compression;
use flate2::write::GzEncoder;
use player::limits;
use setup::Server;
use setup::browsers::{self, BROWSERS};
use setup::progress::Step;

use crate::error::MeasureError;
use crate::figure::{Figure, Unit};
use crate::report::{self, Judged};

/// The WebAssembly module, by the name that the page fetches.
const MODULE: &str = "emulator.wasm";

/// `cargo measure --page`: prints size and speed. Returns whether the size is within its limits.
pub(crate) fn run() -> Result<bool, MeasureError> {
    let step = Step::new(1, 1, "page");
    step.report("building, and starting its server");
    let server = Server::start(|line| step.report(line))?;
    let judged = judge(sizes(&server)?);
    println!("\n{}", report::plain_table(&judged));
    for missing in [browsers::install_node(&step)?, browsers::install_packages(&step)?] {
        missing.map_or(Ok(()), |reason| Err(MeasureError(format!("The measurement {reason}."))))?;
    }
    for browser in &BROWSERS {
        let path = browser.find_or_install(&step)?;
        let path = path.map_err(|reason| MeasureError(format!("The measurement {reason}.")))?;
        step.report(&format!("measuring in {}", path.display()));
        let mut node = Command::new("node");
        node.arg(setup::root().join("web").join("tests").join("measure.mjs")).stdin(Stdio::null());
        node.env("LIGHTS_OUT_ADDRESS", &server.address).env("LIGHTS_OUT_BROWSER", path);
        node.env("LIGHTS_OUT_BROWSER_KIND", browser.kind);
        let status = node.status().map_err(|error| MeasureError(format!("node could not be started: {error}")))?;
        if !status.success() {
            return Err(MeasureError(format!("The page could not be measured in {}.", browser.kind)));
        }
    }
    Ok(report::is_all_good(&judged))
}

/// Builds and serves the page, and measures the size of its WebAssembly. `progress` gets the lines that report the
/// build.
pub(crate) fn built_sizes(progress: impl Fn(&str)) -> Result<Vec<Judged>, MeasureError> {
    Ok(judge(sizes(&Server::start(progress)?)?))
}

/// The sizes have limits but no recorded values: the limits are only a few per cent above them.
fn judge(figures: Vec<Figure>) -> Vec<Judged> {
    figures.into_iter().map(|figure| Judged::new(None, figure, None)).collect()
}

fn sizes(server: &Server) -> Result<Vec<Figure>, MeasureError> {
    let module = load(&format!("{}{MODULE}", server.address))?;
    let compressed = compress(&module)?;
    let figure = |id, name, bytes: &[u8], limit: u64| {
        Figure::new(id, name, Unit::Bytes, bytes.len() as f64).not_recorded().at_most(limit as f64)
    };
    Ok(vec![
        figure("page.module", "web page: WebAssembly", &module, limits::PAGE_MODULE_BYTES),
        figure(
            "page.module.compressed",
            "web page: WebAssembly, compressed",
            &compressed,
            limits::PAGE_MODULE_COMPRESSED_BYTES,
        ),
    ])
}

fn load(address: &str) -> Result<Vec<u8>, MeasureError> {
    let failed = |error: ureq::Error| MeasureError(format!("{address} could not be loaded: {error}"));
    ureq::get(address).call().map_err(failed)?.body_mut().read_to_vec().map_err(failed)
}

/// The bytes as a web host sends them with gzip.
fn compress(bytes: &[u8]) -> Result<Vec<u8>, MeasureError> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    let compressed = encoder.write_all(bytes).and_then(|()| encoder.finish());
    compressed.map_err(|error| MeasureError(format!("the module could not be compressed: {error}")))
}
