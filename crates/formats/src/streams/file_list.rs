//! Voxels in several files, one after the other: lists of names, or patterns such as `slice%03d.raw 1 40 1`.

use crate::{
    FormatError, UnsupportedFeature,
    header::header_text::{line, short},
    streams::reopening_reader::ReopeningReader,
};
use brickwork_volume::VoxelStream;
use std::{
    io::{self, BufRead, Read},
    path::PathBuf,
};

/// Maximum number of files in a list.
const MAX_FILES: usize = 1 << 20;

/// Maximum size in bytes of the names that a pattern describes.
const MAX_NAME_BYTES: usize = 1 << 26;

/// Returns the names that a pattern with first number, last number and step describes; `None` if `text` is no
/// such pattern.
pub fn of_pattern(text: &str) -> Option<Vec<String>> {
    let mut words: Vec<&str> = text.split_whitespace().collect();
    let mut numbers = [0i64; 3];
    if words.len() < 4 {
        return None;
    }
    for (number, word) in numbers.iter_mut().zip(words.split_off(words.len() - 3)) {
        *number = word.parse().ok()?;
    }
    let [first, last, step] = numbers;
    let name = words.join(" ");
    let (before, rest) = name.split_once('%')?;
    let (format, after) = rest.split_once('d')?;
    let is_padded = format.starts_with('0');
    let width: usize = if format.is_empty() { 0 } else { format.parse().ok().filter(|width| *width < 32)? };
    // With a quotient of 0, numbers in the wrong direction would give one file.
    if step == 0 || last != first && (last > first) != (step > 0) {
        return None;
    }
    let count = last.checked_sub(first)?.checked_div(step).filter(|count| *count >= 0)?.checked_add(1)?;
    if after.contains('%')
        || count > MAX_FILES as i64
        || (count as usize).saturating_mul(name.len() + 32) > MAX_NAME_BYTES
    {
        return None;
    }
    let name = |number: i64| match is_padded {
        true => format!("{before}{number:0width$}{after}"),
        false => format!("{before}{number:width$}{after}"),
    };
    (0..count).map(|i| Some(name(first.checked_add(i.checked_mul(step)?)?))).collect()
}

/// Returns the names in the next lines of `source`, without empty lines. `read` counts the bytes of the
/// header.
pub fn of_lines(source: &mut dyn BufRead, read: &mut usize) -> Result<Vec<String>, FormatError> {
    let mut names = Vec::new();
    while let Some(name) = line(source, read)? {
        let name = name.trim();
        if !name.is_empty() {
            names.push(name.to_owned());
        }
    }
    Ok(names)
}

/// Checks that a list of names is not empty and divides `byte_count`. Returns the number of bytes of each
/// file.
pub fn share(names: &[String], byte_count: u64) -> Result<u64, FormatError> {
    let count = names.len() as u64;
    if count == 0 || !byte_count.is_multiple_of(count) {
        return Err(UnsupportedFeature::FileList { byte_count, file_count: count }.into());
    }
    if let Some(name) = names.iter().find(|name| name.is_empty() || name.chars().any(char::is_control)) {
        return Err(FormatError::Number { field: "a name of a data file".to_owned(), value: short(name) });
    }
    Ok(byte_count / count)
}

/// Returns the voxels of files that have `share` bytes each. `open` opens a file at its voxels.
pub fn joined(
    paths: Vec<PathBuf>,
    share: u64,
    open: impl Fn(&PathBuf) -> io::Result<VoxelStream> + Clone + Send + 'static,
) -> ReopeningReader {
    ReopeningReader::new(move || {
        let (paths, open) = (paths.clone().into_iter(), open.clone());
        Ok(Box::new(Joined { paths, open, share, current: None }))
    })
}

struct Joined<F> {
    paths: std::vec::IntoIter<PathBuf>,
    open: F,
    share: u64,
    /// Current file, and the number of its bytes that are left.
    current: Option<(PathBuf, VoxelStream, u64)>,
}

impl<F: Fn(&PathBuf) -> io::Result<VoxelStream>> Read for Joined<F> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            let Some((path, file, rest)) = &mut self.current else {
                let Some(path) = self.paths.next() else { return Ok(0) };
                let file = (self.open)(&path).map_err(|error| named(&path, &error))?;
                self.current = Some((path, file, self.share));
                continue;
            };
            if *rest == 0 {
                self.current = None;
                continue;
            }
            let most = (*rest).min(into.len() as u64) as usize;
            let count = file.read(&mut into[..most])?;
            if count == 0 && most > 0 {
                let (have, need) = (self.share - *rest, self.share);
                let short = io::Error::other(format!("has {have} bytes of voxels, expected {need}"));
                return Err(io::Error::new(io::ErrorKind::InvalidData, named(path, &short)));
            }
            *rest -= count as u64;
            return Ok(count);
        }
    }
}

fn named(path: &std::path::Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_names() {
        for (pattern, want) in [
            ("sl%03d.raw 1 3 1", Some(vec!["sl001.raw", "sl002.raw", "sl003.raw"])),
            ("a b%d 10 6 -2", Some(vec!["a b10", "a b8", "a b6"])),
            ("x%2d 9 10 1", Some(vec!["x 9", "x10"])),
            ("x%d 1 0 1", None),
            ("x%d 1 0 3", None),
            ("x%d 1 3 0", None),
            ("x%s 1 3 1", None),
            ("x%d%d 1 3 1", None),
            ("x%99d 1 3 1", None),
            ("x%d 0 9223372036854775807 1", None),
            ("x 1 3 1", None),
            ("x%d", None),
        ] {
            let want: Option<Vec<String>> = want.map(|all| all.into_iter().map(str::to_owned).collect());
            assert_eq!(of_pattern(pattern), want, "{pattern}");
        }
        // A long name many times would take more memory than the file itself.
        let long = format!("{}%d 1 1048576 1", "x".repeat(1000));
        assert_eq!(of_pattern(&long), None);
    }
}
