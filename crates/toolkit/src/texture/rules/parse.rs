//! The syntax of a rule file.

use super::{
    RuleFault,
    pattern::{Pattern, check_name, check_suffix, folder},
    setting::{Setting, key_row, keys},
};
use crate::texture::{
    ChannelFiles, LevelFiles, TextureOptions, Value, Values,
    values::{channel_file, level_file, memory_size},
};
use std::path::PathBuf;
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

/// Keys that only rules have.
const RULE_KEYS: [&str; 8] =
    ["files", "targets", "optional", "skip", "name", "channel", "level", "roughness-from"];
/// Expected values of the key `channel`.
const CHANNEL_VALUES: &str = "expected false, or a list of texts such as \"g={base}_rough.png\"";
/// Expected values of the key `level`.
const LEVEL_VALUES: &str = "expected false, or a list of texts such as \"1={stem}_mip1.png\"";
/// Keys that only targets have.
const TARGET_KEYS: [&str; 3] = ["folder", "suffix", "total-size"];

/// Contents of a rule file.
#[derive(Clone, Debug, Default)]
pub(super) struct Contents {
    /// The targets, in the order of the file.
    pub targets: Vec<Target>,
    /// The rules, in the order of the file.
    pub rules: Vec<Rule>,
}

/// One set of outputs.
#[derive(Clone, Debug)]
pub(super) struct Target {
    pub name: String,
    /// The line; none if the target is not the file's.
    pub line: Option<usize>,
    /// Source of the formats in messages; none if it is the file.
    pub origin: Option<String>,
    /// Folder below that of all outputs.
    pub folder: PathBuf,
    /// End of the names of outputs.
    pub suffix: String,
    /// Largest sum of the sizes of all outputs, in bytes.
    pub total: Option<u64>,
    pub settings: Vec<Setting>,
}

impl Target {
    /// Returns a target without options.
    pub const fn new(name: String, folder: PathBuf) -> Self {
        Self {
            name,
            line: None,
            origin: None,
            folder,
            suffix: String::new(),
            total: None,
            settings: Vec::new(),
        }
    }
}

/// Options of the pictures with some names.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    pub line: usize,
    pub patterns: Vec<Pattern>,
    /// Targets to which the rule applies; none for all.
    pub targets: Option<Vec<String>>,
    /// True if the rule may match nothing.
    pub is_optional: bool,
    /// True if the pictures are not encoded; false if they are again.
    pub skip: Option<bool>,
    /// Name of the output, without extension.
    pub name: Option<String>,
    /// Files of packed channels, from the folder of the picture.
    pub channels: Option<ChannelFiles>,
    /// Files of mip levels, from the folder of the picture.
    pub levels: Option<LevelFiles>,
    /// Path of the normal map of a roughness map, from its folder; empty if it has none.
    pub normal_map: Option<String>,
    pub settings: Vec<Setting>,
}

/// A fault and its line.
pub(super) type Fault = (Option<usize>, RuleFault);

