//! Words of reports and messages: names, numbers, paths.

mod escape;
mod names;
mod numbers;
mod printable;

pub use escape::{escaped, filled};
pub use names::{alpha_mode_name, color_space_name};
pub use numbers::{Bytes, counted};
pub use printable::{path_text, printable};
