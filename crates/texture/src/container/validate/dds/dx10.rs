//! The DX10 header.

use super::{
    head::{Dx10, Head, offset},
    layout::Layout,
    rules,
};
use crate::container::{
    dds_header::{DIMENSION_1D, DIMENSION_2D, DIMENSION_3D, caps2, dxgi_name, misc_flag},
    validate::finding::Findings,
};

/// Bits of `miscFlags2` with the alpha mode.
const ALPHA_MODE_MASK: u32 = 7;
/// `DDS_ALPHA_MODE_CUSTOM`.
const LAST_ALPHA_MODE: u32 = 4;

/// Returns the storage of the texels, if it is known.
pub(super) fn check(head: &Head, dx10: &Dx10, findings: &mut Findings) -> Option<Layout> {
    let Dx10 { format, dimension, misc_flag, array_size, misc_flags2 } = *dx10;
    let name = dxgi_name(format);
    let layout = Layout::of_dxgi(format);
    let mut need = |holds: bool, rule, offset, message: String| {
        findings.add_if(!holds, rule, offset, || message);
    };
    let shown = format!("dxgiFormat is {format} ({name})");
    need(layout != Err(false), &rules::DXGI_FORMAT, offset::DXGI_FORMAT, shown.clone());
    need(layout != Err(true), &rules::NOT_EXAMINED, offset::DXGI_FORMAT, shown.clone());
    let is_typeless = layout.is_ok_and(|(_, is_typeless)| is_typeless);
    need(!is_typeless, &rules::TYPELESS, offset::DXGI_FORMAT, shown);
    let is_known = (DIMENSION_1D..=DIMENSION_3D).contains(&dimension);
    let message = format!("resourceDimension is {dimension}");
    need(is_known, &rules::DIMENSION, offset::DIMENSION, message);
    let message = format!("dwHeight is {}, and the texture is 1D", head.height);
    need(!head.is_1d() || head.height == 1, &rules::HEIGHT_1D, offset::HEIGHT, message);

    let is_cube = head.is_cube();
    let message = format!("miscFlag is {misc_flag:#x}");
    need(misc_flag & !misc_flag::CUBE == 0, &rules::MISC_FLAG, offset::MISC_FLAG, message);
    let message = format!("miscFlag is {misc_flag:#x}, and resourceDimension is {dimension}");
    need(!is_cube || dimension == DIMENSION_2D, &rules::CUBE_2D, offset::MISC_FLAG, message);
    let message = format!("arraySize is {array_size}");
    need(array_size != 0, &rules::ARRAY_SIZE, offset::ARRAY_SIZE, message.clone());
    let is_volume_array = dimension == DIMENSION_3D && array_size > 1;
    need(!is_volume_array, &rules::ARRAY_3D, offset::ARRAY_SIZE, message);
    let message = format!("miscFlags2 is {misc_flags2:#x}");
    let has_alpha_mode = misc_flags2 & ALPHA_MODE_MASK <= LAST_ALPHA_MODE;
    need(has_alpha_mode, &rules::ALPHA_MODE, offset::MISC_FLAGS2, message.clone());
    let has_no_others = misc_flags2 & !ALPHA_MODE_MASK == 0;
    need(has_no_others, &rules::MISC_FLAGS2, offset::MISC_FLAGS2, message);

    let has = |bit: u32| head.caps2 & bit != 0;
    let agree = has(caps2::CUBE) == is_cube && has(caps2::VOLUME) == (dimension == DIMENSION_3D);
    let message = format!(
        "dwCaps2 is {:#x}, miscFlag is {misc_flag:#x}, and resourceDimension is {dimension}",
        head.caps2
    );
    need(agree, &rules::CAPS_CONTRADICT, offset::CAPS2, message);
    layout.ok().map(|(layout, _)| layout)
}
