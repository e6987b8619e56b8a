//! Functions that the module exports.
//!
//! The host reads and writes the module's memory, but only between calls. No function follows a pointer, so
//! all of them are safe Rust. The permission of unsafe code is for `no_mangle`: in a program with a second
//! function of the same name, the linker might choose either.

#![allow(unsafe_code)]

use crate::{
    chunk,
    memory::{run, state},
};
use brickwork_volume::Dims;

#[cfg(feature = "regions")]
mod regions;
#[cfg(feature = "volumes")]
mod volumes;

/// Reserves `byte_count` bytes for the input, all zeros. Returns their address, or null if there is not
/// enough memory.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_input(byte_count: usize) -> *mut u8 {
    state().reserve(byte_count)
}

/// Returns the address of the output: the result, or an error's text.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_output() -> *const u8 {
    state().output().as_ptr()
}

/// Returns the number of bytes of the output.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_output_length() -> usize {
    state().output().len()
}

/// Frees input and output.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_free() {
    state().free();
}

/// Decodes the input, a chunk of the Zarr codec `brickwork`. The type is a number in the order of
/// `VoxelType::ALL`. Output: numbers in little-endian order, channels fastest, then x, y and z.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_decode_chunk(voxel_type: u32, x: u32, y: u32, z: u32, channels: u32) -> u32 {
    let dims = Dims::new(x as usize, y as usize, z as usize);
    run(|input| chunk::decode(input, voxel_type, dims, channels as usize))
}
