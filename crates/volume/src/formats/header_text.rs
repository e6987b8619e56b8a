//! What headers of text have in common, and text as errors may show it.

use super::FormatError;
use std::io::{self, BufRead};

/// Bytes that a header may have.
pub const MAX_HEADER: usize = 1 << 20;

/// Text as an error may show it.
pub fn short(text: &str) -> String {
    text.chars().take(80).collect()
}

/// Reads a line without its end; `None` at the end of the file. `read` counts the header's bytes.
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
