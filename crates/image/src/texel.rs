//! Types of an image's texels, and their conversion to RGBA of 8 bits, 16 bits or floats.

use crate::ChannelType;
use half::f16;

mod sealed {
    pub trait Sealed {}
}

/// One texel of an [`ImageView`](crate::ImageView): a channel type or an array of one to four of them.
///
/// One channel is grey (for red, green and blue), two are red and green with blue 0, three are RGB, and four
/// are RGBA. Alpha is straight or premultiplied, as in the caller's data. Missing alpha is opaque. The trait
/// is sealed: it is implemented for `u8`, `u16`, `f16` and `f32` and their arrays.
pub trait Texel: bytemuck::Pod + Send + Sync + sealed::Sealed {
    /// Type of each channel.
    const CHANNEL_TYPE: ChannelType;
    /// Number of channels that the texel stores, 1 to 4.
    const CHANNEL_COUNT: usize;
    /// True if the texel stores alpha.
    const HAS_ALPHA: bool = Self::CHANNEL_COUNT == 4;

    /// Returns the texel as 8-bit RGBA. Wider integers are rounded to nearest (`v · 255 / 65535`). Floats are
    /// clamped to 0..=1 and rounded to nearest, ties to even; NaN is 0.
    fn to_rgba8(self) -> [u8; 4];

    /// Returns the texel as 16-bit RGBA. 8-bit channels are multiplied by 257. Floats are clamped to 0..=1
    /// and rounded to nearest, ties to even; NaN is 0.
    fn to_rgba16(self) -> [u16; 4];

    /// Returns the texel as half-float RGBA, rounded to nearest, ties to even. Integers are divided by their
    /// largest value. Half floats do not change, and single floats that are too large become infinite.
    fn to_rgba_f16(self) -> [f16; 4];

    /// Returns the texel as float RGBA. Integers are divided by their largest value; floats do not change.
    fn to_rgba_f32(self) -> [f32; 4];
}

trait Channel: Copy {
    const TYPE: ChannelType;
    const OPAQUE: Self;
    const ZERO: Self;
    fn to_u8(self) -> u8;
    fn to_u16(self) -> u16;
    fn to_f16(self) -> f16;
    fn to_f32(self) -> f32;
}

/// Returns `value · greatest` rounded to nearest, ties to even, with `value` clamped to 0..=1; NaN is 0.
#[inline]
fn to_unorm(value: f32, greatest: f32) -> u32 {
    // `value * greatest + 0.5` is avoided, because a GPU may fuse it and round differently. Below 2²², adding
    // 2²³ rounds to nearest and leaves the integer in the lowest bits. The comparison is false for NaN.
    let scaled = value * greatest;
    let clamped = if scaled > 0.0 { scaled.min(greatest) } else { 0.0 };
    (clamped + 8_388_608.0).to_bits() & 0x7f_ffff
}

/// Returns `value / greatest` as a half float, rounded to nearest, for `value` ≤ `greatest` and `greatest`
/// 255 or 65535. It is computed in integers, as in kernels (`half_of_ratio` in convert_wide.wgsl).
fn half_of_ratio(value: u32, greatest: u32) -> f16 {
    // The quotient times 2^shift has 11 bits, or fewer if it is subnormal. Divisors are odd, so there are no
    // ties.
    let mut shift = 10;
    while shift < 24 && value << shift < greatest << 10 {
        shift += 1;
    }
    let quotient = ((value << shift) + greatest / 2) / greatest;
    f16::from_bits((((24 - shift) << 10) + quotient) as u16)
}

impl Channel for u8 {
    const TYPE: ChannelType = ChannelType::U8;
    const OPAQUE: Self = 255;
    const ZERO: Self = 0;
    fn to_u8(self) -> u8 {
        self
    }
    fn to_u16(self) -> u16 {
        u16::from(self) * 257
    }
    fn to_f16(self) -> f16 {
        half_of_ratio(self.into(), 255)
    }
    fn to_f32(self) -> f32 {
        f32::from(self) / 255.0
    }
}

impl Channel for u16 {
    const TYPE: ChannelType = ChannelType::U16;
    const OPAQUE: Self = 65535;
    const ZERO: Self = 0;
    fn to_u8(self) -> u8 {
        // 65535 = 257 · 255, so this is v / 257 rounded to nearest. A tie cannot occur, because 257 is odd.
        ((u32::from(self) + 128) / 257) as u8
    }
    fn to_u16(self) -> u16 {
        self
    }
    fn to_f16(self) -> f16 {
        half_of_ratio(self.into(), 65535)
    }
    fn to_f32(self) -> f32 {
        f32::from(self) / 65535.0
    }
}

impl Channel for f32 {
    const TYPE: ChannelType = ChannelType::F32;
    const OPAQUE: Self = 1.0;
    const ZERO: Self = 0.0;
    fn to_u8(self) -> u8 {
        to_unorm(self, 255.0) as u8
    }
    fn to_u16(self) -> u16 {
        to_unorm(self, 65535.0) as u16
    }
    fn to_f16(self) -> f16 {
        f16::from_f32(self)
    }
    fn to_f32(self) -> f32 {
        self
    }
}

