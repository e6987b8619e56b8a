//! Options of `encode` about rule files and shards, and the options of each picture.

use super::{
    arguments::Args,
    checks::{self, checked_options, of_output},
    failure,
    given::Given,
};
use crate::{
    batch::{Build, Incremental, Job, Output, Scope, Shard, find, is_folder, plan},
    exit::Exit,
    extensions::image_extensions,
    failure::Failure,
    report, targets,
};
use brickwork_base::whole_file::folder_of;
use brickwork_texture::{ErrorKind, Task};
use brickwork_toolkit::{
    batch::BatchError,
    texture::{
        Assignment, Choice, OptionsError, RULE_FILE, RuleBook, RuleError, RuleFault, rule_file_in,
        unused_rule_files, values::memory_size,
    },
};
use std::{
    collections::{BTreeMap, HashSet},
    path::{Path, PathBuf},
};

// Without a doc comment, so that the help is that of `Args`, which `assemble` shares.
#[derive(clap::Args)]
pub struct EncodeArgs {
    #[command(flatten)]
    pub(super) args: Args,

    #[command(flatten)]
    pub(super) rules: RuleArgs,
}

// Without a doc comment, which would replace the description of `encode`.
#[derive(clap::Args)]
#[command(next_help_heading = "Rules and pipelines")]
pub struct RuleArgs {
    /// Options of images by their names [default: brickwork.toml in a folder of inputs]
    ///
    /// Each "rule" table of the file has "files", a pattern or a list of them: without a slash it is about
    /// file names, else about paths below the input folder. Other keys are named like options, without the
    /// dashes. Later rules override earlier ones, and rules override "target.NAME" tables. An option that is
    /// given on the command line applies to every image and overrides both. docs/textures.md describes all
    /// keys.
    #[arg(long, value_name = "FILE")]
    rules: Option<PathBuf>,

    /// Do not use brickwork.toml in folders of inputs
    #[arg(long, conflicts_with = "rules")]
    no_rules: bool,

    /// Encode every image for this target, with a family (bc, astc, etc2) or a format; may be repeated
    ///
    /// Outputs go to DIR/NAME/ with -o DIR/. Otherwise, the name is part of their names: phone=astc writes
    /// rock.phone.ktx2 for -o rock.ktx2, or beside rock.png. Each target has the container of its formats,
    /// unless -o or --container states one. In a rule file, a "target.NAME" table has further options of the
    /// target. NAME alone selects a target of the rule file. Only the given targets are written [default:
    /// all targets of the rule file]. With --cache, outputs of targets that are no longer given are stale,
    /// unless a rule file has the targets.
    #[arg(long, value_name = "NAME[=FAMILY|FORMAT]")]
    target: Vec<String>,

    /// Encode one of COUNT shares of the inputs; INDEX is 0 to COUNT - 1
    ///
    /// The name of an input determines its share. All shares together write what one run would write.
    #[arg(long, value_name = "INDEX/COUNT")]
    shard: Option<Shard>,

    /// Encode only what the cache does not have, and only if its contents or options changed
    ///
    /// Several machines may use one cache at the same time. The folder of -o contains a manifest of the
    /// outputs. Outputs that Brickwork wrote there are replaced; other files are kept unless --force is
    /// given. Stale outputs are listed: their inputs are gone, or now become other files.
    #[arg(long, value_name = "DIR", conflicts_with = "update")]
    cache: Option<PathBuf>,

    /// Remove stale outputs, unless they changed since they were written
    ///
    /// Outputs that another command made from the same folder are stale, too: use one folder for each
    /// command, or targets of a rule file. An output is kept until those that replace it are written, and if
    /// the folder of its input is empty or a broken link, as if a disk were not mounted.
    #[arg(long, requires = "cache")]
    prune: bool,

