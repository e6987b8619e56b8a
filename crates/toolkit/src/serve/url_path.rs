//! Paths of URLs: names of files, encoded in percent (RFC 3986).

use super::response::Refusal;
use std::{
    ffi::{OsStr, OsString},
    fmt::Write as _,
};

/// Path of a URL, decoded: names of folders, and of a file or a folder at the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct UrlPath {
    /// Names from the root. None of them is `.` or `..`, or has a separator of paths.
    pub names: Vec<OsString>,
    /// True if the path ends with a slash.
    pub is_folder: bool,
}

impl UrlPath {
    /// Decodes the path of a target, without its query. Each name is decoded once.
    ///
    /// # Errors
    /// [`Refusal`] if the encoding is wrong, or no file can have one of the names.
    pub fn decode(target: &str) -> Result<Self, Refusal> {
        let path = target.split('?').next().unwrap_or_default();
        let path = path.strip_prefix('/').ok_or(Refusal::NOT_FOUND)?;
        if path.is_empty() {
            return Ok(Self { names: Vec::new(), is_folder: true });
        }
        let (path, is_folder) = match path.strip_suffix('/') {
            Some(path) => (path, true),
            None => (path, false),
        };
        let names = path.split('/').map(decode_name).collect::<Result<_, _>>()?;
        Ok(Self { names, is_folder })
    }
}

/// Returns the path of `names` in a URL, with a slash before each.
pub(super) fn encode(names: &[OsString]) -> String {
    let mut path = String::new();
    for name in names {
        path.push('/');
        for &byte in name.as_encoded_bytes() {
            if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
                path.push(char::from(byte));
            } else {
                let _ = write!(path, "%{byte:02X}");
            }
        }
    }
    path
}

/// True if a URL can name a file. Names with a backslash, and on Windows others, are left out of listings.
pub(super) fn is_servable(name: &OsStr) -> bool {
    is_name(name.as_encoded_bytes()) && (cfg!(unix) || name.to_str().is_some())
}

/// True if the name starts with a dot, by which Unix marks hidden files.
pub(super) fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}

/// True if `bytes` is the name of a file on every system. A colon separates drives and streams on Windows.
fn is_name(bytes: &[u8]) -> bool {
    let separates = |byte: &u8| matches!(byte, 0 | b'/' | b'\\') || (cfg!(windows) && *byte == b':');
    !matches!(bytes, b"" | b"." | b"..") && !bytes.iter().any(separates)
}

fn decode_name(text: &str) -> Result<OsString, Refusal> {
    const REFUSAL: Refusal = Refusal::bad("the URL has a % that two hexadecimal digits do not follow");
    let mut name = Vec::with_capacity(text.len());
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        if byte != b'%' {
            name.push(byte);
            continue;
        }
        let mut digit = || bytes.next().and_then(|digit| char::from(digit).to_digit(16)).ok_or(REFUSAL);
        name.push((digit()? << 4 | digit()?) as u8);
    }
    if name.contains(&0) {
        return Err(Refusal::bad("the URL has a zero byte"));
    }
    if !is_name(&name) {
        return Err(Refusal::NOT_FOUND);
    }
    os_name(name).ok_or(Refusal::NOT_FOUND)
}

#[cfg(unix)]
fn os_name(name: Vec<u8>) -> Option<OsString> {
    Some(std::os::unix::ffi::OsStringExt::from_vec(name))
}

#[cfg(not(unix))]
fn os_name(name: Vec<u8>) -> Option<OsString> {
    String::from_utf8(name).ok().map(OsString::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_decoded_once() {
        for (target, names, is_folder) in [
            ("/", &[] as &[&str], true),
            ("/?file=/a", &[], true),
            ("/a.png", &["a.png"], false),
            ("/a/b%20c.png?x=%", &["a", "b c.png"], false),
            ("/a/", &["a"], true),
            ("/%252e%252e/a", &["%2e%2e", "a"], false),
            ("/.../..a", &["...", "..a"], false),
            ("/Gr%C3%B6%c3%9Fe", &["Größe"], false),
            ("/a+b%2B", &["a+b+"], false),
        ] {
            let names = names.iter().map(OsString::from).collect();
            assert_eq!(UrlPath::decode(target), Ok(UrlPath { names, is_folder }), "{target}");
        }
    }

    #[test]
    fn paths_that_lead_elsewhere_are_refused() {
        for target in [
            "//",
            "//a",
            "/a//b",
            "/a//",
            "/.",
            "/..",
            "/../a",
            "/a/..",
            "/a/../../b",
            "/%2e%2e/a",
            "/%2E%2e/a",
            "/.%2e/a",
            "/%2e",
            "/a%2f..%2fb",
            "/%2fetc",
            "/a%5cb",
            "/..%5ca",
            "/..\\a",
            "a",
            "",
        ] {
            assert_eq!(UrlPath::decode(target), Err(Refusal::NOT_FOUND), "{target}");
        }
        for target in ["/%", "/%2", "/%zz", "/%+1", "/a%00", "/%00/../a"] {
            assert_eq!(UrlPath::decode(target).map_err(|refusal| refusal.status), Err(400), "{target}");
        }
    }

    #[test]
    fn encoded_names_are_decoded_to_the_same() {
        for name in ["a b", "100%", "a?b#c", "Größe", "a&b=c;d", "%2e%2e", "\"<'>", "...", "a\nb"] {
            assert!(is_servable(OsStr::new(name)), "{name}");
            let names = vec![OsString::from("x"), OsString::from(name)];
            let url = encode(&names);
            assert!(url.is_ascii() && !url.contains(['"', '<', '\'', ' ', '\n']), "{url}");
            assert_eq!(UrlPath::decode(&url), Ok(UrlPath { names, is_folder: false }));
        }
        assert!(!is_servable(OsStr::new("a\\b")));
    }

    #[cfg(unix)]
    #[test]
    fn names_need_not_be_utf_8() {
        let decoded = UrlPath::decode("/%FC.png").unwrap();
        assert_eq!(encode(&decoded.names), "/%FC.png");
    }
}
