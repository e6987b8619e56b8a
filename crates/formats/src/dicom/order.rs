//! Positions of slices, and the order that follows from them.

use super::Slice;
use crate::{
    FormatError, SlicesError,
    header::geometry::{cross, dot},
};

/// Maximum distance of a slice from its expected position, as a fraction of the distance between slices.
const TOLERANCE: f64 = 0.02;

/// Position and orientation of a volume.
pub struct Geometry {
    pub origin: [f64; 3],
    /// Directions of x, y and z.
    pub orientation: [f64; 9],
    /// Distance between slices.
    pub step: f64,
    /// True if the step comes from fields of a single slice, not from the positions of two.
    pub is_of_one_slice: bool,
    /// Names of the slices before and after each gap.
    pub gaps: Vec<[String; 2]>,
}

impl Geometry {
    /// True if both have the same position and orientation.
    pub fn is_at(&self, other: &Self) -> bool {
        let near = |a: &[f64], b: &[f64], most: f64| a.iter().zip(b).all(|(a, b)| (a - b).abs() <= most);
        near(&self.origin, &other.origin, TOLERANCE * other.step)
            && near(&self.orientation, &other.orientation, 1e-3)
            && (self.step - other.step).abs() <= TOLERANCE * other.step
    }
}

/// Places slices without positions by their locations along one line, if all have one and they differ.
/// Returns true if it does: origin and directions then remain unknown.
pub fn place_by_location(slices: &mut [Slice]) -> bool {
    let locations: Option<Vec<f64>> = slices.iter().map(|slice| slice.location).collect();
    let Some(locations) = locations.filter(|all| all.iter().any(|location| *location != all[0])) else {
        return false;
    };
    if slices.iter().any(|slice| slice.position.is_some() || slice.file.frame_count > 1) {
        return false;
    }
    for (slice, location) in slices.iter_mut().zip(locations) {
        let [a, b, c, d, e, f] = *slice.directions.get_or_insert([1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
        slice.position = Some(cross([a, b, c], [d, e, f]).map(|part| part * location));
    }
    true
}

/// Sorts slices along the normal of their planes, or by their numbers if a position is unknown. Missing
/// slices are an error unless gaps are allowed.
pub fn sort(slices: &mut [Slice], allow_gaps: bool) -> Result<Geometry, FormatError> {
    if slices.iter().all(|slice| slice.position.is_some() && slice.directions.is_some()) {
        return by_position(slices, allow_gaps);
    }
    let mut gaps = Vec::new();
    if slices.len() > 1 {
        if let Some(slice) = slices.iter().find(|slice| slice.number.is_none()) {
            return Err(SlicesError::Unordered(slice.name()).into());
        }
        slices.sort_by_key(|slice| slice.number);
        for pair in slices.windows(2) {
            if pair[0].number == pair[1].number {
                return Err(SlicesError::Same(pair[0].name(), pair[1].name()).into());
            }
            if pair[0].number.and_then(|number| number.checked_add(1)) != pair[1].number {
                if !allow_gaps {
                    return Err(gap(&pair[0], &pair[1], None).into());
                }
                gaps.push([pair[0].name(), pair[1].name()]);
            }
        }
    }
    let orientation = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
    let step = slices[0].thickness.unwrap_or(1.0);
    Ok(Geometry { origin: [0.0; 3], orientation, step, is_of_one_slice: true, gaps })
}

fn gap(before: &Slice, after: &Slice, distances: Option<[f64; 2]>) -> SlicesError {
    SlicesError::Gap { before: before.name(), after: after.name(), distances }
}

fn by_position(slices: &mut [Slice], allow_gaps: bool) -> Result<Geometry, FormatError> {
    let place = |slice: &Slice| slice.position.unwrap_or_default();
    let directions = slices[0].directions.unwrap_or_default();
    let [a, b, c, d, e, f] = directions;
    let normal = cross([a, b, c], [d, e, f]);
    let along = |slice: &Slice| dot(place(slice), normal);
    slices.sort_by(|a, b| along(a).total_cmp(&along(b)));
    let origin = place(&slices[0]);
    let mut step = slices[0].thickness.unwrap_or(1.0);
    let mut direction = normal;
    let mut places = Vec::new();
    if let [.., last] = &*slices
        && slices.len() > 1
    {
        let between = |a: [f64; 3], b: [f64; 3]| [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
        let mut gaps: Vec<f64> = slices.windows(2).map(|pair| along(&pair[1]) - along(&pair[0])).collect();
        let same = gaps.iter().position(|gap| gap.abs() < 1e-4);
        if let Some(i) = same {
            return Err(SlicesError::Same(slices[i].name(), slices[i + 1].name()).into());
        }
        // The median is the usual distance, even if some slices are missing. Missing slices only enlarge
        // distances, so of two middle ones the smaller is the usual.
        gaps.sort_by(f64::total_cmp);
        let usual = gaps[(gaps.len() - 1) / 2];
        let rounding = rounding(slices);
        // Tolerates two roundings along the normal, unless this could hide a missing slice.
        let most =
            (TOLERANCE * usual).max((rounding * normal.map(f64::abs).iter().sum::<f64>()).min(0.4 * usual));
        for pair in slices.windows(2) {
            let own = along(&pair[1]) - along(&pair[0]);
            if exceeds((own - usual).abs(), most * (1.0 + 1e-9)) {
                if allow_gaps && own.is_finite() {
                    places.push([pair[0].name(), pair[1].name()]);
                    continue;
                }
                // Drops the digits that subtraction adds.
                let distances = [own, usual].map(|distance| (distance * 1e6).round() / 1e6);
                return Err(gap(&pair[0], &pair[1], Some(distances)).into());
            }
        }
        let whole = between(origin, place(last));
        let length = dot(whole, whole).sqrt();
        step = length / (slices.len() - 1) as f64;
        // With a tilted gantry, slices do not follow each other along their normal.
        direction = whole.map(|part| part / length);
        let vector = direction.map(|part| part * step);
        // Small errors add up over many slices.
        let most = (TOLERANCE * slices.len() as f64).clamp(0.1, 0.5) * step;
        // Half a unit in each coordinate, for this slice, the first and the last.
        let most = most.max(rounding * 3f64.sqrt());
        for (i, slice) in slices.iter().enumerate() {
            let whole = between(origin, place(slice));
            // Where there are gaps, only the distance from the line of the other slices counts.
            let steps = if places.is_empty() { i as f64 } else { dot(whole, direction) / step };
            let expected = [0, 1, 2].map(|j| origin[j] + vector[j] * steps);
            let off = between(expected, place(slice));
            if exceeds(dot(off, off).sqrt(), most) {
                let before = &slices[i.saturating_sub(1)];
                return Err(gap(before, slice, None).into());
            }
        }
        if !places.is_empty() {
            step = usual * length / dot(whole, normal);
        }
    }
    let [g, h, i] = direction;
    let is_of_one_slice = slices.len() == 1;
    Ok(Geometry { origin, orientation: [a, b, c, d, e, f, g, h, i], step, is_of_one_slice, gaps: places })
}

/// Returns the unit to which all positions are rounded, if it is 0.1 mm: some programs write one decimal.
/// Otherwise returns 0.
fn rounding(slices: &[Slice]) -> f64 {
    let is_rounded = |part: f64| ((part * 10.0).round() - part * 10.0).abs() < 1e-6;
    let positions = slices.iter().filter_map(|slice| slice.position);
    if positions.flatten().all(is_rounded) { 0.1 } else { 0.0 }
}

/// Checks that all slices have the spacing and directions of the first.
pub fn check_alike(slices: &[Slice]) -> Result<(), SlicesError> {
    let first = &slices[0];
    for other in slices {
        let near = |a: Option<&[f64]>, b: Option<&[f64]>, most: fn(f64) -> f64| match (a, b) {
            (Some(a), Some(b)) => a.iter().zip(b).all(|(a, b)| (a - b).abs() <= most(*a)),
            (a, b) => a.is_none() == b.is_none(),
        };
        let spacings = [first, other].map(|slice| slice.pixel_spacing.as_ref().map(<[f64; 2]>::as_slice));
        let directions = [first, other].map(|slice| slice.directions.as_ref().map(<[f64; 6]>::as_slice));
        let (field, [a, b]) = if !near(spacings[0], spacings[1], |length| 1e-4 * length) {
            // The file lists the distance between rows first.
            let swapped = spacings.map(|spacing| spacing.map(|s| s.iter().rev().copied().collect()));
            ("PixelSpacing", swapped)
        } else if !near(directions[0], directions[1], |_| 1e-3) {
            ("ImageOrientationPatient", directions.map(|all| all.map(<[f64]>::to_vec)))
        } else {
            continue;
        };
        let shown = |value: Option<Vec<f64>>| match value {
            None => "absent".to_owned(),
            Some(numbers) => numbers.iter().map(f64::to_string).collect::<Vec<_>>().join("\\"),
        };
        return Err(SlicesError::Geometry {
            field,
            first: first.name(),
            first_value: shown(a),
            other: other.name(),
            other_value: shown(b),
        });
    }
    Ok(())
}

/// True if `a` exceeds `b`, or either is NaN: extreme positions overflow.
fn exceeds(a: f64, b: f64) -> bool {
    a.is_nan() || a > b
}
