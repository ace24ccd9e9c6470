//! What is remembered, as bytes. Decoding is total: any bytes give something that can be played on, or nothing.
//!
//! The bytes are a version, then [`Snapshot`] in the format of `postcard`. What comes back has the right shape by then;
//! whether it makes sense (a board that can be solved, a key that exists) is judged where it is taken in, by
//! [`Game::restore`](crate::game::Game::restore).

use serde::Serialize;

use crate::game::modes::SavedMode;
use crate::game::records::Records;
use crate::game::settings::Settings;
use crate::journal::MAX_PAYLOAD;
use crate::layout::Layout;

/// Goes up with every change of the format. The decoder of each older version stays, and so do its files in
/// `host-tests/corpus/save`: an update never costs a result, a drawing or the running game.
///
/// - Version 2 can have restarts in a [`History`](crate::game::history::History); what version 1 wrote reads the same.
/// - Version 3 has a layout behind all that was there before.
const VERSION: u8 = 3;

/// Everything that survives a power cut.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Snapshot {
    /// The player's choices.
    pub settings: Settings,
    /// The player's results and drawings.
    pub records: Records,
    /// The running game.
    pub mode: SavedMode,
    /// What was learned of the board; none while it is as [`Layout::REFERENCE`] says, so that a firmware that was built for
    /// another board finds its own.
    pub layout: Option<Layout>,
}

/// A snapshot as bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Save {
    bytes: [u8; MAX_PAYLOAD],
    length: usize,
}

impl Save {
    /// Encodes a snapshot. None if it does not fit, which the largest one does by far.
    pub fn of(snapshot: &Snapshot) -> Option<Self> {
        let mut bytes = [0; MAX_PAYLOAD];
        bytes[0] = VERSION;
        let length = 1 + postcard::to_slice(snapshot, &mut bytes[1..]).ok()?.len();
        Some(Self { bytes, length })
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}

/// Whether these bytes are a save of a version after this one, which [`decode`] cannot read. The version is the first byte of every
/// save, for ever.
pub fn is_newer(bytes: &[u8]) -> bool {
    bytes.first().is_some_and(|&version| version > VERSION)
}

/// Reads a snapshot from any bytes, of this version or of any before it.
// Never inlined: it is large, and called from two places.
#[inline(never)]
pub fn decode(bytes: &[u8]) -> Option<Snapshot> {
    let (&version, bytes) = bytes.split_first()?;
    let ((settings, records, mode), rest) = postcard::take_from_bytes(bytes).ok()?;
    let layout = match version {
        1 | 2 => None,
        // A layout that makes no sense is none: results are worth more than it.
        VERSION => postcard::from_bytes(rest).ok().flatten(),
        _ => return None,
    };
    Some(Snapshot { settings, records, mode, layout })
}