    /// Largest sum of the sizes of all outputs, such as 200M: one λ of --rdo is searched for
    ///
    /// Sizes are those of --target-size. Images keep their size if their format or options exclude --rdo, or
    /// if they have a λ or a target already. Each image is encoded twice or more. In rule files, targets
    /// have the key "total-size".
    #[arg(
        long,
        value_name = "SIZE",
        value_parser = memory_size,
        conflicts_with_all = ["dry_run", "watch", "shard"]
    )]
    total_size: Option<u64>,

    /// Encode again what changes, until Ctrl-C ends it
    ///
    /// Images, folders of images and rule files are watched. Outputs are replaced if their images or options
    /// change. With --cache, files of other programs are kept unless --force is given. Images that are gone
    /// are reported; their outputs stay.
    #[arg(long, conflicts_with_all = ["dry_run", "prune"])]
    watch: bool,
}

/// Jobs, and decisions about each.
pub(super) struct Planned {
    pub jobs: Vec<Result<Job, BatchError>>,
    /// Decisions by the jobs' numbers.
    pub choices: Vec<Choice>,
    /// The whole batch, without the division into shards and targets.
    pub scope: Scope,
    pub incremental: Option<Incremental>,
}

/// Plans the jobs of the command line and its rule files. Nothing is written before all rules, options and
/// names of outputs are checked.
///
/// # Errors
/// [`Failure`] of a rule file, of options, or of outputs with the same name.
pub(super) fn planned(arguments: &EncodeArgs) -> Result<Planned, Failure> {
    let EncodeArgs { args, rules } = arguments;
    let given = &args.given;
    args.hint_at_values_taken_for_files()?;
    let mut shared = rules.rules.as_deref().map(|path| read(path, given)).transpose()?;
    // The targets of the command line need no rules.
    let own = || RuleBook::parse("the command line", "");
    let mut own = rules.own_targets(args)?.then(own).transpose()?;
    own = own.map(|book| book.with_overrides(given.overrides().clone()));
    let mut unused = BTreeMap::new();
    let (mut assignment, mut scope) = (Assignment::new(), Scope::new());
    let mut is_complete = true;
    for path in &args.inputs {
        let groups =
            find(std::slice::from_ref(path), &image_extensions(), args.batch.recursive, &Task::new())?;
        scope.add_inputs(path, &groups);
        let has_all = groups.iter().all(Result::is_ok);
        is_complete &= has_all;
        let mut found = match &shared {
            None if !rules.no_rules => {
                unused.extend(unused_rule_files(path, groups.iter().flatten()));
                found_in(path, arguments)?
            }
            _ => None,
        };
        let has_rules = shared.is_some() || found.is_some();
        let book = shared.as_mut().or(found.as_mut()).or(own.as_mut());
        match book {
            Some(book) => {
                targets::add(&rules.target, book)?;
                if path.as_os_str() == "-" {
                    let [subject, option] =
                        if has_rules { ["rules", "rules"] } else { ["targets", "target"] };
                    let failure = Failure::usage(format!("has no name for {subject}")).of("standard input");
                    return Err(failure.hint(format!("leave out --{option}")));
                }
                rules.check_targets(book, args)?;
                let base = args.base_of_rules();
                let beside =
                    if has_rules { args.options_beside_rules() } else { given.applied_to(base.clone()) };
                checks::checked(args, beside)?;
                assignment.add_ruled(groups, &base, book, &targets::names(&rules.target))?;
            }
            None if !rules.target.is_empty() => {
                let failure = Failure::usage("--target needs a rule file").of_path(path);
                let files = format!("--rules, or {RULE_FILE} in the folder of the inputs");
                return Err(failure.hint(format!("use {files}, or --target NAME=FAMILY")));
            }
            None => assignment.add(groups, &checked_options(args)?),
        }
        if has_all && let Some(book) = &found {
            check_matched(book, args)?;
        }
    }
    if !args.output.as_deref().is_some_and(is_folder) {
        assignment.name_files_by_target();
    }
    let levels = given.levels()?;
    if !levels.is_empty() {
        assignment.set_levels(&levels);
    }
    let packed = given.packed()?;
    if !packed.is_empty() {
        assignment.set_packed_channels(&packed);
    }
    if let Some(path) = &given.roughness_from {
        assignment.set_normal_map(path);
    }
    // Files that are named need not match every rule.
    let has_folder = args.inputs.iter().any(|input| input.is_dir());
    if is_complete
        && has_folder
        && let Some(book) = &shared
    {
        check_matched(book, args)?;
    }
    if !args.batch.quiet {
        unused.iter().for_each(|(file, picture)| report::note(&unused_text(file, picture)));
    }
    let default = args.options().default_container();
    let Assignment { groups, choices, .. } = assignment;
    let mut jobs = plan(groups, args.output.as_deref(), default.extension(), &Task::new())?;
    scope.add_jobs(&jobs);
    if jobs.is_empty() && !args.batch.quiet {
        report::note("no image is encoded: the rules skip all of them");
    }
    let mut checked = HashSet::new();
    for job in jobs.iter_mut().flatten() {
        let choice = &choices[job.number];
        check_container(args, choice, &job.output)?;
        let recipe = choice.options.recipe(&choice.options.image_names(&job.inputs));
        if checked.insert(recipe.clone()) {
            match &choice.origin {
                Some(_) => {
                    let fit = choice.options.check();
                    fit.and_then(|()| given.check(&choice.options))
                        .map_err(|error| of_rules(&error, choice).of(job.name()))?;
                }
                None => _ = checks::checked(args, choice.options.clone())?,
            }
        }
        job.recipe = Some(recipe);
    }
    jobs.retain(|job| job.as_ref().map_or(true, |job| choices[job.number].is_selected));
    let shard = rules.shard.unwrap_or(Shard::ALL);
    shard.retain(&mut jobs);
    for job in jobs.iter().flatten() {
        check_named_files(job, &choices[job.number])?;
    }
    if args.batch.dry_run {
        scope.assume_written(&jobs);
    }
    let incremental = rules.cache.as_deref().map(|cache| opened(cache, args, shard)).transpose()?;
    Ok(Planned { jobs, choices, scope, incremental })
}

