//! Next mip level of a band by the box filter, with the same bytes as
//! [`next_level`](crate::mips::next_level).

use super::load::{channel_number, converting, reading, writing};
use crate::{
    AlphaMode, TexelFormat, TexelType,
    mips::{MipOptions, halved, transfer},
    wgsl::WGSL,
};
use brickwork_gpu::{Binding, Context, GpuError, Kernel, Pipeline, filled_buffer, wgpu};

/// `struct Mip` of mip_params.wgsl.
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
struct MipParams {
    side: [u32; 2],
    first: [u32; 2],
    size: [u32; 2],
    weight_sum: [u32; 2],
    offset: u32,
    pitch: u32,
    channels: u32,
    channel_type: u32,
    by_alpha: u32,
    padding: u32,
}

impl MipParams {
    /// Returns the parameters for an area and texels that start at the beginning of a buffer.
    fn new(area: &MipArea, weight_sum: u64, pitch: u32, texel_type: TexelType, by_alpha: bool) -> Self {
        Self {
            side: area.side,
            first: area.first,
            size: area.size,
            weight_sum: [weight_sum as u32, (weight_sum >> 32) as u32],
            offset: 0,
            pitch,
            channels: texel_type.channel_count(),
            channel_type: channel_number(texel_type.channel_type()),
            by_alpha: by_alpha.into(),
            padding: 0,
        }
    }
}

/// Returns the words of the parameters.
pub(super) fn param_words(
    area: &MipArea,
    weight_sum: u64,
    pitch: u32,
    texel_type: TexelType,
    by_alpha: bool,
) -> Vec<u32> {
    bytemuck::cast_slice(&[MipParams::new(area, weight_sum, pitch, texel_type, by_alpha)]).to_vec()
}

/// A rectangle of texels of the next mip level, and its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MipArea {
    /// Size of the image in texels.
    pub side: [u32; 2],
    /// First texel of the next mip level, and number of texels; 0 if the band makes none.
    pub first: [u32; 2],
    pub size: [u32; 2],
}

impl MipArea {
    /// Returns the part of the next mip level that is made from a rectangle of texels. The rectangle is at
    /// `origin` and has size `size`, in an image of size `side`. If it does not reach an edge, `origin` and
    /// `size` are even, and an odd side needs one more texel: [`MipArea::more`].
    pub fn new(side: [u32; 2], origin: [u32; 2], size: [u32; 2]) -> Self {
        let first = origin.map(|texel| texel / 2);
        let count =
            |a: usize| (origin[a] + size[a]).div_ceil(2).min(halved(side[a])).saturating_sub(first[a]);
        Self { side, first, size: [count(0), count(1)] }
    }

    /// Returns the number of columns and rows needed past the rectangle, 0 or 1. On an odd side, texel i
    /// covers a part of texel 2i + 2.
    pub fn more(&self, origin: [u32; 2], size: [u32; 2]) -> [u32; 2] {
        [0, 1].map(|a| u32::from(!self.side[a].is_multiple_of(2) && origin[a] + size[a] < self.side[a]))
    }

    /// Returns the number of texels of the next mip level.
    pub fn texels(&self) -> u32 {
        self.size[0] * self.size[1]
    }
}

/// Maker of the next mip level of an image.
pub(super) struct MipMaker {
    pipeline: Pipeline,
    /// Light of 8-bit values.
    table: Option<wgpu::Buffer>,
    by_alpha: bool,
    weight_sum: u64,
}

/// Texels in a buffer. The first is at its start, and rows are `pitch` bytes apart.
pub(super) struct MipSource<'a> {
    pub buffer: &'a wgpu::Buffer,
    pub pitch: u32,
    pub texel_type: TexelType,
}

/// Returns every kernel of this file.
pub(super) fn kernels() -> Vec<Kernel> {
    let [sixteen, halves] = [TexelFormat::Rgba16, TexelFormat::RgbaF16].map(wide_kernel);
    vec![one_word_kernel(), two_words_kernel(), sixteen, halves]
}

/// Returns the kernel whose sums fit 32 bits. It compiles and runs faster.
pub(super) fn one_word_kernel() -> Kernel {
    rgba8_kernel("mip", "gpu/mip_one_word.wgsl")
}

/// Returns the kernel whose sums fit 64 bits.
pub(super) fn two_words_kernel() -> Kernel {
    rgba8_kernel("mip two words", "gpu/mip_two_words.wgsl")
}

