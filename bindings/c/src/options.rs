//! Options of an encoder, by name.

use crate::{
    pointer::{Handle, In, NewHandle, Out, Text},
    status::{Failure, Status, guarded, spelled},
};
use brickwork_texture::{TextureFormat, encode_memory_bytes};
use brickwork_toolkit::texture::{NamedOptions, OptionRow, Syntax, TextureOptions, Values};
use std::{
    ffi::{CString, c_char},
    ptr,
    sync::{LazyLock, Mutex, PoisonError},
};

/// `brickwork_options`.
#[derive(Debug, Default)]
pub struct Options(Mutex<NamedOptions>);

impl Options {
    /// Returns the options of a call; the defaults for a null handle.
    pub fn of(options: &In<Self>) -> Result<TextureOptions, Failure> {
        match options.get("options")? {
            Some(options) => checked(&options.0.lock().unwrap_or_else(PoisonError::into_inner)),
            None => checked(&NamedOptions::new()),
        }
    }
}

fn checked(named: &NamedOptions) -> Result<TextureOptions, Failure> {
    let mut options = named.resolved()?;
    options.metrics = false;
    Ok(options)
}

/// Returns the format of the options.
///
/// # Errors
/// [`Failure`] if the images decide.
pub fn format_of(options: &TextureOptions) -> Result<TextureFormat, Failure> {
    let automatic = || Failure::argument("format is auto, and this call needs a format");
    options.format.format().ok_or_else(automatic)
}

/// Creates options with their defaults.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_options_create(mut options: NewHandle<Options>) -> Status {
    guarded(|| options.fill("options", || Ok(Options::default())))
}

/// Sets an option.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_options_set(options: Handle<Options>, name: Text, value: Text) -> Status {
    guarded(|| {
        let options = options.get().ok_or_else(|| Failure::argument("options is null"))?;
        let name = name.utf8("name")?;
        let value = value.get().map(|_| value.utf8(name)).transpose()?;
        let mut options = options.0.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(options.set(name, value)?)
    })
}

/// Ends the handle.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_options_free(options: Handle<Options>) {
    options.free();
}

/// Returns the size of a texture and the memory that encoding takes.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_encode_size(
    options: In<Options>,
    width: u32,
    height: u32,
    image_count: usize,
    mut texture_bytes: Out<u64>,
    mut memory_bytes: Out<u64>,
) -> Status {
    guarded(|| {
        let options = Options::of(&options)?;
        let desc = options.shape(format_of(&options)?, [width, height], image_count)?;
        texture_bytes.put_if_given(desc.data_bytes(), "texture_bytes")?;
        memory_bytes.put_if_given(encode_memory_bytes(&desc, &options.encode), "memory_bytes")
    })
}

/// Texts about an option.
struct Description {
    name: CString,
    /// None for a flag.
    values: Option<CString>,
    help: CString,
}

/// All options, in the order of the program's help.
static OPTIONS: LazyLock<Vec<Description>> = LazyLock::new(|| {
    let text = |text: String| CString::new(text).unwrap_or_default();
    let rows = OptionRow::all().filter(|row| row.is_of_bindings());
    let described = rows.map(|row| Description {
        name: text(row.name.to_owned()),
        values: values(row.syntax).map(text),
        help: text(help(row)),
    });
    described.collect()
});

/// Returns the values of an option, such as `layers|faces|slices`.
fn values(syntax: Syntax) -> Option<String> {
    match syntax {
        Syntax::Value(_, Values::Names(names)) => Some(names().join("|")),
        Syntax::Value(_, Values::Known(names)) => Some(names.join("|")),
        Syntax::Value(values, _) => Some(values.to_owned()),
        Syntax::Optional(values, ..) => Some(format!("[{values}]")),
        _ => None,
    }
}

/// Returns the help with the names of options as C code states them: `max-size` for `--max-size`.
fn help(row: &OptionRow) -> String {
    let mut parts = row.help.split("--");
    let first = parts.next().unwrap_or_default().to_owned();
    let default = row.default.map_or_else(String::new, |value| format!(" [default: {value}]"));
    let help = parts.fold(first, |help, part| {
        let end = part.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(part.len());
        help + &spelled(&part[..end]) + &part[end..]
    });
    help + &default
}

/// Returns the number of options.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_option_count() -> usize {
    OPTIONS.len()
}

/// Returns the name of an option, or null.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_option_name(index: usize) -> *const c_char {
    OPTIONS.get(index).map_or(ptr::null(), |option| option.name.as_ptr())
}

/// Returns the values of an option, or null for a flag.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_option_values(index: usize) -> *const c_char {
    OPTIONS.get(index).and_then(|option| option.values.as_ref()).map_or(ptr::null(), |text| text.as_ptr())
}

/// Returns the help of an option, or null.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_option_help(index: usize) -> *const c_char {
    OPTIONS.get(index).map_or(ptr::null(), |option| option.help.as_ptr())
}

#[cfg(test)]
mod c_tests {
    use super::*;

    #[test]
    fn options_are_described() {
        let described = |name: &str| {
            let option = OPTIONS.iter().find(|option| option.name.to_str() == Ok(name)).unwrap();
            let values = option.values.as_ref().map(|values| values.to_str().unwrap());
            (values, option.help.to_str().unwrap())
        };
        let quality = "Trade encoding time for quality [default: normal]";
        assert_eq!(described("quality"), (Some("ultrafast|fast|normal|high|best"), quality));
        assert_eq!(described("mips").0, Some("[N|all|none]"));
        assert_eq!(described("dither").0, None);
        assert!(described("roughness-channel").1.contains("for roughness-from-normals: "));
        assert!(OPTIONS.iter().all(|option| !option.help.to_str().unwrap().contains("--")));
        assert!(!OPTIONS.iter().any(|option| [c"zstd", c"srgb"].contains(&option.name.as_c_str())));
    }
}
