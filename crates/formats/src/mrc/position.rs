//! Distances between voxels, their directions, and the position of the first.

use super::{
    PER_MILLIMETRE, STANDARD_ORIGIN, at,
    fields::{Fields, number},
};
use crate::{FormatError, MrcNote, Note, header::geometry::Field};
use brickwork_volume::{Dims, Header, Spacing};

/// A first index beyond this many times the size of the cell or the volume was never set.
const MAX_START: f64 = 10.0;

/// Largest difference between two statements of the position, in voxels.
const SAME: f64 = 1e-3;

/// Geometry of a header, in millimetres.
pub struct Position {
    spacing: [f64; 3],
    /// Axes whose spacing is unknown.
    unknown: Vec<&'static str>,
    orientation: [f64; 9],
    /// Position by NXSTART, NYSTART and NZSTART; `None` if they are not usable.
    by_starts: Option<[f64; 3]>,
    /// ORIGIN; `None` if it is not usable.
    origin: Option<[f64; 3]>,
    /// True if ORIGIN has IMOD's sign.
    is_inverted: bool,
}

impl Position {
    /// Reads the geometry of a volume, whose dims `header` has. `axes` are those of the file.
    pub fn of(fields: &Fields<'_>, axes: [usize; 3], header: &Header) -> Result<Self, FormatError> {
        let (spacing, unknown) = spacing(fields, header.dims)?;
        let orientation = orientation(fields)?;
        let (stored, mut starts) = (fields.integers(at::STARTS), [0.0; 3]);
        for (start, axis) in stored.into_iter().zip(axes) {
            starts[axis] = f64::from(start);
        }
        let Dims { x, y, z } = header.dims;
        let sides = [x, y, z].map(|side| side as f64).into_iter();
        let largest = sides.chain(fields.integers(at::GRID).map(f64::from)).fold(0.0, f64::max);
        let are_usable = starts.iter().all(|start| start.abs() <= MAX_START * largest);
        let by_starts = are_usable.then(|| {
            [0, 1, 2].map(|axis| (0..3).map(|i| starts[i] * spacing[i] * orientation[3 * i + axis]).sum())
        });
        let (mut origin, mut is_inverted) = (Some([0.0; 3]), false);
        if fields.has_map() {
            let numbers = fields.floats(at::ORIGIN);
            let text = format!("{numbers:?}");
            let field = Field { name: "ORIGIN", text: &text };
            for number in numbers {
                field.finite(number)?;
            }
            let has_flag = fields.imod_flags().is_none_or(|flags| flags & STANDARD_ORIGIN != 0);
            is_inverted = !has_flag && !fields.has_version() && numbers != [0.0; 3];
            let sign = if is_inverted { -1.0 } else { 1.0 };
            // If adding a voxel does not change the float, ORIGIN was never set.
            let is_set = |axis: usize| {
                let step = (spacing[axis] * PER_MILLIMETRE) as f32;
                numbers[axis] as f32 + step != numbers[axis] as f32
            };
            origin = (0..3)
                .all(is_set)
                .then(|| numbers.map(|number| if number == 0.0 { 0.0 } else { millimetres(sign * number) }));
        }
        Ok(Self { spacing, unknown, orientation, by_starts, origin, is_inverted })
    }

    /// Sets the geometry of `header`, and notes what was decided.
    pub fn place(self, header: &mut Header, notes: &mut Vec<Note>) {
        let [x, y, z] = self.spacing;
        header.spacing = Spacing { x, y, z };
        header.orientation = self.orientation;
        if !self.unknown.is_empty() {
            let assumed = match self.unknown[0] {
                "x" => x,
                "y" => y,
                _ => z,
            };
            let millimetres = assumed.to_string();
            notes.push(Note::AssumedSpacing { axes: listed(&self.unknown), millimetres });
        }
        for (field, is_usable) in
            [("ORIGIN", self.origin.is_some()), ("NXSTART, NYSTART, NZSTART", self.by_starts.is_some())]
        {
            notes.extend((!is_usable).then(|| MrcNote::Unset { field }.into()));
        }
        let origin = self.origin.filter(|origin| *origin != [0.0; 3]);
        let by_starts = self.by_starts.filter(|place| *place != [0.0; 3]);
        header.origin = origin.or(by_starts).unwrap_or_default();
        if let Some(origin) = origin {
            notes.extend(self.is_inverted.then(|| MrcNote::InvertedOrigin.into()));
            let differs =
                |place: [f64; 3]| (0..3).any(|i| (place[i] - origin[i]).abs() > SAME * self.spacing[i]);
            notes.extend(by_starts.is_some_and(differs).then(|| MrcNote::TwoPositions.into()));
        }
    }
}

/// Returns the distances in millimetres, and the axes along which they are unknown.
fn spacing(fields: &Fields<'_>, dims: Dims) -> Result<([f64; 3], Vec<&'static str>), FormatError> {
    let (cell, grid) = (fields.floats(at::CELL), fields.integers(at::GRID));
    let text = format!("{cell:?}");
    let field = Field { name: "CELLA", text: &text };
    let mut known = [None; 3];
    for (axis, name) in ["MX", "MY", "MZ"].into_iter().enumerate() {
        if grid[axis] < 0 {
            return Err(number(name, grid[axis]));
        }
        if grid[axis] > 0 && cell[axis] != 0.0 {
            field.length(cell[axis])?;
            let length = few_digits(cell[axis] / f64::from(grid[axis]));
            known[axis] = Some(field.length(millimetres(length))?);
        }
    }
    // IMOD takes the distance along x, and 1 Å if all are unknown.
    let other = known.into_iter().flatten().next().unwrap_or(millimetres(1.0));
    let names = ["x", "y", "z"].into_iter().zip(known);
    let unknown = names.filter(|(name, known)| known.is_none() && !(*name == "z" && dims.z == 1));
    Ok((known.map(|known| known.unwrap_or(other)), unknown.map(|(name, _)| name).collect()))
}

/// Returns a length in ångström in millimetres: the number nearest to the decimal one. A division would round
/// twice.
fn millimetres(length: f64) -> f64 {
    format!("{length}e-7").parse().unwrap_or(length / PER_MILLIMETRE)
}

/// Returns the quotient of a float, without the digits that only its rounding has: 271.36 divided by 256 is
/// 1.06.
fn few_digits(number: f64) -> f64 {
    let text = (number as f32).to_string();
    let digits = text.trim_start_matches(['0', '.']).bytes().filter(u8::is_ascii_digit).count();
    // A float has seven digits or more.
    text.parse().ok().filter(|_| digits <= 7).unwrap_or(number)
}

/// Returns the directions of a cell's axes.
fn orientation(fields: &Fields<'_>) -> Result<[f64; 9], FormatError> {
    let angles = fields.floats(at::ANGLES);
    if angles == [0.0; 3] {
        return Ok([1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
    }
    let [alpha, beta, gamma] = angles.map(|angle| if angle == 90.0 { 0.0 } else { angle.to_radians().cos() });
    let y = (1.0 - gamma * gamma).sqrt();
    let across = (alpha - beta * gamma) / y;
    let up = (1.0 - beta * beta - across * across).sqrt();
    let orientation = [1.0, 0.0, 0.0, gamma, y, 0.0, beta, across, up];
    let text = format!("{angles:?}");
    Field { name: "CELLB", text: &text }.check_orientation(&orientation)?;
    Ok(orientation)
}

/// Returns names as a list in a sentence.
fn listed(names: &[&str]) -> String {
    match names {
        [before @ .., last] if !before.is_empty() => format!("{} and {last}", before.join(", ")),
        _ => names.concat(),
    }
}
