//! Paths of URLs: names of files, encoded in percent (RFC 3986).

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// Characters that are encoded: all but RFC 3986's "unreserved" ones.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Returns the names in a path, each decoded once, and whether the path ends with a slash. Returns `None` if
/// no file can have one of the names.
pub fn decode(path: &str) -> Option<(Vec<String>, bool)> {
    let path = path.strip_prefix('/')?;
    if path.is_empty() {
        return Some((Vec::new(), true));
    }
    let (path, is_folder) = path.strip_suffix('/').map_or((path, false), |path| (path, true));
    let decoded = path.split('/').map(|name| percent_decode_str(name).decode_utf8());
    let names: Vec<String> = decoded.map(|name| Some(name.ok()?.into_owned())).collect::<Option<_>>()?;
    names.iter().all(|name| is_name(name)).then_some((names, is_folder))
}

/// Returns the path of `names` in a URL, with a slash before each.
pub fn encode(names: &[String]) -> String {
    names.iter().map(|name| format!("/{}", utf8_percent_encode(name, ENCODED))).collect()
}

/// True if a file can have the name on every system. A colon separates drives and streams on Windows.
pub fn is_name(name: &str) -> bool {
    let separates = |c| matches!(c, '\0' | '/' | '\\') || cfg!(windows) && c == ':';
    !matches!(name, "" | "." | "..") && !name.contains(separates)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_decoded_once() {
        for (path, names, is_folder) in [
            ("/", &[] as &[&str], true),
            ("/a.png", &["a.png"], false),
            ("/a/b%20c.png", &["a", "b c.png"], false),
            ("/a/", &["a"], true),
            ("/%252e%252e/a", &["%2e%2e", "a"], false),
            ("/.../..a", &["...", "..a"], false),
            ("/Gr%C3%B6%c3%9Fe", &["Größe"], false),
            ("/a+b%2B%", &["a+b+%"], false),
        ] {
            let names = names.iter().map(|name| (*name).to_owned()).collect();
            assert_eq!(decode(path), Some((names, is_folder)), "{path}");
        }
    }

    #[test]
    fn paths_that_lead_elsewhere_are_refused() {
        for path in [
            "",
            "a",
            "//",
            "//a",
            "/a//b",
            "/a//",
            "/.",
            "/..",
            "/../a",
            "/a/..",
            "/%2e%2e/a",
            "/.%2e/a",
            "/%2e",
            "/a%2f..%2fb",
            "/%2fetc",
            "/a%5cb",
            "/a\\b",
            "/%00",
            "/a%00b",
            "/%c0%ae%c0%ae/a",
            "/%ff",
        ] {
            assert_eq!(decode(path), None, "{path}");
        }
    }

    #[test]
    fn encoded_names_are_decoded_to_the_same() {
        for name in ["a b", "100%", "a?b#c", "Größe", "a&b=c;d", "%2e%2e", "\"<'>", "...", "a\nb"] {
            let names = vec!["x".to_owned(), name.to_owned()];
            let url = encode(&names);
            assert!(url.is_ascii() && !url.contains(['"', '<', '\'', ' ', '\n']), "{url}");
            assert_eq!(decode(&url), Some((names, false)));
        }
    }
}
