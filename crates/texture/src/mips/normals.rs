//! Mip levels of normal maps, and z of maps that store x and y only.
//!
//! The mean of unit vectors is shorter than 1. A shader that lights with such a normal, or restores z from x
//! and y, sees a flatter or a wrong surface.

use super::{MipLevel, MipTexels};
use brickwork_image::Channel;

/// Scales the vectors in red, green and blue to length 1. Value v of n means 2v/n − 1. A vector of length 0
/// becomes (0, 0, 1). Floats do not change.
pub(crate) fn renormalize(level: &mut MipLevel) {
    match level.texels_mut() {
        MipTexels::Rgba8(texels) => texels.iter_mut().for_each(scale),
        MipTexels::Rgba16(texels) => texels.iter_mut().for_each(scale),
        MipTexels::RgbaF16(_) | MipTexels::RgbaF32(_) => {}
    }
}

fn scale<C: Channel>([r, g, b, _]: &mut [C; 4]) {
    [*r, *g, *b] = unit_length([*r, *g, *b]);
}

/// Returns the texel of the vector of length 1. All operations round alike on every machine.
fn unit_length<C: Channel>(texel: [C; 3]) -> [C; 3] {
    let (doubled, length) = vector(texel);
    // No component is 0, because the maximum is odd. The shortest vectors are those of a mean of 0.
    if length * length <= 27.5 {
        return texel_of([0.0, 0.0, 1.0]);
    }
    texel_of(doubled.map(|component| component / length))
}

/// Returns a vector and its length, both times n of the value v of n.
fn vector<C: Channel>(texel: [C; 3]) -> ([f64; 3], f64) {
    let doubled = texel.map(|value| 2.0 * value.value() - C::ONE);
    // The sum is exact.
    let square: f64 = doubled.iter().map(|component| component * component).sum();
    (doubled, square.sqrt())
}

fn texel_of<C: Channel>(unit: [f64; 3]) -> [C; 3] {
    unit.map(|component| C::of(((component + 1.0) * (C::ONE / 2.0) + 0.5).floor()))
}

/// Returns the texel of a vector scaled to length 1, if its length is not 1 already: `None` if a vector of
/// length 1 is rounded to the same texel, or to one beside it. Value v of integers up to n means 2v/n − 1.
/// Black, the background of many maps, becomes (0, 0, 1).
///
/// ```
/// use brickwork_texture::mips::normalized;
///
/// assert_eq!(normalized([191u8, 128, 191]), Some([218, 128, 218]));
/// assert_eq!(normalized([218u8, 128, 218]), None);
/// assert_eq!(normalized([0u16; 3]), Some([32768, 32768, 65535]));
/// ```
pub fn normalized<C: Channel>(texel: [C; 3]) -> Option<[C; 3]> {
    if texel.iter().all(|value| value.value() == 0.0) {
        return Some(texel_of([0.0, 0.0, 1.0]));
    }
    let (_, length) = vector(texel);
    // Rounding moves each component by at most half a step, which is 1 of n.
    let is_rounded = (length - C::ONE).abs() <= 3.0f64.sqrt();
    (!is_rounded).then(|| unit_length(texel))
}

/// Returns z ≥ 0 of the vector of length 1 with these x and y. Value v of 8 bits means 2v/255 − 1. If x and y
/// alone are longer than 1, z is 0: the result is 128.
///
/// ```
/// use brickwork_texture::mips::restored_z;
///
/// assert_eq!([restored_z(128, 128), restored_z(218, 128), restored_z(255, 128)], [255, 217, 128]);
/// ```
pub fn restored_z(x: u8, y: u8) -> u8 {
    let [x, y] = [x, y].map(|value| f32::from(value) / 127.5 - 1.0);
    let z = (1.0 - x * x - y * y).max(0.0).sqrt();
    ((z + 1.0) * 127.5 + 0.5) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_get_length_1_and_keep_their_direction() {
        for (texel, expected) in [
            ([128u8, 128, 255], [128, 128, 255]),
            ([128, 128, 160], [129, 129, 255]),
            ([128, 127, 128], [128, 128, 255]),
            ([191, 128, 191], [218, 128, 218]),
            ([255, 255, 255], [201, 201, 201]),
            ([0, 128, 128], [0, 128, 128]),
        ] {
            assert_eq!(unit_length(texel), expected, "{texel:?}");
        }
        for r in (0..=255u8).step_by(5) {
            for g in (0..=255).step_by(5) {
                let unit = unit_length([r, g, 200]);
                let vector = unit.map(|value| f64::from(value) / 127.5 - 1.0);
                let length = vector.iter().map(|v| v * v).sum::<f64>().sqrt();
                assert!((length - 1.0).abs() < 0.007, "{r} {g}: {length}");
                assert_eq!(normalized(unit), None);
            }
        }
    }

    #[test]
    fn vectors_of_16_bits_get_length_1() {
        for (texel, expected) in [
            ([32768u16, 32768, 49151], [32768, 32768, 65535]),
            ([49151, 32768, 49151], [55938, 32768, 55938]),
            ([65535, 65535, 65535], [51686, 51686, 51686]),
        ] {
            let unit = unit_length(texel);
            let near = unit.iter().zip(expected).all(|(a, b)| a.abs_diff(b) <= 1);
            assert!(near, "{texel:?}: {unit:?}");
            assert_eq!((normalized(texel), normalized(unit)), (Some(unit), None));
        }
    }
}
