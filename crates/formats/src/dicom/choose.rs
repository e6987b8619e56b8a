//! Lists the series and stacks, and chooses one.

use super::{Slice, slice_file::SeriesHead};
use crate::{
    FormatError, Note, Series, SeriesChoice, SlicesError, VolumeOpenOptions,
    header::geometry::{cross, dot},
    slices::slice::named,
};
use std::collections::HashMap;

/// Maximum difference between the directions of slices of a stack.
const TOLERANCE: f64 = 1e-3;

/// Maximum number of directions in a series that are stacks.
const MAX_DIRECTIONS: usize = 1 << 8;

/// A file that cannot be read.
pub struct Unreadable {
    pub name: String,
    /// Series, columns and rows, as far as they can be read.
    pub series: Option<(SeriesHead, [usize; 2])>,
    pub error: FormatError,
}

/// Returns the slices of the chosen series and stack, or of the only one. Files that cannot be read do not
/// matter if they belong to other series; a note names those whose series is unknown.
///
/// # Errors
/// [`SlicesError::Series`] if there are several and none is chosen. [`SlicesError::NoSuchSeries`] if the
/// choice matches none, or more than one. The error of a file of the chosen series that cannot be read.
pub fn choose(
    slices: Vec<Slice>,
    unreadable: Vec<Unreadable>,
    options: &VolumeOpenOptions,
) -> Result<(Vec<Slice>, Option<Note>), FormatError> {
    let mut stacks = in_stacks(slices);
    let found = listed(&stacks, &unreadable);
    if found.is_empty() {
        let first = unreadable.into_iter().next();
        return Err(first.map_or(SlicesError::None.into(), Unreadable::into_error));
    }
    let index = match &options.series {
        None if found.len() == 1 => 0,
        None => return Err(SlicesError::Series(found).into()),
        Some(choice) => match chosen(choice, &found) {
            Some(index) => index,
            None => return Err(SlicesError::NoSuchSeries { choice: choice.clone(), found }.into()),
        },
    };
    let uid = &found[index].uid;
    let is_chosen = |file: &Unreadable| file.series.as_ref().is_some_and(|(series, _)| series.uid == *uid);
    let (mut chosen, others): (Vec<_>, Vec<_>) = unreadable.into_iter().partition(is_chosen);
    if !chosen.is_empty() {
        return Err(chosen.swap_remove(0).into_error());
    }
    let files: Vec<String> = others
        .iter()
        .filter(|file| file.series.is_none())
        .map(|file| format!("{} ({})", file.name, file.error))
        .collect();
    Ok((stacks.swap_remove(index), (!files.is_empty()).then_some(Note::UnreadableFiles { files })))
}

/// Returns the only series of an index, a UID or else a description; `None` if there is none, or more than
/// one.
fn chosen(choice: &SeriesChoice, found: &[Series]) -> Option<usize> {
    let by_uid = choice.find(found.iter().map(|series| series.uid.as_str()));
    let by_description = || choice.find(found.iter().map(|series| series.description.trim()));
    match (if by_uid.is_empty() { by_description() } else { by_uid })[..] {
        [index] => Some(index),
        _ => None,
    }
}

impl Unreadable {
    fn into_error(self) -> FormatError {
        named(self.name)(self.error)
    }
}

/// Groups slices by series, identifier of the stack, size and directions.
fn in_stacks(slices: Vec<Slice>) -> Vec<Vec<Slice>> {
    let mut stacks: Vec<Vec<Slice>> = Vec::new();
    // Stacks that differ only in directions.
    let mut by_key: HashMap<_, Vec<usize>> = HashMap::new();
    for slice in slices {
        let shape = slice.file.shape;
        let key = (slice.file.series.uid.clone(), slice.stack.clone(), shape.width, shape.height);
        let same = by_key.entry(key).or_default();
        let is_near = |stack: &&usize| match (stacks[**stack][0].directions, slice.directions) {
            (Some(a), Some(b)) => a.iter().zip(b).all(|(a, b)| (a - b).abs() <= TOLERANCE),
            // The error of these names the field.
            _ => true,
        };
        match same.iter().find(is_near).or(same.get(MAX_DIRECTIONS)) {
            Some(&stack) => stacks[stack].push(slice),
            None => {
                same.push(stacks.len());
                stacks.push(vec![slice]);
            }
        }
    }
    stacks
}

/// Lists the stacks, then the series that have no file that can be read.
fn listed(stacks: &[Vec<Slice>], unreadable: &[Unreadable]) -> Vec<Series> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for stack in stacks {
        *counts.entry(&stack[0].file.series.uid).or_default() += 1;
    }
    let has_stacks = |stack: &[Slice]| counts[stack[0].file.series.uid.as_str()] > 1;
    let mut all: Vec<Series> = stacks.iter().map(|stack| summary(stack, has_stacks(stack))).collect();
    let mut by_uid: HashMap<&str, usize> = HashMap::new();
    for file in unreadable {
        let Some((series, size)) = &file.series else { continue };
        if counts.contains_key(series.uid.as_str()) {
            continue;
        }
        if let Some(&index) = by_uid.get(series.uid.as_str()) {
            all[index].slice_count += 1;
            continue;
        }
        by_uid.insert(&series.uid, all.len());
        all.push(Series {
            uid: series.uid.clone(),
            number: series.number,
            description: series.description.clone(),
            stack: None,
            size: *size,
            slice_count: 1,
            file: file.name.clone(),
            fault: Some(file.error.to_string()),
        });
    }
    all
}

fn summary(stack: &[Slice], has_stacks: bool) -> Series {
    let (first, file) = (&stack[0], &stack[0].file);
    let name = first.stack.clone().or_else(|| plane(first.directions?));
    Series {
        uid: file.series.uid.clone(),
        number: file.series.number,
        description: file.series.description.clone(),
        stack: name.filter(|_| has_stacks),
        size: [file.shape.width, file.shape.height],
        slice_count: stack.len(),
        file: file.name.clone(),
        fault: None,
    }
}

/// Returns the plane of the patient that is nearest to slices of these directions.
fn plane([a, b, c, d, e, f]: [f64; 6]) -> Option<String> {
    let normal = cross([a, b, c], [d, e, f]);
    let planes = [("sagittal", [1.0, 0.0, 0.0]), ("coronal", [0.0, 1.0, 0.0]), ("axial", [0.0, 0.0, 1.0])];
    let near =
        planes.into_iter().max_by(|(_, a), (_, b)| dot(normal, *a).abs().total_cmp(&dot(normal, *b).abs()));
    near.map(|(name, _)| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_series_is_chosen_by_its_description() {
        let series = |uid: &str, description: &str| Series {
            uid: uid.to_owned(),
            number: None,
            description: description.to_owned(),
            stack: None,
            size: [1, 1],
            slice_count: 1,
            file: String::new(),
            fault: None,
        };
        let found =
            [series("1.2", "Head"), series("1.3", "Other "), series("1.4", "Twice"), series("1.5", "Twice")];
        let of = |text: &str| chosen(&SeriesChoice::of(text), &found);
        assert_eq!([of("1.4"), of("Other"), of("Head"), of("3")], [Some(2), Some(1), Some(0), Some(3)]);
        assert_eq!([of("Twice"), of("None"), of("other"), of("4")], [None; 4]);
    }
}
