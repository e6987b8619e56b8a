//! Tables of kernels, each emitted once.

use crate::code::{Data, module};

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
            (name.as_str(), module(&[], "readonly number[]", &Data::List(differences(contents))))
        })
    }
}

/// Returns the differences of successive words modulo 2³², as signed numbers, the first from 0. gzip makes
/// them smaller than Base64.
fn differences(contents: &[u8]) -> Vec<Data> {
    let mut before = 0u32;
    let words = contents.as_chunks::<4>().0.iter().map(|&word| u32::from_le_bytes(word));
    words
        .map(|word| {
            let difference = word.wrapping_sub(before).cast_signed();
            before = word;
            Data::Number(difference.into())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_wrap() {
        let words = [5u32, 3, u32::MAX, 0x8000_0000];
        let bytes: Vec<u8> = words.into_iter().flat_map(u32::to_le_bytes).collect();
        let expected = [5.0, -2.0, -4.0, -2_147_483_647.0].map(Data::Number);
        assert_eq!(differences(&bytes), expected);
    }
}
