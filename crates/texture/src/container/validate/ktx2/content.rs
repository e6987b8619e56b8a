//! Supercompressed data of mip levels.

use super::{
    format::TexelBlock,
    head::{Head, offset, scheme},
    levels::{Entry, level_bytes},
    rules,
};
use crate::{
    Task,
    container::{
        ContainerError,
        byte_source::ByteSource,
        ktx2::zstd,
        validate::{Rule, finding::Findings},
    },
};
use std::io::Read;

const BUFFER_BYTES: usize = 1 << 16;

/// `block` is the texel block of a format that is defined.
pub(super) fn check(
    source: &mut ByteSource<'_>,
    head: &Head,
    block: Option<TexelBlock>,
    entries: &[Entry],
    findings: &mut Findings,
    task: &Task<'_>,
) -> Result<(), ContainerError> {
    match head.scheme {
        scheme::NONE => return Ok(()),
        scheme::ZSTANDARD => {}
        scheme => {
            let name = match scheme {
                scheme::BASIS_LZ => "BasisLZ",
                scheme::ZLIB => "ZLIB",
                scheme::BASIS_HDR => "UASTC HDR 6×6",
                // An unknown scheme has its own finding.
                _ => return Ok(()),
            };
            findings.add(&rules::NOT_EXAMINED, offset::SCHEME, format!("level data in {name} is not read"));
            return Ok(());
        }
    }
    // A few bytes may become many, so all mip levels together have a limit.
    let mut left = source.limit();
    for (level, entry) in entries.iter().enumerate() {
        if source.check_range(entry.data.offset, entry.data.length).is_err() {
            continue;
        }
        let needed = block.map_or(u64::MAX, |block| level_bytes(head, block, level as u32));
        let most = entry.uncompressed_length.min(needed);
        if most > left {
            let message = format!(
                "mip level {level} was not decompressed: it has {most} bytes, and the limit leaves {left}"
            );
            findings.add(&rules::NOT_EXAMINED, entry.data.offset, message);
            continue;
        }
        left -= most;
        let compressed = source.bytes(entry.data.offset, entry.data.length)?;
        match inflated_bytes(&compressed, source.limit(), most, task) {
            Ok(count) if count == entry.uncompressed_length => {}
            Ok(count) => {
                let relation = if count > most { "more" } else { "fewer" };
                let message = format!(
                    "mip level {level} has {relation} than its uncompressedByteLength of {} bytes",
                    entry.uncompressed_length
                );
                // A wrong uncompressedByteLength has its own finding.
                if most == entry.uncompressed_length || count < most {
                    findings.add(&rules::INFLATED_LENGTH, entry.data.offset, message);
                }
            }
            Err(ContainerError::Cancelled(cancelled)) => return Err(cancelled.into()),
            Err(error) => {
                let (rule, message) = fault(level, &error);
                findings.add(rule, entry.data.offset, message);
            }
        }
    }
    Ok(())
}

/// Returns the number of bytes that Zstandard data has, or `most` + 1 if it has more.
fn inflated_bytes(compressed: &[u8], limit: u64, most: u64, task: &Task<'_>) -> Result<u64, ContainerError> {
    let mut decoder = zstd::reader(compressed, limit)?;
    let mut buffer = vec![0; BUFFER_BYTES];
    let mut count = 0;
    loop {
        task.check()?;
        match decoder.read(&mut buffer)? {
            0 => return Ok(count),
            read => count += read as u64,
        }
        if count > most {
            return Ok(most.saturating_add(1));
        }
    }
}

/// Returns the rule and the message for data that cannot be decompressed.
fn fault(level: usize, error: &ContainerError) -> (&'static Rule, String) {
    match error {
        // The crate passes on the library's error only as text.
        ContainerError::Io(error) if !error.to_string().starts_with("Frame requires too much memory") => {
            (&rules::DAMAGED_LEVEL, format!("mip level {level} cannot be decompressed: {error}"))
        }
        error => (&rules::NOT_EXAMINED, format!("mip level {level} was not decompressed: {error}")),
    }
}
