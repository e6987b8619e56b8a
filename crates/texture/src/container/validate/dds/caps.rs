//! Capabilities, `dwCaps` and `dwCaps2`.

use super::{
    head::{Head, offset},
    rules,
};
use crate::container::{
    dds_header::{caps, caps2},
    validate::finding::Findings,
};

const KNOWN_CAPS: u32 = caps::COMPLEX | caps::TEXTURE | caps::MIP_LEVELS;
const KNOWN_CAPS2: u32 = caps2::CUBE | caps2::ALL_FACES | caps2::VOLUME;

pub(super) fn check(head: &Head, findings: &mut Findings) {
    let Head { caps, caps2, width, height, mip_levels, .. } = *head;
    let mut need = |holds: bool, rule, offset, message: String| {
        findings.add_if(!holds, rule, offset, || message);
    };
    let shown = format!("dwCaps is {caps:#x}");
    need(caps & caps::TEXTURE != 0, &rules::TEXTURE_CAPS, offset::CAPS, shown.clone());
    let has_mips = mip_levels > 1;
    // Direct3D 9 had no arrays: their layers do not count.
    let is_complex = has_mips || head.is_cube() || head.is_volume();
    let has_complex = caps & caps::COMPLEX != 0;
    let message = format!("{shown}, and the file has several surfaces");
    need(has_complex || !is_complex, &rules::COMPLEX_CAPS, offset::CAPS, message);
    let message = format!("{shown}, and dwMipMapCount is {mip_levels}");
    need((caps & caps::MIP_LEVELS != 0) == has_mips, &rules::MIP_CAPS, offset::CAPS, message);
    need(caps & !KNOWN_CAPS == 0, &rules::UNKNOWN_CAPS, offset::CAPS, shown);

    let shown = format!("dwCaps2 is {caps2:#x}");
    let faces = caps2 & caps2::ALL_FACES;
    let is_cube = caps2 & caps2::CUBE != 0;
    need(!is_cube || faces == caps2::ALL_FACES, &rules::CUBE_FACES, offset::CAPS2, shown.clone());
    need(is_cube || faces == 0, &rules::FACES_WITHOUT_CUBE, offset::CAPS2, shown.clone());
    let is_both = is_cube && caps2 & caps2::VOLUME != 0;
    need(!is_both, &rules::CUBE_AND_VOLUME, offset::CAPS2, shown.clone());
    need(caps2 & !KNOWN_CAPS2 == 0, &rules::UNKNOWN_CAPS2, offset::CAPS2, shown);
    let message = format!("a cube has faces of {width}×{height} texels");
    need(!head.is_cube() || width == height, &rules::CUBE_SQUARE, offset::HEIGHT, message);
}
