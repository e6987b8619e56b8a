//! Texels in lights and back.
//!
//! | texels | unit of colours | unit of alpha |
//! |---|---|---|
//! | 8 bits | 1/65535 | 1/255 |
//! | 16 bits | 1/65535 | 1/65535 |
//! | half floats, single floats | 1 | 1 |

use super::Lights;
use crate::ChannelType;
use brickwork_image::{
    light::{finite_single, linear_to_srgb, narrow, srgb_to_linear, widen},
    srgb,
};
use half::f16;
use std::sync::LazyLock;

/// Linear light of 8-bit sRGB values.
static SRGB_LIGHTS: LazyLock<[f32; 256]> =
    LazyLock::new(|| std::array::from_fn(|value| srgb_to_linear(value as u8).into()));

/// Linear light of 16-bit sRGB values at even indices, and of the borders between them at odd ones.
static SRGB_LIGHTS_16: LazyLock<Vec<f32>> = LazyLock::new(|| {
    (0..131_071).map(|i| (srgb::light(f64::from(i) / 131_070.0) * 65535.0) as f32).collect()
});

/// Functions from texels to lights and back.
pub(super) struct Conversion<Of, To> {
    pub of_texel: Of,
    pub to_texel: To,
    /// Minimum alpha, in lights, by which the sums of colours are divided: see [`visible`].
    pub visible: f32,
}

/// Returns the minimum alpha, in lights, by which the sums of colours are divided.
pub(crate) const fn visible(channels: ChannelType) -> f32 {
    match channels {
        ChannelType::U8 | ChannelType::U16 => 0.5,
        ChannelType::F16 | ChannelType::F32 => 1.0 / 4096.0,
    }
}

/// Returns the conversion of 8-bit sRGB texels, rounded to the nearest value on the sRGB scale.
pub(super) fn srgb8() -> Conversion<impl Fn(&[u8; 4]) -> Lights + Sync, impl Fn(Lights) -> [u8; 4] + Sync> {
    let table = &*SRGB_LIGHTS;
    let light = |value: u8| table[usize::from(value)];
    Conversion {
        of_texel: move |&[r, g, b, a]: &[u8; 4]| [light(r), light(g), light(b), a.into()],
        to_texel: |[r, g, b, a]: Lights| {
            let [r, g, b] = [r, g, b].map(|light| linear_to_srgb(rounded(light, 65535.0) as u16));
            [r, g, b, rounded(a, 255.0) as u8]
        },
        visible: visible(ChannelType::U8),
    }
}

/// Returns the conversion of 8-bit numbers.
pub(super) fn unorm8() -> Conversion<impl Fn(&[u8; 4]) -> Lights + Sync, impl Fn(Lights) -> [u8; 4] + Sync> {
    Conversion {
        of_texel: |&[r, g, b, a]: &[u8; 4]| {
            let [r, g, b] = [r, g, b].map(|value| f32::from(widen(value)));
            [r, g, b, a.into()]
        },
        to_texel: |[r, g, b, a]: Lights| {
            let [r, g, b] = [r, g, b].map(|light| narrow(rounded(light, 65535.0) as u16));
            [r, g, b, rounded(a, 255.0) as u8]
        },
        visible: visible(ChannelType::U8),
    }
}

/// Returns the conversion of 16-bit sRGB texels, rounded to the nearest value on the sRGB scale.
pub(super) fn srgb16() -> Conversion<impl Fn(&[u16; 4]) -> Lights + Sync, impl Fn(Lights) -> [u16; 4] + Sync>
{
    let table = &*SRGB_LIGHTS_16;
    let light = |value: u16| table[2 * usize::from(value)];
    // The first value whose upper border is above the light.
    let nearest = |light: f32| {
        let (mut low, mut high) = (0u32, 65535u32);
        while low < high {
            let middle = (low + high) / 2;
            if light < table[2 * middle as usize + 1] {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        low as u16
    };
    Conversion {
        of_texel: move |&[r, g, b, a]: &[u16; 4]| [light(r), light(g), light(b), a.into()],
        to_texel: move |[r, g, b, a]: Lights| {
            [nearest(r), nearest(g), nearest(b), rounded(a, 65535.0) as u16]
        },
        visible: visible(ChannelType::U16),
    }
}

/// Returns the conversion of 16-bit numbers.
pub(super) fn unorm16() -> Conversion<impl Fn(&[u16; 4]) -> Lights + Sync, impl Fn(Lights) -> [u16; 4] + Sync>
{
    Conversion {
        of_texel: |texel: &[u16; 4]| texel.map(f32::from),
        to_texel: |lights: Lights| lights.map(|light| rounded(light, 65535.0) as u16),
        visible: visible(ChannelType::U16),
    }
}

/// Returns the conversion of half floats, rounded to nearest, ties to even. Infinities count as 65504, and
/// NaN counts as 0.
pub(super) fn halves() -> Conversion<impl Fn(&[f16; 4]) -> Lights + Sync, impl Fn(Lights) -> [f16; 4] + Sync>
{
    Conversion {
        of_texel: |texel: &[f16; 4]| {
            texel.map(|value| if value.is_nan() { 0.0 } else { finite(value.to_f32()) })
        },
        to_texel: |lights: Lights| lights.map(|light| f16::from_f32(finite(light))),
        visible: visible(ChannelType::F16),
    }
}

/// Returns the conversion of single floats. Infinities count as the largest finite number, and NaN counts as
/// 0.
pub(super) fn singles() -> Conversion<impl Fn(&[f32; 4]) -> Lights + Sync, impl Fn(Lights) -> [f32; 4] + Sync>
{
    Conversion {
        of_texel: |texel: &[f32; 4]| texel.map(finite_single),
        to_texel: |lights: Lights| lights.map(finite_single),
        visible: visible(ChannelType::F32),
    }
}

fn finite(value: f32) -> f32 {
    value.clamp(-65504.0, 65504.0)
}

/// Returns the integer nearest to a number, from 0 to `most`.
fn rounded(value: f32, most: f32) -> u32 {
    (value.clamp(0.0, most) + 0.5) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_lead_back() {
        fn back<T: PartialEq + std::fmt::Debug>(
            conversion: &Conversion<impl Fn(&T) -> Lights, impl Fn(Lights) -> T>,
            texel: T,
            expected: T,
        ) {
            assert_eq!((conversion.to_texel)((conversion.of_texel)(&texel)), expected);
        }
        for value in 0..=255u8 {
            let texel = [value, 255 - value, value / 2, value];
            back(&srgb8(), texel, texel);
            back(&unorm8(), texel, texel);
        }
        let (srgb, linear, halves) = (srgb16(), unorm16(), halves());
        for value in 0..=65535u16 {
            let texel = [value, 65535 - value, value / 2, value];
            back(&srgb, texel, texel);
            back(&linear, texel, texel);
            let half = f16::from_bits(value);
            let expected = match half {
                _ if half.is_nan() => f16::ZERO,
                _ if half.is_infinite() => f16::MAX.copysign(half),
                _ => half,
            };
            back(&halves, [half; 4], [expected; 4]);
        }
        let (max, infinity) = (f32::MAX, f32::INFINITY);
        back(&singles(), [1.0 / 3.0, -1e-30, f32::NAN, 1.0], [1.0 / 3.0, -1e-30, 0.0, 1.0]);
        back(&singles(), [infinity, -infinity, max, -max], [max, -max, max, -max]);
        assert_eq!((srgb.to_texel)([-1.0, 1e9, 65535.0, 70000.0]), [0, 65535, 65535, 65535]);
    }
}
