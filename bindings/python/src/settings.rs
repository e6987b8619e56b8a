//! Options of the program's `encode`, from keyword arguments.

use crate::errors;
use brickwork_toolkit::texture::{OptionsError, Overrides, RuleFault, TextureOptions};
use pyo3::{exceptions::PyValueError, prelude::*};

/// Returns the options with these keys and values.
///
/// # Errors
/// `ValueError`, which names the argument.
pub fn options_of(settings: &[(String, String)]) -> PyResult<TextureOptions> {
    let mut overrides = Overrides::new("arguments");
    for (key, value) in settings {
        overrides
            .add(key, value)
            .map_err(|reason| PyValueError::new_err(format!("{}: {reason}", errors::argument(key))))?;
    }
    overrides.applied_to(&TextureOptions::default()).map_err(|fault| {
        PyValueError::new_err(match fault {
            RuleFault::Exclusive { keys: options } => {
                OptionsError::Exclusive { options }.with_option_names(errors::argument)
            }
            RuleFault::Value { key, reason } => format!("{}: {reason}", errors::argument(&key)),
            fault => fault.to_string(),
        })
    })
}
