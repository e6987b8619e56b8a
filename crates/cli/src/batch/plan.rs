//! Inputs and output of each job.

use super::{BatchError, BatchFault, BatchOptions, Input, InputGroup, Output, Recipe};
use crate::report::{FileAction, UntouchedFile};
use brickwork_base::{Task, whole_file::folder_of};
use std::{
    collections::HashMap,
    ffi::{OsStr, OsString},
    fs,
    path::{Path, PathBuf},
};

/// Inputs that become one output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// Inputs, in the order in which the job uses them.
    pub inputs: Vec<Input>,
    /// The output.
    pub output: Output,
    /// True if the output's folder is to be created if it does not exist.
    pub makes_folder: bool,
    /// Number of the [group](InputGroup::number) of inputs. Default: 0.
    pub number: usize,
    /// [Relative name](InputGroup::relative_name) of the first input. Default: the name of its file.
    pub relative_name: String,
    /// Name of the target; none if there is only one set of outputs. Default: none.
    pub target: Option<String>,
    /// Description of the options that change the output; none for the [recipe](super::BatchOptions::recipe)
    /// of the batch.
    pub recipe: Option<String>,
}

impl Job {
    /// Returns a job whose output goes to an existing folder.
    pub fn new(inputs: Vec<Input>, output: Output) -> Self {
        Self::of_group(InputGroup::new(inputs), output, false)
    }

    pub(super) fn of_group(group: InputGroup, output: Output, makes_folder: bool) -> Self {
        let (relative_name, InputGroup { inputs, number, naming, .. }) = (group.relative_name(), group);
        let target = naming.target;
        Self { inputs, output, makes_folder, number, relative_name, target, recipe: None }
    }

    /// Returns the job's own recipe, or that of the batch.
    pub(super) fn recipe_in(&self, options: &BatchOptions) -> Option<Recipe> {
        self.recipe.as_deref().map(Recipe::of).or(options.recipe)
    }

    /// Returns the name of the first input, for reports and messages.
    pub fn name(&self) -> String {
        name(&self.inputs)
    }

    /// Returns the names of all inputs and of the output.
    pub(super) fn names(&self) -> Vec<String> {
        self.inputs.iter().map(Input::name).chain([self.output.name()]).collect()
    }

