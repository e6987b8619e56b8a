//! Functions that the module exports.
//!
//! The host reads and writes the module's memory, but only between calls. No function follows a pointer, so
//! all of them are safe Rust. The permission of unsafe code is for `no_mangle`: in a program with a second
//! function of the same name, the linker might choose either.

#![allow(unsafe_code)]

use crate::{job, memory::job_memory, request::EncodeRequest};

/// Reserves `byte_count` bytes for the input, all zeros. Returns their address, a multiple of 8, or null if
/// there is not enough memory.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_input(byte_count: usize) -> *mut u8 {
    job_memory().reserve(byte_count)
}

/// Encodes the texels of the input. Returns the status. The numbers are explained in [`crate::request`].
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_encode(
    format: u32,
    quality: u32,
    flags: u32,
    mip_levels: u32,
    width: u32,
    height: u32,
) -> u32 {
    job_memory().run(|texels| {
        let request = EncodeRequest::new(format, quality, flags, mip_levels, [width, height])?;
        job::encode(&request, texels)
    })
}

/// Decodes the blocks of the input to RGBA texels with channels of this type. Returns the status.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_decode(format: u32, channels: u32, width: u32, height: u32) -> u32 {
    job_memory().run(|blocks| job::decode(format, channels, [width, height], blocks))
}

/// Returns the address of the output: blocks with the largest mip level first, texels, or an error's text.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_output() -> *const u8 {
    job_memory().output().as_ptr()
}

/// Returns the number of bytes of the output.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_output_length() -> usize {
    job_memory().output().len()
}

/// Frees input and output.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_free() {
    job_memory().free();
}
