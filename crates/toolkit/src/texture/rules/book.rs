//! A rule file and the use of its rules.

use super::{
    Overrides, RuleError, RuleFault,
    parse::{Contents, Rule, Target, parse},
    pattern::{check_suffix, folder, lower_case},
    setting::{Setting, effective},
    stated::{StatedUse, finished},
};
use crate::texture::{ChannelPacking, FormatChoice, FormatFamily, TextureOptions, use_names::base_of};
use brickwork_base::regular_file;
use std::{
    ffi::{OsStr, OsString},
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

/// Name of the rule file that is found in a folder of inputs.
pub const RULE_FILE: &str = "brickwork.toml";

/// Returns the path of the rule file in a folder of inputs. A broken link, or any other file that cannot be
/// read, is one. `None` if there is none, or `input` is no folder.
pub fn rule_file_in(input: &Path) -> Option<PathBuf> {
    let path = input.join(RULE_FILE);
    let is_absent = path.symlink_metadata().is_err_and(|error| error.kind() == io::ErrorKind::NotFound);
    (input.is_dir() && !is_absent).then_some(path)
}

/// Maximum size of a rule file.
const MAX_BYTES: u64 = 1 << 20;

/// A rule file. It remembers which of its rules matched.
#[derive(Clone, Debug)]
pub struct RuleBook {
    file: String,
    contents: Contents,
    matched: Vec<bool>,
    overrides: Overrides,
}

/// Decisions of a rule file about one picture and target.
pub(super) struct Ruling {
    pub options: TextureOptions,
    /// The use of the picture before those options that follow from its channels and its normal map.
    pub stated: StatedUse,
    /// Name of the output, without extension.
    pub stem: Option<OsString>,
    /// Paths of mip levels from 1, from the folder of the picture.
    pub levels: Vec<OsString>,
    /// Channels that are packed.
    pub packing: ChannelPacking,
    /// Paths of their files, from the folder of the picture.
    pub packed: Vec<OsString>,
    /// Path of the normal map of a roughness map, from the folder of the picture.
    pub normal_map: Option<OsString>,
    pub is_skipped: bool,
    /// Lines of the target and of the rules that matched.
    pub lines: Vec<usize>,
}

impl RuleBook {
    /// Reads a rule file.
    ///
    /// # Errors
    /// [`RuleError`] if the file cannot be read, is not TOML, or has an unknown key or value.
    pub fn read(path: &Path) -> Result<Self, RuleError> {
        let file = path.display().to_string();
        let error = |line, fault| RuleError { file: file.clone(), line, fault };
        let io = |reason: io::Error| match reason.kind() {
            io::ErrorKind::NotFound => error(None, RuleFault::NotFound),
            io::ErrorKind::FileTooLarge => error(None, RuleFault::TooLarge { limit: MAX_BYTES }),
            io::ErrorKind::IsADirectory => error(None, RuleFault::Folder),
            _ => error(None, RuleFault::Io(Arc::new(reason))),
        };
        let bytes = regular_file::read(path, MAX_BYTES).map_err(io)?;
        let text = String::from_utf8(bytes).map_err(|_| error(None, RuleFault::NotText))?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        Self::parse(&file, text)
    }

    /// Parses the text of a rule file. `file` is its name in errors.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn parse(file: &str, text: &str) -> Result<Self, RuleError> {
        let file = file.to_owned();
        match parse(text) {
            Ok(contents) => {
                let matched = vec![false; contents.rules.len()];
                Ok(Self { file, contents, matched, overrides: Overrides::default() })
            }
            Err((line, fault)) => Err(RuleError { file, line, fault }),
        }
    }

    /// Sets options that override those of all targets and rules. Default: none.
    #[must_use]
    pub fn with_overrides(self, overrides: Overrides) -> Self {
        Self { overrides, ..self }
    }

    /// Adds a target whose folder has its name, or changes that of the file. `formats` is a family, such as
    /// `astc`, or a format, in place of those of the file. `origin` names the source in messages.
    ///
    /// # Errors
    /// The reason why this is no name of a folder and of a file, or what is expected in place of `formats`.
    pub fn add_target(&mut self, name: &str, formats: &str, origin: &str) -> Result<(), String> {
        const KEYS: [&str; 2] = ["family", "format"];
        let is_family = formats.parse::<FormatFamily>().is_ok();
        if !is_family && formats.parse::<FormatChoice>().is_err() {
            let families = FormatFamily::ALL.iter().map(|family| family.name());
            let families = families.collect::<Vec<_>>().join(", ");
            return Err(format!("\"{formats}\" is neither a family ({families}) nor a format such as bc7"));
        }
        check_suffix(&format!(".{name}"))
            .map_err(|reason| format!("\"{name}\" cannot be part of a file name: {reason}"))?;
        let folder = folder(name)?;
        let targets = &mut self.contents.targets;
        let known = targets.iter().position(|target| target.name == name);
        let index = known.unwrap_or(targets.len());
        if known.is_none() {
            targets.push(Target::new(name.to_owned(), folder));
        }
        let target = &mut targets[index];
        target.origin = Some(origin.to_owned());
        target.settings.retain(|setting| !KEYS.contains(&setting.name()));
        target.settings.extend(Setting::of_text(KEYS[usize::from(!is_family)], formats));
        Ok(())
    }

    /// Returns the path of the file.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Returns the names of the targets, in the order of the file.
    pub fn target_names(&self) -> impl Iterator<Item = &str> {
        self.contents.targets.iter().map(|target| target.name.as_str())
    }

    /// Checks that the file has a target with this name.
    ///
    /// # Errors
    /// [`RuleFault::NoTarget`].
    pub fn check_target(&self, name: &str) -> Result<(), RuleError> {
        if self.target_names().any(|target| target == name) {
            return Ok(());
        }
        let targets = self.target_names().map(str::to_owned).collect();
        let fault = RuleFault::NoTarget { name: name.to_owned(), targets };
        Err(RuleError { file: self.file.clone(), line: None, fault })
    }

    /// Checks that each rule matched an input, unless it is optional.
    ///
    /// # Errors
    /// [`RuleFault::NoMatch`] with the line of the first rule that did not.
    pub fn check_matched(&self) -> Result<(), RuleError> {
        let rules = self.contents.rules.iter().zip(&self.matched);
        let mut unmatched = rules.filter(|(rule, is_matched)| !**is_matched && !rule.is_optional);
        let Some((rule, _)) = unmatched.next() else { return Ok(()) };
        let patterns = rule.patterns.iter().map(|pattern| format!("\"{}\"", pattern.text())).collect();
        let fault = RuleFault::NoMatch { patterns };
        Err(RuleError { file: self.file.clone(), line: Some(rule.line), fault })
    }

    pub(super) fn targets(&self) -> &[Target] {
        &self.contents.targets
    }

    pub(super) fn overrides(&self) -> &Overrides {
        &self.overrides
    }

    /// Returns the decisions about the picture at `relative`, a path below the input folder with `/` between
    /// folders. `stem` is its name without extension.
    pub(super) fn ruling(
        &mut self,
        base: &TextureOptions,
        target: Option<&Target>,
        relative: &str,
        stem: &OsStr,
    ) -> Result<Ruling, RuleError> {
        let mut ruling = Ruling {
            options: base.clone(),
            stated: StatedUse::of(base),
            stem: None,
            levels: Vec::new(),
            packing: ChannelPacking::new(),
            packed: Vec::new(),
            normal_map: None,
            is_skipped: false,
            lines: Vec::new(),
        };
        let mut settings: Vec<&Setting> = Vec::new();
        if let Some(target) = target {
            ruling.lines.extend(target.line);
            settings.extend(&target.settings);
        }
        let relative = lower_case(relative);
        for (rule, is_matched) in self.contents.rules.iter().zip(&mut self.matched) {
            if !rule.patterns.iter().any(|pattern| pattern.matches(&relative)) {
                continue;
            }
            *is_matched = true;
            if applies_to(rule, target) {
                ruling.lines.push(rule.line);
                settings.extend(&rule.settings);
                ruling.is_skipped = rule.skip.unwrap_or(ruling.is_skipped);
                let sibling = |path: &String| {
                    let error = |fault| RuleError { file: self.file.clone(), line: Some(rule.line), fault };
                    sibling(path, stem).map_err(error)
                };
                // `{base}` of `_rough` is empty, which is no name.
                let name = rule.name.as_ref().map(sibling).transpose()?;
                ruling.stem = name.filter(|name| !name.is_empty()).or(ruling.stem);
                if let Some(files) = &rule.levels {
                    ruling.levels = files.paths().iter().map(sibling).collect::<Result<_, _>>()?;
                }
                if let Some(files) = &rule.channels {
                    ruling.packing = files.packing();
                    ruling.packed = files.paths().iter().map(sibling).collect::<Result<_, _>>()?;
                }
                if let Some(path) = &rule.normal_map {
                    ruling.normal_map =
                        Some(path).filter(|path| !path.is_empty()).map(sibling).transpose()?;
                }
            }
        }
        if let Some(target) = target.filter(|target| !target.suffix.is_empty()) {
            ruling.stem.get_or_insert_with(|| stem.to_owned()).push(&target.suffix);
        }
        settings.extend(self.overrides.settings());
        for setting in effective(&settings) {
            setting.apply(&mut ruling.options).map_err(|reason| {
                let fault = RuleFault::Value { key: setting.name().to_owned(), reason };
                RuleError { file: self.file.clone(), line: ruling.lines.last().copied(), fault }
            })?;
        }
        ruling.options = finished(ruling.options, self.overrides.have_kind());
        let given = u32::try_from(ruling.levels.len()).unwrap_or(u32::MAX).saturating_add(1);
        ruling.stated = StatedUse::of(&ruling.options);
        let has_normals = ruling.normal_map.is_some() || ruling.options.roughness_from_normals;
        ruling.options = ruling.stated.derived(TextureOptions {
            packing: ruling.packing,
            given_mip_levels: given,
            roughness_from_normals: has_normals,
            ..ruling.options
        });
        Ok(ruling)
    }
}

