//! Values of options, as texts.

use std::{borrow::Cow, fmt};
use toml::de::DeValue;

/// Value of an option. It is displayed as in a rule file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Value {
    /// A text.
    Text(String),
    /// A number, in decimal.
    Number(String),
    /// True or false.
    Flag(bool),
    /// Several values.
    List(Vec<Self>),
}

impl Value {
    /// Returns the value of a text.
    pub(super) fn of_text(text: &str) -> Self {
        Self::Text(text.to_owned())
    }

    /// Returns the value of a number.
    pub(super) fn of_number(number: impl fmt::Display) -> Self {
        Self::Number(number.to_string())
    }

    /// Returns the value of a rule file.
    ///
    /// # Errors
    /// The types that are possible.
    pub(in crate::texture) fn of(value: &DeValue<'_>) -> Result<Self, String> {
        let of_type = |found: &str| format!("expected text, a number, true, false or a list, not a {found}");
        match value {
            DeValue::String(text) => Ok(Self::Text(text.clone().into_owned())),
            DeValue::Integer(number) => {
                let number = i64::from_str_radix(number.as_str(), number.radix());
                number.map(|number| Self::Number(number.to_string())).map_err(|error| error.to_string())
            }
            DeValue::Float(number) => Ok(Self::Number(number.as_str().to_owned())),
            DeValue::Boolean(flag) => Ok(Self::Flag(*flag)),
            DeValue::Array(items) => {
                let items = items.iter().map(|item| Self::of(item.get_ref()));
                items.collect::<Result<Vec<_>, _>>().map(Self::List)
            }
            DeValue::Datetime(_) | DeValue::Table(_) => Err(of_type(value.type_str())),
        }
    }

    /// Returns a text or a number as text.
    ///
    /// # Errors
    /// The expected type.
    pub fn text(&self) -> Result<&str, String> {
        match self {
            Self::Text(text) | Self::Number(text) => Ok(text),
            Self::Flag(_) | Self::List(_) => Err("expected text or a number".to_owned()),
        }
    }

    /// Returns a text or a number, or those of a list, with commas between them.
    ///
    /// # Errors
    /// The expected types.
    pub(super) fn joined(&self) -> Result<Cow<'_, str>, String> {
        let expected = |_| "expected text, a number, or a list of them".to_owned();
        match self {
            Self::List(items) => {
                let texts = items.iter().map(Self::text).collect::<Result<Vec<_>, _>>();
                texts.map(|texts| Cow::Owned(texts.join(","))).map_err(expected)
            }
            _ => self.text().map(Cow::Borrowed).map_err(expected),
        }
    }

    /// Returns the reason why this is no value, with the value unless the reason has it.
    pub(in crate::texture) fn fault(&self, reason: String) -> String {
        let is_named = match self {
            Self::Text(text) | Self::Number(text) => reason.contains(&format!("\"{text}\"")),
            Self::Flag(_) | Self::List(_) => false,
        };
        if is_named { reason } else { format!("{self}: {reason}") }
    }

    /// Returns true or false.
    ///
    /// # Errors
    /// The expected type.
    pub(in crate::texture) fn flag(&self) -> Result<bool, String> {
        match self {
            Self::Flag(flag) => Ok(*flag),
            _ => Err("expected true or false".to_owned()),
        }
    }

    /// Returns a text or a number. `true` means `default`, and `false` none.
    ///
    /// # Errors
    /// The expected types.
    pub(super) fn text_or<'a>(&'a self, default: &'a str) -> Result<Option<&'a str>, String> {
        match self {
            Self::Flag(flag) => Ok(flag.then_some(default)),
            _ => self.text().map(Some),
        }
    }

    /// Returns a list of texts; one text is a list of one.
    ///
    /// # Errors
    /// The expected types.
    pub(in crate::texture) fn list(&self) -> Result<Vec<String>, String> {
        let text = |value: &Self| match value {
            Self::Text(text) => Some(text.clone()),
            _ => None,
        };
        let texts: Option<Vec<_>> = match self {
            Self::List(items) if !items.is_empty() => items.iter().map(text).collect(),
            value => text(value).map(|text| vec![text]),
        };
        texts.ok_or_else(|| "expected text, or a list of texts".to_owned())
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => write!(f, "\"{text}\""),
            Self::Number(number) => f.write_str(number),
            Self::Flag(flag) => write!(f, "{flag}"),
            Self::List(items) => {
                let items: Vec<_> = items.iter().map(ToString::to_string).collect();
                write!(f, "[{}]", items.join(", "))
            }
        }
    }
}
