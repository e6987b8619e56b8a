//! Empty slices of segmentations: programs leave out slices without a voxel of the segment.

use super::{marks::SEGMENT, slice::Slice};
use crate::header::geometry::{cross, dot};

/// Most slices that are added.
const MAX_ADDED: usize = 1 << 16;

/// Greatest difference of a distance between slices from a multiple of the usual one, as a part of that.
const TOLERANCE: f64 = 0.05;

/// Adds empty slices where some segments have none, so that all segments have the same positions.
pub fn fill(slices: &mut Vec<Slice>) {
    let is_mask = |slice: &Slice| {
        let segments = slice.file.segments.as_ref();
        segments.is_some_and(|segments| segments.is_map || slice.marks[SEGMENT].is_some())
    };
    let Some([a, b, c, d, e, f]) = slices.first().and_then(|slice| slice.directions) else { return };
    let has_place = |slice: &Slice| slice.position.is_some() && slice.directions == Some([a, b, c, d, e, f]);
    if !slices.iter().all(|slice| is_mask(slice) && has_place(slice)) {
        return;
    }
    let normal = cross([a, b, c], [d, e, f]);
    let along = |slice: &Slice| dot(slice.position.unwrap_or_default(), normal);
    // Places along the normal, each with a slice in it.
    let mut order: Vec<usize> = (0..slices.len()).collect();
    order.sort_by(|&a, &b| along(&slices[a]).total_cmp(&along(&slices[b])));
    let is_same = |a: f64, b: f64| (a - b).abs() < 1e-3;
    order.dedup_by(|b, a| is_same(along(&slices[*a]), along(&slices[*b])));
    let distances = order.windows(2).map(|pair| along(&slices[pair[1]]) - along(&slices[pair[0]]));
    let smallest = distances.clone().fold(f64::INFINITY, f64::min);
    let is_whole = |count: f64| (count - count.round()).abs() <= TOLERANCE;
    // Every second slice may be empty, so the stated distance counts if it fits.
    let stated = slices[0].file.segments.as_ref().and_then(|segments| segments.distance);
    let is_count = |count: f64| count < MAX_ADDED as f64 && is_whole(count);
    let fits = |step: &f64| *step < smallest && distances.clone().all(|distance| is_count(distance / step));
    let step = stated.filter(fits).unwrap_or(smallest);
    let mut places: Vec<[f64; 3]> = Vec::new();
    for (i, &index) in order.iter().enumerate() {
        let position = slices[index].position.unwrap_or_default();
        if let Some(&before) = i.checked_sub(1).and_then(|i| order.get(i)) {
            let start = slices[before].position.unwrap_or_default();
            let count = (along(&slices[index]) - along(&slices[before])) / step;
            if is_count(count) {
                let between =
                    |k: f64| [0, 1, 2].map(|i| start[i] + (position[i] - start[i]) * k / count.round());
                places.extend((1..count.round() as usize).map(|k| between(k as f64)));
            }
            if places.len() > slices.len() + MAX_ADDED {
                return;
            }
        }
        places.push(position);
    }
    let mut firsts: Vec<usize> = Vec::new();
    for (index, slice) in slices.iter().enumerate() {
        if !firsts.iter().any(|&first| slices[first].marks[SEGMENT] == slice.marks[SEGMENT]) {
            firsts.push(index);
        }
    }
    if places.len().saturating_mul(firsts.len()).saturating_sub(slices.len()) > MAX_ADDED {
        return;
    }
    let mut added = Vec::new();
    for first in firsts {
        let own: Vec<f64> = slices
            .iter()
            .filter(|slice| slice.marks[SEGMENT] == slices[first].marks[SEGMENT])
            .map(along)
            .collect();
        for &place in &places {
            if !own.iter().any(|&own| is_same(own, dot(place, normal))) {
                added.push(Slice { position: Some(place), is_empty: true, ..slices[first].clone() });
            }
        }
    }
    slices.extend(added);
}
