//! Tables of ICC profiles for red, green and blue (ICC.1:2022, 10.10 to 10.12).
//!
//! ```text
//! mft1, mft2: numbers → curves → grid → curves → XYZ or Lab → light in Rec. 709
//! mAB:        numbers → A curves → grid → M curves → matrix → B curves → XYZ or Lab → light in Rec. 709
//! ```

use super::{
    big_endian::{u16_at, u32_at},
    primaries::{self, D50, Matrix, product},
    tone_curve::{PARAMETER_COUNTS, ToneCurve},
};

/// Stages from the numbers of a file to light with the primaries of Rec. 709.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tables {
    first: Option<[ToneCurve; 3]>,
    grid: Option<Grid>,
    /// Curves, and a matrix with an offset in its last column.
    middle: Option<([ToneCurve; 3], [[f64; 4]; 3])>,
    last: [ToneCurve; 3],
    connection: Connection,
    to_rec709: Matrix,
}

/// Encoding of the profile connection space in numbers from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Connection {
    /// XYZ, up to almost 2.
    Xyz,
    /// CIE L*a*b*.
    Lab,
    /// CIE L*a*b* of `mft2`: 16 bits, of which the upper 8 are whole numbers.
    Lab16,
}

/// Colours at the points of a grid, with straight lines between them.
#[derive(Clone, Debug, PartialEq)]
struct Grid {
    /// Points along red, green and blue, at least two each. Blue varies fastest.
    points: [usize; 3],
    /// Three numbers of each point.
    values: Vec<u16>,
}

/// Maximum points of a grid, which take 12 MiB. Real grids have at most 65³.
const MAX_POINTS: usize = 128 * 128 * 128;

impl Tables {
    /// Returns the tables of an `A2B0` element; `None` if it is damaged, unknown, or not for three channels.
    /// `connection` is the profile's field of this name.
    pub fn of_element(element: &[u8], connection: &[u8]) -> Option<Self> {
        if element.get(8..10)? != b"\x03\x03" {
            return None;
        }
        let is_lab = match connection {
            b"Lab " => true,
            b"XYZ " => false,
            _ => return None,
        };
        let of = |lab| if is_lab { lab } else { Connection::Xyz };
        let points = usize::from(*element.get(10)?);
        match element.get(..4)? {
            b"mft1" => Self::of_lut(element.get(48..)?, 1, [256, 256], points, of(Connection::Lab)),
            b"mft2" => {
                let counts = [u16_at(element, 48)?, u16_at(element, 50)?].map(usize::from);
                Self::of_lut(element.get(52..)?, 2, counts, points, of(Connection::Lab16))
            }
            b"mAB " => Self::of_stages(element, of(Connection::Lab)),
            _ => None,
        }
    }

    /// Returns the tables of `mft1` or `mft2`, whose numbers have `width` bytes.
    fn of_lut(
        bytes: &[u8],
        width: usize,
        [input_count, output_count]: [usize; 2],
        points: usize,
        connection: Connection,
    ) -> Option<Self> {
        let grid_count = value_count([points; 3])?;
        let count = grid_count.checked_add(3 * (input_count + output_count))?;
        let values = numbers(bytes, width, count)?;
        let (inputs, rest) = values.split_at(3 * input_count);
        let (grid, outputs) = rest.split_at(grid_count);
        let curves = |values: &[u16], count: usize| -> Option<[ToneCurve; 3]> {
            let curve = |channel: usize| ToneCurve::Table(values[channel * count..][..count].to_vec());
            (count >= 2).then(|| [0, 1, 2].map(curve))
        };
        Some(Self {
            first: Some(curves(inputs, input_count)?),
            grid: Some(Grid::new([points; 3], grid.to_vec())?),
            middle: None,
            last: curves(outputs, output_count)?,
            connection,
            to_rec709: primaries::d50_to_rec709()?,
        })
    }

