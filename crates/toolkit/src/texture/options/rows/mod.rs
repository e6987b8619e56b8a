//! The table of options, in the order of the program's help.

mod alpha;
mod blocks;
mod color;
mod file;
mod format;
mod input;
mod mips;
mod pictures;
mod size;

use super::{OptionRow, Value};
pub(in crate::texture) use blocks::is_optimised;
use std::{fmt, str::FromStr};

/// All options of textures.
pub(super) static TABLE: [&[OptionRow]; 9] = [
    file::ROWS,
    format::ROWS,
    pictures::ROWS,
    blocks::ROWS,
    alpha::ROWS,
    color::ROWS,
    size::ROWS,
    mips::ROWS,
    input::ROWS,
];

/// JSON Schemas of settings.
const BOOLEAN: &str = r#"{"type":"boolean"}"#;
const STRING: &str = r#"{"type":"string"}"#;
const STRING_OR_NULL: &str = r#"{"type":["string","null"]}"#;

/// Returns the names of values.
fn names<T: Copy>(all: &[T], name: fn(T) -> &'static str) -> Vec<&'static str> {
    all.iter().map(|&value| name(value)).collect()
}

/// Parses a value.
fn parsed<T: FromStr<Err: fmt::Display>>(value: &Value) -> Result<T, String> {
    of_text(value.text()?)
}

fn of_text<T: FromStr<Err: fmt::Display>>(text: &str) -> Result<T, String> {
    text.parse::<T>().map_err(|error| error.to_string())
}

/// Parses the value of an option that is not used by default. `false` is `None`.
fn optional<T>(value: &Value, parse: impl FnOnce(&str) -> Result<T, String>) -> Result<Option<T>, String> {
    match value {
        Value::Flag(false) => Ok(None),
        value => {
            let text = value.text().map_err(|reason| format!("{reason}, or false for none"))?;
            parse(text).map(Some)
        }
    }
}

/// Values of an option whose default is a decision by the pictures.
const SWITCH: &[&str] = &["yes", "no", "auto"];

/// Parses one of [`SWITCH`], or a flag of a rule file; `auto` is `None`.
fn switch(value: &Value) -> Result<Option<bool>, String> {
    match value {
        Value::Flag(flag) => Ok(Some(*flag)),
        _ => match value.text() {
            Ok("yes") => Ok(Some(true)),
            Ok("no") => Ok(Some(false)),
            Ok("auto") => Ok(None),
            _ => Err("expected yes, no or auto".to_owned()),
        },
    }
}

/// Returns the value of a flag, unless it is false.
fn flag_value(flag: bool) -> Option<Value> {
    flag.then_some(Value::Flag(true))
}

/// Returns a value by its name, unless it is the default.
fn choice<T: Copy + PartialEq>(value: T, default: T, name: fn(T) -> &'static str) -> Option<Value> {
    (value != default).then(|| Value::of_text(name(value)))
}

/// Returns a single float for JSON, with as many digits as it needs.
fn json_single(number: f32) -> serde_json::Value {
    number.to_string().parse::<f64>().unwrap_or(f64::NAN).into()
}
