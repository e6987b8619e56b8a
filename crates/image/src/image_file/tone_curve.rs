//! Tone curves that files state: powers, parametric curves and tables (ICC.1:2022, 10.6 and 10.18), PQ and
//! HLG (ITU-R BT.2100-2).
//!
//! Light is computed with the four basic operations, [`srgb`] included, and is the same on every machine.

use super::big_endian::{u16_at, u32_at};
use crate::ColorSpace;
use crate::srgb::{self, power};
use std::f64::consts::LOG2_E;

/// Function that converts the numbers of a channel to light, both from 0 to 1.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ToneCurve {
    /// Light is the number raised to this power.
    Gamma(f64),
    /// Parameters g, a, b, c, d, e, f: light is (a·x + b)^g + e from d on, and c·x + f below.
    Parametric([f64; 7]),
    /// Light in 65,535ths at equal distances, at least two.
    Table(Vec<u16>),
    /// PQ: light of the display, in units of [`DIFFUSE_WHITE`].
    Pq,
    /// HLG: light of the scene, from 0 to 1. [`HLG_PEAK`] and [`HLG_GAMMA`] make it light of the display.
    Hlg,
}

/// Luminance of diffuse white in PQ and HLG (ITU-R BT.2408), in cd/m². It becomes light of 1.
pub(super) const DIFFUSE_WHITE: f64 = 203.0;
/// Light of the brightest white of HLG on a display of 1,000 cd/m², in units of [`DIFFUSE_WHITE`].
pub(super) const HLG_PEAK: f64 = 1000.0 / DIFFUSE_WHITE;
/// System gamma of HLG for such a display.
pub(super) const HLG_GAMMA: f64 = 1.2;

/// Range of the exponents for which powers are exact enough ([`power`]).
const EXPONENTS: std::ops::RangeInclusive<f64> = 0.01..=10.0;

/// Maximum entries of a table: one for each number of 16 bits. Elements of a profile may overlap, and would
/// otherwise take many times its size.
const MAX_ENTRIES: usize = 1 << 16;

/// Parameters of each type of a `para` element (ICC.1:2022, table 68).
pub(super) const PARAMETER_COUNTS: [usize; 5] = [1, 3, 4, 5, 7];

/// Numbers at which curves are compared, from 0 to 1.
fn samples() -> impl Iterator<Item = f64> {
    (0..=255).map(|number| f64::from(number) / 255.0)
}

impl ToneCurve {
    /// Returns the curve of a colour space.
    pub const fn of_color_space(color_space: ColorSpace) -> Self {
        match color_space {
            ColorSpace::Linear => Self::Gamma(1.0),
            ColorSpace::Srgb => {
                Self::Parametric([2.4, 1.0 / 1.055, 0.055 / 1.055, 1.0 / 12.92, 0.04045, 0.0, 0.0])
            }
        }
    }

    /// Returns the inverse of the function of cameras of ITU-R BT.709, which BT.601 and BT.2020 share.
    pub const fn rec709() -> Self {
        Self::Parametric([1.0 / 0.45, 1.0 / 1.099, 0.099 / 1.099, 1.0 / 4.5, 0.081, 0.0, 0.0])
    }

    /// True for PQ and HLG, whose light is above 1.
    pub const fn is_hdr(&self) -> bool {
        matches!(self, Self::Pq | Self::Hlg)
    }

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
                1 => Self::of_gamma(f64::from(u16_at(element, 12)?) / 256.0),
                count if count > MAX_ENTRIES => None,
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
                let kind = u16_at(element, 8)?;
                let count = *PARAMETER_COUNTS.get(usize::from(kind))?;
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

    /// Returns the light of a number, from 0 to 1.
    pub fn light(&self, number: f64) -> f64 {
        self.wide_light(number).clamp(0.0, 1.0)
    }

