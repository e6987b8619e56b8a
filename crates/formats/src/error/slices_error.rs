//! Slices that do not form a volume.

use crate::{
    Series, SeriesChoice,
    header::header_text::{digits, list},
};
use std::fmt;

/// A list with an index before each item.
struct List<'a, T>(&'a [T]);

impl<T: fmt::Display> fmt::Display for List<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, item) in self.0.iter().enumerate() {
            write!(f, "{}{index}: {item}", if index == 0 { "" } else { "; " })?;
        }
        Ok(())
    }
}

fn names(found: &[(String, usize)]) -> Vec<String> {
    let shown = |(name, count): &(String, usize)| match name.as_str() {
        "" => format!("names without a number ({count})"),
        name => format!("{name} ({count})"),
    };
    found.iter().map(shown).collect()
}

fn gap(before: &str, after: &str, distances: Option<[f64; 2]>) -> String {
    match distances {
        Some([own, usual]) => format!(
            "{before} and {after} are {own} mm apart, but most slices {usual} mm: a slice is missing, or \
             they belong to different stacks"
        ),
        None => format!("between {before} and {after}, a slice is missing or in another place"),
    }
}

fn incomplete(position: [f64; 3], slices: &[String], usual: usize, missing: &[String]) -> String {
    let position = position.map(digits).join("\\");
    let plural = if slices.len() == 1 { "" } else { "s" };
    let mut text = format!(
        "the position {position} has {} slice{plural} ({}), but others have {usual}",
        slices.len(),
        list(slices, ", ")
    );
    if !missing.is_empty() {
        let (is, missing) = (if missing.len() == 1 { "is" } else { "are" }, list(missing, "; "));
        text += &format!(": {missing} {is} missing");
    }
    text
}

/// Reason why slices do not form a volume.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SlicesError {
    /// Folder without slices.
    #[error("has no slices: there is no PNG, TIFF or DICOM file in it")]
    None,
    /// Slices of several formats.
    #[error("has slices of several formats: {0} and {1}")]
    Formats(String, String),
    /// Slices with different palettes, whose indices mean different colours.
    #[error("has slices with different palettes: {0} and {1}")]
    Palettes(String, String),
    /// Several DICOM series or stacks.
    #[error("has {} series, expected one: {}", .0.len(), List(.0))]
    Series(Vec<Series>),
    /// Chosen series that does not exist or has several stacks.
    #[error("no single series matches {choice}: {}", List(found))]
    NoSuchSeries {
        /// Choice of the caller.
        choice: SeriesChoice,
        /// Series that exist.
        found: Vec<Series>,
    },
    /// Slices with several patterns of names. Each pattern has `#` for the number, and the count of its
    /// files.
    #[error("has slices of several names, and no majority: {}", List(&names(.0)))]
    Names(Vec<(String, usize)>),
    /// Chosen pattern of names without slices.
    #[error("has no slices of the names {choice}: {}", List(&names(found)))]
    NoSuchNames {
        /// Choice of the caller.
        choice: SeriesChoice,
        /// Patterns that exist, and the count of their files.
        found: Vec<(String, usize)>,
    },
    /// Numbers that are missing in the names of slices.
    #[error("slices are missing: {name} has no number {missing}")]
    Numbers {
        /// Pattern of the names, with `#` for the number.
        name: String,
        /// Missing numbers, as text.
        missing: String,
    },
    /// Two slices at the same position.
    #[error("{0} and {1} are at the same position")]
    Same(String, String),
    /// Position with fewer or more slices than others, where several slices at each position are frames.
    #[error("{}", incomplete(*position, slices, *usual, missing))]
    Incomplete {
        /// The position, in millimetres.
        position: [f64; 3],
        /// Names of the slices there.
        slices: Vec<String>,
        /// Number of slices at most other positions.
        usual: usize,
        /// Fields that tell the slices apart, with the values that are missing, as text. Empty if unknown.
        missing: Vec<String>,
    },
    /// Slice away from the position that the others imply, as when one is missing.
    #[error("{}", gap(before, after, *distances))]
    Gap {
        /// Slice before the gap.
        before: String,
        /// Slice after the gap.
        after: String,
        /// Distance between the two in millimetres, and distance between most slices, if both are known.
        distances: Option<[f64; 2]>,
    },
    /// Two slices whose geometry differs.
    #[error("{field} is {first_value} in {first}, but {other_value} in {other}")]
    Geometry {
        /// Name of the field.
        field: &'static str,
        /// Name of the first slice.
        first: String,
        /// Value of the field in the first slice.
        first_value: String,
        /// Name of the slice that differs.
        other: String,
        /// Value of the field in the slice that differs.
        other_value: String,
    },
    /// Slice with neither a position nor a number.
    #[error("{0} has neither a position nor a number, so its place is unknown")]
    Unordered(String),
}
