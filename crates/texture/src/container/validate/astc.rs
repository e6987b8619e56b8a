//! `.astc`: header, length of the data, blocks.

use super::{astc_rules as rules, finding::Findings};
use crate::container::{
    ContainerError,
    astc_faults::AstcFaults,
    astc_header::{HEADER_BYTES, Header, MAGIC, offset},
    byte_source::ByteSource,
};
use std::iter::once;

/// Footprints of 3D blocks.
const FOOTPRINTS_3D: [[u8; 3]; 10] = [
    [3, 3, 3],
    [4, 3, 3],
    [4, 4, 3],
    [4, 4, 4],
    [5, 4, 4],
    [5, 5, 4],
    [5, 5, 5],
    [6, 5, 5],
    [6, 6, 5],
    [6, 6, 6],
];

pub(super) fn check(source: &mut ByteSource<'_>, findings: &mut Findings) -> Result<(), ContainerError> {
    let first_bytes = source.bytes(0, source.len().min(4))?;
    findings.add_if(first_bytes != MAGIC, &rules::MAGIC, 0, || format!("it starts with {first_bytes:02x?}"));
    if source.len() < HEADER_BYTES {
        findings.add(&rules::HEADER_ENDS, 0, format!("the file has {} bytes", source.len()));
        return Ok(());
    }
    let header = Header::read(source)?;
    let ([x, y, z], [width, height, depth]) = (header.block, header.size);
    let is_3d = FOOTPRINTS_3D.contains(&header.block);
    findings.add_if(is_3d, &rules::BLOCK_3D, offset::BLOCK, || format!("blocks have {x}×{y}×{z} texels"));
    let is_known = is_3d || header.footprint().is_some();
    findings.add_if(!is_known, &rules::BLOCK, offset::BLOCK, || format!("the block size is {x}×{y}×{z}"));
    let is_empty = header.size.contains(&0);
    findings.add_if(is_empty, &rules::SIZE, offset::SIZE, || {
        format!("the image has {width}×{height}×{depth} texels")
    });
    if !is_known || is_empty {
        return Ok(());
    }
    let counts = [0, 1, 2].map(|axis| u64::from(header.size[axis].div_ceil(header.block[axis].into())));
    // Sides have 24 bits.
    let needed = counts.iter().fold(16, |bytes: u64, &count| bytes.saturating_mul(count));
    let available = source.len() - HEADER_BYTES;
    findings.add_if(available < needed, &rules::DATA_ENDS, HEADER_BYTES, || {
        format!("the blocks need {needed} bytes, and the file has {available}")
    });
    findings.add_if(available > needed, &rules::TRAILING_BYTES, HEADER_BYTES.saturating_add(needed), || {
        format!("{} bytes follow the last block", available - needed)
    });
    let Some(footprint) = header.footprint() else { return Ok(()) };
    let end = HEADER_BYTES + needed.min(available) / 16 * 16;
    let faults = AstcFaults::in_file(footprint.extent(), source, once(HEADER_BYTES..end))?;
    if let Some(message) = faults.note() {
        findings.add(&rules::ILLEGAL_BLOCKS, HEADER_BYTES, message);
    }
    Ok(())
}
