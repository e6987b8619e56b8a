//! nvtt's encoder of BC6H, which is not in any crate: linked if `BRICKWORK_NVTT` names the folder of
//! nvidia-texture-tools at build time.

#![allow(unsafe_code)]

use anyhow::{Result, ensure};
use brickwork_texture::half::f16;
use std::{
    ffi::c_int,
    sync::{Mutex, PoisonError},
};

unsafe extern "C" {
    fn brickwork_nvtt_encode(is_signed: c_int, texels: *const u16, width: u32, height: u32, blocks: *mut u8);
}

/// Name and version.
pub const NAME: &str = concat!("nvtt ", env!("BENCH_NVTT"));

/// nvtt keeps the sign of the format in a global variable.
static ENCODER: Mutex<()> = Mutex::new(());

/// Encodes an image whose sides are multiples of 4. Alpha is ignored.
///
/// # Errors
/// An error if a length does not fit the size.
pub fn encode(
    texels: &[[f16; 4]],
    width: u32,
    height: u32,
    is_signed: bool,
    blocks: &mut [u8],
) -> Result<()> {
    ensure!(
        [width, height].iter().all(|side| side.is_multiple_of(4)),
        "nvtt requires whole blocks, not {width}×{height} texels"
    );
    let count = width as usize * height as usize;
    ensure!(texels.len() == count && blocks.len() == count, "buffers do not have the image's size");
    let texels: &[u16] = bytemuck::cast_slice(texels.as_flattened());
    let _locked = ENCODER.lock().unwrap_or_else(PoisonError::into_inner);
    // SAFETY: both buffers have the lengths that width and height require. The lock excludes other threads.
    unsafe {
        brickwork_nvtt_encode(is_signed.into(), texels.as_ptr(), width, height, blocks.as_mut_ptr());
    }
    Ok(())
}
