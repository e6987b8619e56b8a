//! Notes on the numbers of a volume: their types and axes.

use std::fmt;

/// Note on the type or the axes of a volume's numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NumbersNote {
    /// Four axes of an array without names, of which the first is taken for frames.
    AssumedFrames {
        /// Shape of the array, cut short.
        shape: String,
    },
    /// Half floats that are written as f32, exactly, because the format to write has none.
    WidenedHalves {
        /// Name of the format.
        format: &'static str,
    },
}

impl fmt::Display for NumbersNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AssumedFrames { shape } => write!(
                f,
                "the axes of the shape ({shape}) are taken for t, z, y and x: name them if they differ"
            ),
            Self::WidenedHalves { format } => {
                write!(f, "f16 is written as f32, exactly: {format} has no half floats")
            }
        }
    }
}
