//! Chains, kernels and tables as data, for hosts in other languages (`crates/emit`). Not part of the API: all
//! of it may change with any version.

use super::{
    filter::{self, AxisParams, FilterParams},
    load, mip,
    normals::{self, NormalParams},
};
use crate::{
    BlockFormat, ChannelType, ColorSpace, EncodeOptions, TexelFormat, TexelType, bc::BlockCoder, chain,
    codecs::codec_of, mips::transfer,
};
use brickwork_gpu::Kernel;
use half::f16;
use std::fmt;

pub use crate::chain::{Bind, Dispatch};

/// Kernels of a format, in order.
pub struct Chain {
    chain: chain::Chain,
    texels: TexelFormat,
}

impl fmt::Debug for Chain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Chain").field("texels", &self.texels).finish_non_exhaustive()
    }
}

impl Chain {
    /// Returns the chain of textures in a colour space for these options; `None` if the format has none.
    /// Options without effect on kernels are ignored.
    pub fn new(format: BlockFormat, color_space: ColorSpace, options: &EncodeOptions) -> Option<Self> {
        let codec = codec_of(format);
        let chain = BlockCoder { codec, color_space }.chain(options)?;
        Some(Self { chain, texels: codec.texels })
    }

    /// Returns the form in which the chain takes texels.
    pub fn texels(&self) -> TexelFormat {
        self.texels
    }

    /// Returns the number of blocks in the first band on a software adapter. Hardware takes eight times as
    /// many.
    pub fn first_band_blocks(&self) -> u32 {
        self.chain.first_band_blocks
    }

    /// Returns the maximum number of blocks in one submission.
    pub fn most_blocks(&self) -> u32 {
        self.chain.most_blocks
    }

    /// Returns the bytes per block of each buffer between the kernels.
    pub fn scratch_bytes_per_block(&self) -> Vec<u64> {
        self.chain.between.iter().map(|between| between.bytes_per_block).collect()
    }

    /// Returns the name and the contents of each table.
    pub fn tables(&self) -> Vec<(&'static str, &[u8])> {
        self.chain.tables.iter().map(|table| (table.label, table.contents.as_slice())).collect()
    }

    /// Returns the steps, in order.
    pub fn steps(&self) -> Vec<Step<'_>> {
        self.chain.steps.iter().map(Step).collect()
    }
}

/// One kernel of a chain.
#[derive(Clone, Copy)]
pub struct Step<'a>(&'a chain::Step);

impl fmt::Debug for Step<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Step").field(&self.0.kernel.name()).finish()
    }
}

impl<'a> Step<'a> {
    /// Returns the kernel.
    pub fn kernel(self) -> &'a Kernel {
        &self.0.kernel
    }

    /// Returns the resource at each binding.
    pub fn binds(self) -> &'a [Bind] {
        &self.0.binds
    }

    /// Returns the number of parts that one workgroup processes.
    pub fn parts_per_workgroup(self) -> u32 {
        self.0.parts_per_workgroup
    }

    /// Returns the maximum number of blocks in one dispatch.
    pub fn blocks_per_dispatch(self) -> u32 {
        self.0.blocks_per_dispatch
    }

    /// Returns the number of parts of each block, 0 if there is nothing to do, and the words of the
    /// parameters.
    pub fn work(self, dispatch: &Dispatch) -> (u32, Vec<u32>) {
        let work = (self.0.work)(dispatch);
        let words = work.params.as_chunks::<4>().0.iter().map(|&word| u32::from_ne_bytes(word));
        (work.parts, words.collect())
    }
}

/// Returns the kernel that loads texels from a buffer.
pub fn load_buffer_kernel(format: TexelFormat) -> Kernel {
    load::buffer_kernel(format)
}

/// Returns the kernel that loads texels from a texture.
pub fn load_texture_kernel(format: TexelFormat) -> Kernel {
    load::texture_kernel(format)
}

/// Returns the words of [`load_buffer_kernel`]'s parameters for `size` texels of four channels. The first one
/// is at byte `offset`, and rows are `pitch` bytes apart.
pub fn load_buffer_params(channels: ChannelType, size: [u32; 2], offset: u32, pitch: u32) -> Vec<u32> {
    let params = load::BufferParams::new(size, offset, pitch, four(channels));
    bytemuck::cast_slice(&[params]).to_vec()
}

/// Returns the kernels' number for a type of channels.
pub fn channel_number(channels: ChannelType) -> u32 {
    load::channel_number(channels)
}

/// Returns the type of texels with four channels.
fn four(channels: ChannelType) -> TexelType {
    match channels {
        ChannelType::U8 => TexelType::of::<[u8; 4]>(),
        ChannelType::U16 => TexelType::of::<[u16; 4]>(),
        ChannelType::F16 => TexelType::of::<[f16; 4]>(),
        ChannelType::F32 => TexelType::of::<[f32; 4]>(),
    }
}

/// Returns the words of [`load_texture_kernel`]'s parameters for `size` texels, starting at `origin`.
pub fn load_texture_params(origin: [u32; 2], size: [u32; 2]) -> Vec<u32> {
    bytemuck::cast_slice(&[load::TextureParams::new(origin, size)]).to_vec()
}

