//! Pixel format of the legacy header.

use super::{
    head::{Head, offset},
    layout::Layout,
    rules,
};
use crate::container::{
    dds_header::{FourCc, PIXEL_FORMAT_BYTES, pixel_flags},
    validate::finding::Findings,
};

/// `DDPF_ALPHA`, `DDPF_FOURCC`, `DDPF_RGB`, `DDPF_YUV` and `DDPF_LUMINANCE`.
const KINDS: [u32; 5] = [0x2, pixel_flags::FOUR_CC, 0x40, 0x200, 0x2_0000];
/// `DDPF_ALPHA`: the alpha mask is the only one.
const ALPHA_ONLY: u32 = KINDS[0];

/// Returns the storage of the texels, if it is known.
pub(super) fn check(head: &Head, findings: &mut Findings) -> Option<Layout> {
    let Head { pixel_format_size: size, pixel_flags, four_cc, bit_count, masks, .. } = *head;
    let mut need = |holds: bool, rule, offset, message: String| {
        findings.add_if(!holds, rule, offset, || message);
        holds
    };
    let message = format!("dwSize of the pixel format is {size}");
    need(size == PIXEL_FORMAT_BYTES, &rules::PIXEL_FORMAT_SIZE, offset::PIXEL_FORMAT_SIZE, message);
    let kinds = KINDS.iter().filter(|kind| pixel_flags & **kind != 0).count();
    let shown = format!("dwFlags of the pixel format is {pixel_flags:#x}");
    if !need(kinds == 1, &rules::PIXEL_FORMAT_FLAGS, offset::PIXEL_FORMAT_FLAGS, shown.clone()) {
        return None;
    }
    if head.has_four_cc() {
        let layout = Layout::of_four_cc(four_cc.0);
        let is_known = layout.is_some() || four_cc == FourCc::DX10;
        let message = format!("dwFourCC is {}", four_cc.name());
        need(is_known, &rules::FOUR_CC, offset::FOUR_CC, message);
        return layout;
    }
    let has_bits = matches!(bit_count, 8 | 16 | 24 | 32);
    let message = format!("dwRGBBitCount is {bit_count}");
    need(has_bits, &rules::BIT_COUNT, offset::BIT_COUNT, message);
    let has_alpha = pixel_flags & (pixel_flags::ALPHA_PIXELS | ALPHA_ONLY) != 0;
    let message = format!("{shown}, and the alpha mask is {:#x}", masks[3]);
    need(has_alpha == (masks[3] != 0), &rules::ALPHA_FLAG, offset::PIXEL_FORMAT_FLAGS, message);
    let all = masks.iter().fold(0, |all, mask| all | mask);
    let bits: u32 = masks.iter().map(|mask| mask.count_ones()).sum();
    let fits = u64::from(all) < 1 << bit_count.min(32);
    let message = format!("the masks are {masks:#x?} of {bit_count} bits").replace('\n', "");
    need(bits == all.count_ones() && fits, &rules::MASKS, offset::MASKS, message);
    has_bits.then_some(Layout::Bits(bit_count as u8))
}
