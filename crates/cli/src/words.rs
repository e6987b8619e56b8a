//! Texts of drivers and libraries in messages.

use std::fmt;

/// Returns the words of a text of several lines, such as a message of a driver or shader compiler, in one
/// line.
pub fn one_line(text: impl fmt::Display) -> String {
    text.to_string().split_whitespace().collect::<Vec<_>>().join(" ")
}
