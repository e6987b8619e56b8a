//! Colour primaries of files of light, and their conversion to those of Rec. 709.

use super::halves::{Float, Halves};

/// Chromaticities (CIE x and y) of red, green, blue and white.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Primaries {
    pub red: [f64; 2],
    pub green: [f64; 2],
    pub blue: [f64; 2],
    pub white: [f64; 2],
}

pub(super) type Matrix = [[f64; 3]; 3];

/// White of the profile connection space (ICC.1:2022, 6.3.4.3), in XYZ.
pub(super) const D50: [f64; 3] = [0.9642, 1.0, 0.8249];

/// Largest difference between chromaticities that are the same, in x or y.
const TOLERANCE: f64 = 0.002;

/// Cone responses of Bradford's chromatic adaptation, from XYZ.
const BRADFORD: Matrix = [[0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296]];

impl Primaries {
    /// Primaries and white (D65) of ITU-R BT.709 and of sRGB.
    pub const REC709: Self =
        Self { red: [0.64, 0.33], green: [0.30, 0.60], blue: [0.15, 0.06], white: [0.3127, 0.3290] };
    /// CIE XYZ as a colour space.
    pub const XYZ: Self =
        Self { red: [1.0, 0.0], green: [0.0, 1.0], blue: [0.0, 0.0], white: [1.0 / 3.0, 1.0 / 3.0] };
    pub const REC2020: Self =
        Self { red: [0.708, 0.292], green: [0.170, 0.797], blue: [0.131, 0.046], ..Self::REC709 };
    /// SMPTE ST 2065-1, ACES.
    const AP0: Self =
        Self { red: [0.7347, 0.2653], green: [0.0, 1.0], blue: [0.0001, -0.0770], white: [0.32168, 0.33767] };
    /// ACEScg.
    const AP1: Self =
        Self { red: [0.713, 0.293], green: [0.165, 0.830], blue: [0.128, 0.044], white: [0.32168, 0.33767] };

    pub const DISPLAY_P3: Self =
        Self { red: [0.680, 0.320], green: [0.265, 0.690], blue: [0.150, 0.060], ..Self::REC709 };
    /// Adobe RGB (1998).
    pub const ADOBE_RGB: Self = Self { green: [0.21, 0.71], ..Self::REC709 };

    /// Returns the primaries with this number in ITU-T H.273, table 2; `None` for 0, 2 and 3, which state
    /// none, and for numbers that the table lacks.
    pub const fn of_code_point(number: u8) -> Option<Self> {
        /// White of illuminant C.
        const C: [f64; 2] = [0.310, 0.316];
        /// Numbers 6 and 7, SMPTE ST 170 and ST 240.
        const SMPTE: Primaries = Primaries {
            red: [0.630, 0.340],
            green: [0.310, 0.595],
            blue: [0.155, 0.070],
            white: Primaries::REC709.white,
        };
        Some(match number {
            1 => Self::REC709,
            4 => Self { red: [0.67, 0.33], green: [0.21, 0.71], blue: [0.14, 0.08], white: C },
            5 => Self { green: [0.29, 0.60], ..Self::REC709 },
            6 | 7 => SMPTE,
            8 => Self { red: [0.681, 0.319], green: [0.243, 0.692], blue: [0.145, 0.049], white: C },
            9 => Self::REC2020,
            10 => Self::XYZ,
            11 => Self { white: [0.314, 0.351], ..Self::DISPLAY_P3 },
            12 => Self::DISPLAY_P3,
            22 => Self { green: [0.295, 0.605], blue: [0.155, 0.077], ..SMPTE },
            _ => return None,
        })
    }

    /// Returns the primaries with these colours in XYZ, which are adapted from D65 to D50 (Bradford), as in
    /// ICC profiles; `None` if they are no colours.
    pub fn of_d50(colors: [[f64; 3]; 3]) -> Option<Self> {
        let adapted = adaptation(D50, xyz(Self::REC709.white))?;
        let chromaticity = |color: [f64; 3]| {
            let [x, y, z] = product(&adapted, color);
            let sum = x + y + z;
            (sum > 1e-6).then(|| [x / sum, y / sum])
        };
        let [red, green, blue] = colors.map(chromaticity);
        Some(Self { red: red?, green: green?, blue: blue?, white: Self::REC709.white })
    }

