//! Where a volume lies: the sform, or the quaternion of the qform, as spacing, origin and directions.

use crate::{Header, Spacing, formats::FormatError};

/// From index to place, row by row: three parts of the directions, then one of the origin. In NIfTI's world
/// and units.
pub type Rows = [[f64; 4]; 3];

/// The rows of a qform: a unit quaternion (`b`, `c`, `d`; a is not stored), an offset, and `pixdim` with its
/// sign of z first. By `nifti_quatern_to_mat44` of nifti1_io, which also makes quaternions of a length above
/// 1 shorter.
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

/// Takes spacing, origin and directions of `header` from `rows`, in units of `unit` millimetres.
/// `header.spacing` holds that of `pixdim`; it stays where the columns' lengths are the same but for
/// rounding.
///
/// # Errors
/// [`FormatError::Number`], by the name `form`, if a direction has no length.
pub fn take(header: &mut Header, rows: &Rows, unit: f64, form: &str) -> Result<(), FormatError> {
    let Spacing { x, y, z } = header.spacing;
    let mut spacing = [x, y, z];
    for (column, spacing) in spacing.iter_mut().enumerate() {
        let direction: [f64; 3] = std::array::from_fn(|row| rows[row][column]);
        let length = direction.iter().map(|part| part * part).sum::<f64>().sqrt();
        // Also lengths whose squares are too small or too large for a number.
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
    header.spacing = Spacing { x: spacing[0], y: spacing[1], z: spacing[2] };
    header.origin = std::array::from_fn(|row| turned(row, rows[row][3] * unit));
    Ok(())
}

/// The sform of `header`, in units of `unit` millimetres.
pub fn rows(header: &Header, unit: f64) -> Rows {
    let Spacing { x, y, z } = header.spacing;
    let steps = [x, y, z];
    std::array::from_fn(|row| {
        let part = |column: usize| turned(row, header.orientation[3 * column + row] * steps[column] / unit);
        [part(0), part(1), part(2), turned(row, header.origin[row] / unit)]
    })
}

/// Between NIfTI's world and ours. Zero keeps its sign.
fn turned(row: usize, value: f64) -> f64 {
    if row < 2 && value != 0.0 { -value } else { value }
}
