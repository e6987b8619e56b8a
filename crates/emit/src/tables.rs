//! Tables of kernels, each emitted once.

use crate::code::{Data, module};
use base64::{Engine as _, prelude::BASE64_STANDARD};

/// Tables by name, with their contents.
#[derive(Debug, Default)]
pub(crate) struct Tables(Vec<(String, Vec<u8>)>);

impl Tables {
    /// Adds a table, and returns its name. Tables with the same contents have one name.
    pub fn add(&mut self, label: &str, contents: &[u8]) -> String {
        if let Some((name, _)) = self.0.iter().find(|(_, known)| known == contents) {
            return name.clone();
        }
        let slug = label.to_ascii_lowercase().replace(|c: char| !c.is_ascii_alphanumeric(), "-");
        let is_taken = |name: &str| self.0.iter().any(|(known, _)| known == name);
        let mut numbers = 2..;
        let mut name = slug.clone();
        while is_taken(&name)
            && let Some(number) = numbers.next()
        {
            name = format!("{slug}-{number}");
        }
        self.0.push((name.clone(), contents.to_vec()));
        name
    }

    /// Returns each table's name and module.
    pub fn modules(&self) -> impl Iterator<Item = (&str, String)> {
        self.0.iter().map(|(name, contents)| {
            let text = BASE64_STANDARD.encode(contents);
            (name.as_str(), module(&[], "string", &Data::Text(text)))
        })
    }
}
