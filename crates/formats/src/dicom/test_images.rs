//! Functions for the tests of the decoders of JPEG formats.

use crate::{FormatError, SliceShape};

/// Decoder of an image.
pub type Unpack = fn(&[u8], SliceShape, &mut [u8]) -> Result<(), FormatError>;

/// Returns the first image of a file in `test-data/jpegs`, which begins with the bytes `start`.
#[cfg(feature = "dicom-jpegs")]
pub fn image(file: &str, start: &[u8]) -> Vec<u8> {
    let path = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/test-data/jpegs")).join(file);
    let file = std::fs::read(path).expect("a file");
    let first = file.windows(start.len()).position(|bytes| bytes == start).expect("an image");
    let end = file.windows(2).rposition(|bytes| bytes == [0xff, 0xd9]).expect("an end");
    file[first..end + 2].to_vec()
}

pub fn unpacked(unpack: Unpack, stream: &[u8], shape: SliceShape) -> Result<Vec<u8>, FormatError> {
    let mut bytes = vec![0; shape.header(1)?.raw_bytes()? as usize];
    unpack(stream, shape, &mut bytes).map(|()| bytes)
}

/// Asserts that an image is refused for a reason.
pub fn assert_error(unpack: Unpack, stream: &[u8], shape: SliceShape, reason: &str) {
    let error = unpacked(unpack, stream, shape).expect_err(reason).to_string();
    assert!(error.contains(reason), "{error}, not {reason}");
}

/// Asserts that a sound image is refused with each of these changes: position, byte, and reason.
pub fn assert_refused(unpack: Unpack, good: &[u8], shape: SliceShape, changes: &[(usize, u8, &str)]) {
    for &(at, byte, reason) in changes {
        let mut bad = good.to_vec();
        bad[at] = byte;
        assert_error(unpack, &bad, shape, reason);
    }
}

/// Asserts that a sound image with one damaged byte is an error or another image, never a panic. Changes the
/// lowest `bits` of each byte. Images that are cut more than `tail` bytes before their end must be errors.
pub fn assert_no_panic(unpack: Unpack, good: &[u8], shape: SliceShape, bits: u32, tail: usize) {
    assert!(unpacked(unpack, good, shape).is_ok());
    for at in 0..good.len() {
        let flipped = (0..bits).map(|bit| good[at] ^ 1 << bit);
        for byte in flipped.chain([0, 0xff]) {
            let mut bad = good.to_vec();
            bad[at] = byte;
            let _ = unpacked(unpack, &bad, shape);
        }
        if at + tail < good.len() {
            assert!(unpacked(unpack, &good[..at], shape).is_err(), "cut at {at}");
        }
    }
}