/// A rectangle of the next mip level of texels in a buffer.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::exhaustive_structs, reason = "hosts make it")]
pub struct Mip {
    /// Size of the halved image in texels.
    pub side: [u32; 2],
    /// First texel of the next mip level.
    pub first: [u32; 2],
    /// Number of columns and rows of the next mip level.
    pub size: [u32; 2],
    /// Sum of the weights of the texels that one texel covers.
    pub weight_sum: u64,
    /// Type of the four channels in the buffer.
    pub channels: ChannelType,
    /// Bytes from one row of the buffer to the next.
    pub pitch: u32,
    /// True if colours are weighted by alpha.
    pub by_alpha: bool,
}

/// Returns the kernels that make mip levels. For 8 bits, the first one has sums of 32 bits, which suffice up
/// to a sum of weights of 257. The second one has sums of 64 bits.
pub fn mip_kernels(format: TexelFormat) -> Vec<Kernel> {
    match format {
        TexelFormat::Rgba8 => vec![mip::one_word_kernel(), mip::two_words_kernel()],
        TexelFormat::Rgba16 | TexelFormat::RgbaF16 => vec![mip::wide_kernel(format)],
    }
}

/// Returns the words of the parameters of [`mip_kernels`].
pub fn mip_params(of: &Mip) -> Vec<u32> {
    let Mip { side, first, size, weight_sum, channels, pitch, by_alpha } = *of;
    mip::param_words(&mip::MipArea { side, first, size }, weight_sum, pitch, four(channels), by_alpha)
}

/// Returns the table of [`mip_kernels`] for 8 bits: light of 8-bit values, and the inverse.
pub fn mip_table(color_space: ColorSpace) -> &'static [u32] {
    transfer::table(color_space)
}

/// Source texels of a filter along one side, in the table of [`filter_kernels`]. An entry contains the first
/// source texel, which may be negative, and the weights as single floats.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::exhaustive_structs, reason = "hosts make it")]
pub struct FilterAxis {
    /// Position of the entry of the level's first texel.
    pub start: u32,
    /// Distance between the entries of neighbouring texels of the level; 0 if all have the same weights.
    pub stride: u32,
    /// Distance between their first source texels if they have the same weights, else 0.
    pub step: u32,
    /// Number of weights.
    pub taps: u32,
}

/// Rows and columns of the next mip level by a filter, made of a whole image.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::exhaustive_structs, reason = "hosts make it")]
pub struct FilterPiece {
    /// Texels that the filter adds, along rows and along columns.
    pub filter: [FilterAxis; 2],
    /// Texels that each texel covers, for colours weighted by alpha.
    pub covered: [FilterAxis; 2],
    /// Number of columns and rows of the piece.
    pub size: [u32; 2],
    /// First column and row of the piece.
    pub first: [u32; 2],
    /// Columns of the level.
    pub level_pitch: u32,
    /// First row of the image that is summed, which may be negative.
    pub first_row: u32,
    /// Number of rows of the image that are summed.
    pub row_count: u32,
    /// Type of the image's four channels.
    pub channels: ChannelType,
    /// Bytes from one row of the image to the next.
    pub pitch: u32,
    /// True if colours are weighted by alpha.
    pub by_alpha: bool,
    /// Size of the image in texels.
    pub side: [u32; 2],
}

/// Returns the kernels that make mip levels by filters other than the box. The first one computes sums along
/// the rows of a whole image, past whose edges its outermost texels repeat; the second one computes texels.
/// They share parameters and a table: for 8 bits [`mip_table`], then the entries of the axes.
pub fn filter_kernels(format: TexelFormat) -> [Kernel; 2] {
    [filter::clamped_sums_kernel(format), filter::texels_kernel(format)]
}

/// Returns the words of the parameters of [`filter_kernels`].
pub fn filter_params(of: &FilterPiece) -> Vec<u32> {
    let axis = |FilterAxis { start, stride, step, taps }| AxisParams { start, stride, step, taps };
    let params = FilterParams {
        columns: axis(of.filter[0]),
        rows: axis(of.filter[1]),
        covered_columns: axis(of.covered[0]),
        covered_rows: axis(of.covered[1]),
        size: of.size,
        first: of.first,
        level_pitch: of.level_pitch,
        first_row: of.first_row,
        row_count: of.row_count,
        offset: 0,
        pitch: of.pitch,
        channels: 4,
        channel_type: load::channel_number(of.channels),
        by_alpha: of.by_alpha.into(),
        side: of.side,
    };
    bytemuck::cast_slice(&[params]).to_vec()
}

/// Returns the kernels that change normal maps of 8 bits in place: the one that scales vectors to length 1,
/// the one that finds out whether blue differs, and the one that computes blue unless it does.
pub fn normal_kernels() -> [Kernel; 3] {
    [normals::unit_length_kernel(), normals::blue_kernel(), normals::z_kernel()]
}

/// Returns the words of the parameters of [`normal_kernels`] for `size` texels in rows that are `pitch`
/// texels apart.
pub fn normal_params(size: [u32; 2], pitch: u32) -> Vec<u32> {
    bytemuck::cast_slice(&[NormalParams { size, pitch, padding: 0 }]).to_vec()
}
