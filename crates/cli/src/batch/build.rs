//! Identity of the program's code.

use super::{BatchError, digest::Digest};
use brickwork_base::Task;
use std::path::PathBuf;

/// Identity of the program's code, which is part of all keys of a cache. Programs with the same build make
/// the same outputs from the same inputs and options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Build(pub(super) Digest);

impl Build {
    /// Returns the build with this name, such as version and commit. The caller guarantees that all programs
    /// with this name make the same outputs.
    pub fn named(name: &str) -> Self {
        Self(Digest::of_parts(&[b"name", name.as_bytes()]))
    }

    /// Returns the build whose identity is the contents of the running program's file. Any change of the code
    /// or of a library in it is another build. The file is read completely.
    ///
    /// # Errors
    /// [`BatchError`] of the system, with the path of the file.
    pub fn of_executable() -> Result<Self, BatchError> {
        let path = executable().map_err(|error| BatchError::io("the program's file", error))?;
        let digest = Digest::of_file(&path, &Task::new());
        let digest = digest.map_err(|error| BatchError::io(path.display(), error))?;
        Ok(Self(Digest::of_parts(&[b"file", &digest.0])))
    }
}

/// Returns a path of the running program's file. On Linux it is that file even after another replaced it.
fn executable() -> std::io::Result<PathBuf> {
    if cfg!(target_os = "linux") { Ok(PathBuf::from("/proc/self/exe")) } else { std::env::current_exe() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn builds_differ_by_name_or_file() {
        let this = Build::of_executable().unwrap();
        assert_eq!(this, Build::of_executable().unwrap());
        let names = ["0.1.0 a", "0.1.0 b", ""].map(Build::named);
        assert!(names[0] != names[1] && names[0] == Build::named("0.1.0 a") && !names.contains(&this));
    }
}
