//! The reason why a figure could not be measured.
//!
//! A firmware that does not behave as expected is an error too: figures of another behaviour cannot be compared.

use player::MissingScreen;

/// A sentence for the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MeasureError(pub(crate) String);

impl std::fmt::Display for MeasureError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<MissingScreen> for MeasureError {
    fn from(unseen: MissingScreen) -> Self {
        Self(unseen.to_string())
    }
}

impl From<setup::SetupError> for MeasureError {
    fn from(error: setup::SetupError) -> Self {
        Self(error.to_string())
    }
}