/// Checks that the files exist that rules name beside an image: channels, mip levels and the normal map.
fn check_named_files(job: &Job, choice: &Choice) -> Result<(), Failure> {
    let Some(origin) = &choice.origin else { return Ok(()) };
    // The first input is the image, whose absence is a failure of its job alone.
    for input in job.inputs.iter().skip(1) {
        let named = |error| Failure::from(error).hint(format!("for {}, by {origin}", job.name()));
        input.check_exists().map_err(named)?;
    }
    Ok(())
}

/// Reads a rule file. Options of the command line override it.
fn read(path: &Path, given: &Given) -> Result<RuleBook, RuleError> {
    Ok(RuleBook::read(path)?.with_overrides(given.overrides().clone()))
}

/// Returns the rules of an input if it is a folder that has some, and reports that they are used.
fn found_in(input: &Path, arguments: &EncodeArgs) -> Result<Option<RuleBook>, Failure> {
    let Some(path) = rule_file_in(input) else { return Ok(None) };
    let book = read(&path, &arguments.args.given)?;
    if !arguments.args.batch.quiet {
        report::note(&format!("the rules of {} are used; --no-rules ignores them", path.display()));
    }
    Ok(Some(book))
}

/// Returns the note about a rule file that does not apply to a picture beside it.
fn unused_text(file: &Path, picture: &str) -> String {
    let (file, folder) = (file.display(), folder_of(file).display());
    format!(
        "the rules of {file} are not used for {picture}, because {folder} is not an input; --rules uses them"
    )
}

/// Name that all programs of a release have, on every system; none or empty for programs that only their file
/// identifies. `.ci/dist` sets it.
const NAMED_BUILD: Option<&str> = option_env!("BRICKWORK_BUILD");

/// Opens the cache, and the manifest of the outputs.
fn opened(cache: &Path, args: &Args, shard: Shard) -> Result<Incremental, Failure> {
    match args.output.as_deref().filter(|output| is_folder(output)) {
        Some(outputs) => {
            let build = match NAMED_BUILD {
                Some(name) if !name.is_empty() => Build::named(name),
                _ => Build::of_executable()?,
            };
            Ok(Incremental::open(cache, outputs, build, shard, args.batch.dry_run)?)
        }
        None => {
            Err(Failure::usage("--cache needs a folder for the outputs").hint("use -o DIR/ with the slash"))
        }
    }
}

impl RuleArgs {
    /// Returns the largest sum of the sizes of all outputs.
    pub(super) fn total_size(&self) -> Option<u64> {
        self.total_size
    }