/// Returns the kernel for 8-bit texels with the file that contains `mean`.
fn rgba8_kernel(name: &'static str, mean: &str) -> Kernel {
    let kernel = Kernel::new(name, &[Binding::Uniform, Binding::Read, Binding::Write, Binding::Read])
        .file(&WGSL, mean)
        .constant("BORDERS", transfer::BORDERS as u32)
        .constant("FIRST_VALUES", transfer::FIRST_VALUES_AT as u32);
    reading(kernel, TexelFormat::Rgba8)
}

/// Returns the kernel for 16-bit texels or half floats.
pub(super) fn wide_kernel(format: TexelFormat) -> Kernel {
    let name = if format == TexelFormat::RgbaF16 { "mip halves" } else { "mip 16 bits" };
    let kernel = Kernel::new(name, &[Binding::Uniform, Binding::Read, Binding::Write]);
    writing(reading(converting(kernel.file(&WGSL, "gpu/mip_wide.wgsl"), format), format), format)
}

/// Returns the sum of the weights of the texels that one texel covers.
fn weight_sum(side: [u32; 2]) -> u64 {
    let of_side = |side: u32| match side {
        1 => 1,
        _ if side.is_multiple_of(2) => 2,
        _ => u64::from(side),
    };
    of_side(side[0]) * of_side(side[1])
}

impl MipMaker {
    /// Returns a maker for an image of size `side` in texels. Compiles the kernel if necessary.
    pub fn new(
        context: &Context,
        format: TexelFormat,
        options: MipOptions,
        side: [u32; 2],
    ) -> Result<Self, GpuError> {
        let MipOptions { color_space, alpha_mode, .. } = options;
        let weight_sum = weight_sum(side);
        let table = || {
            context.checked("uploading tables", || {
                let contents = bytemuck::cast_slice(transfer::table(color_space));
                filled_buffer(context.device(), "transfer function", contents, wgpu::BufferUsages::STORAGE)
            })
        };
        let (kernel, table) = match format {
            // See mip_one_word.wgsl.
            TexelFormat::Rgba8 if weight_sum * 255 <= 1 << 16 => (one_word_kernel(), Some(table()?)),
            TexelFormat::Rgba8 => (two_words_kernel(), Some(table()?)),
            TexelFormat::Rgba16 | TexelFormat::RgbaF16 => (wide_kernel(format), None),
        };
        Ok(Self {
            pipeline: context.pipeline(&kernel)?,
            table,
            by_alpha: alpha_mode == AlphaMode::Straight,
            weight_sum,
        })
    }

