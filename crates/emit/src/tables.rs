//! Tables of kernels, each emitted once.

use crate::code::{Data, module};
use std::collections::BTreeSet;

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
            let kind = [("type Table".to_owned(), "../../data.js".to_owned())];
            (name.as_str(), module(&kind, "Table", &table(contents)))
        })
    }
}

/// Returns a table's words, or the differences of successive words modulo 2³² as signed numbers, the first
/// from 0: the list with fewer distinct values. gzip makes both smaller than Base64.
fn table(contents: &[u8]) -> Data {
    let words: Vec<_> = contents.as_chunks::<4>().0.iter().map(|&word| u32::from_le_bytes(word)).collect();
    let mut before = 0;
    let differences = words.iter().map(|&word| word.wrapping_sub(std::mem::replace(&mut before, word)));
    let differences: Vec<_> = differences.map(u32::cast_signed).collect();
    let are_fewer = BTreeSet::from_iter(&differences).len() < BTreeSet::from_iter(&words).len();
    let (key, numbers): (_, Vec<Data>) = if are_fewer {
        ("differences", differences.into_iter().map(|number| Data::Number(number.into())).collect())
    } else {
        ("words", words.into_iter().map(Data::from).collect())
    };
    Data::object([(key, Data::List(numbers))])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fewer_values_are_written_and_differences_wrap() {
        let table_of =
            |words: &[u32]| table(&words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>());
        let listed = |key, numbers: &[f64]| {
            Data::object([(key, Data::List(numbers.iter().map(|&number| Data::Number(number)).collect()))])
        };
        assert_eq!(table_of(&[7, 1, 4, 1, 7]), listed("words", &[7.0, 1.0, 4.0, 1.0, 7.0]));
        let half = 2_147_483_648.0;
        let words = [1 << 31, 0, 1 << 31, u32::MAX, u32::MAX - (1 << 31)];
        assert_eq!(table_of(&words), listed("differences", &[-half, -half, -half, half - 1.0, -half]));
    }
}