    /// Returns the stages of `mAB`. An offset of 0 states that a stage is missing. A matrix requires M curves
    /// and a grid A curves; `None` if these are missing, or there are curves alone.
    fn of_stages(element: &[u8], connection: Connection) -> Option<Self> {
        let offset = |at: usize| -> Option<usize> { Some(u32_at(element, at)? as usize) };
        let [b, matrix, m, grid, a] = [offset(12)?, offset(16)?, offset(20)?, offset(24)?, offset(28)?];
        if (m == 0) != (matrix == 0) || (a == 0) != (grid == 0) {
            return None;
        }
        let middle = if m == 0 { None } else { Some((curves_at(element, m)?, matrix_at(element, matrix)?)) };
        Some(Self {
            first: if a == 0 { None } else { Some(curves_at(element, a)?) },
            grid: if grid == 0 { None } else { Some(Grid::of_element(element.get(grid..)?)?) },
            middle,
            last: curves_at(element, b)?,
            connection,
            to_rec709: primaries::d50_to_rec709()?,
        })
    }

    /// Returns the light of numbers from 0 to 1, which may be outside of 0 to 1.
    pub fn light(&self, numbers: [f64; 3]) -> [f64; 3] {
        let curved = |curves: &[ToneCurve; 3], color: [f64; 3]| {
            [0, 1, 2].map(|channel: usize| curves[channel].light(color[channel]))
        };
        let mut color = match &self.first {
            Some(curves) => curved(curves, numbers),
            None => numbers,
        };
        if let Some(grid) = &self.grid {
            color = grid.at(color);
        }
        if let Some((curves, matrix)) = &self.middle {
            let [r, g, b] = curved(curves, color);
            color = matrix.map(|[of_r, of_g, of_b, offset]| of_r * r + of_g * g + of_b * b + offset);
        }
        product(&self.to_rec709, self.connection.xyz(curved(&self.last, color)))
    }
}

impl Connection {
    /// Returns the colour of these numbers in XYZ, with D50 as white.
    fn xyz(self, [a, b, c]: [f64; 3]) -> [f64; 3] {
        let (lightness, red_green, yellow_blue) = match self {
            Self::Xyz => return [a, b, c].map(|number| number * (1.0 + 32767.0 / 32768.0)),
            Self::Lab => (100.0 * a, 255.0 * b - 128.0, 255.0 * c - 128.0),
            Self::Lab16 => {
                let [a, b, c] = [a, b, c].map(|number| number * 65535.0);
                (a / 652.8, b / 256.0 - 128.0, c / 256.0 - 128.0)
            }
        };
        // CIE 15: the inverse of L*a*b*.
        let y = (lightness + 16.0) / 116.0;
        let roots = [y + red_green / 500.0, y, y - yellow_blue / 200.0];
        let ratio = |root: f64| {
            if root > 6.0 / 29.0 { root * root * root } else { 108.0 / 841.0 * (root - 4.0 / 29.0) }
        };
        [0, 1, 2].map(|axis: usize| D50[axis] * ratio(roots[axis]))
    }
}

impl Grid {
    /// Returns a grid; `None` if it has fewer than two points along a side.
    fn new(points: [usize; 3], values: Vec<u16>) -> Option<Self> {
        points.iter().all(|&count| count >= 2).then_some(Self { points, values })
    }

    /// Returns the grid of `mAB`: 16 numbers of points, the bytes of a value, three bytes, and the values.
    fn of_element(element: &[u8]) -> Option<Self> {
        let &[red, green, blue, ..] = element.get(..20)? else { return None };
        let points = [red, green, blue].map(usize::from);
        let width = usize::from(element[16]);
        let values = numbers(element.get(20..)?, width, value_count(points)?)?;
        Self::new(points, values)
    }

    /// Returns the colour of a place, from 0 to 1 along each side.
    fn at(&self, numbers: [f64; 3]) -> [f64; 3] {
        let places = [0, 1, 2].map(|axis: usize| {
            let place = numbers[axis].clamp(0.0, 1.0) * (self.points[axis] - 1) as f64;
            let index = (place as usize).min(self.points[axis] - 2);
            (index, place - index as f64)
        });
        let mut sums = [0.0; 3];
        for corner in 0..8usize {
            let (mut index, mut weight) = (0, 1.0);
            for axis in 0..3 {
                let (start, rest) = places[axis];
                let is_next = corner >> axis & 1 == 1;
                index = index * self.points[axis] + start + usize::from(is_next);
                weight *= if is_next { rest } else { 1.0 - rest };
            }
            for (sum, &value) in sums.iter_mut().zip(&self.values[3 * index..]) {
                *sum += weight * f64::from(value);
            }
        }
        sums.map(|sum| sum / 65535.0)
    }
}

