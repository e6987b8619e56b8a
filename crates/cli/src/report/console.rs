//! Failures, notes and details on standard error. Colours are for terminals; `NO_COLOR` turns them off.

use super::printable;
use crate::failure::Failure;
use anstyle::{AnsiColor, Style};
use std::{
    io::Write as _,
    sync::atomic::{AtomicBool, Ordering},
};

const ERROR: Style = AnsiColor::Red.on_default().bold();
const NOTE: Style = AnsiColor::Cyan.on_default().bold();

static VERBOSE: AtomicBool = AtomicBool::new(false);

/// Enables the printing of details.
pub fn be_verbose() {
    VERBOSE.store(true, Ordering::Relaxed);
}

/// Prints a failure: one line on standard error.
pub fn complain(failure: &Failure) {
    line(ERROR, "error:", &failure.to_string());
}

/// Prints a failure of several lines, which the program has written itself.
pub fn complain_in_lines(text: &str) {
    line(ERROR, "error:", text.trim_end());
}

/// Prints a note that is neither a result nor a failure: one line on standard error.
pub fn note(text: &str) {
    line(NOTE, "note:", &printable(text));
}

/// Prints a line of progress on standard error, for logs.
pub fn progress(text: &str) {
    line(Style::new(), "progress:", &printable(text));
}

/// Prints details for `--verbose`: one line on standard error.
pub fn detail(text: &str) {
    if VERBOSE.load(Ordering::Relaxed) {
        line(Style::new(), "", &printable(text));
    }
}

fn line(style: Style, kind: &str, text: &str) {
    let space = if kind.is_empty() { "" } else { " " };
    // If standard error accepts nothing, no place remains to report it.
    let _ = writeln!(anstream::stderr().lock(), "brickwork: {style}{kind}{style:#}{space}{text}");
}
