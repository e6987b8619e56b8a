//! Inputs of one job, and the name of its output.

use super::Input;
use std::{
    ffi::{OsStr, OsString},
    path::{Path, PathBuf},
};

/// Inputs of a job, and the folder in which they were found.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct InputGroup {
    /// The inputs. The output is named after the first one.
    pub inputs: Vec<Input>,
    /// Subfolder of the inputs, relative to the folder that was searched. It is empty for that folder itself
    /// and for files that were named. Outputs in a folder get the same subfolder.
    pub below: PathBuf,
    /// Parts of the output's path that do not follow from the first input. Default: none.
    pub naming: Naming,
    /// Number by which the caller knows the group. Its job has the same number. Default: 0.
    pub number: usize,
}

/// Parts of an output's path that do not follow from its input.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Naming {
    /// Folder below that of all outputs, or below the input's. Subfolders of inputs are below this one.
    pub folder: PathBuf,
    /// File name without extension; none for that of the first input.
    pub stem: Option<OsString>,
    /// Text between stem and extension, such as `mobile` in `rock.mobile.ktx2`; none for names without it.
    pub infix: Option<OsString>,
    /// Extension; none for that of the plan.
    pub extension: Option<&'static str>,
    /// Name of the target, such as `mobile`; none if there is only one set of outputs.
    pub target: Option<String>,
}

impl InputGroup {
    /// Returns a group of inputs that were named.
    pub fn new(inputs: Vec<Input>) -> Self {
        Self { inputs, below: PathBuf::new(), naming: Naming::default(), number: 0 }
    }

    /// Returns the path of the first input below the folder that was searched, with `/` between folders. It
    /// is the file's name for a file that was named, and empty for standard input.
    pub fn relative_name(&self) -> String {
        let name = self.first_path().and_then(Path::file_name).unwrap_or_default();
        let parts = self.below.iter().chain([name]).map(OsStr::to_string_lossy);
        parts.collect::<Vec<_>>().join("/")
    }

    /// Returns the name of the first input without its extension; empty for standard input.
    pub fn stem(&self) -> &OsStr {
        self.first_path().and_then(Path::file_stem).unwrap_or_default()
    }

    fn first_path(&self) -> Option<&Path> {
        self.inputs.first().and_then(Input::path)
    }
}
