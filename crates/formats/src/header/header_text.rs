//! Functions that text headers share, and text as errors show it.

use crate::{FormatError, error::MAX_HEADER};
use std::io::{self, BufRead};

/// Returns text as errors show it, cut short.
pub fn short(text: &str) -> String {
    text.chars().take(80).collect()
}

/// Reads a line without its end; returns `None` at the end of the file. `read` counts the bytes of the
/// header.
pub fn line(source: &mut dyn BufRead, read: &mut usize) -> Result<Option<String>, FormatError> {
    let mut bytes = Vec::new();
    let left = (MAX_HEADER - *read) as u64;
    let count = io::Read::take(source, left).read_until(b'\n', &mut bytes)?;
    *read += count;
    if count == 0 {
        return if left == 0 { Err(FormatError::Long) } else { Ok(None) };
    }
    while matches!(bytes.last(), Some(b'\n' | b'\r')) {
        bytes.pop();
    }
    Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
}

/// Returns the first of some texts, and the number of the others.
pub fn list(texts: &[String], separator: &str) -> String {
    /// Maximum number of texts that are listed.
    const SHOWN: usize = 6;
    let shown = texts[..texts.len().min(SHOWN)].join(separator);
    match texts.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// Returns a number with at most six significant digits, as texts for people show it.
pub fn digits(number: f64) -> String {
    format!("{number:.5e}").parse().unwrap_or(number).to_string()
}
