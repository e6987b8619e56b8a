//! Which input becomes which output, for the commands that turn files into files.

use crate::{
    exit::Exit,
    failure::Failure,
    input::{FileId, Input},
    output::{Output, folder_of},
    report,
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
}

/// Pairs `inputs` with outputs as `-o` says: a file (for one input), a folder, `-`, or nothing, which puts
/// each result beside its input. Names derived from the input's name end in `extension`. Inputs that failed
/// stay failed.
///
/// # Errors
/// [`Failure`] if `-o` does not fit, or two inputs would be written to one file.
pub fn plan(
    inputs: Vec<Result<Input, Failure>>,
    output: Option<&Path>,
    extension: &str,
) -> Result<Vec<Result<Job, Failure>>, Failure> {
    let goal = Goal::of(output, inputs.len())?;
    let mut taken: HashMap<PathBuf, String> = HashMap::new();
    let mut jobs = Vec::with_capacity(inputs.len());
    for input in inputs {
        let job = input.and_then(|input| Ok(Job { output: goal.output(&input, extension)?, input }));
        if let Ok(Job { input, output: Output::File(path) }) = &job
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

/// Creates the folder that `-o` names, if there is something to put into it.
///
/// # Errors
/// [`Failure`] of the system.
pub fn create_folder(output: Option<&Path>, jobs: &[Result<Job, Failure>]) -> Result<(), Failure> {
    match output {
        Some(folder) if ends_in_separator(folder) && jobs.iter().any(Result::is_ok) => {
            fs::create_dir_all(folder).map_err(|error| Failure::io(&error).of_path(folder))
        }
        _ => Ok(()),
    }
}

/// What `-o` means.
enum Goal {
    Stdout,
    File(PathBuf),
    Folder(PathBuf),
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
            return Ok(Self::Folder(path.to_owned()));
        }
        if input_count > 1 {
            let reason = format!("{input_count} inputs do not fit into one file, {}", path.display());
            return Err(Failure::usage(reason).hint("for a folder, write -o FOLDER/ with the slash"));
        }
        Ok(Self::File(path.to_owned()))
    }

    fn output(&self, input: &Input, extension: &str) -> Result<Output, Failure> {
        Ok(match (self, input) {
            (Self::Stdout, _) | (Self::Beside, Input::Stdin) => Output::Stdout,
            (Self::File(path), _) => Output::File(path.clone()),
            (Self::Beside, Input::File(path)) => Output::File(path.with_extension(extension)),
            (Self::Folder(folder), Input::File(path)) => {
                let name = Path::new(path.file_name().unwrap_or_default()).with_extension(extension);
                Output::File(folder.join(name))
            }
            (Self::Folder(_), Input::Stdin) => {
                let failure = Failure::usage("has no name for the result in the folder");
                return Err(failure.of(input.name()).hint("use -o FILE"));
            }
        })
    }
}

fn ends_in_separator(path: &Path) -> bool {
    path.as_os_str().as_encoded_bytes().last().is_some_and(|byte| std::path::is_separator(char::from(*byte)))
}

/// Runs every job in turn; `run` is given the files that are inputs, so that it overwrites none. A job that
/// fails is reported, and the others go on. Returns the jobs' results in order, and the exit code of the
/// first failure.
pub fn run<T>(
    jobs: Vec<Result<Job, Failure>>,
    mut run: impl FnMut(&Job, &[FileId]) -> Result<T, Failure>,
) -> (Vec<Result<T, Failure>>, Exit) {
    let ids: Vec<FileId> = jobs.iter().flatten().filter_map(|job| job.input.id()).collect();
    let mut exit = Exit::Ok;
    let results = jobs.into_iter().map(|job| {
        let result = job.and_then(|job| run(&job, &ids));
        if let Err(failure) = &result {
            report::complain(failure);
            if exit == Exit::Ok {
                exit = failure.exit;
            }
        }
        result
    });
    let results = results.collect();
    (results, exit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn planned(inputs: &[&str], output: Option<&str>) -> Result<Vec<Output>, Failure> {
        let inputs = inputs.iter().map(|input| Ok(Input::of(Path::new(input)))).collect();
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
