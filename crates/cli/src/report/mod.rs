//! Presentation of numbers, results and progress.

mod console;
mod progress;
mod text;

pub use brickwork_toolkit::report::{Bytes, counted, printable};
pub use console::{be_verbose, complain, complain_in_lines, detail, note};
pub use progress::{Bar, with_progress, with_stages};
pub use text::{Decibels, Pace, Ratio, one_line};
