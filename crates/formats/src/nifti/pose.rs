//! Position of a volume: the sform, or the quaternion of the qform, as spacing, origin and directions.

use crate::{
    FormatError,
    header::geometry::{Field, cross, dot},
};
use brickwork_volume::{Header, Spacing};
use serde_json::Value;

/// Matrix from voxel index to position, row by row: three parts of the directions, then one of the origin. It
/// is in NIfTI's world and units.
pub type Rows = [[f64; 4]; 3];

/// Returns the rows of a qform. `b`, `c` and `d` are a unit quaternion whose a is not stored; the first of
/// `pixdim` is the sign of z. Follows `nifti_quatern_to_mat44` of nifti1_io, which also shortens quaternions
/// of a length above 1.
pub fn of_quaternion([b, c, d]: [f64; 3], offset: [f64; 3], pixdim: [f64; 4]) -> Rows {
    let squares = b * b + c * c + d * d;
    let (a, scale) =
        if 1.0 - squares < 1e-7 { (0.0, 1.0 / squares.sqrt()) } else { ((1.0 - squares).sqrt(), 1.0) };
    let [b, c, d] = [b * scale, c * scale, d * scale];
    let rotation = [
        [a * a + b * b - c * c - d * d, 2.0 * (b * c - a * d), 2.0 * (b * d + a * c)],
        [2.0 * (b * c + a * d), a * a + c * c - b * b - d * d, 2.0 * (c * d - a * b)],
        [2.0 * (b * d - a * c), 2.0 * (c * d + a * b), a * a + d * d - b * b - c * c],
    ];
    let [sign, x, y, z] = pixdim;
    let steps = [x, y, if sign < 0.0 { -z } else { z }];
    std::array::from_fn(|row| {
        let [p, q, r] = std::array::from_fn(|column| rotation[row][column] * steps[column]);
        [p, q, r, offset[row]]
    })
}

/// Sets spacing, origin and directions of `header` from `rows`, in units of `unit` millimetres.
/// `header.spacing` contains the spacing of `pixdim`. It stays if the lengths of the columns differ only by
/// rounding.
///
/// # Errors
/// [`FormatError::Number`], with the name `form`, if a direction has no length. [`FormatError::Geometry`] if
/// all directions are within one plane.
pub fn take(header: &mut Header, rows: &Rows, unit: f64, form: &str) -> Result<(), FormatError> {
    let Spacing { x, y, z } = header.spacing;
    let mut spacing = [x, y, z];
    for (column, spacing) in spacing.iter_mut().enumerate() {
        let direction: [f64; 3] = std::array::from_fn(|row| rows[row][column]);
        let length = direction.iter().map(|part| part * part).sum::<f64>().sqrt();
        // Also refuses lengths whose squares are too small or too large for a number.
        if !(length.is_normal() && (length * unit).is_normal()) {
            let field = format!("{form}, column {}", column + 1);
            return Err(FormatError::Number { field, value: format!("{direction:?}") });
        }
        for row in 0..3 {
            header.orientation[3 * column + row] = turned(row, direction[row] / length);
        }
        if (length * unit - *spacing).abs() > 1e-5 * *spacing {
            *spacing = length * unit;
        }
    }
    let [x, y, z] = *header.orientation.as_chunks::<3>().0 else { unreachable!("nine numbers") };
    Field { name: form, text: &format!("{rows:?}") }.check_span([x, y, z])?;
    header.spacing = Spacing { x: spacing[0], y: spacing[1], z: spacing[2] };
    header.origin = std::array::from_fn(|row| turned(row, rows[row][3] * unit));
    Ok(())
}

/// Returns the sform of `header`, in units of `unit` millimetres.
pub fn rows(header: &Header, unit: f64) -> Rows {
    let Spacing { x, y, z } = header.spacing;
    let steps = [x, y, z];
    std::array::from_fn(|row| {
        let part = |column: usize| turned(row, header.orientation[3 * column + row] * steps[column] / unit);
        [part(0), part(1), part(2), turned(row, header.origin[row] / unit)]
    })
}

/// Qform that the metadata keeps, for the remaining part of the volume.
pub struct Qform {
    pub code: i64,
    /// Quaternion and offset.
    pub parts: [f64; 6],
    pub pixdim: [f64; 4],
}

impl Qform {
    /// Moves the kept qform as far as `rows`, the volume's position, moved since the volume was read, by a
    /// region or by mip levels. Returns `None` if no qform is kept, or if the volume was turned.
    pub fn moved(kept: &Value, rows: &Rows) -> Option<Self> {
        let code = kept["qform_code"].as_i64().filter(|&code| code > 0)?;
        let mut parts: [f64; 6] = numbers(&kept["qform"])?;
        let mut pixdim: [f64; 4] = numbers(&kept["pixdim"])?;
        let [b, c, d, x, y, z] = parts;
        let own = of_quaternion([b, c, d], [x, y, z], pixdim);
        let mut base = own;
        if let Some(srow) = numbers::<12>(&kept["srow"]) {
            base.as_flattened_mut().copy_from_slice(&srow);
        }
        let column = |rows: &Rows, i: usize| -> [f64; 3] { std::array::from_fn(|row| rows[row][i]) };
        let between: [f64; 3] = std::array::from_fn(|row| rows[row][3] - base[row][3]);
        let [u, v, w] = [0, 1, 2].map(|i| column(&base, i));
        let determinant = dot(cross(u, v), w);
        // Distance in voxels from the source's first voxel to the part's first voxel, along each axis.
        let steps = [cross(v, w), cross(w, u), cross(u, v)].map(|normal| dot(between, normal) / determinant);
        for (i, step) in steps.into_iter().enumerate() {
            let (old, new) = (column(&base, i), column(rows, i));
            let scale = (dot(new, new) / dot(old, old)).sqrt();
            let is_turned = old.iter().zip(new).any(|(old, new)| (new - old * scale).abs() > 1e-4 * scale);
            if is_turned || !step.is_finite() || !scale.is_normal() {
                return None;
            }
            let along = column(&own, i);
            for (offset, part) in parts[3..].iter_mut().zip(along) {
                *offset += step * part;
            }
            pixdim[i + 1] *= scale;
        }
        Some(Self { code, parts, pixdim })
    }
}

fn numbers<const N: usize>(list: &Value) -> Option<[f64; N]> {
    let numbers: Option<Vec<f64>> = list.as_array()?.iter().map(Value::as_f64).collect();
    numbers?.try_into().ok()
}

/// Converts a value between NIfTI's world and Brickwork's. Zero keeps its sign.
fn turned(row: usize, value: f64) -> f64 {
    if row < 2 && value != 0.0 { -value } else { value }
}
