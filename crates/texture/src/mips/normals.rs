//! Mip levels of normal maps, and z of maps that store x and y only.
//!
//! The mean of unit vectors is shorter than 1. A shader that lights with such a normal, or restores z from x
//! and y, sees a flatter or a wrong surface.

use super::{MipLevel, MipTexels};

/// Scales the vectors in red, green and blue to length 1. Value v of 8 bits means 2v/255 − 1. A vector of
/// length 0 becomes (0, 0, 1). Texels of more bits do not change.
pub(crate) fn renormalize(level: &mut MipLevel) {
    if let MipTexels::Rgba8(texels) = level.texels_mut() {
        for [r, g, b, _] in texels {
            [*r, *g, *b] = unit_length([*r, *g, *b]);
        }
    }
}

/// Returns the texel of the vector of length 1. All operations round alike on every machine.
fn unit_length(texel: [u8; 3]) -> [u8; 3] {
    let doubled = texel.map(|value| 2 * i32::from(value) - 255);
    let square: i32 = doubled.iter().map(|component| component * component).sum();
    // No component is 0, because 255 is odd. The shortest vectors are those of a mean of 0.
    if square <= 3 * 3 * 3 {
        return [128, 128, 255];
    }
    let length = f64::from(square).sqrt();
    doubled.map(|component| ((f64::from(component) / length + 1.0) * 127.5 + 0.5) as u8)
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
            ([128, 128, 255], [128, 128, 255]),
            ([128, 128, 160], [129, 129, 255]),
            ([128, 127, 128], [128, 128, 255]),
            ([191, 128, 191], [218, 128, 218]),
            ([255, 255, 255], [201, 201, 201]),
            ([0, 128, 128], [0, 128, 128]),
        ] {
            assert_eq!(unit_length(texel), expected, "{texel:?}");
        }
        for r in (0..=255).step_by(5) {
            for g in (0..=255).step_by(5) {
                let unit = unit_length([r, g, 200]);
                let vector = unit.map(|value| f64::from(value) / 127.5 - 1.0);
                let length = vector.iter().map(|v| v * v).sum::<f64>().sqrt();
                assert!((length - 1.0).abs() < 0.007, "{r} {g}: {length}");
            }
        }
    }
}
