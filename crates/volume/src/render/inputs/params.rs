//! Parameters of kernels: structs that they share with Rust.

use super::super::{Display, display::DisplayRule, rays::Rays, shade::Light};
use bytemuck::{Pod, Zeroable};

/// Parameters of a kernel, as WGSL's `View`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct ViewParams {
    pub rays: Rays,
    pub light: Light,
    pub background: [f32; 4],
    pub color: [f32; 4],
    pub display: DisplayParams,
    pub cells: u32,
    pub blocks: u32,
    pub transfer_first: u32,
    pub transfer_shift: u32,
    pub transfer_span: u32,
    pub threshold: u32,
    pub fade: f32,
    pub first_tile: u32,
    pub tiles_of_row: u32,
    pub tile_step: u32,
    pub statistics: u32,
    pub sums: u32,
    pub paging: PagingParams,
}

/// The places of paging's data, as WGSL's `Paging`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub struct PagingParams {
    pub rays: u32,
    pub slots: u32,
    pub missing: u32,
    pub asked: u32,
    pub waiting: u32,
    pub buffer_pages: u32,
    pub page_words: u32,
    pub is_first: u32,
}

/// A [`DisplayRule`], as WGSL's `DisplayParams`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct DisplayParams {
    pub rule: u32,
    padding: [u32; 3],
    pub numbers: [u32; 4],
}

/// The numbers of rules in WGSL; 0 is `Flip`.
pub const RULE_SHIFT: u32 = 1;
pub const RULE_SCALE: u32 = 2;
pub const RULE_HASH: u32 = 3;

impl From<&Display> for DisplayParams {
    fn from(display: &Display) -> Self {
        let (rule, numbers) = match display.rule() {
            DisplayRule::Flip { flip } => (0, [flip, 0, 0, 0]),
            DisplayRule::Shift { low, shift } => (RULE_SHIFT, [low, shift, 0, 0]),
            DisplayRule::Scale { low, high, low_value, scale } => {
                (RULE_SCALE, [low, high, low_value.to_bits(), scale.to_bits()])
            }
            DisplayRule::Hash { zero, is_float } => (RULE_HASH, [zero, is_float.into(), 0, 0]),
        };
        Self { rule, padding: [0; 3], numbers }
    }
}
