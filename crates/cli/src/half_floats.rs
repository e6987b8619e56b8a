//! Single floats as half floats, in which light is measured and displayed.

use brickwork_image::image_file::Texels;
use brickwork_texture::half::f16;

/// Returns the nearest half float. Finite numbers beyond ±65504 become ±65504.
pub fn half(number: f32) -> f16 {
    let half = f16::from_f32(number);
    if is_beyond(number) { f16::MAX.copysign(half) } else { half }
}

/// True if half floats cannot store a finite number because it is too large.
fn is_beyond(number: f32) -> bool {
    number.is_finite() && f16::from_f32(number).is_infinite()
}

/// Returns the number of texels with a finite number that half floats cannot store because it is too large.
pub fn beyond_count(texels: &Texels) -> usize {
    let has_any = |texel: &[f32]| texel.iter().any(|&number| is_beyond(number));
    match texels {
        Texels::RgbF32(texels) => texels.iter().filter(|&texel| has_any(texel)).count(),
        Texels::RgbaF32(texels) => texels.iter().filter(|&texel| has_any(texel)).count(),
        _ => 0,
    }
}

/// Returns half floats in place of single floats; `None` if the texels have no single floats.
pub fn half_floats_of(texels: &Texels) -> Option<Texels> {
    match texels {
        Texels::RgbF32(texels) => Some(Texels::RgbF16(texels.iter().map(|texel| texel.map(half)).collect())),
        Texels::RgbaF32(texels) => {
            Some(Texels::RgbaF16(texels.iter().map(|texel| texel.map(half)).collect()))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finite_numbers_stay_finite() {
        let numbers = [1e6, -1e6, f32::INFINITY, 0.5];
        let halves = [f16::MAX, f16::MIN, f16::INFINITY, f16::from_f32(0.5)];
        assert_eq!(numbers.map(half), halves);
        assert!(half(f32::NAN).is_nan());
        let texels = Texels::RgbaF32(vec![numbers]);
        assert_eq!(beyond_count(&texels), 1);
        assert_eq!(half_floats_of(&texels), Some(Texels::RgbaF16(vec![halves])));
        assert_eq!(beyond_count(&Texels::RgbaF16(vec![halves])), 0);
    }
}
