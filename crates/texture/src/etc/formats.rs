//! The formats: parts of their blocks.

use super::{
    eac::{ALPHA, SNORM, UNORM},
    rows::Part,
};

/// A format.
#[derive(Clone, Copy, Debug)]
pub(super) struct Format {
    pub name: &'static str,
    pub parts: &'static [Part],
}

/// Colours without alpha.
pub(super) const RGB: Format = Format { name: "etc2", parts: &[Part::Colors] };
/// Colours with 1-bit alpha.
pub(super) const RGB_A1: Format = Format { name: "etc2-a1", parts: &[Part::PunchedColors] };
/// Colours with 8-bit alpha, which is the first half of a block.
pub(super) const RGBA: Format = Format { name: "etc2-a8", parts: &[Part::Channel(ALPHA, 3), Part::Colors] };
/// R11.
pub(super) const R11_UNORM: Format = Format { name: "eac-r11", parts: &[Part::Channel(UNORM, 0)] };
pub(super) const R11_SNORM: Format = Format { name: "eac-r11s", parts: &[Part::Channel(SNORM, 0)] };
/// RG11.
pub(super) const RG11_UNORM: Format =
    Format { name: "eac-rg11", parts: &[Part::Channel(UNORM, 0), Part::Channel(UNORM, 1)] };
pub(super) const RG11_SNORM: Format =
    Format { name: "eac-rg11s", parts: &[Part::Channel(SNORM, 0), Part::Channel(SNORM, 1)] };

/// All formats.
#[cfg(feature = "gpu")]
pub(super) const ALL: [Format; 7] = [RGB, RGB_A1, RGBA, R11_UNORM, R11_SNORM, RG11_UNORM, RG11_SNORM];
