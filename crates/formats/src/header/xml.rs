//! Attributes of XML elements.

use crate::{
    FormatError,
    header::{geometry::Field, header_text::short},
};
use quick_xml::{XmlVersion, events::BytesStart};
use std::str::FromStr;

/// Returns the text of an attribute, if it is present.
pub fn text(tag: &BytesStart<'_>, name: &'static str) -> Result<Option<String>, FormatError> {
    let Some(attribute) = tag.try_get_attribute(name).map_err(|_| bad(tag, name))? else { return Ok(None) };
    let value = attribute.normalized_value(XmlVersion::Implicit1_0).map_err(|_| bad(tag, name))?;
    Ok(Some(value.into_owned()))
}

/// Returns the number in an attribute, if it is present.
pub fn number<T: FromStr>(tag: &BytesStart<'_>, name: &'static str) -> Result<Option<T>, FormatError> {
    let Some(text) = text(tag, name)? else { return Ok(None) };
    text.trim().parse().map(Some).map_err(|_| bad(tag, name))
}

/// Returns the `N` numbers in an attribute, separated by white space.
pub fn numbers<T: FromStr, const N: usize>(
    tag: &BytesStart<'_>,
    name: &'static str,
) -> Result<Option<[T; N]>, FormatError> {
    let Some(text) = text(tag, name)? else { return Ok(None) };
    let numbers: Option<Vec<T>> = text.split_whitespace().map(|n| n.parse().ok()).collect();
    numbers.and_then(|n| n.try_into().ok()).map(Some).ok_or_else(|| bad(tag, name))
}

/// Returns the `N` finite numbers of the geometry in an attribute, separated by white space, and their text.
pub fn geometry<const N: usize>(
    tag: &BytesStart<'_>,
    name: &'static str,
) -> Result<Option<(String, [f64; N])>, FormatError> {
    let Some(text) = text(tag, name)? else { return Ok(None) };
    let numbers = Field { name, text: &text }.finite_numbers(N, ' ')?;
    let numbers = <[f64; N]>::try_from(numbers).map_err(|_| bad(tag, name))?;
    Ok(Some((text, numbers)))
}

/// Returns the error that an attribute has an invalid value.
pub fn bad(tag: &BytesStart<'_>, attribute: &'static str) -> FormatError {
    let value = tag.try_get_attribute(attribute).ok().flatten();
    let text = value.map_or(String::new(), |value| short(&value.value));
    FormatError::Attribute { element: short(tag.name().0), attribute, text }
}
