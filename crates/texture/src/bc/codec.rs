//! Codecs: the encoders and decoders that each block format provides, on the CPU and on GPUs.

use crate::{
    Cancelled, ColorSpace, EncodeOptions, RoundingRule, Task, Texel, TexelFormat, block_row::BlockRow,
    rdo::StripOptimizer, simd::AvailableLevel,
};
#[cfg(feature = "gpu")]
use crate::{RealTime, chain::Chain};
use half::f16;

/// Family of formats. A feature adds the encoders for CPUs and GPUs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EncoderFamily {
    Bc1ToBc5,
    Bc6h,
    Bc7,
    Etc,
    Astc,
}

impl EncoderFamily {
    /// Returns the feature's name.
    pub const fn feature(self) -> &'static str {
        match self {
            Self::Bc1ToBc5 => "bc1-to-bc5",
            Self::Bc6h => "bc6h",
            Self::Bc7 => "bc7",
            Self::Etc => "etc",
            Self::Astc => "astc",
        }
    }

    /// True if this build has the feature.
    const fn is_encoded(self) -> bool {
        match self {
            Self::Bc1ToBc5 => cfg!(feature = "bc1-to-bc5"),
            Self::Bc6h => cfg!(feature = "bc6h"),
            Self::Bc7 => cfg!(feature = "bc7"),
            Self::Etc => cfg!(feature = "etc"),
            Self::Astc => cfg!(feature = "astc"),
        }
    }

    /// Returns the function of an encoder. Without the feature, returns `None`: the function is not compiled.
    pub const fn encoder<F: Copy>(self, function: F) -> Option<F> {
        if self.is_encoded() { Some(function) } else { None }
    }

    /// Returns the function of a second pass over the blocks, which also needs the feature `second-pass`.
    pub const fn second_pass<F: Copy>(self, function: F) -> Option<F> {
        if self.is_encoded() && cfg!(feature = "second-pass") { Some(function) } else { None }
    }
}

/// Encoders and decoder of one format.
pub(crate) struct Codec {
    /// Short name of the format, for errors.
    pub name: &'static str,
    /// Family, whose feature adds the encoders.
    pub family: EncoderFamily,
    /// Width and height of a block in texels. Encoders have 4×4.
    pub extent: [u32; 2],
    /// Size of one block in bytes: 8 or 16.
    pub block_bytes: usize,
    /// Texel format that the codec takes, and in which its mip levels are made.
    pub texels: TexelFormat,
    /// Encoder of rows of blocks, for an instruction set and an image; `None` if the format is only decoded,
    /// or the build lacks the family's feature.
    pub rows: Option<NewRowEncoder>,
    /// Decoder of rows of blocks to texels of this form, for a [`RoundingRule`]: see [`row_decoder`].
    pub decoder: fn(RoundingRule) -> RowDecoder,
    /// Second pass over the rows of blocks, where errors are weighted by alpha; `None` if the format never
    /// does that.
    pub by_alpha: Option<fn(&EncodeOptions, AvailableLevel) -> RowEncoder>,
    /// Encoder of rows of blocks of 16-bit images, which measures errors of all 16 bits; `None` if the
    /// format's values, or those of the rounding rule, have no more than 8. It needs the feature
    /// `second-pass`.
    pub deep: Option<fn(&EncodeOptions, AvailableLevel) -> Option<RowEncoder>>,
    /// Rate–distortion optimiser of a strip; `None` if the format has none.
    pub rdo: Option<fn(&EncodeOptions) -> StripOptimizer>,
    /// Kernels for GPUs.
    #[cfg(feature = "gpu")]
    pub kernels: CodecKernels,
    /// Texture formats that the blocks may be copied to.
    #[cfg(feature = "gpu")]
    pub texture_formats: &'static [brickwork_gpu::wgpu::TextureFormat],
}

/// Kernels of a codec.
#[cfg(feature = "gpu")]
#[derive(Clone, Copy)]
pub(crate) enum CodecKernels {
    /// None: the CPU encodes the format for every device.
    None,
    /// Chains for all options.
    All(fn(&EncodeOptions) -> Chain),
    /// Chains for real time only, of the levels of phones' formats. Otherwise, the CPU encodes the format for
    /// every device.
    RealTime(fn(RealTime) -> Chain),
    /// The same, with other chains for sRGB textures.
    RealTimeInSpace(fn(RealTime, ColorSpace) -> Chain),
}

