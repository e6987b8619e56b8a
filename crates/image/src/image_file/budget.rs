//! Limits of the memory that decoding may allocate.

use super::{Texels, failure::Failure, fault::ImageFault};
use crate::Task;
use bytemuck::Zeroable;

/// Maximum size of texels, in bytes, that are decoded without regard to the length of the file.
const ALWAYS_PLAUSIBLE_BYTES: u64 = 64 << 20;

/// Layout of texels in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Layout {
    /// 8-bit grey.
    Grey8,
    /// 8-bit grey and alpha.
    GreyAlpha8,
    /// 8-bit RGB.
    Rgb8,
    /// 8-bit RGBA.
    Rgba8,
    /// 16-bit grey.
    Grey16,
    /// 16-bit grey and alpha.
    GreyAlpha16,
    /// 16-bit RGB.
    Rgb16,
    /// 16-bit RGBA.
    Rgba16,
    /// Grey in half floats.
    GreyF16,
    /// Grey and alpha in half floats.
    GreyAlphaF16,
    /// RGB in half floats.
    RgbF16,
    /// RGBA in half floats.
    RgbaF16,
    /// Grey in single floats.
    GreyF32,
    /// Grey and alpha in single floats.
    GreyAlphaF32,
    /// RGB in single floats.
    RgbF32,
    /// RGBA in single floats.
    RgbaF32,
}

impl Layout {
    /// Returns the bytes per texel of [`Texels`]. Grey with alpha takes as many as RGBA, grey in floats as
    /// many as RGB.
    fn texel_bytes(self) -> u64 {
        match self {
            Self::Grey8 => 1,
            Self::Grey16 => 2,
            Self::Rgb8 => 3,
            Self::GreyAlpha8 | Self::Rgba8 => 4,
            Self::Rgb16 | Self::GreyF16 | Self::RgbF16 => 6,
            Self::GreyAlpha16 | Self::Rgba16 | Self::GreyAlphaF16 | Self::RgbaF16 => 8,
            Self::GreyF32 | Self::RgbF32 => 12,
            Self::GreyAlphaF32 | Self::RgbaF32 => 16,
        }
    }

    /// Returns the channels of [`Texels`] per channel of the layout.
    fn spread(self) -> usize {
        match self {
            Self::GreyAlpha8 | Self::GreyAlpha16 | Self::GreyAlphaF16 | Self::GreyAlphaF32 => 2,
            Self::GreyF16 | Self::GreyF32 => 3,
            _ => 1,
        }
    }

    /// True if there is alpha.
    pub fn has_alpha(self) -> bool {
        match self {
            Self::Grey8 | Self::Grey16 | Self::Rgb8 | Self::Rgb16 => false,
            Self::GreyF16 | Self::RgbF16 | Self::GreyF32 | Self::RgbF32 => false,
            Self::GreyAlpha8 | Self::Rgba8 | Self::GreyAlpha16 | Self::Rgba16 => true,
            Self::GreyAlphaF16 | Self::RgbaF16 | Self::GreyAlphaF32 | Self::RgbaF32 => true,
        }
    }
}

/// Memory limit and length of the file, which both bound allocations, and the caller's task.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Budget<'a> {
    /// Maximum memory in bytes.
    pub limit: u64,
    /// Length of the file in bytes.
    pub file_bytes: u64,
    /// The caller's task.
    pub task: &'a Task<'a>,
}

impl<'a> Budget<'a> {
    /// Returns a budget of `limit` bytes of memory for a file of `file_bytes`.
    pub fn new(limit: u64, file_bytes: u64, task: &'a Task<'a>) -> Self {
        Self { limit, file_bytes, task }
    }

    /// Checks that `needed` bytes are within the limit.
    ///
    /// # Errors
    /// [`Failure::Limit`] if they are not.
    pub fn check(&self, needed: u64) -> Result<(), Failure> {
        if needed > self.limit { Err(Failure::Limit(Some(needed))) } else { Ok(()) }
    }

    /// Returns the size of the texels in bytes.
    ///
    /// # Errors
    /// [`Failure`] if they and `extra_bytes` for the decoder exceed the limit, or if a side is 0.
    pub fn texel_bytes(
        &self,
        [width, height]: [u32; 2],
        layout: Layout,
        extra_bytes: u64,
    ) -> Result<u64, Failure> {
        if width == 0 || height == 0 {
            return Err(no_texel([width, height]));
        }
        let bytes = (u64::from(width) * u64::from(height)).saturating_mul(layout.texel_bytes());
        self.check(bytes.saturating_add(extra_bytes))?;
        Ok(bytes)
    }

    /// Checks that the file is long enough for the size that it claims: one `ratio`th of the bytes. Small
    /// images pass, because formats have ways to omit texels.
    ///
    /// Without this check, a file of sixty bytes that claims a huge image would allocate and clear gigabytes.
    ///
    /// # Errors
    /// [`Failure::Malformed`] if it is shorter.
    pub fn check_plausible(
        &self,
        [width, height]: [u32; 2],
        texel_bytes: u64,
        raw_bytes: u64,
        ratio: u64,
    ) -> Result<(), Failure> {
        if texel_bytes > ALWAYS_PLAUSIBLE_BYTES && raw_bytes / ratio > self.file_bytes {
            return Err(self.too_few_bytes([width, height]));
        }
        Ok(())
    }

