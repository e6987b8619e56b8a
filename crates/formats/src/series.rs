//! Lists of the volumes in one folder or file, and the choice of one: series and stacks of DICOM, names of
//! slices.

use std::fmt;

/// DICOM series of a folder, or one of several stacks of a series.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Series {
    /// SeriesInstanceUID.
    pub uid: String,
    /// SeriesNumber.
    pub number: Option<i64>,
    /// SeriesDescription; empty if there is none.
    pub description: String,
    /// StackID, if the series has several stacks.
    pub stack: Option<String>,
    /// Number of columns and rows of a slice.
    pub size: [usize; 2],
    /// Number of slices, of all frames together.
    pub slice_count: usize,
    /// Name of the first file.
    pub file: String,
    /// Reason why no file of the series can be read; `None` if files can be read.
    pub fault: Option<String>,
}

impl fmt::Display for Series {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.description.is_empty() {
            write!(f, "{:?}, ", self.description)?;
        }
        if let Some(number) = self.number {
            write!(f, "number {number}, ")?;
        }
        if let Some(stack) = &self.stack {
            write!(f, "stack {stack:?}, ")?;
        }
        let [width, height] = self.size;
        let plural = if self.slice_count == 1 { "" } else { "s" };
        write!(f, "{} slice{plural} of {width}x{height}, {} ({})", self.slice_count, self.uid, self.file)?;
        match &self.fault {
            Some(fault) => write!(f, ", cannot be read: {fault}"),
            None => Ok(()),
        }
    }
}

/// Choice of one of several volumes in a folder or file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SeriesChoice {
    /// Index in the list that [`SlicesError::Series`](crate::SlicesError::Series) or
    /// [`SlicesError::Names`](crate::SlicesError::Names) shows, from 0.
    Index(usize),
    /// SeriesInstanceUID of a DICOM series, or its description if no other series has it, or the names of
    /// slices with `#` for their number.
    Name(String),
}

impl SeriesChoice {
    /// Reads an index, or else a name.
    pub fn of(text: &str) -> Self {
        text.parse().map_or_else(|_| Self::Name(text.to_owned()), Self::Index)
    }

    /// Returns the indices of the chosen items in a list of names.
    #[cfg(feature = "io")]
    pub(crate) fn find<'a>(&self, names: impl Iterator<Item = &'a str>) -> Vec<usize> {
        let is_chosen = |index: usize, name: &str| match self {
            Self::Index(chosen) => index == *chosen,
            Self::Name(chosen) => name == chosen,
        };
        names.enumerate().filter(|(index, name)| is_chosen(*index, name)).map(|(index, _)| index).collect()
    }
}

impl fmt::Display for SeriesChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Index(index) => write!(f, "{index}"),
            Self::Name(name) => write!(f, "{name:?}"),
        }
    }
}
