//! Lists the series and stacks, and chooses one.

use super::Slice;
use crate::formats::{Series, SlicesError, VolumeOpenOptions};

/// Returns the slices of the chosen series and stack, or of the only one.
///
/// # Errors
/// [`SlicesError::Series`] if there are several and none is chosen. [`SlicesError::NoSuchSeries`] if the
/// choice matches none, or more than one.
pub fn choose(slices: Vec<Slice>, options: &VolumeOpenOptions) -> Result<Vec<Slice>, SlicesError> {
    let mut groups: Vec<Vec<Slice>> = Vec::new();
    for slice in slices {
        let is_of = |group: &&mut Vec<Slice>| {
            group[0].file.series == slice.file.series && group[0].stack == slice.stack
        };
        match groups.iter_mut().find(is_of) {
            Some(group) => group.push(slice),
            None => groups.push(vec![slice]),
        }
    }
    let found = |groups: &[Vec<Slice>]| -> Vec<Series> {
        groups.iter().map(|group| summary(group, groups)).collect()
    };
    let chosen = match options.series() {
        None if groups.len() == 1 => 0,
        None => return Err(SlicesError::Series(found(&groups))),
        Some(choice) => match choice.find(groups.iter().map(|group| group[0].file.series.as_str()))[..] {
            [index] => index,
            _ => return Err(SlicesError::NoSuchSeries { choice: choice.clone(), found: found(&groups) }),
        },
    };
    Ok(groups.swap_remove(chosen))
}

fn summary(group: &[Slice], groups: &[Vec<Slice>]) -> Series {
    let (first, file) = (&group[0], &group[0].file);
    let has_stacks = groups.iter().filter(|other| other[0].file.series == file.series).count() > 1;
    Series {
        uid: file.series.clone(),
        number: file.series_number,
        description: file.description.clone(),
        stack: first.stack.clone().filter(|_| has_stacks),
        size: [file.shape.width, file.shape.height],
        slice_count: group.len(),
        file: file.name.clone(),
    }
}
