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

/// Minimum number of quotients in a row that become a separate part.
const MIN_QUOTIENTS: usize = 16;
/// Divisors of quotients: those of reciprocals, and of numbers of 8 bits.
const DIVISORS: [u16; 2] = [1, 255];

/// Returns the parts of a table: quotients where it has many in a row, and words or differences elsewhere.
fn table(contents: &[u8]) -> Data {
    let words: Vec<_> = contents.as_chunks::<4>().0.iter().map(|&word| u32::from_le_bytes(word)).collect();
    let (mut parts, mut start, mut at) = (Vec::new(), 0, 0);
    while at < words.len() {
        let Some(([dividend, divisor], count)) = quotients(&words[at..]) else {
            at += 1;
            continue;
        };
        parts.extend(plain(&words[start..at]));
        let numbers = [dividend.into(), divisor.into(), count as f64].map(Data::Number);
        parts.push(Data::object([("quotients", Data::List(numbers.to_vec()))]));
        at += count;
        start = at;
    }
    parts.extend(plain(&words[start..]));
    Data::List(parts)
}

/// Returns dividend, divisor and length of the longest run of quotients at the start: 0, and then single
/// floats dividend / (divisor · n) for n from 1.
fn quotients(words: &[u32]) -> Option<([u16; 2], usize)> {
    if words.first() != Some(&0) {
        return None;
    }
    let mut longest: Option<([u16; 2], usize)> = None;
    for divisor in DIVISORS {
        for dividend in 1..=255 {
            // Both are exact, and the quotient is rounded once.
            let quotient = |n: u16| f32::from(dividend) / (f32::from(divisor) * f32::from(n));
            let following =
                words[1..].iter().zip(1..).take_while(|&(&word, n)| word == quotient(n).to_bits());
            let count = 1 + following.count();
            if count >= MIN_QUOTIENTS && longest.is_none_or(|(_, most)| count > most) {
                longest = Some(([dividend, divisor], count));
            }
        }
    }
    longest
}

/// Returns words, or the differences of successive words modulo 2³² as signed numbers, the first from 0: the
/// list with fewer distinct values. gzip makes both smaller than Base64. `None` if there are no words.
fn plain(words: &[u32]) -> Option<Data> {
    let mut before = 0;
    let differences = words.iter().map(|&word| word.wrapping_sub(std::mem::replace(&mut before, word)));
    let differences: Vec<_> = differences.map(u32::cast_signed).collect();
    let are_fewer = BTreeSet::from_iter(&differences).len() < BTreeSet::from_iter(words).len();
    let (key, numbers): (_, Vec<Data>) = if are_fewer {
        ("differences", differences.into_iter().map(|number| Data::Number(number.into())).collect())
    } else {
        ("words", words.iter().copied().map(Data::from).collect())
    };
    (!words.is_empty()).then(|| Data::object([(key, Data::List(numbers))]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table_of(words: &[u32]) -> Data {
        table(&words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>())
    }

    fn listed(key: &str, numbers: &[f64]) -> Data {
        Data::object([(key, Data::List(numbers.iter().map(|&number| Data::Number(number)).collect()))])
    }

    #[test]
    fn the_fewer_values_are_written_and_differences_wrap() {
        let words = listed("words", &[7.0, 1.0, 4.0, 1.0, 7.0]);
        assert_eq!(table_of(&[7, 1, 4, 1, 7]), Data::List(vec![words]));
        let half = 2_147_483_648.0;
        let words = [1 << 31, 0, 1 << 31, u32::MAX, u32::MAX - (1 << 31)];
        let differences = listed("differences", &[-half, -half, -half, half - 1.0, -half]);
        assert_eq!(table_of(&words), Data::List(vec![differences]));
    }

    #[test]
    fn runs_of_quotients_are_parts() {
        let quotient = |n: u16| if n == 0 { 0.0 } else { 31.0 / (255.0 * f32::from(n)) };
        let mut words = vec![5, 5];
        words.extend((0..300).map(|n| quotient(n).to_bits()));
        words.extend((0..15).map(|n| (quotient(n) * 255.0).to_bits()));
        let Data::List(parts) = table_of(&words) else { panic!("not a list") };
        assert_eq!(parts[..2], [listed("words", &[5.0, 5.0]), listed("quotients", &[31.0, 255.0, 300.0])]);
        // The second run is too short.
        assert_eq!(parts.len(), 3);
        assert_eq!(table_of(&words[2..302]), Data::List(vec![parts[1].clone()]));
    }
}
