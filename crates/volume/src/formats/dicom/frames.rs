//! Several slices at each position: frames of different times, echoes or diffusion weightings.

use super::{
    Slice,
    marks::{B_VALUE, ECHO_NUMBERS, ECHO_TIME, FIELDS, FIRST_OF_SLICES, SEGMENT, TEMPORAL_POSITION},
    order::{self, Geometry},
};
use crate::formats::{FormatError, SlicesError};
use std::{cmp::Ordering, ops::Range};

/// Maximum offset of a frame's slice from the position in the first frame, in steps.
const MAX_OFFSET: f64 = 0.25;

/// Slices in the order of a volume.
pub struct Ordered {
    pub slices: Vec<Slice>,
    pub frame_count: usize,
    pub geometry: Geometry,
    /// Fields in which the frames differ.
    pub fields: Vec<&'static str>,
}

/// Sorts slices by frame, and the slices of a frame by position.
///
/// # Errors
/// [`SlicesError`] if no field distinguishes slices at the same position, or if a slice is missing.
pub fn in_order(mut slices: Vec<Slice>, allow_gaps: bool) -> Result<Ordered, FormatError> {
    for fields in candidates(&slices) {
        if let Some((frame_count, geometry)) = frames_by(&mut slices, &fields, allow_gaps) {
            let fields = fields.iter().map(|&place| FIELDS[place].name).collect();
            return Ok(Ordered { slices, frame_count, geometry, fields });
        }
    }
    // Slices acquired one after the other also have different times, without being frames.
    slices.sort_by_key(|slice| (slice.file.name.clone(), slice.frame));
    let geometry = order::sort(&mut slices, allow_gaps)?;
    check_one_kind(&slices)?;
    Ok(Ordered { slices, frame_count: 1, geometry, fields: Vec::new() })
}

/// Returns sets of fields that may distinguish frames. A set is one field that differs, or all differing
/// fields of the first group. It may also be all of these with one field that also differs between slices of
/// a frame.
fn candidates(slices: &[Slice]) -> Vec<Vec<usize>> {
    let differs = |place: &usize| slices.iter().any(|slice| slice.marks[*place] != slices[0].marks[*place]);
    let of = |range: Range<usize>| -> Vec<usize> { range.filter(differs).collect() };
    let (of_frames, of_slices) = (of(0..FIRST_OF_SLICES), of(FIRST_OF_SLICES..FIELDS.len()));
    let mut all: Vec<Vec<usize>> = of_frames.iter().map(|&place| vec![place]).collect();
    if of_frames.len() > 1 {
        all.push(of_frames.clone());
    }
    all.extend(of_slices.iter().map(|&place| vec![place]));
    if !of_frames.is_empty() {
        all.extend(of_slices.iter().map(|&place| [&of_frames[..], &[place]].concat()));
    }
    all
}

/// Sorts the slices by these fields, if that gives frames at the same positions.
fn frames_by(slices: &mut Vec<Slice>, fields: &[usize], allow_gaps: bool) -> Option<(usize, Geometry)> {
    let order = |a: &Slice, b: &Slice| {
        let orders = fields.iter().map(|&place| match (&a.marks[place], &b.marks[place]) {
            (Some(a), Some(b)) => a.order(b),
            (a, b) => a.is_some().cmp(&b.is_some()),
        });
        orders.into_iter().find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    };
    if let [only] = fields
        && slices.iter().any(|slice| slice.marks[*only].is_none())
    {
        return None;
    }
    // Without positions, values that differ from slice to slice define no frames.
    let has_place = |slice: &Slice| slice.position.is_some() && slice.directions.is_some();
    if fields.iter().any(|&place| place >= FIRST_OF_SLICES) && !slices.iter().all(has_place) {
        return None;
    }
    slices.sort_by(order);
    let equal = slices.iter().take_while(|slice| order(slice, &slices[0]).is_eq()).count();
    let is_even = |depth: usize| slices.len().is_multiple_of(depth) && slices.len() > depth;
    if is_even(equal)
        && slices.chunks(equal).all(|frame| frame.iter().all(|slice| order(slice, &frame[0]).is_eq()))
        && let Some(geometry) = in_same_places(slices, equal, allow_gaps)
    {
        return Some((slices.len() / equal, geometry));
    }
    if fields.iter().all(|&place| place < FIRST_OF_SLICES) {
        return None;
    }
    // Within a frame the values differ from position to position: the first slices of all positions are the
    // first frame.
    let place =
        |slice: &Slice| slice.position.map(|position| position.map(|part| (part * 1e3).round() as i64));
    slices.sort_by(|a, b| place(a).cmp(&place(b)).then_with(|| order(a, b)));
    let frame_count = slices.iter().take_while(|slice| place(slice) == place(&slices[0])).count();
    let is_grid = frame_count > 1
        && slices.len().is_multiple_of(frame_count)
        && slices.chunks(frame_count).all(|same| {
            same.iter().all(|slice| place(slice) == place(&same[0]))
                && same.windows(2).all(|pair| order(&pair[0], &pair[1]).is_lt())
        });
    if !is_grid {
        return None;
    }
    let depth = slices.len() / frame_count;
    let taken = std::mem::take(slices).into_iter().enumerate();
    let mut ranked: Vec<(usize, Slice)> = taken.map(|(index, slice)| (index % frame_count, slice)).collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    slices.extend(ranked.into_iter().map(|(_, slice)| slice));
    Some((frame_count, in_same_places(slices, depth, allow_gaps)?))
}

