//! Files that are audited, and the uses of images by the glTF files among them.

use super::{
    MODEL_EXTENSIONS,
    error::AuditError,
    model::{Model, Place, is_model},
    uses::Uses,
};
use crate::{
    batch::{FileId, find},
    extensions::{image_extensions, texture_extensions},
    report::{AuditUse, AuditedModel},
};
use brickwork_base::{Cancelled, Task, whole_file::folder_of};
use brickwork_toolkit::batch::{BatchError, Input, InputGroup};
use std::{
    collections::{HashMap, hash_map::Entry},
    path::{Path, PathBuf},
};

/// Files that are audited: images, textures, and glTF files with images in them.
#[derive(Debug)]
pub struct AuditPlan {
    pub(super) units: Vec<Unit>,
    models: Vec<Result<AuditedModel, AuditError>>,
}

/// A file, or all images within a glTF file.
#[derive(Debug)]
pub(super) struct Unit {
    pub group: Result<InputGroup, BatchError>,
    pub uses: Uses,
    pub used_by: Vec<AuditUse>,
    /// The place of a glTF file with images in it.
    pub model: Option<Place>,
}

impl Unit {
    fn new(group: Result<InputGroup, BatchError>) -> Self {
        Self { group, uses: Uses::default(), used_by: Vec::new(), model: None }
    }
}

impl AuditPlan {
    /// Finds the files among `paths`, and those in the folders among them and in their subfolders, sorted by
    /// name. Each file is audited once. glTF files are parsed; `max_memory` is the limit in bytes for each.
    /// The files to which they refer are audited, too, if they are in the folder that was searched, or in
    /// that of a glTF file that was named. The task reports the files found.
    ///
    /// # Errors
    /// [`Cancelled`] if the task is cancelled.
    pub fn new(paths: &[PathBuf], max_memory: u64, task: &Task<'_>) -> Result<Self, Cancelled> {
        let extensions = [texture_extensions(), image_extensions(), MODEL_EXTENSIONS.to_vec()].concat();
        let (mut units, mut places, mut seen) = (Vec::new(), Vec::new(), HashMap::new());
        for group in find(paths, &extensions, true, task)? {
            let Some(input) = group.as_ref().ok().and_then(|group| group.inputs.first()) else {
                units.push(Unit::new(group));
                continue;
            };
            // A glTF file is read again for the images within it, and a pipe cannot be.
            let model = input.path().filter(|path| is_model(path) && path.is_file()).map(Path::to_owned);
            // The URI of an image may name a glTF file. It must then lead to no unit.
            let index = if model.is_some() { usize::MAX } else { units.len() };
            if let Some(id) = FileId::of_input(input) {
                match seen.entry(id) {
                    Entry::Occupied(_) => continue,
                    Entry::Vacant(place) => place.insert(index),
                };
            }
            if let (Some(path), Ok(group)) = (&model, &group) {
                places.push(place_of(path, &group.below));
            } else {
                units.push(Unit::new(group));
            }
        }
        let mut models = Vec::new();
        for place in places {
            models.push(add_model(place, &mut units, &mut seen, max_memory, task));
            task.check()?;
        }
        Ok(Self { units, models })
    }

    /// Returns the number of units of work: files, and glTF files with images in them.
    pub fn unit_count(&self) -> usize {
        self.units.len()
    }

    /// Returns the glTF files in the order of their paths, and removes them from the plan.
    pub fn take_models(&mut self) -> Vec<Result<AuditedModel, AuditError>> {
        std::mem::take(&mut self.models)
    }
}

/// Returns the place of a glTF file that was found in the subfolder `below` of a folder.
fn place_of(path: &Path, below: &Path) -> Place {
    let root = folder_of(path).ancestors().nth(below.iter().count()).unwrap_or(Path::new(""));
    Place { input: Input::File(path.to_owned()), root: root.to_owned(), below: below.to_owned() }
}

/// Reads a glTF file, and notes its uses of other files. Files that are not among the units are added.
fn add_model(
    place: Place,
    units: &mut Vec<Unit>,
    seen: &mut HashMap<FileId, usize>,
    max_memory: u64,
    task: &Task<'_>,
) -> Result<AuditedModel, AuditError> {
    let model = Model::read(place.clone(), max_memory, task)?;
    let (references, report) = model.references();
    for reference in references {
        let Some(id) = FileId::of(&reference.path) else { continue };
        let index = *seen.entry(id).or_insert(units.len());
        if index == units.len() {
            units.push(Unit::new(Ok(InputGroup::new(vec![Input::File(reference.path)]))));
        }
        let Some(unit) = units.get_mut(index) else { continue };
        let textures = &model.uses[reference.image].properties;
        unit.uses.add(textures);
        // Other uses by this file are the last ones, because each glTF file is added whole.
        match unit.used_by.last_mut().filter(|used_by| used_by.model == report.file) {
            Some(used_by) => {
                let mut uses = Uses { properties: std::mem::take(&mut used_by.textures) };
                uses.add(textures);
                used_by.textures = uses.properties;
            }
            None => unit.used_by.push(AuditUse { model: report.file.clone(), textures: textures.clone() }),
        }
    }
    if report.embedded > 0 {
        let group = InputGroup::new(vec![place.input.clone()]);
        units.push(Unit { model: Some(place), ..Unit::new(Ok(group)) });
    }
    Ok(report)
}
