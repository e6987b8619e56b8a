//! URIs in glTF files: paths below the folder that is audited, and data.
//!
//! Source: Khronos, *glTF 2.0 Specification*, section 2.8; RFC 3986, sections 2.1 and 3.1; RFC 2397.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use std::{
    ops::Range,
    path::{Path, PathBuf},
};

/// Start of URIs that contain data.
const DATA: &str = "data:";

/// The reason why a URI names no file that may be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UriFault {
    /// It has a scheme or an authority, such as `file:///a.png`.
    Absolute,
    /// It leads out of the folder.
    Outside,
    /// Its bytes are not UTF-8, or its name cannot be one of a file.
    NoName,
}

/// True if the URI contains data.
pub(super) fn is_data(uri: &str) -> bool {
    uri.get(..DATA.len()).is_some_and(|start| start.eq_ignore_ascii_case(DATA))
}

/// Returns the bytes of a data URI; `None` if it is not valid Base64.
pub(super) fn data(uri: &str) -> Option<Vec<u8>> {
    STANDARD.decode(base64_of(uri)?).ok()
}

/// Returns the number of bytes of a data URI; `None` if its length shows that it is not valid Base64.
pub(super) fn data_length(uri: &str) -> Option<u64> {
    let text = base64_of(uri)?;
    let padding = text.iter().rev().take_while(|&&digit| digit == b'=').count();
    (text.len().is_multiple_of(4) && padding <= 2).then(|| (text.len() / 4 * 3 - padding) as u64)
}

/// Returns a range of the bytes of a data URI; `None` if it is not valid Base64 there, or shorter. The other
/// bytes are not decoded, because a buffer may contain many images.
pub(super) fn data_part(uri: &str, range: Range<u64>) -> Option<Vec<u8>> {
    let (start, end) = (usize::try_from(range.start).ok()?, usize::try_from(range.end).ok()?);
    // Four digits are a group of three bytes.
    let [first, last] = [start / 3, end.div_ceil(3)];
    let digits = base64_of(uri)?.get(first.checked_mul(4)?..last.checked_mul(4)?)?;
    let bytes = STANDARD.decode(digits).ok()?;
    bytes.get(start - 3 * first..end.checked_sub(3 * first)?).map(<[u8]>::to_vec)
}

/// Returns the digits of a data URI; `None` if it is not in Base64.
fn base64_of(uri: &str) -> Option<&[u8]> {
    let (head, data) = uri.get(DATA.len()..)?.split_once(',')?;
    head.to_ascii_lowercase().ends_with(";base64").then(|| data.trim_end().as_bytes())
}

/// Returns the path below `root` that a URI names in a file of the folder `below`, which is relative to
/// `root`. The file need not exist. `..` is resolved without the file system, and never leaves `root`.
pub(super) fn path_of(uri: &str, root: &Path, below: &Path) -> Result<PathBuf, UriFault> {
    if uri.starts_with("//") || has_scheme(uri) {
        return Err(UriFault::Absolute);
    }
    let path = percent_decoded(uri).ok_or(UriFault::NoName)?;
    if path.starts_with('/') {
        return Err(UriFault::Outside);
    }
    let mut parts: Vec<_> = below.iter().collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop().ok_or(UriFault::Outside)?;
            }
            // On Windows these separate folders, and drives and streams from names.
            part if cfg!(windows) && part.contains(['\\', ':']) => return Err(UriFault::Outside),
            part if part.contains('\0') => return Err(UriFault::NoName),
            part => parts.push(part.as_ref()),
        }
    }
    Ok(root.join(parts.into_iter().collect::<PathBuf>()))
}

/// True if the URI starts with a scheme, such as `http:`.
fn has_scheme(uri: &str) -> bool {
    let Some((scheme, _)) = uri.split_once(':') else { return false };
    scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
}

/// Returns the text with `%20` and others replaced by their bytes; `None` if the bytes are not UTF-8. A `%`
/// without two digits remains, because some exporters do not encode it.
fn percent_decoded(uri: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let digit = |index: usize| after.get(index).and_then(|&digit| (digit as char).to_digit(16));
        match (first, digit(0), digit(1)) {
            (b'%', Some(high), Some(low)) => {
                bytes.push((16 * high + low) as u8);
                rest = &after[2..];
            }
            _ => {
                bytes.push(first);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(uri: &str) -> Result<PathBuf, UriFault> {
        path_of(uri, Path::new("art"), Path::new("models/car"))
    }

    #[test]
    fn paths_stay_in_the_folder() {
        let found = |path: &str| Ok(PathBuf::from(path));
        assert_eq!(path("a%20b.png"), found("art/models/car/a b.png"));
        assert_eq!(path("./t//a.png"), found("art/models/car/t/a.png"));
        assert_eq!(path("../../x.png"), found("art/x.png"));
        assert_eq!(path("50%.png%2"), found("art/models/car/50%.png%2"));
        assert_eq!(path("a:b/c.png"), Err(UriFault::Absolute));
        assert_eq!(path("./a:b.png").is_ok(), !cfg!(windows));
        for outside in
            ["../../../x.png", "t/../../../../x.png", "/etc/passwd", "%2e%2e/../../x", "..%2F..%2F..%2fx"]
        {
            assert_eq!(path(outside), Err(UriFault::Outside), "{outside}");
        }
        for absolute in
            ["file:///etc/passwd", "FILE:x", "https://example.com/a.png", "//host/a.png", "C:x.png"]
        {
            assert_eq!(path(absolute), Err(UriFault::Absolute), "{absolute}");
        }
        assert_eq!(path("%ff.png"), Err(UriFault::NoName));
        assert_eq!(path("a%00.png"), Err(UriFault::NoName));
    }

    #[test]
    fn data_is_base64() {
        assert!(is_data("DATA:,") && !is_data("data.png") && !is_data("é"));
        assert_eq!(data("data:image/png;base64,AAEC"), Some(vec![0, 1, 2]));
        assert_eq!(data("data:;BASE64,"), Some(Vec::new()));
        for bad in ["data:image/png,AAEC", "data:;base64,A", "data:;base64,!!!!", "data:"] {
            assert_eq!(data(bad), None, "{bad}");
        }
    }

    #[test]
    fn parts_of_data_are_those_of_the_whole() {
        for length in 0..8u8 {
            let bytes: Vec<_> = (0..length).collect();
            let uri = format!("data:;base64,{}", STANDARD.encode(&bytes));
            let length = u64::from(length);
            assert_eq!(data_length(&uri), Some(length));
            for (start, end) in (0..=length).flat_map(|start| (start..=length).map(move |end| (start, end))) {
                let part = &bytes[start as usize..end as usize];
                assert_eq!(data_part(&uri, start..end).as_deref(), Some(part), "{start}..{end} of {length}");
            }
            for end in [length + 1, length + 4, u64::MAX] {
                assert_eq!(data_part(&uri, 0..end), None, "{end} of {length}");
            }
        }
        for bad in ["data:;base64,A", "data:;base64,A===", "data:;base64,====", "data:,AAAA"] {
            assert_eq!(data_length(bad), None, "{bad}");
        }
        // Padding is not data.
        assert_eq!(data_part("data:;base64,AA==AAAA", 0..3), None);
        assert_eq!(data_part("data:;base64,AAAA!!!!", 0..3), Some(vec![0; 3]));
        assert_eq!(data_part("data:;base64,AAAA!!!!", 0..4), None);
    }
}
