//! BC3's codec.

#[cfg(feature = "gpu")]
use crate::bc::{
    bc1::color_chain,
    bc4::{Channels, add_steps},
};
use crate::{
    EncodeOptions, RoundingRule, TexelFormat,
    bc::{
        bc1::{AlphaWeigher, ColorEncoder, ColorUnit, PaletteRule, colors},
        bc4::{ChannelEncoder, ChannelUnit, ValueRule, nvidia, values},
        codec::{Codec, EncoderFamily, RowEncoder, for_rounding_rule, row_decoder},
        real_time,
    },
    rdo::{Optimizer, Rate, StripOptimizer},
};

/// Alpha, in the first half of a block.
#[cfg(feature = "gpu")]
const ALPHA: Channels = Channels { first: 3, count: 1, block_bytes: 16 };

/// BC3's encoders and decoder.
pub(crate) static CODEC: Codec = Codec {
    name: "bc3",
    family: EncoderFamily::Bc1ToBc5,
    extent: [4, 4],
    block_bytes: 16,
    texels: TexelFormat::Rgba8,
    rows: EncoderFamily::Bc1ToBc5.encoder(|options, simd, _| {
        if let Some(level) = options.real_time {
            return real_time::rows(simd, real_time::BC3, level, 0);
        }
        let alpha = ChannelEncoder::new(simd, options, ValueRule::alpha(options.rounding_rule));
        let color = ColorEncoder::new(simd, options);
        RowEncoder::Rgba8(Box::new(move |rows, blocks, task| {
            alpha.encode_row(rows, 3..4, blocks, 16, task)?;
            color.encode_row(rows, blocks, task)
        }))
    }),
    decoder: |rounding| {
        for_rounding_rule!(rounding, ROUNDING => {
            const RULES: (ValueRule, PaletteRule) = (ValueRule::alpha(ROUNDING), PaletteRule::new(ROUNDING));
            match ROUNDING {
                RoundingRule::Nvidia => row_decoder(|block: &[u8; 16]| {
                    texels(block, nvidia::alpha(block[0], block[1]), &RULES.1)
                }),
                RoundingRule::Real
                | RoundingRule::Exact
                | RoundingRule::Trunc
                | RoundingRule::Amd
                | RoundingRule::Intel => row_decoder(|block: &[u8; 16]| {
                    texels(block, RULES.0.palette(block[0], block[1]), &RULES.1)
                }),
            }
        })
    },
    by_alpha: EncoderFamily::Bc1ToBc5.second_pass(|options, simd| {
        let weigher = AlphaWeigher::new(simd, options);
        RowEncoder::Rgba8(Box::new(move |rows, blocks, task| weigher.improve_row(rows, blocks, task)))
    }),
    deep: None,
    rdo: EncoderFamily::Bc1ToBc5.second_pass(optimizer),
    #[cfg(feature = "gpu")]
    kernels: crate::bc::CodecKernels::All(|options| {
        if let Some(level) = options.real_time {
            return real_time::chain(real_time::BC3, level, 0);
        }
        let mut chain = color_chain(options);
        // BC1's first kernel overwrites the alpha of the texels, so alpha comes first.
        let colors = std::mem::take(&mut chain.steps);
        add_steps(&mut chain, options, ValueRule::alpha(options.rounding_rule), ALPHA);
        chain.steps.extend(colors);
        chain
    }),
    #[cfg(feature = "gpu")]
    texture_formats: &[
        brickwork_gpu::wgpu::TextureFormat::Bc3RgbaUnorm,
        brickwork_gpu::wgpu::TextureFormat::Bc3RgbaUnormSrgb,
    ],
};

/// Returns the optimiser of a strip. Alpha and colours are separate units, written alternately.
fn optimizer(options: &EncodeOptions) -> StripOptimizer {
    let weights = options.weights.rgb().map(i32::from);
    let sum: i32 = weights.iter().sum();
    let lambda = options.rdo.scaled(sum);
    // Alpha has the average weight of a colour.
    let alpha = ChannelUnit::new(ValueRule::alpha(options.rounding_rule), 3);
    let mut alpha = Optimizer::new(alpha, 16, [(sum + 1) / 3], lambda);
    let color = ColorUnit::new(PaletteRule::new(options.rounding_rule), false);
    let mut color = Optimizer::new(color, 16, weights, lambda);
    let mut rate = Rate::new();
    Box::new(move |rows, blocks, task| {
        for (column, halves) in blocks.as_chunks_mut::<8>().0.chunks_exact_mut(2).enumerate() {
            task.check()?;
            let (texels, visible) = (rows.block(column), rows.visible_texels(column));
            for (half, is_color) in halves.iter_mut().zip([false, true]) {
                let unit = u128::from(u64::from_le_bytes(*half));
                let written = if is_color {
                    color.step(&mut rate, unit, &texels, visible)
                } else {
                    alpha.step(&mut rate, unit, &texels, visible)
                };
                *half = (written as u64).to_le_bytes();
            }
        }
        Ok(())
    })
}

/// Returns a function from a texel's index to its word, red in the lowest byte.
#[inline(always)]
fn texels(
    block: &[u8; 16],
    alpha_palette: [u8; 8],
    color_rule: &PaletteRule,
) -> impl Fn(usize) -> u32 + use<> {
    let [alpha, color] = block.as_chunks().0 else { unreachable!("16 bytes") };
    let (color, alpha) = (colors(color, color_rule), values::<24>(alpha, alpha_palette, 0));
    move |t| color(t) | alpha(t)
}
