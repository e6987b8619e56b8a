//! The work of an audit: files side by side.

use super::{
    AuditOptions, AuditPlan,
    error::AuditError,
    model::{Model, Place},
    plan::Unit,
    subject::{Context, Subject},
};
use crate::{
    batch::{Job, examine},
    report::{AuditUse, AuditedFile, EmbeddedImage},
};
use brickwork_base::{Cancelled, ErrorKind, Stage, Task};
use brickwork_image::image_file::PictureUse;
use brickwork_toolkit::{
    batch::{BatchError, Input},
    device::Devices,
    texture::use_of_name,
};
use std::{
    collections::HashMap,
    io::{Cursor, Seek as _, SeekFrom},
    sync::atomic::{AtomicU64, Ordering},
};

/// Entries of a unit: one of a file, several of a glTF file.
type Entries = Vec<Result<AuditedFile, AuditError>>;

/// Entries of which at least one failed.
struct Refused(Entries);

impl From<BatchError> for Refused {
    fn from(error: BatchError) -> Self {
        Self(vec![Err(error.into())])
    }
}

impl Refused {
    /// True if more memory might help.
    fn needs_more(&self) -> bool {
        self.0.iter().any(|entry| entry.as_ref().is_err_and(|error| error.kind() == ErrorKind::Limit))
    }
}

impl AuditPlan {
    /// Reads each file, and encodes mip level 0 of images in memory. `done` receives the entries of each
    /// unit, in the order of the plan. Up to `lanes` units are audited side by side, and share `max_memory`
    /// bytes. The task reports [`Stage::Batch`] in finished units.
    ///
    /// # Errors
    /// [`Cancelled`] if the task is cancelled.
    pub fn run(
        &self,
        options: &AuditOptions,
        devices: &Devices,
        lanes: usize,
        max_memory: u64,
        mut done: impl FnMut(Entries) + Send,
        task: &Task<'_>,
    ) -> Result<(), Cancelled> {
        let numbered = |(number, unit): (usize, &Unit)| {
            let mut group = unit.group.clone()?;
            group.number = number;
            Ok(group)
        };
        let groups = self.units.iter().enumerate().map(numbered).collect();
        let (hidden, count) = (task.without_progress(), AtomicU64::new(0));
        let work = |job: &Job, max_memory: u64| {
            let context = Context { options, devices, max_memory };
            let entries = match (self.units.get(job.number), job.inputs.first()) {
                (Some(unit), Some(input)) => unit.entries(input, &context, &hidden),
                _ => Vec::new(),
            };
            if entries.iter().any(Result::is_err) { Err(Refused(entries)) } else { Ok(entries) }
        };
        let done = |result: Result<Entries, Refused>| {
            done(result.unwrap_or_else(|Refused(entries)| entries));
            let finished = count.fetch_add(1, Ordering::Relaxed) + 1;
            task.report(Stage::Batch, finished, self.units.len() as u64);
        };
        task.report(Stage::Batch, 0, self.units.len() as u64);
        examine(groups, lanes, max_memory, Refused::needs_more, work, done, task)
    }
}

impl Unit {
    fn entries(&self, input: &Input, context: &Context<'_>, task: &Task<'_>) -> Entries {
        match &self.model {
            None => vec![self.file_entry(input, context, task)],
            Some(place) => model_entries(place, context, task),
        }
    }

    fn file_entry(
        &self,
        input: &Input,
        context: &Context<'_>,
        task: &Task<'_>,
    ) -> Result<AuditedFile, AuditError> {
        let mut stream = input.open(context.max_memory, task)?;
        let file_bytes =
            stream.seek(SeekFrom::End(0)).map_err(|error| BatchError::io(input.name(), error))?;
        let subject = Subject {
            file: input.name(),
            embedded: None,
            extension: input.extension(),
            uses: &self.uses,
            used_by: self.used_by.clone(),
            file_bytes,
        };
        subject.audit(&mut *stream, context, task)
    }
}

/// Returns the entries of all images within a glTF file. Several images may be in the same buffer view; those
/// of the same use, by materials and by name, are audited once.
fn model_entries(place: &Place, context: &Context<'_>, task: &Task<'_>) -> Entries {
    let model = match Model::read(place.clone(), context.max_memory, task) {
        Ok(model) => model,
        Err(error) => return vec![Err(error)],
    };
    let file = place.input.name();
    let max_memory = context.max_memory.saturating_sub(model.uri_bytes());
    let context = Context { max_memory, ..*context };
    let mut entries = Entries::new();
    let mut audited: HashMap<(usize, &[String], Option<PictureUse>), usize> = HashMap::new();
    for embedded in model.embedded() {
        let index = embedded.index as usize;
        let named = embedded.name.as_deref().and_then(use_of_name);
        let key = model.view_of(index).map(|view| (view, model.uses[index].properties.as_slice(), named));
        let same = key.and_then(|key| audited.get(&key)).and_then(|&number| entries[number].as_ref().ok());
        let entry = match same {
            Some(same) => Ok(AuditedFile { embedded: Some(embedded), ..same.clone() }),
            None => embedded_entry(&model, &file, embedded, &context, task),
        };
        if let (Some(key), Ok(_)) = (key, &entry) {
            audited.entry(key).or_insert(entries.len());
        }
        let is_cancelled = task.is_cancelled();
        entries.push(entry);
        if is_cancelled {
            break;
        }
    }
    entries
}

fn embedded_entry(
    model: &Model,
    file: &str,
    embedded: EmbeddedImage,
    context: &Context<'_>,
    task: &Task<'_>,
) -> Result<AuditedFile, AuditError> {
    let index = embedded.index as usize;
    let bytes = model.bytes_of(index, context.max_memory, task);
    let bytes = bytes.map_err(|fault| AuditError::of_model(embedded.name_in(file), fault))?;
    let max_memory = context.max_memory.saturating_sub(bytes.len() as u64);
    let uses = &model.uses[index];
    let subject = Subject {
        file: file.to_owned(),
        embedded: Some(embedded),
        extension: None,
        uses,
        used_by: vec![AuditUse { model: file.to_owned(), textures: uses.properties.clone() }],
        file_bytes: bytes.len() as u64,
    };
    subject.audit(&mut Cursor::new(bytes), &Context { max_memory, ..*context }, task)
}
