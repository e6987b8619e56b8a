//! Conversion of 8-bit values to 16-bit linear light and back, with tables.

use crate::srgb;

/// Returns a linear value as light.
#[inline]
pub fn widen(value: u8) -> u16 {
    u16::from(value) * 257
}

/// Returns the linear value nearest to `light`.
#[inline]
pub fn narrow(light: u16) -> u8 {
    ((u32::from(light) + 128) / 257) as u8
}

/// Linear light of the sRGB values 0, ½, 1, …, 255 in 65535ths, rounded to nearest. Even indices contain the
/// values themselves; odd indices contain the borders between them.
static HALF_STEPS: [u16; 511] = half_steps();

/// sRGB values per 16 steps of linear light: the value whose range contains the first of these steps. No two
/// borders are within 16 steps: near black, where they are nearest, their distance is 65535 / (255 · 12.92) =
/// 19.9.
static FIRST_VALUES: [u8; 4096] = first_values();

/// Returns the light of an sRGB value.
#[inline]
pub fn srgb_to_linear(value: u8) -> u16 {
    HALF_STEPS[2 * value as usize]
}

/// Returns the sRGB value nearest to `light`, measured on the sRGB scale.
#[inline]
pub fn linear_to_srgb(light: u16) -> u8 {
    let first = FIRST_VALUES[light as usize >> 4];
    match HALF_STEPS.get(2 * first as usize + 1) {
        Some(&border) if light >= border => first + 1,
        _ => first,
    }
}

/// Returns a number without infinities and NaN.
#[inline]
pub fn finite_single(number: f32) -> f32 {
    if number.is_nan() { 0.0 } else { number.clamp(f32::MIN, f32::MAX) }
}

const fn half_steps() -> [u16; 511] {
    let mut steps = [0; 511];
    let mut i = 0;
    while i < steps.len() {
        steps[i] = (srgb::light(i as f64 / 510.0) * 65535.0 + 0.5) as u16;
        i += 1;
    }
    steps
}

const fn first_values() -> [u8; 4096] {
    let steps = half_steps();
    let mut values = [0; 4096];
    let (mut value, mut i) = (0usize, 0);
    while i < values.len() {
        while value < 255 && i as u32 * 16 >= steps[2 * value + 1] as u32 {
            value += 1;
        }
        values[i] = value as u8;
        i += 1;
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    fn eotf(value: f64) -> f64 {
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    }

    fn inverse_eotf(light: f64) -> f64 {
        if light <= 0.0031308 { light * 12.92 } else { 1.055 * light.powf(1.0 / 2.4) - 0.055 }
    }

    #[test]
    fn tables_are_the_rounded_transfer_function() {
        for (i, &step) in HALF_STEPS.iter().enumerate() {
            assert_eq!(step, (eotf(i as f64 / 510.0) * 65535.0).round() as u16, "{i}");
        }
        for value in 0..=255 {
            assert_eq!(linear_to_srgb(srgb_to_linear(value)), value);
            assert_eq!(narrow(widen(value)), value);
        }
        for light in 0..=65535u16 {
            let exact = inverse_eotf(f64::from(light) / 65535.0) * 255.0;
            let value = f64::from(linear_to_srgb(light));
            // A border is rounded to a whole step of light: half a step is at most 0.026 of a value.
            assert!((value - exact).abs() <= 0.5 + 0.026, "{light}: {value} {exact}");
        }
    }
}
