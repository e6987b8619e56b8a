//! Length of the data.

use super::{head::Head, layout::Layout, rules};
use crate::container::{byte_source::ByteSource, validate::finding::Findings};

pub(super) fn check(source: &ByteSource<'_>, head: &Head, layout: Option<Layout>, findings: &mut Findings) {
    // With a side of 0, the length is unknown. More mip levels than the sides allow have their own finding.
    let Some(layout) = layout.filter(|_| head.width != 0 && head.height != 0) else { return };
    let needed = data_bytes(head, layout);
    let start = head.data_offset();
    let available = source.len().saturating_sub(start);
    let faces = if head.is_cube() && head.dx10.is_some() { 6 } else { 1 };
    findings.add_if(available < needed, &rules::DATA_ENDS, start, || {
        let counts_faces = faces > 1 && head.images().is_multiple_of(36);
        let hint = match counts_faces && needed / faces == available {
            true => " (arraySize seems to count faces)",
            false => "",
        };
        format!("the surfaces need {needed} bytes, and the file has {available}{hint}")
    });
    findings.add_if(available > needed, &rules::TRAILING_BYTES, start.saturating_add(needed), || {
        format!("{} bytes follow the last surface", available - needed)
    });
}

/// Returns the bytes of all surfaces; `u64::MAX` if they do not fit.
fn data_bytes(head: &Head, layout: Layout) -> u64 {
    let size = head.size();
    let levels = head.mip_levels.clamp(1, head.most_mip_levels());
    let level_bytes = (0..levels).map(|level| {
        let [width, height, depth] = size.map(|side| (side >> level).max(1));
        layout.image_bytes(width, height).saturating_mul(depth.into())
    });
    level_bytes.fold(0, u64::saturating_add).saturating_mul(head.images())
}
