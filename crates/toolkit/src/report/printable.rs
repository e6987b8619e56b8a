//! Text from outside, in messages and pages.

use std::path::Path;

/// Returns `text` with escaped control characters, including those of C1 and of bidirectional text. Names and
/// much of the report come from outside. They must not break the line, change its order, or control the
/// terminal.
pub fn printable(text: &str) -> String {
    let escaped = |c: char| match is_control(c) {
        true => c.escape_default().to_string(),
        false => c.to_string(),
    };
    text.chars().map(escaped).collect()
}

/// Returns a path as text for reports and messages. Bytes that are not UTF-8 become escapes such as `\xfc`,
/// so that different files have different names.
pub fn path_text(path: &Path) -> String {
    if let Some(text) = path.to_str() {
        return text.to_owned();
    }
    let mut text = String::new();
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        text += chunk.valid();
        text.extend(chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}")));
    }
    text
}

/// True for characters that control terminals or are not visible: controls, line and paragraph separators,
/// spaces without a width, and marks, embeddings, overrides and isolates of bidirectional text (Unicode, UAX
/// #9, 2).
fn is_control(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61C}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}')
        || matches!(c, '\u{2060}'..='\u{206F}' | '\u{FEFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn paths_that_are_not_utf_8_differ() {
        let text = |bytes| {
            path_text(Path::new(<std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(bytes)))
        };
        assert_eq!(text(b"a/\xfc\xe4.png"), "a/\\xfc\\xe4.png");
        assert_eq!(text(b"a/\xfd\xe4.png"), "a/\\xfd\\xe4.png");
        assert_eq!(text("Größe.png".as_bytes()), "Größe.png");
    }

    #[test]
    fn terminals_are_not_controlled() {
        assert_eq!(printable("a\u{202E}gnp.exe"), "a\\u{202e}gnp.exe");
        assert_eq!(printable("\u{9B}2J\x1b[0m\n"), "\\u{9b}2J\\u{1b}[0m\\n");
        assert_eq!(printable("a\u{2066}b\u{200F}\u{FEFF}\u{2028}"), "a\\u{2066}b\\u{200f}\\u{feff}\\u{2028}");
        assert_eq!(printable("Größe 5µm → ×2 文"), "Größe 5µm → ×2 文");
    }
}
