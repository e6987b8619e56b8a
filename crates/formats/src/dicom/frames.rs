//! Several slices at each position: frames of different times, echoes or diffusion weightings.

use super::{
    Slice,
    acquired::{Acquired, seconds_of},
    incomplete::incomplete,
    marks::{
        ACQUISITION_NUMBER, ACQUISITION_TIME, FIELDS, FIRST_OF_SLICES, INSTANCE_NUMBER, OF_ONE_KIND, PHASE,
        SEGMENT, TEMPORAL_POSITION, TIME_SLICE, is_diffusion, is_one_kind, order_of,
    },
    order::{self, Geometry},
};
use crate::{FormatError, Note, SlicesError, words::digits};
use serde_json::{Map, Value};
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
    let candidates = candidates(&slices);
    for fields in &candidates {
        if let Some((frame_count, geometry)) = frames_by(&mut slices, fields, allow_gaps) {
            let fields = fields.iter().map(|&place| FIELDS[place].name).collect();
            return Ok(Ordered { slices, frame_count, geometry, fields });
        }
    }
    // Slices acquired one after the other also have different times, without being frames.
    slices.sort_by_key(|slice| (slice.file.name.clone(), slice.frame));
    let geometry = order::sort(&mut slices, allow_gaps).map_err(|error| match error {
        FormatError::Slices(SlicesError::Same(..)) => {
            incomplete(&slices, &candidates).map_or(error, FormatError::from)
        }
        error => error,
    })?;
    check_one_kind(&slices)?;
    Ok(Ordered { slices, frame_count: 1, geometry, fields: Vec::new() })
}

/// Returns sets of fields that may distinguish frames. A set is one field that differs, or all differing
/// fields of the first group, or those of diffusion. It may also be all of these with one field that also
/// differs between slices of a frame. The last resort is the number of the slice.
fn candidates(slices: &[Slice]) -> Vec<Vec<usize>> {
    let differs = |place: &usize| slices.iter().any(|slice| slice.marks[*place] != slices[0].marks[*place]);
    let of = |range: Range<usize>| -> Vec<usize> { range.filter(differs).collect() };
    let (of_frames, of_slices) = (of(0..FIRST_OF_SLICES), of(FIRST_OF_SLICES..INSTANCE_NUMBER));
    let mut all: Vec<Vec<usize>> = of_frames.iter().map(|&place| vec![place]).collect();
    if of_frames.len() > 1 {
        all.push(of_frames.clone());
    }
    let of_diffusion: Vec<usize> = of_frames.iter().copied().filter(|&place| is_diffusion(place)).collect();
    if of_diffusion.len() > 1 {
        all.push(of_diffusion);
    }
    all.extend(of_slices.iter().map(|&place| vec![place]));
    if !of_frames.is_empty() {
        all.extend(of_slices.iter().map(|&place| [&of_frames[..], &[place]].concat()));
        all.push([&of_frames[..], &[INSTANCE_NUMBER]].concat());
    }
    all.push(vec![INSTANCE_NUMBER]);
    all
}

