//! Table of a band: the transfer function, then the weights.

use super::kernels::AxisParams;
use crate::{
    ColorSpace, TexelFormat,
    mips::{Axis, transfer},
};
use std::ops::Range;

/// Contents of `table` of params.wgsl.
pub(super) struct Table {
    pub words: Vec<u32>,
}

impl Table {
    /// Returns the table for texels of a format, without weights.
    pub fn new(format: TexelFormat, color_space: ColorSpace) -> Self {
        let words = match format {
            TexelFormat::Rgba8 => transfer::table(color_space).to_vec(),
            TexelFormat::Rgba16 | TexelFormat::RgbaF16 => Vec::new(),
        };
        Self { words }
    }

    /// Adds the first source texels and the weights of texels `range` of the level. Source texels are counted
    /// from `start`.
    pub fn add(&mut self, axis: &Axis, range: Range<u32>, start: i64) -> AxisParams {
        let at = self.words.len() as u32;
        let single = axis.single_step();
        let taps = axis.taps as u32;
        let mut cursor = axis.from(range.start);
        let entries = if single.is_some() { 1 } else { range.len() };
        for _ in 0..entries {
            let (first, weights) = cursor.next();
            self.words.push((first - start) as u32);
            self.words.extend(weights.iter().map(|weight| weight.to_bits()));
        }
        match single {
            Some(step) => AxisParams { start: at, stride: 0, step, taps },
            None => AxisParams { start: at, stride: taps + 1, step: 0, taps },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MipFilter, MipWrap};

    #[test]
    fn entries_are_the_axis_texels_and_weights() {
        for (side, target) in [(64, 32), (65, 32), (1, 1), (3, 1), (7, 3)] {
            let axis = Axis::new(side, target, MipFilter::Kaiser, MipWrap::Clamp).unwrap();
            let range = target / 3..target;
            let start = axis.covered(range.clone()).start;
            let mut table = Table::new(TexelFormat::Rgba8, ColorSpace::Srgb);
            table.add(&axis, 0..1, -100);
            let params = table.add(&axis, range.clone(), start);
            for (i, index) in (0..).zip(range) {
                let (first, weights) = axis.at(index);
                let entry = (params.start + i * params.stride) as usize;
                assert_eq!(i64::from(table.words[entry] + i * params.step) + start, first, "{side} {index}");
                let found = &table.words[entry + 1..][..params.taps as usize];
                assert!(found.iter().zip(weights).all(|(bits, weight)| *bits == weight.to_bits()));
            }
            // All texels of an even side share one entry.
            assert_eq!(params.stride == 0, side % 2 == 0 || target == 1, "{side}");
        }
    }
}