    /// Returns the light of a number that is not negative. Numbers above 1 continue powers and parametric
    /// curves; for tables, PQ and HLG they count as 1.
    pub fn wide_light(&self, number: f64) -> f64 {
        match self {
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
            Self::Pq => pq_light(number.clamp(0.0, 1.0)),
            Self::Hlg => hlg_light(number.clamp(0.0, 1.0)),
        }
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

/// Returns the light of a number of PQ (ITU-R BT.2100-2, table 4), in units of [`DIFFUSE_WHITE`].
fn pq_light(number: f64) -> f64 {
    const M1: f64 = 2610.0 / 16384.0;
    const M2: f64 = 2523.0 / 4096.0 * 128.0;
    const C1: f64 = 3424.0 / 4096.0;
    const C2: f64 = 2413.0 / 4096.0 * 32.0;
    const C3: f64 = 2392.0 / 4096.0 * 32.0;
    let root = power(number, 1.0 / M2);
    power((root - C1).max(0.0) / (C2 - C3 * root), 1.0 / M1) * (10_000.0 / DIFFUSE_WHITE)
}

/// Returns the scene light of a number of HLG (ITU-R BT.2100-2, table 5), from 0 to 1.
fn hlg_light(number: f64) -> f64 {
    const A: f64 = 0.178_832_77;
    const B: f64 = 0.284_668_92;
    const C: f64 = 0.559_910_73;
    if number <= 0.5 {
        return number * number / 3.0;
    }
    // e to a power, by powers of 2.
    (power(2.0, (number - C) / A * LOG2_E) + B) / 12.0
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
        // As many entries as there are numbers, and one more.
        for (count, is_known) in [(1u32 << 16, true), ((1 << 16) + 1, false)] {
            let mut element = [&b"curv\0\0\0\0"[..], &count.to_be_bytes()].concat();
            element.resize(12 + 2 * count as usize, 0);
            assert_eq!(ToneCurve::of_element(&element).is_some(), is_known, "{count}");
        }
    }

    /// Values of ITU-R BT.2100-2 and BT.2408: 58 % of PQ and 75 % of HLG are diffuse white.
    #[test]
    fn pq_and_hlg_are_those_of_the_recommendation() {
        let pq = |number| ToneCurve::Pq.wide_light(number) * DIFFUSE_WHITE;
        assert_eq!(pq(0.0), 0.0);
        for (number, nits) in [(0.508_078, 100.0), (0.580_688, 203.0), (0.751_827, 1000.0), (1.0, 10_000.0)] {
            let found = pq(number);
            assert!((found / nits - 1.0).abs() < 1e-3, "{number}: {found}, not {nits}");
        }
        let hlg = |number| ToneCurve::Hlg.wide_light(number);
        assert_eq!([hlg(0.0), hlg(0.5)], [0.0, 1.0 / 12.0]);
        assert!((hlg(0.500_001) - 1.0 / 12.0).abs() < 1e-6 && (hlg(1.0) - 1.0).abs() < 1e-6);
        let white = power(hlg(0.75), HLG_GAMMA) * HLG_PEAK;
        assert!((white - 1.0).abs() < 0.01, "{white}");
        assert!(ToneCurve::Pq.is_hdr() && ToneCurve::Hlg.is_hdr() && !ToneCurve::rec709().is_hdr());
    }

    #[test]
    fn curves_of_colour_spaces_continue_above_1() {
        let srgb = ToneCurve::of_color_space(ColorSpace::Srgb);
        assert!(srgb.is_srgb() && ToneCurve::of_color_space(ColorSpace::Linear).is_identity());
        for number in [0.02, 0.5, 1.0, 3.0] {
            assert!((srgb.wide_light(number) / srgb::light(number) - 1.0).abs() < 1e-12, "{number}");
        }
        assert_eq!(srgb.light(3.0), 1.0);
        // ITU-R BT.709-6, item 1.2: light of 0.18 has the number 0.409.
        let rec709 = ToneCurve::rec709();
        assert!((rec709.light(1.099 * 0.18f64.powf(0.45) - 0.099) - 0.18).abs() < 1e-9);
        assert!((rec709.light(0.045) - 0.01).abs() < 1e-9);
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