/// Returns a name with the stem of a picture in it. `stem` need not be text.
fn named(pattern: &str, stem: &OsStr) -> OsString {
    let mut name = OsString::new();
    for (index, part) in pattern.split("{stem}").enumerate() {
        if index > 0 {
            name.push(stem);
        }
        name.push(part);
    }
    name
}

/// Returns the name of an output, or the path of a file beside a picture, with this stem. In the pattern,
/// `{base}` is the stem without its last word.
///
/// # Errors
/// [`RuleFault::NotUtf8`] if the last word of the stem is needed, and the stem is not text in UTF-8.
fn sibling(pattern: &str, stem: &OsStr) -> Result<OsString, RuleFault> {
    let mut path = OsString::new();
    for (index, part) in pattern.split("{base}").enumerate() {
        if index > 0 {
            let text = stem.to_str();
            path.push(base_of(text.ok_or_else(|| RuleFault::NotUtf8 { stem: format!("{stem:?}") })?));
        }
        path.push(named(part, stem));
    }
    Ok(path)
}

fn applies_to(rule: &Rule, target: Option<&Target>) -> bool {
    match (&rule.targets, target) {
        (None, _) => true,
        (Some(names), Some(target)) => names.contains(&target.name),
        (Some(_), None) => false,
    }
}
