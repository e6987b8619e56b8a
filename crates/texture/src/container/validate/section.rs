//! Parts of a file, read within limits.

use super::{Rule, finding::Findings};
use crate::container::{ContainerError, byte_source::ByteSource};

/// Part of a file, as an index states it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Section {
    pub offset: u64,
    pub length: u64,
}

impl Section {
    pub const fn end(self) -> u64 {
        self.offset.saturating_add(self.length)
    }

    pub const fn is_empty(self) -> bool {
        self.length == 0
    }
}

/// Returns the bytes of a section that the file contains, at most `limit` of them. If the file ends within
/// the section, this is a violation of `rule`.
///
/// # Errors
/// [`ContainerError::TooLarge`] if these bytes exceed the memory limit: rules about bytes that were not read
/// would count as followed.
pub(super) fn read(
    source: &mut ByteSource<'_>,
    section: Section,
    limit: u64,
    (rule, name): (&'static Rule, &str),
    findings: &mut Findings,
) -> Result<Vec<u8>, ContainerError> {
    let available = source.len().saturating_sub(section.offset);
    findings.add_if(section.length > available, rule, section.offset, || {
        format!("{name} needs {} bytes, and the file has {available} there", section.length)
    });
    source.bytes(section.offset, section.length.min(available).min(limit))
}

/// Returns the word of 32 bits at `offset` of `bytes`, or 0 past their end.
pub(super) fn word(bytes: &[u8], offset: usize) -> u32 {
    bytes.get(offset..).and_then(|rest| rest.first_chunk()).copied().map_or(0, u32::from_le_bytes)
}

/// Returns the word of 64 bits at `offset` of `bytes`, or 0 past their end.
pub(super) fn long(bytes: &[u8], offset: usize) -> u64 {
    u64::from(word(bytes, offset)) | u64::from(word(bytes, offset + 4)) << 32
}