/// Parses a rule file.
///
/// # Errors
/// The first fault and its line.
pub(super) fn parse(text: &str) -> Result<Contents, Fault> {
    let lines = Lines::new(text);
    let root = DeTable::parse(text).map_err(|error| {
        let message = error.message().lines().collect::<Vec<_>>().join(", ");
        (error.span().map(|span| lines.of(span.start)), RuleFault::Syntax { message })
    })?;
    let mut contents = Contents::default();
    let mut rules: &[Spanned<DeValue<'_>>] = &[];
    for (key, value) in root.get_ref() {
        let line = lines.of(key.span().start);
        match (key.get_ref().as_ref(), value.get_ref()) {
            ("rule", DeValue::Array(items)) => rules = items,
            ("target", DeValue::Table(targets)) => {
                for (name, target) in targets {
                    contents.targets.push(lines.target(name, target)?);
                }
            }
            ("rule", _) => return Err(fault(line, "rule", "write [[rule]] above each rule")),
            ("target", _) => return Err(fault(line, "target", "write [target.NAME] above each target")),
            (key, _) => {
                let known = vec!["rule", "target"];
                let (key, table) =
                    (key.to_owned(), "the file; options belong to a rule or target".to_owned());
                return Err((Some(line), RuleFault::UnknownKey { key, table, known }));
            }
        }
    }
    contents.targets.sort_by_key(|target| target.line);
    for rule in rules {
        contents.rules.push(lines.rule(rule, &contents.targets)?);
    }
    Ok(contents)
}

/// Line numbers of a text.
struct Lines {
    /// Positions of the ends of lines, in bytes.
    ends: Vec<usize>,
}

impl Lines {
    fn new(text: &str) -> Self {
        Self { ends: text.match_indices('\n').map(|(position, _)| position).collect() }
    }

    /// Returns the line of a position, counted from 1.
    fn of(&self, position: usize) -> usize {
        self.ends.partition_point(|&end| end < position) + 1
    }

    fn target(
        &self,
        name: &Spanned<toml::de::DeString<'_>>,
        target: &Spanned<DeValue<'_>>,
    ) -> Result<Target, Fault> {
        let line = self.of(name.span().start);
        let name = name.get_ref().to_string();
        let title = title_of(&name);
        let DeValue::Table(table) = target.get_ref() else {
            return Err(fault(line, "target", "write [target.NAME] above each target"));
        };
        let default = folder(&name).map_err(|reason| fault(line, &title, reason))?;
        let mut target = Target { line: Some(line), ..Target::new(name, default) };
        let own = self.table(table, &title, &TARGET_KEYS, &mut target.settings)?;
        for (line, key, value) in own {
            let text = value.text().map_err(|reason| fault(line, key, reason))?;
            match key {
                "total-size" => {
                    target.total = Some(memory_size(text).map_err(|reason| fault(line, key, reason))?);
                }
                "folder" => target.folder = folder(text).map_err(|reason| fault(line, key, reason))?,
                _ => {
                    check_suffix(text).map_err(|reason| fault(line, key, reason))?;
                    target.suffix = text.to_owned();
                }
            }
        }
        Ok(target)
    }

    fn rule(&self, rule: &Spanned<DeValue<'_>>, targets: &[Target]) -> Result<Rule, Fault> {
        let line = self.of(rule.span().start);
        let DeValue::Table(table) = rule.get_ref() else {
            return Err(fault(line, "rule", "write [[rule]] above each rule"));
        };
        let (patterns, settings) = (Vec::new(), Vec::new());
        let (targets_of_rule, is_optional, skip, name) = (None, false, None, None);
        let (channels, levels, normal_map) = (None, None, None);
        let mut rule = Rule {
            line,
            patterns,
            targets: targets_of_rule,
            is_optional,
            skip,
            name,
            channels,
            levels,
            normal_map,
            settings,
        };
        let own = self.table(table, "[[rule]]", &RULE_KEYS, &mut rule.settings)?;
        for (line, key, value) in own {
            let of_value = |reason: String| fault(line, key, reason);
            match key {
                "files" => {
                    let patterns = value.list().map_err(of_value)?;
                    let patterns = patterns.iter().map(|pattern| Pattern::parse(pattern));
                    rule.patterns = patterns.collect::<Result<_, _>>().map_err(of_value)?;
                }
                "targets" => {
                    let names = value.list().map_err(of_value)?;
                    let is_unknown = |name: &&String| targets.iter().all(|target| target.name != **name);
                    if let Some(name) = names.iter().find(is_unknown) {
                        let targets = targets.iter().map(|target| target.name.clone()).collect();
                        return Err((Some(line), RuleFault::NoTarget { name: name.clone(), targets }));
                    }
                    rule.targets = Some(names);
                }
                "optional" => rule.is_optional = value.flag().map_err(of_value)?,
                "skip" => rule.skip = Some(value.flag().map_err(of_value)?),
                "channel" if value == Value::Flag(false) => rule.channels = Some(ChannelFiles::default()),
                "channel" => {
                    let list = value.list().map_err(|_| of_value(CHANNEL_VALUES.to_owned()))?;
                    let files = list.iter().map(|text| named(text, channel_file(text)));
                    let files = files.collect::<Result<Vec<_>, _>>();
                    rule.channels = Some(files.and_then(ChannelFiles::new).map_err(of_value)?);
                }
                "level" if value == Value::Flag(false) => rule.levels = Some(LevelFiles::default()),
                "level" => {
                    let list = value.list().map_err(|_| of_value(LEVEL_VALUES.to_owned()))?;
                    let files = list.iter().map(|text| named(text, level_file(text)));
                    let files = files.collect::<Result<Vec<_>, _>>();
                    rule.levels = Some(files.and_then(LevelFiles::new).map_err(of_value)?);
                }
                "roughness-from" if value == Value::Flag(false) => rule.normal_map = Some(String::new()),
                "roughness-from" => {
                    let path = value.text().map_err(|_| of_value("expected a path, or false".to_owned()))?;
                    if path.is_empty() {
                        return Err(of_value("the path is empty; write false for none".to_owned()));
                    }
                    rule.normal_map = Some(path.to_owned());
                }
                _ => {
                    let name = value.text().map_err(of_value)?;
                    check_name(name).map_err(of_value)?;
                    rule.name = Some(name.to_owned());
                }
            }
        }
        if rule.patterns.is_empty() {
            return Err((Some(line), RuleFault::NoFiles));
        }
        Ok(rule)
    }

    /// Returns the lines, keys and values of a table that are among `own`. Options are checked and added to
    /// `settings`.
    fn table(
        &self,
        table: &DeTable<'_>,
        title: &str,
        own: &[&'static str],
        settings: &mut Vec<Setting>,
    ) -> Result<Vec<(usize, &'static str, Value)>, Fault> {
        let mut entries = Vec::new();
        let mut set = Vec::new();
        for (key, value) in table {
            let line = self.of(key.span().start);
            let name = key.get_ref().as_ref();
            let is_own = own.iter().find(|own| **own == name);
            let option = key_row(name);
            if is_own.is_none() && option.is_none() {
                let known = own.iter().copied().chain(keys()).collect();
                let (key, table) = (name.to_owned(), title.to_owned());
                return Err((Some(line), RuleFault::UnknownKey { key, table, known }));
            }
            let value = Value::of(value.get_ref()).map_err(|reason| fault(line, name, reason))?;
            if let Value::Text(text) = &value
                && option.and_then(|row| row.syntax.values()).is_some_and(Values::are_numbers)
                && text.trim().parse::<f64>().is_ok()
            {
                let reason =
                    format!("{value}: expected a number, not a text; write {name} = {}", text.trim());
                return Err(fault(line, name, reason));
            }
            if let Some(own) = is_own {
                entries.push((line, *own, value));
            } else if let Some(setting) = Setting::new(name, value) {
                let checked = setting.apply(&mut TextureOptions::default());
                checked.map_err(|reason| fault(line, name, reason))?;
                set.push((!setting.is_first(), line, setting));
            }
        }
        set.sort_by_key(|(is_later, line, _)| (*is_later, *line));
        for (index, (_, line, setting)) in set.iter().enumerate() {
            if let Some((_, _, other)) = set[..index].iter().find(|(_, _, other)| setting.excludes(other)) {
                let keys = [other.name(), setting.name()];
                return Err((Some(*line), RuleFault::Exclusive { keys }));
            }
        }
        settings.extend(set.into_iter().map(|(_, _, setting)| setting));
        Ok(entries)
    }
}

/// Adds the text of a list to the reason why it is no value.
fn named<T>(text: &str, value: Result<T, String>) -> Result<T, String> {
    value.map_err(|reason| format!("\"{text}\": {reason}"))
}

/// Returns the line above a target, in which TOML quotes some names.
fn title_of(target: &str) -> String {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if !target.is_empty() && target.chars().all(is_bare) {
        format!("[target.{target}]")
    } else {
        format!("[target.\"{target}\"]")
    }
}

fn fault(line: usize, key: &str, reason: impl Into<String>) -> Fault {
    (Some(line), RuleFault::Value { key: key.to_owned(), reason: reason.into() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_position_has_its_line() {
        let text = "a\n\nbc\r\nd";
        let lines = Lines::new(text);
        for position in 0..=text.len() {
            let expected = text[..position].matches('\n').count() + 1;
            assert_eq!(lines.of(position), expected, "{position}");
        }
        assert_eq!((lines.of(100), Lines::new("").of(0)), (4, 1));
    }
}
