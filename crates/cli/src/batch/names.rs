//! Paths as text in a manifest: relative to a folder, with `/` between folders.
//!
//! Names need not be UTF-8. `%`, and each byte that is not UTF-8, is written as `%` and two hexadecimal
//! digits.

use std::{
    borrow::Cow,
    ffi::{OsStr, OsString},
    fmt::Write as _,
    path::{Component, Path, PathBuf},
};

/// Returns a relative path as text; none if it leaves its folder, or if [`path_of`] cannot return it.
pub(super) fn text_of(path: &Path) -> Option<String> {
    let part = |part: Component<'_>| match part {
        Component::Normal(name) => Some(encoded(name)),
        _ => None,
    };
    let parts = path.components().filter(|part| !matches!(part, Component::CurDir)).map(part);
    let text = parts.collect::<Option<Vec<_>>>()?.join("/");
    path_of(&text).is_some().then_some(text)
}

/// Returns the path of a text; none if it leaves its folder, or if the system cannot have such a
/// name.
pub(super) fn path_of(text: &str) -> Option<PathBuf> {
    let path = PathBuf::from(os_string(decoded(text)?)?);
    let is_below = path.components().all(|part| matches!(part, Component::Normal(_)));
    (is_below && !path.as_os_str().is_empty()).then_some(path)
}

/// Returns the text without escapes, and with a replacement character for bytes that are not UTF-8. It is the
/// [relative name](super::InputGroup::relative_name) of an input.
pub(super) fn relative_name_of(text: &str) -> Cow<'_, str> {
    match decoded(text) {
        Some(bytes) if text.contains('%') => Cow::Owned(String::from_utf8_lossy(&bytes).into_owned()),
        _ => Cow::Borrowed(text),
    }
}

/// Returns `to` relative to `from`, both absolute; `to` itself if they have no common start.
pub(super) fn relative_to(from: &Path, to: &Path) -> String {
    let (from_parts, to_parts): (Vec<_>, Vec<_>) = (from.components().collect(), to.components().collect());
    let common = from_parts.iter().zip(&to_parts).take_while(|(a, b)| a == b).count();
    if common == 0 {
        return encoded(to.as_os_str());
    }
    let up = from_parts[common..].iter().map(|_| "..".to_owned());
    let down = to_parts[common..].iter().map(|part| encoded(part.as_os_str()));
    let parts: Vec<_> = up.chain(down).collect();
    if parts.is_empty() { ".".to_owned() } else { parts.join("/") }
}

fn encoded(name: &OsStr) -> String {
    let mut text = String::with_capacity(name.len());
    for chunk in name.as_encoded_bytes().utf8_chunks() {
        text += &chunk.valid().replace('%', "%25");
        for byte in chunk.invalid() {
            let _ = write!(text, "%{byte:02x}");
        }
    }
    text
}

/// Returns the bytes of a text; none if a `%` has no two hexadecimal digits.
fn decoded(text: &str) -> Option<Vec<u8>> {
    let (mut bytes, mut rest) = (Vec::with_capacity(text.len()), text.as_bytes());
    while let Some((&byte, after)) = rest.split_first() {
        if byte == b'%' {
            let (digits, after) = after.split_first_chunk::<2>()?;
            let [high, low] = digits.map(|digit| char::from(digit).to_digit(16));
            bytes.push(u8::try_from(high? * 16 + low?).ok()?);
            rest = after;
        } else {
            bytes.push(byte);
            rest = after;
        }
    }
    Some(bytes)
}

/// Returns a name from its bytes. Only Unix has names that are not UTF-8 in a form that safe code can make.
fn os_string(bytes: Vec<u8>) -> Option<OsString> {
    #[cfg(unix)]
    return Some(std::os::unix::ffi::OsStringExt::from_vec(bytes));
    #[cfg(not(unix))]
    String::from_utf8(bytes).ok().map(OsString::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_survive() {
        for (path, text) in [("deep/a.png", "deep/a.png"), ("./é/50%.png", "é/50%25.png"), ("a%41", "a%2541")]
        {
            assert_eq!(text_of(Path::new(path)).as_deref(), Some(text));
            let path = path.strip_prefix("./").unwrap_or(path);
            assert_eq!(path_of(text), Some(PathBuf::from(path)));
            assert_eq!(relative_name_of(text), path);
        }
        #[cfg(unix)]
        {
            use std::os::unix::ffi::OsStrExt as _;
            let path = Path::new(OsStr::from_bytes(b"deep/caf\xe9%.png"));
            assert_eq!(text_of(path).as_deref(), Some("deep/caf%e9%25.png"));
            assert_eq!(path_of("deep/caf%e9%25.png").as_deref(), Some(path));
            assert_eq!(relative_name_of("deep/caf%e9%25.png"), path.to_string_lossy());
            assert_eq!(relative_to(Path::new("/x"), Path::new(OsStr::from_bytes(b"/\xe9"))), "../%e9");
        }
    }

    #[test]
    fn paths_outside_the_folder_are_refused() {
        for text in ["", "..", "a/../../b", "/a", "%2e%2e/a", "%2fa", "a%2", "a%+f", "%"] {
            assert_eq!(path_of(text), None, "{text}");
        }
        assert_eq!(text_of(Path::new("../a")), None);
        for (to, text) in [("/a/b", "."), ("/a/b/c", "c"), ("/a/c", "../c"), ("/d", "../../d")] {
            assert_eq!(relative_to(Path::new("/a/b"), Path::new(to)), text);
        }
    }
}
