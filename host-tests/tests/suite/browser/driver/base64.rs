//! Bytes as letters, which is how both protocols carry files.

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

pub fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let bits = three.iter().fold(0u32, |bits, &byte| bits << 8 | u32::from(byte)) << (8 * (3 - three.len()));
        for place in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * place)) as usize & 63];
            text.push(if place <= three.len() { letter.into() } else { '=' });
        }
    }
    text
}

pub fn decode(text: &str) -> Vec<u8> {
    let value = |letter: u8| LETTERS.iter().position(|&known| known == letter).expect("base64") as u32;
    let letters: Vec<u32> = text.bytes().filter(|&letter| letter != b'=').map(value).collect();
    letters
        .chunks(4)
        .flat_map(|four| {
            let bits = four.iter().fold(0, |bits, six| bits << 6 | six) << (6 * (4 - four.len()));
            bits.to_be_bytes()[1..four.len()].to_vec()
        })
        .collect()
}

#[test]
fn there_and_back() {
    for (bytes, text) in
        [(&b""[..], ""), (b"M", "TQ=="), (b"Ma", "TWE="), (b"Man", "TWFu"), (b"\xFF\xFE\xFD\xFC", "//79/A==")]
    {
        assert_eq!(encode(bytes), text);
        assert_eq!(decode(text), bytes);
    }
}
