//! Names of numbered slices: their order, names that do not belong to the others, and missing numbers.

use crate::{FormatError, Note, SlicesError, VolumeOpenOptions, slices::slice::name_of};
use brickwork_base::natural_order;
use std::{cmp::Ordering, collections::BTreeMap, path::PathBuf};

/// Mark of a number in a pattern; file names do not contain it.
const MARK: char = '\0';

/// End of a name in comparisons.
const END: char = '\0';

/// Name with marks for its numbers, and the numbers.
struct Numbered {
    pattern: String,
    numbers: Vec<u64>,
}

impl Numbered {
    /// Parses a name. Returns `None` for names without digits, or with a number of 2⁶⁴ or more.
    fn of(name: &str) -> Option<Self> {
        let (mut pattern, mut numbers, mut digits) = (String::new(), Vec::new(), String::new());
        for c in name.chars().chain([END]) {
            if c.is_ascii_digit() {
                digits.push(c);
                continue;
            }
            if !digits.is_empty() {
                numbers.push(digits.parse().ok()?);
                digits.clear();
                pattern.push(MARK);
            }
            pattern.push(c);
        }
        pattern.pop();
        (!numbers.is_empty()).then_some(Self { pattern, numbers })
    }
}

/// Returns the slices of a folder in the order of their numbers.
///
/// Names that differ in more than their numbers belong to different volumes. The chosen volume is that of
/// most files, or the one that the options choose. Names without numbers are sorted alphabetically.
///
/// # Errors
/// [`SlicesError::Names`] without a majority, or if two numbers count channels or times.
/// [`SlicesError::Numbers`] if a number is missing. [`SlicesError::Same`] if a number occurs twice.
pub fn select(
    mut paths: Vec<PathBuf>,
    options: &VolumeOpenOptions,
) -> Result<(Vec<PathBuf>, Vec<Note>), FormatError> {
    paths.sort_by(|a, b| natural_order(&name_of(a), &name_of(b)));
    let mut groups: BTreeMap<String, Vec<(PathBuf, Vec<u64>)>> = BTreeMap::new();
    for path in &paths {
        let (pattern, numbers) = match Numbered::of(&name_of(path)) {
            Some(Numbered { pattern, numbers }) => (pattern, numbers),
            None => (String::new(), Vec::new()),
        };
        groups.entry(pattern).or_default().push((path.clone(), numbers));
    }
    if groups.keys().all(String::is_empty) {
        return Ok((paths, Vec::new()));
    }
    let mut groups: Vec<_> = groups.into_iter().flat_map(|(pattern, files)| split(&pattern, files)).collect();
    groups.sort_by(|a, b| b.files.len().cmp(&a.files.len()).then_with(|| a.name.cmp(&b.name)));
    let mut notes = Vec::new();
    let list = || groups.iter().map(|group| (group.name.clone(), group.files.len())).collect();
    let chosen = match &options.series {
        Some(choice) => match choice.find(groups.iter().map(|group| group.name.as_str()))[..] {
            [index] => index,
            _ => return Err(SlicesError::NoSuchNames { choice: choice.clone(), found: list() }.into()),
        },
        None if groups.len() > 1 && 2 * groups[0].files.len() <= paths.len() => {
            return Err(SlicesError::Names(list()).into());
        }
        None => 0,
    };
    let group = groups.swap_remove(chosen);
    if options.series.is_none() && !groups.is_empty() {
        let others = groups.iter().flat_map(|group| &group.files);
        let mut files: Vec<String> = others.map(|(path, _)| name_of(path)).collect();
        files.sort();
        notes.push(Note::OtherNames { files, taken: group.name.clone() });
    }
    if let Some(missing) = missing(&group)? {
        if !options.allow_gaps {
            return Err(SlicesError::Numbers { name: group.name, missing }.into());
        }
        notes.push(Note::MissingNumbers { name: group.name.clone(), missing });
    }
    Ok((group.files.into_iter().map(|(path, _)| path).collect(), notes))
}

