//! WGSL files of a crate, and the other files that each of them needs.

/// WGSL files by path. [`wgsl_files!`](crate::wgsl_files) creates the list.
///
/// A file names the files that it uses in separate lines: `// needs: bits.wgsl, ../palette.wgsl`. These paths
/// start in the file's folder. [`Kernel::file`](crate::Kernel::file) adds them before the file. Functions and
/// bindings that come from Rust, or from one of several files that Rust chooses, are not listed.
#[derive(Clone, Copy, Debug)]
pub struct WgslFiles {
    /// Path and text of each file.
    files: &'static [(&'static str, &'static str)],
}

impl WgslFiles {
    /// Creates a list from paths and texts.
    pub const fn new(files: &'static [(&'static str, &'static str)]) -> Self {
        Self { files }
    }

    /// Returns the path of each file.
    pub fn paths(&self) -> impl Iterator<Item = &'static str> {
        self.files.iter().map(|(path, _)| *path)
    }

    /// Returns the text of a file.
    ///
    /// # Panics
    /// If the list has no such file.
    pub fn text(&self, path: &str) -> &'static str {
        self.find(path).unwrap_or_else(|| panic!("{path} is not in the list of WGSL files")).1
    }

    /// Returns the paths in a file's own `// needs:` lines.
    ///
    /// # Panics
    /// If the list has no such file.
    pub fn needs(&self, path: &str) -> Vec<String> {
        let text = self.text(path);
        needs_of(text).map(|need| joined(path, need)).collect()
    }

    /// Returns a file and, before it, all files that it needs, directly or through others. Each occurs once,
    /// in the order of the `// needs:` lines.
    ///
    /// # Panics
    /// If a file is not in the list, or needs itself.
    pub(crate) fn with_needs(&self, path: &str) -> Vec<(&'static str, &'static str)> {
        let mut found = Vec::new();
        self.collect(path, &mut Vec::new(), &mut found);
        found
    }

    fn collect(
        &self,
        path: &str,
        above: &mut Vec<&'static str>,
        found: &mut Vec<(&'static str, &'static str)>,
    ) {
        let Some(file) = self.find(path) else {
            match above.last() {
                Some(user) => panic!("{user} needs {path}, which is not in the list of WGSL files"),
                None => panic!("{path} is not in the list of WGSL files"),
            }
        };
        if found.contains(&file) {
            return;
        }
        assert!(!above.contains(&file.0), "{path} needs itself: {} → {path}", above.join(" → "));
        above.push(file.0);
        for need in needs_of(file.1) {
            self.collect(&joined(file.0, need), above, found);
        }
        above.pop();
        found.push(file);
    }

    fn find(&self, path: &str) -> Option<(&'static str, &'static str)> {
        self.files.iter().find(|(known, _)| *known == path).copied()
    }
}

/// Returns the paths in a file's `// needs:` lines.
fn needs_of(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.lines().filter_map(|line| line.strip_prefix("// needs:"));
    lines.flat_map(|line| line.split(',')).map(str::trim)
}

/// Returns the path of `need` in the list, seen from the folder of the file `user`.
fn joined(user: &str, need: &str) -> String {
    let mut folders: Vec<_> = user.split('/').collect();
    folders.pop();
    for name in need.split('/') {
        match name {
            ".." => drop(folders.pop()),
            name => folders.push(name),
        }
    }
    folders.join("/")
}

/// Creates [`WgslFiles`] from these paths, which start in the folder of the Rust file that lists them.
///
/// ```ignore
/// pub(crate) const WGSL: WgslFiles = wgsl_files!["bc/visible.wgsl", "bc/bc4/line.wgsl"];
/// ```
#[macro_export]
macro_rules! wgsl_files {
    ($($(#[$attribute:meta])* $path:literal),* $(,)?) => {
        $crate::WgslFiles::new(&[$($(#[$attribute])* ($path, include_str!($path))),*])
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Kernel;

    const FILES: WgslFiles = WgslFiles::new(&[
        ("sets.wgsl", "fn sets() {}\n"),
        (
            "lanes/brick.wgsl",
            "// A brick.\n// needs: values.wgsl, ../sets.wgsl\n// needs: ../bits.wgsl\nfn brick() {}",
        ),
        ("lanes/values.wgsl", "// needs: ../bits.wgsl\nfn values() {}\n"),
        ("bits.wgsl", "fn bits() {}\n"),
        ("typo.wgsl", "// needs: lanes/bits.wgsl\n"),
        ("one.wgsl", "// needs: two.wgsl\n"),
        ("two.wgsl", "// needs: one.wgsl\n"),
    ]);

    fn order(kernel: &Kernel) -> Vec<&str> {
        kernel.wgsl().lines().filter(|line| line.starts_with("fn")).collect()
    }

    #[test]
    fn each_need_comes_once_and_before_its_users() {
        assert_eq!(FILES.needs("lanes/brick.wgsl"), ["lanes/values.wgsl", "sets.wgsl", "bits.wgsl"]);
        let kernel = Kernel::new("a", &[]).file(&FILES, "lanes/brick.wgsl");
        let expected = ["fn bits() {}", "fn values() {}", "fn sets() {}", "fn brick() {}"];
        assert_eq!(order(&kernel), expected);
        assert_eq!(FILES.with_needs("lanes/brick.wgsl").len(), 4);
        // Files that other files added are not added again.
        let kernel = Kernel::new("a", &[]).file(&FILES, "sets.wgsl").file(&FILES, "lanes/brick.wgsl");
        let kernel = kernel.file(&FILES, "bits.wgsl");
        assert_eq!(order(&kernel), ["fn sets() {}", "fn bits() {}", "fn values() {}", "fn brick() {}"]);
    }

    #[test]
    #[should_panic(expected = "typo.wgsl needs lanes/bits.wgsl, which is not in the list of WGSL files")]
    fn a_need_that_is_not_there_is_named() {
        let _ = Kernel::new("a", &[]).file(&FILES, "typo.wgsl");
    }

    #[test]
    #[should_panic(expected = "one.wgsl needs itself: one.wgsl → two.wgsl → one.wgsl")]
    fn a_circle_of_needs_is_named() {
        let _ = Kernel::new("a", &[]).file(&FILES, "one.wgsl");
    }
}
