//! Failures and notes on standard error.

use super::printable;
use crate::{failure::Failure, output};

/// Prints a failure: one line on standard error.
pub fn complain(failure: &Failure) {
    // Where standard error takes nothing there is nowhere left to say so.
    let _ = output::print(&format!("brickwork: error: {failure}\n"), true);
}

/// Prints something worth knowing that is neither a result nor a failure: one line on standard error.
pub fn note(text: &str) {
    let _ = output::print(&format!("brickwork: note: {}\n", printable(text)), true);
}
