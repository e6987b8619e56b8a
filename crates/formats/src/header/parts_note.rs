//! Notes on the parts of a volume: slices, files, axes, levels or pages that contradict each other or are
//! missing.

use super::units::{self, Unit};
use crate::words::list;
use std::fmt;

/// Note on parts of a volume that contradict each other or are missing.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PartsNote {
    /// Slices of a DICOM series whose numbers have different meanings.
    Meanings {
        /// Name of the field that states the meaning.
        field: &'static str,
        /// Its values, with the name of the first slice of each.
        values: Vec<[String; 2]>,
    },
    /// Files of one DICOM image that was divided into several, of which some are missing.
    MissingFiles {
        /// Number of files that are read.
        found: usize,
        /// Number of files that the image has.
        total: usize,
    },
    /// Axes of space without a unit, beside axes with one.
    NoUnit {
        /// Name of the field.
        field: &'static str,
        /// Names of the axes, such as `x and y`.
        axes: String,
    },
    /// Mip levels of OME-Zarr that are not listed from the largest to the smallest.
    LevelOrder,
    /// Pages of a TIFF file that are not in the order of their stated numbers.
    PageNumbers,
}

/// Returns a note if some axes of space have a unit and others have none; `axes` has their names and units.
pub(crate) fn missing_units(field: &'static str, axes: &[(&str, &str)]) -> Option<PartsNote> {
    let is_missing = |unit: &str| units::length(unit) == Unit::None;
    let missing: Vec<&str> =
        axes.iter().filter(|(_, unit)| is_missing(unit)).map(|(name, _)| *name).collect();
    let is_mixed = !missing.is_empty() && missing.len() < axes.len();
    is_mixed.then(|| PartsNote::NoUnit { field, axes: missing.join(" and ") })
}

impl fmt::Display for PartsNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Meanings { field, values } => {
                let values: Vec<String> =
                    values.iter().map(|[value, slice]| format!("{value} in {slice}")).collect();
                write!(f, "the slices' numbers differ in meaning: {field} is ")?;
                f.write_str(&list(&values, ", "))
            }
            Self::MissingFiles { found, total } => {
                write!(f, "the files are {found} of the {total} parts of an image")?;
                f.write_str(" (InConcatenationTotalNumber): the others are missing")
            }
            Self::NoUnit { field, axes } => {
                write!(f, "{field}: {axes} without a unit, beside axes with one; millimetres are taken")
            }
            Self::LevelOrder => {
                f.write_str("multiscales lists its levels in another order: they are read by size")
            }
            Self::PageNumbers => {
                f.write_str("PageNumber states another order than that of the pages, which is read")
            }
        }
    }
}
