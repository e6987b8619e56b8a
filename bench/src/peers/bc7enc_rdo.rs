//! bc7enc_rdo (R. Geldreich), whose optimisation is not in any crate: linked if `BRICKWORK_BC7ENC_RDO` names
//! the folder of its sources at build time.
//!
//! Settings are the defaults of its program, except those of bc7enc_rdo.cpp. The first blocks of BC7 are
//! those of bc7e's slowest level, the program's default, from the crate ctt-bc7enc-rdo. A second curve starts
//! from bc7enc's own blocks with less entropy (option `-e`). First blocks are encoded once, and their time is
//! part of every point's.

#![allow(unsafe_code)]

use super::{bc7, optimizer::Optimizer};
use crate::picture::Picture;
use anyhow::{Result, bail, ensure};
use brickwork_texture::BlockFormat;
use cpu_time::ThreadTime;
use ctt_bc7enc_rdo as bc7e;
use std::{ffi::c_int, rc::Rc};

unsafe extern "C" {
    safe fn brickwork_bc7enc_init();
    fn brickwork_bc7enc_encode(
        format: c_int,
        texels: *const u8,
        width: u32,
        height: u32,
        blocks: *mut u8,
    ) -> c_int;
    fn brickwork_bc7enc_optimize(
        format: c_int,
        lambda: f32,
        window: u32,
        texels: *const u8,
        width: u32,
        height: u32,
        blocks: *mut u8,
    ) -> c_int;
}

/// Name and version.
pub const NAME: &str = concat!("bc7enc_rdo ", env!("BENCH_BC7ENC_RDO"));

/// Each λ above 0, in the range that the program recommends and a little beyond.
const LAMBDAS: &[f32] = &[0.1, 0.25, 0.5, 1.0, 2.0, 3.0, 4.0, 6.0];

/// The encoder of the blocks that are optimised.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Start {
    /// bc7enc_rdo's own: rgbcx, or for BC7 bc7enc.
    Own,
    /// bc7e.
    Bc7e,
}

/// Blocks of a picture without optimisation.
struct First {
    blocks: Vec<u8>,
    /// CPU time of their encoder.
    seconds: f64,
}

/// Returns the optimisers of a format, one for each of the `windows` in bytes.
pub fn optimizers<'a>(
    format: BlockFormat,
    pictures: &'a [Picture],
    windows: &[u32],
) -> Result<Vec<Optimizer<'a>>> {
    brickwork_bc7enc_init();
    let number = dxgi_number(format)?;
    let starts: &[(Start, &str)] = match format {
        BlockFormat::Bc7 => &[(Start::Bc7e, ", bc7e slowest"), (Start::Own, ", bc7enc -e")],
        _ => &[(Start::Own, "")],
    };
    let mut all = Vec::new();
    for &(start, words) in starts {
        let first = pictures.iter().map(|picture| first_blocks(picture, format, number, start));
        let first = first.collect::<Result<Rc<[First]>>>()?;
        for &window in windows {
            let first = first.clone();
            let encode = Box::new(move |index: usize, lambda: f32, blocks: &mut [u8]| -> Result<f64> {
                let First { blocks: own, seconds } = &first[index];
                blocks.copy_from_slice(own);
                if lambda == 0.0 {
                    return Ok(*seconds);
                }
                let start = ThreadTime::try_now()?;
                optimize(&pictures[index], number, lambda, window, blocks)?;
                Ok(seconds + start.try_elapsed()?.as_secs_f64())
            });
            let name = format!("{NAME}{words}, {window} bytes");
            all.push(Optimizer { name, is_ours: false, lambdas: LAMBDAS, encode });
        }
    }
    Ok(all)
}

/// Returns the number of a format in DXGI.
fn dxgi_number(format: BlockFormat) -> Result<c_int> {
    Ok(match format {
        BlockFormat::Bc1 => 71,
        BlockFormat::Bc3 => 77,
        BlockFormat::Bc4Unorm => 80,
        BlockFormat::Bc5Unorm => 83,
        BlockFormat::Bc7 => 98,
        _ => bail!("bc7enc_rdo does not encode {format}"),
    })
}

/// Returns the blocks of a picture without optimisation.
fn first_blocks(picture: &Picture, format: BlockFormat, number: c_int, start: Start) -> Result<First> {
    let mut blocks = vec![0; picture.block_bytes(format)];
    if start == Start::Bc7e {
        let tiles = bc7::cut(picture);
        let mut halves = vec![0u64; blocks.len() / 8];
        let settings = bc7e::params_init_slowest(false);
        let start = ThreadTime::try_now()?;
        bc7e::compress_blocks(&mut halves, &tiles, &settings);
        let seconds = start.try_elapsed()?.as_secs_f64();
        blocks.copy_from_slice(bytemuck::cast_slice(&halves));
        return Ok(First { blocks, seconds });
    }
    let texels = texels_for(picture, number, &blocks)?;
    let start = ThreadTime::try_now()?;
    // SAFETY: texels and blocks have the lengths that width and height require.
    let is_done = unsafe {
        brickwork_bc7enc_encode(number, texels, picture.width, picture.height, blocks.as_mut_ptr())
    };
    ensure!(is_done != 0, "bc7enc_rdo does not encode the picture");
    Ok(First { seconds: start.try_elapsed()?.as_secs_f64(), blocks })
}

/// Optimises the blocks of a picture.
fn optimize(picture: &Picture, number: c_int, lambda: f32, window: u32, blocks: &mut [u8]) -> Result<()> {
    let texels = texels_for(picture, number, blocks)?;
    let (width, height) = (picture.width, picture.height);
    // SAFETY: texels and blocks have the lengths that width and height require.
    let is_done = unsafe {
        brickwork_bc7enc_optimize(number, lambda, window, texels, width, height, blocks.as_mut_ptr())
    };
    ensure!(is_done != 0, "bc7enc_rdo does not optimise the blocks");
    Ok(())
}

/// Returns the texels of a picture, after a check of all sizes.
fn texels_for(picture: &Picture, number: c_int, blocks: &[u8]) -> Result<*const u8> {
    let (width, height) = (picture.width, picture.height);
    ensure!(width % 4 == 0 && height % 4 == 0, "expected whole blocks, not {width}×{height} texels");
    let count = width as usize * height as usize;
    // BC1 and BC4 have 8 bytes per block.
    let block_bytes = if [71, 80].contains(&number) { 8 } else { 16 };
    let texels = picture.bytes();
    ensure!(
        texels.len() == 4 * count && blocks.len() == count / 16 * block_bytes,
        "buffers do not have the picture's size"
    );
    Ok(texels.as_ptr())
}
