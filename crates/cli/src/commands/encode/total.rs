//! Outputs whose sizes together must not exceed a limit: `--total-size`, `total-size` of targets.
//!
//! ```text
//! each image is encoded once, a sample of it for several λ → predicted sizes → one λ
//!   → a run of the jobs → sizes of the outputs → if they are too large, a larger λ and another run
//! ```

use super::{arguments::Args, failure, rules::EncodeArgs};
use crate::{
    batch::{Job, Output},
    device::Devices,
    exit::Exit,
    failure::Failure,
    report::{self, Bar, Bytes},
};
use brickwork_base::Task;
use brickwork_texture::RdoLambda;
use brickwork_toolkit::{
    batch::BatchError,
    texture::{Choice, SizeBudget, SizeCurve, size_of_file},
};
use std::collections::BTreeMap;

/// Jobs with a common limit.
pub(super) struct Totals {
    groups: Vec<Group>,
}

struct Group {
    /// Name in messages.
    name: String,
    budget: SizeBudget,
    /// Indices of the jobs, and true for those that λ changes.
    jobs: Vec<(usize, bool)>,
    lambda: RdoLambda,
}

impl Totals {
    /// Examines the images of all jobs with a limit.
    ///
    /// # Errors
    /// [`Failure`] of options that exclude limits, of limits that differ, and of a limit that no λ keeps.
    pub fn of(
        arguments: &EncodeArgs,
        jobs: &[Result<Job, BatchError>],
        choices: &[Choice],
        devices: &Devices,
    ) -> Result<Self, Failure> {
        let args = &arguments.args;
        let mut limits: BTreeMap<Option<&str>, (u64, Vec<usize>, &Job)> = BTreeMap::new();
        for (index, job) in jobs.iter().enumerate() {
            let Ok(job) = job else { continue };
            let of_target = choices[job.number].total;
            let (name, limit) = match (arguments.rules.total_size(), of_target) {
                (Some(_), Some(_)) => {
                    let failure =
                        Failure::usage("--total-size and total-size of a target exclude each other");
                    return Err(failure.hint("leave out one of them"));
                }
                (Some(limit), None) => (None, limit),
                (None, Some(limit)) => (job.target.as_deref(), limit),
                (None, None) => continue,
            };
            if job.output == Output::Stdout {
                return Err(Failure::usage("a total size needs files, not standard output"));
            }
            let (known, indices, first) = limits.entry(name).or_insert((limit, Vec::new(), job));
            if *known != limit {
                let [one, two] = [*known, limit].map(Bytes);
                let (first, job) = (first.name(), job.name());
                let reason = format!("the total size is {one} for {first}, but {two} for {job}");
                return Err(Failure::usage(reason).of(group_name(name)));
            }
            indices.push(index);
        }
        let count = limits.values().map(|(_, jobs, _)| jobs.len() as u64).sum();
        let bar = Bar::files(count, args.batch.is_silent() || args.batch.json || count == 0);
        let mut groups = Vec::new();
        for (name, (limit, indices, _)) in limits {
            let (mut curves, mut members) = (Vec::new(), Vec::new());
            for index in indices {
                let Ok(job) = &jobs[index] else { continue };
                let options = &choices[job.number].options;
                let task = Task::new();
                let found = SizeCurve::of_files(
                    options,
                    &job.inputs,
                    devices.inner(),
                    args.machine.max_memory,
                    &task,
                );
                bar.step();
                // The run reports the failure of a job.
                members.push((index, found.as_ref().is_ok_and(SizeCurve::is_optimised)));
                curves.extend(found.ok());
            }
            let budget = SizeBudget::new(limit, curves);
            groups.push(Group { name: group_name(name), budget, jobs: members, lambda: RdoLambda::OFF });
        }
        bar.finish();
        let mut totals = Self { groups };
        totals.groups.iter_mut().try_for_each(Group::choose)?;
        Ok(totals)
    }

    /// Gives the jobs their λ.
    pub fn apply(&self, jobs: &mut [Result<Job, BatchError>], choices: &mut [Choice]) {
        for group in &self.groups {
            for &(index, is_optimised) in &group.jobs {
                let (Ok(job), true) = (&mut jobs[index], is_optimised) else { continue };
                let options = &mut choices[job.number].options;
                options.encode.rdo = group.lambda;
                job.recipe = Some(options.recipe(&options.image_names(&job.inputs)));
            }
        }
    }

    /// Compares the outputs, which all exist, with the limits. Returns true if all keep theirs; else the next
    /// λ is chosen.
    ///
    /// # Errors
    /// [`Failure`] if an output cannot be read, or if there is no larger λ.
    pub fn check(
        &mut self,
        args: &Args,
        jobs: &[Result<Job, BatchError>],
        choices: &[Choice],
    ) -> Result<bool, Failure> {
        let mut is_kept = true;
        for group in &mut self.groups {
            let mut sum = 0;
            for (index, _) in &group.jobs {
                let Ok(job) = &jobs[*index] else { continue };
                let Output::File(path) = &job.output else { continue };
                let size = size_of_file(path, &choices[job.number].options, &Task::new());
                sum += size.map_err(|error| failure::of_job(args, error))?;
            }
            if sum <= group.budget.limit() {
                continue;
            }
            is_kept = false;
            let before = group.lambda;
            group.budget.correct(sum);
            group.choose()?;
            if !args.batch.quiet {
                let (name, limit, lambda) = (&group.name, Bytes(group.budget.limit()), group.lambda.get());
                report::note(&format!(
                    "{name}: {} with λ {:.2}, above the total of {limit}: encoded again with λ {lambda:.2}",
                    Bytes(sum),
                    before.get()
                ));
            }
        }
        Ok(is_kept)
    }
}

/// Returns the name of the outputs with a limit, which is that of all outputs or of a target.
fn group_name(target: Option<&str>) -> String {
    target.map_or_else(|| "the outputs".to_owned(), |name| format!("target \"{name}\""))
}

impl Group {
    fn choose(&mut self) -> Result<(), Failure> {
        let Some(lambda) = self.budget.next_lambda() else {
            let (least, limit) = (Bytes(self.budget.least()), Bytes(self.budget.limit()));
            let reason = format!("about {least} even with λ {}, above the total of {limit}", RdoLambda::MAX);
            return Err(Failure::new(Exit::Runtime, reason).of(&self.name));
        };
        self.lambda = lambda;
        Ok(())
    }
}
