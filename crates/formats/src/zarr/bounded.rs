//! Decoders that stop at a limit. Those of zarrs allocate the size that compressed bytes claim.

use std::io::Read;

/// Inflates a zlib stream of at most `limit` bytes.
///
/// # Errors
/// Reason why it is damaged, or larger.
pub fn zlib(bytes: &[u8], limit: usize) -> Result<Vec<u8>, String> {
    bounded(&mut flate2::read::ZlibDecoder::new(bytes), limit, "zlib")
}

/// Decodes Zstandard frames of at most `limit` bytes.
///
/// # Errors
/// Reason why they are damaged, or larger.
pub fn zstd(bytes: &[u8], limit: usize) -> Result<Vec<u8>, String> {
    let mut decoder =
        zstd::stream::read::Decoder::with_buffer(bytes).map_err(|error| format!("zstd: {error}"))?;
    bounded(&mut decoder, limit, "zstd")
}

/// Reads a decoder to its end, at most `limit` bytes. `name` is for errors.
///
/// # Errors
/// Reason why the bytes are damaged, or more.
pub fn bounded(decoder: &mut dyn Read, limit: usize, name: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let read = decoder.take(limit as u64 + 1).read_to_end(&mut bytes);
    read.map_err(|error| format!("{name}: {error}"))?;
    if bytes.len() > limit {
        return Err(format!("{name}: unpacks to more than the {limit} bytes that a chunk can need"));
    }
    Ok(bytes)
}
