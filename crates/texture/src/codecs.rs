//! Mapping from formats to codecs, and the lists of all kernels.

use crate::{
    AstcFootprint, BlockFormat, astc,
    bc::{Codec, bc1, bc2, bc3, bc4, bc5, bc6h, bc7},
    etc,
};

/// Returns the codec of `format`.
#[inline]
pub(crate) fn codec_of(format: BlockFormat) -> &'static Codec {
    match format {
        BlockFormat::Bc1 => &bc1::CODEC,
        BlockFormat::Bc2 => &bc2::CODEC,
        BlockFormat::Bc3 => &bc3::CODEC,
        BlockFormat::Bc4Unorm => &bc4::UNORM,
        BlockFormat::Bc4Snorm => &bc4::SNORM,
        BlockFormat::Bc5Unorm => &bc5::UNORM,
        BlockFormat::Bc5Snorm => &bc5::SNORM,
        BlockFormat::Bc7 => &bc7::CODEC,
        BlockFormat::Bc6hUfloat => &bc6h::UFLOAT,
        BlockFormat::Bc6hSfloat => &bc6h::SFLOAT,
        BlockFormat::Etc2Rgb => &etc::RGB,
        BlockFormat::Etc2RgbA1 => &etc::RGB_A1,
        BlockFormat::Etc2Rgba => &etc::RGBA,
        BlockFormat::EacR11Unorm => &etc::R11_UNORM,
        BlockFormat::EacR11Snorm => &etc::R11_SNORM,
        BlockFormat::EacRg11Unorm => &etc::RG11_UNORM,
        BlockFormat::EacRg11Snorm => &etc::RG11_SNORM,
        BlockFormat::Astc(footprint) => astc::footprints::codec_of(footprint),
    }
}

impl BlockFormat {
    /// True if images are encoded to the format. ASTC of other footprints than 4×4 is only decoded.
    pub fn has_encoder(self) -> bool {
        codec_of(self).rows.is_some()
    }

    /// True if the format has levels of [`EncodeOptions::real_time`](crate::EncodeOptions::real_time).
    pub const fn has_real_time(self) -> bool {
        match self {
            Self::Astc(footprint) => matches!(footprint, AstcFootprint::B4x4),
            Self::Bc1
            | Self::Bc2
            | Self::Bc3
            | Self::Bc4Unorm
            | Self::Bc4Snorm
            | Self::Bc5Unorm
            | Self::Bc5Snorm
            | Self::Bc6hUfloat
            | Self::Bc6hSfloat
            | Self::Bc7
            | Self::Etc2Rgb
            | Self::Etc2RgbA1
            | Self::Etc2Rgba
            | Self::EacR11Unorm
            | Self::EacR11Snorm
            | Self::EacRg11Unorm
            | Self::EacRg11Snorm => true,
        }
    }
}

/// Returns every kernel of every format, uncompiled.
#[cfg(feature = "gpu")]
pub(crate) fn kernels() -> Vec<brickwork_gpu::Kernel> {
    let mut kernels =
        [bc1::kernels(), bc2::kernels(), bc4::kernels(), bc6h::kernels(), bc7::kernels()].concat();
    let of_bc7_and_astc = bc7::singles().chain(astc::singles());
    let all = of_bc7_and_astc.chain(crate::bc::real_time::singles()).chain(etc::singles());
    kernels.extend(all.map(|single| crate::real_time::kernel(&single)));
    kernels
}

/// Returns every encoder that turns a texture into blocks in one kernel.
#[cfg(feature = "gpu")]
pub(crate) fn singles() -> impl Iterator<Item = crate::chain::Single> {
    bc7::singles().chain(astc::singles()).chain(crate::bc::real_time::direct_singles())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        CancelToken, Cancelled, ColorSpace, EncodeOptions, Quality, RdoLambda, RealTime, Task,
        bc::{ImageProperties, RowEncoder},
        block_row::BlockRow,
        simd::AvailableLevel,
    };
    use half::f16;

    /// Returns a row of 64 blocks of noise, including alpha.
    fn noise() -> Vec<[u8; 4]> {
        let mut state = 1u32;
        let texel = |_| {
            state = state.wrapping_mul(0x0019_660d).wrapping_add(0x3c6e_f35f);
            state.to_be_bytes()
        };
        (0..4 * 256).map(texel).collect()
    }

    /// Checks that every pass stops within a row. Rows may be so wide that they take seconds.
    #[test]
    fn every_pass_stops_within_a_row() {
        let texels = noise();
        let rows: [&[[u8; 4]]; 4] = std::array::from_fn(|y| &texels[256 * y..][..256]);
        let rows = BlockRow { rows, visible_rows: 4 };
        let texels: Vec<_> = texels.iter().map(|texel| texel.map(|v| f16::from_bits(v.into()))).collect();
        let halves: [&[[f16; 4]]; 4] = std::array::from_fn(|y| &texels[256 * y..][..256]);
        let halves = BlockRow { rows: halves, visible_rows: 4 };
        let token = CancelToken::new();
        token.cancel();
        let cancelled = Task::new().with_cancel(&token);
        let simd = AvailableLevel::detect();
        let image = ImageProperties { has_alpha: true, color_space: ColorSpace::Linear };
        let run = |encoder: &RowEncoder, blocks: &mut [u8], task: &Task<'_>| match encoder {
            RowEncoder::Rgba8(encode) => encode(&rows, blocks, task),
            RowEncoder::RgbaF16(encode) => encode(&halves, blocks, task),
            RowEncoder::Rgba16(_) => unreachable!("no format takes 16 bits"),
        };
        let mut passes = 0;
        for &format in BlockFormat::ALL {
            let codec = codec_of(format);
            assert_eq!((codec.name, codec.extent), (format.name(), format.block_extent()));
            assert_eq!(codec.block_bytes, format.block_bytes());
            #[cfg(feature = "gpu")]
            assert_eq!(codec.kernels.has(&EncodeOptions::default()), !format.is_mobile());
            let Some(rows_encoder) = codec.rows else { continue };
            let mut settings: Vec<_> =
                Quality::ALL.iter().map(|&q| EncodeOptions::default().with(|o| o.quality = q)).collect();
            settings.push(settings[0].with(|o| o.real_time = Some(RealTime::Level2)));
            for options in settings {
                let mut blocks = vec![0; 64 * codec.block_bytes];
                let options = options.with(|o| o.rdo = RdoLambda::new(1.0).unwrap());
                let encoder = rows_encoder(&options, simd, image);
                assert_eq!(run(&encoder, &mut blocks, &cancelled), Err(Cancelled), "{format:?} {options:?}");
                run(&encoder, &mut blocks, &Task::new()).unwrap();
                if let Some(by_alpha) = codec.by_alpha {
                    let weigher = by_alpha(&options, simd);
                    assert_eq!(
                        run(&weigher, &mut blocks, &cancelled),
                        Err(Cancelled),
                        "{format:?} {options:?}"
                    );
                    passes += 1;
                }
                if let Some(rdo) = codec.rdo {
                    let result = rdo(&options)(&rows, &mut blocks, &cancelled);
                    assert_eq!(result, Err(Cancelled), "{format:?} {options:?}");
                    passes += 1;
                }
                passes += 1;
            }
        }
        // Three formats are weighted by alpha, and 7 optimised.
        let encoders = BlockFormat::ALL.iter().filter(|format| format.has_encoder()).count();
        assert_eq!(passes, 6 * (encoders + 3 + 7));
    }
}
