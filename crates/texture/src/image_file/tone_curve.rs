//! Tone curves that files state: powers, parametric curves and tables (ICC.1:2022, 10.6 and 10.18).
//!
//! Light is computed with the four basic operations, [`srgb`] included, and is the same on every machine.

use super::color::u32_at;
use crate::srgb::{self, power};

/// Function that converts the numbers of a channel to light, both from 0 to 1.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ToneCurve {
    /// Light is the number raised to this power.
    Gamma(f64),
    /// Parameters g, a, b, c, d, e, f: light is (a·x + b)^g + e from d on, and c·x + f below.
    Parametric([f64; 7]),
    /// Light in 65,535ths at equal distances, at least two.
    Table(Vec<u16>),
}

/// Range of the exponents for which powers are exact enough ([`power`]).
const EXPONENTS: std::ops::RangeInclusive<f64> = 0.01..=10.0;

/// Numbers at which curves are compared, from 0 to 1.
fn samples() -> impl Iterator<Item = f64> {
    (0..=255).map(|number| f64::from(number) / 255.0)
}

impl ToneCurve {
    /// Returns the curve of a power; `None` for a power that no camera or display has.
    pub fn of_gamma(gamma: f64) -> Option<Self> {
        EXPONENTS.contains(&gamma).then_some(Self::Gamma(gamma))
    }

    /// Returns the curve of a `curv` or `para` element; `None` if the element is neither or is damaged.
    pub fn of_element(element: &[u8]) -> Option<Self> {
        match element.get(..4)? {
            b"curv" => match u32_at(element, 8)? as usize {
                0 => Some(Self::Gamma(1.0)),
                // 8 bits before and 8 bits after the point.
                1 => {
                    Self::of_gamma(f64::from(u16::from_be_bytes(*element.get(12..)?.first_chunk()?)) / 256.0)
                }
                count => {
                    let bytes = element.get(12..)?.get(..count.checked_mul(2)?)?;
                    let entries = bytes.as_chunks::<2>().0.iter().map(|&entry| u16::from_be_bytes(entry));
                    Some(Self::Table(entries.collect()))
                }
            },
            b"para" => {
                let parameter = |index: usize| {
                    let number = u32_at(element, 12 + 4 * index)? as i32;
                    Some(f64::from(number) / 65536.0)
                };
                let kind = u16::from_be_bytes(*element.get(8..)?.first_chunk()?);
                let count = *[1, 3, 4, 5, 7].get(usize::from(kind))?;
                let mut p = [0.0; 7];
                for (index, target) in p[..count].iter_mut().enumerate() {
                    *target = parameter(index)?;
                }
                let [g, a, b, c, ..] = p;
                if !EXPONENTS.contains(&g) || (1..=2).contains(&kind) && a == 0.0 {
                    return None;
                }
                Some(match kind {
                    0 => Self::Gamma(g),
                    1 => Self::Parametric([g, a, b, 0.0, -b / a, 0.0, 0.0]),
                    2 => Self::Parametric([g, a, b, 0.0, -b / a, c, c]),
                    _ => Self::Parametric(p),
                })
            }
            _ => None,
        }
    }

    /// Returns the light of a number.
    pub fn light(&self, number: f64) -> f64 {
        let light = match self {
            Self::Gamma(gamma) => power(number, *gamma),
            Self::Parametric([g, a, b, c, d, e, f]) => {
                if number >= *d {
                    power(a * number + b, *g) + e
                } else {
                    c * number + f
                }
            }
            Self::Table(entries) => {
                let last = entries.len() - 1;
                let place = number.clamp(0.0, 1.0) * last as f64;
                let index = (place as usize).min(last - 1);
                let [low, high] = [entries[index], entries[index + 1]].map(f64::from);
                (low + (high - low) * (place - index as f64)) / 65535.0
            }
        };
        light.clamp(0.0, 1.0)
    }

    /// True if the curve maps every number to itself, within 1 in 256.
    pub fn is_identity(&self) -> bool {
        samples().all(|number| (self.light(number) - number).abs() <= 1.0 / 256.0)
    }

