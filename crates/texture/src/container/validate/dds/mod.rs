//! DDS: header, pixel format, capabilities, DX10 header, data. Each stage reports what it finds, and the next
//! ones continue with what is known.

mod caps;
mod data;
mod dx10;
mod head;
mod layout;
mod pixel_format;

use super::{dds_rules as rules, finding::Findings, section};
use crate::container::{ContainerError, byte_source::ByteSource};

pub(super) fn check(source: &mut ByteSource<'_>, findings: &mut Findings) -> Result<(), ContainerError> {
    let Some(head) = head::read(source, findings)? else { return Ok(()) };
    let layout = pixel_format::check(&head, findings);
    let layout = match &head.dx10 {
        Some(dx10) => dx10::check(&head, dx10, findings),
        None => layout,
    };
    head::check(&head, layout, findings);
    caps::check(&head, findings);
    data::check(source, &head, layout, findings);
    Ok(())
}