    /// Returns the name, if the primaries have one.
    pub fn name(&self) -> Option<&'static str> {
        let known = [
            (Self::REC709, "Rec. 709"),
            (Self::XYZ, "XYZ"),
            (Self::REC2020, "Rec. 2020"),
            (Self::DISPLAY_P3, "Display P3"),
            (Self::ADOBE_RGB, "Adobe RGB"),
            (Self::AP0, "ACES AP0"),
            (Self::AP1, "ACES AP1"),
        ];
        known.into_iter().find(|(primaries, _)| self.is_near(primaries)).map(|(_, name)| name)
    }

    /// True if the primaries and the white are the same, within rounding.
    pub fn is_near(&self, other: &Self) -> bool {
        let points = |p: &Self| [p.red, p.green, p.blue, p.white];
        let pairs = points(self).into_iter().flatten().zip(points(other).into_iter().flatten());
        pairs.into_iter().all(|(a, b)| (a - b).abs() <= TOLERANCE)
    }

    /// Converts colours to Rec. 709, if they have other primaries, and returns a note about this. Another
    /// white is adapted to D65 (Bradford), except in XYZ, whose numbers state the white themselves. `halves`
    /// counts results that are too large for half floats.
    pub fn convert<C: Float, const CHANNELS: usize>(
        &self,
        texels: &mut [[C; CHANNELS]],
        halves: &mut Halves,
    ) -> Vec<String> {
        if self.is_near(&Self::REC709) {
            return Vec::new();
        }
        let name = self.name().unwrap_or("the chromaticities of the file");
        let Some(matrix) = self.to_rec709() else {
            return vec!["the chromaticities are impossible; Rec. 709 is assumed".to_owned()];
        };
        for texel in texels {
            let color = [texel[0], texel[1], texel[2]].map(C::value);
            for (target, sum) in texel.iter_mut().zip(product(&matrix, color)) {
                *target = C::of_double(sum, halves);
            }
        }
        vec![format!("colours are converted from {name} to Rec. 709")]
    }

    /// Returns the shares of red, green and blue in luminance; `None` if the chromaticities span no colour
    /// space.
    pub fn luminance(self) -> Option<[f64; 3]> {
        Some(self.to_xyz()?[1])
    }

    /// Returns the matrix to Rec. 709; `None` if the chromaticities span no colour space.
    pub fn to_rec709(self) -> Option<Matrix> {
        let from_xyz = inverse(&Self::REC709.to_xyz()?)?;
        let to_xyz = self.to_xyz()?;
        if self.is_near(&Self::XYZ) {
            return Some(from_xyz);
        }
        let adapted = adaptation(xyz(self.white), xyz(Self::REC709.white))?;
        let matrix = times(&from_xyz, &times(&adapted, &to_xyz));
        matrix.as_flattened().iter().all(|value| value.is_finite()).then_some(matrix)
    }

    /// Returns the matrix to XYZ with 1 as the luminance of white.
    fn to_xyz(self) -> Option<Matrix> {
        let columns = [self.red, self.green, self.blue].map(|[x, y]| [x, y, 1.0 - x - y]);
        let matrix = [0, 1, 2].map(|i| columns.map(|column| column[i]));
        let gains = product(&inverse(&matrix)?, xyz(self.white));
        Some(matrix.map(|row| [0, 1, 2].map(|i| row[i] * gains[i])))
    }
}

/// Returns the matrix from XYZ with D50 as white, as in ICC profiles, to Rec. 709.
pub(super) fn d50_to_rec709() -> Option<Matrix> {
    let from_xyz = inverse(&Primaries::REC709.to_xyz()?)?;
    Some(times(&from_xyz, &adaptation(D50, xyz(Primaries::REC709.white))?))
}

/// Returns the matrix that adapts colours in XYZ from one white to another (Bradford).
fn adaptation(from: [f64; 3], to: [f64; 3]) -> Option<Matrix> {
    let [from, to] = [from, to].map(|white| product(&BRADFORD, white));
    let gains = [0, 1, 2].map(|i| to[i] / from[i]);
    let scaled = [0, 1, 2].map(|i| BRADFORD[i].map(|value| value * gains[i]));
    Some(times(&inverse(&BRADFORD)?, &scaled))
}

