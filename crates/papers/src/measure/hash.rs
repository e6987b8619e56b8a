//! Hashes of results, to compare those of two machines by eye.

use sha2::{Digest, Sha256};

/// Digits of a hash in tables of text.
pub const SHOWN_DIGITS: usize = 16;

/// Returns the SHA-256 of `bytes` as hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the first digits of a hash.
pub fn shown(hash: &str) -> &str {
    hash.get(..SHOWN_DIGITS).unwrap_or(hash)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_the_standard() {
        // FIPS 180-4, example of one block.
        let hash = sha256(b"abc");
        assert_eq!(hash, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(shown(&hash), "ba7816bf8f01cfea");
    }
}
