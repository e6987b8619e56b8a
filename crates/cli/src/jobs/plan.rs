//! Which input becomes which output, for the commands that turn files into files.

use crate::{
    failure::Failure,
    input::{Found, Input},
    output::{Output, folder_of},
};
use std::{
    collections::HashMap,
    fs,
    path::{Path, PathBuf},
};

/// One input and the place of its result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// What is read.
    pub input: Input,
    /// What is written.
    pub output: Output,
    /// Whether its folder is made if it is not there.
    pub makes_folder: bool,
}

/// Pairs `inputs` with outputs as `-o` says: a file (for one input), a folder, `-`, or nothing, which puts
/// each result beside its input. A folder gets the subfolders in which inputs were found. Names derived from
/// the input's name end in `extension`. Inputs that failed stay failed.
///
/// # Errors
/// [`Failure`] if `-o` does not fit, or two inputs would be written to one file.
pub fn plan(
    inputs: Vec<Result<Found, Failure>>,
    output: Option<&Path>,
    extension: &str,
) -> Result<Vec<Result<Job, Failure>>, Failure> {
    let goal = Goal::of(output, inputs.len())?;
    let mut taken: HashMap<PathBuf, String> = HashMap::new();
    let mut jobs = Vec::with_capacity(inputs.len());
    for input in inputs {
        let job = input.and_then(|found| goal.job(found, extension));
        if let Ok(Job { input, output: Output::File(path), .. }) = &job
            && let Some(other) = taken.insert(place(path), input.name())
        {
            let reason = format!("{other} and {} would both be written to {}", input.name(), path.display());
            return Err(Failure::usage(reason).hint("use different folders"));
        }
        jobs.push(job);
    }
    Ok(jobs)
}

/// The file that `path` leads to, as far as its folder exists: `a.dds` and `./a.dds` are the same.
fn place(path: &Path) -> PathBuf {
    match fs::canonicalize(folder_of(path)) {
        Ok(folder) => folder.join(path.file_name().unwrap_or_default()),
        Err(_) => path.to_owned(),
    }
}

/// Creates the folder of an output, if it is not there: one that `-o` names, or a subfolder of it.
///
/// # Errors
/// [`Failure`] of the system.
pub fn make_folder_of(job: &Job) -> Result<(), Failure> {
    match (&job.output, job.makes_folder) {
        (Output::File(path), true) => {
            let folder = folder_of(path);
            fs::create_dir_all(folder).map_err(|error| Failure::io(&error).of_path(folder))
        }
        _ => Ok(()),
    }
}

/// What `-o` means.
enum Goal {
    Stdout,
    File(PathBuf),
    /// A folder, and whether it is made: one that ends in `/` is.
    Folder(PathBuf, bool),
    Beside,
}

impl Goal {
    fn of(output: Option<&Path>, input_count: usize) -> Result<Self, Failure> {
        let Some(path) = output else { return Ok(Self::Beside) };
        let is_stdout = path.as_os_str() == "-";
        if is_stdout && input_count <= 1 {
            return Ok(Self::Stdout);
        }
        if !is_stdout && (path.is_dir() || ends_in_separator(path)) {
            return Ok(Self::Folder(path.to_owned(), ends_in_separator(path)));
        }
        if input_count > 1 {
            let reason = format!("{input_count} inputs do not fit into one file, {}", path.display());
            return Err(Failure::usage(reason).hint("for a folder, write -o FOLDER/ with the slash"));
        }
        Ok(Self::File(path.to_owned()))
    }

    fn job(&self, found: Found, extension: &str) -> Result<Job, Failure> {
        let Found { input, below } = found;
        let (output, makes_folder) = match (self, &input) {
            (Self::Stdout, _) | (Self::Beside, Input::Stdin) => (Output::Stdout, false),
            (Self::File(path), _) => (Output::File(path.clone()), false),
            (Self::Beside, Input::File(path)) => (Output::File(path.with_extension(extension)), false),
            (Self::Folder(folder, is_made), Input::File(path)) => {
                let name = Path::new(path.file_name().unwrap_or_default()).with_extension(extension);
                let is_below = !below.as_os_str().is_empty();
                (Output::File(folder.join(below).join(name)), *is_made || is_below)
            }
            (Self::Folder(..), Input::Stdin) => {
                let failure = Failure::usage("has no name for the result in the folder");
                return Err(failure.of(input.name()).hint("use -o FILE"));
            }
        };
        Ok(Job { input, output, makes_folder })
    }
}

fn ends_in_separator(path: &Path) -> bool {
    path.as_os_str().as_encoded_bytes().last().is_some_and(|byte| std::path::is_separator(char::from(*byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn planned(inputs: &[&str], output: Option<&str>) -> Result<Vec<Output>, Failure> {
        let found = |input: &&str| Ok(Found { input: Input::of(Path::new(input)), below: PathBuf::new() });
        let inputs = inputs.iter().map(found).collect();
        let jobs = plan(inputs, output.map(Path::new), "dds")?;
        jobs.into_iter().map(|job| job.map(|job| job.output)).collect()
    }

    fn file(path: &str) -> Output {
        Output::File(PathBuf::from(path))
    }

    #[test]
    fn results_are_named_after_their_inputs() {
        assert_eq!(planned(&["a/b.png"], None).unwrap(), [file("a/b.dds")]);
        assert_eq!(planned(&["a/b.png"], Some("c.ktx2")).unwrap(), [file("c.ktx2")]);
        assert_eq!(planned(&["a/b.c.png"], Some(".")).unwrap(), [file("./b.c.dds")]);
        assert_eq!(planned(&["-"], None).unwrap(), [Output::Stdout]);
        assert_eq!(planned(&["a.png"], Some("-")).unwrap(), [Output::Stdout]);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let reason = |inputs, output| planned(inputs, output).unwrap_err().to_string();
        assert!(reason(&["a.png", "b.png"], Some("c.dds")).contains("2 inputs do not fit into one file"));
        assert!(reason(&["a.png", "b.png"], Some("-")).contains("2 inputs"));
        assert!(reason(&["a.png", "a.jpg"], None).contains("a.png and a.jpg would both be written to a.dds"));
        assert!(reason(&["-"], Some(".")).contains("standard input: has no name"));
    }
}