/// Returns the number of values at this many points along each side; `None` if there are too many points.
fn value_count(points: [usize; 3]) -> Option<usize> {
    let count = points.iter().try_fold(1usize, |count, &side| count.checked_mul(side))?;
    (count <= MAX_POINTS).then_some(3 * count)
}

/// Returns this many numbers of one or two bytes, as 16 bits.
fn numbers(bytes: &[u8], width: usize, count: usize) -> Option<Vec<u16>> {
    let bytes = bytes.get(..count.checked_mul(width)?)?;
    match width {
        1 => Some(bytes.iter().map(|&byte| u16::from(byte) * 257).collect()),
        2 => Some(bytes.as_chunks::<2>().0.iter().map(|&pair| u16::from_be_bytes(pair)).collect()),
        _ => None,
    }
}

/// Returns three curves that follow each other, each padded to four bytes.
fn curves_at(element: &[u8], offset: usize) -> Option<[ToneCurve; 3]> {
    let mut at = offset;
    let mut next = || {
        let curve = element.get(at..)?;
        at = at.checked_add(curve_bytes(curve)?.checked_next_multiple_of(4)?)?;
        ToneCurve::of_element(curve)
    };
    Some([next()?, next()?, next()?])
}

/// Returns the size of a `curv` or `para` element in bytes.
fn curve_bytes(curve: &[u8]) -> Option<usize> {
    match curve.get(..4)? {
        b"curv" => (u32_at(curve, 8)? as usize).checked_mul(2)?.checked_add(12),
        b"para" => {
            let count = PARAMETER_COUNTS.get(usize::from(u16_at(curve, 8)?))?;
            Some(12 + 4 * count)
        }
        _ => None,
    }
}

/// Returns three rows of a matrix, with an offset each. The file has all rows, then all offsets.
fn matrix_at(element: &[u8], offset: usize) -> Option<[[f64; 4]; 3]> {
    let bytes = element.get(offset..)?;
    let number = |index: usize| Some(f64::from(u32_at(bytes, 4 * index)? as i32) / 65536.0);
    let row = |row: usize| -> Option<[f64; 4]> {
        Some([number(3 * row)?, number(3 * row + 1)?, number(3 * row + 2)?, number(9 + row)?])
    };
    Some([row(0)?, row(1)?, row(2)?])
}

#[cfg(test)]
pub(super) mod tests {
    use super::{super::tone_curve::tests::para, *};
    use crate::srgb;

    /// XYZ of sRGB's red, green and blue, adapted to D50.
    pub const SRGB: [[f64; 3]; 3] =
        [[0.4360, 0.2225, 0.0139], [0.3851, 0.7169, 0.0971], [0.1431, 0.0606, 0.7139]];
    /// Largest number of XYZ.
    const MAX: f64 = 1.0 + 32767.0 / 32768.0;

    fn word(number: f64) -> [u8; 2] {
        ((number * 65535.0).round() as u16).to_be_bytes()
    }

    /// Returns an `mft2` element of sRGB: its tone curve, and the XYZ of the corners of its cube.
    pub fn srgb_tables() -> Vec<u8> {
        let mut element = b"mft2\0\0\0\0\x03\x03\x02\0".to_vec();
        element.resize(48, 0);
        element.extend([1024u16.to_be_bytes(), 2u16.to_be_bytes()].concat());
        for _ in 0..3 {
            element.extend((0..1024).flat_map(|i| word(srgb::light(f64::from(i) / 1023.0))));
        }
        for corner in 0..8 {
            let colors = [4, 2, 1].map(|bit| f64::from(u8::from(corner & bit != 0)));
            let xyz = [0, 1, 2].map(|axis: usize| (0..3).map(|c| colors[c] * SRGB[c][axis]).sum::<f64>());
            element.extend(xyz.into_iter().flat_map(|number| word(number / MAX)));
        }
        (0..3).for_each(|_| element.extend([word(0.0), word(1.0)].concat()));
        element
    }

