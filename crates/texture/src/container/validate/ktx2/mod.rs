//! KTX2: header, descriptor, level index, key/value data, padding, level data. Each stage reports what it
//! finds, and the next ones continue with what is known.

mod content;
mod descriptor;
mod format;
mod head;
mod index;
mod keys;
mod known_keys;
mod levels;
mod padding;
mod samples;

use super::{finding::Findings, ktx2_rules as rules, section};
use crate::{
    Task,
    container::{ContainerError, byte_source::ByteSource},
};
use format::FormatFacts;

pub(super) fn check(
    source: &mut ByteSource<'_>,
    findings: &mut Findings,
    task: &Task<'_>,
) -> Result<(), ContainerError> {
    let Some(head) = head::read(source, findings)? else { return Ok(()) };
    let format = FormatFacts::of(head.format);
    head::check(&head, &format, findings);
    index::check(&head, findings);
    let descriptor = descriptor::check(source, &head, &format, findings)?;
    let block = format.block().or(descriptor.block);
    let entries = levels::read(source, &head, findings)?;
    levels::check(&head, &format, block, &entries, findings);
    keys::check(source, &head, &format, &descriptor, findings)?;
    padding::check(source, &head, &entries, findings)?;
    let content = content::Content { block: block.filter(|_| format.number != 0), astc: format.astc() };
    content::check(source, &head, content, &entries, findings, task)
}
