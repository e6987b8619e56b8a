//! Comparison of two images: their texels, the error measures, and limits on them.

mod comparison;
mod displayed;
mod input;
mod limit;
mod note;
mod options;
mod pictures;

pub use comparison::{ImageComparison, compare_images};
pub use input::CompareInput;
pub use limit::{Measure, MeasureLimit, Violation};
pub use note::CompareNote;
pub use options::CompareOptions;
pub use pictures::ComparisonPicture;