    /// Returns the failure of a file that is too short for an image of this width and height.
    pub fn too_few_bytes(&self, size: [u32; 2]) -> Failure {
        let (bytes, size) = (self.file_bytes, size.map(u64::from));
        Failure::Malformed(ImageFault::TooFewBytes { bytes, size })
    }

    /// Returns zeroed texels after `fill` has written them. `fill` receives the bytes of `width · height`
    /// texels of `layout`. The memory consists of the operating system's zero pages until it is written.
    ///
    /// # Errors
    /// [`Failure`] if the memory limit is exceeded, or that of `fill`.
    pub fn texels(
        &self,
        size: [u32; 2],
        layout: Layout,
        fill: impl FnOnce(&mut [u8]) -> Result<(), Failure>,
    ) -> Result<Texels, Failure> {
        let mut texels = self.zeroed(size, layout)?;
        let unfilled = texels.byte_count() - texels.byte_count() / layout.spread();
        fill(&mut texels.bytes_mut()[unfilled..])?;
        match layout {
            Layout::GreyAlpha8 => spread_grey_alpha::<u8>(texels.bytes_mut()),
            Layout::GreyAlpha16 | Layout::GreyAlphaF16 => spread_grey_alpha::<u16>(texels.bytes_mut()),
            Layout::GreyAlphaF32 => spread_grey_alpha::<u32>(texels.bytes_mut()),
            Layout::GreyF16 => spread_grey::<u16>(texels.bytes_mut()),
            Layout::GreyF32 => spread_grey::<u32>(texels.bytes_mut()),
            _ => {}
        }
        Ok(texels)
    }

    /// Returns zeroed texels.
    fn zeroed(&self, [width, height]: [u32; 2], layout: Layout) -> Result<Texels, Failure> {
        let bytes = self.texel_bytes([width, height], layout, 0)?;
        let out_of_memory = || Failure::OutOfMemory(bytes);
        let count = usize::try_from(u64::from(width) * u64::from(height)).map_err(|_| out_of_memory())?;
        let texels = match layout {
            Layout::Grey8 => zeroed(count).map(Texels::Grey8),
            Layout::Rgb8 => zeroed(count).map(Texels::Rgb8),
            Layout::Rgba8 | Layout::GreyAlpha8 => zeroed(count).map(Texels::Rgba8),
            Layout::Grey16 => zeroed(count).map(Texels::Grey16),
            Layout::Rgb16 => zeroed(count).map(Texels::Rgb16),
            Layout::Rgba16 | Layout::GreyAlpha16 => zeroed(count).map(Texels::Rgba16),
            Layout::RgbF16 | Layout::GreyF16 => zeroed(count).map(Texels::RgbF16),
            Layout::RgbaF16 | Layout::GreyAlphaF16 => zeroed(count).map(Texels::RgbaF16),
            Layout::RgbF32 | Layout::GreyF32 => zeroed(count).map(Texels::RgbF32),
            Layout::RgbaF32 | Layout::GreyAlphaF32 => zeroed(count).map(Texels::RgbaF32),
        };
        texels.ok_or_else(out_of_memory)
    }
}

/// Returns the failure of a file that has a side of 0.
pub(super) fn no_texel(size: [u32; 2]) -> Failure {
    Failure::Malformed(ImageFault::NoTexels(size))
}

/// Returns `count` zeroed items, or `None` if the system has no memory for them.
pub fn zeroed<T: Zeroable>(count: usize) -> Option<Vec<T>> {
    bytemuck::allocation::try_zeroed_vec(count).ok()
}

/// Spreads grey with alpha from the second half of the RGBA texels, from the front. This needs no second
/// copy. Texel i is written at 4i ..= 4i + 3 and read at 2n + 2i, so writing never passes reading.
fn spread_grey_alpha<C: bytemuck::Pod>(texels: &mut [u8]) {
    let channels: &mut [C] = bytemuck::cast_slice_mut(texels);
    let count = channels.len() / 4;
    for i in 0..count {
        let (grey, alpha) = (channels[2 * count + 2 * i], channels[2 * count + 2 * i + 1]);
        channels[4 * i..4 * i + 4].copy_from_slice(&[grey, grey, grey, alpha]);
    }
}

/// Spreads grey from the last third of the RGB texels, as [`spread_grey_alpha`].
fn spread_grey<C: bytemuck::Pod>(texels: &mut [u8]) {
    let channels: &mut [C] = bytemuck::cast_slice_mut(texels);
    let count = channels.len() / 3;
    for i in 0..count {
        let grey = channels[2 * count + i];
        channels[3 * i..3 * i + 3].fill(grey);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grey_with_alpha_spreads_in_place() {
        for count in 1..20u32 {
            let task = Task::new();
            let budget = Budget::new(1 << 20, 0, &task);
            let texels = budget.texels([count, 1], Layout::GreyAlpha8, |bytes| {
                bytes.iter_mut().enumerate().for_each(|(i, byte)| *byte = i as u8);
                Ok(())
            });
            let expected = (0..count as u8).map(|i| [2 * i, 2 * i, 2 * i, 2 * i + 1]).collect();
            assert_eq!(texels.ok(), Some(Texels::Rgba8(expected)));
        }
    }
}
