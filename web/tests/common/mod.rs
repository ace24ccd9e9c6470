//! Test support for sessions.

use std::time::Duration;

use web::file::FileError;
use web::session::Session;

const SLICE: Duration = Duration::from_millis(50);
const SLICES: usize = 41;

/// Loads a file as the page does, with a trial.
pub(crate) fn load(session: &mut Session, file: &[u8]) -> Result<(), FileError> {
    session.begin_trial(file)?;
    let slices = std::iter::repeat_with(|| session.run_trial(SLICE));
    { slices }.take(SLICES).flatten().next().expect("the trial ends within two seconds")
}
