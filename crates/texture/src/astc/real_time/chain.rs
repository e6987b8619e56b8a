//! Kernels of real time, one for each level and colour space.

use super::{
    coding,
    pack::mode,
    patterns,
    weights::{Form, WEIGHTS_6, WEIGHTS_12, WEIGHTS_24},
};
use crate::{
    ColorSpace, RealTime,
    chain::{Chain, Single},
    real_time,
    wgsl::WGSL,
};
use brickwork_gpu::Kernel;

/// Blocks in the first band, before the speed is known. They take a fraction of a second on a software
/// adapter.
const FIRST_BAND_BLOCKS: u32 = 1 << 12;

/// Returns the chain of a level for textures in a colour space.
pub(in crate::astc) fn chain(level: RealTime, color_space: ColorSpace) -> Chain {
    real_time::chain(single(level, color_space), FIRST_BAND_BLOCKS)
}

const fn name(level: RealTime, color_space: ColorSpace) -> &'static str {
    match (level, color_space) {
        (RealTime::Level1, ColorSpace::Linear) => "astc real time 1",
        (RealTime::Level2 | RealTime::Level3, ColorSpace::Linear) => "astc real time 2",
        (RealTime::Level1, ColorSpace::Srgb) => "astc real time 1, sRGB",
        (RealTime::Level2 | RealTime::Level3, ColorSpace::Srgb) => "astc real time 2, sRGB",
    }
}

/// Returns the encoder of a level.
fn single(level: RealTime, color_space: ColorSpace) -> Single {
    let complete = move |kernel: Kernel| {
        kernel
            .constant("LEVEL", level as u32 + 1)
            .constants(Form::of(color_space).constants())
            .constants(coding::CONSTANTS)
            .table("WEIGHTS_24", &WEIGHTS_24.numbers())
            .table("WEIGHTS_12", &WEIGHTS_12.numbers())
            .table("WEIGHTS_6", &WEIGHTS_6.numbers())
            .constants([("MODE_24", mode(3) as u32), ("MODE_12", mode(2) as u32), ("MODE_6", mode(1) as u32)])
            .constant("SHARE", patterns::SHARE)
            .constant("MOST", f32::MAX)
            .constant("PATTERN_COUNT", patterns::COUNT as u32)
            .table("PATTERNS", &patterns::PATTERNS)
            .file(&WGSL, "astc/real_time/real_time.wgsl")
    };
    Single { name: name(level, color_space).into(), block_bytes: 16, complete: Box::new(complete) }
}

/// Returns the encoders of all levels and colour spaces.
pub(crate) fn singles() -> impl Iterator<Item = Single> {
    let spaces = [ColorSpace::Linear, ColorSpace::Srgb];
    RealTime::OF_MOBILE.iter().flat_map(move |&level| spaces.map(|space| single(level, space)))
}
