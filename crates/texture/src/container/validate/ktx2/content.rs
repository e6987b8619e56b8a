//! Data of mip levels: lengths of what Zstandard compresses, and blocks of ASTC.

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
        astc_faults::AstcFaults,
        byte_source::ByteSource,
        ktx2::zstd,
        validate::{Rule, finding::Findings},
    },
};
use std::io::Read;

const BUFFER_BYTES: usize = 1 << 16;

/// Storage of the data.
#[derive(Clone, Copy)]
pub(super) struct Content {
    /// Texel block of a format that is defined.
    pub block: Option<TexelBlock>,
    /// Footprint of 2D blocks of ASTC.
    pub astc: Option<[u32; 2]>,
}

pub(super) fn check(
    source: &mut ByteSource<'_>,
    head: &Head,
    Content { block, astc }: Content,
    entries: &[Entry],
    findings: &mut Findings,
    task: &Task<'_>,
) -> Result<(), ContainerError> {
    match head.scheme {
        scheme::NONE => {
            let Some(extent) = astc else { return Ok(()) };
            let length = source.len();
            let ranges = entries.iter().map(|entry| {
                let start = entry.data.offset.min(length);
                start..start + entry.data.length.min(length - start) / 16 * 16
            });
            let first = entries.first().map_or(0, |entry| entry.data.offset);
            add_faults(AstcFaults::in_file(extent, source, ranges)?, first, findings);
            return Ok(());
        }
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
    let mut faults = AstcFaults::default();
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
        let examine = |blocks: &[u8]| {
            if let Some(extent) = astc {
                faults.add(extent, blocks);
            }
        };
        match inflated_bytes(&compressed, source.limit(), most, examine, task) {
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
    add_faults(faults, entries.first().map_or(0, |entry| entry.data.offset), findings);
    Ok(())
}

fn add_faults(faults: AstcFaults, offset: u64, findings: &mut Findings) {
    if let Some(message) = faults.note() {
        findings.add(&rules::ILLEGAL_BLOCKS, offset, message);
    }
}

/// Returns the number of bytes that Zstandard data has, or `most` + 1 if it has more. `examine` receives them
/// in whole blocks.
fn inflated_bytes(
    compressed: &[u8],
    limit: u64,
    most: u64,
    mut examine: impl FnMut(&[u8]),
    task: &Task<'_>,
) -> Result<u64, ContainerError> {
    let mut decoder = zstd::reader(compressed, limit)?;
    let mut buffer = vec![0; BUFFER_BYTES];
    let mut count = 0;
    loop {
        task.check()?;
        let mut filled = 0;
        while filled < buffer.len() {
            match decoder.read(&mut buffer[filled..])? {
                0 => break,
                read => filled += read,
            }
        }
        if filled == 0 {
            return Ok(count);
        }
        examine(&buffer[..filled]);
        count += filled as u64;
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
