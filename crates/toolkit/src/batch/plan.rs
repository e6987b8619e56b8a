//! Inputs and output of each job.

use super::{BatchError, BatchFault, Input, InputGroup, Output};
use brickwork_base::{Task, whole_file::folder_of};
use std::{
    collections::HashMap,
    fs,
    path::{Path, PathBuf},
};

/// Inputs that become one output.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Job {
    /// Inputs, in the order in which the job uses them.
    pub inputs: Vec<Input>,
    /// The output.
    pub output: Output,
    /// True if the output's folder is to be created if it does not exist.
    pub makes_folder: bool,
}

impl Job {
    /// Returns a job whose output goes to an existing folder.
    pub fn new(inputs: Vec<Input>, output: Output) -> Self {
        Self { inputs, output, makes_folder: false }
    }

    /// Returns the name of the first input, for reports and messages.
    pub fn name(&self) -> String {
        name(&self.inputs)
    }

    /// Creates the output's folder if it does not exist and the job [makes it](Self::makes_folder).
    ///
    /// # Errors
    /// [`BatchError`] of the system.
    pub fn make_folder(&self) -> Result<(), BatchError> {
        match &self.output {
            Output::File(path) if self.makes_folder => {
                let folder = folder_of(path);
                fs::create_dir_all(folder).map_err(|error| BatchError::io(folder.display(), error))
            }
            _ => Ok(()),
        }
    }
}

fn name(inputs: &[Input]) -> String {
    inputs.first().map_or_else(|| "no input".to_owned(), Input::name)
}

/// Returns a job for each group of inputs. Errors of inputs stay in their positions.
///
/// `output` is one of the following:
/// - a file, for one job;
/// - a folder: an existing one, or a path that ends in `/`;
/// - `-` for standard output;
/// - none: each output is then beside its first input.
///
/// Outputs in a folder get the subfolders in which their inputs were found. An output that is named after its
/// first input has the extension `extension`. The task reports no progress.
///
/// # Errors
/// [`BatchError`] if `output` does not fit, two jobs would write the same file, or the task is cancelled.
pub fn plan(
    groups: Vec<Result<InputGroup, BatchError>>,
    output: Option<&Path>,
    extension: &str,
    task: &Task<'_>,
) -> Result<Vec<Result<Job, BatchError>>, BatchError> {
    let goal = Goal::of(output, groups.len())?;
    let mut taken: HashMap<PathBuf, String> = HashMap::new();
    let mut jobs = Vec::with_capacity(groups.len());
    for group in groups {
        task.check()?;
        let job = group.and_then(|group| goal.job(group, extension));
        if let Ok(job) = &job
            && let Output::File(path) = &job.output
            && let Some(other) = taken.insert(place(path), job.name())
        {
            let inputs = [other, job.name()];
            return Err(BatchError::of_plan(BatchFault::SameOutput { inputs, output: path.clone() }));
        }
        jobs.push(job);
    }
    Ok(jobs)
}

/// Returns the file to which `path` leads, resolved if its folder exists: `a.dds` and `./a.dds` are the same.
fn place(path: &Path) -> PathBuf {
    match fs::canonicalize(folder_of(path)) {
        Ok(folder) => folder.join(path.file_name().unwrap_or_default()),
        Err(_) => path.to_owned(),
    }
}

/// Location of all outputs.
enum Goal {
    Stdout,
    File(PathBuf),
    /// A folder, and true if it is to be created, which applies to a path that ends in `/`.
    Folder(PathBuf, bool),
    Beside,
}

impl Goal {
    fn of(output: Option<&Path>, group_count: usize) -> Result<Self, BatchError> {
        let Some(path) = output else { return Ok(Self::Beside) };
        let is_stdout = path.as_os_str() == "-";
        if is_stdout && group_count <= 1 {
            return Ok(Self::Stdout);
        }
        if !is_stdout && (path.is_dir() || ends_in_separator(path)) {
            return Ok(Self::Folder(path.to_owned(), ends_in_separator(path)));
        }
        if group_count > 1 {
            let fault = BatchFault::OneOutput { inputs: group_count, output: path.to_owned() };
            return Err(BatchError::of_plan(fault));
        }
        Ok(Self::File(path.to_owned()))
    }

    fn job(&self, group: InputGroup, extension: &str) -> Result<Job, BatchError> {
        let InputGroup { inputs, below } = group;
        let first = inputs.first().and_then(Input::path);
        let (output, makes_folder) = match (self, first) {
            (Self::Stdout, _) | (Self::Beside, None) => (Output::Stdout, false),
            (Self::File(path), _) => (Output::File(path.clone()), false),
            (Self::Beside, Some(path)) => (Output::File(path.with_extension(extension)), false),
            (Self::Folder(folder, is_made), Some(path)) => {
                let name = Path::new(path.file_name().unwrap_or_default()).with_extension(extension);
                let is_below = !below.as_os_str().is_empty();
                (Output::File(folder.join(below).join(name)), *is_made || is_below)
            }
            (Self::Folder(..), None) => return Err(BatchError::new(name(&inputs), BatchFault::NoName)),
        };
        Ok(Job { inputs, output, makes_folder })
    }
}

fn ends_in_separator(path: &Path) -> bool {
    path.as_os_str().as_encoded_bytes().last().is_some_and(|byte| std::path::is_separator(char::from(*byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(inputs: &[&str]) -> Result<InputGroup, BatchError> {
        Ok(InputGroup::new(inputs.iter().map(|input| Input::of(Path::new(input))).collect()))
    }

    fn planned(inputs: &[&str], output: Option<&str>) -> Result<Vec<Output>, BatchError> {
        let groups = inputs.iter().map(|&input| group(&[input])).collect();
        let jobs = plan(groups, output.map(Path::new), "dds", &Task::new())?;
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
    fn a_group_of_inputs_is_one_job() {
        let faces = ["x.png", "y.png", "z.png"];
        let jobs = plan(vec![group(&faces), group(&["a.png"])], None, "ktx2", &Task::new()).unwrap();
        let job = jobs[0].as_ref().unwrap();
        assert_eq!((job.inputs.len(), &job.output, job.name()), (3, &file("x.ktx2"), "x.png".to_owned()));
        assert_eq!(jobs[1].as_ref().unwrap().output, file("a.ktx2"));
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
