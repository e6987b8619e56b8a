//! Options and output names of the pictures of a batch.

use super::{RuleBook, RuleError, stated::StatedUse};
use crate::{
    batch::{BatchError, Input, InputGroup, Naming},
    texture::{ChannelFiles, LevelFiles, TextureOptions, parts::Parts},
};
use std::path::{Path, PathBuf};

/// Options and output names of the pictures of a batch, by rules or without them.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Assignment {
    /// Inputs of each picture and target. [`InputGroup::number`] is the index of its choice.
    pub groups: Vec<Result<InputGroup, BatchError>>,
    /// Decisions about each picture and target.
    pub choices: Vec<Choice>,
}

/// Decisions about one picture and target.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Choice {
    /// The options.
    pub options: TextureOptions,
    /// The rule file and its lines that set the options, such as `art/brickwork.toml, lines 3, 9`, and the
    /// source of a target that is not the file's, or of overrides; none if neither rule nor target did.
    pub origin: Option<String>,
    /// False if the target is not among those of this run.
    pub is_selected: bool,
    /// Largest sum of the sizes of the target's outputs, in bytes.
    pub total: Option<u64>,
    /// The use that remains if other channels are packed.
    stated: StatedUse,
}

impl Assignment {
    /// Returns an assignment without pictures.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds pictures with the same options and without rules.
    pub fn add(&mut self, groups: Vec<Result<InputGroup, BatchError>>, options: &TextureOptions) {
        for group in groups {
            let group = group.map(|group| {
                let choice = Choice {
                    options: options.clone(),
                    origin: None,
                    is_selected: true,
                    total: None,
                    stated: StatedUse::of(options),
                };
                self.numbered(group, choice)
            });
            self.groups.push(group);
        }
    }

    /// Packs channels of files into all pictures, in place of those that rules state
    /// ([`TextureOptions::packing`]). With colours among them, pictures are
    /// [data](brickwork_image::image_file::PictureUse::Data) unless their use is stated. Channels that
    /// rules state no longer count.
    pub fn set_packed_channels(&mut self, files: &ChannelFiles) {
        for group in self.groups.iter_mut().flatten() {
            let Choice { options, stated, .. } = &mut self.choices[group.number];
            let Parts { images, normals, .. } = options.parts_of(&group.inputs);
            let all = images.iter().cloned().chain(inputs_of(files.paths())).chain(normals.cloned());
            group.inputs = all.collect();
            options.packing = files.packing();
            *options = stated.derived(options.clone());
        }
    }

    /// Makes the files mip levels of all pictures, in place of those that rules state
    /// ([`TextureOptions::given_mip_levels`]).
    pub fn set_levels(&mut self, files: &LevelFiles) {
        for group in self.groups.iter_mut().flatten() {
            let options = &mut self.choices[group.number].options;
            let Parts { images, packed, normals } = options.parts_of(&group.inputs);
            let first = images.iter().take(1).cloned();
            let others = packed.iter().chain(normals).cloned();
            group.inputs = first.chain(inputs_of(files.paths())).chain(others).collect();
            options.given_mip_levels = files.level_count();
        }
    }

    /// Makes the file at `path` the normal map of all pictures, in place of those that rules state
    /// ([`TextureOptions::roughness_from_normals`]).
    pub fn set_normal_map(&mut self, path: &Path) {
        for group in self.groups.iter_mut().flatten() {
            let Parts { images, packed, .. } = self.choices[group.number].options.parts_of(&group.inputs);
            let others = images.iter().chain(packed).cloned();
            group.inputs = others.chain([Input::of(path)]).collect();
        }
        for choice in &mut self.choices {
            choice.options.roughness_from_normals = true;
        }
    }

    /// Adds pictures whose options a rule file refines, once for each of its targets. `selected` are the
    /// names of the targets of this run; none for all.
    ///
    /// # Errors
    /// [`RuleError`] if a value does not suit the options.
    pub fn add_ruled(
        &mut self,
        groups: Vec<Result<InputGroup, BatchError>>,
        base: &TextureOptions,
        book: &mut RuleBook,
        selected: &[String],
    ) -> Result<(), RuleError> {
        let targets = book.targets().to_vec();
        for group in groups {
            let group = match group {
                Ok(group) => group,
                Err(error) => {
                    self.groups.push(Err(error));
                    continue;
                }
            };
            // Without targets there is one set of outputs.
            let all = targets.iter().map(Some).chain(targets.is_empty().then_some(None));
            for target in all {
                let ruling = book.ruling(base, target, &group.relative_name(), group.stem())?;
                if ruling.is_skipped {
                    continue;
                }
                let lines = ruling.lines.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
                let line = if ruling.lines.len() == 1 { "line" } else { "lines" };
                let of_file = (!lines.is_empty()).then(|| format!("{}, {line} {lines}", book.file()));
                let of_target = target.and_then(|target| target.origin.clone());
                let is_ruled = of_file.is_some() || of_target.is_some();
                let overriding = book.overrides().origin().map(str::to_owned);
                let origins: Vec<_> = [of_file, of_target, overriding].into_iter().flatten().collect();
                let origin = origins.join(", and ");
                let is_selected =
                    selected.is_empty() || target.is_some_and(|target| selected.contains(&target.name));
                let naming = Naming {
                    folder: target.map(|target| target.folder.clone()).unwrap_or_default(),
                    stem: ruling.stem,
                    infix: None,
                    extension: Some(ruling.options.default_container().extension()),
                    target: target.map(|target| target.name.clone()),
                };
                let origin = is_ruled.then_some(origin);
                let total = target.and_then(|target| target.total);
                let (options, stated) = (ruling.options, ruling.stated);
                let choice = Choice { options, origin, is_selected, total, stated };
                let mut group = InputGroup { naming, ..group.clone() };
                let folder = group.inputs.first().and_then(Input::path).and_then(Path::parent);
                let folder = folder.unwrap_or(Path::new("")).to_owned();
                let others = ruling.levels.iter().chain(&ruling.packed).chain(&ruling.normal_map);
                group.inputs.extend(others.map(|name| Input::File(folder.join(name))));
                let group = self.numbered(group, choice);
                self.groups.push(Ok(group));
            }
        }
        Ok(())
    }

    /// Puts the names of targets into those of their files, as in `rock.mobile.ktx2`, in place of folders.
    pub fn name_files_by_target(&mut self) {
        for InputGroup { naming, .. } in self.groups.iter_mut().flatten() {
            if let Some(target) = &naming.target {
                naming.infix = Some(target.into());
                naming.folder = PathBuf::new();
            }
        }
    }

    fn numbered(&mut self, group: InputGroup, choice: Choice) -> InputGroup {
        self.choices.push(choice);
        InputGroup { number: self.choices.len() - 1, ..group }
    }
}

/// Returns the inputs at paths of the command line.
fn inputs_of(paths: &[String]) -> impl Iterator<Item = Input> {
    paths.iter().map(|path| Input::of(Path::new(path)))
}