#[cfg(feature = "gpu")]
impl CodecKernels {
    /// True if there are kernels for these options.
    pub fn has(self, options: &EncodeOptions) -> bool {
        match self {
            Self::None => false,
            Self::All(_) => true,
            Self::RealTime(_) | Self::RealTimeInSpace(_) => options.real_time.is_some(),
        }
    }

    /// Returns the chain for these options; `None` if there is none.
    fn chain(self, options: &EncodeOptions, color_space: ColorSpace) -> Option<Chain> {
        match self {
            Self::None => None,
            Self::All(chain) => Some(chain(options)),
            Self::RealTime(chain) => options.real_time.map(|level| chain(level.of_mobile())),
            Self::RealTimeInSpace(chain) => {
                options.real_time.map(|level| chain(level.of_mobile(), color_space))
            }
        }
    }
}

/// Function that returns an encoder of rows of blocks.
pub(crate) type NewRowEncoder = fn(&EncodeOptions, AvailableLevel, ImageProperties) -> RowEncoder;

/// Properties of an image, and of its texture, on which encoders of rows depend.
#[derive(Clone, Copy)]
pub(crate) struct ImageProperties {
    /// False if no texel has alpha.
    pub has_alpha: bool,
    /// Colour space of the texture.
    pub color_space: ColorSpace,
}

/// Codec of the blocks of a texture in a colour space.
#[derive(Clone, Copy)]
pub(crate) struct BlockCoder {
    pub codec: &'static Codec,
    pub color_space: ColorSpace,
}

impl BlockCoder {
    /// Returns the codec of a format for linear textures.
    pub fn linear(codec: &'static Codec) -> Self {
        Self { codec, color_space: ColorSpace::Linear }
    }

    /// Returns the chain of kernels for these options; `None` if there is none.
    #[cfg(feature = "gpu")]
    pub fn chain(self, options: &EncodeOptions) -> Option<Chain> {
        self.codec.kernels.chain(options, self.color_space)
    }

    /// True if this coder and another have the same kernels.
    #[cfg(feature = "gpu")]
    pub fn has_kernels_of(self, other: Self) -> bool {
        let is_by_space = matches!(self.codec.kernels, CodecKernels::RealTimeInSpace(_));
        std::ptr::eq(self.codec, other.codec) && (!is_by_space || self.color_space == other.color_space)
    }
}

/// Encoder of the rows of blocks of one image. It is called with four rows of texels and their blocks, from
/// any thread. Rows may be wide, so it checks the task for cancellation between batches of blocks.
pub(crate) enum RowEncoder {
    Rgba8(RowFn<[u8; 4]>),
    Rgba16(RowFn<[u16; 4]>),
    RgbaF16(RowFn<[f16; 4]>),
}

type RowFn<T> = Box<dyn Fn(&BlockRow<'_, T>, &mut [u8], &Task<'_>) -> Result<(), Cancelled> + Send + Sync>;

/// Decoder of rows of blocks to the texel format of the codec.
pub(crate) enum RowDecoder {
    Rgba8(DecodeRow<[u8; 4]>),
    #[cfg_attr(not(test), expect(dead_code, reason = "no format with a decoder has 16 bits"))]
    Rgba16(DecodeRow<[u16; 4]>),
    RgbaF16(DecodeRow<[f16; 4]>),
    /// To bytes, and for targets of another type to floats that were never rounded to bytes.
    Real {
        bytes: DecodeRow<[u8; 4]>,
        floats: DecodeRow<[f32; 4]>,
    },
    /// To bytes, which depend on the colour space of the texture. sRGB values are those before the curve.
    ByColorSpace(fn(ColorSpace) -> DecodeRow<[u8; 4]>),
}

/// Function that decodes a row of blocks to rows of texels, at most as many as a block has. Its arguments are
/// the blocks, the width, the stride in texels, and the texels.
pub(crate) type DecodeRow<T> = Box<dyn Fn(&[u8], usize, usize, &mut [T]) + Send + Sync>;