    /// Returns an `mAB` element of sRGB: its tone curve as M curves, its matrix, and straight B curves.
    fn srgb_stages() -> Vec<u8> {
        let curve = para(3, &[2.4, 1.0 / 1.055, 0.055 / 1.055, 1.0 / 12.92, 0.04045]);
        let mut element = b"mAB \0\0\0\0\x03\x03\0\0".to_vec();
        // B curves, the matrix and M curves follow the offsets.
        element.extend([32u32, 68, 116, 0, 0].map(u32::to_be_bytes).concat());
        (0..3).for_each(|_| element.extend(b"curv\0\0\0\0\0\0\0\0"));
        let rows = [0, 1, 2].map(|axis: usize| [0, 1, 2].map(|c: usize| SRGB[c][axis] / MAX));
        for number in rows.as_flattened().iter().chain(&[0.0; 3]) {
            element.extend(((number * 65536.0).round() as i32).to_be_bytes());
        }
        (0..3).for_each(|_| element.extend(&curve));
        element
    }

    #[test]
    fn tables_and_stages_of_srgb_are_srgb() {
        for element in [srgb_tables(), srgb_stages()] {
            let tables = Tables::of_element(&element, b"XYZ ").unwrap();
            for numbers in [[0.0; 3], [1.0; 3], [0.8, 0.4, 0.2], [0.1, 0.0, 1.0], [0.5, 0.75, 0.02]] {
                for (found, number) in tables.light(numbers).into_iter().zip(numbers) {
                    assert!((found - srgb::light(number)).abs() < 2e-3, "{numbers:?}: {found}");
                }
            }
        }
    }

    /// White and the grey of half the lightness, whose luminance is 0.1842.
    #[test]
    fn lab_becomes_xyz() {
        let middle = 128.0 / 255.0;
        for (connection, half, neutral, full) in [
            (Connection::Lab, 0.5, middle, 1.0),
            (Connection::Lab16, 50.0 * 652.8 / 65535.0, 128.0 * 256.0 / 65535.0, 65280.0 / 65535.0),
        ] {
            for (lightness, luminance) in [(full, 1.0), (half, 0.184_19), (0.0, 0.0)] {
                let xyz = connection.xyz([lightness, neutral, neutral]);
                for (found, white) in xyz.into_iter().zip(D50) {
                    assert!((found - luminance * white).abs() < 1e-4, "{connection:?}: {xyz:?}");
                }
            }
        }
        // L* 50, a* 20, b* -30.
        let found = Connection::Lab.xyz([0.5, 148.0 / 255.0, 98.0 / 255.0]);
        let f = [50.0f64 + 16.0 + 116.0 * 20.0 / 500.0, 66.0, 66.0 + 116.0 * 30.0 / 200.0].map(|f| f / 116.0);
        for ((found, f), white) in found.into_iter().zip(f).zip(D50) {
            assert!((found - white * f.powi(3)).abs() < 1e-9);
        }
    }

    #[test]
    fn damaged_tables_are_no_danger() {
        for good in [srgb_tables(), srgb_stages()] {
            let convert = |element: &[u8]| {
                if let Some(tables) = Tables::of_element(element, b"Lab ") {
                    tables.light([0.1, 0.5, 1.0]);
                }
            };
            for length in 0..good.len().min(400) {
                convert(&good[..length]);
            }
            for bit in 0..good.len().min(400) * 8 {
                let mut bad = good.clone();
                bad[bit / 8] ^= 1 << (bit % 8);
                convert(&bad);
            }
        }
        assert_eq!(Tables::of_element(&srgb_tables(), b"CMYK"), None);
        // A matrix or M curves alone, and a grid without A curves.
        for (at, offset) in [(16, 0u32), (20, 0), (24, 68)] {
            let mut element = srgb_stages();
            element[at..at + 4].copy_from_slice(&offset.to_be_bytes());
            assert_eq!(Tables::of_element(&element, b"XYZ "), None, "{at}");
        }
        assert_eq!(value_count([128; 3]), Some(3 << 21));
        assert_eq!(value_count([129, 128, 128]), None);
    }
}
