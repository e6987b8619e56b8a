//! What one texel of an image may be, and how it is seen as 8-bit or float RGBA.

use half::f16;

mod sealed {
    pub trait Sealed {
        /// What kernels call the channel's type: 0 is `u8`, 1 `u16`, 2 `f16`, 3 `f32`.
        const CHANNEL_TYPE: u32;
    }
}

/// One texel of an [`ImageView`](crate::ImageView): a channel type or an array of one to four of them.
///
/// One channel is grey (it fills red, green and blue), two are red and green with blue 0, three are RGB, four
/// are RGBA with straight or premultiplied alpha as the caller's data has it. A missing alpha is opaque. The
/// trait is sealed: it is implemented for `u8`, `u16`, `f16` and `f32` and their arrays.
pub trait Texel: bytemuck::Pod + Send + Sync + sealed::Sealed {
    /// How many channels the texel stores, 1 to 4.
    const CHANNEL_COUNT: usize;
    /// Whether the texel stores alpha.
    const HAS_ALPHA: bool = Self::CHANNEL_COUNT == 4;

    /// The texel as 8-bit RGBA. Wider integers are rounded to nearest (`v · 255 / 65535`), floats are clamped
    /// to 0..=1 and rounded to nearest, ties to even; NaN is 0.
    fn to_rgba8(self) -> [u8; 4];

    /// The texel as float RGBA: integers divided by their greatest value, floats as they are.
    fn to_rgba_f32(self) -> [f32; 4];
}

trait Channel: Copy {
    const TYPE: u32;
    const OPAQUE: Self;
    const ZERO: Self;
    fn to_u8(self) -> u8;
    fn to_f32(self) -> f32;
}

impl Channel for u8 {
    const TYPE: u32 = 0;
    const OPAQUE: Self = 255;
    const ZERO: Self = 0;
    fn to_u8(self) -> u8 {
        self
    }
    fn to_f32(self) -> f32 {
        f32::from(self) / 255.0
    }
}

impl Channel for u16 {
    const TYPE: u32 = 1;
    const OPAQUE: Self = 65535;
    const ZERO: Self = 0;
    fn to_u8(self) -> u8 {
        // 65535 = 257 · 255, so v / 257 rounded to nearest; a tie cannot occur because 257 is odd.
        ((u32::from(self) + 128) / 257) as u8
    }
    fn to_f32(self) -> f32 {
        f32::from(self) / 65535.0
    }
}

impl Channel for f32 {
    const TYPE: u32 = 3;
    const OPAQUE: Self = 1.0;
    const ZERO: Self = 0.0;
    fn to_u8(self) -> u8 {
        // Not `self * 255.0 + 0.5`: a GPU may fuse that and round otherwise. Below 256, adding 2²³ rounds to nearest
        // and leaves the integer in the lowest bits. The comparison is false for NaN.
        let scaled = self * 255.0;
        let clamped = if scaled > 0.0 { scaled.min(255.0) } else { 0.0 };
        (clamped + 8_388_608.0).to_bits() as u8
    }
    fn to_f32(self) -> f32 {
        self
    }
}

impl Channel for f16 {
    const TYPE: u32 = 2;
    const OPAQUE: Self = f16::ONE;
    const ZERO: Self = f16::ZERO;
    fn to_u8(self) -> u8 {
        self.to_f32().to_u8()
    }
    fn to_f32(self) -> f32 {
        f32::from(self)
    }
}

macro_rules! impl_texel {
    ($($channel:ty),*) => {$(
        impl sealed::Sealed for $channel {
            const CHANNEL_TYPE: u32 = <$channel as Channel>::TYPE;
        }
        impl Texel for $channel {
            const CHANNEL_COUNT: usize = 1;
            fn to_rgba8(self) -> [u8; 4] {
                let v = self.to_u8();
                [v, v, v, 255]
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
        impl sealed::Sealed for [$channel; $count] {
            const CHANNEL_TYPE: u32 = <$channel as Channel>::TYPE;
        }
        impl Texel for [$channel; $count] {
            const CHANNEL_COUNT: usize = $count;
            #[inline]
            fn to_rgba8(self) -> [u8; 4] {
                let $pattern = self;
                $rgba.map(Channel::to_u8)
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

    #[test]
    fn floats_clamp_and_not_a_number_is_zero() {
        assert_eq!([f32::NAN, -1.0, 2.0, 0.5].to_rgba8(), [0, 0, 255, 128]);
        assert_eq!([f16::from_f32(0.5), f16::ONE].to_rgba8(), [128, 255, 0, 255]);
    }
}