/// Evaluates the expression in `for_rounding_rule!(rule, CONSTANT => expression)` with the constant set to
/// `rule`, or to [`RoundingRule::Exact`] for [`RoundingRule::Real`]. The expression is compiled once for each
/// rule, which makes its numbers constants. bc1/notes.md reports the gain.
macro_rules! for_rounding_rule {
    ($rounding:expr, $constant:ident => $e:expr) => {
        $crate::bc::codec::for_rounding_rule!($rounding, $constant => $e, Trunc Nvidia Amd Intel)
    };
    ($rounding:expr, $constant:ident => $e:expr, $($name:ident)*) => {
        match $rounding {
            $crate::RoundingRule::Real | $crate::RoundingRule::Exact => {
                const $constant: $crate::RoundingRule = $crate::RoundingRule::Exact;
                $e
            }
            $($crate::RoundingRule::$name => {
                const $constant: $crate::RoundingRule = $crate::RoundingRule::$name;
                $e
            })*
        }
    };
}
pub(crate) use for_rounding_rule;

/// Returns the decoder of rows whose blocks have `BYTES` bytes, to 8 bits per channel. For each block,
/// `decode` returns a function from t to texel t of 16, row by row, as a word with red in the lowest byte.
pub(crate) fn row_decoder<const BYTES: usize, T: Fn(usize) -> u32>(
    decode: impl Fn(&[u8; BYTES]) -> T + Send + Sync + 'static,
) -> RowDecoder {
    RowDecoder::Rgba8(byte_rows(decode))
}

/// Returns the function that decodes rows as [`row_decoder`] does.
pub(crate) fn byte_rows<const BYTES: usize, T: Fn(usize) -> u32>(
    decode: impl Fn(&[u8; BYTES]) -> T + Send + Sync + 'static,
) -> DecodeRow<[u8; 4]> {
    decode_row(move |block| {
        let texel = decode(block);
        move |t| texel(t).to_le_bytes()
    })
}

/// Returns the function that decodes rows whose blocks have `BYTES` bytes. For each block, `decode` returns a
/// function from t to texel t of 16, row by row. No call goes through a pointer, so that all of it is
/// compiled into the loop over blocks.
pub(crate) fn decode_row<const BYTES: usize, N: Texel, T: Fn(usize) -> N>(
    decode: impl Fn(&[u8; BYTES]) -> T + Send + Sync + 'static,
) -> DecodeRow<N> {
    Box::new(move |blocks, width, stride, texels| {
        let blocks = blocks.as_chunks().0;
        let mut rows = texels.chunks_mut(stride).map(|row| &mut row[..width]);
        let mut rows: [&mut [N]; 4] = std::array::from_fn(|_| rows.next().unwrap_or_default());
        let whole = decode_whole(&decode, blocks, rows.each_mut().map(|row| row.as_chunks_mut().0));
        for (column, block) in blocks.iter().enumerate().skip(whole) {
            let mut decoded = [[N::zeroed(); 4]; 4];
            decode_whole(&decode, &[*block], decoded.each_mut().map(std::slice::from_mut));
            for (row, four) in rows.iter_mut().zip(decoded) {
                let inside = row.get_mut(4 * column..).unwrap_or_default();
                let count = inside.len().min(4);
                inside[..count].copy_from_slice(&four[..count]);
            }
        }
    })
}

/// Decodes blocks while each of the four rows has texels for them. Returns the number of blocks decoded.
#[inline(never)]
fn decode_whole<const BYTES: usize, N, T: Fn(usize) -> N>(
    decode: &impl Fn(&[u8; BYTES]) -> T,
    blocks: &[[u8; BYTES]],
    [a, b, c, d]: [&mut [[N; 4]]; 4],
) -> usize {
    let mut count = 0;
    for ((((block, a), b), c), d) in blocks.iter().zip(a).zip(b).zip(c).zip(d) {
        let texel = decode(block);
        for (y, row) in [a, b, c, d].into_iter().enumerate() {
            for (x, target) in row.iter_mut().enumerate() {
                *target = texel(4 * y + x);
            }
        }
        count += 1;
    }
    count
}
