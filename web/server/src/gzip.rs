//! Gzip, which every browser reads: ten bytes of head, the file compressed, its checksum and its length. RFC 1952.

use crc::{CRC_32_ISO_HDLC, Crc};
use miniz_oxide::deflate::compress_to_vec;

/// Deflate, no name, no time, no system.
const HEAD: [u8; 10] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF];
/// From 0 to 10. Above 3 it takes three times as long, for a thirtieth less.
const LEVEL: u8 = 3;
/// A copy that is not a tenth smaller is not worth a browser's time.
const PAYS: usize = 10;

static CHECKSUM: Crc<u32> = Crc::<u32>::new(&CRC_32_ISO_HDLC);

/// The file in fewer bytes, if that pays.
pub fn compressed(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut out = HEAD.to_vec();
    out.extend(compress_to_vec(bytes, LEVEL));
    out.extend(CHECKSUM.checksum(bytes).to_le_bytes());
    // The length is kept in 32 bits, whatever it is.
    out.extend((bytes.len() as u32).to_le_bytes());
    (out.len() < bytes.len() - bytes.len() / PAYS).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use miniz_oxide::inflate::decompress_to_vec;

    #[test]
    fn what_is_compressed_comes_back() {
        let text = "Lights Out. ".repeat(1000);
        let packed = compressed(text.as_bytes()).unwrap();
        assert!(packed.len() < text.len() / 20);
        let (body, tail) = packed[HEAD.len()..].split_at(packed.len() - HEAD.len() - 8);
        assert_eq!(decompress_to_vec(body).unwrap(), text.as_bytes());
        assert_eq!(tail[4..], 12_000_u32.to_le_bytes());
        // The checksum of the nine digits is in every description of it.
        assert_eq!(CHECKSUM.checksum(b"123456789"), 0xCBF4_3926);
    }

    #[test]
    fn what_does_not_get_smaller_stays() {
        assert_eq!(compressed(b""), None);
        assert_eq!(compressed(b"short"), None);
        let counted: Vec<u8> = (0..=255).collect();
        assert_eq!(compressed(&counted), None, "nothing in it comes twice");
    }
}
