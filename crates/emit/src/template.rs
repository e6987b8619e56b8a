//! Parameters of kernels as words, each a constant or a field.

use crate::EmitError;

/// One word of parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// Constant.
    Constant(u32),
    /// Field with this name.
    Field(&'static str),
}

/// Words of a kernel's parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template(Vec<Word>);

/// Values of the fields, and the words that result from them.
#[derive(Clone, Debug)]
pub(crate) struct Probe {
    pub fields: Vec<(&'static str, u32)>,
    pub words: Vec<u32>,
}

impl Template {
    /// Returns the template that has given the words of all probes. The values of each field must differ
    /// between probes, and from those of other fields.
    ///
    /// # Errors
    /// [`EmitError::Word`] if a word has no explanation. `what` names the parameters.
    pub(crate) fn of_probes(what: &str, probes: &[Probe]) -> Result<Self, EmitError> {
        let word_count = probes.first().map_or(0, |probe| probe.words.len());
        let word = |i: usize| {
            let values: Vec<_> = probes.iter().map(|probe| probe.words.get(i).copied()).collect();
            if let Some(&Some(first)) = values.first()
                && values.iter().all(|&value| value == Some(first))
            {
                return Ok(Word::Constant(first));
            }
            let names = probes.first().map_or(&[][..], |probe| &probe.fields[..]);
            let mut fields = (0..names.len()).filter(|&f| {
                probes.iter().zip(&values).all(|(probe, &value)| value == probe.fields.get(f).map(|f| f.1))
            });
            match (fields.next(), fields.next()) {
                (Some(f), None) => Ok(Word::Field(names[f].0)),
                _ => Err(EmitError::Word { what: what.to_owned(), word: i }),
            }
        };
        (0..word_count).map(word).collect::<Result<_, _>>().map(Self)
    }

    /// Returns the words, in order.
    #[must_use]
    pub fn words(&self) -> &[Word] {
        &self.0
    }

    /// Returns the parameters for these values of the fields. A field that is not given is 0.
    #[must_use]
    pub fn filled(&self, fields: &[(&'static str, u32)]) -> Vec<u32> {
        let value = |name| fields.iter().find(|(known, _)| *known == name).map_or(0, |&(_, value)| value);
        let words = self.0.iter().map(|word| match *word {
            Word::Constant(value) => value,
            Word::Field(name) => value(name),
        });
        words.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn probe(a: u32, b: u32, words: &[u32]) -> Probe {
        Probe { fields: vec![("a", a), ("b", b)], words: words.to_vec() }
    }

    #[test]
    fn words_are_constants_or_fields() {
        let probes = [probe(10, 20, &[20, 7, 10]), probe(11, 23, &[23, 7, 11])];
        let template = Template::of_probes("x", &probes).unwrap();
        assert_eq!(template.words(), [Word::Field("b"), Word::Constant(7), Word::Field("a")]);
        assert_eq!(template.filled(&[("b", 2), ("a", 1)]), [2, 7, 1]);
    }

    #[test]
    fn a_word_without_explanation_is_an_error() {
        let probes = [probe(10, 20, &[1, 30]), probe(11, 23, &[1, 34])];
        let error = Template::of_probes("x", &probes).unwrap_err();
        assert_eq!(error.to_string(), "x: word 1 of the parameters is neither a constant nor a field");
        // Words that are missing in a probe.
        let probes = [probe(10, 20, &[10]), probe(11, 23, &[])];
        assert!(Template::of_probes("x", &probes).is_err());
    }
}
