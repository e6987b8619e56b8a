//! Failures and notes on standard error.

use super::printable;
use crate::{failure::Failure, output};

/// Prints a failure: one line on standard error.
pub fn complain(failure: &Failure) {
    // If standard error fails, there is nowhere left to report it.
    let _ = output::print(&format!("brickwork: error: {failure}\n"), true);
}

/// Prints something worth knowing that is neither a result nor a failure: one line on standard error.
pub fn note(text: &str) {
    let _ = output::print(&format!("brickwork: note: {}\n", printable(text)), true);
}
