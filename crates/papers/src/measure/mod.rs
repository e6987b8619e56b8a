//! Measurements, and the tables that report them.
//!
//! | file | contents |
//! |---|---|
//! | `times.rs` | times of encodings of a generated image, and hashes of their blocks |
//! | `report.rs` | the report, which is printed as JSON |
//! | `rows.rs` | rows of tables of times |
//! | `text.rs` | the report as text |
//! | `error.rs`, `hash.rs` | errors; SHA-256 |

mod error;
mod hash;
mod report;
mod rows;
mod text;
mod times;

pub use error::BenchError;
pub(crate) use hash::{sha256, shown};
pub use report::{
    BenchCpu, BenchGpu, BenchPapersReport, BricksFigures, Guthe2016Figures, PictureFigures, PictureTable,
    PublishedPicture, PublishedSize, PublishedTime, SizeFigures, SizeTable, TimeFigures, TimeTable,
};
pub(crate) use rows::{published, row};
pub use text::Text;
pub use times::Bench;
pub(crate) use times::{SIDE, Work};
