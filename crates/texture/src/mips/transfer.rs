//! Tables of kernels for the conversion of 8-bit values to 16-bit linear light and back.

use crate::ColorSpace;
use brickwork_image::light::{linear_to_srgb, narrow, srgb_to_linear, widen};
use std::sync::LazyLock;

/// Returns a [`ColorSpace`] in the form that a kernel takes. It starts with the light of each value. From
/// [`BORDERS`] on, it contains the lowest light of the next value, and from [`FIRST_VALUES_AT`] on, the
/// value of every 16th light.
pub(crate) fn table(color_space: ColorSpace) -> &'static [u32] {
    static SRGB: LazyLock<Vec<u32>> = LazyLock::new(|| table_of(srgb_to_linear, linear_to_srgb));
    static LINEAR: LazyLock<Vec<u32>> = LazyLock::new(|| table_of(widen, narrow));
    match color_space {
        ColorSpace::Srgb => &SRGB,
        ColorSpace::Linear => &LINEAR,
    }
}

fn table_of(to_linear: fn(u8) -> u16, from_linear: fn(u16) -> u8) -> Vec<u32> {
    let lights: Vec<u16> = (0..=u16::MAX).collect();
    let border = |value| lights.partition_point(|&light| from_linear(light) <= value) as u32;
    let mut table: Vec<u32> = (0..=255).map(|value| to_linear(value).into()).collect();
    table.extend((0..=255).map(border));
    table.extend((0..4096).map(|i| u32::from(from_linear(16 * i))));
    table
}

/// Start of the borders in [`table`].
pub(crate) const BORDERS: usize = 256;
/// Start of the first values in [`table`].
pub(crate) const FIRST_VALUES_AT: usize = 512;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kernel_s_table_gives_the_same_values() {
        type BackAndForth = (fn(u8) -> u16, fn(u16) -> u8);
        let spaces: [(ColorSpace, BackAndForth); 2] =
            [(ColorSpace::Srgb, (srgb_to_linear, linear_to_srgb)), (ColorSpace::Linear, (widen, narrow))];
        for (color_space, (to_linear, from_linear)) in spaces {
            let table = table(color_space);
            for value in 0..=255u8 {
                assert_eq!(table[value as usize], to_linear(value).into());
            }
            for light in 0..=65535u16 {
                // As `value_of` in gpu/transfer.wgsl does.
                let first = table[FIRST_VALUES_AT + (light >> 4) as usize];
                let border = table[BORDERS + first as usize];
                let value = first + u32::from(u32::from(light) >= border);
                assert_eq!(value, from_linear(light).into(), "{light}");
            }
        }
    }
}