/// Sorts the slices by these fields, if that gives frames at the same positions, each of one kind. Frames of
/// diffusion are then put in the order of their acquisition, for which tables of gradients are made.
fn frames_by(slices: &mut Vec<Slice>, fields: &[usize], allow_gaps: bool) -> Option<(usize, Geometry)> {
    let order = |a: &Slice, b: &Slice| {
        let orders = fields.iter().map(|&place| order_by(place, a, b));
        orders.into_iter().find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    };
    // Images without diffusion weighting have no direction.
    if let [only] = fields
        && !is_diffusion(*only)
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
    let mut groups = slices.chunk_by(|a, b| order(a, b).is_eq()).map(<[Slice]>::len);
    let depth = groups.next().unwrap_or(0);
    if depth < slices.len()
        && groups.all(|length| length == depth)
        && let Some(geometry) = in_same_places(slices, depth, allow_gaps)
    {
        return Some((in_order_of_acquisition(slices, depth, fields), geometry));
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
    let geometry = in_same_places(slices, depth, allow_gaps)?;
    Some((in_order_of_acquisition(slices, depth, fields), geometry))
}

/// Compares two slices by a field; times of day with their days.
fn order_by(place: usize, a: &Slice, b: &Slice) -> Ordering {
    match (place, a.acquired, b.acquired) {
        (ACQUISITION_TIME, Some(a), Some(b)) => a.moment().cmp(&b.moment()),
        _ => order_of(a.marks[place].as_ref(), b.marks[place].as_ref()),
    }
}

/// Sorts frames of `depth` slices that differ in diffusion by their acquisition. Returns their number.
fn in_order_of_acquisition(slices: &mut Vec<Slice>, depth: usize, fields: &[usize]) -> usize {
    let frame_count = slices.len() / depth;
    if !fields.iter().any(|&place| is_diffusion(place)) {
        return frame_count;
    }
    // A frame's first slice by number. Frames of one file follow each other, but not the tiles of a mosaic.
    let number = |slice: &Slice| {
        let frame = if slice.file.mosaic.is_some() { 0 } else { slice.frame };
        (slice.file.instance_number, frame)
    };
    let mut rest = std::mem::take(slices).into_iter();
    let mut frames: Vec<Vec<Slice>> = (0..frame_count).map(|_| rest.by_ref().take(depth).collect()).collect();
    let start = |frame: &[Slice]| frame.iter().map(number).min();
    frames.sort_by(|a, b| start(a).cmp(&start(b)).then_with(|| acquisition_order(&a[0], &b[0])));
    slices.extend(frames.into_iter().flatten());
    frame_count
}

/// Sorts each frame of `depth` slices. Returns the frames' geometry if all have the same, and each is of one
/// kind.
fn in_same_places(slices: &mut [Slice], depth: usize, allow_gaps: bool) -> Option<Geometry> {
    let places = slices.chunks_mut(depth).map(|frame| order::sort(frame, allow_gaps));
    let mut places = places.collect::<Result<Vec<_>, _>>().ok()?;
    if !slices.chunks(depth).all(|frame| check_one_kind(frame).is_ok()) {
        return None;
    }
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
        for place in OF_ONE_KIND {
            let (a, b) = (&first.marks[place], &other.marks[place]);
            if !is_one_kind(place, a.as_ref(), b.as_ref()) {
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

/// Fields of times: those after an event, in milliseconds, come before times of day.
const TIMES: [&str; 6] = [
    "FrameTimeVector",
    "ActualFrameDuration",
    "FrameReferenceTime",
    "TriggerTime",
    "AcquisitionDateTime",
    "AcquisitionTime",
];

/// Returns the time between frames in seconds, by the times of their first slices; 0 if these are unknown, or
/// if the frames differ in other fields than times. Uneven times also give 0, with a note.
pub fn seconds_between(slices: &[Slice], frame_count: usize, fields: &[&str]) -> (f64, Option<Note>) {
    let place_of = |name: &str| FIELDS.iter().position(|field| field.name == name);
    let is_time =
        |place: usize| matches!(place, TEMPORAL_POSITION | PHASE | TIME_SLICE) || place >= FIRST_OF_SLICES;
    if frame_count < 2 || !fields.iter().all(|name| place_of(name).is_some_and(is_time)) {
        return (0.0, None);
    }
    let mut note = None;
    for name in TIMES {
        let Some(place) = place_of(name) else { continue };
        let seconds = |slice: &Slice| match place {
            ACQUISITION_TIME => slice.acquired.map(Acquired::seconds),
            _ => slice.marks[place].as_ref().and_then(seconds_of),
        };
        let frames = slices.iter().step_by(slices.len() / frame_count);
        let Some(times) = frames.map(seconds).collect::<Option<Vec<f64>>>() else { continue };
        let steps: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let step = (times[frame_count - 1] - times[0]) / (frame_count - 1) as f64;
        let is_even = |own: &f64| (own - step).abs() <= UNEVENNESS * step;
        if step.is_normal() && step > 0.0 && steps.iter().all(is_even) {
            return (step, None);
        }
        if note.is_none() && steps.iter().any(|step| *step != 0.0) {
            let range = [steps.iter().copied().reduce(f64::min), steps.iter().copied().reduce(f64::max)];
            let [shortest, longest] = range.map(|step| digits(step.unwrap_or(0.0)));
            note = Some(Note::UnevenFrames { field: name, shortest, longest });
        }
    }
    (0.0, note)
}

/// Compares when two slices were acquired, as far as number, date and time of the acquisition are known.
fn acquisition_order(a: &Slice, b: &Slice) -> Ordering {
    let orders = (ACQUISITION_NUMBER..INSTANCE_NUMBER).map(|place| order_by(place, a, b));
    orders.into_iter().find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

/// Describes each frame of `depth` slices: its diffusion weighting, and the fields of these names. Times and
/// segments are described elsewhere. Returns `None` if nothing is known.
pub fn described(slices: &[Slice], depth: usize, names: &[&str]) -> Option<Value> {
    let is_described = |place: &usize| {
        is_diffusion(*place)
            || !matches!(*place, TEMPORAL_POSITION | SEGMENT) && names.contains(&FIELDS[*place].name)
    };
    let places: Vec<usize> = (0..FIELDS.len()).filter(is_described).collect();
    let frames: Vec<Map<String, Value>> = slices
        .chunks(depth)
        .map(|frame| {
            let known = places.iter().filter_map(|&place| {
                let mark = frame[0].marks[place].as_ref()?;
                let is_same = frame.iter().all(|slice| slice.marks[place].as_ref() == Some(mark));
                is_same.then(|| (FIELDS[place].name.to_owned(), mark.described()))
            });
            known.collect()
        })
        .collect();
    frames.iter().any(|frame| !frame.is_empty()).then(|| frames.into())
}
