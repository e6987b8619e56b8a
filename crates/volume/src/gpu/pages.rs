//! The WGSL that reads a volume's pages.

pub(crate) use crate::resident::{MAX_PAGES, bound_pages};

/// Returns the number of bound pages as words, for the names of kernels.
pub(crate) fn in_words(count: usize) -> String {
    if count == 1 { "1 page".to_owned() } else { format!("{count} pages") }
}

/// Returns WGSL that binds `count` buffers of pages from `first_binding` on: `PAGES`, the variable `page`,
/// and `payload(i)`, the `i`-th word of this buffer. In buffers of several pages, it is the `i`-th word from
/// `page_start` on.
pub(crate) fn wgsl(count: usize, first_binding: usize, are_shared: bool) -> String {
    let mut text = format!("const PAGES = {count}u;\nvar<private> page: u32;\n");
    let at = if are_shared { "page_start + i" } else { "i" };
    if are_shared {
        text += "var<private> page_start: u32;\n";
    }
    for number in 0..count {
        let binding = first_binding + number;
        text += &format!("@group(0) @binding({binding}) var<storage, read> page_{number}: array<u32>;\n");
    }
    text += "fn payload(i: u32) -> u32 {\n";
    if count > 1 {
        text += "    switch page {\n";
        for number in 1..count {
            text += &format!("        case {number}u: {{ return page_{number}[{at}]; }}\n");
        }
        text += "        default: {}\n    }\n";
    }
    text + &format!("    return page_0[{at}];\n}}\n")
}
