//! WGSL files and the files that they need.

use crate::{Kernel, WgslFiles};

/// Asserts that each file of a list is in one of these kernels, and uses each file that its `// needs:` lines
/// name.
///
/// # Panics
/// If a file is in no kernel, or uses no declaration of a file that it needs.
pub fn assert_files_used(files: &WgslFiles, kernels: &[Kernel]) {
    for path in files.paths() {
        let text = files.text(path);
        assert!(kernels.iter().any(|kernel| kernel.wgsl().contains(text)), "{path} is in no kernel");
        let names: Vec<_> = names_of(text).collect();
        for need in files.needs(path) {
            let is_used = declared(files.text(&need)).any(|name| names.contains(&name));
            assert!(is_used, "{path} needs {need}, but uses nothing of it");
        }
    }
}

/// Returns the names in WGSL without its comments.
fn names_of(text: &str) -> impl Iterator<Item = &str> {
    let code = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    code.flat_map(|line| line.split(|c: char| !c.is_alphanumeric() && c != '_'))
        .filter(|name| !name.is_empty())
}

/// Returns the names of module-scope declarations, which start at the beginning of a line.
fn declared(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let line = if line.starts_with('@') { &line[line.find("var")?..] } else { line };
        let kinds = ["fn ", "struct ", "const ", "override ", "alias ", "var<", "var "];
        let rest = kinds.iter().find_map(|kind| line.strip_prefix(kind))?;
        let rest = if line.starts_with("var<") { rest.split_once('>')?.1 } else { rest };
        names_of(rest).next()
    })
}
