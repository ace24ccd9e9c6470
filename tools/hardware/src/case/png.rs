//! Writes a PNG file: the smallest form of it, for pictures that we draw ourselves.

use crc::{CRC_32_ISO_HDLC, Crc};
use miniz_oxide::deflate::compress_to_vec_zlib;

/// The best that the compressor can do.
const HARDEST: u8 = 10;

/// The file of a picture in red, green and blue, row by row from the top.
pub fn write(width: usize, pixels: &[[u8; 3]]) -> Vec<u8> {
    let height = pixels.len() / width;
    let mut header = Vec::new();
    header.extend((width as u32).to_be_bytes());
    header.extend((height as u32).to_be_bytes());
    // Eight bits a colour, red green blue, and the only compression, filter and order that there are.
    header.extend([8, 2, 0, 0, 0]);
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    chunk(&mut file, b"IHDR", &header);
    chunk(&mut file, b"IDAT", &compress_to_vec_zlib(&filtered(width, pixels), HARDEST));
    chunk(&mut file, b"IEND", &[]);
    file
}

/// Each row as what differs from a guess, which compresses better; filter 4 guesses by the pixels to the left and above.
fn filtered(width: usize, pixels: &[[u8; 3]]) -> Vec<u8> {
    let mut data = Vec::new();
    for (y, row) in pixels.chunks(width).enumerate() {
        data.push(4);
        let above = |x: usize| if y > 0 { pixels[(y - 1) * width + x] } else { [0; 3] };
        for (x, pixel) in row.iter().enumerate() {
            let (left, corner) = if x > 0 { (row[x - 1], above(x - 1)) } else { ([0; 3], [0; 3]) };
            for colour in 0..3 {
                data.push(pixel[colour].wrapping_sub(guess(left[colour], above(x)[colour], corner[colour])));
            }
        }
    }
    data
}

/// Paeth's guess: the neighbour that is nearest to left + above - corner.
fn guess(left: u8, above: u8, corner: u8) -> u8 {
    let plane = i16::from(left) + i16::from(above) - i16::from(corner);
    let far = |value: u8| (plane - i16::from(value)).abs();
    if far(left) <= far(above) && far(left) <= far(corner) {
        left
    } else if far(above) <= far(corner) {
        above
    } else {
        corner
    }
}

fn chunk(file: &mut Vec<u8>, name: &[u8; 4], data: &[u8]) {
    file.extend((data.len() as u32).to_be_bytes());
    let start = file.len();
    file.extend(name);
    file.extend(data);
    let checksum = Crc::<u32>::new(&CRC_32_ISO_HDLC).checksum(&file[start..]);
    file.extend(checksum.to_be_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;
    use miniz_oxide::inflate::decompress_to_vec_zlib;

    #[test]
    fn the_pixels_come_back() {
        let pixels: Vec<[u8; 3]> = (0..12).map(|i| [i * 20, 255 - i, i * i]).collect();
        let file = write(4, &pixels);
        let start = 8 + 25 + 8;
        let end = file.len() - 12 - 4;
        let data = decompress_to_vec_zlib(&file[start..end]).unwrap();
        let mut back: Vec<[u8; 3]> = Vec::new();
        for (y, row) in data.chunks(13).enumerate() {
            for x in 0..4 {
                let known =
                    |dx: usize, dy: usize| if x >= dx && y >= dy { back[(y - dy) * 4 + x - dx] } else { [0; 3] };
                let (left, above, corner) = (known(1, 0), known(0, 1), known(1, 1));
                let colour = |i: usize| row[1 + 3 * x + i].wrapping_add(guess(left[i], above[i], corner[i]));
                back.push([0, 1, 2].map(colour));
            }
        }
        assert_eq!(back, pixels);
    }
}