/// Slices whose names differ only in their number.
struct Group {
    /// Name with `#` for the number; names without a number have none.
    name: String,
    /// Files with their numbers; `None` if several numbers in the names vary.
    files: Vec<(PathBuf, Option<u64>)>,
}

/// Divides files of a pattern if two of their numbers form a grid: the second number counts channels or
/// times.
fn split(pattern: &str, files: Vec<(PathBuf, Vec<u64>)>) -> Vec<Group> {
    let count = files[0].1.len();
    let values = |place: usize| {
        let mut values: Vec<u64> = files.iter().map(|(_, numbers)| numbers[place]).collect();
        values.sort_unstable();
        values.dedup();
        values
    };
    let varying: Vec<(usize, Vec<u64>)> =
        (0..count).map(|place| (place, values(place))).filter(|(_, values)| values.len() > 1).collect();
    // Returns the name with the kept numbers, and `#` for the others.
    let name = |kept: &dyn Fn(usize) -> bool, numbers: &[u64]| {
        let mut name = String::new();
        for (place, part) in pattern.split(MARK).enumerate() {
            match place.checked_sub(1) {
                Some(place) if kept(place) => name += &numbers[place].to_string(),
                Some(_) => name.push('#'),
                None => {}
            }
            name += part;
        }
        name
    };
    match &varying[..] {
        [(place, _)] => {
            let name = name(&|other| other != *place, &files[0].1);
            let files = files.into_iter().map(|(path, numbers)| (path, Some(numbers[*place]))).collect();
            vec![Group { name, files }]
        }
        [(first, rows), (second, columns)] if rows.len() * columns.len() == files.len() => {
            // The slice's number is the one with more values.
            let of_slice = if columns.len() > rows.len() { *second } else { *first };
            let mut groups: BTreeMap<String, Vec<(PathBuf, Option<u64>)>> = BTreeMap::new();
            for (path, numbers) in files {
                let name = name(&|other| other != of_slice, &numbers);
                groups.entry(name).or_default().push((path, Some(numbers[of_slice])));
            }
            groups.into_iter().map(|(name, files)| Group { name, files }).collect()
        }
        _ => {
            let files = files.into_iter().map(|(path, _)| (path, None)).collect();
            vec![Group { name: name(&|_| false, &[]), files }]
        }
    }
}

/// Returns the numbers that are missing, as text such as `6 to 8`; `None` if there are none.
fn missing(group: &Group) -> Result<Option<String>, SlicesError> {
    let numbers: Option<Vec<u64>> = group.files.iter().map(|(_, number)| *number).collect();
    let Some(numbers) = numbers.filter(|numbers| numbers.len() > 1) else { return Ok(None) };
    let mut steps: Vec<u64> = numbers.windows(2).map(|pair| pair[1].abs_diff(pair[0])).collect();
    if let Some(twice) = steps.iter().position(|&step| step == 0) {
        let [a, b] = [twice, twice + 1].map(|index| name_of(&group.files[index].0));
        return Err(SlicesError::Same(a, b));
    }
    steps.sort_unstable();
    // Numbers may count in twos, or in steps of the distance. Missing slices only enlarge steps, so of two
    // middle steps the smaller is the usual one.
    let usual = steps[(steps.len() - 1) / 2];
    let mut ranges = Vec::new();
    for pair in numbers.windows(2).filter(|pair| pair[1] - pair[0] != usual) {
        let (first, last) = (pair[0].saturating_add(usual), pair[1].saturating_sub(usual));
        ranges.push(match first.cmp(&last) {
            Ordering::Less => format!("{first} to {last}"),
            Ordering::Equal => first.to_string(),
            // The numbers are closer than usual.
            Ordering::Greater => format!("between {} and {}", pair[0], pair[1]),
        });
    }
    const SHOWN: usize = 6;
    let more = ranges.len().saturating_sub(SHOWN);
    ranges.truncate(SHOWN);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    Ok((!ranges.is_empty()).then(|| ranges.join(", ") + &rest))
}
