//! Version of the library.

use std::ffi::{CStr, c_char};

/// Returns the number that the version's part `text` states.
const fn part(text: &str) -> u32 {
    let (bytes, mut number, mut index) = (text.as_bytes(), 0, 0);
    while index < bytes.len() {
        number = 10 * number + (bytes[index] - b'0') as u32;
        index += 1;
    }
    number
}

/// Major, minor and patch.
pub const VERSION: [u32; 3] = [
    part(env!("CARGO_PKG_VERSION_MAJOR")),
    part(env!("CARGO_PKG_VERSION_MINOR")),
    part(env!("CARGO_PKG_VERSION_PATCH")),
];

const TEXT: &CStr = match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
    Ok(text) => text,
    Err(_) => c"",
};

/// Returns the version as a number, as `BRICKWORK_VERSION` does for the header.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_version() -> u32 {
    let [major, minor, patch] = VERSION;
    major << 16 | minor << 8 | patch
}

/// Returns the version as text.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_version_text() -> *const c_char {
    TEXT.as_ptr()
}