    /// True if a run is not, or need not be, over all images.
    pub(super) fn is_partial(&self) -> bool {
        self.watch || self.shard.is_some()
    }

    /// True if changes are encoded until the program is interrupted.
    pub(super) fn watches(&self) -> bool {
        self.watch
    }

    /// True if outputs are kept in a cache.
    pub(super) fn has_cache(&self) -> bool {
        self.cache.is_some()
    }

    /// Returns the rule file that the command line names.
    pub(super) fn file(&self) -> Option<&Path> {
        self.rules.as_deref()
    }

    /// True if stale outputs are removed.
    pub(super) fn prunes(&self) -> bool {
        self.prune
    }

    /// True if the command line has targets with formats.
    ///
    /// # Errors
    /// [`Failure`] if it has other options that state the formats of all targets.
    fn own_targets(&self, args: &Args) -> Result<bool, Failure> {
        let Some(target) = self.target.iter().find(|target| targets::name_and_formats(target).1.is_some())
        else {
            return Ok(false);
        };
        let given = &args.given;
        let has_format = given.has("format") && args.options().format.format().is_some();
        let others = [("family", given.has("family")), ("format", has_format)];
        if let Some((option, _)) = others.into_iter().find(|(_, is_given)| *is_given) {
            let failure = Failure::usage(format!("--target {target} and --{option} exclude each other"));
            return Err(failure.hint(format!("leave out --{option}")));
        }
        Ok(true)
    }

    /// Checks that the rule file has the targets that the command line selects, and that there are files for
    /// their outputs.
    fn check_targets(&self, book: &RuleBook, args: &Args) -> Result<(), Failure> {
        targets::names(&self.target).iter().try_for_each(|name| book.check_target(name))?;
        let output = args.output.as_deref();
        if output.is_some_and(is_folder) {
            return Ok(());
        }
        let is_own = |name: &str| {
            self.target
                .iter()
                .map(|target| targets::name_and_formats(target))
                .any(|(own, formats)| own == name && formats.is_some())
        };
        if !book.target_names().all(is_own) {
            let failure = Failure::usage("the targets need a folder for their outputs").of(book.file());
            return Err(failure.hint("use -o DIR/ with the slash"));
        }
        if book.target_names().count() > 1 && output.is_some_and(|output| output.as_os_str() == "-") {
            let failure = Failure::usage("several targets do not fit into standard output");
            return Err(failure.hint("use -o DIR/ or -o FILE"));
        }
        Ok(())
    }
}

/// Checks that each rule matched an input, unless it is optional. Rules about folders match nothing if the
/// subfolders are not searched.
fn check_matched(book: &RuleBook, args: &Args) -> Result<(), Failure> {
    book.check_matched().map_err(|error| {
        let is_of_folder = matches!(error.fault(), RuleFault::NoMatch { patterns, .. }
            if patterns.iter().any(|pattern| pattern.contains('/')));
        let failure = Failure::from(error);
        if is_of_folder && !args.batch.recursive {
            return failure.hint("-r also searches the subfolders; optional = true in the rule allows that");
        }
        failure
    })
}

/// Checks that an output has a container that fits the options: in the words of the keys if a rule file set
/// them, else in those of the command line.
fn check_container(args: &Args, choice: &Choice, output: &Output) -> Result<(), Failure> {
    let Err(error) = choice.options.container_of(output.path()) else { return Ok(()) };
    // The command line names an output of no container.
    let is_of_rules = choice.origin.is_some() && !matches!(error, OptionsError::NoContainer { .. });
    let failure = if is_of_rules { of_rules(&error, choice) } else { failure::of_options(args, &error) };
    Err(of_output(failure, &error, output))
}

/// Returns the failure of options that a rule file set, in the words of its keys.
pub(super) fn of_rules(error: &OptionsError, choice: &Choice) -> Failure {
    let is_unsupported = error.kind() == ErrorKind::Unsupported;
    let failure = Failure::new(if is_unsupported { Exit::Unsupported } else { Exit::Usage }, error);
    match &choice.origin {
        Some(origin) => failure.hint(format!("by {origin}")),
        None => failure,
    }
}