    /// Records the commands that make `area` in `level`, row after row, from `source`. The first texel of
    /// `source` is the first that `area` covers.
    pub fn record(
        &self,
        context: &Context,
        encoder: &mut wgpu::CommandEncoder,
        area: &MipArea,
        source: &MipSource<'_>,
        level: &wgpu::Buffer,
    ) -> Result<(), GpuError> {
        let groups = area.texels().div_ceil(64);
        let params = MipParams::new(area, self.weight_sum, source.pitch, source.texel_type, self.by_alpha);
        let device = context.device();
        context.checked("recording", || {
            let contents = bytemuck::bytes_of(&params);
            let params = filled_buffer(device, "mip level", contents, wgpu::BufferUsages::UNIFORM);
            let bound: Vec<_> = [&params, source.buffer, level]
                .into_iter()
                .chain(&self.table)
                .map(wgpu::Buffer::as_entire_binding)
                .collect();
            let bound = self.pipeline.bind(device, &bound);
            self.pipeline.dispatch(&mut encoder.begin_compute_pass(&Default::default()), &bound, groups);
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        ColorSpace,
        mips::{Taps, mean},
    };
    use brickwork_gpu::{
        Download,
        testing::{context, layout, offsets},
    };
    use brickwork_image::light::{narrow, widen};

    #[test]
    fn structs_lie_in_memory_as_the_kernel_says() {
        let (members, size) = layout(&one_word_kernel(), "Mip");
        let expected = offsets!(
            MipParams: "side" side, "first" first, "size" size, "weight_sum" weight_sum, "offset" offset,
            "pitch" pitch, "channels" channels, "channel_type" channel_type, "by_alpha" by_alpha);
        assert_eq!((members, size), (expected, size_of::<MipParams>()));
    }

    #[test]
    fn bands_make_every_texel_of_the_next_level_once() {
        for side in 1..40u32 {
            for band in [4, 8, 20, 40] {
                let mut next = 0;
                for origin in (0..side).step_by(band) {
                    let size = (side - origin).min(band as u32);
                    let area = MipArea::new([side, 8], [origin, 0], [size, 8]);
                    if area.size[0] == 0 {
                        continue;
                    }
                    assert_eq!(area.first[0], next, "{side} in bands of {band}");
                    next += area.size[0];
                    // The last source texel of the last texel is in the band, and the first one of the first
                    // is the band's first.
                    let taps = if side == 1 { 1 } else { 2 + side % 2 };
                    let end = origin + size + area.more([origin, 0], [size, 8])[0];
                    assert!(side == 1 || 2 * area.first[0] == origin);
                    assert!(2 * (next - 1) + taps <= end, "{side} in bands of {band}");
                }
                assert_eq!(next, halved(side), "{side} in bands of {band}");
            }
        }
    }

    /// Bands from inside images that no test could hold: the sums need up to 64 bits.
    #[test]
    fn sums_of_the_largest_images_are_exact() {
        let Some(context) = context() else { return };
        const SIZE: u32 = 40;
        const COVERED: u32 = 2 * SIZE + 1;
        let mut state = 1u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 32) as u32
        };
        let m = (1 << 20) - 1;
        let sides =
            [[m, m], [(1 << 30) - 1, 1023], [511, (1 << 31) - 1], [16383, 16385], [m, 4], [2, 257], [257, 1]];
        for side in sides {
            for place in [0, 1, 2, 3] {
                // The beginning, the end, and places between.
                let count = side.map(|side| halved(side).min(SIZE));
                let first = [0, 1].map(|a| match (place, halved(side[a]) - count[a]) {
                    (0, _) | (_, 0) => 0,
                    (1, most) => most,
                    (_, most) => random() % most,
                });
                let area = MipArea { side, first, size: count };
                // Sums are largest where every texel is white and opaque.
                let texels: Vec<[u8; 4]> = (0..COVERED * COVERED)
                    .map(|_| {
                        let [r, g, b, a] = random().to_le_bytes();
                        match place {
                            0 => [255 - (r & 1), 255, 255 - (b & 3), 255],
                            1 => [r, g, b, if a < 200 { 0 } else { 1 }],
                            _ => [r, g, b, a],
                        }
                    })
                    .collect();
                for alpha_mode in [AlphaMode::Opaque, AlphaMode::Straight] {
                    let options = MipOptions::new(ColorSpace::Linear, alpha_mode);
                    let maker = MipMaker::new(&context, TexelFormat::Rgba8, options, side).unwrap();
                    let storage = wgpu::BufferUsages::STORAGE;
                    let source =
                        filled_buffer(context.device(), "source", bytemuck::cast_slice(&texels), storage);
                    let bytes = 4 * u64::from(area.texels());
                    let level =
                        context.buffer("level", bytes, storage | wgpu::BufferUsages::COPY_SRC).unwrap();
                    let mut commands = context.device().create_command_encoder(&Default::default());
                    let texel_type = TexelType::of::<[u8; 4]>();
                    let from = MipSource { buffer: &source, pitch: 4 * COVERED, texel_type };
                    maker.record(&context, &mut commands, &area, &from, &level).unwrap();
                    context.queue().submit([commands.finish()]);
                    let found = Download::new(&context, &level, 0..bytes).unwrap().wait(&context).unwrap();
                    for (i, found) in (0..).zip(found.as_chunks::<4>().0) {
                        let [x, y] = [i % count[0], i / count[0]];
                        let taps = [Taps::new(first[0] + x, side[0]), Taps::new(first[1] + y, side[1])];
                        let taps = [taps[0], taps[1], Taps::new(0, 1)];
                        let texel =
                            |_, row, column| texels[((2 * y + row) * COVERED + 2 * x + column) as usize];
                        let by_alpha = alpha_mode == AlphaMode::Straight;
                        let expected = mean(taps, texel, by_alpha, widen, narrow);
                        assert_eq!(*found, expected, "{side:?} {first:?} + {x}, {y}, {alpha_mode:?}");
                    }
                }
            }
        }
    }
}
