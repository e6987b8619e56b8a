//! ICBC, a header of C++ that is not in any crate: linked if `BRICKWORK_ICBC` names its folder at build time.

#![allow(unsafe_code)]

use super::{Contestant, Role};
use crate::picture::Picture;
use anyhow::{Result, ensure};
use std::ffi::c_int;

unsafe extern "C" {
    safe fn icbc_exact_init();
    safe fn icbc_intel_init();
    safe fn icbc_exact_simd() -> c_int;
    fn icbc_exact_encode(level: c_int, texels: *const u8, width: u32, height: u32, blocks: *mut u8);
    fn icbc_intel_encode(level: c_int, texels: *const u8, width: u32, height: u32, blocks: *mut u8);
}

/// Levels, and whether for Intel's decoder instead of that of Direct3D 10.
const SETTINGS: [(c_int, bool); 8] =
    [(1, false), (4, false), (6, false), (7, false), (8, false), (9, false), (8, true), (9, true)];

pub fn contestants(pictures: &[Picture]) -> Vec<Contestant<'_>> {
    icbc_exact_init();
    icbc_intel_init();
    let simd = match icbc_exact_simd() {
        5 => "AVX-512",
        4 => "AVX2",
        -1 => "NEON",
        _ => "other SIMD",
    };
    let contestant = |(level, is_intel): (c_int, bool)| {
        let name = format!(
            "ICBC {} level {level}{} ({simd})",
            env!("BENCH_ICBC"),
            if is_intel { ", Intel's table" } else { "" }
        );
        Contestant {
            name,
            role: Role::Peer,
            encode: Box::new(move |index, blocks| encode(&pictures[index], level, is_intel, blocks)),
        }
    };
    SETTINGS.map(contestant).into()
}

fn encode(picture: &Picture, level: c_int, is_intel: bool, blocks: &mut [u8]) -> Result<()> {
    let (width, height) = (picture.width, picture.height);
    ensure!(width % 4 == 0 && height % 4 == 0, "ICBC takes whole blocks, not {width}×{height} texels");
    let texels = picture.bytes();
    let count = width as usize * height as usize;
    ensure!(texels.len() == 4 * count && blocks.len() == count / 2, "buffers do not have the picture's size");
    let encode = if is_intel { icbc_intel_encode } else { icbc_exact_encode };
    // SAFETY: both buffers are as long as width and height say, and it was initialised.
    unsafe { encode(level, texels.as_ptr(), width, height, blocks.as_mut_ptr()) };
    Ok(())
}
