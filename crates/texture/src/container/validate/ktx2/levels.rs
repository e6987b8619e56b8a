//! Level index: order, position and length of the mip levels.

use super::{
    format::{FormatFacts, TexelBlock},
    head::{HEAD_BYTES, Head, scheme},
    rules,
    section::{self, Section, long},
};
use crate::container::{ContainerError, byte_source::ByteSource, validate::finding::Findings};
use ::ktx2::LevelIndex;

/// Entry of the level index.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    pub data: Section,
    pub uncompressed_length: u64,
    /// Position of the entry in the file.
    pub at: u64,
}

/// Reads the entries of the level index that the file contains, the largest mip level first.
pub(super) fn read(
    source: &mut ByteSource<'_>,
    head: &Head,
    findings: &mut Findings,
) -> Result<Vec<Entry>, ContainerError> {
    let length = LevelIndex::LENGTH as u64 * u64::from(head.levels());
    let section = Section { offset: HEAD_BYTES, length };
    let bytes = section::read(source, section, length, (&rules::FILE_ENDS, "the level index"), findings)?;
    let entries = bytes.chunks_exact(LevelIndex::LENGTH).enumerate().map(|(level, entry)| Entry {
        data: Section { offset: long(entry, 0), length: long(entry, 8) },
        uncompressed_length: long(entry, 16),
        at: HEAD_BYTES + (LevelIndex::LENGTH * level) as u64,
    });
    let entries: Vec<_> = entries.collect();
    for (level, Entry { data, .. }) in entries.iter().enumerate() {
        let available = source.len().saturating_sub(data.offset);
        findings.add_if(data.length > available, &rules::FILE_ENDS, data.offset, || {
            format!("mip level {level} needs {} bytes, and the file has {available} there", data.length)
        });
    }
    Ok(entries)
}

/// Returns the bytes of a mip level with all its layers, faces and slices; `u64::MAX` if they do not fit.
pub(super) fn level_bytes(head: &Head, block: TexelBlock, level: u32) -> u64 {
    let [width, height, depth] = [head.width, head.height, head.depth].map(|side| (side >> level).max(1));
    let counts = [
        width.div_ceil(block.size[0]),
        height.div_ceil(block.size[1]),
        depth.div_ceil(block.size[2]),
        head.face_count.max(1),
        head.layer_count.max(1),
    ];
    counts.iter().fold(u64::from(block.bytes), |bytes, &count| bytes.saturating_mul(count.into()))
}

pub(super) fn check(
    head: &Head,
    format: &FormatFacts,
    block: Option<TexelBlock>,
    entries: &[Entry],
    findings: &mut Findings,
) {
    if entries.len() < head.levels() as usize {
        return;
    }
    for (level, pair) in entries.windows(2).enumerate() {
        let [larger, smaller] = [pair[0], pair[1]];
        let is_ordered = smaller.uncompressed_length <= larger.uncompressed_length;
        findings.add_if(!is_ordered, &rules::INDEX_ORDER, smaller.at + 16, || {
            let (large, small) = (larger.uncompressed_length, smaller.uncompressed_length);
            format!("mip level {level} has {large} bytes, and mip level {} has {small}", level + 1)
        });
        findings.add_if(smaller.data.offset > larger.data.offset, &rules::LEVEL_ORDER, smaller.at, || {
            let (large, small) = (larger.data.offset, smaller.data.offset);
            format!("mip level {level} is at byte {large}, and mip level {} at {small}", level + 1)
        });
    }
    let block_bytes = block.map_or(1, |block| u64::from(block.bytes).max(1));
    let alignment = if head.scheme == scheme::NONE { lcm_with_4(block_bytes) } else { 1 };
    // Only the size of levels of known formats is known.
    let known = block.filter(|_| format.expected.is_some());
    let stored = known.filter(|_| head.scheme == scheme::NONE);
    let mut end = end_of_head(head);
    for (level, entry) in entries.iter().enumerate().rev() {
        let Entry { data, uncompressed_length, at } = *entry;
        let expected = end.checked_next_multiple_of(alignment).unwrap_or(u64::MAX);
        if !data.offset.is_multiple_of(alignment) {
            let message = format!(
                "mip level {level} is at byte {}; expected byte {expected}, a multiple of {alignment}",
                data.offset
            );
            findings.add(&rules::LEVEL_ALIGNMENT, at, message);
        } else if data.offset != expected {
            let message = format!("mip level {level} is at byte {}; expected byte {expected}", data.offset);
            findings.add(&rules::LEVEL_OFFSET, at, message);
        }
        let needed = |block| level_bytes(head, block, level as u32);
        if let Some(needed) = stored.map(needed) {
            findings.add_if(data.length != needed, &rules::LEVEL_LENGTH, at + 8, || {
                format!("byteLength of mip level {level} is {}, and it has {needed} bytes", data.length)
            });
        }
        let name = format!("uncompressedByteLength of mip level {level} is {uncompressed_length}");
        if head.is_basis() {
            findings.add_if(uncompressed_length != 0, &rules::BASIS_UNCOMPRESSED, at + 16, || name);
        } else if let Some(needed) = known.map(needed) {
            findings.add_if(uncompressed_length != needed, &rules::LEVEL_UNCOMPRESSED, at + 16, || {
                format!("{name}, and it has {needed} bytes")
            });
        } else if uncompressed_length == 0 {
            findings.add(&rules::UNDEFINED_UNCOMPRESSED, at + 16, name);
        } else {
            let images = u64::from(head.layer_count.max(1)) * u64::from(head.face_count.max(1));
            findings.add_if(!uncompressed_length.is_multiple_of(images), &rules::DIVISIBLE, at + 16, || {
                format!("{name}, and it has {images} images")
            });
        }
        end = match stored {
            // The lengths are known, so a wrong entry does not displace the others.
            Some(block) => expected.saturating_add(level_bytes(head, block, level as u32)),
            None => data.end(),
        };
    }
}

/// Returns the end of the last section before the mip levels.
fn end_of_head(head: &Head) -> u64 {
    let sections = [head.global, head.key_values, head.descriptor];
    let last = sections.into_iter().find(|section| !section.is_empty());
    last.map_or(HEAD_BYTES + LevelIndex::LENGTH as u64 * u64::from(head.levels()), Section::end)
}

/// Returns the least common multiple with 4 of a number from 1 to 255.
const fn lcm_with_4(number: u64) -> u64 {
    match number % 4 {
        0 => number,
        2 => 2 * number,
        _ => 4 * number,
    }
}
