//! Why a figure could not be measured. What is expected of the firmware and does not happen is a [`Trouble`]: figures of
//! a firmware that does something else would mean nothing.

use player::Unseen;

/// In a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble(pub String);

impl std::fmt::Display for Trouble {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<Unseen> for Trouble {
    fn from(unseen: Unseen) -> Self {
        Self(unseen.to_string())
    }
}