    /// Returns the entry of a job whose output is not written.
    pub(super) fn untouched(&self, action: FileAction) -> UntouchedFile {
        let (input, output, target) = (self.name(), self.output.name(), self.target.clone());
        UntouchedFile { input, output, target, action, plan: None }
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
/// - a file, for one job, or one for each target whose files have its name;
/// - a folder: an existing one, or a path that ends in `/`;
/// - `-` for standard output;
/// - none: each output is then beside its first input.
///
/// Outputs in a folder get the subfolders in which their inputs were found. An output that is named after its
/// first input has the extension `extension`. The `Naming` of a group overrides this. A file gets only its
/// infix. The task reports no progress.
///
/// # Errors
/// [`BatchError`] if `output` does not fit, two jobs would write the same file, or the task is cancelled.
pub fn plan(
    groups: Vec<Result<InputGroup, BatchError>>,
    output: Option<&Path>,
    extension: &str,
    task: &Task<'_>,
) -> Result<Vec<Result<Job, BatchError>>, BatchError> {
    let goal = Goal::of(output, &groups)?;
    let mut taken: HashMap<PathBuf, String> = HashMap::new();
    let mut jobs = Vec::with_capacity(groups.len());
    for group in groups {
        task.check()?;
        let label = group.as_ref().map_or_else(|_| String::new(), label_of);
        let job = group.and_then(|group| goal.job(group, extension));
        if let Ok(job) = &job
            && let Output::File(path) = &job.output
            && let Some(other) = taken.insert(place(path), label.clone())
        {
            let inputs = [other, label];
            return Err(BatchError::of_plan(BatchFault::SameOutput { inputs, output: path.clone() }));
        }
        jobs.push(job);
    }
    Ok(jobs)
}

/// Returns the name of a group's first input, with its target if there are several sets of outputs.
fn label_of(group: &InputGroup) -> String {
    let name = name(&group.inputs);
    match &group.naming.target {
        Some(target) => format!("{name} for target \"{target}\""),
        None => name,
    }
}

/// True on systems whose file systems treat names that differ only in case as the same, by default.
const IGNORES_CASE: bool = cfg!(any(windows, target_vendor = "apple"));

/// Returns the file to which `path` leads, resolved if its folder exists: `a.dds` and `./a.dds` are the same.
/// Where case is ignored, the path is in lower case.
pub(super) fn place(path: &Path) -> PathBuf {
    let resolved = match fs::canonicalize(folder_of(path)) {
        Ok(folder) => folder.join(path.file_name().unwrap_or_default()),
        Err(_) => path.to_owned(),
    };
    if IGNORES_CASE { in_lower_case(&resolved) } else { resolved }
}

/// Returns a path in lower case, for comparisons.
fn in_lower_case(path: &Path) -> PathBuf {
    PathBuf::from(path.to_string_lossy().to_lowercase())
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
    fn of(output: Option<&Path>, groups: &[Result<InputGroup, BatchError>]) -> Result<Self, BatchError> {
        let Some(path) = output else { return Ok(Self::Beside) };
        let is_stdout = path.as_os_str() == "-";
        let infix = |group: &Result<InputGroup, BatchError>| group.as_ref().ok()?.naming.infix.clone();
        // Groups with other infixes have other files.
        let first = groups.first().and_then(infix);
        let group_count = groups.iter().filter(|group| is_stdout || infix(group) == first).count();
        if is_stdout && group_count <= 1 {
            return Ok(Self::Stdout);
        }
        if !is_stdout && is_folder(path) {
            return Ok(Self::Folder(path.to_owned(), ends_in_separator(path)));
        }
        if group_count > 1 {
            let fault = BatchFault::OneOutput { inputs: group_count, output: path.to_owned() };
            return Err(BatchError::of_plan(fault));
        }
        Ok(Self::File(path.to_owned()))
    }

    fn job(&self, group: InputGroup, extension: &str) -> Result<Job, BatchError> {
        let first = group.inputs.first().and_then(Input::path);
        let extension = group.naming.extension.unwrap_or(extension);
        let infix = group.naming.infix.as_deref();
        let file_name = |path: &Path| {
            let stem = group.naming.stem.as_deref().or(path.file_stem()).unwrap_or_default();
            joined([Some(stem), infix, Some(OsStr::new(extension))])
        };
        let of_target = &group.naming.folder;
        let is_below = |folder: &Path| !folder.as_os_str().is_empty();
        let (output, makes_folder) = match (self, first) {
            (Self::Stdout, _) | (Self::Beside, None) => (Output::Stdout, false),
            (Self::File(path), _) if infix.is_some() => {
                let name = joined([path.file_stem(), infix, path.extension()]);
                (Output::File(path.with_file_name(name)), false)
            }
            (Self::File(path), _) => (Output::File(path.clone()), false),
            (Self::Beside, Some(path)) => {
                let folder = path.parent().unwrap_or(Path::new("")).join(of_target);
                (Output::File(folder.join(file_name(path))), is_below(of_target))
            }
            (Self::Folder(folder, is_made), Some(path)) => {
                let below = of_target.join(&group.below);
                let makes_folder = *is_made || is_below(&below);
                (Output::File(folder.join(below).join(file_name(path))), makes_folder)
            }
            (Self::Folder(..), None) => {
                return Err(BatchError::new(name(&group.inputs), BatchFault::NoName));
            }
        };
        Ok(Job::of_group(group, output, makes_folder))
    }
}

/// Returns the parts of a file name with dots between them.
fn joined(parts: [Option<&OsStr>; 3]) -> OsString {
    let parts: Vec<_> = parts.into_iter().flatten().collect();
    parts.join(OsStr::new("."))
}

/// True for an existing folder, and for a path that ends in `/`, which names a folder to be created. On
/// Windows, `\` is a separator, too.
pub fn is_folder(path: &Path) -> bool {
    path.is_dir() || ends_in_separator(path)
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
    fn a_group_may_name_its_output() {
        let named = |output: Option<&str>, folder: &str, stem: Option<&str>| {
            let mut named = group(&["in/deep/a.b.png"]).unwrap();
            named.below = PathBuf::from("deep");
            (named.naming.folder, named.naming.stem) = (folder.into(), stem.map(Into::into));
            (named.naming.extension, named.number) = (Some("ktx2"), 7);
            let jobs = plan(vec![Ok(named)], output.map(Path::new), "dds", &Task::new()).unwrap();
            jobs.into_iter().next().unwrap().unwrap()
        };
        let job = named(Some("out/"), "mobile", Some("c.d"));
        assert_eq!(job.output, file("out/mobile/deep/c.d.ktx2"));
        assert_eq!((job.number, job.relative_name.as_str(), job.makes_folder), (7, "deep/a.b.png", true));
        assert_eq!(named(Some("out/"), "", None).output, file("out/deep/a.b.ktx2"));
        assert_eq!(named(None, "", Some("c")).output, file("in/deep/c.ktx2"));
        assert_eq!(named(Some("x.dds"), "", Some("c")).output, file("x.dds"));
    }

    #[test]
    fn targets_are_named() {
        let of_target = |target: &str| {
            let mut group = group(&["a.png"]).unwrap();
            group.naming.target = Some(target.to_owned());
            Ok(group)
        };
        let error = plan(vec![of_target("x"), of_target("y")], None, "dds", &Task::new()).unwrap_err();
        let expected = "a.png for target \"x\" and a.png for target \"y\" would both be written to a.dds";
        assert_eq!(error.to_string(), expected);
    }

    #[test]
    fn targets_have_files_or_folders() {
        let planned = |inputs: &[&str], output: Option<&str>| {
            let of_target = |(input, target): (&&str, &str)| {
                let mut group = group(&[input]).unwrap();
                (group.naming.infix, group.naming.target) = (Some(target.into()), Some(target.to_owned()));
                Ok(group)
            };
            let groups = inputs.iter().flat_map(|input| ["x", "y"].map(|target| of_target((input, target))));
            let jobs = plan(groups.collect(), output.map(Path::new), "dds", &Task::new())?;
            jobs.into_iter().map(|job| job.map(|job| job.output)).collect::<Result<Vec<_>, _>>()
        };
        assert_eq!(planned(&["in/a.b.png"], None).unwrap(), [file("in/a.b.x.dds"), file("in/a.b.y.dds")]);
        let named = [file("out/c.x.ktx2"), file("out/c.y.ktx2")];
        assert_eq!(planned(&["a.png"], Some("out/c.ktx2")).unwrap(), named);
        let reason = |inputs, output| planned(inputs, Some(output)).unwrap_err().to_string();
        assert!(reason(&["a.png", "b.png"], "c.dds").contains("2 inputs do not fit into one file"));
        assert!(reason(&["a.png"], "-").contains("2 inputs"));
    }

    /// Names need not be text.
    #[cfg(unix)]
    #[test]
    fn the_bytes_of_a_stem_are_kept() {
        use std::{ffi::OsStr, os::unix::ffi::OsStrExt as _};
        let mut named = group(&["a.png"]).unwrap();
        named.naming.stem = Some(OsStr::from_bytes(b"caf\xe9_m").to_owned());
        let jobs = plan(vec![Ok(named)], Some(Path::new("out/")), "dds", &Task::new()).unwrap();
        let expected = Path::new("out").join(OsStr::from_bytes(b"caf\xe9_m.dds"));
        assert_eq!(jobs[0].as_ref().unwrap().output, Output::File(expected));
    }

    #[test]
    fn names_that_differ_in_case_are_one_file_on_some_systems() {
        assert_eq!(in_lower_case(Path::new("Deep/RÖCK.DDS")), Path::new("deep/röck.dds"));
        let jobs = planned(&["Rock.png", "rock.tga", "rocks.tga"], None);
        if IGNORES_CASE {
            let reason = jobs.unwrap_err().to_string();
            assert!(reason.contains("Rock.png and rock.tga would both be written to rock.dds"), "{reason}");
        } else {
            assert_eq!(jobs.unwrap(), [file("Rock.dds"), file("rock.dds"), file("rocks.dds")]);
        }
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
