//! Bytes that the library returns.

use crate::pointer::{Bytes, Handle, In};

/// `brickwork_buffer`
#[derive(Debug)]
pub struct Buffer(pub Vec<u8>);

/// Returns the first byte, or null for a null handle.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_buffer_data(buffer: In<Buffer>) -> Bytes {
    buffer.lenient().map_or(Bytes::NULL, |buffer| Bytes::of(&buffer.0))
}

/// Returns the number of bytes.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_buffer_bytes(buffer: In<Buffer>) -> usize {
    buffer.lenient().map_or(0, |buffer| buffer.0.len())
}

/// Ends the handle.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_buffer_free(buffer: Handle<Buffer>) {
    buffer.free();
}
