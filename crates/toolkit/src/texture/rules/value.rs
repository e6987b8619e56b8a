//! Values of rule files.

use toml::de::DeValue;

/// Value of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    Text(String),
    /// A number, in decimal.
    Number(String),
    Flag(bool),
    List(Vec<String>),
}

impl Value {
    /// Returns the value.
    ///
    /// # Errors
    /// The types that are possible.
    pub fn of(value: &DeValue<'_>) -> Result<Self, String> {
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
                let text = |item: &DeValue<'_>| item.as_str().map(str::to_owned);
                let items: Option<Vec<_>> = items.iter().map(|item| text(item.get_ref())).collect();
                items.map(Self::List).ok_or_else(|| "expected a list of texts".to_owned())
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

    /// Returns true or false.
    ///
    /// # Errors
    /// The expected type.
    pub fn flag(&self) -> Result<bool, String> {
        match self {
            Self::Flag(flag) => Ok(*flag),
            _ => Err("expected true or false".to_owned()),
        }
    }

    /// Returns a text or a number. `true` means `default`, and `false` none.
    ///
    /// # Errors
    /// The expected types.
    pub fn text_or<'a>(&'a self, default: &'a str) -> Result<Option<&'a str>, String> {
        match self {
            Self::Flag(flag) => Ok(flag.then_some(default)),
            _ => self.text().map(Some),
        }
    }

    /// Returns a list of texts; one text is a list of one.
    ///
    /// # Errors
    /// The expected types.
    pub fn list(&self) -> Result<Vec<String>, String> {
        match self {
            Self::Text(text) => Ok(vec![text.clone()]),
            Self::List(texts) if !texts.is_empty() => Ok(texts.clone()),
            _ => Err("expected text, or a list of texts".to_owned()),
        }
    }
}