/// Returns the colour of this chromaticity with a luminance of 1.
fn xyz([x, y]: [f64; 2]) -> [f64; 3] {
    [x / y, 1.0, (1.0 - x - y) / y]
}

pub(super) fn product(matrix: &Matrix, vector: [f64; 3]) -> [f64; 3] {
    matrix.map(|row| row[0] * vector[0] + row[1] * vector[1] + row[2] * vector[2])
}

fn times(a: &Matrix, b: &Matrix) -> Matrix {
    a.map(|row| [0, 1, 2].map(|c| row[0] * b[0][c] + row[1] * b[1][c] + row[2] * b[2][c]))
}

/// Returns the inverse, by cofactors; `None` for a singular matrix.
fn inverse(m: &Matrix) -> Option<Matrix> {
    let cofactor = |r: usize, c: usize| {
        let (r1, r2, c1, c2) = ((r + 1) % 3, (r + 2) % 3, (c + 1) % 3, (c + 2) % 3);
        m[r1][c1] * m[r2][c2] - m[r1][c2] * m[r2][c1]
    };
    let determinant: f64 = (0..3).map(|c| m[0][c] * cofactor(0, c)).sum();
    let is_regular = determinant.is_finite() && determinant.abs() > 1e-12;
    is_regular.then(|| [0, 1, 2].map(|r| [0, 1, 2].map(|c| cofactor(c, r) / determinant)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use half::f16;

    /// Converts one colour.
    fn converted(primaries: Primaries, color: [f64; 3]) -> [f64; 3] {
        product(&primaries.to_rec709().unwrap(), color)
    }

    #[test]
    fn white_stays_white_and_primaries_are_known() {
        for primaries in [Primaries::REC2020, Primaries::AP0, Primaries::AP1] {
            for value in converted(primaries, [1.0; 3]) {
                assert!((value - 1.0).abs() < 1e-9, "{primaries:?}: {value}");
            }
        }
        for number in 0..=255 {
            if let Some(primaries) = Primaries::of_code_point(number).filter(|_| number != 10) {
                for value in converted(primaries, [1.0; 3]) {
                    assert!((value - 1.0).abs() < 1e-9, "{number}: {value}");
                }
            }
        }
        assert!(Primaries::of_code_point(2).is_none() && Primaries::of_code_point(9).is_some());
        let weights = Primaries::REC2020.luminance().unwrap();
        assert!(weights.iter().zip([0.2627, 0.6780, 0.0593]).all(|(a, b)| (a - b).abs() < 1e-4));
        // D65 in XYZ; red of Rec. 2020 (ITU-R BT.2407).
        for value in converted(Primaries::XYZ, [0.95046, 1.0, 1.08906]) {
            assert!((value - 1.0).abs() < 1e-3, "{value}");
        }
        let red = converted(Primaries::REC2020, [1.0, 0.0, 0.0]);
        for (value, expected) in red.into_iter().zip([1.6605, -0.1246, -0.0182]) {
            assert!((value - expected).abs() < 1e-3, "{red:?}");
        }
        let mut texels = [[f16::ONE; 3]];
        let mut halves = Halves::default();
        assert!(Primaries::REC709.convert(&mut texels, &mut halves).is_empty());
        let notes = Primaries::AP0.convert(&mut texels, &mut halves);
        assert_eq!(notes, ["colours are converted from ACES AP0 to Rec. 709"]);
        let line = Primaries { green: [0.395, 0.195], ..Primaries::REC709 };
        assert!(line.convert(&mut texels, &mut halves)[0].contains("impossible"));
        assert_eq!(halves.overflow_count, 0);
        // Red of Rec. 2020 is 1.66 times as bright in Rec. 709.
        let mut texels = [[f16::MAX, f16::ZERO, f16::ZERO]];
        Primaries::REC2020.convert(&mut texels, &mut halves);
        assert_eq!((texels[0][0], halves.overflow_count), (f16::MAX, 1));
        let mut texels = [[65_504.0f32, 0.0, 0.0]];
        Primaries::REC2020.convert(&mut texels, &mut halves);
        assert!((texels[0][0] - 1.6605 * 65_504.0).abs() < 100.0, "{texels:?}");
        assert_eq!(halves.overflow_count, 1);
    }
}
