//! Colour spaces of ꟻLIP: linear RGB of Rec. 709, XYZ, YCxCz and CIELAB with Hunt's adjustment.

/// Linear RGB to XYZ, with the white of D65 (IEC 61966-2-1).
const RGB_TO_XYZ: [[f32; 3]; 3] = [
    [0.412_390_8, 0.357_584_33, 0.180_480_8],
    [0.212_639, 0.715_168_65, 0.072_192_32],
    [0.019_330_818, 0.119_194_78, 0.950_532_14],
];
/// Inverse of [`RGB_TO_XYZ`].
const XYZ_TO_RGB: [[f32; 3]; 3] = [
    [3.240_97, -1.537_383_2, -0.498_610_76],
    [-0.969_243_65, 1.875_967_5, 0.041_555_06],
    [0.055_630_08, -0.203_976_96, 1.056_971_5],
];
/// Exponent of colour errors, `q_c`.
const EXPONENT: f32 = 0.7;
/// Share of the largest error, `p_c`, up to which errors are stretched to [`TARGET`].
const SHARE: f32 = 0.4;
/// `p_t`.
const TARGET: f32 = 0.95;

fn transformed(matrix: &[[f32; 3]; 3], color: [f32; 3]) -> [f32; 3] {
    matrix.map(|[x, y, z]| x * color[0] + y * color[1] + z * color[2])
}

/// Returns the XYZ of white.
fn white() -> [f32; 3] {
    transformed(&RGB_TO_XYZ, [1.0; 3])
}

/// Returns an 8-bit value of sRGB as linear light.
pub(super) fn linear(value: u8) -> f32 {
    let value = f32::from(value) / 255.0;
    if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
}

/// Returns YCxCz of a linear colour.
pub(super) fn y_cx_cz(rgb: [f32; 3]) -> [f32; 3] {
    let [xyz, white] = [transformed(&RGB_TO_XYZ, rgb), white()];
    let [x, y, z] = [xyz[0] / white[0], xyz[1] / white[1], xyz[2] / white[2]];
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

/// Returns CIELAB with Hunt's adjustment of a YCxCz colour, clamped to the colours that RGB has.
pub(super) fn hunt_lab([y, cx, cz]: [f32; 3]) -> [f32; 3] {
    let white = white();
    let y = (y + 16.0) / 116.0;
    let xyz = [(y + cx / 500.0) * white[0], y * white[1], (y - cz / 200.0) * white[2]];
    hunt_lab_of_linear(transformed(&XYZ_TO_RGB, xyz).map(|value| value.clamp(0.0, 1.0)))
}

fn hunt_lab_of_linear(rgb: [f32; 3]) -> [f32; 3] {
    let (xyz, white) = (transformed(&RGB_TO_XYZ, rgb), white());
    const DELTA: f32 = 6.0 / 29.0;
    let curve = |value: f32| {
        if value > DELTA * DELTA * DELTA { value.cbrt() } else { value / (3.0 * DELTA * DELTA) + 4.0 / 29.0 }
    };
    let [x, y, z] = [0, 1, 2].map(|axis| curve(xyz[axis] / white[axis]));
    let [lightness, a, b] = [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)];
    [lightness, 0.01 * lightness * a, 0.01 * lightness * b]
}

/// Returns the HyAB distance, to the power of [`EXPONENT`].
fn distance(a: [f32; 3], b: [f32; 3]) -> f32 {
    let hyab = (a[0] - b[0]).abs() + (a[1] - b[1]).hypot(a[2] - b[2]);
    hyab.powf(EXPONENT)
}

/// Mapping of colour errors to 0 to 1, which gives small errors most of the range.
pub(super) struct Redistribution {
    largest: f32,
}

impl Redistribution {
    pub fn new() -> Self {
        let [green, blue] = [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(hunt_lab_of_linear);
        Self { largest: distance(green, blue) }
    }

    /// Returns the error between two colours of [`hunt_lab`], from 0 to 1.
    pub fn error(&self, a: [f32; 3], b: [f32; 3]) -> f32 {
        let (error, knee) = (distance(a, b), SHARE * self.largest);
        if error < knee {
            error * TARGET / knee
        } else {
            TARGET + (error - knee) / (self.largest - knee) * (1.0 - TARGET)
        }
    }
}
