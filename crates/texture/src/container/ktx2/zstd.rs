//! Zstandard, the supported supercompression of KTX2. Without the feature `ktx2-zstd`, `without_zstd.rs`
//! replaces this module.

use super::super::ContainerError;
use std::io::{BufRead, Read, Write};

/// Base-2 logarithms of Zstandard's smallest window (1 KiB) and of the largest one that its library allows by
/// default (128 MiB). Between them, the memory limit decides.
const WINDOW_LOG_RANGE: (u32, u32) = (10, 27);

/// Returns a reader that decompresses `compressed`. Its window takes at most `memory_limit` bytes, or 1 KiB
/// if the limit is below that.
pub(crate) fn reader<B: BufRead>(compressed: B, memory_limit: u64) -> Result<impl Read, ContainerError> {
    let mut decoder = ::zstd::stream::read::Decoder::with_buffer(compressed)?;
    let (least, most) = WINDOW_LOG_RANGE;
    decoder.window_log_max(memory_limit.max(1).ilog2().clamp(least, most))?;
    Ok(decoder)
}

/// Compresses the `byte_count` bytes that `parts` yields. Fails if `parts` fails.
pub(crate) fn compress<'a>(
    parts: impl Iterator<Item = Result<&'a [u8], ContainerError>>,
    byte_count: u64,
    level: i32,
) -> Result<Vec<u8>, ContainerError> {
    if level == 0 || !::zstd::compression_level_range().contains(&level) {
        return Err(ContainerError::unsupported(format!("Zstandard level {level}")));
    }
    let mut encoder = ::zstd::stream::write::Encoder::new(Vec::new(), level)?;
    encoder.include_contentsize(true)?;
    // Four bytes a level; a reader finds damaged data that would decode to other texels.
    encoder.include_checksum(true)?;
    encoder.set_pledged_src_size(Some(byte_count))?;
    for part in parts {
        encoder.write_all(part?)?;
    }
    Ok(encoder.finish()?)
}
