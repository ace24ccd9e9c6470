//! Writes the pictures as PNG files.

use png::{BitDepth, ColorType, Compression, Encoder, EncodingError};

/// The PNG file of an image in red, green and blue, row by row from the top.
pub(super) fn write(width: usize, pixels: &[[u8; 3]]) -> Result<Vec<u8>, EncodingError> {
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, width as u32, (pixels.len() / width) as u32);
    encoder.set_color(ColorType::Rgb);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::High);
    encoder.write_header()?.write_image_data(pixels.as_flattened())?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_are_read_back() {
        let pixels: Vec<[u8; 3]> = (0..12).map(|i| [i * 20, 255 - i, i * i]).collect();
        let file = write(4, &pixels).unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().unwrap();
        let mut read = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut read).unwrap();
        assert_eq!((info.width, info.height, read.as_slice()), (4, 3, pixels.as_flattened()));
    }
}
