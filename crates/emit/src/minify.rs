//! WGSL without comments and needless spaces.

/// Returns WGSL without comments, and with white space only where two tokens would become one. The text ends
/// with a line break unless it is empty.
#[must_use]
pub fn minified(wgsl: &str) -> String {
    let mut text = String::new();
    let mut is_apart = false;
    for piece in pieces(wgsl) {
        let Piece::Code(c) = piece else {
            is_apart = true;
            continue;
        };
        if is_apart && text.chars().next_back().is_some_and(|last| would_merge(last, c)) {
            text.push(' ');
        }
        is_apart = false;
        text.push(c);
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

/// True if the WGSL names a builtin function or value of subgroups. Such a kernel starts with `enable
/// subgroups;` in browsers. naga, which refuses that line, does without it.
#[must_use]
pub fn uses_subgroups(wgsl: &str) -> bool {
    let code: String = pieces(wgsl).map(|piece| if let Piece::Code(c) = piece { c } else { ' ' }).collect();
    let mut names = code.split(|c: char| !is_word(c));
    names.any(|name| name.starts_with("subgroup") || name == "num_subgroups" || name.starts_with("quadSwap"))
}

/// One character of code, or a gap: white space or a comment.
enum Piece {
    Code(char),
    Gap,
}

fn pieces(wgsl: &str) -> impl Iterator<Item = Piece> {
    let mut rest = wgsl;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let gap = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            block_comment_bytes(rest)
        } else if first.is_whitespace() {
            first.len_utf8()
        } else {
            rest = &rest[first.len_utf8()..];
            return Some(Piece::Code(first));
        };
        rest = &rest[gap..];
        Some(Piece::Gap)
    })
}

/// Returns the length of the block comment at the start of `text`. Block comments may contain others.
fn block_comment_bytes(text: &str) -> usize {
    let bytes = text.as_bytes();
    let (mut depth, mut at) = (0usize, 0);
    while at < bytes.len() {
        match bytes.get(at..at + 2) {
            Some(b"/*") => (depth, at) = (depth + 1, at + 2),
            Some(b"*/") => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            break;
        }
    }
    at
}

/// True for characters of names and numbers.
fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// True if two characters of different tokens might belong to one token.
fn would_merge(a: char, b: char) -> bool {
    // A point may belong to a number.
    let is_name_or_number = |c: char| is_word(c) || c == '.';
    let is_operator = |c: char| "+-*/%&|^~<>=!".contains(c);
    is_name_or_number(a) && is_name_or_number(b) || is_operator(a) && is_operator(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_needed_spaces_stay() {
        let wgsl = "// A comment.\nfn f( a : u32 ) -> i32 { // another\n    return - -i32(a) + 1;\n}\n";
        assert_eq!(minified(wgsl), "fn f(a:u32)->i32{return- -i32(a)+1;}\n");
        assert_eq!(minified("a /* x /* y */ // z */ b"), "a b\n");
        assert_eq!(minified("a = b / *c; d = 1. ;"), "a=b/ *c;d=1.;\n");
        assert_eq!(minified("// only\n\n"), "");
    }

    #[test]
    fn subgroups_are_found_in_code_only() {
        assert!(uses_subgroups("let a = subgroupAdd(1u);"));
        assert!(uses_subgroups("@builtin(subgroup_invocation_id) lane: u32"));
        assert!(!uses_subgroups("// subgroupAdd\nlet my_subgroup = 1u;"));
    }
}
