//! Text of files and decoders in messages.

/// Returns `text` without line breaks and control characters, which may come from the file.
pub fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// Returns a decoder's message without names of Rust types, as one line that can follow a colon.
pub fn plain(text: &str) -> String {
    let mut text = one_line(text);
    // Debug output of `png` and `tiff`.
    for (start, end_of_name, end) in [("ChunkType { type: ", ", critical: ", " }"), ("Unknown(", ")", ")")] {
        while let Some(at) = text.find(start) {
            let rest = &text[at + start.len()..];
            let (Some(name), Some(length)) = (rest.find(end_of_name), rest.find(end)) else { break };
            let name = rest[..name].to_owned();
            text.replace_range(at..at + start.len() + length + end.len(), &name);
        }
    }
    let text = text.trim_start_matches("format error: ").trim_matches('"').trim_end_matches('.');
    let mut chars = text.chars();
    match (chars.next(), chars.next()) {
        // A name in capitals keeps its first letter.
        (Some(first), Some(second)) if !second.is_uppercase() => {
            first.to_lowercase().chain(text.chars().skip(1)).collect()
        }
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_files_and_decoders_is_one_plain_line() {
        assert_eq!(one_line("a\nb\u{1b}[31m"), "a b [31m");
        let debug = "Chunk ChunkType { type: IDAT, critical: true, private: false } is\nbad.";
        assert_eq!(plain(debug), "chunk IDAT is bad");
        assert_eq!(plain("format error: compression method Unknown(7)"), "compression method 7");
        assert_eq!(plain("IDAT is missing."), "IDAT is missing");
        assert_eq!(plain("Unknown("), "unknown(");
    }
}