impl Channel for f16 {
    const TYPE: ChannelType = ChannelType::F16;
    const OPAQUE: Self = f16::ONE;
    const ZERO: Self = f16::ZERO;
    fn to_u8(self) -> u8 {
        self.to_f32().to_u8()
    }
    fn to_u16(self) -> u16 {
        self.to_f32().to_u16()
    }
    fn to_f16(self) -> f16 {
        self
    }
    fn to_f32(self) -> f32 {
        f32::from(self)
    }
}

macro_rules! impl_texel {
    ($($channel:ty),*) => {$(
        impl sealed::Sealed for $channel {}
        impl Texel for $channel {
            const CHANNEL_TYPE: ChannelType = <$channel as Channel>::TYPE;
            const CHANNEL_COUNT: usize = 1;
            fn to_rgba8(self) -> [u8; 4] {
                let v = self.to_u8();
                [v, v, v, 255]
            }
            fn to_rgba16(self) -> [u16; 4] {
                let v = self.to_u16();
                [v, v, v, u16::MAX]
            }
            fn to_rgba_f16(self) -> [f16; 4] {
                let v = Channel::to_f16(self);
                [v, v, v, f16::ONE]
            }
            fn to_rgba_f32(self) -> [f32; 4] {
                let v = Channel::to_f32(self);
                [v, v, v, 1.0]
            }
        }
        impl_texel!(@array $channel, 2, |[r, g]| [r, g, <$channel>::ZERO, <$channel>::OPAQUE]);
        impl_texel!(@array $channel, 3, |[r, g, b]| [r, g, b, <$channel>::OPAQUE]);
        impl_texel!(@array $channel, 4, |[r, g, b, a]| [r, g, b, a]);
    )*};
    (@array $channel:ty, $count:literal, |$pattern:pat_param| $rgba:expr) => {
        impl sealed::Sealed for [$channel; $count] {}
        impl Texel for [$channel; $count] {
            const CHANNEL_TYPE: ChannelType = <$channel as Channel>::TYPE;
            const CHANNEL_COUNT: usize = $count;
            #[inline]
            fn to_rgba8(self) -> [u8; 4] {
                let $pattern = self;
                $rgba.map(Channel::to_u8)
            }
            #[inline]
            fn to_rgba16(self) -> [u16; 4] {
                let $pattern = self;
                $rgba.map(Channel::to_u16)
            }
            #[inline]
            fn to_rgba_f16(self) -> [f16; 4] {
                let $pattern = self;
                $rgba.map(Channel::to_f16)
            }
            #[inline]
            fn to_rgba_f32(self) -> [f32; 4] {
                let $pattern = self;
                $rgba.map(Channel::to_f32)
            }
        }
    };
}

impl_texel!(u8, u16, f16, f32);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sixteen_bits_round_to_the_nearest_eight() {
        for v in 0..=65535u16 {
            let nearest = (f64::from(v) * 255.0 / 65535.0).round() as u8;
            assert_eq!(v.to_rgba8(), [nearest, nearest, nearest, 255], "{v}");
        }
    }

    /// True if no half float is nearer to `value` ≥ 0: `f16::from_f64` may round twice, by way of a single.
    fn is_nearest(half: f16, value: f64) -> bool {
        let error = |bits: u16| (f16::from_bits(bits).to_f64() - value).abs();
        let bits = half.to_bits();
        error(bits) <= error(bits + 1) && error(bits) <= error(bits.saturating_sub(1))
    }

    #[test]
    fn integers_become_the_nearest_halves() {
        for v in 0..=65535u16 {
            let [half, ..] = v.to_rgba_f16();
            assert!(is_nearest(half, f64::from(v) / 65535.0), "{v}");
        }
        for v in 0..=255u8 {
            let [half, _, _, alpha] = v.to_rgba_f16();
            assert!(is_nearest(half, f64::from(v) / 255.0) && alpha == f16::ONE, "{v}");
        }
    }

    #[test]
    fn eight_bits_and_floats_become_sixteen() {
        assert_eq!([0u8, 1, 255].to_rgba16(), [0, 257, 65535, 65535]);
        assert_eq!([f32::NAN, -1.0, 2.0, 0.5].to_rgba16(), [0, 0, 65535, 32768]);
        for v in 0..=65535u16 {
            assert_eq!((f32::from(v) / 65535.0).to_u16(), v);
        }
    }

    #[test]
    fn floats_clamp_and_not_a_number_is_zero() {
        assert_eq!([f32::NAN, -1.0, 2.0, 0.5].to_rgba8(), [0, 0, 255, 128]);
        assert_eq!([f16::from_f32(0.5), f16::ONE].to_rgba8(), [128, 255, 0, 255]);
    }
}
