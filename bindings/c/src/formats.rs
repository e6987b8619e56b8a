//! Block formats: names and sizes.

use crate::{
    names::{self, FORMATS},
    pointer::{Out, Text},
    status::{Failure, Status, guarded},
};
use brickwork_texture::BlockFormat;
use std::ffi::{CStr, c_char};

const fn name(format: BlockFormat) -> &'static CStr {
    match format {
        BlockFormat::Bc1 => c"bc1",
        BlockFormat::Bc2 => c"bc2",
        BlockFormat::Bc3 => c"bc3",
        BlockFormat::Bc4Unorm => c"bc4",
        BlockFormat::Bc4Snorm => c"bc4s",
        BlockFormat::Bc5Unorm => c"bc5",
        BlockFormat::Bc5Snorm => c"bc5s",
        BlockFormat::Bc6hUfloat => c"bc6h",
        BlockFormat::Bc6hSfloat => c"bc6hs",
        BlockFormat::Bc7 => c"bc7",
        // (The enum may grow.)
        _ => c"",
    }
}

/// Returns a format's name, or null.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_format_name(format: u32) -> *const c_char {
    names::value(FORMATS, format, "").map_or(std::ptr::null(), |format| name(format).as_ptr())
}

/// Finds a format by its name.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_format_from_name(text: Text, mut format: Out<u32>) -> Status {
    guarded(|| {
        let parsed = text.utf8("name")?.parse::<BlockFormat>();
        let parsed = parsed.map_err(|error| Failure::of(error.kind(), error))?;
        format.put(names::number(FORMATS, parsed), "format")
    })
}

/// Returns the size of an image's blocks.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_image_bytes(
    format: u32,
    width: u32,
    height: u32,
    mut image_bytes: Out<u64>,
) -> Status {
    guarded(|| {
        let format = names::value(FORMATS, format, "format")?;
        image_bytes.put(format.image_bytes(width, height), "image_bytes")
    })
}

#[cfg(test)]
mod c_tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_libraries() {
        for &format in BlockFormat::ALL {
            assert_eq!(name(format).to_str(), Ok(format.name()));
        }
    }
}
