//! Stands in for the crate `sha2`, by a `[patch]` in the workspace's Cargo.toml.
//!
//! The RP2350 has a part that computes SHA-256, and `rp2350-emu` has it too; a firmware that somebody drops on the page may use it, ours
//! does not. The real crate brings seven others, one with a build script, before the emulator can be built. So here is the
//! algorithm of FIPS 180-4 alone, without what makes it fast.
#![forbid(unsafe_code)]

/// Bytes that are taken at a time.
const BLOCK: usize = 64;

/// The roots of the first eight primes: the first 32 bits behind the point.
const START: [u32; 8] =
    [0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB, 0x5BE0_CD19];

/// The cube roots of the first 64, in the same way.
const ROUNDS: [u32; 64] = [
    0x428A_2F98,
    0x7137_4491,
    0xB5C0_FBCF,
    0xE9B5_DBA5,
    0x3956_C25B,
    0x59F1_11F1,
    0x923F_82A4,
    0xAB1C_5ED5,
    0xD807_AA98,
    0x1283_5B01,
    0x2431_85BE,
    0x550C_7DC3,
    0x72BE_5D74,
    0x80DE_B1FE,
    0x9BDC_06A7,
    0xC19B_F174,
    0xE49B_69C1,
    0xEFBE_4786,
    0x0FC1_9DC6,
    0x240C_A1CC,
    0x2DE9_2C6F,
    0x4A74_84AA,
    0x5CB0_A9DC,
    0x76F9_88DA,
    0x983E_5152,
    0xA831_C66D,
    0xB003_27C8,
    0xBF59_7FC7,
    0xC6E0_0BF3,
    0xD5A7_9147,
    0x06CA_6351,
    0x1429_2967,
    0x27B7_0A85,
    0x2E1B_2138,
    0x4D2C_6DFC,
    0x5338_0D13,
    0x650A_7354,
    0x766A_0ABB,
    0x81C2_C92E,
    0x9272_2C85,
    0xA2BF_E8A1,
    0xA81A_664B,
    0xC24B_8B70,
    0xC76C_51A3,
    0xD192_E819,
    0xD699_0624,
    0xF40E_3585,
    0x106A_A070,
    0x19A4_C116,
    0x1E37_6C08,
    0x2748_774C,
    0x34B0_BCB5,
    0x391C_0CB3,
    0x4ED8_AA4A,
    0x5B9C_CA4F,
    0x682E_6FF3,
    0x748F_82EE,
    0x78A5_636F,
    0x84C8_7814,
    0x8CC7_0208,
    0x90BE_FFFA,
    0xA450_6CEB,
    0xBEF9_A3F7,
    0xC671_78F2,
];

/// Takes whole blocks into the state.
pub fn compress256(state: &mut [u32; 8], blocks: &[[u8; BLOCK]]) {
    for block in blocks {
        take(state, block);
    }
}

fn take(state: &mut [u32; 8], block: &[u8; BLOCK]) {
    let mut words = [0; 64];
    for (word, bytes) in words.iter_mut().zip(block.as_chunks::<4>().0) {
        *word = u32::from_be_bytes(*bytes);
    }
    for at in 16..64 {
        let (near, far): (u32, u32) = (words[at - 2], words[at - 15]);
        let near = near.rotate_right(17) ^ near.rotate_right(19) ^ near >> 10;
        let far = far.rotate_right(7) ^ far.rotate_right(18) ^ far >> 3;
        words[at] = near.wrapping_add(words[at - 7]).wrapping_add(far).wrapping_add(words[at - 16]);
    }
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    for (word, round) in words.into_iter().zip(ROUNDS) {
        let sum = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
        let first = [sum, e & f ^ !e & g, round, word].into_iter().fold(h, u32::wrapping_add);
        let sum = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
        let second = sum.wrapping_add(a & b ^ a & c ^ b & c);
        [a, b, c, d, e, f, g, h] = [first.wrapping_add(second), a, b, c, d.wrapping_add(first), e, f, g];
    }
    for (old, new) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *old = old.wrapping_add(new);
    }
}

/// What can be asked of [`Sha256`].
pub trait Digest {
    /// Of nothing yet.
    fn new() -> Self;

    /// Takes more bytes.
    fn update(&mut self, bytes: impl AsRef<[u8]>);

    /// The sum of all of them.
    fn finalize(self) -> [u8; 32];
}

/// The sum of a message that comes in parts.
#[derive(Clone, Debug, Default)]
pub struct Sha256 {
    message: Vec<u8>,
}

impl Digest for Sha256 {
    fn new() -> Self {
        Self::default()
    }

    fn update(&mut self, bytes: impl AsRef<[u8]>) {
        self.message.extend_from_slice(bytes.as_ref());
    }

    fn finalize(self) -> [u8; 32] {
        let mut message = self.message;
        let bits = 8 * message.len() as u64;
        // A one, zeros, and the number of bits fill the last block.
        message.push(0x80);
        message.resize((message.len() + 8).next_multiple_of(BLOCK) - 8, 0);
        message.extend(bits.to_be_bytes());
        let mut state = START;
        compress256(&mut state, message.as_chunks().0);
        let mut sum = [0; 32];
        sum.copy_from_slice(state.map(u32::to_be_bytes).as_flattened());
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(parts: &[&[u8]]) -> String {
        let mut hasher = Sha256::new();
        parts.iter().for_each(|part| hasher.update(part));
        hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The examples of FIPS 180-4 and of its test vectors: none, one and two blocks.
    #[test]
    fn sums_are_the_known_ones() {
        assert_eq!(sum(&[]), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        assert_eq!(sum(&[b"a", b"bc"]), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        let two = b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
        assert_eq!(sum(&[two]), "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
        let million = vec![b'a'; 1_000_000];
        assert_eq!(sum(&[&million]), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    }
}
