//! Environment variables that select an instruction set.

use crate::ErrorKind;
use std::{env, ffi::OsStr};

/// Value of an environment variable that is not the name of an instruction set that can be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{variable} is {value:?}; this program can use {available} on this CPU")]
pub struct SimdVariableError {
    variable: &'static str,
    value: String,
    available: String,
}

impl SimdVariableError {
    /// Returns the kind, which is always [`ErrorKind::Argument`].
    pub fn kind(&self) -> ErrorKind {
        ErrorKind::Argument
    }
}

/// Returns the instruction set that the environment variable `variable` names. `available` contains the names
/// and instruction sets that can be used. Returns `None` if the variable is unset or empty.
///
/// # Errors
/// [`SimdVariableError`] if the value is not one of the names.
pub fn simd_variable<T: Copy>(
    variable: &'static str,
    available: &[(&'static str, T)],
) -> Result<Option<T>, SimdVariableError> {
    selected(variable, &env::var_os(variable).unwrap_or_default(), available)
}

fn selected<T: Copy>(
    variable: &'static str,
    value: &OsStr,
    available: &[(&'static str, T)],
) -> Result<Option<T>, SimdVariableError> {
    if value.is_empty() {
        return Ok(None);
    }
    match available.iter().find(|(name, _)| value == *name) {
        Some(&(_, level)) => Ok(Some(level)),
        None => Err(SimdVariableError {
            variable,
            value: value.to_string_lossy().into_owned(),
            available: available.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", "),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_names_are_refused() {
        let of = |value: &str| selected("SIMD", OsStr::new(value), &[("plain", 1), ("avx2", 2)]);
        assert_eq!([of(""), of("plain"), of("avx2")], [Ok(None), Ok(Some(1)), Ok(Some(2))]);
        for value in ["AVX2", "avx2 ", "avx512"] {
            let text = of(value).unwrap_err().to_string();
            assert_eq!(text, format!("SIMD is {value:?}; this program can use plain, avx2 on this CPU"));
        }
    }
}
