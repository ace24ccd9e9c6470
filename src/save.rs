//! The format of a save. The decoder accepts any bytes: it returns a snapshot or nothing, and never panics.
//!
//! The bytes are a version number, then a [`Snapshot`] in the format of `postcard`. The decoder checks the format.
//! [`Game::restore`](crate::game::Game::restore) checks the content, for example whether a board can be solved.

use serde::Serialize;

use crate::game::modes::SavedMode;
use crate::game::records::Records;
use crate::game::settings::Settings;
use crate::journal::MAX_PAYLOAD;
use crate::layout::Layout;

/// The version of the format. It is increased with every change. The decoder of each older version stays, and so do its
/// files in `host-tests/corpus/save`: an update never loses a result, a drawing or the running game.
///
/// - Version 2 can have restarts in a [`History`](crate::game::history::History). Saves of version 1 are read the same
///   way.
/// - Version 3 has a layout after the content of version 2.
const VERSION: u8 = 3;

/// Everything that survives a power cut.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Snapshot {
    /// The settings of the player.
    pub settings: Settings,
    /// The results and drawings of the player.
    pub records: Records,
    /// The running game.
    pub mode: SavedMode,
    /// The layout that the handheld was taught. None for [`Layout::REFERENCE`], so that a firmware that is built for
    /// another board uses the reference layout of that board.
    pub layout: Option<Layout>,
}

/// A snapshot as bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Save {
    bytes: [u8; MAX_PAYLOAD],
    length: usize,
}

impl Save {
    /// Encodes a snapshot. None if it is too long. Even the largest snapshot fits.
    pub fn of(snapshot: &Snapshot) -> Option<Self> {
        let mut bytes = [0; MAX_PAYLOAD];
        bytes[0] = VERSION;
        let length = 1 + postcard::to_slice(snapshot, &mut bytes[1..]).ok()?.len();
        Some(Self { bytes, length })
    }

    /// The bytes of the save.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}

/// Whether these bytes are a save of a newer version, which [`decode`] cannot read. In every version, the first byte
/// of a save is the version number.
pub fn is_newer(bytes: &[u8]) -> bool {
    bytes.first().is_some_and(|&version| version > VERSION)
}

/// Reads a snapshot of this version or of an older one. The input can be any bytes.
// Not inlined: the function is large, and has two callers.
#[inline(never)]
pub fn decode(bytes: &[u8]) -> Option<Snapshot> {
    let (&version, bytes) = bytes.split_first()?;
    let ((settings, records, mode), rest) = postcard::take_from_bytes(bytes).ok()?;
    let layout = match version {
        1 | 2 => None,
        // An invalid layout is ignored, so that the results are not lost with it.
        VERSION => postcard::from_bytes(rest).ok().flatten(),
        _ => return None,
    };
    Some(Snapshot { settings, records, mode, layout })
}
