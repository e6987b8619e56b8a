//! WGSL of kernels in parts, each emitted once.

use crate::minified;
use brickwork_texture::gpu::Kernel;
use std::collections::{BTreeMap, BTreeSet};

/// Minified WGSL by group and name. A group becomes one file of the web package.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parts {
    groups: BTreeMap<String, BTreeMap<String, String>>,
}

/// A kernel's parts, in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct KernelParts {
    pub names: Vec<String>,
    pub groups: BTreeSet<String>,
}

impl Parts {
    /// Adds a kernel's parts. Files of `gpu/` that no group has yet belong to the group `home`, as do
    /// constants of kernels without files of a format.
    pub(crate) fn add(&mut self, kernel: &Kernel, home: &str) -> KernelParts {
        let pieces = kernel.pieces();
        let own = pieces.iter().find_map(|(path, _)| path.and_then(format_of)).unwrap_or(home);
        let mut added = KernelParts::default();
        for (path, text) in pieces {
            let text = minified(text);
            let (group, name) = match path {
                Some(path) => (self.group_of(path, home), name_of(path)),
                None => (own.to_owned(), self.constants_name(own, &text)),
            };
            self.groups.entry(group.clone()).or_default().insert(name.clone(), text);
            added.names.push(name);
            added.groups.insert(group);
        }
        added
    }

    /// Returns the parts of each group, by name.
    pub fn groups(&self) -> impl Iterator<Item = (&str, &BTreeMap<String, String>)> {
        self.groups.iter().map(|(group, parts)| (group.as_str(), parts))
    }

    fn group_of(&self, path: &str, home: &str) -> String {
        if let Some(format) = format_of(path) {
            return format.to_owned();
        }
        if path.starts_with("bc/real_time/") || path == "bc/sixteen.wgsl" {
            return "bc-real-time".to_owned();
        }
        if let Some((folder @ ("bc" | "real_time"), _)) = path.split_once('/') {
            return folder.replace('_', "-");
        }
        let name = name_of(path);
        let known = self.groups.iter().find(|(_, parts)| parts.contains_key(&name));
        known.map_or_else(|| home.to_owned(), |(group, _)| group.clone())
    }

    /// Returns the name of constants: a known one for the same text, else a new one.
    fn constants_name(&self, group: &str, text: &str) -> String {
        let prefix = format!("{group} constants ");
        let known =
            self.groups.get(group).into_iter().flatten().filter(|(name, _)| name.starts_with(&prefix));
        let mut count = 0;
        for (name, constants) in known {
            if constants == text {
                return name.clone();
            }
            count += 1;
        }
        format!("{prefix}{}", count + 1)
    }
}

/// Returns the folder of a format's file: `bc1` for `bc/bc1/fit.wgsl`, `etc` for `etc/eac/real_time.wgsl`.
fn format_of(path: &str) -> Option<&str> {
    let (folder, _) = path.strip_prefix("bc/").unwrap_or(path).split_once('/')?;
    (folder.starts_with("bc") || ["astc", "etc"].contains(&folder)).then_some(folder)
}

/// Returns the part's name: `bc1/fit` for `bc/bc1/fit.wgsl`.
fn name_of(path: &str) -> String {
    let path = path.strip_suffix(".wgsl").unwrap_or(path);
    path.strip_prefix("bc/").unwrap_or(path).to_owned()
}