/// Sorts each frame of `depth` slices. Returns the frames' geometry if all have the same.
fn in_same_places(slices: &mut [Slice], depth: usize, allow_gaps: bool) -> Option<Geometry> {
    let places = slices.chunks_mut(depth).map(|frame| order::sort(frame, allow_gaps));
    let mut places = places.collect::<Result<Vec<_>, _>>().ok()?;
    let first = places.swap_remove(0);
    if !places.iter().all(|place| place.is_at(&first)) {
        return None;
    }
    // Frames with different gaps may have the same ends.
    let is_near = |(a, b): (&Slice, &Slice)| match (a.position, b.position) {
        (Some(a), Some(b)) => a.iter().zip(b).all(|(a, b)| (a - b).abs() <= MAX_OFFSET * first.step),
        _ => true,
    };
    let (start, rest) = slices.split_at(depth);
    rest.chunks(depth).all(|frame| start.iter().zip(frame).all(is_near)).then_some(first)
}

/// Checks that slices at different positions have one echo, one diffusion weighting and one segment.
fn check_one_kind(slices: &[Slice]) -> Result<(), SlicesError> {
    let first = &slices[0];
    for other in slices {
        for place in [ECHO_TIME, ECHO_NUMBERS, B_VALUE, SEGMENT] {
            let (a, b) = (&first.marks[place], &other.marks[place]);
            let is_near = match (a, b) {
                (Some(a), Some(b)) => a.is_near(b),
                (a, b) => a.is_none() == b.is_none(),
            };
            if !is_near {
                let shown = |mark: &Option<super::marks::Mark>| {
                    mark.as_ref().map_or_else(|| "absent".to_owned(), ToString::to_string)
                };
                return Err(SlicesError::Geometry {
                    field: FIELDS[place].name,
                    first: first.name(),
                    first_value: shown(a),
                    other: other.name(),
                    other_value: shown(b),
                });
            }
        }
    }
    Ok(())
}

/// True if the frames are numbered times, which is the definition of frames.
pub fn are_times(fields: &[&str]) -> bool {
    fields == [FIELDS[TEMPORAL_POSITION].name]
}

/// Largest difference between two distances of frames, as a fraction of the distance.
const UNEVENNESS: f64 = 0.01;

/// Returns the time between frames in seconds, by the times of their first slices; `None` if these are
/// unknown or uneven, or if the frames differ in other fields than times.
pub fn seconds_between(slices: &[Slice], frame_count: usize, fields: &[&str]) -> Option<f64> {
    let place_of = |name: &str| FIELDS.iter().position(|field| field.name == name);
    let is_time = |place: usize| place == TEMPORAL_POSITION || place >= FIRST_OF_SLICES;
    if frame_count < 2 || !fields.iter().all(|name| place_of(name).is_some_and(is_time)) {
        return None;
    }
    // (Times after an event, in milliseconds, come before times of day.)
    ["FrameReferenceTime", "TriggerTime", "AcquisitionTime"].into_iter().find_map(|name| {
        let place = place_of(name)?;
        let frames = slices.iter().step_by(slices.len() / frame_count);
        let times: Vec<f64> =
            frames.map(|slice| slice.marks[place].as_ref()?.seconds()).collect::<Option<_>>()?;
        let step = (times[frame_count - 1] - times[0]) / (frame_count - 1) as f64;
        let is_even = |pair: &[f64]| (pair[1] - pair[0] - step).abs() <= UNEVENNESS * step;
        (step.is_normal() && step > 0.0 && times.windows(2).all(is_even)).then_some(step)
    })
}
