//! Records of the options with which outputs were written.
//!
//! An output does not state its options. Each record is therefore a separate file in the user's caches, named
//! after the output's path.

use crate::device::cache_folder;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Options of a job as a number. Equal options have equal numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recipe(u64);

impl Recipe {
    /// Returns the recipe of options that are described by `text`.
    pub fn of(text: &str) -> Self {
        Self(hash(text.as_bytes()))
    }

    /// Records that `output` was written with these options. Without a record, the next run decides by times.
    pub(super) fn record(self, output: &Path) {
        if let Some(caches) = cache_folder() {
            self.record_in(&caches, output);
        }
    }

    /// True if `output` was written with other options.
    pub(super) fn differs(self, output: &Path) -> bool {
        cache_folder().is_some_and(|caches| self.differs_in(&caches, output))
    }

    fn record_in(self, caches: &Path, output: &Path) {
        let Some(path) = record_of(caches, output) else { return };
        if let Some(folder) = path.parent() {
            let _ = fs::create_dir_all(folder);
        }
        let _ = fs::write(path, self.text());
    }

    fn differs_in(self, caches: &Path, output: &Path) -> bool {
        let record = record_of(caches, output).and_then(|path| fs::read_to_string(path).ok());
        record.is_some_and(|text| text != self.text())
    }

    fn text(self) -> String {
        format!("{:016x}", self.0)
    }
}

fn record_of(caches: &Path, output: &Path) -> Option<PathBuf> {
    let path = fs::canonicalize(output).ok()?;
    let name = format!("{:016x}", hash(path.as_os_str().as_encoded_bytes()));
    Some(caches.join("outputs").join(name))
}

/// Returns the FNV-1a hash, which is the same in all versions of the program.
fn hash(bytes: &[u8]) -> u64 {
    let step = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_options_differ_and_unknown_ones_do_not() {
        let folder = tempfile::tempdir().unwrap();
        let [a, b] = ["a.dds", "b.dds"].map(|name| folder.path().join(name));
        fs::write(&a, "").unwrap();
        fs::write(&b, "").unwrap();
        let (fast, best) = (Recipe::of("fast"), Recipe::of("best"));
        let differs = |recipe: Recipe, output: &Path| recipe.differs_in(folder.path(), output);
        assert!(!differs(fast, &a));
        fast.record_in(folder.path(), &a);
        assert!(!differs(fast, &a) && differs(best, &a) && !differs(best, &b));
        best.record_in(folder.path(), &a);
        assert!(differs(fast, &a) && !differs(best, &a));
    }
}
