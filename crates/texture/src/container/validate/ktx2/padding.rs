//! Bytes between the parts of the file, and after the last one.

use super::{
    head::{HEAD_BYTES, Head},
    levels::Entry,
    rules,
};
use crate::container::{ContainerError, byte_source::ByteSource, validate::finding::Findings};
use ::ktx2::LevelIndex;

/// Bytes of a gap that are examined. Correct gaps have fewer than 1024.
const MAX_GAP: u64 = 1 << 16;

pub(super) fn check(
    source: &mut ByteSource<'_>,
    head: &Head,
    entries: &[Entry],
    findings: &mut Findings,
) -> Result<(), ContainerError> {
    let named = [
        (head.descriptor, "the data format descriptor"),
        (head.key_values, "the key/value data"),
        (head.global, "the supercompression global data"),
    ];
    let levels = entries.iter().rev().map(|entry| (entry.data, "a mip level"));
    let mut position = HEAD_BYTES + LevelIndex::LENGTH as u64 * u64::from(head.levels());
    for (section, name) in named.into_iter().chain(levels) {
        if section.offset == 0 || section.is_empty() {
            continue;
        }
        let gap = section.offset.min(source.len()).saturating_sub(position);
        let bytes = source.bytes(position, gap.min(MAX_GAP))?;
        check_zeros(&bytes, position, &format!("before {name}"), findings);
        position = position.max(section.end());
    }
    let trailing = source.len().saturating_sub(position);
    findings.add_if(trailing > 0 && !entries.is_empty(), &rules::TRAILING_BYTES, position, || {
        format!("{trailing} bytes follow the last mip level")
    });
    Ok(())
}

/// Checks padding that starts at `start` in the file.
pub(super) fn check_zeros(bytes: &[u8], start: u64, place: &str, findings: &mut Findings) {
    if let Some(index) = bytes.iter().position(|&byte| byte != 0) {
        let message = format!("a padding byte {place} is {}", bytes[index]);
        findings.add(&rules::PADDING, start + index as u64, message);
    }
}
