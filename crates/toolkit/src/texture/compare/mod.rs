//! Comparison of two images, files or folders: their texels, the error measures, and limits on them.

mod comparison;
mod displayed;
mod folders;
mod input;
mod levels;
mod limit;
mod note;
mod options;
mod pictures;

pub use comparison::{ImageComparison, compare_images};
pub use folders::{FilePair, FolderPairs, NotCompared, pair_folders};
pub use input::CompareInput;
pub use levels::{FileComparison, compare_files};
pub use limit::{Measure, MeasureLimit, Violation};
pub use note::CompareNote;
pub use options::CompareOptions;
pub use pictures::ComparisonPicture;
