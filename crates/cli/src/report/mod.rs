//! How numbers, results and progress are shown to people.

mod console;
mod progress;
mod text;

pub use console::{be_verbose, complain, complain_in_lines, detail, note};
pub use progress::{Bar, with_progress, with_spinner};
pub use text::{
    Bytes, Decibels, Pace, Ratio, alpha_mode_name, color_space_name, counted, one_line, printable,
    stated_color_space_name,
};
