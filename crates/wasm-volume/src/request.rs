//! Fields of the JSON objects that the host passes.

use crate::failure::Failure;
use serde_json::Value;

/// A JSON object. Fields that are absent or null have their defaults.
#[derive(Debug)]
pub struct Request(Value);

impl Request {
    /// Reads an object.
    pub fn parse(text: &[u8]) -> Result<Self, Failure> {
        // Parsed as a string, like metadata: `from_slice` would link a second parser.
        match std::str::from_utf8(text).map(serde_json::from_str) {
            Ok(Ok(value @ Value::Object(_))) => Ok(Self(value)),
            _ => Err(Failure::argument("the options are not a JSON object")),
        }
    }

    fn field(&self, name: &str) -> Option<&Value> {
        self.0.get(name).filter(|value| !value.is_null())
    }

    /// Returns what `read` makes of a field; `what` describes it for errors.
    fn read<'a, T>(
        &'a self,
        name: &str,
        what: &str,
        read: impl FnOnce(&'a Value) -> Option<T>,
    ) -> Result<Option<T>, Failure> {
        let Some(value) = self.field(name) else { return Ok(None) };
        match read(value) {
            Some(read) => Ok(Some(read)),
            None => Err(Failure::argument(format!("{name} is {value}, which is not {what}"))),
        }
    }

    /// Returns a number.
    pub fn number(&self, name: &str) -> Result<Option<f64>, Failure> {
        self.read(name, "a number", Value::as_f64)
    }

    /// Returns a whole number from 0 on.
    pub fn count(&self, name: &str) -> Result<Option<u64>, Failure> {
        self.read(name, "a whole number", |value| value.as_f64().and_then(whole))
    }

    /// Returns a number of bytes or pixels: a whole number below 2³².
    pub fn size(&self, name: &str) -> Result<Option<u32>, Failure> {
        let size = |value: &Value| u32::try_from(value.as_f64().and_then(whole)?).ok();
        self.read(name, "a whole number below 4294967296", size)
    }

    /// Returns a bool. Default: false.
    pub fn flag(&self, name: &str) -> Result<bool, Failure> {
        Ok(self.read(name, "true or false", Value::as_bool)?.unwrap_or_default())
    }

    /// Returns a text.
    pub fn text(&self, name: &str) -> Result<Option<&str>, Failure> {
        self.read(name, "a text", Value::as_str)
    }

    /// Returns one of `choices`, by its name.
    pub fn choice<T: Copy>(&self, name: &str, choices: &[(&str, T)]) -> Result<Option<T>, Failure> {
        let Some(text) = self.text(name)? else { return Ok(None) };
        let found = choices.iter().find(|(known, _)| *known == text);
        let names = || choices.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
        let unknown = || Failure::argument(format!("{name} is \"{text}\"; there are {}", names()));
        found.map(|(_, choice)| Some(*choice)).ok_or_else(unknown)
    }

    /// Returns a list of `N` numbers.
    pub fn numbers<const N: usize>(&self, name: &str) -> Result<Option<[f64; N]>, Failure> {
        let numbers = |value: &Value| numbers(value)?.try_into().ok();
        self.read(name, &format!("a list of {N} numbers"), numbers)
    }

    /// Returns a list of whole numbers from 0 to `most`.
    pub fn counts(&self, name: &str, most: u64) -> Result<Option<Vec<u64>>, Failure> {
        let Some(list) = self.read(name, "a list of numbers", Value::as_array)? else { return Ok(None) };
        let count = |value: &Value| {
            let wrong = || {
                Failure::argument(format!("{name} has {value}, which is not a whole number from 0 to {most}"))
            };
            value.as_f64().and_then(whole).filter(|&count| count <= most).ok_or_else(wrong)
        };
        list.iter().map(count).collect::<Result<_, _>>().map(Some)
    }

    /// Returns the texts of a list; none if it is absent.
    pub fn texts(&self, name: &str) -> Result<Vec<String>, Failure> {
        let texts =
            |value: &Value| value.as_array()?.iter().map(|text| text.as_str().map(str::to_owned)).collect();
        Ok(self.read(name, "a list of texts", texts)?.unwrap_or_default())
    }

    /// Returns an object as text; empty if it is absent.
    pub fn object_text(&self, name: &str) -> Result<String, Failure> {
        let text = |value: &Value| value.is_object().then(|| value.to_string());
        Ok(self.read(name, "an object", text)?.unwrap_or_default())
    }

    /// Returns a list of lists of numbers.
    pub fn lists(&self, name: &str) -> Result<Option<Vec<Vec<f64>>>, Failure> {
        let lists = |value: &Value| value.as_array()?.iter().map(numbers).collect();
        self.read(name, "a list of lists of numbers", lists)
    }
}

/// Returns a double as a whole number from 0 to 9·10¹⁵, or `None` if it is not one.
pub fn whole(number: f64) -> Option<u64> {
    (number.fract() == 0.0 && (0.0..=9e15).contains(&number)).then_some(number as u64)
}

fn numbers(value: &Value) -> Option<Vec<f64>> {
    value.as_array()?.iter().map(Value::as_f64).collect()
}
