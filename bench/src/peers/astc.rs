//! The encoder of ASTC: astcenc, through the crate that ctt calls it with.
//!
//! It minimises the error of linear textures that decode to 8 bits (`decode_unorm8`), as Brickwork does here.
//! Without that flag it has 0.05 to 0.13 dB less on photographs. The crate compiles astcenc's assertions,
//! unless the variable `CXXFLAGS` contains `-DNDEBUG`. The ASTC encoder of intel_tex_2 0.5 has no body.

use super::{Contestant, Role, package};
use crate::picture::Picture;
use anyhow::Result;
use brickwork_texture::BlockFormat;
use ctt_astcenc::{
    Context, Flags, Preset, Profile, Swizzle,
    bindings::{astcenc_image, astcenc_type_ASTCENC_TYPE_U8},
    config_init,
};
use std::{cell::RefCell, ffi::c_void};

/// Name of the crate.
pub const PACKAGE: &str = "ctt-astcenc";

/// All presets. The first is the one that speeds are multiples of.
const PRESETS: [(&str, Preset, Role); 6] = [
    ("fastest", Preset::Fastest, Role::Base),
    ("fast", Preset::Fast, Role::Peer),
    ("medium", Preset::Medium, Role::Peer),
    ("thorough", Preset::Thorough, Role::Peer),
    ("very thorough", Preset::VeryThorough, Role::Peer),
    ("exhaustive", Preset::Exhaustive, Role::Peer),
];

/// Returns every preset with blocks of 4×4 texels.
pub fn contestants(pictures: &[Picture]) -> Result<Vec<Contestant<'_>>> {
    let has_assertions = !env!("BENCH_CXXFLAGS").contains("-DNDEBUG");
    let note = if has_assertions { ", with assertions" } else { "" };
    let contestant = |(name, preset, role)| {
        let context = RefCell::new(context(preset)?);
        let encode = Box::new(move |index: usize, blocks: &mut [u8]| {
            let picture = &pictures[index];
            // astcenc only reads them.
            let mut texels = picture.bytes().as_ptr().cast_mut().cast();
            let mut image = image(&mut texels, picture.width, picture.height);
            Ok(context.borrow_mut().compress(&mut image, Swizzle::IDENTITY, blocks)?)
        });
        Ok(Contestant { name: format!("{} {name}{note}", package(PACKAGE)), role, encode })
    };
    PRESETS.into_iter().map(contestant).collect()
}

/// Decodes as in linear textures.
pub fn decode(_: BlockFormat, blocks: &[u8], width: u32, height: u32) -> Result<Vec<u8>> {
    let mut texels = vec![0u8; 4 * width as usize * height as usize];
    let mut pointer = texels.as_mut_ptr().cast();
    context(Preset::Fastest)?.decompress(
        blocks,
        &mut image(&mut pointer, width, height),
        Swizzle::IDENTITY,
    )?;
    Ok(texels)
}

fn context(preset: Preset) -> Result<Context> {
    let config = config_init(Profile::Ldr, 4, 4, 1, preset, Flags::USE_DECODE_UNORM8)?;
    Ok(Context::new(&config)?)
}

/// Returns an image of RGBA with 8 bits per channel.
fn image(texels: &mut *mut c_void, width: u32, height: u32) -> astcenc_image {
    astcenc_image {
        dim_x: width,
        dim_y: height,
        dim_z: 1,
        data_type: astcenc_type_ASTCENC_TYPE_U8,
        data: texels,
    }
}