    /// True if sRGB's numbers of the same light are within half of 1 in 255.
    pub fn is_srgb(&self) -> bool {
        samples().all(|number| (srgb::number(self.light(number)) - number).abs() <= 0.5 / 255.0)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Returns a `para` element.
    pub fn para(kind: u16, parameters: &[f64]) -> Vec<u8> {
        let mut element = [b"para\0\0\0\0", &kind.to_be_bytes()[..], b"\0\0"].concat();
        for parameter in parameters {
            element.extend(((parameter * 65536.0).round() as i32).to_be_bytes());
        }
        element
    }

    fn lights(element: &[u8]) -> [f64; 4] {
        let curve = ToneCurve::of_element(element).unwrap();
        [0.0, 0.1, 0.5, 1.0].map(|number| curve.light(number))
    }

    #[track_caller]
    fn is_near(found: [f64; 4], expected: [f64; 4]) {
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-4), "{found:?} {expected:?}");
    }

    /// The formulas of ICC.1:2022, table 68.
    #[test]
    fn parametric_curves_are_those_of_the_specification() {
        let power = |base: f64, exponent: f64| base.powf(exponent);
        is_near(lights(&para(0, &[2.2])), [0.0, 0.1, 0.5, 1.0].map(|x| power(x, 2.2)));
        // From 0.2 on.
        let one = |x: f64| if x >= 0.2 { power(1.25 * x - 0.25, 2.0) } else { 0.0 };
        is_near(lights(&para(1, &[2.0, 1.25, -0.25])), [0.0, 0.1, 0.5, 1.0].map(one));
        let two = |x: f64| if x >= 0.25 { power(x - 0.25, 2.0) + 0.125 } else { 0.125 };
        is_near(lights(&para(2, &[2.0, 1.0, -0.25, 0.125])), [0.0, 0.1, 0.5, 1.0].map(two));
        let three = |x: f64| if x >= 0.25 { power(x, 3.0) } else { x / 4.0 };
        is_near(lights(&para(3, &[3.0, 1.0, 0.0, 0.25, 0.25])), [0.0, 0.1, 0.5, 1.0].map(three));
        let four = |x: f64| if x >= 0.25 { power(0.5 * x, 2.0) + 0.25 } else { x / 2.0 + 0.125 };
        let element = para(4, &[2.0, 0.5, 0.0, 0.5, 0.25, 0.25, 0.125]);
        is_near(lights(&element), [0.0, 0.1, 0.5, 1.0].map(four));
        for bad in [para(5, &[1.0; 7]), para(0, &[0.0]), para(1, &[2.0, 0.0, 1.0]), para(4, &[2.0; 6])] {
            assert_eq!(ToneCurve::of_element(&bad), None, "{bad:?}");
        }
    }

    #[test]
    fn tables_are_interpolated() {
        let table = b"curv\0\0\0\0\0\0\0\x03\0\0\x20\0\xff\xff";
        let middle = f64::from(0x2000) / 65535.0;
        is_near(lights(table), [0.0, middle * 0.2, middle, 1.0]);
        assert_eq!(ToneCurve::of_element(&table[..table.len() - 1]), None);
        // Two entries: a straight line.
        let line = ToneCurve::of_element(b"curv\0\0\0\0\0\0\0\x02\0\0\xff\xff").unwrap();
        assert!(line.is_identity() && !line.is_srgb());
        assert_eq!(ToneCurve::of_element(b"curv\0\0\0\0\0\0\0\x01\x00\x00"), None);
    }

    #[test]
    fn srgb_and_its_approximations_are_recognised() {
        let srgb = [2.4, 1.0 / 1.055, 0.055 / 1.055, 1.0 / 12.92, 0.04045];
        let curve = ToneCurve::of_element(&para(3, &srgb)).unwrap();
        assert!(curve.is_srgb() && !curve.is_identity());
        let entries: Vec<u16> =
            (0..1024).map(|i| (srgb::light(f64::from(i) / 1023.0) * 65535.0).round() as u16).collect();
        assert!(ToneCurve::Table(entries).is_srgb());
        // A power of 2.2 differs from sRGB by more than one of 255 in dark colours.
        assert!(!ToneCurve::Gamma(2.2).is_srgb() && !ToneCurve::Gamma(1.8).is_srgb());
    }
}
